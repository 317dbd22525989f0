"""Ratings of a pool, from its whole log of results."""

import logging

from arbiter.ratings import wire
from arbiter.ratings.evidence import Outcome, evidence
from arbiter.ratings.tables import fit
from arbiter.store import LogEntry, Store
from arbiter.tournaments.wire import decode
from hearts.v1 import matches_pb2
from workers.loop import Context

log = logging.getLogger(__name__)


async def refit(context: Context, pool: str) -> None:
    """Fit a pool again and keep the fit, unless a newer one is there.

    A pure function of the set of results: neither their order nor the number
    of workers can change a byte of it.
    """
    store = await context.store()
    entries = await store.ratings.log(pool)
    rotations = await _rotations(store, entries)
    deals = evidence(_outcome(entry, rotations[entry.plan.tournament]) for entry in entries)
    await store.ratings.save(pool, wire.encode(pool, fit(deals)), len(entries))
    log.info("pool %s: %d deals of %d results", pool, len(deals), len(entries))


async def refit_all(context: Context) -> None:
    """Fit every pool that has new results."""
    store = await context.store()
    for pool in await store.ratings.pools():
        if await store.ratings.due(pool, every_ms=0):
            await refit(context, pool)


async def _rotations(store: Store, entries: list[LogEntry]) -> dict[str, int]:
    """Matches in a block, by tournament."""
    found = {}
    for tournament in {entry.plan.tournament for entry in entries}:
        row = await store.tournaments.get(tournament)
        if row is not None:
            found[tournament] = decode(row.spec).rotations
    return found


def _outcome(entry: LogEntry, rotations: int) -> Outcome:
    message = matches_pb2.MatchResult.FromString(entry.result)
    return Outcome(
        block=entry.plan.block,
        rotations=rotations,
        bots=entry.plan.seats,
        deals=tuple(tuple(deal.points) for deal in message.deals),
        void=message.void_block,
    )
