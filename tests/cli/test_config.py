"""Where a command finds its server and its token."""

from __future__ import annotations

from pathlib import Path

import pytest

from client_sdk.cli import config
from client_sdk.cli.config import Options, resolve
from client_sdk.cli.errors import CliError


def save(text: str, mode: int = 0o600) -> Path:
    path = config.config_path()
    path.parent.mkdir(parents=True)
    path.write_text(text)
    path.chmod(mode)
    return path


def test_without_anything_there_are_defaults() -> None:
    found = resolve(Options())
    assert (found.server, found.token, found.timeout_s) == ("127.0.0.1:7700", "", 10.0)


def test_an_option_comes_before_the_environment_and_that_before_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save('server = "file:1"\ntoken = "from-file"\ntimeout = 3')
    assert resolve(Options()) == config.Connection("file:1", "from-file", 3.0)
    monkeypatch.setenv("HEARTS_SERVER", "environment:2")
    monkeypatch.setenv("HEARTS_TOKEN", "from-environment")
    assert resolve(Options()) == config.Connection("environment:2", "from-environment", 3.0)
    monkeypatch.delenv("HEARTS_TOKEN")
    (tmp_path / "other.token").write_text("from-environments-file\n")
    monkeypatch.setenv("HEARTS_TOKEN_FILE", str(tmp_path / "other.token"))
    assert resolve(Options()).token == "from-environments-file"
    token = tmp_path / "admin.token"
    token.write_text("from-token-file\n")
    chosen = Options(server="option:3", token_file=token, timeout_s=1)
    assert resolve(chosen) == config.Connection("option:3", "from-token-file", 1.0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('server = "a:1"\nsevrer = "b:2"', "line 2: sevrer: unknown key (allowed: server, token,"),
        ("server = 7700", "line 1: server: must be text, not 7700"),
        ('\ntimeout = "long"', "line 2: timeout: must be a number of seconds"),
        ("timeout = 0", "line 1: timeout: must be more than 0 seconds"),
        ("server = ", "is not valid TOML"),
        ('server = "nowhere"', "'nowhere' is no server address (allowed: HOST:PORT"),
        ('token_file = "/nonexistent"', "cannot read the token file /nonexistent: No such file"),
    ],
)
def test_a_wrong_file_is_refused(text: str, expected: str) -> None:
    """UX01 holds for the configuration file too."""
    path = save(text)
    with pytest.raises(CliError) as refused:
        resolve(Options())
    assert expected in str(refused.value)
    assert str(path) in str(refused.value) or "address" in expected or "token file" in expected


def test_a_token_that_others_can_read_is_refused() -> None:
    save('token = "secret"', mode=0o644)
    with pytest.raises(CliError, match="others can read it") as refused:
        resolve(Options())
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("text", ["", "two tokens", "a\nb\n"])
def test_a_token_file_holds_one_token(tmp_path: Path, text: str) -> None:
    path = tmp_path / "token"
    path.write_text(text)
    with pytest.raises(CliError, match="does not hold one token"):
        config.read_token(path)


@pytest.mark.parametrize("address", ["", "host", ":7700", "host:", "host:0", "host:70000", "h:٣"])
def test_addresses_that_are_none(address: str) -> None:
    with pytest.raises(CliError, match="is no server address"):
        config.check_address(address)
