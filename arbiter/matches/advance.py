"""Takes one tournament a step further: its next matches, or its end."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from enum import StrEnum

from arbiter.matches import payloads
from arbiter.matches.benching import withdraw_unfit
from arbiter.matches.review import review
from arbiter.matches.statistics import Ratings
from arbiter.store import MatchState, Store, TournamentRow, UnknownTournament
from arbiter.tournaments import wire
from arbiter.tournaments.history import Entry, History, Note
from arbiter.tournaments.plan import Finished, Step, Waiting, Wave, is_single_wave, plan
from arbiter.tournaments.spec import Spec
from arbiter.tournaments.stage import Score
from hearts.record import Verdict
from hearts.wire import result_from_wire

_FORFEITS = frozenset({Verdict.NO_SHOW, Verdict.NO_START})


class Advance(StrEnum):
    """What a call of `advance` found or did."""

    # Matches are still to be played: nothing to do.
    WAITING = "waiting"
    # A wave of matches was added.
    PLANNED = "planned"
    # The tournament has just ended.
    FINISHED = "finished"
    # It was over already.
    OVER = "over"
    # It has not started, or is paused.
    IDLE = "idle"


@dataclass(frozen=True, slots=True)
class AdvanceResult:
    """`matches`: how many are still missing (WAITING), or were added (PLANNED)."""

    outcome: Advance
    matches: int = 0


PATIENCE_MS = 5_000
"""A planner that has written nothing for so long is dead."""


async def advance(store: Store, tournament_id: str, *, patient: bool = False) -> AdvanceResult:
    """Plan the next wave when the one before is complete, and end the tournament after the last.

    Idempotent: it may be repeated at any time, by anybody, and run twice at once. The plan follows
    from the spec, the entries and the results alone, and the store writes each wave as a whole,
    once, and only if nobody has entered or withdrawn since. `patient`: leave a wave to the planner
    that is writing it now.
    Raises UnknownTournament, and what the store raises.
    """
    row = await store.tournaments.get(tournament_id)
    if row is None:
        raise UnknownTournament(f"there is no tournament {tournament_id!r}")
    if row.over:
        return AdvanceResult(Advance.OVER)
    if not row.active:
        return AdvanceResult(Advance.IDLE)
    if not row.settled:
        return AdvanceResult(Advance.WAITING, row.planned - row.done - row.failed)
    if patient and await _is_being_written(store, row):
        return AdvanceResult(Advance.WAITING)
    if row.waves and (held := await review(store, row)):
        return AdvanceResult(Advance.WAITING, held)
    if await withdraw_unfit(store, tournament_id):
        row = await store.tournaments.get(tournament_id) or row  # another roster
    spec = wire.decode(row.spec)
    entries = await store.tournaments.entries(tournament_id)
    history = await read_history(store, row, spec, entries)
    if history.waves != row.waves:
        # Somebody added a wave between the two reads: they show no one moment.
        return AdvanceResult(Advance.WAITING)
    # A plan of 100,000 matches takes a second: not on the loop that referees.
    step: Step = await asyncio.to_thread(plan, spec, tournament_id, history, Ratings())
    match step:
        case Wave(number, matches, note):
            added = await store.matches.add_wave(
                tournament_id, number, matches, note=note.encode(), roster=row.roster
            )
            return AdvanceResult(Advance.PLANNED, len(matches) if added else 0)
        case Waiting(missing):
            return AdvanceResult(Advance.WAITING, missing)
        case Finished(reason):
            ended = await store.tournaments.finish(tournament_id, reason, seen=row)
            over = ended is not None and ended.over
            return AdvanceResult(Advance.FINISHED if over else Advance.WAITING)


async def _is_being_written(store: Store, row: TournamentRow) -> bool:
    """A large wave takes seconds: it need not be written by several planners at once."""
    if not row.writing_ms:
        return False
    return await store.tournaments.now_ms() - row.writing_ms < PATIENCE_MS


async def read_history(
    store: Store,
    row: TournamentRow,
    spec: Spec,
    entries: list[Entry],
    *,
    everything: bool = False,
) -> History:
    """What has happened so far; all results only for a plan that adapts to them, or if asked."""
    roster = entries or None
    failed = await store.matches.ids(row.id, MatchState.FAILED_INFRA)
    notes = tuple(Note.decode(data) for data in await store.matches.notes(row.id))
    history = History(
        notes=notes, planned=row.planned, done=row.done, failed=failed, entries=roster
    )
    if not row.waves:
        return history
    if is_single_wave(spec, roster) and not everything:
        # Only who sat in the matches that were given up, to say why.
        matches = [found.plan for found in await store.matches.load(failed)]
        scores: dict[str, Score] = {}
    else:
        matches = await store.matches.plans(row.id)
        results = await store.matches.results(row.id)
        scores = await asyncio.to_thread(lambda: {match.id: score(data) for match, data in results})
    return History(
        notes=notes,
        planned=row.planned,
        done=row.done,
        failed=failed,
        matches=matches,
        scores=scores,
        entries=roster,
    )


def score(data: bytes) -> Score:
    """What a stored result contributes to the pairings."""
    result = result_from_wire(payloads.read_result(data))
    return Score(
        deals=result.deals,
        places=tuple(seat.place_times_two for seat in result.seats),
        void=result.void_block,
        forfeits=tuple(i for i, seat in enumerate(result.seats) if seat.verdict in _FORFEITS),
    )
