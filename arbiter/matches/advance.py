"""Takes one tournament a step further: its next matches, or its end."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from enum import StrEnum

from arbiter.store import MatchState, Store, UnknownTournament
from arbiter.tournaments import wire
from arbiter.tournaments.plan import Finished, History, Waiting, Wave, plan


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


@dataclass(frozen=True, slots=True)
class AdvanceResult:
    """`matches`: how many are still missing (WAITING), or were added (PLANNED)."""

    outcome: Advance
    matches: int = 0


async def advance(store: Store, tournament_id: str) -> AdvanceResult:
    """Plan the next wave when the one before is complete, and end the tournament after the last.

    Idempotent: it may be repeated at any time, by anybody, and run twice at once. The plan follows
    from the spec and the results alone, and the store writes each wave as a whole, once.
    Raises UnknownTournament, and what the store raises.
    """
    row = await store.tournaments.get(tournament_id)
    if row is None:
        raise UnknownTournament(f"there is no tournament {tournament_id!r}")
    if row.over:
        return AdvanceResult(Advance.OVER)
    if not row.settled:
        return AdvanceResult(Advance.WAITING, row.planned - row.done - row.failed)
    history = History(
        waves=row.waves,
        done=await store.matches.ids(tournament_id, MatchState.DONE),
        failed=await store.matches.ids(tournament_id, MatchState.FAILED_INFRA),
    )
    # A plan of 100,000 matches takes a second: not on the loop that referees.
    step = await asyncio.to_thread(plan, wire.decode(row.spec), tournament_id, history)
    match step:
        case Wave(number, matches):
            added = await store.matches.add_wave(tournament_id, number, matches)
            return AdvanceResult(Advance.PLANNED, len(matches) if added else 0)
        case Waiting(missing):
            return AdvanceResult(Advance.WAITING, missing)
        case Finished(reason):
            await store.tournaments.finish(tournament_id, reason)
            return AdvanceResult(Advance.FINISHED)
