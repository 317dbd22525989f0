"""Keeps a match's record while it is played."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from hearts.record import DealRecord, Incident

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hearts.deal import Deal, MoonChoice, Phase, Rule
    from hearts.record import Verdict


def microseconds(seconds: float) -> int:
    """Whole microseconds, 0 to 2**32 - 1 (71 minutes), the range of the record."""
    return min(max(0, int(seconds * 1_000_000)), 0xFFFFFFFF)


class Details(TypedDict, total=False):
    """What an incident may say beside who and what kind."""

    decision: int
    phase: Phase
    after_plays: int
    rule: Rule
    verdict: Verdict
    cards: tuple[int, ...]
    moon_choice: MoonChoice | None
    elapsed_us: int
    message: str


class Ledger:
    """Decisions, times and incidents of the deal in progress, and the finished deals' records."""

    __slots__ = ("deals", "early", "incidents", "seats", "thinks", "waits")

    def __init__(self, finished: Sequence[DealRecord] = ()) -> None:
        self.deals: list[DealRecord] = list(finished)
        self.early: list[Incident] = []  # before any deal
        self.incidents: list[Incident] = []
        self.seats: list[int] = []
        self.waits: list[float] = []  # seconds
        self.thinks: list[int] = []

    def decision(self, seat: int, waited: float, think_us: int) -> None:
        """Note a decision that was applied: who, and how long it took (seconds, µs)."""
        self.seats.append(seat)
        self.waits.append(waited)
        self.thinks.append(think_us)

    def close(self, deal: Deal) -> None:
        """Turn the finished deal into its record and start afresh."""
        waits = [microseconds(waited) for waited in self.waits]
        self.deals.append(DealRecord.of(deal, self.incidents, self.seats, waits, self.thinks))
        self.incidents, self.seats, self.waits, self.thinks = [], [], [], []
