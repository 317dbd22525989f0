"""How often one caller may call: a bucket that fills steadily and holds a few seconds' worth."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from time import monotonic

from arbiter.services.refusals import Refusal
from hearts.v1 import errors_pb2

BURST_SECONDS = 5.0
KEPT = 4096
"""Callers remembered; the one that has not called for longest is forgotten, its bucket full."""


class Throttle:
    """Counts the calls of each caller; for one arbiter, in memory."""

    def __init__(self, per_second: float, clock: Callable[[], float] = monotonic) -> None:
        self._rate = per_second
        self._size = max(1.0, per_second * BURST_SECONDS)
        self._clock = clock
        # By caller: what is in its bucket, and when that was so.
        self._buckets: OrderedDict[bytes, tuple[float, float]] = OrderedDict()

    def count(self, caller: str) -> None:
        """One call of this caller. Raises a Refusal that says when the next one may come."""
        if not self._rate:
            return
        # Not the caller itself: it may hold a token.
        key = hashlib.sha256(caller.encode()).digest()
        now = self._clock()
        level, since = self._buckets.get(key, (self._size, now))
        level = min(self._size, level + (now - since) * self._rate)
        allowed = level >= 1
        self._buckets[key] = (level - 1 if allowed else level, now)
        self._buckets.move_to_end(key)
        while len(self._buckets) > KEPT:
            self._buckets.popitem(last=False)
        if not allowed:
            raise Refusal(
                errors_pb2.ERROR_REASON_LIMIT_REACHED,
                "you call too often",
                allowed=[f"{self._rate:g} calls a second on average"],
                hint="Wait for retry_after_ms.",
                retry_after_ms=ceil((1 - level) / self._rate * 1000),
            )
