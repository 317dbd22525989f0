"""What happens next in each tournament, and what nobody does although it should be done."""

import logging
from collections.abc import Awaitable, Callable

from arbiter.store import MatchState, Store, StoreError, TournamentRow
from arbiter.tournaments.plan import Finished, History, Waiting, Wave, plan
from arbiter.tournaments.wire import decode
from workers import fit
from workers.loop import Context

log = logging.getLogger(__name__)

REFIT_MS = 10_000
"""While results come in, ratings are fitted again at most this often."""

Offer = Callable[[], Awaitable[object]]
Refit = Callable[[str], Awaitable[object]]


async def advance(context: Context, tournament: str) -> bool:
    """Plan the next wave or finish, when every match planned so far has ended.

    Returns whether there are new matches. May run twice at once and after any
    crash: the plan is a function of spec and results, and the store takes each
    wave once.
    """
    store = await context.store()
    row = await store.tournaments.get(tournament)
    if row is None or row.over or not row.settled:
        return False
    spec = decode(row.spec)
    match plan(spec, tournament, await _history(store, row)):
        case Wave(number, matches):
            log.info("%s: wave %d of %d matches", tournament, number, len(matches))
            return await store.matches.add_wave(tournament, number, matches)
        case Finished(reason):
            await store.tournaments.finish(tournament, reason)
            log.info("%s: finished %s", tournament, reason)
            await fit.refit_all(context)
        case Waiting(missing):
            log.error("%s: nothing runs, but the plan misses %d matches", tournament, missing)
    return False


async def sweep(context: Context, offer: Offer, refit: Refit) -> None:
    """Find what no worker does: leases run out, tournaments that can go on, matches
    that wait, results that are not in the ratings. The whole of crash recovery."""
    store = await context.store()
    expired = await store.matches.expire()
    if expired:
        log.warning("%d leases ran out: %s", len(expired), ", ".join(expired[:5]))
    for tournament in await store.tournaments.running():
        try:
            await advance(context, tournament)
        except StoreError:
            raise
        except Exception:
            # Whatever is wrong with one tournament must not stop all others.
            log.exception("%s: cannot go on", tournament)
    if await store.matches.ready_count():
        await offer()
    for pool in await store.ratings.pools():
        if await store.ratings.due(pool, REFIT_MS):
            await refit(pool)


async def _history(store: Store, row: TournamentRow) -> History:
    return History(
        waves=row.waves,
        done=await store.matches.ids(row.id, MatchState.DONE),
        failed=await store.matches.ids(row.id, MatchState.FAILED_INFRA),
    )
