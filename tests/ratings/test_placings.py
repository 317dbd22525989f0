"""Placings: what a reader of the second rating relies on."""

from __future__ import annotations

import random
from math import isfinite

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.ratings.deals import Deal, Deals, collect
from arbiter.ratings.intervals import half_widths
from arbiter.ratings.placings import plackett_luce
from arbiter.ratings.tables import Measure, fit
from benchmarks.leagues import league, shuffled

NAMES = "abcdefghij"


def rankings(truth: list[float], blocks: int, seed: int) -> list[Deal]:
    """Deals without ties, drawn from the model itself: exponential clocks of the bots' worths."""
    rng = np.random.default_rng(seed)
    deals = []
    for block in range(blocks):
        table = rng.permutation(len(truth))[:4]
        clocks = rng.exponential(1 / np.exp(np.array(truth)[table]))
        bots = tuple(NAMES[i] for i in table)
        places = [int((clocks < clock).sum()) for clock in clocks]
        deals.append(Deal(f"b{block}", bots, tuple(places)))
    return deals


TRUTH = [1.2, 0.8, 0.5, 0.2, 0.0, -0.1, -0.4, -0.6, -0.7, -0.9]


def test_without_ties_it_agrees_with_choix() -> None:
    deals = rankings(TRUTH, 120, seed=2)
    ordered = [
        [NAMES.index(bot) for _, bot in sorted(zip(d.points, d.bots, strict=True))] for d in deals
    ]
    reference = choix.opt_rankings(len(TRUTH), ordered, alpha=0, method="Newton-CG", tol=1e-10)
    found = plackett_luce(collect(deals))
    assert found.values == pytest.approx(reference - reference.mean(), abs=1e-6)


def test_rs01_tied_bots_are_treated_alike_whatever_their_seats() -> None:
    deals = [
        Deal(f"{i}", ("a", "b", "c", "d"), (0, 5, 5, 9) if i % 3 else (9, 5, 5, 0))
        for i in range(30)
    ]
    [table] = fit(deals, Measure.PLACINGS)
    strength = {line.bot: line.strength for line in table.ratings}
    assert strength["b"] == strength["c"]
    for seats in ((1, 0, 2, 3), (3, 2, 1, 0), (2, 3, 0, 1)):
        turned = [
            Deal(d.block, tuple(d.bots[s] for s in seats), tuple(d.points[s] for s in seats))
            for d in deals
        ]
        assert repr(fit(turned, Measure.PLACINGS)) == repr([table])


def test_rs02_zero_points_are_first_place() -> None:
    rng = random.Random(4)
    deals = [
        Deal(f"{i}", ("a", "b", "c", "d"), (0, 13, 13, 0) if rng.random() < 0.8 else (9, 2, 3, 12))
        for i in range(60)
    ]
    [table] = fit(deals, Measure.PLACINGS)
    assert {line.bot for line in table.ratings[:2]} == {"a", "d"}
    assert table.ratings[0].strength > 0


def test_a_field_that_one_bot_always_beats_has_an_order_but_no_error() -> None:
    """RS03: the most likely worth is infinite; nothing divides by zero and nothing is made up."""
    deals = [Deal(f"{i}", ("a", "b", "c", "d"), (0, 5 + i % 2, 6 - i % 2, 9)) for i in range(40)]
    [table] = fit(deals, Measure.PLACINGS)
    assert [table.ratings[0].bot, table.ratings[-1].bot] == ["a", "d"]
    assert all(line.se is None and isfinite(line.strength) for line in table.ratings)
    assert [(line.rank_low, line.rank_high) for line in table.ratings] == [(1, 4)] * 4


def test_rs04_order_of_results_and_names_of_blocks_change_no_byte() -> None:
    rng = np.random.default_rng(8)
    deals = league(rng, 9, 4, 300).deals
    expected = repr(fit(deals, Measure.PLACINGS))
    for _ in range(3):
        assert repr(fit(shuffled(rng, deals), Measure.PLACINGS)) == expected


def test_the_interval_covers_the_truth() -> None:
    """A coarse guard: 70 leagues drawn from the model, 700 intervals."""
    truth = np.array(TRUTH) - np.mean(TRUTH)
    covered = 0
    for seed in range(70):
        found = plackett_luce(collect(rankings(TRUTH, 150, seed)))
        halves = half_widths(found)
        assert halves is not None
        covered += int((np.abs(found.values - truth) <= halves).sum())
    assert 0.925 < covered / 700 < 0.975


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 4),
            st.lists(st.sampled_from("abcdef"), min_size=3, max_size=5),
            st.lists(st.integers(0, 6), min_size=5, max_size=5),
        ),
        min_size=1,
        max_size=15,
    )
)
def test_rs03_any_results_give_finite_figures(
    rows: list[tuple[int, list[str], list[int]]],
) -> None:
    """Clones at one table and tables of different sizes included."""
    deals: Deals = collect(Deal(f"b{b}", tuple(bots), tuple(p[: len(bots)])) for b, bots, p in rows)
    for measure in Measure:
        for table in fit(deals, measure):
            for line in table.ratings:
                numbers = [line.strength, line.se or 0.0, line.low or 0.0, line.high or 0.0]
                assert all(isfinite(number) for number in numbers)
                assert 1 <= line.rank_low <= line.rank <= line.rank_high <= len(table.ratings)
