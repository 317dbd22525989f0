"""Random choices that follow from a tournament's seed alone.

The stream is SHA-256 in counter mode over (version, seed, label), so the same seed gives the same
pairings and seats on every platform and Python version. It never touches the cards: those follow
from the tournament's secret.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

_VERSION = b"hearts-draw-1"


class Draw:
    """A stream of choices for one purpose, named by `label`."""

    __slots__ = ("_buffer", "_counter", "_key")

    def __init__(self, seed: int, *label: int | str) -> None:
        text = "/".join(str(part) for part in label)
        self._key = b"%s/%d/%s/" % (_VERSION, seed, text.encode())
        self._counter = 0
        self._buffer = b""

    def below(self, limit: int) -> int:
        """A uniform integer in [0, limit), limit from 1 to 2**64."""
        # The last, partial run of `limit` values would favour small results: draw again.
        ceiling = (1 << 64) - (1 << 64) % limit
        while (value := self._next()) >= ceiling:
            pass
        return value % limit

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in a random order (Fisher-Yates)."""
        out = list(items)
        for last in range(len(out) - 1, 0, -1):
            other = self.below(last + 1)
            out[last], out[other] = out[other], out[last]
        return out

    def _next(self) -> int:
        if not self._buffer:
            self._buffer = hashlib.sha256(self._key + b"%d" % self._counter).digest()
            self._counter += 1
        value = int.from_bytes(self._buffer[:8], "big")
        self._buffer = self._buffer[8:]
        return value
