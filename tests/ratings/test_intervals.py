"""The 95 % interval covers the truth in 95 % of leagues, of any shape, few blocks or many."""

from __future__ import annotations

import numpy as np
import pytest

from arbiter.ratings import intervals
from arbiter.ratings.deals import Deal
from arbiter.ratings.points import Estimate, least_squares
from arbiter.ratings.tables import Measure, fit
from benchmarks.leagues import league


@pytest.mark.parametrize(
    ("bots", "seats", "blocks", "runs"),
    [
        pytest.param(10, 4, 30, 400, id="10 bots, each in 12 blocks"),
        pytest.param(10, 4, 200, 400, id="10 bots, each in 80 blocks"),
        pytest.param(10, 3, 60, 400, id="three seats"),
        pytest.param(10, 6, 60, 400, id="six seats"),
        pytest.param(50, 4, 250, 80, id="50 bots, each in 20 blocks"),
    ],
)
def test_the_interval_covers_the_truth(bots: int, seats: int, blocks: int, runs: int) -> None:
    rng = np.random.default_rng(2026)
    covered = 0
    for _ in range(runs):
        made = league(rng, bots, seats, blocks)
        found = least_squares(made.deals)
        halves = intervals.half_widths(found)
        assert halves is not None
        covered += int((np.abs(found.values - made.truth) <= halves).sum())
    assert 0.94 <= covered / (runs * bots) <= 0.96


def test_the_rank_interval_covers_the_true_rank() -> None:
    """Close bots, so that the order itself is often wrong."""
    rng = np.random.default_rng(7)
    covered = wrong = 0
    for _ in range(200):
        made = league(rng, 8, 4, 60, spread=0.4)
        found = least_squares(made.deals)
        low, high = intervals.ranks(found)
        true = 1 + np.argsort(np.argsort(made.truth))
        covered += int(((low <= true) & (true <= high)).sum())
        wrong += int((1 + np.argsort(np.argsort(found.values)) != true).sum())
    assert covered / 1600 >= 0.95
    assert wrong > 400


def test_clear_differences_have_clear_ranks() -> None:
    rng = np.random.default_rng(3)
    made = league(rng, 6, 4, 3000, truth=np.array([5.0, -2.0, 0.5, 2.0, -0.5, 7.0]))
    low, high = intervals.ranks(least_squares(made.deals))
    assert low.tolist() == high.tolist() == [5, 1, 3, 4, 2, 6]


def test_a_gap_has_its_own_error_not_the_sum_of_two() -> None:
    """Two bots that always meet share their luck."""
    cov = np.array([[4.0, 3.0], [3.0, 4.0]])
    gap = intervals.gap(Estimate(np.array([1.0, 2.0]), cov, np.array([1e6, 1e6])), 0, 1)
    assert gap is not None
    assert (gap.gap, gap.se) == (-1.0, 1.414214)
    assert gap.superiority == pytest.approx(0.760250, abs=1e-5)
    assert (gap.low, gap.high) == pytest.approx((-1 - 2.771808, -1 + 2.771808), abs=1e-4)


def test_superiority_against_the_next_bot_says_who_is_probably_better() -> None:
    rng = np.random.default_rng(5)
    deals = league(rng, 5, 4, 400).deals
    for measure in Measure:
        [table] = fit(deals, measure)
        for line in table.ratings[:-1]:
            assert line.superiority is not None
            assert 0.5 <= line.superiority <= 1
        assert table.ratings[-1].superiority is None


def test_one_bot_alone_has_no_error() -> None:
    [table] = fit(Deal(block, ("a", "a", "a"), (1, 2, 23)) for block in "xy")
    [line] = table.ratings
    assert (line.strength, line.se, line.deals, line.blocks) == (0.0, None, 2, 2)
