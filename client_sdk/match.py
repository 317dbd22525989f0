"""What the SDK remembers of one match, for one seat."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from hearts.v1 import rules_pb2
from hearts.wire import limits_from_wire, rules_from_wire

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hearts.limits import Limits
    from hearts.rules import RuleSet
    from hearts.v1 import play_pb2


class Trick(NamedTuple):
    """A finished trick: who led, and its cards in the order played, clockwise."""

    leader: int
    cards: tuple[int, ...]


class DealResult(NamedTuple):
    """A finished deal: points and totals by seat (low is good), and who shot the moon."""

    deal: int
    points: tuple[int, ...]
    totals: tuple[int, ...]
    moon: tuple[int, ...]


class MatchResult(NamedTuple):
    """A finished match: `reason` (a MatchEnd of play.proto), totals and places by seat."""

    reason: int
    totals: tuple[int, ...]
    places: tuple[int, ...]


class Refusal(NamedTuple):
    """Why an answer was not accepted, and what would be.

    `rule` is a Rule of play.proto, `rule_name` its name without the prefix. `legal` holds the
    cards that may be played (PLAY). `time_left_ms` is 0 when the decision is over.
    """

    decision: int
    phase: int
    rule: int
    rule_name: str
    legal: list[int]
    time_left_ms: int
    message: str


class Fallback(NamedTuple):
    """What the referee decided because the bot did not.

    `verdict` is a Verdict of play.proto, `verdict_name` its name without the prefix.
    `cards` is the card played or the cards passed; `moon_choice` is 0 but in that phase.
    """

    decision: int
    phase: int
    verdict: int
    verdict_name: str
    cards: tuple[int, ...]
    moon_choice: int
    strikes: int
    retired: bool


class Match:
    """One match as this seat knows it. The SDK writes it, bots read it.

    name      for logs; the finished match has it as its tag
    seat      own seat; the seat on the left of s is s + 1, and play goes that way
    players   seats at the table
    epoch     rises when the seat is given to a new connection
    resumed   whether this connection joined a running match
    deal      number of the deal in progress, from 0; -1 before the first
    dealer, pass_offset (0: no pass), dealt (own cards as dealt), totals (before the deal)
    gave, received   cards passed in this deal, sorted; empty before and without a pass
    redeals   how often this deal has been dealt anew
    leftover_taker   the seat that took the leftover cards; None as long as nobody has
    leftover  those cards, sorted, if the rules let this seat see them
    finished  number of tricks finished in this deal
    memo      anything a bot wants to keep for this match
    """

    __slots__ = (
        "_limits",
        "_raw",
        "_rules",
        "_tricks",
        "asked",
        "deal",
        "dealer",
        "dealt",
        "epoch",
        "expected",
        "finished",
        "gave",
        "leftover",
        "leftover_taker",
        "memo",
        "name",
        "number",
        "pass_offset",
        "phase",
        "players",
        "received",
        "redeals",
        "resumed",
        "retries",
        "seat",
        "totals",
    )

    def __init__(self, number: int, start: play_pb2.MatchStart) -> None:
        self._rules = start.rules
        self._limits = start.limits
        self.number = number
        self.name = start.tag
        self.seat = start.seat
        self.players = start.rules.players
        self.epoch = start.epoch
        self.resumed = start.HasField("resume")
        self.memo: Any = None
        # The session's own: next sequence number, and the decision that was asked last.
        self.expected = 1
        self.asked = 0
        self.phase = 0
        self.retries = 0
        self.deal = -1
        self.dealer = 0
        self.pass_offset = 0
        self.dealt: list[int] = []
        self.totals: list[int] = []
        self.gave: list[int] = []
        self.received: list[int] = []
        self.redeals = 0
        self.leftover_taker: int | None = None
        self.leftover: list[int] = []
        self.finished = 0
        self._raw: list[tuple[int, Sequence[int]]] = []
        self._tricks: list[Trick] = []
        if self.resumed:
            self._resume(start.resume)

    @property
    def tricks(self) -> list[Trick]:
        """The finished tricks of this deal, in order; made when somebody looks."""
        made = self._tricks
        made += [Trick(leader, tuple(cards)) for leader, cards in self._raw[len(made) :]]
        return made

    @property
    def rules(self) -> RuleSet:
        """The complete rule set. Raises ValueError for one this SDK is too old to know."""
        return _rules(self._rules.SerializeToString(deterministic=True))

    @property
    def wire_rules(self) -> rules_pb2.RuleSet:
        """The rule set as it came."""
        return self._rules

    @property
    def limits(self) -> Limits:
        """The limits that the referee enforces, in milliseconds."""
        return limits_from_wire(self._limits)

    def begin_deal(self, start: play_pb2.DealStart) -> None:
        """A new deal: forget the last one."""
        self.deal = start.deal
        self.dealer = start.dealer
        self.pass_offset = start.pass_offset
        self.dealt = list(start.hand)
        self.totals = start.totals[:]
        self.gave = []
        self.received = []
        self.redeals = start.redeals
        self.leftover_taker = None
        self.leftover = []
        self.finished = 0
        self._raw = []
        self._tricks = []

    def passed(self, passed: play_pb2.Passed) -> None:
        """The exchange is complete."""
        self.gave = list(passed.gave)
        self.received = list(passed.received)

    def took_leftover(self, taken: play_pb2.LeftoverTaken) -> None:
        """A seat took the leftover cards."""
        self.leftover_taker = taken.seat
        self.leftover = list(taken.cards)

    def finish_trick(self, leader: int, cards: Sequence[int]) -> None:
        """One more trick is complete."""
        self.finished += 1
        self._raw.append((leader, cards))

    def end_deal(self, over: play_pb2.DealOver) -> DealResult:
        """The deal is over; its last trick comes with the score."""
        if over.HasField("last_trick") and self.finished < len(self.dealt):
            self.finish_trick(over.last_trick.leader, over.last_trick.cards[:])
        self.totals = over.totals[:]
        return DealResult(over.deal, tuple(over.points), tuple(over.totals), tuple(over.moon))

    def _resume(self, resume: play_pb2.Resume) -> None:
        if resume.HasField("deal"):
            self.begin_deal(resume.deal)
        if resume.HasField("passed"):
            self.passed(resume.passed)
        for trick in resume.tricks:
            self.finish_trick(trick.leader, trick.cards[:])
        if resume.HasField("leftover"):
            self.took_leftover(resume.leftover)


@lru_cache(maxsize=256)
def _rules(wire: bytes) -> RuleSet:
    """Tournaments play thousands of matches with one rule set: map it once."""
    return rules_from_wire(rules_pb2.RuleSet.FromString(wire))
