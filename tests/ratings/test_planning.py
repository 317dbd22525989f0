"""What to play next, and when it is enough."""

from __future__ import annotations

import numpy as np
import pytest

from arbiter.ratings import intervals
from arbiter.ratings.deals import Deals, Group, collect
from arbiter.ratings.planning import Goal, advise
from arbiter.ratings.points import least_squares
from benchmarks.leagues import LUCK, NOISE, league

# Two close bots among others that are far apart.
TRUTH = np.array([0.0, 0.1, 3.0, -3.0, 6.0, -6.0, 9.0, -9.0])
NAMES = tuple(f"bot{number:03}" for number in range(8))


def played(rng: np.random.Generator, tables: list[tuple[str, ...]]) -> Deals:
    """The tables, each a block of four rotations."""
    bots, points, block = [], [], []
    for number, table in enumerate(tables):
        seats = [NAMES.index(bot) for bot in table]
        luck = rng.choice(LUCK, 4)
        for turn in range(4):
            turned = np.roll(seats, turn)
            bots.append(turned)
            points.append(np.rint(luck + TRUTH[turned] + rng.normal(0, NOISE, 4)))
            block.append(number)
    return Deals(NAMES, (Group(np.array(bots), np.array(points), np.array(block)),), len(tables))


def gap_error(deals: Deals) -> float:
    """The half width of the gap of the close pair."""
    gap = intervals.gap(least_squares(deals), 0, 1)
    assert gap is not None
    return gap.high - gap.gap


def random_tables(rng: np.random.Generator, count: int) -> list[tuple[str, ...]]:
    return [tuple(NAMES[at] for at in rng.permutation(8)[:4]) for _ in range(count)]


def test_planned_tables_tell_close_bots_apart_sooner_than_random_ones() -> None:
    rng = np.random.default_rng(3)
    goal = Goal(bot=10.0, gap=0.3)
    start = random_tables(rng, 60)
    planned = list(start)
    for _ in range(12):
        planned += advise(played(rng, planned), NAMES, 4, 12, goal).tables
    drawn = start + random_tables(rng, len(planned) - len(start))
    assert len(planned) == 204
    assert gap_error(played(rng, planned)) < 0.8 * gap_error(played(rng, drawn))


def test_the_prediction_of_deals_left_comes_true() -> None:
    rng = np.random.default_rng(4)
    goal = Goal(bot=0.4, gap=10.0)
    tables = random_tables(rng, 60)
    left = advise(played(rng, tables), NAMES, 4, 1, goal).deals_left
    assert left > 0
    while (advice := advise(played(rng, tables), NAMES, 4, 10, goal)).deals_left:
        tables += advice.tables
    needed = 4 * (len(tables) - 60)
    assert left == pytest.approx(needed, rel=0.3)
    halves = intervals.half_widths(least_squares(played(rng, tables)))
    assert halves is not None
    assert halves.max() < 0.48


def test_a_bot_without_a_deal_is_seated_first() -> None:
    rng = np.random.default_rng(5)
    deals = league(rng, 6, 4, 200).deals
    advice = advise(deals, [*deals.names, "newcomer"], 4, 3, Goal())
    assert all("newcomer" in table for table in advice.tables)
    assert all(len(set(table)) == 4 for table in advice.tables)


def test_nothing_is_left_when_all_is_known() -> None:
    rng = np.random.default_rng(6)
    deals = league(rng, 5, 4, 4000).deals
    advice = advise(deals, deals.names, 4, 5, Goal(bot=1.0, gap=1.0))
    assert (advice.tables, advice.deals_left, advice.wide) == ((), 0, 0)


def test_without_any_result_there_is_a_plan() -> None:
    advice = advise(collect([]), NAMES, 4, 4, Goal())
    assert {bot for table in advice.tables for bot in table} == set(NAMES)
    assert advice.deals_left > 100
    with pytest.raises(ValueError, match="3 bots"):
        advise(collect([]), NAMES[:3], 4, 1, Goal())
