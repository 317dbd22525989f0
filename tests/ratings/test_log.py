"""The log of results: what counts, whatever the order in which it came."""

from __future__ import annotations

import random

import numpy as np
import pytest

from arbiter.ratings import wire
from arbiter.ratings.deals import Deal
from arbiter.ratings.evidence import Log, Outcome, Seat, lines
from arbiter.ratings.report import Inconsistent, report
from arbiter.ratings.tables import fit

BOTS = ("anna", "bert", "cleo", "dora")


def outcomes(blocks: int, rotations: int = 4) -> list[Outcome]:
    rng = random.Random(9)
    made = []
    for block in range(blocks):
        for turn in range(rotations):
            points = tuple(rng.choice([0, 1, 3, 6, 13]) for _ in BOTS)
            seats = tuple(
                Seat(place=1 + sum(p < own for p in points), moons=own == 13, decisions=16)
                for own in points
            )
            bots = BOTS[turn:] + BOTS[:turn]
            made.append(
                Outcome(f"b{block}", rotations, bots, (points, points[::-1]), False, (1, 3), seats)
            )
    return made


def published(*parts: list[Outcome]) -> wire.Stored:
    log = Log()
    for part in parts:
        log.append(part)
    return wire.encode("standard-4", report(*log.snapshot()))


def test_rs04_any_order_and_any_portions_give_the_same_bytes() -> None:
    made = outcomes(30)
    expected = published(made)
    for seed in range(4):
        shuffled = random.Random(seed).sample(made, len(made))
        assert published(shuffled[:7], [], shuffled[7:50], shuffled[50:]) == expected


def test_the_arrays_give_what_the_deals_give() -> None:
    made = outcomes(20)
    log = Log()
    log.append(made)
    deals, _ = log.snapshot()
    plain = [Deal(o.block, o.bots, points) for o in made for points in o.deals]
    assert fit(deals) == fit(plain)


def test_rs05_half_blocks_and_void_blocks_do_not_count() -> None:
    made = outcomes(12)
    void = Outcome(
        "b12", 4, BOTS, (), void=True, seats=(Seat(timeouts=2, decisions=9), *[Seat()] * 3)
    )
    log = Log()
    log.append([*made[:47], void])
    deals, record = log.snapshot()
    assert (len(deals), deals.blocks) == (88, 11)
    assert record.matches.tolist() == [44] * 4
    # Faults are counted over all results, void or not.
    assert record.figures[3].sum() == 2
    log.append([made[47]])
    assert log.snapshot()[0].blocks == 12, "the block is complete now"
    assert log.snapshot(47)[0].blocks == 11, "but was not then"


def test_bots_that_only_ever_forfeited_have_no_rating() -> None:
    void = Outcome("x", 1, ("zoe", "yan", "xia", "wim"), (), void=True)
    assert published([*outcomes(5), void]).fit == published(outcomes(5)).fit


def test_no_results_no_tables() -> None:
    assert wire.decode(published([]).fit) == []


def test_rs10_figures_that_cannot_be_true_are_not_published() -> None:
    bad = [
        Outcome("b", 1, BOTS, ((1, 2, 3, 4),), seats=(Seat(timeouts=9, decisions=3),) * 4),
        Outcome("c", 1, BOTS, ((4, 2, 3, 1),)),
    ]
    with pytest.raises(Inconsistent, match="time-outs"):
        published(bad)


def test_places_and_points_add_up() -> None:
    """RS10: places of all seats sum to 10 a match; strengths sum to 0; splits are all deals."""
    log = Log()
    log.append(outcomes(10))
    [part] = report(*log.snapshot())
    assert sum(line.rating.strength for line in part.lines) == pytest.approx(0, abs=1e-5)
    for line in part.lines:
        assert sum(split.deals for split in line.by_seat) == line.rating.deals
        assert {split.key: split.deals for split in line.by_pass} == {1: 40, 3: 40}
        weighted = np.average([s.strength for s in line.by_seat], weights=[20] * 4)
        assert weighted == pytest.approx(line.rating.strength, abs=1.0)


def test_lines_are_those_of_complete_blocks_in_canonical_order() -> None:
    made = outcomes(3)
    keyed = [(f"{o.block}-{at:02}", o) for at, o in enumerate(made)]
    expected = lines(keyed[:11])
    assert [deal.block for deal, _ in expected] == ["b0"] * 8 + ["b1"] * 8
    assert lines(random.Random(1).sample(keyed[:11], 11)) == expected


def test_a_deal_without_a_figure_for_each_seat_is_refused() -> None:
    with pytest.raises(ValueError, match="b7"):
        Log().append([Outcome("b7", 1, BOTS, ((1, 2, 3),))])
