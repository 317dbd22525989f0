"""How many matches a batch should have, from how long batches took. Pure.

A batch of n matches takes about T = L + n·w seconds: w is the work that the
machine does for each match, L what passes however few there are, as bots think.
Batches should be long enough that their cost of claiming and asking does not
show, and short enough that a stop, a death or a fair share for another
tournament does not wait long.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

TARGET_S = 2.5
"""What a batch should take."""

STEP = 4.0
"""A batch is at most this many times larger or smaller than the last of its tournament."""

MEMORY = 6
"""Batches that are remembered for each tournament."""

TOURNAMENTS = 64
"""Tournaments that are remembered."""


@dataclass(slots=True)
class Pace:
    """Batch sizes by tournament. ``batch``: the setting ``batch_matches``; the
    first batch has a quarter of it, the largest four times as many matches."""

    batch: int
    _known: dict[str, deque[tuple[int, float]]] = field(default_factory=dict)

    @property
    def first(self) -> int:
        """The size for a tournament that nothing is known about."""
        return max(1, self.batch // 4)

    @property
    def most(self) -> int:
        """No batch is larger."""
        return self.batch * 4

    def sizes(self) -> Mapping[str, int]:
        """The sizes for the tournaments that something is known about."""
        return {tournament: self.size(tournament) for tournament in self._known}

    def size(self, tournament: str) -> int:
        """The size of the next batch of this tournament."""
        samples = self._known.get(tournament)
        if not samples:
            return self.first
        last, _ = samples[-1]
        fixed, each = _line(samples)
        # Where bots think long, short batches would only leave the machine idle.
        room = max(TARGET_S, 2 * fixed) - fixed
        wish = room / each if each > 0 else float("inf")
        return round(min(max(wish, last / STEP, 1), last * STEP, self.most))

    def note(self, tournament: str, matches: int, seconds: float) -> None:
        """A batch of so many matches took so long."""
        if matches < 1 or seconds <= 0:
            return
        samples = self._known.pop(tournament, None) or deque(maxlen=MEMORY)
        samples.append((matches, seconds))
        self._known[tournament] = samples  # at the end: the least recent is dropped first
        if len(self._known) > TOURNAMENTS:
            del self._known[next(iter(self._known))]


def _line(samples: deque[tuple[int, float]]) -> tuple[float, float]:
    """Least squares for T = L + n·w with L, w >= 0; L = 0 while all n are alike."""
    count = len(samples)
    mean_n = sum(n for n, _ in samples) / count
    mean_t = sum(t for _, t in samples) / count
    spread = sum((n - mean_n) ** 2 for n, _ in samples)
    if spread == 0:
        return 0.0, mean_t / mean_n
    each = sum((n - mean_n) * (t - mean_t) for n, t in samples) / spread
    each = min(max(each, 0.0), mean_t / mean_n)
    return mean_t - each * mean_n, each
