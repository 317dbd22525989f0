"""Keeps a fault that repeats thousands of times a second from filling the log."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import monotonic

logger = logging.getLogger("hearts.sdk")


class Throttle:
    """Admits `burst` messages in each `window_s` seconds and says how many it held back."""

    __slots__ = ("_burst", "_clock", "_count", "_since", "_window_s")

    def __init__(
        self, burst: int = 10, window_s: float = 10.0, clock: Callable[[], float] = monotonic
    ) -> None:
        self._burst = burst
        self._window_s = window_s
        self._clock = clock
        self._since = clock()
        self._count = 0

    def admit(self) -> bool:
        """Whether one more message may be logged now."""
        now = self._clock()
        if now - self._since >= self._window_s:
            held = self._count - self._burst
            if held > 0:
                logger.error("%d more messages like these were not logged", held)
            self._since = now
            self._count = 0
        self._count += 1
        return self._count <= self._burst
