"""The test of one bot against another: errors, evidence, estimate."""

from __future__ import annotations

import json
from math import isfinite
from pathlib import Path

import numpy as np
import pytest

from arbiter.ratings import mirrored, sequential
from arbiter.ratings.deals import Deal
from arbiter.ratings.sequential import Hypotheses, Verdict, run

BLOCKS = Path(__file__).parents[1] / "data" / "blocks"
BOUNDS = Hypotheses(h0=0.0, h1=0.45)


def real(name: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Differences of real mirrored blocks in points a deal, with their mean taken away."""
    data = json.loads((BLOCKS / f"{name}.json").read_text())
    found = np.array(data["differences"], dtype=np.float64) / data["seats"]
    return found - found.mean()


@pytest.mark.parametrize("name", ["duck-careful", "random-duck"])
def test_errors_stay_at_their_nominal_level_on_real_blocks(name: str) -> None:
    """3,000 tests each, resampled from blocks that our own bots played."""
    blocks, rng = real(name), np.random.default_rng(11)
    for truth, wrong in ((BOUNDS.h0, Verdict.H1), (BOUNDS.h1, Verdict.H0)):
        errors = 0
        for _ in range(3000):
            path, cautious = sequential.ratios(rng.choice(blocks, 5000) + truth, BOUNDS)
            stop = sequential.first_stop(path, cautious, BOUNDS)
            errors += stop == 0 or bool(path[stop - 1] > 0) is (wrong is Verdict.H1)
        assert errors / 3000 <= 0.055, truth


@pytest.mark.parametrize("truth", [0.0, 0.3, 0.6])
def test_the_estimate_is_not_biased_by_the_stopping(truth: float) -> None:
    """As often above the truth as below it, and its interval covers it; the plain mean of a test
    that stopped for the candidate is too high."""
    rng = np.random.default_rng(17)
    above = covered = plain = 0
    for _ in range(150):
        x = rng.normal(truth, 3.0, 3000)
        result = run(x, BOUNDS)
        assert result.verdict is not Verdict.CONTINUE
        assert result.estimate is not None
        assert result.low is not None
        assert result.high is not None
        above += result.estimate > truth
        covered += result.low <= truth <= result.high
        plain += x[: result.blocks].mean() > truth
    assert abs(above / 150 - 0.5) < 0.12
    assert covered / 150 >= 0.91
    if truth == 0.6:
        assert plain / 150 > 0.55


@pytest.mark.parametrize(
    ("differences", "verdict"),
    [
        pytest.param([0.0] * 60, Verdict.H0, id="always equal"),
        pytest.param([0.45] * 60, Verdict.H1, id="always exactly h1"),
        pytest.param([0.225] * 600, Verdict.CONTINUE, id="always halfway"),
        pytest.param([9.0] * 600, Verdict.H1, id="always far better"),
        pytest.param([-26.0, -25.5] * 300, Verdict.H0, id="always far worse"),
        pytest.param([13.0, -13.0] * 4, Verdict.CONTINUE, id="wild and few"),
        pytest.param([1e9] * 30, Verdict.CONTINUE, id="beyond all measure"),
        pytest.param([3.0], Verdict.CONTINUE, id="one block"),
        pytest.param([], Verdict.CONTINUE, id="nothing"),
    ],
)
def test_lopsided_or_constant_data_neither_hang_nor_divide_by_zero(
    differences: list[float], verdict: Verdict
) -> None:
    result = run(differences, BOUNDS)
    assert result.verdict is verdict
    assert isfinite(result.llr)
    assert 0 <= result.elapsed <= 1
    if len(differences) > 1:
        assert result.low is not None
        assert result.estimate is not None
        assert result.high is not None
        assert result.low <= result.estimate <= result.high
    assert [n for n, _ in result.history] == sorted({n for n, _ in result.history})


def test_a_lopsided_difference_is_not_made_smaller() -> None:
    """Far from both hypotheses the stopping is no matter."""
    x = np.random.default_rng(3).normal(7.0, 4.0, 200)
    result = run(x, BOUNDS)
    assert result.verdict is Verdict.H1
    assert result.estimate == pytest.approx(x[: result.blocks].mean(), abs=1e-5)


def test_what_comes_after_the_stop_changes_nothing() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(1.0, 2.0, 400)
    stopped = run(x, BOUNDS)
    assert stopped.verdict is Verdict.H1
    assert run(np.concatenate([x[: stopped.blocks], -x]), BOUNDS) == stopped
    assert stopped.history[-1] == (stopped.blocks, stopped.llr)


def test_the_unit_of_points_does_not_matter() -> None:
    x = np.random.default_rng(2).normal(0.2, 3.0, 500)
    one = run(x, BOUNDS)
    ten = run(x * 10, Hypotheses(h0=0.0, h1=4.5))
    assert (one.verdict, one.blocks) == (ten.verdict, ten.blocks)
    assert one.llr == pytest.approx(ten.llr, abs=1e-5)


@pytest.mark.parametrize(
    ("values", "word"),
    [
        ({"h0": 1.0, "h1": 1.0}, "h0"),
        ({"h0": float("nan")}, "h0"),
        ({"alpha": 0.0}, "alpha"),
        ({"beta": 0.9}, "beta"),
    ],
)
def test_impossible_hypotheses_are_refused(values: dict[str, float], word: str) -> None:
    with pytest.raises(ValueError, match=word):
        Hypotheses(**values)


def pair(block: str, seatings: str = "AABB BBAA", void: bool = False) -> list[tuple[Deal, bool]]:
    """Deals of a block; A takes 2 points in each seat, B takes 1."""
    return [
        (Deal(block, tuple(seating), tuple(2.0 if bot == "A" else 1.0 for bot in seating)), void)
        for seating in seatings.split()
    ]


def found(*parts: list[tuple[Deal, bool]]) -> mirrored.Evidence:
    return mirrored.evidence([deal for part in parts for deal in part], "A", "B")


def test_only_the_contiguous_complete_prefix_counts() -> None:
    blocks = [pair(f"b{n}") for n in range(12)]
    assert found(*blocks) == mirrored.Evidence((1.0,) * 12, 24, "", 0, True)
    half = [*blocks[:9], pair("b9", "AABB"), *blocks[10:]]
    assert found(*half) == mirrored.Evidence((1.0,) * 9, 18, "b9", 2, True)
    gone = [*blocks[:9], *blocks[10:]]
    assert found(*gone) == mirrored.Evidence((1.0,) * 9, 18, "b9", 2, True)
    assert found(*reversed(half)) == found(*half), "b10 comes after b9, whatever the file's order"


def test_a_void_block_is_passed_over() -> None:
    assert found(pair("b0"), pair("b1", "AABB", void=True), pair("b2")).differences == (1.0, 1.0)


@pytest.mark.parametrize(
    ("seatings", "counts"),
    [
        ("AABB BBAA", True),
        ("ABAB BABA", True),
        ("ABCD BCDA CDAB DABC", True),
        ("ABBB BABB BBAB BBBA", True),
        ("AABB ABAB", False),
        ("AABB BBAA AABB", False),
        ("ABCD BCDA CDAB", False),
    ],
)
def test_a_block_counts_when_both_sat_in_every_seat_equally_often(
    seatings: str, counts: bool
) -> None:
    evidence = found(pair("b0"), pair("b1", seatings))
    assert len(evidence.differences) == 1 + counts
    assert (evidence.waiting == "b1") is not counts


def test_blocks_of_others_are_no_matter() -> None:
    others = [(Deal("b1", ("C", "D", "E", "F"), (0.0, 0.0, 13.0, 13.0)), False)]
    assert found(pair("b0"), others, pair("b2")).differences == (1.0, 1.0)


def test_single_deals_will_do_where_no_block_is_mirrored() -> None:
    evidence = found(*(pair(f"b{n}", "ABCD") for n in range(5)))
    assert (len(evidence.differences), evidence.mirrored) == (5, False)


def test_a_bot_is_not_tested_against_itself() -> None:
    with pytest.raises(ValueError, match="itself"):
        mirrored.evidence([], "A", "A")
