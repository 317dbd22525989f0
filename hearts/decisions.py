"""The decisions a seat is asked for, and the ways an answer can be refused."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

#: In place of a seat: nobody is to move.
NOBODY: Final = -1


class Phase(IntEnum):
    """What a deal waits for. The values are those of the wire; DONE is never sent."""

    #: Every seat chooses cards to give away.
    PASS = 1
    #: The seat to move plays a card.
    PLAY = 2
    #: The seat that shot the moon says who scores.
    MOON_CHOICE = 3
    #: The deal is scored.
    DONE = 4


class Rule(IntEnum):
    """The rule that an answer broke. The values are those of the wire."""

    #: Not what the phase asks for.
    MALFORMED = 1
    #: The value is no card of this game.
    UNKNOWN_CARD = 2
    #: The seat does not hold the card (any more).
    NOT_IN_HAND = 3
    MUST_FOLLOW_SUIT = 4
    #: The opening card, or its suit, is fixed.
    MUST_OPEN = 5
    PENALTY_ON_FIRST_TRICK = 6
    HEARTS_NOT_BROKEN = 7
    QUEEN_NOT_BROKEN = 8
    #: A pass of too few or too many cards.
    WRONG_COUNT = 9
    #: More copies of a card than the seat holds.
    DUPLICATE_CARD = 10
    #: The seat has no open decision.
    OUT_OF_TURN = 11
    #: The decision is over; only the referee, who has the clock, says this.
    TOO_LATE = 12
    #: A renege, answered once with a warning; the same card again stands.
    RENEGE_WARNING = 13
    #: A hand of hearts and the queen must lead the queen.
    MUST_LEAD_QUEEN = 14


class Refused(Exception):
    """An answer was not accepted; the deal is as it was.

    `rule` names the rule broken, `legal` what the seat could have answered (sorted; the hand when
    it passes; empty when it has nothing to answer), `message` says it in words.
    """

    def __init__(self, rule: Rule, legal: Sequence[int], message: str) -> None:
        super().__init__(message)
        self.rule = rule
        self.legal = list(legal)
        self.message = message
