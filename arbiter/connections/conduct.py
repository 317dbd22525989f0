"""How much nonsense a stream may send before it is cut off.

Useful answers need no limit of their own: there can be no more of them than we asked. What costs us
something and nobody asked for is counted: refused and late answers, answers for tables where the
bot does not sit, frames with nothing in them.
"""

from __future__ import annotations

CREDIT = 1000.0
"""Useless messages that are forgiven."""
REFILL = 100.0
"""Forgiven again in each second."""
SPARE_ITEMS = 64
"""Items that a frame may hold beyond two for each table the bot sits at."""


class Conduct:
    """A stream's credit for useless messages."""

    __slots__ = ("_at", "_credit")

    def __init__(self, now: float) -> None:
        self._credit = CREDIT
        self._at = now

    def useless(self, now: float, count: int = 1) -> bool:
        """Note useless messages; False when the credit is used up."""
        self._credit = min(CREDIT, self._credit + (now - self._at) * REFILL) - count
        self._at = now
        return self._credit > 0
