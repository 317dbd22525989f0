"""Every format, from 3 to 200 entries and tables of 3 to 10: what holds whatever the results."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise, product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from simulated import Simulation, by_strength

from arbiter.tournaments.designs import design, parallel_rounds
from arbiter.tournaments.history import Entry, Note
from arbiter.tournaments.matchplan import MatchPlan, siblings
from arbiter.tournaments.plan import Wave, final_order, plan
from arbiter.tournaments.spec import Spec
from arbiter.tournaments.stage import Format, Score, Stage
from arbiter.tournaments.statistics import Separation, Verdict
from hearts.rules import RuleSet, preset

RULES = {
    players: preset("standard")
    if players == 4
    else RuleSet.from_options(
        {"players": players, "decks": 1 if players < 6 else 2, "leftover": "first_trick"}
    )
    for players in range(3, 11)
}
QUICK = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
STAGES = {
    "round_robin": (Stage(Format.ROUND_ROBIN, rounds=4),),
    "swiss": (Stage(Format.SWISS),),
    "knockout": (Stage(Format.KNOCKOUT),),
    "double": (Stage(Format.KNOCKOUT, double_elimination=True),),
    "halving": (Stage(Format.HALVING, rounds=2),),
    "ladder": (Stage(Format.LADDER, rounds=5),),
    "gauntlet": (Stage(Format.GAUNTLET, challenger="bot-000"),),
}


def names(count: int) -> tuple[str, ...]:
    return tuple(f"bot-{index:03}" for index in range(count))


def make(
    count: int, stages: tuple[Stage, ...], players: int = 4, seed: int = 3, boards: int = 1
) -> Spec:
    made = Spec("Test", RULES[players], boards, names(count), stages=stages, seed=seed)
    made.check()
    return made


def at_random(match: MatchPlan) -> Score:
    """A result that depends on nothing but the match."""
    digest = hashlib.sha256(match.id.encode()).digest()
    points = tuple(digest[seat] % 27 for seat in range(len(match.seats)))
    ordered = sorted(points)
    return Score((points,), tuple(2 * ordered.index(value) + 2 for value in points))


FIELDS = st.integers(3, 10).flatmap(
    lambda players: st.tuples(
        st.just(players), st.one_of(st.integers(players, 30), st.integers(players, 200))
    )
)


@QUICK
@given(FIELDS, st.sampled_from(sorted(STAGES)), st.integers(0, 2**64 - 1))
def test_what_holds_for_every_round_of_every_format(
    field: tuple[int, int], name: str, seed: int
) -> None:
    """SP06: who sits out is said, evenly. FS05: no board twice."""
    players, count = field
    played = Simulation(make(count, STAGES[name], players, seed), score=at_random).run()
    boards = Counter(match.board for match in played.matches)
    assert set(boards.values()) == {1}
    ids = [match.id for match in played.matches]
    assert ids == sorted(set(ids))
    for number, note in enumerate(played.notes):
        seated = [bot for table in played.tables(number) for bot in table]
        assert all(len(table) == players for table in played.tables(number))
        if name != "gauntlet":
            assert len(set(seated)) == len(seated)
        assert not set(note.sit_outs) & set(seated)
        if name in ("round_robin", "swiss", "ladder"):
            assert set(seated) | set(note.sit_outs) == set(names(count))
            assert len(note.sit_outs) == count % players
    if name in ("round_robin", "swiss", "ladder", "gauntlet"):
        outs = Counter(bot for note in played.notes for bot in note.sit_outs)
        others = [outs[bot] for bot in names(count) if name != "gauntlet" or bot != "bot-000"]
        assert max(others) - min(others) <= 1


@QUICK
@given(FIELDS, st.integers(1, 11), st.sampled_from(sorted(STAGES)), st.integers(0, 2**64 - 1))
def test_fs03_seats_are_even_after_every_round(
    field: tuple[int, int], boards: int, name: str, seed: int
) -> None:
    """Also where a round fills no cycle of the seats. Who is left in a knockout or a halving is for
    the results to say, so seats that have to be made up for may fall together there; and in a field
    that fills less than two tables with who sits out."""
    players, count = field
    spec = make(count, STAGES[name], players, seed, boards)
    played = Simulation(spec, score=at_random).run()
    free = name in ("round_robin", "swiss", "gauntlet") or (
        name == "ladder" and (boards % players == 1 or not count % players)
    )
    most = 1 if free and not players < count < 2 * players else 2
    if name == "halving" and boards > 1:
        most = 3
    for number in range(1, len(played.waves) + 1):
        matches = [match for wave in played.waves[:number] for match in wave]
        for bot, seats in seats_of(matches).items():
            figures = [seats[seat] for seat in range(players)]
            assert max(figures) - min(figures) <= most, (bot, number, figures)


@pytest.mark.parametrize(("count", "players"), [(8, 4), (13, 4), (50, 4), (11, 5), (20, 10)])
def test_fs03_a_long_ladder_keeps_its_seats_even(count: int, players: int) -> None:
    stage = Stage(Format.LADDER, rounds=20)
    played = Simulation(make(count, (stage,), players), score=at_random).run()
    for seats in seats_of(played.matches).values():
        assert max(seats[s] for s in range(players)) - min(seats[s] for s in range(players)) <= 1


@pytest.mark.parametrize(("count", "players"), [(9, 3), (16, 4), (25, 5)])
@pytest.mark.parametrize("boards", [1, 2])
def test_fs03_the_rounds_of_a_design_have_even_seats(count: int, players: int, boards: int) -> None:
    stage = Stage(Format.ROUND_ROBIN, rounds=2 * players + 3)
    played = Simulation(make(count, (stage,), players, boards=boards), score=at_random).run()
    for number in range(1, len(played.waves) + 1):
        matches = [match for wave in played.waves[:number] for match in wave]
        for seats in seats_of(matches).values():
            assert max(seats.values()) - min(seats[seat] for seat in range(players)) <= 1


def seats_of(matches: list[MatchPlan]) -> dict[str, Counter[int]]:
    counts: dict[str, Counter[int]] = {}
    for match in matches:
        for seat, bot in enumerate(match.seats):
            counts.setdefault(bot, Counter())[seat] += 1
    return counts


@QUICK
@given(st.integers(3, 10), st.sampled_from(sorted(STAGES)), st.integers(0, 99))
def test_fs03_boards_that_fill_a_cycle_are_seated_evenly(
    players: int, name: str, seed: int
) -> None:
    spec = make(2 * players + 1, STAGES[name], players, seed, boards=players)
    for duplicate in (False, True):
        played = Simulation(replace(spec, duplicate=duplicate), score=at_random).run()
        for seats in seats_of(played.matches).values():
            assert len({seats[seat] for seat in range(players)}) == 1


@QUICK
@given(
    st.sampled_from(sorted(STAGES)),
    st.one_of(st.integers(4, 40), st.integers(4, 200)),
    st.randoms(use_true_random=False),
)
def test_fs03_neither_order_of_entries_nor_anything_else_changes_a_plan(
    name: str, count: int, random: object
) -> None:
    spec = make(count, STAGES[name])
    order = list(spec.entries)
    random.shuffle(order)  # type: ignore[attr-defined]
    first = Simulation(spec, score=at_random).run()
    second = Simulation(replace(spec, entries=tuple(order)), score=at_random).run()
    assert first.waves == second.waves
    assert first.notes == second.notes
    assert first.reason == second.reason


@QUICK
@given(
    st.sampled_from(sorted(STAGES)),
    st.one_of(st.integers(4, 24), st.integers(4, 200)),
    st.lists(st.tuples(st.integers(0, 8), st.integers(0, 199)), max_size=24),
)
def test_sp08_withdrawn_bots_are_not_paired_and_too_few_end_it(
    name: str, count: int, leaving: list[tuple[int, int]]
) -> None:
    """Withdrawal at any moment, of any number of bots."""
    played = Simulation(make(count, STAGES[name]), score=at_random)
    gone: set[str] = set()
    for wave in range(100):
        for when, who in leaving:
            bot = f"bot-{who % count:03}"
            if when == wave and bot not in gone and played.waves:
                gone.add(bot)
                played.withdraw(bot)
        planned = played.step()
        assert not gone & {bot for match in planned for bot in match.seats}
        if not planned:
            break
    assert played.reason is not None
    if count - len(gone) < 4 and "withdrawn" not in played.reason and played.reason:
        assert played.reason.startswith("too few bots: ")
        assert "a table needs 4" in played.reason


def test_sp08_the_reason_is_said() -> None:
    played = Simulation(make(5, STAGES["swiss"]))
    played.step()
    for bot in ("bot-000", "bot-003"):
        played.withdraw(bot)
    assert not played.step()
    assert played.reason == "too few bots: 3 bots are left, and a table needs 4"


@pytest.mark.parametrize("players", range(3, 11))
def test_exact_designs_are_exact(players: int) -> None:
    found = 0
    for count in range(players, 201):
        blocks = design(count, players)
        if blocks is None:
            continue
        found += 1
        pairs = Counter(pair for block in blocks for pair in combinations(block, 2))
        assert len(pairs) == count * (count - 1) // 2
        assert set(pairs.values()) == {1}
    assert found >= (1 if players == 7 else 2)


@pytest.mark.parametrize("players", [3, 4, 5, 7, 8, 9])
def test_squares_have_rounds_without_sit_outs(players: int) -> None:
    for blocks in parallel_rounds(players):
        assert sorted(bot for block in blocks for bot in block) == list(range(players**2))


@pytest.mark.parametrize(
    ("count", "meetings"),
    [(4, {1}), (6, {6}), (13, {55}), (16, {1}), (25, {1, 2, 0}), (28, {0, 1, 2, 3}), (37, {1})],
)
def test_a_round_robin_of_fours(count: int, meetings: set[int]) -> None:
    """Every pair meets equally often where that is known to be possible, else nearly so."""
    played = Simulation(make(count, (Stage(),))).run()
    pairs = Counter(
        pair
        for n in range(len(played.waves))
        for t in played.tables(n)
        for pair in combinations(t, 2)
    )
    found = {pairs[pair] for pair in combinations(names(count), 2)}
    assert found == meetings or (len(meetings) > 1 and found <= meetings)
    missed = sum(pairs[pair] == 0 for pair in combinations(names(count), 2))
    assert missed <= 0.15 * count * (count - 1) / 2


@pytest.mark.parametrize(
    ("count", "players", "rounds"),
    [(16, 4, 3), (24, 4, 4), (33, 4, 6), (64, 4, 8), (200, 4, 10), (30, 3, 7), (60, 6, 5)],
)
def test_nobody_meets_twice_where_it_can_be_avoided(count: int, players: int, rounds: int) -> None:
    """Boards that leave no seats to make up for; for others even seats count more, and a few pairs
    of a small field meet again."""
    for name, boards in product(("swiss", "round_robin"), (players, 1)):
        stage = replace(STAGES[name][0], rounds=rounds)
        spec = make(count, (stage,), players, boards=boards)
        played = Simulation(spec, score=at_random).run()
        pairs = Counter(
            pair
            for number in range(rounds)
            for table in played.tables(number)
            for pair in combinations(table, 2)
        )
        again = sum(times > 1 for times in pairs.values())
        assert again <= (0 if boards > 1 or count > 60 else 0.01 * len(pairs)), (name, boards)


def test_swiss_brings_the_strong_together() -> None:
    played = Simulation(make(64, (Stage(Format.SWISS, rounds=6),))).run()
    spread = [max(map(number, table)) - min(map(number, table)) for table in played.tables(5)]
    opening = [max(map(number, table)) - min(map(number, table)) for table in played.tables(0)]
    assert sum(spread) < 0.8 * sum(opening)
    assert order(played)[0] == "bot-000"


def number(bot: str) -> int:
    return int(bot.rsplit("-", 1)[1])


def order(played: Simulation) -> list[str]:
    return final_order(played.spec, played.history(), played.statistics)


@QUICK
@given(FIELDS, st.booleans(), st.integers(0, 99))
def test_a_knockout_ends_in_a_final_and_finds_the_best(
    field: tuple[int, int], double: bool, seed: int
) -> None:
    players, count = field
    stage = Stage(Format.KNOCKOUT, double_elimination=double)
    played = Simulation(make(count, (stage,), players, seed)).run()
    final = played.tables(-1)
    assert len(final) == 1
    assert not played.notes[-1].sit_outs
    assert played.reason == ""
    assert order(played)[0] == "bot-000"
    assert set(order(played)[:players]) == set(final[0])
    assert sorted(order(played)) == list(names(count))
    lives = 2 if double else 1
    lost: Counter[str] = Counter()
    for wave in range(len(played.waves) - 1):
        alive = {b for t in played.tables(wave + 1) for b in t} | set(
            played.notes[wave + 1].sit_outs
        )
        for table in played.tables(wave):
            ranked = sorted(table, key=number)
            assert set(ranked[: max(1, players // 2)]) <= alive
            lost.update(ranked[players // 2 :])
            for bot in set(table) - alive:
                assert lost[bot] >= lives


def test_byes_go_round() -> None:
    """SP06: the bye is a sit-out, not a win: who has had one plays next time."""
    played = Simulation(make(9, STAGES["knockout"]), score=at_random).run()
    outs = Counter(bot for note in played.notes for bot in note.sit_outs)
    assert max(outs.values()) == 1


def test_a_halving_gives_the_best_most_boards() -> None:
    played = Simulation(make(32, (Stage(Format.HALVING, rounds=2),))).run()
    fields = [len({bot for table in played.tables(n) for bot in table}) for n in range(8)]
    assert fields == [32, 32, 16, 16, 8, 8, 4, 4]
    boards = [len({m.board for m in wave if m.table == 1}) for wave in played.waves]
    assert boards == [1, 1, 2, 2, 4, 4, 8, 8]
    assert order(played)[0] == "bot-000"
    assert set(order(played)[:4]) == {bot for table in played.tables(7) for bot in table}


def test_sp05_a_ladder_starves_nobody() -> None:
    """50 bots and 2,016 matches: games differ by at most 10 %, and nobody waits more than 3 times
    the mean gap."""
    rounds = 84
    spec = make(50, (Stage(Format.LADDER, rounds=rounds),), boards=2)
    played = Simulation(spec, score=at_random).run()
    assert len(played.matches) == 2016
    games = Counter(bot for match in played.matches for bot in match.seats)
    assert max(games.values()) <= 1.1 * min(games.values())
    for bot in names(50):
        waits = [n for n in range(rounds) if any(bot in t for t in played.tables(n))]
        gaps = [after - before for before, after in pairwise(waits)]
        assert max(gaps) <= 3 * (rounds / len(waits))


def test_a_ladder_goes_on_after_any_number_of_rounds() -> None:
    """Ids stay in canonical order; a ladder of a round every minute passes 999 before a day is
    over."""
    spec = make(8, (Stage(Format.LADDER),))
    played = Simulation(spec)
    played.step()
    older = played.waves[0][-1].id
    for rounds in (998, 999, 9_999, 123_456):
        played.notes = [Note(1, number + 1) for number in range(rounds)]
        played.waves = [played.waves[0]]
        step = plan(spec, "t-1", played.history(), played.statistics)
        assert isinstance(step, Wave)
        ids = [match.id for match in step.matches]
        assert older < ids[0] < ids[-1]
        assert {match.round for match in step.matches} == {rounds + 1}
        assert siblings(ids[0], 1) == ids[:1]
        older = ids[-1]


def test_a_ladder_lets_bots_come_and_go() -> None:
    played = Simulation(make(8, (Stage(Format.LADDER, rounds=6),)), score=at_random)
    played.step()
    for bot in ("new-100", "new-101", "new-102", "new-103"):
        played.enter(bot)
    played.withdraw("bot-002")
    played.run()
    seated = [{b for t in played.tables(n) for b in t} for n in range(6)]
    assert not any("new-100" in bots for bots in seated[:1])
    assert all("new-100" in seated[n] | set(played.notes[n].sit_outs) for n in range(1, 6))
    assert not any("bot-002" in bots for bots in seated[1:])
    assert "new-100" in order(played)


def test_a_gauntlet_is_about_one() -> None:
    played = Simulation(make(10, STAGES["gauntlet"])).run()
    assert len(played.waves) == 1
    assert sorted(len(table) for table in played.tables(0)) == [4, 4, 4]
    assert all("bot-000" in table for table in played.tables(0))
    assert {bot for table in played.tables(0) for bot in table} == set(names(10))


def test_stages_in_a_row() -> None:
    stages = (Stage(Format.SWISS, rounds=3, advance=8), Stage(Format.KNOCKOUT, boards=2))
    played = Simulation(make(20, stages)).run()
    assert [(note.stage, note.round) for note in played.notes] == [
        (1, 1), (1, 2), (1, 3), (2, 1), (2, 2),
    ]  # fmt: skip
    first = {bot for table in played.tables(3) for bot in table}
    assert len(first) == 8
    assert "bot-000" in first
    ranked = order(played)
    assert set(ranked[:8]) == first
    assert set(played.tables(4)[0]) == set(ranked[:4])
    assert sorted(ranked) == list(names(20))
    assert max(m.board for m in played.waves[3]) > max(m.board for m in played.waves[2])


def versus(**options: object) -> Spec:
    stage = Stage(Format.VERSUS, challenger="bot-001", **options)  # type: ignore[arg-type]
    made = Spec("Test", preset("standard"), 6, names(2), stages=(stage,), trust_repeats=True)
    made.check()
    return made


def test_fs07_versus_plays_mirrored_boards_until_the_test_decides() -> None:
    played = Simulation(versus())
    wave = played.step()
    assert len(wave) == 12
    for one, other in zip(wave[::2], wave[1::2], strict=True):
        assert one.board == other.board
        assert (one.rotation, other.rotation) == (0, 1)
        assert Counter(one.seats) == {"bot-000": 2, "bot-001": 2}
        assert all(a != b for a, b in zip(one.seats, other.seats, strict=True))
    assert len({match.seats for match in wave}) == 6  # every way to sit
    played.step()
    played.statistics.verdict = Verdict.NOT_BETTER
    assert not played.step()
    assert played.reason == "bot-001 is not better than bot-000: decided after 12 boards"
    assert order(played) == ["bot-000", "bot-001"]
    assert not played.spec.rated


def test_versus_ends_without_a_decision() -> None:
    played = Simulation(versus(max_boards=20)).run()
    assert [len(wave) for wave in played.waves] == [12, 12, 12, 4]
    assert played.reason == "not decided after 20 boards"


def test_a_block_that_is_given_up_or_void_decides_nothing() -> None:
    """CH05: an attempt that fails is no result."""

    def score(match: MatchPlan) -> Score | None:
        if match.board == 0:
            return None
        found = by_strength(match)
        assert found is not None
        return replace(found, void=True, forfeits=(0,)) if match.board == 1 else found

    played = Simulation(versus(max_boards=6), score=score).run()
    assert played.reason.startswith("not decided after 6 boards; 2 matches were given up after")


def test_a_precision_goal_plays_on() -> None:
    stage = Stage(separate=2, max_boards=20)
    played = Simulation(make(5, (stage,), boards=4))
    for _ in range(3):
        assert len(played.step()) == 20
    played.statistics.separated = Separation(2, 2, 1.0)
    assert not played.step()
    assert played.reason == ""
    played = Simulation(make(5, (stage,), boards=4)).run()
    assert len(played.waves) == 5
    assert played.reason == "the first 2 are not all separated after 20 boards at each table"


def test_fs09_one_bot_of_an_owner_at_a_table() -> None:
    owners = {f"bot-{n:03}": f"owner-{n // 3}" for n in range(24)}
    for name in ("swiss", "round_robin", "knockout"):
        entries = {bot: Entry(bot, owner) for bot, owner in owners.items()}
        played = Simulation(make(24, STAGES[name]), score=at_random, entries=entries).run()
        first = [table for n in range(min(4, len(played.waves))) for table in played.tables(n)]
        if name == "knockout":
            first = played.tables(0)
        for table in first:
            assert len({owners[bot] for bot in table}) == 4, name


def test_fs09_a_round_robin_of_all_sets_leaves_out_tables_with_two_bots_of_an_owner() -> None:
    bots = names(7)

    def planned(owners: dict[str, str]) -> list[tuple[str, ...]]:
        entries = {bot: Entry(bot, owners.get(bot, "")) for bot in bots}
        return Simulation(make(7, (Stage(),)), entries=entries).run().tables(0)

    two = planned({"bot-000": "ada", "bot-001": "ada", "bot-002": "bob"})
    assert not any({"bot-000", "bot-001"} <= set(table) for table in two)
    assert len(two) == 25
    # All belong to one: the field does not allow it.
    assert len(planned(dict.fromkeys(bots, "ada"))) == 35


def test_a_bot_that_stays_away_is_last() -> None:
    def score(match: MatchPlan) -> Score:
        seats = tuple(i for i, bot in enumerate(match.seats) if bot == "bot-000")
        return replace(at_random(match), void=bool(seats), forfeits=seats)

    for name in ("swiss", "halving", "knockout"):
        played = Simulation(make(8, STAGES[name]), score=score).run()
        places = order(played)
        assert places.index("bot-000") >= 4, name
