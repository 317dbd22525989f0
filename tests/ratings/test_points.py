"""Points per deal: what a reader of a leaderboard relies on."""

from __future__ import annotations

import random
from math import isfinite

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.ratings.deals import Deal, collect
from arbiter.ratings.points import least_squares
from arbiter.ratings.tables import Table, fit

Field = dict[str, float]


def league(field: Field, blocks: int, seed: int = 1, rotations: int = 4) -> list[Deal]:
    """Simulated duplicate play at tables of four; each bot adds its offset to luck."""
    rng = random.Random(seed)
    deals = []
    for block in range(blocks):
        table = rng.sample(sorted(field), 4)
        luck = [rng.choice([0, 1, 3, 6, 13, 20]) for _ in range(4)]
        for rotation in range(rotations):
            bots = tuple(table[rotation:] + table[:rotation])
            points = tuple(
                max(0, round(luck[seat] + field[bot] + rng.gauss(0, 2)))
                for seat, bot in enumerate(bots)
            )
            deals.append(Deal(f"b{block}", bots, points))
    return deals


BOTS = {f"bot{i}": i * 0.7 for i in range(7)}


def figures(tables: list[Table]) -> list[str]:
    return [repr(table) for table in tables]


def test_the_order_is_the_true_order() -> None:
    [table] = fit(league(BOTS, 600))
    assert [line.bot for line in table.ratings] == sorted(BOTS)
    assert [line.rank for line in table.ratings] == [1, 2, 3, 4, 5, 6, 7]
    assert table.deals == 2400
    assert table.blocks == 600


def test_rs04_shuffled_results_give_the_same_bytes() -> None:
    deals = league(BOTS, 80)
    expected = figures(fit(deals))
    for seed in range(5):
        shuffled = deals[:]
        random.Random(seed).shuffle(shuffled)
        assert figures(fit(shuffled)) == expected


def test_names_of_blocks_cannot_change_a_byte() -> None:
    deals = league(BOTS, 80)
    renamed = [Deal(f"x{hash(d.block) % 10**9}", d.bots, d.points) for d in deals]
    assert figures(fit(renamed)) == figures(fit(deals))


def test_agrees_with_numpy_lstsq() -> None:
    deals = league(BOTS, 60, seed=3)
    bots = sorted(BOTS)
    blocks: dict[str, list[tuple[tuple[str, int], ...]]] = {}
    for deal in deals:
        seats = tuple(zip(deal.bots, deal.points, strict=True))
        blocks.setdefault(deal.block, []).append(seats)
    found = least_squares(collect(deals))
    strengths, covariance = found.values, found.covariance

    designs, target, cluster = [], [], []
    for number, block in enumerate(blocks.values()):
        for seats in block:
            design = np.zeros((4, len(bots)))
            for seat, (bot, _) in enumerate(seats):
                design[seat, bots.index(bot)] = 1
            designs.append(design - design.mean(0))
            points = np.array([float(p) for _, p in seats])
            target.append(points - points.mean())
            cluster += [number] * 4
    x, y = np.vstack(designs), np.concatenate(target)
    reference, *_ = np.linalg.lstsq(x, y, rcond=None)
    assert strengths == pytest.approx(reference, abs=1e-9)

    bread = np.linalg.pinv(x.T @ x)
    residual = y - x @ reference
    cluster_of = np.array(cluster)
    meat = np.zeros((len(bots), len(bots)))
    for number in range(60):
        design = x[cluster_of == number]
        left = np.eye(len(design)) - design @ bread @ design.T
        value, vector = np.linalg.eigh(left)
        root = vector @ np.diag(value**-0.5) @ vector.T
        score = design.T @ root @ residual[cluster_of == number]
        meat += np.outer(score, score)
    assert covariance is not None
    assert covariance == pytest.approx(bread @ meat @ bread, abs=1e-6)


def test_rs02_zero_is_the_best_result_and_a_real_one() -> None:
    deals = [Deal(f"b{i}", ("a", "b", "c", "d"), (0, 13, 13, 0)) for i in range(20)]
    [table] = fit(deals)
    assert [(line.bot, line.strength, line.rank) for line in table.ratings] == [
        ("a", -6.5, 1),
        ("d", -6.5, 1),
        ("b", 6.5, 3),
        ("c", 6.5, 3),
    ]


def test_rs01_order_of_seats_does_not_matter() -> None:
    deals = league(BOTS, 40)
    turned = [Deal(d.block, d.bots[::-1], d.points[::-1]) for d in deals]
    assert figures(fit(turned)) == figures(fit(deals))


def test_rs09_bots_that_never_met_are_not_in_one_order() -> None:
    deals = [Deal(f"x{i}", ("a", "b", "c", "d"), (1, 5, 9, 11)) for i in range(12)]
    deals += [Deal(f"y{i}", ("e", "f", "g", "h"), (26, 0, 0, 0)) for i in range(9)]
    tables = fit(deals)
    assert [[line.bot for line in table.ratings] for table in tables] == [
        ["a", "b", "c", "d"],
        ["f", "g", "h", "e"],
    ]
    assert [table.ratings[0].rank for table in tables] == [1, 1]
    bridge = [*deals, Deal("z", ("a", "e", "f", "b"), (1, 2, 3, 4))]
    assert len(fit(bridge)) == 1


def test_one_block_has_no_interval() -> None:
    [table] = fit([Deal("b", ("a", "b", "c", "d"), (0, 1, 12, 13))])
    assert {(line.se, line.low, line.high) for line in table.ratings} == {(None, None, None)}
    assert all(line.provisional for line in table.ratings)


def test_few_blocks_stay_provisional_however_narrow() -> None:
    [table] = fit([Deal(f"b{i}", ("a", "b", "c", "d"), (0, 1, 12, 13)) for i in range(9)])
    assert all(line.provisional and line.se == 0 for line in table.ratings)
    [table] = fit([Deal(f"b{i}", ("a", "b", "c", "d"), (0, 1, 12, 13)) for i in range(10)])
    assert not any(line.provisional for line in table.ratings)


def test_no_deals_no_table() -> None:
    assert fit([]) == []


@pytest.mark.parametrize("points", [(1, 2, 3), (), (1, 2, 3, 4, 5)])
def test_a_deal_without_a_figure_for_each_seat_is_refused(points: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="b7"):
        fit([Deal("b7", ("a", "b", "c", "d"), points)])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 5),
            st.lists(st.sampled_from("abcdefgh"), min_size=3, max_size=5, unique=True),
            st.lists(st.integers(-40, 130), min_size=5, max_size=5),
        ),
        min_size=1,
        max_size=25,
    )
)
def test_rs03_no_table_holds_nan_or_infinity(rows: list[tuple[int, list[str], list[int]]]) -> None:
    tables = fit(Deal(f"b{b}", tuple(bots), tuple(p[: len(bots)])) for b, bots, p in rows)
    seen = [line.bot for table in tables for line in table.ratings]
    assert sorted(seen) == sorted({bot for _, bots, _ in rows for bot in bots})
    for table in tables:
        strengths = [line.strength for line in table.ratings]
        assert strengths == sorted(strengths)
        assert abs(sum(strengths)) < 1e-3
        for line in table.ratings:
            numbers = [line.strength, line.se or 0.0, line.low or 0.0, line.high or 0.0]
            assert all(isfinite(number) for number in numbers)


def test_the_interval_covers_the_truth() -> None:
    """A coarse guard: equal bots, 95 % intervals; 60 leagues of 7 bots are 420 intervals."""
    misses = 0
    for seed in range(60):
        [table] = fit(league(dict.fromkeys(BOTS, 0.0), 40, seed=seed))
        for line in table.ratings:
            assert line.low is not None
            assert line.high is not None
            misses += not line.low <= 0 <= line.high
    assert 0.02 < misses / 420 < 0.09
