"""What the formats ask of statistics. The figures come from elsewhere, so that this stays pure
pairing: `arbiter.matches.statistics` connects it to the ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


@dataclass(frozen=True, slots=True)
class ScoredDeal:
    """One finished deal of a block that counts: bots and points by seat."""

    block: str
    bots: tuple[str, ...]
    points: tuple[int, ...]


class Verdict(StrEnum):
    """What a sequential test says so far. BETTER: the candidate beats the baseline by h1 rather
    than h0."""

    BETTER = "better"
    NOT_BETTER = "not_better"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Separation:
    """Whether the first places are told apart. `reached` of `wanted` neighbours are; `growth`: by
    what factor the number of blocks has to grow, as a guess, until all are; 1.0 when done, None
    when nothing can be said yet."""

    reached: int
    wanted: int
    growth: float | None

    @property
    def done(self) -> bool:
        """All of them are."""
        return self.reached >= self.wanted


class Statistics(Protocol):
    """Pure functions; the order of what comes in never matters, except in `sequential`."""

    def strengths(self, deals: Sequence[ScoredDeal]) -> Mapping[str, float]:
        """Each bot's expected points per deal against the field, lower is better, rounded."""

    def separation(self, deals: Sequence[ScoredDeal], first: int, confidence: float) -> Separation:
        """How far each of the `first` best is told apart from the next, at this confidence."""

    def sequential(
        self, differences: Sequence[float], h0: float, h1: float, alpha: float, beta: float
    ) -> Verdict:
        """The test over a sequence of blocks, each the mean of baseline − candidate in points per
        deal. The first crossing decides, whatever comes after."""
