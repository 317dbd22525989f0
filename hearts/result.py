"""The result of a match: what ratings and standings read. A pure function of its record."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from hearts.decisions import Rule
from hearts.match_record import IncidentKind, MatchRecord, Verdict
from hearts.scoring import MatchEnd

__all__ = ["MatchResult", "SeatResult", "Verdict", "places_times_two", "summarise"]

#: Verdicts that a seat gets as a whole, not for one decision.
_WHOLE_SEAT = (Verdict.NO_SHOW, Verdict.NO_START)


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How one seat fared."""

    bot: str
    #: Total at the end. Low wins.
    points: int
    #: 1 is best; a shared place is the mean of the places shared. Times two, so that halves stay
    #: whole: sole first 2, two sharing first 3.
    place_times_two: int
    moons: int = 0
    #: Decisions lost to the clock.
    timeouts: int = 0
    #: Answers refused: against the rules, and not what was asked. A renege warning is neither.
    illegal: int = 0
    malformed: int = 0
    #: Decisions played by the fallback.
    fallbacks: int = 0
    decisions: int = 0
    #: Set when the seat failed as a whole.
    verdict: Verdict | None = None


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The end of a match, by seat, and the points of each deal."""

    end: MatchEnd
    seats: tuple[SeatResult, ...]
    deals: tuple[tuple[int, ...], ...]
    #: A forfeit voids the duplicate block it belongs to.
    void_block: bool = False


def places_times_two(places: Sequence[int]) -> tuple[int, ...]:
    """Places (equals share a number) as twice the mean of the places shared."""
    sharing = Counter(places)
    return tuple(2 * place + sharing[place] - 1 for place in places)


def summarise(record: MatchRecord) -> MatchResult:
    """The result of a recorded match."""
    places = places_times_two(record.places)
    return MatchResult(
        end=record.end,
        seats=tuple(_seat(record, seat, places[seat]) for seat in range(len(record.seats))),
        deals=tuple(deal.points for deal in record.deals),
        void_block=record.end is MatchEnd.FORFEIT,
    )


def _seat(record: MatchRecord, seat: int, place_times_two: int) -> SeatResult:
    counts: Counter[str] = Counter()
    verdict: Verdict | None = None
    for incident in record.all_incidents():
        if incident.seat != seat:
            continue
        if incident.kind is IncidentKind.REFUSED and incident.rule is not Rule.RENEGE_WARNING:
            counts["malformed" if incident.rule is Rule.MALFORMED else "illegal"] += 1
        elif incident.kind is IncidentKind.RETIRED:
            verdict = incident.verdict
        elif incident.kind is IncidentKind.VERDICT:
            if incident.verdict in _WHOLE_SEAT:
                verdict = incident.verdict
                continue
            counts["fallbacks"] += 1
            counts["timeouts"] += incident.verdict is Verdict.TIMEOUT
    return SeatResult(
        bot=record.seats[seat],
        points=record.totals[seat],
        place_times_two=place_times_two,
        moons=sum(deal.moon.count(seat) for deal in record.deals),
        timeouts=counts["timeouts"],
        illegal=counts["illegal"],
        malformed=counts["malformed"],
        fallbacks=counts["fallbacks"],
        decisions=sum(deal.decision_seats.count(seat) for deal in record.deals),
        verdict=verdict,
    )
