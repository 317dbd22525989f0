"""The data folder of `hearts up`: one platform at a time, and its secrets."""

from __future__ import annotations

import fcntl
import os
import shutil
from pathlib import Path
from typing import Self

from client_sdk.cli.errors import CliError, PlatformError


class DataFolder:
    """A folder that this process holds; use as a context manager.

    Entering raises PlatformError when another process holds it, CliError when it cannot be used.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.redis = self.path / "redis"
        self.logs = self.path / "logs"
        self._lock: int | None = None

    def __enter__(self) -> Self:
        lock = self.path / "lock"
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
            # The lock goes with the process, however that ends. Children do not inherit it.
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = lock.read_text(encoding="ascii", errors="replace").strip()
            self._close()
            raise PlatformError(
                f"another hearts process (pid {holder}) uses the data folder {self.path}",
                then="stop that one, or choose another folder with --data DIR",
            ) from None
        except OSError as error:
            raise CliError(
                f"cannot use the data folder {self.path}: {error.strerror}",
                then="choose another with --data DIR",
            ) from None
        os.ftruncate(self._lock, 0)
        os.write(self._lock, f"{os.getpid()}\n".encode("ascii"))
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def _close(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def temporary(self) -> Path:
        """An empty folder for the temporary files of those that run now."""
        path = self.path / "tmp"
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(mode=0o700)
        return path

    def log(self, name: str) -> Path:
        """Where a service writes what it says."""
        return self.logs / f"{name}.log"

    def token_file(self, role: str) -> Path:
        """Where the token of a role is kept (mode 0600)."""
        return self.path / f"{role}.token"

    def read_token(self, role: str) -> str:
        """The token kept for a role; empty when there is none."""
        try:
            return self.token_file(role).read_text(encoding="ascii").strip()
        except FileNotFoundError:
            return ""

    def keep_token(self, role: str, token: str) -> None:
        """Writes a token so that only its owner ever could read it, and never half of it."""
        fresh = self.path / f"{role}.token.new"
        fresh.unlink(missing_ok=True)
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(handle, "w", encoding="ascii") as file:
            file.write(token + "\n")
        fresh.replace(self.token_file(role))
