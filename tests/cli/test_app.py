"""The command line as a whole: help, exit codes, words instead of tracebacks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from client_sdk.cli import app
from client_sdk.cli.errors import Exit
from tests.cli.conftest import Run

HEARTS = [sys.executable, "-m", "client_sdk.cli"]


def test_help_names_every_command_and_exit_code(hearts: Run) -> None:
    ran = hearts("--help")
    text = " ".join(ran.out.replace("│", " ").split())
    assert ran.code == 0
    for command in ("bots", "tournaments", "matches", "ratings", "rules", "doctor", "up", "demo"):
        assert f" {command} " in text
    for code in ("0 all well", "2 the input is wrong", "3 a bot failed", "4 the platform failed"):
        assert code in text
    assert "130 interrupted" in text


@pytest.mark.parametrize(
    "command",
    [
        ("bots", "register"), ("bots", "list"), ("tournaments", "create"), ("tournaments", "watch"),
        ("matches", "record"), ("ratings", "show"), ("rules", "check"),
    ],
)  # fmt: skip
def test_every_command_has_an_example(hearts: Run, command: tuple[str, str]) -> None:
    ran = hearts(*command, "--help")
    assert ran.code == 0
    assert f"Example: hearts {' '.join(command)}" in " ".join(ran.out.split())


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("bots", "list", "--jsn"), "No such option: --jsn"),
        (("bots", "shwo"), "No such command 'shwo'"),
        (("bots", "show"), "Missing argument 'NAME'"),
        (("bots", "list", "--limit", "many"), "Invalid value for '--limit'"),
        (("bots", "list", "--timeout", "0"), "Invalid value for '--timeout'"),
        (("bots", "list", "--server", "nowhere"), "'nowhere' is no server address"),
        (("up", "--port", "70000"), "Invalid value for '--port'"),
    ],
)
def test_wrong_input_exits_2_with_one_or_two_lines(
    hearts: Run, arguments: tuple[str, ...], expected: str
) -> None:
    ran = hearts(*arguments)
    assert ran.code == Exit.USAGE
    assert expected in ran.err
    assert ran.err.startswith("error: ")
    assert len(ran.err.splitlines()) == 2


@pytest.mark.parametrize("command", ["up", "demo"])
def test_a_part_that_is_not_installed_is_named_with_the_way_to_install_it(command: str) -> None:
    # None is what makes `import redis` fail as if it were not there.
    program = (
        "import sys; sys.modules['redis'] = None\n"
        f"from client_sdk.cli.app import run; sys.exit(run(['{command}']))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.returncode == Exit.USAGE
    assert f"`hearts {command}` needs the server part, which is not installed" in ran.stderr
    assert "pip install 'hearts-arena[server]'" in ran.stderr


def test_a_package_that_cannot_even_be_imported_becomes_a_command_that_says_so(
    hearts: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = metadata.EntryPoint("web", "nonexistent_package:web", app.ENTRY_POINTS)
    monkeypatch.setattr(app.metadata, "entry_points", lambda group: [broken])
    assert "pip install 'hearts-arena[server]'" in hearts("--help").out
    ran = hearts("web")
    assert (ran.code, "`hearts web` needs the server part" in ran.err) == (Exit.USAGE, True)


def test_an_unforeseen_error_is_words_and_exit_code_4(
    hearts: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(app, "build", broken)
    ran = hearts("version")
    assert ran.code == Exit.PLATFORM_FAULT
    assert ran.err.startswith("error: unexpected: ZeroDivisionError: division by zero\n  next: ")


def test_ctrl_c_exits_130(hearts: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(app, "build", interrupted)
    assert hearts("version").code == Exit.INTERRUPTED


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    with subprocess.Popen(
        [*HEARTS, "rules", "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as command:
        assert command.stdout
        assert command.stderr
        command.stdout.close()
        assert command.stderr.read() == b""
        assert command.wait(20) == 0


def test_version_as_text_and_as_json(hearts: Run) -> None:
    assert f"hearts {metadata.version('hearts-arena')}\n" in hearts("version").out
    assert json.loads(hearts("version", "--json").out)["protocol"] == 1


def test_doctor_without_a_server_says_what_to_do(hearts: Run, unused_port: int) -> None:
    ran = hearts("doctor", "--server", f"127.0.0.1:{unused_port}", "--timeout", "2")
    assert ran.code == Exit.PLATFORM_FAULT
    assert "FAILED" in ran.out
    assert "hearts up --data DIR" in ran.out
    checks = json.loads(
        hearts("doctor", "--json", "--server", f"127.0.0.1:{unused_port}", "--timeout", "2").out
    )["checks"]
    assert {check["check"]: check["ok"] for check in checks}["server"] is False


def test_doctor_names_a_broken_configuration(hearts: Run) -> None:
    path = Path(os.environ["XDG_CONFIG_HOME"]) / "hearts" / "config.toml"
    path.parent.mkdir(parents=True)
    path.write_text("sever = 1")
    ran = hearts("doctor")
    assert ran.code == Exit.USAGE
    assert "line 1: sever: unknown key" in ran.out


def test_rules_without_a_server(hearts: Run, tmp_path: Path) -> None:
    assert "standard" in hearts("rules", "list").out
    assert "QS +13" in hearts("rules", "show", "standard").out
    assert json.loads(hearts("rules", "show", "standard", "--json").out)["target"] == 100
    assert hearts("rules", "show", "standrad").code == Exit.USAGE
    options = tmp_path / "house.toml"
    options.write_text('preset = "standard"\ntarget = 50\n')
    ran = hearts("rules", "check", options)
    assert ran.code == Exit.OK
    assert "50" in ran.out
    options.write_text('preset = "standard"\n\ntraget = 50\n')
    ran = hearts("rules", "check", options)
    assert ran.code == Exit.USAGE
    assert "line 3: traget" in ran.err
