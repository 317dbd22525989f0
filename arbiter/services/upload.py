"""A file that comes in chunks: bounded in size and time, checked, and gone if it breaks off."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import re
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import BinaryIO

from arbiter.services.refusals import Refusal, bad_value, missing
from hearts.v1 import bots_pb2, errors_pb2

MAX_CHUNK = 256 << 10
IDLE_SECONDS = 30.0
"""Longest wait for the next chunk."""

AT_ONCE = 4
"""Uploads that one arbiter takes at a time."""

STALE_SECONDS = 3600.0
PREFIX = "incoming-"
_SHA256 = re.compile(r"[0-9a-f]{64}")
_BUSY_MS = 2000

Requests = AsyncIterator[bots_pb2.SubmitVersionRequest]


async def header(requests: Requests) -> bots_pb2.VersionHeader:
    """The first message. Raises a Refusal when it is none."""
    first = await _next(requests)
    if first is None or not first.HasField("header"):
        raise missing("header", ["the first message holds it"])
    return first.header


def check_size(head: bots_pb2.VersionHeader, most: int) -> None:
    """Raises a Refusal for a file that need not be sent."""
    if not head.size:
        raise missing("header.size", [f"1 to {most} bytes"])
    if head.size > most:
        raise Refusal(
            errors_pb2.ERROR_REASON_LIMIT_REACHED,
            f"header.size: {head.size} bytes are too many",
            subject="header.size",
            value=str(head.size),
            allowed=[f"1 to {most} bytes"],
            hint="Leave out what the bot does not need to be built and run.",
        )
    if not _SHA256.fullmatch(head.sha256):
        allowed = ["64 hexadecimal digits"]
        raise bad_value("header.sha256", head.sha256, "is no SHA-256", allowed)


class Uploads:
    """Where uploads wait until they are whole."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._places = asyncio.Semaphore(AT_ONCE)

    def sweep(self) -> None:
        """Remove what a process that was killed has left behind."""
        for path in self._folder.glob(PREFIX + "*"):
            with contextlib.suppress(OSError):  # another arbiter may do the same
                if time.time() - path.stat().st_mtime > STALE_SECONDS:
                    path.unlink()

    @contextlib.asynccontextmanager
    async def receive(
        self, head: bots_pb2.VersionHeader, requests: Requests
    ) -> AsyncIterator[Path]:
        """The whole file, which is removed afterwards. Raises a Refusal when it is not what the
        header says, or when as many are coming in as may."""
        if self._places.locked():
            raise Refusal(
                errors_pb2.ERROR_REASON_LIMIT_REACHED,
                f"{AT_ONCE} files are being received already",
                hint="Try again in a moment.",
                retry_after_ms=_BUSY_MS,
            )
        async with self._places:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            number, name = tempfile.mkstemp(dir=self._folder, prefix=PREFIX)
            path = Path(name)
            try:
                with os.fdopen(number, "wb") as file:
                    await _receive(file, head, requests)
                yield path
            finally:
                _remove(path)


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)


async def _receive(file: BinaryIO, head: bots_pb2.VersionHeader, requests: Requests) -> None:
    size, digest = 0, hashlib.sha256()
    while (request := await _next(requests)) is not None:
        if not request.HasField("chunk"):
            raise bad_value("chunk", "", "only the first message holds a header", ["bytes"])
        chunk = request.chunk
        size += len(chunk)
        if len(chunk) > MAX_CHUNK:
            raise bad_value("chunk", len(chunk), "is too long", [f"at most {MAX_CHUNK} bytes"])
        if size > head.size:
            break
        digest.update(chunk)
        await asyncio.to_thread(file.write, chunk)
    if size != head.size:
        more = "more than" if size > head.size else f"{size} of"
        raise bad_value("header.size", head.size, f"{more} {head.size} bytes came", ["all of them"])
    if digest.hexdigest() != head.sha256:
        raise bad_value(
            "header.sha256", head.sha256, "is not that of the bytes that came", [digest.hexdigest()]
        )


async def _next(requests: Requests) -> bots_pb2.SubmitVersionRequest | None:
    try:
        async with asyncio.timeout(IDLE_SECONDS):
            return await anext(requests, None)
    except TimeoutError:
        raise Refusal(
            errors_pb2.ERROR_REASON_INVALID_VALUE,
            f"nothing came for {IDLE_SECONDS:.0f} s",
            subject="chunk",
            hint="Send it again.",
        ) from None
