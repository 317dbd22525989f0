"""What defines a match, what one attempt leaves to the next, and what an answer holds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hearts.limits import Limits
    from hearts.record import DealRecord, Verdict
    from hearts.rules import RuleSet
    from hearts.shuffle import Board


class Answer(Protocol):
    """A bot's answer as it arrives: 0 or empty for what it does not hold."""

    @property
    def decision(self) -> int: ...
    @property
    def card(self) -> int: ...
    @property
    def cards(self) -> Sequence[int]: ...
    @property
    def moon_choice(self) -> int: ...
    @property
    def think_us(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Setup:
    """All that defines a match.

    `tag` is the name that bots are told, `deals` None a game to the rule set's target.
    """

    match: str
    tag: str
    tournament: str
    rules: RuleSet
    limits: Limits
    board: Board
    rotation: int
    deals: int | None
    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeatMemory:
    """What a seat keeps from one attempt to the next."""

    bank_ms: int
    strikes: int
    retired: Verdict | None


@dataclass(frozen=True, slots=True)
class Memory:
    """A checkpoint: where a new attempt continues."""

    deals: tuple[DealRecord, ...]
    seats: tuple[SeatMemory, ...]


class Stage(IntEnum):
    """Where a match stands."""

    READY = 1
    PLAYING = 2
    OVER = 3
