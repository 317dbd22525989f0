"""Ratings of a pool, from its whole log of results."""

import asyncio
import logging
from dataclasses import dataclass, field
from itertools import count, takewhile
from weakref import WeakKeyDictionary

from arbiter.ratings import wire
from arbiter.ratings.evidence import Log, Outcome
from arbiter.ratings.report import report
from arbiter.ratings.tables import fit
from arbiter.ratings.wire import Stored
from arbiter.store import LogEntry, Store
from arbiter.store.outcomes import outcome
from arbiter.store.ratings import Ratings
from arbiter.tournaments.spec import Spec
from arbiter.tournaments.wire import decode
from hearts.v1 import ratings_pb2
from workers.loop import Context

log = logging.getLogger(__name__)

FIRST_POINT = 20
"""Results of the first point of a pool's history; each further point has a quarter more."""


@dataclass(slots=True)
class _Kept:
    """A pool's results as arrays, so that a fit reads only what is new."""

    generation: int
    lines: int = 0
    log: Log = field(default_factory=Log)
    specs: dict[str, Spec] = field(default_factory=dict)


# By store, because a process may meet several (tests do).
_KEPT: WeakKeyDictionary[Ratings, dict[str, _Kept]] = WeakKeyDictionary()


async def refit(context: Context, pool: str) -> None:
    """Fit a pool again and keep the fit, unless a newer one is there.

    A pure function of the set of results: neither their order nor the number
    of workers can change a byte of it. The fit runs on a thread: leases and
    streams of this process must not wait for it.
    """
    store = await context.store()
    kept = await _kept(store, pool)
    part = await store.ratings.part(pool, kept.lines)
    known = ratings_pb2.ListRatingHistoryResponse()
    if part.corrects:
        # A result is held back, or is another now: what was made from it is not to be trusted.
        kept = _KEPT[store.ratings][pool] = _Kept(kept.generation)
        part = await store.ratings.part(pool)
    else:
        known.ParseFromString(await store.ratings.load_part(pool, "history") or b"")
    entries = part.entries
    await _learn(store, kept, entries)
    stored, points = await asyncio.to_thread(_fitted, pool, kept, entries, known)
    kept.lines += part.lines
    await store.ratings.save(
        pool,
        stored.fit,
        kept.lines,
        gaps=stored.gaps,
        history=points.SerializeToString(deterministic=True),
    )
    log.info("pool %s: %d results, %d of them new", pool, kept.log.length, len(entries))


async def refit_all(context: Context) -> None:
    """Fit every pool that has new results."""
    store = await context.store()
    for pool in await store.ratings.pools():
        if await store.ratings.due(pool, every_ms=0):
            await refit(context, pool)


async def _kept(store: Store, pool: str) -> _Kept:
    """The arrays of the pool; none of them after a rebuild was asked for."""
    generation = await store.ratings.generation(pool)
    pools = _KEPT.setdefault(store.ratings, {})
    if pool not in pools or pools[pool].generation != generation:
        pools[pool] = _Kept(generation)
    return pools[pool]


async def _learn(store: Store, kept: _Kept, entries: list[LogEntry]) -> None:
    """The rules and the rotations of tournaments not met before."""
    for tournament in {entry.plan.tournament for entry in entries} - kept.specs.keys():
        row = await store.tournaments.get(tournament)
        if row is not None:
            kept.specs[tournament] = decode(row.spec)


def _fitted(
    pool: str,
    kept: _Kept,
    entries: list[LogEntry],
    known: ratings_pb2.ListRatingHistoryResponse,
) -> tuple[Stored, ratings_pb2.ListRatingHistoryResponse]:
    kept.log.append(_outcome(entry, kept) for entry in entries)
    stored = wire.encode(pool, report(*kept.log.snapshot()))
    done = max((point.results for point in known.points), default=0)
    for length in _lengths(kept.log.length):
        if length > done:
            deals, _ = kept.log.snapshot(length)
            known.points.extend(wire.history(length, fit(deals)))
    return stored, known


def _outcome(entry: LogEntry, kept: _Kept) -> Outcome:
    return outcome(entry.plan, entry.result, kept.specs[entry.plan.tournament])


def _lengths(most: int) -> list[int]:
    """FIRST_POINT and a quarter more each time, up to `most`."""
    every = (round(FIRST_POINT * 1.25**power) for power in count())
    return list(takewhile(lambda length: length <= most, every))
