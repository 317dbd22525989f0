"""Finished matches on this machine's disk, until the store takes them.

One file for each, in a folder of the store's id. A file is written under another
name, brought to the disk and then renamed, so what has its name is whole; it goes
when the store has answered. A file that is there twice, or whose answer was lost,
does no harm: the store takes a result once.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import logging
import os
import threading
import time
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from hearts.v1 import arbiter_pb2

log = logging.getLogger(__name__)

_ENDING = ".commit"
_DIGEST = hashlib.sha256().digest_size


@dataclass(frozen=True, slots=True)
class Finished:
    """A match that is over. ``result`` and ``record`` as they will be stored; ``pool`` None: not
    rated."""

    match: str
    lease: str
    result: bytes
    record: bytes
    deals: int
    pool: str | None


class Spool:
    """The files of one arbiter, oldest first, and those that dead arbiters have left.

    Each arbiter of a machine holds a folder of its own, by a lock that goes with its process.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._folder: Path | None = None
        self._lock = -1
        self._opening = threading.Lock()
        self._last = 0
        self._files: list[str] = []

    @property
    def waiting(self) -> int:
        """How many results wait."""
        return len(self._files)

    def open(self) -> None:
        """Take over what dead arbiters have left here. Makes nothing when there is nothing.

        Raises OSError when the folder cannot be read or written.
        """
        if self._root.is_dir() and any(self._root.glob(f"*/*{_ENDING}")):
            self._hold()

    def close(self) -> None:
        """Let go of the folder; its files stay."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1
            self._folder = None
            self._files = []

    def name(self) -> str:
        """The name of the next file: later than all others, whatever the clock does."""
        self._last = max(self._last + 1, time.time_ns())
        return f"{self._last:020d}-{os.getpid()}{_ENDING}"

    def put(self, name: str, finished: Finished) -> None:
        """Bring a result to the disk. May run on a thread, one for each name. Raises OSError."""
        folder = self._hold()
        message = arbiter_pb2.SpooledCommit(
            match=finished.match,
            lease=finished.lease,
            result=finished.result,
            record=finished.record,
            deals=finished.deals,
            pool=finished.pool or "",
        ).SerializeToString()
        fresh = folder / f"{name}.new"
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            with open(handle, "wb") as file:
                file.write(hashlib.sha256(message).digest() + message)
                file.flush()
                os.fsync(file.fileno())
            fresh.rename(folder / name)
            _sync(folder)
        except OSError:
            fresh.unlink(missing_ok=True)
            raise

    def added(self, name: str) -> None:
        """The file of that name is on the disk."""
        self._files.append(name)
        self._files.sort()

    def oldest(self, most: int) -> list[str]:
        """Names of up to so many files, in the order of the ends of their matches."""
        return self._files[:most]

    def read(self, name: str) -> Finished | None:
        """What a file holds. One that the disk has damaged is put aside: None.

        Raises OSError.
        """
        path = self._path(name)
        data = path.read_bytes()
        digest, message = data[:_DIGEST], data[_DIGEST:]
        if hashlib.sha256(message).digest() != digest:
            log.error("%s is damaged and is put aside: its match is played again", path)
            path.rename(path.with_name(f"{name}.damaged"))
            return None
        found = arbiter_pb2.SpooledCommit.FromString(message)
        return Finished(
            found.match, found.lease, found.result, found.record, found.deals, found.pool or None
        )

    def remove(self, name: str) -> None:
        """The store has answered for it."""
        with contextlib.suppress(FileNotFoundError):
            self._path(name).unlink()
        self.forget(name)

    def forget(self, name: str) -> None:
        """The file of that name is no longer to be delivered."""
        with contextlib.suppress(ValueError):
            self._files.remove(name)

    def _path(self, name: str) -> Path:
        assert self._folder is not None  # noqa: S101 - there is no name without it
        return self._folder / name

    def _hold(self) -> Path:
        """The folder of this arbiter; at first one that nobody alive holds, with the files of all
        such folders."""
        with self._opening:
            return self._folder or self._take()

    def _take(self) -> Path:
        folder, lock = self._free()
        for other in sorted(self._root.iterdir()):
            if other.is_dir() and other != folder and (held := _locked(other)) is not None:
                for path in other.glob(f"*{_ENDING}"):
                    path.rename(folder / path.name)
                os.close(held)
        _sync(folder)
        for path in folder.glob("*.new"):  # half written by one that died
            path.unlink()
        self._files = sorted(path.name for path in folder.glob(f"*{_ENDING}"))
        if self._files:
            self._last = max(self._last, int(self._files[-1].split("-", 1)[0]))
        self._lock, self._folder = lock, folder
        return folder

    def _free(self) -> tuple[Path, int]:
        for number in count(1):
            folder = self._root / str(number)
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if (lock := _locked(folder)) is not None:
                return folder, lock
        raise AssertionError("unreachable")


def _locked(folder: Path) -> int | None:
    handle = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    return handle


def _sync(folder: Path) -> None:
    """So that a rename in it survives a power cut too."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
