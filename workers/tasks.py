"""The tasks. Each is idempotent and calls one function."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from arbiter.store import StoreRefused, StoreUnavailable
from workers import batches, fit, hints, loop, quiet, schedule
from workers.app import task
from workers.hosting import qualify as qualifying
from workers.loop import Context

log = logging.getLogger(__name__)

quiet.install()


@task
def play_batch() -> None:
    """Play the next batch of ready matches."""
    _run(lambda context: batches.play_batch(context, _offer))


@task
def advance(tournament: str) -> None:
    """Plan a tournament's next wave, or finish it."""
    _run(lambda context: schedule.advance(context, tournament))


@task
def sweep() -> None:
    """Pick up what no worker does."""
    _run(lambda context: schedule.sweep(context, _offer, _refit, _offer_qualifying))


@task
def qualify() -> None:
    """Play the qualifying match of the next version that waits for it."""
    _run(_qualify)


@task
def refit(pool: str) -> None:
    """Compute a pool's ratings from its results."""
    _run(lambda context: fit.refit(context, pool))


async def _offer() -> None:
    await asyncio.to_thread(hints.offer)


async def _offer_qualifying() -> None:
    await asyncio.to_thread(hints.qualify)


async def _qualify(context: Context) -> None:
    await qualifying.qualify(
        await context.store(),
        context.stage,
        lambda: batches.play_batch(context, _offer),
        lambda tournament: schedule.advance(context, tournament),
    )


async def _refit(pool: str) -> None:
    await asyncio.to_thread(hints.refit, pool)


def _run(work: Callable[[Context], Coroutine[Any, Any, object]]) -> None:
    try:
        loop.run(work)
    except loop.Stopped:
        log.info("stopped: this worker shuts down")
    except (StoreUnavailable, StoreRefused) as trouble:
        # Not a failure of the task: everything is still in the store, and a
        # later hint finds it.
        log.warning("%s; the next hint tries again", trouble)
