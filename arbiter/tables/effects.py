"""What a table wants done. The caller does it; the table itself touches nothing outside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hearts.deal import Deal
    from hearts.record import Verdict


@dataclass(frozen=True, slots=True)
class Invite:
    """Tell a seat that the match begins; its ready answer is awaited."""

    seat: int


@dataclass(frozen=True, slots=True)
class Ask:
    """Send a seat its open decision. The clock starts with `Table.written`."""

    seat: int


@dataclass(frozen=True, slots=True)
class DealBegan:
    """Tell every seat its own cards (again, when the rules had them dealt anew)."""

    deal: Deal


@dataclass(frozen=True, slots=True)
class PassDone:
    """Tell every seat what it gave and received."""

    deal: Deal


@dataclass(frozen=True, slots=True)
class LeftoverTaken:
    """Tell every seat who took the leftover cards, and those who may see them which they are."""

    deal: Deal


@dataclass(frozen=True, slots=True)
class Refuse:
    """Tell a seat that its answer changed nothing, and why."""

    seat: int
    decision: int
    rule: int
    legal: tuple[int, ...]
    time_left_ms: int
    message: str


@dataclass(frozen=True, slots=True)
class FellBack:
    """Tell a seat what the referee decided in its place."""

    seat: int
    decision: int
    verdict: Verdict
    phase: int
    cards: tuple[int, ...]
    moon_choice: int
    strikes: int
    retired: bool


@dataclass(frozen=True, slots=True)
class DealEnded:
    """Tell every seat the score; the deal is worth a checkpoint."""

    deal: Deal


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """Tell every seat that the match is over. `Table.record` is complete."""


Effect = (
    Invite | Ask | DealBegan | PassDone | LeftoverTaken | Refuse | FellBack | DealEnded | MatchEnded
)
