"""The platform on one machine: Redis, arbiter, workers and beat under one supervisor."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from arbiter.settings import broker_beside
from arbiter.store import Role, Store, StoreError
from client_sdk.cli.client import Client
from client_sdk.cli.config import Connection
from client_sdk.cli.errors import CliError, PlatformError
from workers import redis_server
from workers.cli import child, watchdog
from workers.cli.folder import DataFolder
from workers.cli.supervisor import Service, ServiceFailed, Supervisor

CELERY = (sys.executable, "-m", "celery", "-A", "workers.app:app")
ARBITER = (sys.executable, "-m", "arbiter")
# Its only entry is due each second, so there is nothing to remember in a file.
BEAT = (*CELERY, "beat", "--pidfile", "")
TLS = ("HEARTS_TLS_CERT", "HEARTS_TLS_KEY", "HEARTS_TLS_CLIENT_CA")
PROBE_TIMEOUT_S = 2.0
# A cold start on a busy machine: Python, numpy and gRPC come from the disk.
READY_S = 30.0


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to run. ``redis_url``: a server of somebody else's; None: start one. ``tls``: the
    environment says how the arbiter serves TLS, and whom its clients trust."""

    host: str
    port: int
    workers: int = 1
    redis_url: str | None = None
    allow_insecure_redis: bool = False
    tls: bool = False


class Platform:
    """Everything that serves; use as an async context manager in the main thread.

    Entering starts all of it and waits until it is ready; leaving stops all of it.

    Raises:
        PlatformError: it cannot be started; nothing is left behind then.
    """

    def __init__(self, folder: DataFolder, wanted: Wanted, say: Callable[[str], None]) -> None:
        self.folder = folder
        self.supervisor = Supervisor(say)
        self._listen = f"{wanted.host}:{wanted.port or free_port(wanted.host)}"
        self.address = f"https://{self._listen}" if wanted.tls else self._listen
        self.admin_token = ""
        # What children put into temporary files goes with the data folder, even if one is killed.
        self.environment = {"TMPDIR": str(folder.temporary())}
        self.first_start = False
        self._wanted = wanted
        self._store: Store | None = None
        self._watchdog: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        try:
            await self._start()
        except ServiceFailed as failed:
            await self.stop()
            said = f": {failed.said}" if failed.said else ""
            raise PlatformError(f"{failed}{said}", then=f"its log is {failed.log}") from None
        except StoreError as error:
            await self.stop()
            raise PlatformError(
                f"the store cannot be used: {error}",
                then="unset HEARTS_REDIS_URL to have one started, or mend that server",
            ) from None
        except BaseException:
            await self.stop()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

    async def stop(self) -> None:
        """Stops everything in order, also when it is cancelled meanwhile. A repeat does nothing."""
        stopping = asyncio.ensure_future(self._stop())
        try:
            await asyncio.shield(stopping)
        except asyncio.CancelledError:
            await stopping
            raise

    async def _stop(self) -> None:
        if self._watchdog:
            self._watchdog.cancel()
            await asyncio.gather(self._watchdog, return_exceptions=True)
            self._watchdog = None
        store, self._store = self._store, None
        if store:
            await store.close()
        await self.supervisor.stop()

    async def _start(self) -> None:
        url = self._wanted.redis_url or await self._start_redis()
        self._store = await Store.open(url)
        await self._store.check_server(self._wanted.allow_insecure_redis)
        self.admin_token, self.first_start = await self._token(self._store, Role.ADMIN)
        worker_token, _ = await self._token(self._store, Role.WORKER)
        environment = {
            "HEARTS_REDIS_URL": url,
            "HEARTS_BROKER_URL": broker_beside(url),
            "HEARTS_LISTEN": self._listen,
            "HEARTS_DATA_DIR": str(self.folder.path),
            "HEARTS_WORKER_TOKEN": worker_token,
            "HEARTS_HOSTED_MATCHES": hosted_matches(self._wanted.workers),
        }
        if not self._wanted.tls:
            environment |= dict.fromkeys(TLS, "")
        workers = [f"worker-{number}" for number in range(1, self._wanted.workers + 1)]
        await self.supervisor.add(
            self._service("arbiter", ARBITER, environment, self._serving, stop_s=10),
            *(self._service(name, _worker(name), environment, "ready.") for name in workers),
            self._service("beat", BEAT, environment, "is starting"),
        )
        self._watchdog = asyncio.create_task(watchdog.watch(self._store, self.supervisor, workers))

    async def _start_redis(self) -> str:
        first = _start_redis(self.folder.redis, 0)
        processes = iter([first.process])

        def start() -> subprocess.Popen[bytes]:
            # The first is running already: its port had to be known. Later ones take its place.
            process = next(processes, None)
            return process or _start_redis(self.folder.redis, first.port).process

        log = self.folder.redis / "redis.log"
        await self.supervisor.add(Service("redis", start, log, stop_s=redis_server.STOP_S))
        return first.url

    async def _token(self, store: Store, role: Role) -> tuple[str, bool]:
        """The token kept for a role, or a new one; and whether it is new."""
        token = self.folder.read_token(role)
        if token and await store.tokens.lookup(token):
            return token, False
        token = await store.tokens.create(role)
        self.folder.keep_token(role, token)
        return token, True

    def _service(
        self,
        name: str,
        command: tuple[str, ...],
        environment: dict[str, str],
        ready: Callable[[], Awaitable[bool]] | str,
        stop_s: float = 5.0,
    ) -> Service:
        """A service that is ready when a probe says so, or when its log has a line."""
        log = self.folder.log(name)
        begun_at = 0

        def start() -> subprocess.Popen[bytes]:
            nonlocal begun_at
            begun_at = log.stat().st_size if log.exists() else 0
            return child.start(command, self.environment | environment, log)

        async def probe() -> bool:
            if isinstance(ready, str):
                return child.said_since(log, begun_at, ready)
            return await ready()

        return Service(name, start, log, probe, ready_s=READY_S, stop_s=stop_s)

    async def _serving(self) -> bool:
        """Whether the arbiter answers and can reach its store."""
        host, _, port = self._listen.rpartition(":")
        if not await asyncio.to_thread(_listening, host, int(port)):
            return False
        async with self.client(timeout_s=PROBE_TIMEOUT_S) as client:
            try:
                return await client.healthy()
            except CliError:
                return False

    def client(self, timeout_s: float = 10.0) -> Client:
        """A client of the platform's own public API, as its admin."""
        return Client(Connection(self.address, self.admin_token, timeout_s))


def _worker(name: str) -> tuple[str, ...]:
    return (
        *CELERY, "worker", "--queues", "hearts", "--concurrency", "1",
        "--hostname", f"{name}@%h", "--loglevel", "INFO",
    )  # fmt: skip


def hosted_matches(workers: int) -> str:
    """How many matches with hosted bots each worker plays at once: together one for each core,
    unless the operator says otherwise."""
    return os.environ.get("HEARTS_HOSTED_MATCHES") or str(max(1, (os.cpu_count() or 1) // workers))


def _start_redis(folder: Path, port: int) -> redis_server.RedisServer:
    try:
        return redis_server.start(folder, port)
    except redis_server.RedisServerError as error:
        log = folder / "redis.log"
        raise ServiceFailed("redis", f"cannot be started: {error}", None, log) from None


def check_port(host: str, port: int) -> None:
    """Raises PlatformError when nobody could listen there, saying why."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host.strip("[]"), port))
        except OSError as error:
            what = (
                "is taken"
                if error.errno == errno.EADDRINUSE
                else f"cannot be used: {error.strerror}"
            )
            raise PlatformError(
                f"port {port} on {host} {what}",
                then="stop what listens there, or choose another with --port N (0: any free one)",
            ) from None


def free_port(host: str) -> int:
    """A port that is free now."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.bind((host.strip("[]"), 0))
        return int(probe.getsockname()[1])


def _listening(host: str, port: int) -> bool:
    try:
        with socket.create_connection((host.strip("[]"), port), timeout=1):
            return True
    except OSError:
        return False
