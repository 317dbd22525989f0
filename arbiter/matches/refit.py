"""Makes a rating pool's fit anew from its log."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from arbiter.ratings import wire
from arbiter.ratings.evidence import Outcome, evidence
from arbiter.ratings.points import fit
from arbiter.store import LogEntry, Store
from arbiter.tournaments.wire import decode
from hearts.v1 import matches_pb2


async def refit(store: Store, pool: str) -> bool:
    """Fit all rated results of a pool and keep the fit. False when a newer fit was there already.

    Idempotent; the same results give the same bytes, whatever the order of the log. Raises what
    the store raises.
    """
    entries = await store.ratings.log(pool)
    rotations = {}
    for tournament in sorted({entry.plan.tournament for entry in entries}):
        row = await store.tournaments.get(tournament)
        if row is not None:
            rotations[tournament] = decode(row.spec).rotations
    data = await asyncio.to_thread(rate, pool, entries, rotations)
    return await store.ratings.save(pool, data, len(entries))


def rate(pool: str, entries: Sequence[LogEntry], rotations: Mapping[str, int]) -> bytes:
    """The fit of a pool's log, as it is stored. `rotations`: matches in a block, by tournament."""
    outcomes = []
    for entry in entries:
        result = matches_pb2.MatchResult.FromString(entry.result)
        outcomes.append(
            Outcome(
                block=entry.plan.block,
                rotations=rotations[entry.plan.tournament],
                bots=entry.plan.seats,
                deals=tuple(tuple(deal.points) for deal in result.deals),
                void=result.void_block,
            )
        )
    return wire.encode(pool, fit(evidence(outcomes)))
