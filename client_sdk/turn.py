"""One decision, as the bot sees it."""

from __future__ import annotations

from random import Random
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from client_sdk.match import Match, Trick
    from hearts.rules import RuleSet
    from hearts.v1 import play_pb2


class Turn:
    """A decision that is asked now: a light view of what arrived.

    Nothing is copied before it is read, and each list is the caller's own. Cards are ints
    (13 * suit + rank, see hearts.cards). A bot without a memory finds all it needs here; one
    that wants more reads `match`, where the SDK keeps the deal so far.
    """

    __slots__ = ("_arrived", "_random", "_wire", "match")

    # The generated stubs say list[Card] of lists that hold ints: hence the ignored types.

    _random: Random

    def __init__(self, wire: play_pb2.Turn, match: Match, arrived: float) -> None:
        self._wire = wire
        self._arrived = arrived
        self.match = match

    # ---- the question -------------------------------------------------------------------

    @property
    def decision(self) -> int:
        """The referee's number of this decision; rises within a match."""
        return self._wire.decision

    @property
    def phase(self) -> int:
        """What is asked: a Phase of hearts.deal (PASS 1, PLAY 2, MOON_CHOICE 3)."""
        return self._wire.phase

    @property
    def hand(self) -> list[int]:
        """Own cards, sorted by suit and rank."""
        return self._wire.hand[:]  # type: ignore[return-value]

    @property
    def legal(self) -> list[int]:
        """PLAY: the cards that may be played, sorted; never empty."""
        return self._wire.legal[:]  # type: ignore[return-value]

    @property
    def leader(self) -> int:
        """PLAY: the seat that leads the trick in progress."""
        return self._wire.leader

    @property
    def trick(self) -> list[int]:
        """PLAY: the trick's cards so far, in order; empty when this seat leads."""
        return self._wire.trick[:]  # type: ignore[return-value]

    @property
    def last_leader(self) -> int:
        """The seat that led the trick before; only meaningful with `last_trick`."""
        return self._wire.last_leader

    @property
    def last_trick(self) -> list[int]:
        """The trick before in this deal, complete; empty in the first trick."""
        return self._wire.last_trick[:]  # type: ignore[return-value]

    @property
    def trick_number(self) -> int:
        """Number of the trick in this deal, from 1."""
        return self._wire.trick_number

    @property
    def hearts_broken(self) -> bool:
        """Whether hearts may be led."""
        return self._wire.hearts_broken

    @property
    def totals(self) -> list[int]:
        """Totals by seat before this deal. Low wins."""
        return self._wire.totals[:]

    @property
    def pass_count(self) -> int:
        """PASS: how many cards to give."""
        return self._wire.pass_count

    @property
    def pass_to(self) -> int:
        """PASS: the seat that gets them."""
        return (self.match.seat + self._wire.pass_offset) % self.match.players

    @property
    def totals_if_others(self) -> list[int]:
        """MOON_CHOICE: totals after this deal if the others score the moon."""
        return self._wire.totals_if_others[:]

    @property
    def totals_if_self(self) -> list[int]:
        """MOON_CHOICE: totals after this deal if the shooter's own total falls."""
        return self._wire.totals_if_self[:]

    # ---- time and chance ----------------------------------------------------------------

    @property
    def time_left_ms(self) -> int:
        """Milliseconds left for this decision now, without the bank; never negative."""
        spent = (perf_counter() - self._arrived) * 1000
        return max(0, int(self._wire.time_left_ms - spent))

    @property
    def bank_left_ms(self) -> int:
        """Milliseconds in the match's reserve, drawn on when the decision needs longer."""
        return self._wire.bank_left_ms

    @property
    def seed(self) -> int:
        """64 bits for the bot's own chance: the same board and seat get the same again."""
        return self._wire.seed

    @property
    def random(self) -> Random:
        """A generator seeded with `seed`, made at the first use (some 6 µs)."""
        try:
            return self._random
        except AttributeError:
            self._random = Random(self._wire.seed)
            return self._random

    # ---- the match around it ------------------------------------------------------------

    @property
    def seat(self) -> int:
        """Own seat, from 0."""
        return self.match.seat

    @property
    def players(self) -> int:
        """Seats at the table."""
        return self.match.players

    @property
    def rules(self) -> RuleSet:
        """The rule set of the match."""
        return self.match.rules

    @property
    def deal(self) -> int:
        """Number of the deal, from 0."""
        return self.match.deal

    @property
    def gave(self) -> list[int]:
        """Cards passed away in this deal, sorted."""
        return self.match.gave

    @property
    def received(self) -> list[int]:
        """Cards received in this deal, sorted."""
        return self.match.received

    @property
    def tricks(self) -> list[Trick]:
        """The finished tricks of this deal, in order."""
        return self.match.tricks

    @property
    def played(self) -> list[int]:
        """Every card that left a hand in this deal, in the order played."""
        cards = [card for trick in self.match.tricks for card in trick.cards]
        cards += self._wire.trick
        return cards

    def __repr__(self) -> str:
        """Short, for logs and debuggers."""
        return (
            f"Turn({self.match.name}, seat {self.seat}, deal {self.deal}, "
            f"decision {self.decision}, phase {self.phase}, legal {self.legal})"
        )
