"""The road of a bot's author, from a token to a played match, and no token anywhere on the way."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arbiter.settings import Settings
from tests.e2e import kit
from workers.hosting.host import look

pytestmark = pytest.mark.timeout(400)

BOT = """
import sys
from client_sdk import Bot, connect
class MyBot(Bot):
    name = "my-bot"
    def play(self, turn):
        return turn.legal[0]
print("hello", file=sys.stderr, flush=True)
connect(MyBot())
"""
CUP = """
title = "Cup"
boards = 1
entries = ["my-bot", "house:random", "house:duck", "house:careful"]
"""


@pytest.fixture
def sandbox() -> None:
    """Skips where no worker would start a submitted program, unless nothing may be skipped."""
    host = look(Settings())
    if not host.usable:
        if os.environ.get("HEARTS_REQUIRE_ALL") == "1":
            pytest.fail(host.why_not)
        pytest.skip(host.why_not)


def folder(tmp_path: Path, name: str, program: str) -> Path:
    made = tmp_path / name
    made.mkdir()
    (made / "bot.py").write_text(program)
    (made / "bot.toml").write_text(f'name = "{name}"\ncommand = "python3 bot.py"\n')
    return made


@pytest.mark.usefixtures("sandbox")
def test_from_a_token_to_a_played_match(tmp_path: Path) -> None:
    """SS08, LR02, UX05."""
    data = tmp_path / "data"
    good, bad = folder(tmp_path, "my-bot", BOT), folder(tmp_path, "bad-bot", "import nothing")
    (tmp_path / "cup.toml").write_text(CUP)
    said = []

    def hearts(*arguments: str | Path, token: str = "kim", code: int = 0) -> str:
        path = data / "admin.token" if token == "admin" else tmp_path / f"{token}.token"
        ran = subprocess.run(
            [*kit.HEARTS, *map(str, arguments)],
            cwd=tmp_path,
            env={
                "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
                "HOME": str(tmp_path),
                "HEARTS_SERVER": address,
                "HEARTS_TOKEN_FILE": str(path),
            },
            capture_output=True,
            text=True,
            timeout=180,
        )
        assert ran.returncode == code, f"{arguments}: {ran.stdout}{ran.stderr}"
        said.append(ran.stdout + ran.stderr)
        return ran.stdout + ran.stderr

    with kit.running("up", "--data", data, "--port", "0") as up:
        address = up.until(r"serving on (\S+);")
        up.until("try: hearts doctor")
        hearts("owners", "create", "kim", "--save", "kim.token", token="admin")
        hearts("owners", "create", "lee", "--save", "lee.token", token="admin")
        assert "my-bot@1 is active" in hearts("bots", "submit", good, "--wait", "150")
        assert "bad-bot@1 is rejected" in hearts("bots", "submit", bad, "--wait", "150", code=3)
        log = hearts("bots", "log", "bad-bot@1")
        assert "ModuleNotFoundError" in log
        assert "exit code 1" in log
        assert "is not yours" in hearts("bots", "log", "bad-bot@1", token="lee", code=2)
        made = hearts("tournaments", "create", "cup.toml", "--watch", token="admin")
        assert re.search(r"\d\w\w +my-bot@1 ", made)
        assert "hello" in hearts("bots", "log", "my-bot@1")
        hearts("bots", "submit", "--connect", "--name", "dial-bot", "--save", "dial-bot.token")
        listed = subprocess.run(["ps", "axww"], capture_output=True, text=True).stdout
        up.signal(signal.SIGINT)
        assert up.end(30) == 0

    tokens = [
        path.read_text().strip()
        for path in (*tmp_path.glob("*.token"), data / "admin.token", data / "worker.token")
    ]
    assert len(tokens) == 5
    logs = [path.read_text(errors="replace") for path in (data / "logs").iterdir()]
    for token in tokens:
        for text in (*logs, *said, listed):
            assert token not in text
    # Nothing that was on the way is left.
    assert list((data / "incoming").iterdir()) == []
