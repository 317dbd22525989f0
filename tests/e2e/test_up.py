"""`hearts up` for real: starts, refuses, stops, and outlives being killed."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
from pathlib import Path

import pytest

from tests.e2e import kit

pytestmark = [
    pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes in /proc"),
    pytest.mark.timeout(300),
]


def hearts(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [*kit.HEARTS, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def test_a_platform_serves_survives_kill_9_and_stops_on_ctrl_c(tmp_path: Path) -> None:
    data = tmp_path / "data"
    token_file = data / "admin.token"
    with kit.running("up", "--data", data, "--port", "0") as up:
        address = up.until(r"serving on (\S+);")
        up.until("try: hearts doctor")
        assert token_file.read_text().strip() in up.out, "the first start shows the token"
        assert token_file.stat().st_mode & 0o777 == 0o600

        with kit.running("up", "--data", data, "--port", "0") as second:
            assert second.end(20) == 4
            assert f"uses the data folder {data}" in second.err
            assert "--data DIR" in second.err
        with kit.running("up", "--data", tmp_path / "other", "--port", address[-5:]) as second:
            assert second.end(20) == 4
            assert f"port {address[-5:]} on 127.0.0.1 is taken" in second.err
        assert not (tmp_path / "other").exists()

        asked = ("--server", address, "--token-file", token_file)
        registered = hearts("bots", "register", "anna", "--save", tmp_path / "anna", *asked)
        assert registered.returncode == 0, registered.stderr
        assert hearts("bots", "list", "--server", address).returncode == 2, "no token, no list"
        no_secret_shows(up, data)
        up.signal(signal.SIGKILL)
        up.end()
        kit.nothing_is_left(up)
    with kit.running("up", "--data", data, "--port", address[-5:]) as up:
        up.until("try: hearts doctor")
        assert "admin token" not in up.out, "shown once"
        bots = json.loads(hearts("bots", "list", "--json", *asked).stdout)["bots"]
        assert [bot["name"] for bot in bots] == ["bots/anna"], "what was answered is on disk"
        assert hearts("doctor", *asked).returncode == 0
        up.signal(signal.SIGINT)
        assert up.end(20) == 0
        assert up.out.endswith("stopping ...\nstopped\n")
        kit.nothing_is_left(up)
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", int(address[-5:])))


def no_secret_shows(up: kit.Command, data: Path) -> None:
    """SS08: no token or password on a command line or in a log."""
    files = (data / "admin.token", data / "worker.token", data / "redis" / "redis.password")
    secrets = [path.read_text().strip() for path in files]
    shown = [Path(f"/proc/{pid}/cmdline").read_text() for pid in up.alive()]
    logs = [*(data / "logs").iterdir(), data / "redis" / "redis.log"]
    assert len(shown) >= 5
    assert any("valkey-server" in text or "redis-server" in text for text in shown)
    assert len(logs) >= 4
    for text in (*shown, *(log.read_text() for log in logs)):
        assert not any(secret in text for secret in secrets)


def test_an_interrupted_start_leaves_nothing(tmp_path: Path) -> None:
    with kit.running("up", "--data", tmp_path, "--port", "0") as up:
        up.until("starting")
        up.signal(signal.SIGTERM)
        assert up.end(15) == 130
        kit.nothing_is_left(up)


def test_a_redis_that_cannot_be_reached_is_named(tmp_path: Path) -> None:
    unreachable = {"HEARTS_REDIS_URL": "redis://127.0.0.1:1/0"}
    with kit.running("up", "--data", tmp_path, "--port", "0", environment=unreachable) as up:
        assert up.end(30) == 4
        assert up.err.startswith("error: the store cannot be used: ")
        assert "127.0.0.1:1" in up.err
        assert "HEARTS_REDIS_URL" in up.err
        kit.nothing_is_left(up)


def test_a_data_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with kit.running("up", "--data", tmp_path / "file" / "data", "--port", "0") as up:
        assert up.end(20) == 2
        assert f"cannot use the data folder {tmp_path}/file/data: Not a directory" in up.err
