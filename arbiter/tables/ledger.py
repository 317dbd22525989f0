"""Keeps a match's record while it is played."""

from __future__ import annotations

from array import array
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

    __slots__ = ("_decisions", "_queues", "_waits", "deals", "early", "incidents")

    def __init__(self, finished: Sequence[DealRecord] = ()) -> None:
        self.deals: list[DealRecord] = list(finished)
        self.early: list[Incident] = []  # before any deal
        self._clear()

    def _clear(self) -> None:
        self.incidents: list[Incident] = []
        self._waits = array("d")  # seconds
        self._queues = array("d")  # seconds
        # Of each decision: seat, microseconds thought, bytes of the request, bytes of the answer.
        self._decisions = array("I")

    def decision(
        self,
        seat: int,
        waited: float,
        queued: float,
        think_us: int = 0,
        request_bytes: int = 0,
        reply_bytes: int = 0,
    ) -> None:
        """Note a decision that was applied: who, how long it took (seconds) and its size."""
        self._waits.append(waited)
        self._queues.append(queued)
        self._decisions.extend((seat, think_us, request_bytes, reply_bytes))

    def close(self, deal: Deal) -> None:
        """Turn the finished deal into its record and start afresh."""
        decisions = self._decisions
        numbers = {
            "decision_seats": decisions[::4],
            "think_us": decisions[1::4],
            "request_bytes": decisions[2::4],
            "reply_bytes": decisions[3::4],
            "wait_us": array("I", map(microseconds, self._waits)),
            "queue_us": array("I", map(microseconds, self._queues)),
        }
        self.deals.append(DealRecord.of(deal, self.incidents, **numbers))
        self._clear()
