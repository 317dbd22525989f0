"""Standings: what counts, what does not, and that the order of results never matters."""

from __future__ import annotations

import random
from dataclasses import replace
from math import sqrt
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simulated import round_robin

from arbiter.tournaments.matchplan import MatchPlan, match_id
from arbiter.tournaments.seating import rotated
from arbiter.tournaments.spec import Spec
from arbiter.tournaments.standings import Results, Standing, standings
from hearts.record import MatchEnd, Verdict
from hearts.result import MatchResult, SeatResult, places_times_two
from hearts.rules import preset

BOTS = ("a1", "b2", "c3", "d4")
SINGLE = Spec("Demo", preset("standard"), boards=3, entries=BOTS)
DUPLICATE = replace(SINGLE, duplicate=True)


def result(*deals: tuple[int, ...], **seats: dict[str, Any]) -> MatchResult:
    """A match with these points by seat; `s0=...` gives a seat's other fields."""
    totals = [sum(column) for column in zip(*deals, strict=True)]
    places = places_times_two([1 + sum(t < own for t in totals) for own in totals])
    return MatchResult(
        MatchEnd.DEALS,
        tuple(
            SeatResult(f"bots/{BOTS[seat]}", total, place, **seats.get(f"s{seat}", {}))
            for seat, (total, place) in enumerate(zip(totals, places, strict=True))
        ),
        tuple(deals),
    )


def forfeit(seat: int, verdict: Verdict = Verdict.NO_SHOW) -> MatchResult:
    seats = [SeatResult(f"bots/{bot}", 0, 4) for bot in BOTS]
    seats[seat] = replace(seats[seat], place_times_two=8, verdict=verdict)
    return MatchResult(MatchEnd.FORFEIT, tuple(seats), (), void_block=True)


def at(board: int, rotation: int = 0, table: int = 1, seats: tuple[str, ...] = BOTS) -> MatchPlan:
    """The plan of one match, its seats in the order of the bots."""
    name = match_id("t-1", 1, 1, table, board, rotation)
    return MatchPlan(name, "t-1", 1, 1, table, board, rotation, seats)


def lines(spec: Spec, results: Results) -> dict[str, Standing]:
    return {line.bot: line for line in standings(spec, results)}


def test_points_per_deal_and_the_error_over_boards() -> None:
    points = [(0, 1, 12, 13), (2, 3, 0, 21), (7, 5, 14, 0)]
    table = lines(SINGLE, [(at(board), result(deal)) for board, deal in enumerate(points)])
    for seat, bot in enumerate(BOTS):
        own = [deal[seat] for deal in points]
        mean = sum(own) / 3
        error = sqrt(sum((x - mean) ** 2 for x in own) / 2 / 3)
        assert table[bot].points_per_deal == round(mean, 4)
        assert table[bot].standard_error == round(error, 4)
        assert (table[bot].deals, table[bot].matches, table[bot].boards) == (3, 3, 3)
    assert [line.bot for line in standings(SINGLE, [(at(0), result(points[0]))])] == list(BOTS)


def test_the_board_is_the_unit_of_the_error() -> None:
    """Four rotations of one board are one piece of evidence, not four."""
    results = [
        (at(board, turn, seats=rotated(BOTS, turn)), result(deal))
        for board, deal in enumerate([(0, 0, 13, 13), (26, 0, 0, 0)])
        for turn in range(4)
    ]
    table = lines(DUPLICATE, results)
    assert {line.points_per_deal for line in table.values()} == {6.5}
    assert {line.standard_error for line in table.values()} == {0.0}
    assert {line.boards for line in table.values()} == {2}
    assert {line.place for line in table.values()} == {1}


def test_games_of_different_length_weigh_by_their_deals() -> None:
    long = result((0, 0, 0, 26), (0, 0, 0, 26), (0, 0, 0, 26))
    table = lines(SINGLE, [(at(0), long), (at(1), result((26, 0, 0, 0)))])
    assert table["a1"].points_per_deal == 6.5
    assert table["d4"].points_per_deal == 19.5
    assert table["a1"].deals == 4


def test_incomplete_blocks_wait() -> None:
    results = [(at(0, turn), result((0, 1, 12, 13))) for turn in range(4)]
    results += [(at(1, turn), result((26, 0, 0, 0))) for turn in range(3)]
    table = lines(DUPLICATE, results)
    assert table["a1"].points_per_deal == 0
    assert (table["a1"].deals, table["a1"].boards) == (4, 1)


def test_rs02_zero_points_beat_no_deals() -> None:
    """0 is the best figure there is; to have none is not."""
    spec = replace(SINGLE, entries=(*BOTS, "aa"))
    order = standings(spec, [(at(0), result((26, 0, 0, 0)))])
    assert [(line.bot, line.place, line.points_per_deal) for line in order] == [
        ("b2", 1, 0.0),
        ("c3", 1, 0.0),
        ("d4", 1, 0.0),
        ("a1", 4, 26.0),
        ("aa", 5, None),
    ]


@pytest.mark.parametrize("verdict", [Verdict.NO_SHOW, Verdict.NO_START])
def test_a_forfeit_costs_the_absent_bot_alone(verdict: Verdict) -> None:
    results = [(at(0), forfeit(2, verdict)), (at(1), result((0, 1, 12, 13)))]
    table = lines(SINGLE, results)
    assert table["c3"].points_per_deal == 19.0  # (26 + 12) / 2
    assert (table["c3"].deals, table["c3"].matches, table["c3"].no_shows) == (2, 2, 1)
    assert table["c3"].mean_place == 3.5
    for bot in ("a1", "b2", "d4"):
        assert (table[bot].deals, table[bot].matches, table[bot].no_shows) == (1, 1, 0)


def test_a_forfeit_voids_its_block() -> None:
    results = [(at(0, turn), result((0, 1, 12, 13))) for turn in range(3)]
    results.append((at(0, 3), forfeit(0)))
    table = lines(DUPLICATE, results)
    assert [table[bot].points_per_deal for bot in BOTS] == [26.0, None, None, None]
    assert table["b2"].boards == 0


def test_the_penalty_is_that_of_the_rules_and_the_length() -> None:
    for spec, points, deals in [
        (replace(SINGLE, deals=4), 26.0, 4),
        (replace(SINGLE, deals=0), 26.0, 4),  # 26 a deal reach 100 in four
        (replace(SINGLE, rules=preset("spot_hearts")), None, 1),
    ]:
        line = lines(spec, [(at(0), forfeit(1))])["b2"]
        assert line.deals == deals
        assert line.points_per_deal == points or (points is None and line.points_per_deal > 26)


def test_places_wins_and_moons() -> None:
    results = [
        (at(0), result((0, 26, 26, 26), s0={"moons": 1})),
        (at(1), result((3, 3, 10, 10))),
    ]
    table = lines(SINGLE, results)
    assert (table["a1"].wins, table["b2"].wins) == (1, 0)
    assert table["a1"].mean_place == (1 + 1.5) / 2
    assert table["b2"].mean_place == (3 + 1.5) / 2
    assert (table["a1"].moons, table["b2"].moons) == (1, 0)


def test_faults_count_in_every_match() -> None:
    faults = {"timeouts": 3, "illegal": 2, "malformed": 1, "verdict": Verdict.CRASH}
    results = [(at(0, 1), result((0, 1, 12, 13), s3=faults))]
    table = lines(DUPLICATE, results)  # the block is not complete
    line = table["d4"]
    assert (line.timeouts, line.illegal, line.malformed, line.crashes) == (3, 2, 1, 1)
    assert line.points_per_deal is None


def test_no_results() -> None:
    order = standings(SINGLE, [])
    assert [(line.bot, line.place, line.mean_place) for line in order] == [
        (bot, 1, None) for bot in BOTS
    ]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.booleans())
def test_the_order_of_results_changes_nothing(seed: int, duplicate: bool) -> None:
    rng = random.Random(seed)
    spec = replace(SINGLE, entries=(*BOTS, "e5"), boards=4, duplicate=duplicate)
    results = []
    for plan in round_robin(spec, "t-1"):
        if rng.random() < 0.1:
            continue
        cuts = sorted(rng.randint(0, 26) for _ in range(3))
        points = tuple(b - a for a, b in zip([0, *cuts], [*cuts, 26], strict=True))
        results.append((plan, forfeit(1) if rng.random() < 0.05 else result(points)))
    expected = repr(standings(spec, results))
    rng.shuffle(results)
    shuffled = replace(spec, entries=tuple(rng.sample(spec.entries, 5)))
    assert repr(standings(shuffled, results)) == expected


def test_rs10_points_of_complete_blocks_add_up() -> None:
    results = [(plan, result((0, 1, 12, 13))) for plan in round_robin(DUPLICATE, "t-1")]
    table = standings(DUPLICATE, results)
    assert sum(line.points_per_deal or 0 for line in table) == pytest.approx(26, abs=1e-3)
    assert sum(line.wins for line in table) == len(results)
