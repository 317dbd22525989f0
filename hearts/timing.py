"""Where the time of a match went, seat by seat, from its record."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from hearts.match_record import MatchRecord


@dataclass(frozen=True, slots=True)
class Spread:
    """Of some numbers: half are at most `median`, 95 % at most `p95`; all in their own unit."""

    median: int
    p95: int
    longest: int

    @classmethod
    def of(cls, numbers: Sequence[int]) -> "Spread":
        """By nearest rank; three zeros for no numbers."""
        ordered = sorted(numbers)
        if not ordered:
            return cls(0, 0, 0)
        median, p95 = (ordered[ceil(share * len(ordered)) - 1] for share in (0.5, 0.95))
        return cls(median, p95, ordered[-1])


@dataclass(frozen=True, slots=True)
class SeatTiming:
    """One seat's decisions: microseconds and bytes, as `DealRecord` explains them."""

    decisions: int
    wait_us: Spread
    think_us: Spread
    queue_us: Spread
    request_bytes: int
    reply_bytes: int


def timing(record: MatchRecord) -> tuple[SeatTiming, ...]:
    """By seat. A record without times (an old one) gives zeros."""
    return tuple(_seat(record, seat) for seat in range(len(record.seats)))


def _seat(record: MatchRecord, seat: int) -> SeatTiming:
    def every(name: str) -> Iterator[int]:
        for deal in record.deals:
            for asked, number in zip(deal.decision_seats, getattr(deal, name), strict=False):
                if asked == seat:
                    yield number

    return SeatTiming(
        decisions=sum(list(deal.decision_seats).count(seat) for deal in record.deals),
        wait_us=Spread.of(list(every("wait_us"))),
        think_us=Spread.of(list(every("think_us"))),
        queue_us=Spread.of(list(every("queue_us"))),
        request_bytes=sum(every("request_bytes")),
        reply_bytes=sum(every("reply_bytes")),
    )
