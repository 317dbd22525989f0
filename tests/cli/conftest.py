"""What the tests of the command line share."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from client_sdk.cli.app import run
from tests.cli.fake_server import Fake, serving


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command did: its exit code and what it said."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture(autouse=True)
def own_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the settings of whoever runs it."""
    for name in ("HEARTS_SERVER", "HEARTS_TOKEN", "HEARTS_TOKEN_FILE", "HEARTS_DEBUG", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def fake() -> Iterator[Fake]:
    with serving() as fake:
        yield fake


@pytest.fixture
def hearts(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `hearts ARGUMENTS` in this process."""

    def command(*arguments: str | Path) -> Ran:
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return Ran(code, said.out, said.err)

    return command


@pytest.fixture
def unused_port() -> int:
    """A port on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
