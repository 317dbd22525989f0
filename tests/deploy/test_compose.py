"""deploy/compose.yaml, without containers: its very commands with its very environment, each a
process of its own, against Debian's redis-server, play a tournament; then its health checks."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from client_sdk.cli.client import Client
from client_sdk.cli.config import Connection
from hearts.rules import preset
from hearts.v1 import play_pb2, tournaments_pb2
from hearts.wire import rules_to_wire
from workers import redis_server

ROOT = Path(__file__).parents[2]
COMPOSE = ROOT / "deploy" / "compose.yaml"
_VARIABLE = re.compile(r"\$(?:\$|\{(\w+)(?::([-?])([^}]*))?\})")
SPEC = tournaments_pb2.TournamentSpec(
    title="Apart",
    format=tournaments_pb2.FORMAT_ROUND_ROBIN,
    rules=rules_to_wire(preset("standard")),
    deals=1,
    boards=10,
    duplicate=True,
    # Slow machines: nobody is to be blamed here.
    clock=play_pb2.Limits(connect_ms=60_000, ready_ms=60_000, decision_ms=30_000),
    entries=[f"bots/{name}" for name in ("anna", "bert", "cleo", "dora")],
)
BOTS = {"anna": "duck", "bert": "careful", "cleo": "random", "dora": "duck"}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _filled(value: Any, variables: Mapping[str, str]) -> Any:
    """As compose fills in variables: ${A:-default}, ${A:?why}, and $$ for a dollar."""

    def one(found: re.Match[str]) -> str:
        name, kind, rest = found.groups()
        if name is None:
            return "$"
        if name in variables:
            return variables[name]
        assert kind == "-", f"{name} must be set: {rest}"
        return str(rest)

    if isinstance(value, str):
        return _VARIABLE.sub(one, value)
    if isinstance(value, list):
        return [_filled(item, variables) for item in value]
    if isinstance(value, dict):
        return {key: _filled(item, variables) for key, item in value.items()}
    return value


def _server(folder: Path) -> None:
    """redis-server (and redis-cli) on PATH: Debian's; else the bundled one under that name."""
    if shutil.which("redis-server"):
        return
    if os.environ.get("HEARTS_REQUIRE_ALL"):
        pytest.fail("Debian's redis-server is not installed: apt-get install redis-server")
    print("no redis-server on PATH: the bundled server takes its place")
    binary = redis_server.find_binary()
    (folder / "redis-server").symlink_to(binary)
    client = binary.with_name(binary.name.replace("server", "cli"))
    if client.exists():
        (folder / "redis-cli").symlink_to(client)


class Parts:
    """The services of the file as processes."""

    def __init__(self, folder: Path) -> None:
        binaries = folder / "bin"
        binaries.mkdir()
        _server(binaries)
        self.port = _free_port()
        self.folder = folder
        (folder / "redis").mkdir()
        variables = {
            "REDIS_PASSWORD": "a-long-one",
            "REDIS_HOST": "127.0.0.1",
            "REDIS_BIND": "127.0.0.1",
            "REDIS_PORT": str(_free_port()),
            "REDIS_DATA": str(folder / "redis"),
            "HEARTS_DATA": str(folder / "hearts"),
            "HEARTS_HOST": "127.0.0.1",
            "HEARTS_PORT": str(self.port),
        }
        self.services = _filled(yaml.safe_load(COMPOSE.read_text("utf-8")), variables)["services"]
        scripts = Path(sys.executable).parent
        self.outside = {
            "PATH": f"{scripts}:{binaries}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "TMPDIR": str(folder),
        }
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str) -> subprocess.Popen[bytes]:
        service = self.services[name]
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                service["command"],
                env=self.outside | {k: str(v) for k, v in service["environment"].items()},
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.running[name] = process
        return process

    def healthy(self, name: str) -> bool:
        kind, *command = self.services[name]["healthcheck"]["test"]
        if kind == "CMD-SHELL":
            if not shutil.which("redis-cli"):
                return self.running[name].poll() is None
            command = ["sh", "-c", *command]
        environment = self.outside | self.services[name]["environment"]
        return not subprocess.run(
            command, env=environment, cwd=self.folder, capture_output=True, timeout=60, check=False
        ).returncode

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text("utf-8", "replace")

    def listed(self, name: str) -> str:
        """As the process list shows it to everybody."""
        return Path(f"/proc/{self.running[name].pid}/cmdline").read_text()

    def client(self) -> Client:
        """The public API, as the admin whose token `setup` has made."""
        token = (self.folder / "hearts" / "admin.token").read_text().strip()
        return Client(Connection(f"127.0.0.1:{self.port}", token, 30))

    def bot(self, name: str, kind: str, token: str) -> None:
        """A bot that dials in."""
        with (self.folder / f"{name}.log").open("wb") as log:
            self.running[name] = subprocess.Popen(
                ["python", "-m", "client_sdk.bots", kind, "--name", name],
                env=self.outside
                | {"HEARTS_SERVER": f"127.0.0.1:{self.port}", "HEARTS_TOKEN": token},
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def stop(self) -> None:
        for process in reversed(self.running.values()):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
                try:
                    process.wait(20)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()


def _until(holds: Callable[[], bool], within_s: float = 180) -> None:
    deadline = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < deadline, "not in time"
        time.sleep(0.3)


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[Parts]:
    parts = Parts(tmp_path)
    yield parts
    parts.stop()


@pytest.mark.timeout(900)
async def test_the_parts_apart_play_a_tournament_and_their_health_is_their_work(
    parts: Parts,
) -> None:
    parts.start("redis")
    _until(lambda: parts.healthy("redis"))
    assert parts.start("setup").wait(60) == 0, parts.log("setup")
    for name in ("arbiter", "worker", "beat"):
        parts.start(name)
    _until(lambda: parts.healthy("arbiter"))
    async with parts.client() as client:
        for name, kind in BOTS.items():
            _, token = await client.create_bot(name, kind, house=True)
            parts.bot(name, kind, token)
        made = await client.create_tournament(SPEC)
        while made.state != tournaments_pb2.TOURNAMENT_STATE_FINISHED:
            await asyncio.sleep(0.5)
            made = await client.get_tournament(made.name)
        assert (made.matches_done, made.matches_failed) == (40, 0)
        table = await client.get_standings(made.name)
        assert {line.deals for line in table.standings} == {40}
    _until(lambda: all(parts.healthy(name) for name in ("redis", "arbiter", "worker", "beat")))

    # Health is consumption: what lives and does nothing is not healthy.
    os.killpg(parts.running["redis"].pid, signal.SIGSTOP)
    try:
        _until(lambda: not parts.healthy("arbiter"))
        assert not parts.healthy("worker")
        assert not parts.healthy("beat")
    finally:
        os.killpg(parts.running["redis"].pid, signal.SIGCONT)
    _until(lambda: all(parts.healthy(name) for name in ("redis", "arbiter", "worker", "beat")))
    for name in ("redis", "arbiter", "worker", "beat"):
        assert "a-long-one" not in parts.log(name)
        assert "a-long-one" not in parts.listed(name)


def test_every_service_restarts_keeps_its_data_and_says_whether_it_works() -> None:
    services = yaml.safe_load(COMPOSE.read_text("utf-8"))["services"]
    assert set(services) == {"redis", "setup", "arbiter", "worker", "beat"}
    for name, service in services.items():
        assert service["volumes"], name
        assert service["restart"] == ("no" if name == "setup" else "unless-stopped")
        assert ("healthcheck" in service) == (name != "setup")
    command = " ".join(services["redis"]["command"])
    for wanted in ("--appendonly yes", "--maxmemory-policy noeviction", "requirepass"):
        assert wanted in command
