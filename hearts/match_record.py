"""The data of a record: a whole match, enough to replay it and to see who was at fault for what."""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from hearts.deal import Deal
from hearts.decisions import Phase, Rule
from hearts.limits import DEFAULT_LIMITS, Limits
from hearts.rules import RuleSet
from hearts.scoring import MatchEnd, MoonChoice
from hearts.tricks import winner

#: The format of records written today.
FORMAT = 1


class RecordError(ValueError):
    """A record that cannot be read, or does not follow the rules; the message says where."""


class Verdict(IntEnum):
    """What a seat or an attempt did wrong. The values are those of the wire."""

    #: No answer within the limit.
    TIMEOUT = 1
    #: Refused answers until the limit.
    ILLEGAL = 2
    #: Unreadable or empty answers until the limit.
    MALFORMED = 3
    #: The process that plays the seat ended.
    CRASH = 4
    #: Connected, but never ready.
    NO_START = 5
    #: Never connected.
    NO_SHOW = 6
    #: Closed its stream during the match and did not come back in time.
    LEFT = 7
    #: The platform failed; says nothing about any bot.
    FAILED_INFRA = 8
    #: Set aside by a person.
    VOID = 9


class IncidentKind(IntEnum):
    """What an incident is. The values are those of the wire."""

    #: A reply was not accepted.
    REFUSED = 1
    #: A reply arrived after its decision was over.
    LATE = 2
    #: The referee played the fallback.
    VERDICT = 3
    #: The seat was retired.
    RETIRED = 4
    #: The seat's stream closed, and came back.
    LOST = 5
    BACK = 6


@dataclass(frozen=True, slots=True)
class Incident:
    """Something out of the ordinary. Refused plays stand here and never among the plays."""

    seat: int
    kind: IncidentKind
    decision: int = 0
    phase: Phase | None = None
    #: Number of plays applied in the deal before it happened.
    after_plays: int = 0
    #: For REFUSED and LATE.
    rule: Rule | None = None
    #: For VERDICT and RETIRED.
    verdict: Verdict | None = None
    #: What the bot sent, or what the fallback did.
    cards: tuple[int, ...] = ()
    moon_choice: MoonChoice | None = None
    #: Microseconds since the decision was asked.
    elapsed_us: int = 0
    message: str = ""


#: The fields of a DealRecord that hold a number for each decision.
PER_DECISION: Final = (
    "decision_seats",
    "wait_us",
    "think_us",
    "queue_us",
    "request_bytes",
    "reply_bytes",
)


@dataclass(frozen=True, slots=True)
class DealRecord:
    """One finished deal."""

    #: 0, 1, 2, ... within the match.
    deal: int
    dealer: int
    #: To which seat cards were passed, counted to the left; 0: a hold deal.
    pass_offset: int
    #: Cards as dealt, by seat, sorted.
    hands: tuple[tuple[int, ...], ...]
    #: Seat that led the first trick.
    opener: int
    #: Every card in the order played.
    plays: tuple[int, ...]
    #: Shuffles rejected before this one.
    redeals: int = 0
    #: As passed, by giving seat, sorted; empty in a hold deal.
    passes: tuple[tuple[int, ...], ...] = ()
    leftover: tuple[int, ...] = ()
    #: The shooter's choice, if it was asked.
    moon_choice: MoonChoice | None = None
    incidents: tuple[Incident, ...] = ()
    #: By cards taken; then after charge, moon and bonuses; then totals. By seat.
    raw_points: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    totals: tuple[int, ...] = ()
    #: Seats that shot the moon.
    moon: tuple[int, ...] = ()
    #: Per decision in the order asked: seat; microseconds from the write of the request to the
    #: read of its answer; as the bot measured itself; and from the moment the decision was due to
    #: the write of its request; bytes of the request and of the answer, 0 for none. Kept as
    #: arrays of 4-byte numbers, whatever they are made from.
    decision_seats: Sequence[int] = ()
    wait_us: Sequence[int] = ()
    think_us: Sequence[int] = ()
    queue_us: Sequence[int] = ()
    request_bytes: Sequence[int] = ()
    reply_bytes: Sequence[int] = ()

    def __post_init__(self) -> None:
        for name in PER_DECISION:
            object.__setattr__(self, name, array("I", getattr(self, name)))

    @classmethod
    def of(
        cls,
        deal: Deal,
        incidents: Sequence[Incident] = (),
        **decisions: Sequence[int],
    ) -> "DealRecord":
        """The record of a finished deal. `decisions`: the fields of PER_DECISION."""
        return cls(
            deal=deal.number,
            dealer=deal.dealer,
            pass_offset=deal.pass_offset,
            redeals=deal.redeals,
            hands=tuple(map(tuple, deal.dealt)),
            passes=tuple(map(tuple, deal.gave)) if deal.pass_offset else (),
            leftover=tuple(deal.leftover),
            opener=deal.opener,
            plays=tuple(deal.plays),
            moon_choice=deal.moon_choice,
            incidents=tuple(incidents),
            raw_points=tuple(deal.raw_points),
            points=tuple(deal.points),
            totals=tuple(deal.totals_after),
            moon=tuple(deal.moon),
            **decisions,
        )


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A whole match. `seats` holds bot resource names by seat."""

    match: str
    tournament: str
    #: The rules in force (for a fixed number of deals: no target, and that `max_deals`).
    rules: RuleSet
    seats: tuple[str, ...]
    board: int
    rotation: int
    deals: tuple[DealRecord, ...]
    end: MatchEnd
    totals: tuple[int, ...]
    places: tuple[int, ...]
    limits: Limits = DEFAULT_LIMITS
    #: Incidents outside any deal: NO_SHOW, NO_START.
    incidents: tuple[Incident, ...] = ()
    format: int = FORMAT

    def all_incidents(self) -> Iterator[Incident]:
        """Those outside any deal, then deal by deal."""
        yield from self.incidents
        for deal in self.deals:
            yield from deal.incidents


@dataclass(frozen=True, slots=True)
class Trick:
    """One trick: who led, its cards in the order played, who won it (None: all cancelled)."""

    leader: int
    cards: tuple[int, ...]
    winner: int | None


def tricks_of(rules: RuleSet, deal: DealRecord) -> list[Trick]:
    """The plays of a deal, trick by trick. An unfinished last trick has no winner."""
    find = winner(rules)
    players = rules.players
    result: list[Trick] = []
    leader = deal.opener
    for at in range(0, len(deal.plays), players):
        cards = deal.plays[at : at + players]
        position = find(cards) if len(cards) == players else -1
        won = None if position < 0 else (leader + position) % players
        result.append(Trick(leader, cards, won))
        leader = leader if won is None else won
    return result
