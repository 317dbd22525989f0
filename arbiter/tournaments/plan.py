"""The next matches of a tournament: a pure function of its spec, its id and the results so far.

Nothing here depends on who registered first, who finished first or how many workers there are:
entries are sorted, and every choice comes from the spec's seed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from arbiter.tournaments.draw import Draw
from arbiter.tournaments.matchplan import MatchPlan, match_id
from arbiter.tournaments.seating import Seating, balanced, rotated
from arbiter.tournaments.spec import Format, Spec


@dataclass(frozen=True, slots=True)
class Wave:
    """Matches to add to the tournament, as its wave `number` (from 1), in canonical order."""

    number: int
    matches: list[MatchPlan]


@dataclass(frozen=True, slots=True)
class Waiting:
    """The current wave is not complete: `missing` of its matches have no final state."""

    missing: int


@dataclass(frozen=True, slots=True)
class Finished:
    """Nothing is left to play. `reason` is "" when all went well."""

    reason: str = ""


Step = Wave | Waiting | Finished


@dataclass(frozen=True, slots=True)
class History:
    """What has happened so far: how many waves are planned, and the ids of the matches that have a
    final state. `failed` ones were given up after platform faults."""

    waves: int = 0
    done: Collection[str] = ()
    failed: Collection[str] = ()


def plan(spec: Spec, tournament_id: str, history: History) -> Step:
    """What happens next. The spec must have passed its check."""
    match spec.format:
        case Format.ROUND_ROBIN:
            return _single_wave(spec, tournament_id, history)


def round_robin(spec: Spec, tournament_id: str) -> list[MatchPlan]:
    """Every set of entries that fits a table plays `spec.boards` boards, so every pair meets
    equally often. No two tables share a board, so no two deals are equal except by rotation.

    Duplicate: each board in every rotation of one seating. Single: one match a board, and every
    bot sits in each seat equally often, give or take one, over the whole tournament.
    """
    tables = list(combinations(sorted(spec.entries), spec.rules.players))
    seatings = _duplicate_seats(spec, tables) if spec.duplicate else _single_seats(spec, tables)
    plans: list[MatchPlan] = []
    for table, boards in enumerate(seatings, start=1):
        for index, base in enumerate(boards):
            board = (table - 1) * spec.boards + index
            for rotation in range(spec.rotations):
                name = match_id(tournament_id, 1, 1, table, board, rotation)
                seats = rotated(base, rotation)
                plans.append(MatchPlan(name, tournament_id, 1, 1, table, board, rotation, seats))
    return plans


def _single_wave(spec: Spec, tournament_id: str, history: History) -> Step:
    if history.waves == 0:
        return Wave(1, round_robin(spec, tournament_id))
    missing = spec.matches() - len(history.done) - len(history.failed)
    if missing > 0:
        return Waiting(missing)
    if history.failed:
        count = len(history.failed)
        matches = "1 match was" if count == 1 else f"{count} matches were"
        return Finished(f"{matches} given up after platform faults")
    return Finished()


def _duplicate_seats(spec: Spec, tables: Sequence[Seating]) -> Iterator[list[Seating]]:
    """For each table the base seating of each board. The rotations balance the seats; drawing each
    board's circle anew varies who sits at whose left."""
    for table, entries in enumerate(tables):
        draws = (Draw(spec.seed, "seats", table, board) for board in range(spec.boards))
        yield [tuple(draw.shuffled(entries)) for draw in draws]


def _single_seats(spec: Spec, tables: Sequence[Seating]) -> Iterator[list[Seating]]:
    """For each table the seating of each board: drawn circles, each used in every rotation; then
    the boards that do not fill a cycle, balanced over all tables."""
    players = spec.rules.players
    cycles, rest = divmod(spec.boards, players)
    loose = balanced(
        [
            tuple(Draw(spec.seed, "rest", table, board).shuffled(entries))
            for table, entries in enumerate(tables)
            for board in range(rest)
        ]
    )
    for table, entries in enumerate(tables):
        circles = [Draw(spec.seed, "seats", table, n).shuffled(entries) for n in range(cycles)]
        full = [rotated(circle, turn) for circle in circles for turn in range(players)]
        yield full + loose[table * rest : (table + 1) * rest]
