"""Playing one batch: claim matches, have an arbiter play them, see that none is left behind."""

import asyncio
import contextlib
import logging
import os
import socket
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import grpc.aio

from arbiter.store import ArbiterRow, Claim, Store, StoreError
from hearts.v1 import arbiter_pb2
from workers import hosted, schedule
from workers.dial import Unreachable
from workers.loop import Context
from workers.places import place, whereabouts

log = logging.getLogger(__name__)

GRACE_S = 0.3
"""After a call was cancelled the arbiter returns the leases itself, and commits
that are on their way arrive; only then are those that are left taken from it."""

APART_MS = 3_000
"""A match whose bots are at different arbiters is looked at again after so long."""

Offer = Callable[[], Awaitable[object]]
COMMITTED = arbiter_pb2.ATTEMPT_OUTCOME_COMMITTED
RELEASED = arbiter_pb2.ATTEMPT_OUTCOME_RELEASED
FAILED = arbiter_pb2.ATTEMPT_OUTCOME_FAILED_INFRA


class ArbiterLost(Exception):
    """The arbiter does not do its work; the message says how that showed."""


async def play_batch(context: Context, offer: Offer) -> None:
    """Play the next batch of ready matches, if there are any and an arbiter is up.

    ``offer`` is called when there is work for another worker. When cancelled,
    what still runs is given up and its leases are returned.
    """
    store = await context.store()
    found = await _arbiter(context, store)
    if found is None:
        return
    arbiter, stub = found
    claims = await store.matches.claim(
        context.pace.first,
        context.settings.lease_ms,
        context.pace.sizes(),
        hosts=(await context.stage.host()).willing,
        most_bots=context.settings.hosted_bots,
    )
    if claims and (moved := await _where_the_bots_are(context, store, arbiter, claims)):
        arbiter, stub, claims = moved
    if not claims:
        return
    if await store.matches.ready_count():
        await offer()
    tournament = claims[0].tournament
    began = time.monotonic()
    outcomes = await _play(context, store, stub, arbiter, claims)
    took = time.monotonic() - began
    log.info("%s: %d matches in %.2f s: %s", tournament, len(claims), took, _told(outcomes))
    if outcomes[COMMITTED] == len(claims):
        context.pace.note(tournament, len(claims), took)
    await schedule.advance(context, tournament)
    if outcomes[COMMITTED] and await store.matches.ready_count():
        await offer()


async def _arbiter(context: Context, store: Store) -> tuple[ArbiterRow, Any] | None:
    """An arbiter that can be reached, before anything is claimed for it."""
    dialer = context.dialer
    alive = await store.arbiters.alive()
    await dialer.keep([row.address for row in alive])
    if not alive:
        if not dialer.quiet:
            log.warning("no arbiter is up; looking again in %.1f s", dialer.failed(""))
        return None
    dialer.worked("")
    arbiter = dialer.choose(alive)
    if arbiter is None:
        return None
    try:
        return arbiter, await dialer.reach(arbiter.address)
    except Unreachable:
        _lost(context, arbiter, "does not answer")
        return None


async def _where_the_bots_are(
    context: Context, store: Store, arbiter: ArbiterRow, claims: Sequence[Claim]
) -> tuple[ArbiterRow, Any, list[Claim]] | None:
    """The arbiter for these matches and those of them that it can play, the others returned; None:
    the chosen one can play all."""
    alive = await store.arbiters.alive()
    if len(alive) == 1 and alive[0].id == arbiter.id:
        return None
    seats = {r.plan.id: r.plan.seats for r in await store.matches.load([c.match for c in claims])}
    bots = await store.bots.get_many(sorted({bot for table in seats.values() for bot in table}))
    found = place(claims, seats, whereabouts(bots, alive), context.dialer.free(alive))
    for claim in found.elsewhere:
        await store.matches.release(claim.match, claim.lease)
    for claim in found.apart:
        await store.matches.release(claim.match, claim.lease, APART_MS)
    if found.arbiter is None:
        return arbiter, None, []
    try:
        return found.arbiter, await context.dialer.reach(found.arbiter.address), list(found.here)
    except Unreachable:
        _lost(context, found.arbiter, "does not answer")
        await _release(store, {claim.match: claim.lease for claim in found.here})
        return arbiter, None, []


async def _play(
    context: Context, store: Store, stub: Any, arbiter: ArbiterRow, claims: Sequence[Claim]
) -> Counter[int]:
    """Have the matches played, with the bots in them that the platform hosts; returns how often
    each outcome came."""
    request = arbiter_pb2.PlayBatchRequest(
        worker=f"{socket.gethostname()}/{os.getpid()}",
        assignments=[
            arbiter_pb2.Assignment(match=f"matches/{claim.match}", lease=claim.lease)
            for claim in claims
        ],
    )
    try:
        bots = await hosted.bots_of(store, claims)
        if not bots:
            return await _call(context, store, stub, arbiter, request)
        async with context.stage.crew(store, arbiter, bots) as crew:
            hosted.fill_in(request, crew, context.stage.at_once, context.settings)
            await hosted.give_up(store, request, crew)
            crew.watch(hosted.reporter(stub, context.dialer.metadata))
            if not request.assignments:
                return Counter({FAILED: len(claims)})
            outcomes = await _call(context, store, stub, arbiter, request)
        await crew.keep_logs(hosted.occasion(claims))
        return outcomes
    except BaseException:
        await _release(store, {claim.match: claim.lease for claim in claims})
        raise


async def _call(
    context: Context,
    store: Store,
    stub: Any,
    arbiter: ArbiterRow,
    request: arbiter_pb2.PlayBatchRequest,
) -> Counter[int]:
    pending = {one.match.removeprefix("matches/"): one.lease for one in request.assignments}
    outcomes: Counter[int] = Counter()
    # No deadline: a match may take hours. Pings find a dead arbiter, and lost
    # leases one that is alive but does nothing.
    call = stub.PlayBatch(request, metadata=context.dialer.metadata)
    try:
        await _follow(context, store, call, pending, outcomes)
        if outcomes[RELEASED] and not outcomes[COMMITTED]:
            raise ArbiterLost("takes no matches now")
        context.dialer.worked(arbiter.address)
    except ArbiterLost as trouble:
        _lost(context, arbiter, str(trouble))
    except grpc.aio.AioRpcError as error:
        _lost(context, arbiter, f"broke off: {error.code().name}: {error.details()}")
    finally:
        call.cancel()
        if pending:
            await asyncio.sleep(GRACE_S)
            await _release(store, pending)
    return outcomes


async def _follow(
    context: Context,
    store: Store,
    call: Any,
    pending: dict[str, str],
    outcomes: Counter[int],
) -> None:
    """Count the outcomes as they come, until the arbiter has sent the last.

    Raises ArbiterLost when it has let every lease that is pending run out;
    AioRpcError when the call fails.
    """
    reading = None
    try:
        while True:
            reading = reading or asyncio.ensure_future(call.read())
            await asyncio.wait({reading}, timeout=context.settings.lease_seconds)
            if not reading.done():
                if not await _held(store, pending):
                    raise ArbiterLost("has let all leases run out")
                continue
            response = await reading
            reading = None
            if response is grpc.aio.EOF:
                return
            match = response.match.removeprefix("matches/")
            pending.pop(match, None)
            outcomes[response.outcome] += 1
            if response.outcome == FAILED:
                log.warning("match %s failed: %s", match, response.reason)
    finally:
        if reading is not None:
            reading.cancel()


async def _held(store: Store, pending: dict[str, str]) -> bool:
    """Drop the matches whose lease is lost; whether any is left."""
    # Without the store nothing is known, and the arbiter keeps what it has.
    with contextlib.suppress(StoreError):
        await store.matches.expire()  # all other workers may be waiting as this one does
        rows = await store.matches.load(list(pending))
        for row in rows:
            if row.lease != pending[row.plan.id]:
                del pending[row.plan.id]
    return bool(pending)


async def _release(store: Store, pending: dict[str, str]) -> None:
    try:
        for match, lease in pending.items():
            await store.matches.release(match, lease)
    except StoreError as trouble:
        log.warning("leases not returned, they will run out: %s", trouble)


def _lost(context: Context, arbiter: ArbiterRow, trouble: str) -> None:
    delay = context.dialer.failed(arbiter.address)
    log.warning(
        "arbiter %s at %s %s; trying again in %.1f s", arbiter.id, arbiter.address, trouble, delay
    )


def _told(outcomes: Counter[int]) -> str:
    names = arbiter_pb2.AttemptOutcome
    return ", ".join(
        f"{count} {names.Name(outcome).removeprefix('ATTEMPT_OUTCOME_').lower()}"
        for outcome, count in sorted(outcomes.items())
    )
