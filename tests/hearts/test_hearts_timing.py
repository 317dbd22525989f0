"""Where the time of a match went, from its record."""

from __future__ import annotations

import dataclasses

from hearts_kit import play_match

from hearts.rules import preset
from hearts.timing import SeatTiming, Spread, timing

NONE = Spread(0, 0, 0)
NUMBERS = {
    "decision_seats": (0, 1, 0, 3),
    "wait_us": (1_000, 50, 3_000, 7),
    "think_us": (900, 40, 2_500, 0),
    "queue_us": (5, 6, 9, 8),
    "request_bytes": (60, 61, 62, 63),
    "reply_bytes": (8, 9, 10, 0),
}


def test_spreads_are_by_nearest_rank() -> None:
    assert Spread.of([]) == Spread(0, 0, 0)
    assert Spread.of([7]) == Spread(7, 7, 7)
    assert Spread.of(range(1, 101)) == Spread(50, 95, 100)
    assert Spread.of([3, 1, 2, 4]) == Spread(2, 4, 4)


def test_each_seat_has_its_own_decisions() -> None:
    record = play_match(preset("standard"), deals=1)
    (deal,) = record.deals
    deals = (dataclasses.replace(deal, **NUMBERS),)  # type: ignore[arg-type]
    seats = timing(dataclasses.replace(record, deals=deals))
    assert seats[0] == SeatTiming(
        2, Spread(1_000, 3_000, 3_000), Spread(900, 2_500, 2_500), Spread(5, 9, 9), 122, 18
    )
    assert seats[2] == SeatTiming(0, NONE, NONE, NONE, 0, 0)
    assert seats[3].reply_bytes == 0
    assert seats[3].request_bytes == 63


def test_a_record_without_times_gives_zeros() -> None:
    bare = timing(play_match(preset("standard"), deals=1))
    assert {seat.decisions for seat in bare} == {0}
