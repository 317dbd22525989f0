"""What is shown to a human, and what is not."""

from __future__ import annotations

import numpy as np
import pytest

from arbiter.ratings.deals import Deals, Group
from arbiter.ratings.watchdogs import lateness, residuals, together
from benchmarks.leagues import league


def changed(deals: Deals, rows: np.ndarray, bots: tuple[int, ...], points: float) -> Deals:
    """The deals with points added for these bots in the chosen rows."""
    [group] = deals.groups
    more = group.points.copy()
    for bot in bots:
        more[(group.bots == bot) & rows[:, None]] += points
    return Deals(deals.names, (Group(group.bots, more, group.block),), deals.blocks)


def workers(deals: Deals, rng: np.random.Generator) -> list[str]:
    """Four workers; a block is played by one of them."""
    by_block = rng.integers(0, 4, deals.blocks)
    return [f"worker{by_block[block]}" for block in deals.groups[0].block]


def test_a_worker_whose_results_deviate_is_named_with_the_bot() -> None:
    """RS06: a bot is slower, and so weaker, on one worker."""
    rng = np.random.default_rng(1)
    deals = league(rng, 6, 4, 600).deals
    who = workers(deals, rng)
    rows = np.array([name == "worker2" for name in who])
    first, *others = residuals(changed(deals, rows, (3,), 2.0), [who])
    assert (first.worker, first.bot, first.alarm) == ("worker2", "bot003", True)
    assert first.points > 0.8
    assert not any(line.alarm for line in others)


def test_workers_that_do_the_same_raise_no_alarm() -> None:
    rng = np.random.default_rng(2)
    values = []
    for _ in range(60):
        deals = league(rng, 6, 4, 300).deals
        lines = residuals(deals, [workers(deals, rng)])
        assert not any(line.alarm for line in lines)
        values += [line.p for line in lines]
    assert 0.4 < np.mean(values) < 0.62


def test_rs06_a_worker_whose_time_outs_stand_out_is_held() -> None:
    lines = lateness({"a": (3, 40_000), "b": (400, 40_000), "c": (5, 40_000)})
    assert [(line.worker, line.hold) for line in lines] == [("b", True), ("a", False), ("c", False)]
    assert lines[0].rate == 0.01
    assert lines[0].rest == 0.0001


@pytest.mark.parametrize(
    "counts",
    [
        pytest.param({}, id="nobody"),
        pytest.param({"a": (900, 1000)}, id="one alone has no rest to compare with"),
        pytest.param({"a": (0, 0), "b": (0, 1000)}, id="nothing asked"),
        pytest.param({"a": (4, 1000), "b": (0, 1000)}, id="a handful"),
        pytest.param({"a": (50, 1000), "b": (45, 1000)}, id="slow bots are slow everywhere"),
    ],
)
def test_others_are_not_held(counts: dict[str, tuple[int, int]]) -> None:
    lines = lateness(counts)
    assert not any(line.hold for line in lines)
    assert all(0 <= line.rate <= 1 and 0 <= line.rest <= 1 for line in lines)


def test_rs10_more_time_outs_than_decisions_are_refused() -> None:
    with pytest.raises(ValueError, match="11 time-outs in 10"):
        lateness({"a": (11, 10)})


def test_bots_that_help_each_other_are_listed_first() -> None:
    rng = np.random.default_rng(3)
    deals = league(rng, 8, 4, 800).deals
    [group] = deals.groups
    rows = (group.bots == 2).any(1) & (group.bots == 5).any(1)
    first, *others = together(changed(deals, rows, (2, 5), -1.5))
    assert (first.bot, first.other, first.alarm) == ("bot002", "bot005", True)
    assert first.points < -0.8
    assert not any(line.alarm for line in others)


def test_honest_bots_raise_no_alarm() -> None:
    rng = np.random.default_rng(4)
    for _ in range(20):
        assert not any(line.alarm for line in together(league(rng, 8, 4, 200).deals))
