"""`hearts backup` and `hearts restore`."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis

from arbiter.settings import Settings
from arbiter.store import archive
from arbiter.store.archive import ArchiveError, Manifest, Vault
from client_sdk.cli.errors import CliError, Exit, PlatformError
from workers import redis_server
from workers.redis_server import RedisServerError


def backup(file: Path, data: Path | None) -> int:
    """Returns the exit code. Raises CliError."""
    if file.exists():
        raise CliError(f"{file} exists", then="choose another file, or move that one away")
    with _reported(), _vault(data, must_exist=True) as (vault, blobs):
        made = archive.save(vault, file, blobs)
    print(f"{file}: {_told(made)}; read again and found whole")
    return Exit.OK


def restore(file: Path, data: Path | None) -> int:
    """Returns the exit code. Raises CliError."""
    with _reported():
        archive.check(file)
        with _idle(data), _vault(data, must_exist=False) as (vault, blobs):
            made = archive.load(vault, file, blobs)
    print(f"restored {_told(made)} of {made.created}; compared with the archive: the same")
    return Exit.OK


def _told(made: Manifest) -> str:
    files = f", {made.blobs} submitted files" if made.blobs else ""
    return f"{made.keys} keys, {made.matches} matches with their records{files}"


@contextmanager
def _reported() -> Iterator[None]:
    try:
        yield
    except ArchiveError as error:
        raise CliError(str(error)) from None
    except (RedisServerError, redis.RedisError) as error:
        raise PlatformError(f"the store cannot be used: {error}") from None
    except OSError as error:
        raise CliError(f"{error.filename or 'the archive'}: {error.strerror}") from None


@contextmanager
def _vault(data: Path | None, *, must_exist: bool) -> Iterator[tuple[Vault, Path | None]]:
    """The store of a `hearts up` folder, running or not; without a folder the one that
    HEARTS_REDIS_URL names. And where its submitted files are."""
    settings = Settings()
    if data is None:
        vault = Vault(settings.redis_url, settings.namespace)
        try:
            yield vault, settings.data_dir / "blobs"
        finally:
            vault.close()
        return
    folder = data / "redis"
    if must_exist and not folder.is_dir():
        raise CliError(f"{data} is no data folder of `hearts up`")
    server = None
    url = running_url(folder)
    if url is None:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        server = redis_server.start(folder)
        url = server.url
    vault = Vault(url, settings.namespace)
    try:
        yield vault, data / "blobs"
    finally:
        vault.close()
        if server is not None:
            server.stop()


def running_url(folder: Path) -> str | None:
    """Where the server of this folder runs now; None when it does not."""
    try:
        lines = (folder / "redis.conf").read_text("utf-8").splitlines()
        password = (folder / "redis.password").read_text("ascii").strip()
    except FileNotFoundError:
        return None
    port = next(line.split()[1] for line in lines if line.startswith("port "))
    url = f"redis://:{password}@127.0.0.1:{port}/0"
    client = redis.Redis.from_url(url, socket_timeout=2, retry=None)
    try:
        client.ping()
    except redis.RedisError:
        return None
    finally:
        client.close()
    return url


@contextmanager
def _idle(data: Path | None) -> Iterator[None]:
    """Nobody else may use the folder that is filled."""
    if data is None:
        yield
        return
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(data / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise PlatformError(
            f"`hearts up` runs on {data}", then="stop it, or restore into another folder"
        ) from None
    finally:
        os.close(handle)
