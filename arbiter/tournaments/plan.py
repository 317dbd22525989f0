"""The next matches of a tournament: a pure function of its spec, its id and what has happened.

Formats plan in numbered waves, one round each, and wave k + 1 sees only complete waves up to k. So
nothing here depends on who registered first, who finished first or how many workers there are:
entries are sorted, and every choice comes from the spec's seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType

from arbiter.tournaments import (
    gauntlet,
    halving,
    knockout,
    ladder,
    round_robin,
    swiss,
    versus,
)
from arbiter.tournaments.draw import Draw
from arbiter.tournaments.history import Entry, History, Note, stage_rounds
from arbiter.tournaments.matchlist import Matches, Place, matches, seats_used
from arbiter.tournaments.spec import MAX_MATCHES, Spec
from arbiter.tournaments.stage import Format, Over, Round, Situation, Stage
from arbiter.tournaments.statistics import Statistics

FORMATS: dict[Format, ModuleType] = {
    Format.ROUND_ROBIN: round_robin,
    Format.SWISS: swiss,
    Format.KNOCKOUT: knockout,
    Format.HALVING: halving,
    Format.LADDER: ladder,
    Format.GAUNTLET: gauntlet,
    Format.VERSUS: versus,
}
"""Each module has `next_round(situation)` and `ranking(situation)`, both pure."""

OPEN = frozenset({Format.SWISS, Format.LADDER})
"""Formats that bots may enter while they run."""

MAX_BOARD = 2**32 - 1
"""As far as the contract's numbers reach: at a million boards a day, in eleven years."""


@dataclass(frozen=True, slots=True)
class Wave:
    """Matches to add to the tournament, as its wave `number` (from 1), in canonical order."""

    number: int
    matches: Matches
    note: Note


@dataclass(frozen=True, slots=True)
class Waiting:
    """The current wave is not complete: `missing` of its matches have no final state."""

    missing: int


@dataclass(frozen=True, slots=True)
class Finished:
    """Nothing is left to play. `reason` is "" when all went well."""

    reason: str = ""


Step = Wave | Waiting | Finished


def plan(spec: Spec, tournament_id: str, history: History, statistics: Statistics) -> Step:
    """What happens next. The spec must have passed its check."""
    if history.missing:
        return Waiting(history.missing)
    if history.waves and is_single_wave(spec, history.entries):
        return Finished(_reasons(history, ""))
    entrants: Sequence[str] | None = None
    reason = ""
    for number, stage in enumerate(spec.all_stages, start=1):
        now = situation(spec, number, history, statistics, entrants)
        if any(note.stage > number for note in history.notes):
            step: Round | Over = Over()
        else:
            if few := _too_few(spec, stage, now):
                return Finished(_reasons(history, few))
            step = FORMATS[stage.format].next_round(now)
        if isinstance(step, Round):
            return _wave(spec, tournament_id, history, now, step)
        reason = step.reason
        entrants = FORMATS[stage.format].ranking(now)
    return Finished(_reasons(history, reason))


def is_single_wave(spec: Spec, entries: Sequence[Entry] | None) -> bool:
    """Whether the whole plan is fixed from the start, whatever the results."""
    stage = spec.all_stages[0]
    bots = len(spec.entries if entries is None else [entry for entry in entries if entry.plays(1)])
    return (
        len(spec.all_stages) == 1
        and stage.format is Format.ROUND_ROBIN
        and not stage.separate
        and bots >= spec.rules.players
        and not round_robin.rounds(bots, spec.rules.players, stage.rounds)
    )


def situation(
    spec: Spec,
    number: int,
    history: History,
    statistics: Statistics,
    before: Sequence[str] | None,
) -> Situation:
    """What the format of stage `number` sees. `before`: the ranking of the stage before it."""
    stage = spec.all_stages[number - 1]
    entries = history.entries
    if entries is None:
        entries = [Entry(bot) for bot in sorted(spec.entries)]
    begun = history.first_wave(number)
    if before is None:
        first = [entry.bot for entry in entries if entry.plays(begun)]
        seeds = Draw(spec.seed, "seeding").shuffled(sorted(first))
        late = sorted((entry.joined, entry.bot) for entry in entries if entry.joined >= begun)
        seeds += [bot for _, bot in late]
    else:
        here = {entry.bot for entry in entries if entry.plays(begun)}
        seeds = [bot for bot in before if bot in here]
        goes_on = spec.all_stages[number - 2].advance
        seeds = seeds[: goes_on or None]
    return Situation(
        stage=stage,
        number=number,
        players=spec.rules.players,
        seed=spec.seed,
        boards=stage.boards or spec.boards,
        rotations=spec.rotations,
        entrants=tuple(seeds),
        active=frozenset(entry.bot for entry in entries if entry.plays(history.waves + 1)),
        statistics=statistics,
        rounds=stage_rounds(history, number),
        owners={entry.bot: entry.owner for entry in entries if entry.owner},
        penalty=spec.penalty,
        seats=seats_used(history.matches) if spec.rotations == 1 else {},
    )


def final_order(spec: Spec, history: History, statistics: Statistics) -> list[str]:
    """All entries, best first, as the formats see it now: who has come further stands before who
    has not, whatever the points."""
    order: list[str] = []
    before: Sequence[str] | None = None
    for number, stage in enumerate(spec.all_stages, start=1):
        if number > 1 and not any(note.stage >= number for note in history.notes):
            break
        now = situation(spec, number, history, statistics, before)
        before = FORMATS[stage.format].ranking(now)
        order = [*before, *(bot for bot in order if bot not in set(before))]
    return order


def _too_few(spec: Spec, stage: Stage, now: Situation) -> str:
    """Why the stage cannot go on with those who are left; "" when it can (SP08)."""
    needed = 2 if stage.format is Format.VERSUS else spec.rules.players
    left = len(now.playing)
    if left >= needed or (stage.format is Format.VERSUS and now.rounds):
        return ""
    bots = "1 bot is" if left == 1 else f"{left} bots are"
    return f"too few bots: {bots} left, and a table needs {needed}"


def _wave(spec: Spec, tournament: str, history: History, now: Situation, step: Round) -> Step:
    number = len(now.rounds) + 1
    place = Place(tournament, now.number, number, history.next_board())
    last = place.first_board + len(step.tables) * step.boards - 1
    made = matches(step, place, spec.seed, now.players, spec.rotations, now.seats)
    if last > MAX_BOARD or len(made) > MAX_MATCHES:
        return Finished(_reasons(history, "the tournament has become too long to go on"))
    return Wave(history.waves + 1, made, Note(now.number, number, step.sit_outs))


def _reasons(history: History, reason: str) -> str:
    """Why it ended, with what was given up on the way."""
    entries = history.entries or ()
    gone = {entry.bot for entry in entries if entry.left is not None}
    seats = {match.id: match.seats for match in history.matches} if gone else {}
    left = sum(not gone.isdisjoint(seats.get(match, ())) for match in history.failed)
    parts = [reason] if reason else []
    if faults := len(history.failed) - left:
        parts.append(f"{_matches(faults)} given up after platform faults")
    if left:
        parts.append(f"{_matches(left)} given up because a bot had withdrawn")
    return "; ".join(parts)


def _matches(count: int) -> str:
    return "1 match was" if count == 1 else f"{count} matches were"
