"""What happens next in each tournament, and what nobody does although it should be done."""

import logging
from collections.abc import Awaitable, Callable

from arbiter.matches.advance import Advance
from arbiter.matches.advance import advance as take_further
from arbiter.matches.starting import start_due
from arbiter.matches.stuck import STUCK_MS, stuck
from arbiter.store import Store, StoreError, UnknownTournament
from arbiter.tournaments.wire import decode
from workers import fit
from workers.loop import Context

log = logging.getLogger(__name__)

REFIT_MS = 10_000
"""While results come in, ratings are fitted again at most this often."""

LOOK_MS = 30_000
"""How often a tournament is looked at for matches that are stuck."""

Offer = Callable[[], Awaitable[object]]
Refit = Callable[[str], Awaitable[object]]


async def advance(context: Context, tournament: str, *, patient: bool = False) -> bool:
    """Plan the next wave or finish, when every match planned so far has ended, and fit the ratings
    after the end. Returns whether there are new matches. An unknown tournament has none.
    `patient`: see `arbiter.matches.advance`."""
    store = await context.store()
    try:
        result = await take_further(store, tournament, patient=patient)
    except UnknownTournament:
        return False
    if result.outcome is Advance.PLANNED:
        log.info("%s: %d matches planned", tournament, result.matches)
    elif result.outcome is Advance.FINISHED:
        log.info("%s: finished", tournament)
        await fit.refit_all(context)
    return result.outcome is Advance.PLANNED and result.matches > 0


async def sweep(context: Context, offer: Offer, refit: Refit, qualify: Offer | None = None) -> None:
    """Find what no worker does: leases run out, tournaments that are due or can go on,
    matches that wait, results that are not in the ratings. The whole of crash recovery,
    and the whole of scheduling."""
    store = await context.store()
    await store.matches.swept()
    expired = await store.matches.expire()
    if expired:
        log.warning("%d leases ran out: %s", len(expired), ", ".join(expired[:5]))
    for tournament in await start_due(store):
        log.info("%s: started", tournament)
    for tournament in await store.tournaments.running():
        try:
            await advance(context, tournament, patient=True)
            await _alert(store, tournament)
        except StoreError:
            raise
        except Exception:
            # Whatever is wrong with one tournament must not stop all others.
            log.exception("%s: cannot go on", tournament)
    if qualify is not None and await store.versions.waiting():
        await qualify()
    if await store.matches.ready_count():
        await offer()
    for pool in await store.ratings.pools():
        if await store.ratings.due(pool, REFIT_MS):
            await refit(pool)


async def _alert(store: Store, tournament: str) -> None:
    """Say in the log, as an error, what is stuck; again while it stays so."""
    if not await store.tournaments.look_due(tournament, LOOK_MS):
        return
    row = await store.tournaments.get(tournament)
    if row is None:
        return
    found = await stuck(store, row, decode(row.spec))
    if found and await store.tournaments.alert_due(tournament, STUCK_MS):
        match, age = found[0]
        log.error(
            "%s: STUCK: %s has been %s for %d s, and %d more; see: hearts tournaments show %s",
            tournament,
            match.plan.id,
            match.state,
            age // 1000,
            len(found) - 1,
            tournament,
        )
