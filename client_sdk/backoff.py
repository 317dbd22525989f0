"""When to try again after a lost connection."""

from __future__ import annotations

import random
from collections.abc import Callable

FIRST_S = 0.5
"""Longest wait before the first new try, in seconds; it doubles with each further one."""
CAP_S = 8.0
"""The longest wait between two tries."""
STEADY_S = 10.0
"""A connection that lasted this long makes the next loss a first one again."""
LONGEST_HINT_S = 60.0
"""A server's retry-after is honoured up to this long."""


class Backoff:
    """Exponential backoff with jitter.

    The first wait is anywhere between 0 and 0.5 s, so that the bots of an arbiter that was
    restarted do not return in one instant. Later waits are 80 to 100 % of 1, 2, 4, 8, 8, ...
    seconds. The fastest possible minute thus has 12 tries, and a server that comes back
    waits at most 8 s for a bot.
    """

    __slots__ = ("_tries", "_uniform")

    def __init__(self, uniform: Callable[[float, float], float] = random.uniform) -> None:
        self._tries = 0
        self._uniform = uniform

    def wait(self, hint_ms: int = 0) -> float:
        """Seconds to wait before the next try; not less than `hint_ms` (0: no hint)."""
        longest = min(CAP_S, FIRST_S * 2**self._tries)
        shortest = 0.0 if self._tries == 0 else 0.8 * longest
        self._tries = min(self._tries + 1, 16)
        own = self._uniform(shortest, longest)
        if not hint_ms:
            return own
        hint = min(hint_ms / 1000, LONGEST_HINT_S)
        return max(own, hint + self._uniform(0.0, min(1.0, hint / 4)))

    def lasted(self, seconds: float) -> None:
        """Tell how long the connection held that was just lost."""
        if seconds >= STEADY_S:
            self._tries = 0
