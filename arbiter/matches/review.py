"""Before the results of a wave count: whose time-outs stand out (RS06)."""

from __future__ import annotations

import logging

from arbiter.ratings.watchdogs import Lateness, lateness
from arbiter.store import MatchState, Store, TournamentRow
from arbiter.tournaments.history import Note
from arbiter.tournaments.matchplan import table_id

log = logging.getLogger(__name__)

ACTOR = "watchdog"


async def review(store: Store, row: TournamentRow) -> int:
    """Hold the results of the last wave of a worker, or else an arbiter, that lost far more
    decisions to the clock than the rest, and have the matches played again; returns how many.

    All matches of the wave must have ended. What is played again is not held again, so nothing
    goes round for ever. Where a bot was slow and had most of its matches with one worker by
    chance, they are played once more, and no harm is done.
    """
    counts = await store.holds.lateness(row.id)
    for kind in ("worker", "arbiter"):
        for line in lateness(counts[kind]):
            if not line.hold:
                continue
            words = _words(kind, line)
            if held := await hold_played_by(store, row, kind, line.worker, ACTOR, words):
                return held
    return 0


async def hold_played_by(
    store: Store, row: TournamentRow, kind: str, name: str, actor: str, reason: str
) -> int:
    """Hold what this worker or arbiter (`kind`) played in the last wave; returns how many results
    are held now that were not."""
    note = Note.decode((await store.matches.notes(row.id))[-1])
    # "…-01-003-": what the ids of the round begin with.
    head = table_id(row.id, note.stage, note.round, 0)[: -len("000000")]
    done = await store.matches.ids(row.id, MatchState.DONE)
    ids = [id_ for id_ in done if id_.startswith(head)]
    theirs = await store.holds.played_by(ids, kind, name)
    held = await store.holds.hold(row.id, row.waves, theirs, actor, reason)
    if held:
        log.warning("%s: %d results are held and played again: %s", row.id, held, reason)
    return held


def _words(kind: str, line: Lateness) -> str:
    return (
        f"{kind} {line.worker} lost {line.timeouts} of {line.decisions} decisions to the clock "
        f"({line.rate:.2%}), the others {line.rest:.2%}"
    )
