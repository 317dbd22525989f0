"""Pairings and seats: even, and a function of the spec alone."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simulated import Means, round_robin

from arbiter.tournaments.draw import Draw
from arbiter.tournaments.history import Entry, History, Note
from arbiter.tournaments.matchplan import MatchPlan, block_id, match_id, siblings
from arbiter.tournaments.plan import Finished, Waiting, Wave, plan
from arbiter.tournaments.seating import balanced, rotated
from arbiter.tournaments.spec import Spec
from hearts.rules import preset

RULES = {
    3: preset("three_player"),
    4: preset("standard"),
    5: preset("five_player"),
    6: preset("six_player"),
}


def names(count: int) -> tuple[str, ...]:
    return tuple(f"bot-{index:02}" for index in range(count))


def spec(entries: int, boards: int, duplicate: bool, seed: int = 7, players: int = 4) -> Spec:
    made = Spec("Demo", RULES[players], boards, names(entries), duplicate=duplicate, seed=seed)
    made.check()
    return made


def seats_of(matches: list[MatchPlan]) -> dict[str, Counter[int]]:
    counts: dict[str, Counter[int]] = {}
    for match in matches:
        for seat, bot in enumerate(match.seats):
            counts.setdefault(bot, Counter())[seat] += 1
    return counts


FIELDS = st.integers(3, 6).flatmap(
    lambda players: st.tuples(
        st.just(players), st.integers(players, players + 3), st.integers(1, 9)
    )
)


@settings(max_examples=60, deadline=None)
@given(FIELDS, st.booleans(), st.integers(0, 2**64 - 1))
def test_fs03_every_bot_sits_in_each_seat_equally_often(
    field: tuple[int, int, int], duplicate: bool, seed: int
) -> None:
    players, entries, boards = field
    matches = round_robin(spec(entries, boards, duplicate, seed, players), "t-1")
    most = 0 if duplicate else 1
    for counts in seats_of(matches).values():
        figures = [counts[seat] for seat in range(players)]
        assert max(figures) - min(figures) <= most


@settings(max_examples=40, deadline=None)
@given(FIELDS, st.booleans(), st.integers(0, 99))
def test_every_pair_meets_equally_often(
    field: tuple[int, int, int], duplicate: bool, seed: int
) -> None:
    players, entries, boards = field
    made = spec(entries, boards, duplicate, seed, players)
    matches = round_robin(made, "t-1")
    assert len(matches) == comb(entries, players) * boards * made.rotations
    meetings = Counter(pair for match in matches for pair in combinations(sorted(match.seats), 2))
    assert set(meetings) == set(combinations(names(entries), 2))
    assert len(set(meetings.values())) == 1


@settings(max_examples=30, deadline=None)
@given(st.permutations(names(6)), st.booleans())
def test_fs03_the_order_of_entries_changes_nothing(order: list[str], duplicate: bool) -> None:
    made = spec(6, 3, duplicate)
    shuffled = Spec("Demo", RULES[4], 3, tuple(order), duplicate=duplicate, seed=7)
    assert round_robin(shuffled, "t-1") == round_robin(made, "t-1")


def test_another_seed_gives_other_seats() -> None:
    first, second = (round_robin(spec(5, 4, False, seed), "t-1") for seed in (1, 2))
    assert [match.seats for match in first] != [match.seats for match in second]


def test_the_seats_of_a_seed_are_fixed() -> None:
    """Golden: a tournament file gives the same seats on every platform and in every release."""
    matches = round_robin(spec(4, 2, True, seed=1), "demo-3f2a")
    assert [match.id for match in matches[:2]] == [
        "demo-3f2a-01-001-000001-000000-00",
        "demo-3f2a-01-001-000001-000000-01",
    ]
    assert [match.seats for match in matches[:2]] == [GOLDEN, rotated(GOLDEN, 1)]


GOLDEN = ("bot-03", "bot-00", "bot-01", "bot-02")


def test_duplicate_plays_each_board_in_every_rotation() -> None:
    matches = round_robin(spec(5, 3, True), "t-1")
    for block in range(0, len(matches), 4):
        group = matches[block : block + 4]
        assert len({match.block for match in group}) == 1
        assert [match.rotation for match in group] == [0, 1, 2, 3]
        for turn, match in enumerate(group):
            assert match.seats == rotated(group[0].seats, turn)


def test_fs05_no_two_deals_are_equal_but_by_rotation() -> None:
    boards = Counter(match.board for match in round_robin(spec(6, 3, True), "t-1"))
    assert set(boards.values()) == {4}
    boards = Counter(match.board for match in round_robin(spec(6, 3, False), "t-1"))
    assert set(boards.values()) == {1}


def test_ids_sort_in_canonical_order() -> None:
    matches = round_robin(spec(7, 5, True), "t-1")
    assert sorted(matches) == matches
    assert sorted(match.id for match in matches) == [match.id for match in matches]
    assert len({match.id for match in matches}) == len(matches)


@given(st.lists(st.tuples(st.integers(1, 10**7), st.integers(1, 10**8), st.integers(0, 10**9))))
def test_ids_of_any_length_sort_in_canonical_order(places: list[tuple[int, int, int]]) -> None:
    ids = [match_id("t-1", 1, *place, rotation=0) for place in sorted(places)]
    assert ids == sorted(ids)
    assert len(set(ids)) == len(set(places))
    assert all(block_id(id_) == id_[:-3] for id_ in ids)


def test_blocks() -> None:
    match = round_robin(spec(4, 1, True), "a-b-c")[2]
    assert siblings(match.id, 4) == [m.id for m in round_robin(spec(4, 1, True), "a-b-c")]
    assert block_id(match.id) == match.block == match.id[:-3]
    with pytest.raises(ValueError, match="no match id"):
        block_id("nonsense")


def test_conversation_of_a_round_robin() -> None:
    made = spec(4, 2, True)
    wave = plan(made, "t-1", History(), Means())
    assert isinstance(wave, Wave)
    ids = [match.id for match in wave.matches]
    assert (wave.number, len(ids), wave.note) == (1, 8, Note(1, 1))
    notes = (wave.note,)
    assert plan(made, "t-1", History(notes, 8), Means()) == Waiting(8)
    assert plan(made, "t-1", History(notes, 8, 5, ids[5:6]), Means()) == Waiting(2)
    assert plan(made, "t-1", History(notes, 8, 8), Means()) == Finished()
    assert plan(made, "t-1", History(notes, 8, 7, ids[:1]), Means()) == Finished(
        "1 match was given up after platform faults"
    )
    gone = [Entry(bot, left=None if bot != "bot-00" else 1) for bot in made.entries]
    history = History(notes, 8, 6, ids[:2], list(wave.matches), entries=gone)
    assert plan(made, "t-1", history, Means()) == Finished(
        "2 matches were given up because a bot had withdrawn"
    )


def test_a_large_plan_is_quick_and_made_piece_by_piece() -> None:
    made = spec(12, 50, True)
    wave = plan(made, "t-1", History(), Means())
    assert isinstance(wave, Wave)
    assert len(wave.matches) == 99_000
    assert sum(1 for _ in wave.matches) == 99_000
    assert wave.matches[-1] == wave.matches[98_999]
    assert wave.matches[:2] == list(wave.matches)[:2]
    with pytest.raises(IndexError):
        wave.matches[99_000]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_fs03_balance_of_any_tables(data: st.DataObject) -> None:
    """Also for pairings that are not a round robin."""
    players = data.draw(st.integers(2, 5))
    bots = names(data.draw(st.integers(players, 9)))
    rng = random.Random(data.draw(st.integers(0, 1000)))
    tables = [tuple(rng.sample(bots, players)) for _ in range(data.draw(st.integers(0, 40)))]
    result = balanced(tables)
    assert [sorted(seats) for seats in result] == [sorted(seats) for seats in tables]
    for bot in bots:
        counts = [sum(seats[seat] == bot for seats in result) for seat in range(players)]
        assert max(counts) - min(counts) <= 1


def test_draws_are_uniform_and_named() -> None:
    draw = Draw(1, "x")
    counts = Counter(draw.below(6) for _ in range(6000))
    assert all(850 < counts[face] < 1150 for face in range(6))
    assert Draw(1, "a", 1).shuffled(range(30)) == Draw(1, "a", 1).shuffled(range(30))
    assert Draw(1, "a", 1).shuffled(range(30)) != Draw(1, "a", 2).shuffled(range(30))
    assert Draw(1, "a", 1).shuffled(range(30)) != Draw(2, "a", 1).shuffled(range(30))
