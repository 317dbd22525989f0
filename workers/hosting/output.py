"""What a hosted program writes: its end is kept, repeated lines are counted, the rest is told."""

from __future__ import annotations

import asyncio
from collections import deque

KEEP = 64_000
"""Bytes of the end that are kept: 64 KB."""

LINE = 4_000
"""Bytes of one line; what is longer is taken as several."""

RATE = 4 << 20
"""Bytes a second that are read; who writes faster waits."""


class Output:
    """A log of bounded size. Lines that repeat the one before are one line and a count."""

    def __init__(self, keep: int = KEEP) -> None:
        self._keep = keep
        self._lines: deque[bytes] = deque()
        self._size = 0
        self._rest = b""
        self._last: bytes | None = None
        self._repeats = 0
        self.dropped = 0
        """Bytes from the beginning that are not kept."""

    def add(self, data: bytes) -> None:
        """What was just read."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._line(line + b"\n")
        while len(self._rest) > LINE:
            self._line(self._rest[:LINE])
            self._rest = self._rest[LINE:]

    def text(self) -> str:
        """All that is kept, with a line for what is not."""
        self._flush()
        kept = b"".join(self._lines) + self._rest
        cut = max(0, len(kept) - self._keep)
        dropped = self.dropped + cut
        shown = kept[cut:].decode("utf-8", "replace")
        mark = f"[{dropped} bytes before this were dropped]\n" if dropped else ""
        return mark + shown

    def _line(self, line: bytes) -> None:
        if line == self._last:
            self._repeats += 1
            return
        self._flush()
        self._last = line
        self._push(line)

    def _flush(self) -> None:
        if self._repeats:
            self._push(b"[the line before this came %d more times]\n" % self._repeats)
            self._repeats = 0

    def _push(self, line: bytes) -> None:
        self._lines.append(line)
        self._size += len(line)
        while self._size > self._keep:
            old = self._lines.popleft()
            self._size -= len(old)
            self.dropped += len(old)


async def drain(stream: asyncio.StreamReader, into: Output) -> None:
    """Read to the end, no faster than RATE: a flood of output costs us next to nothing, and blocks
    its writer."""
    while data := await stream.read(1 << 16):
        into.add(data)
        await asyncio.sleep(len(data) / RATE)
