"""Ratings of a pool, from its whole log of results."""

import hashlib
import logging
from collections import defaultdict
from collections.abc import Iterable, Sequence

from arbiter.ratings.points import Deal, Table, fit
from arbiter.store import LogEntry, Store
from hearts.v1 import matches_pb2, ratings_pb2
from workers.loop import Context
from workers.specs import read_spec

log = logging.getLogger(__name__)


async def refit(context: Context, pool: str) -> None:
    """Fit a pool again and keep the fit, unless a newer one is there.

    A pure function of the set of results: neither their order nor the number
    of workers can change a byte of it.
    """
    store = await context.store()
    entries = await store.ratings.log(pool)
    rotations = await _rotations(store, {entry.plan.tournament for entry in entries})
    deals = list(rated_deals(entries, rotations))
    message = summary(pool, fit(deals))
    await store.ratings.save(pool, message.SerializeToString(deterministic=True), len(entries))
    log.info("pool %s: %d deals of %d results", pool, len(deals), len(entries))


async def refit_all(context: Context) -> None:
    """Fit every pool that has new results."""
    store = await context.store()
    for pool in await store.ratings.pools():
        if await store.ratings.due(pool, every_ms=0):
            await refit(context, pool)


async def _rotations(store: Store, tournaments: Iterable[str]) -> dict[str, int]:
    found = {}
    for tournament in tournaments:
        row = await store.tournaments.get(tournament)
        if row is not None:
            found[tournament] = read_spec(row.spec).rotations
    return found


def rated_deals(entries: Sequence[LogEntry], rotations: dict[str, int]) -> Iterable[Deal]:
    """The deals of complete blocks without a forfeit; ``rotations``: matches in a
    block, by tournament. Others would not be duplicate: luck would count."""
    blocks: dict[str, list[LogEntry]] = defaultdict(list)
    for entry in sorted(entries, key=lambda entry: entry.plan.id):
        blocks[entry.plan.block].append(entry)
    for block, members in blocks.items():
        results = [matches_pb2.MatchResult.FromString(entry.result) for entry in members]
        whole = len(members) == rotations.get(members[0].plan.tournament)
        if not whole or any(result.void_block for result in results):
            continue
        for entry, result in zip(members, results, strict=True):
            for number, deal in enumerate(result.deals):
                # The same number in another rotation is the same shuffle.
                yield Deal(f"{block}/{number}", entry.plan.seats, tuple(deal.points))


def summary(pool: str, tables: Sequence[Table]) -> ratings_pb2.Pool:
    """What is shown: tables that no play connects stand one after the other, each
    with ranks of its own. ``snapshot`` is a digest, so equal fits have equal bytes."""
    message = ratings_pb2.Pool(
        id=pool,
        deals=sum(table.deals for table in tables),
        blocks=sum(table.blocks for table in tables),
    )
    for table in tables:
        for rating in table.ratings:
            message.ratings.add(
                rank=rating.rank,
                bot=f"bots/{rating.bot}",
                strength=rating.strength,
                standard_error=rating.se or 0.0,
                low=rating.low or 0.0,
                high=rating.high or 0.0,
                deals=rating.deals,
                blocks=rating.blocks,
                provisional=rating.provisional,
            )
    digest = hashlib.sha256(message.SerializeToString(deterministic=True)).hexdigest()
    message.snapshot = digest[:16]
    return message
