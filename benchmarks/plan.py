"""A plan of 100,000 matches, from its spec to matches that workers may claim, and a sweep over it.

The reference is a plain write of as many keys to the same server in pipelines of 1,000. Memory is
how much this process grows while it plans, beyond what a plan of 10,000 has needed before.
"""

from __future__ import annotations

import asyncio
import resource
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import redis.asyncio

from arbiter.matches.advance import advance
from arbiter.store import Store, TournamentRow
from arbiter.tournaments import wire
from arbiter.tournaments.history import Entry
from arbiter.tournaments.spec import Spec
from benchmarks.figures import Figure, Goal, On
from hearts.rules import preset
from workers import redis_server, schedule
from workers.loop import Context

BOTS = ("anna", "bert", "cleo", "dora", "emil")
# Five tables of four, each board in four rotations.
BOARDS = 5000
MATCHES = 5 * 4 * BOARDS


def run() -> list[Figure]:
    """The figures of `make bench ONLY=plan`."""
    with (
        tempfile.TemporaryDirectory(prefix="hearts-bench-") as folder,
        redis_server.start(Path(folder)) as server,
    ):
        return asyncio.run(_measure(server.url))


async def _measure(url: str) -> list[Figure]:
    plain = await _plain(url)
    store = await Store.open(url)
    try:
        await _plan(store, "small", BOARDS // 10)
        before = _peak_mib()
        used = await _used(store)
        seconds = await _plan(store, "large", BOARDS)
        used = await _used(store) - used
        grown = _peak_mib() - before
        sweep = await _sweep(store)
    finally:
        await store.close()
    return [
        Figure(
            f"plan of {MATCHES:,} matches, time on this machine as it is",
            seconds,
            "s",
            plain,
            f"{MATCHES:,} plain keys",
        ),
        # On a machine that does nothing else it takes no longer than this.
        Figure(
            f"plan of {MATCHES:,} matches, processor time of planner and store",
            used,
            "CPU s",
            goal=Goal(On.VALUE, at_most=10.0),
        ),
        Figure(
            "memory grown by it",
            grown,
            "MiB",
            goal=Goal(On.VALUE, at_most=16.0),
        ),
        Figure("a sweep over it", sweep, "s", goal=Goal(On.VALUE, at_most=1.0)),
    ]


async def _plan(store: Store, name: str, boards: int) -> float:
    """Seconds to plan a tournament as the platform does."""
    spec = Spec(name, preset("standard"), boards, BOTS, deals=1, duplicate=True)
    row = TournamentRow(name, wire.encode(spec), b"secret", True)
    await store.tournaments.create(row, entries=[Entry(bot) for bot in BOTS])
    begun = time.perf_counter()
    found = await advance(store, name)
    seconds = time.perf_counter() - begun
    if found.matches != 20 * boards or not await store.matches.ready_count():
        raise RuntimeError(f"{found.matches} matches were planned")
    return seconds


async def _used(store: Store) -> float:
    """Seconds of processor time that this process and the server have used so far: what else the
    machine does is not in it."""
    server = await store._link.call("INFO", "cpu")
    theirs = float(server["used_cpu_user"]) + float(server["used_cpu_sys"])
    return time.process_time() + theirs


async def _sweep(store: Store) -> float:
    """Seconds of one sweep while all matches wait."""

    async def own() -> Store:
        return store

    async def nothing(*_: object) -> None:
        return None

    begun = time.perf_counter()
    await schedule.sweep(cast("Context", SimpleNamespace(store=own)), nothing, nothing)
    return time.perf_counter() - begun


async def _plain(url: str) -> float:
    async with redis.asyncio.Redis.from_url(url) as client:
        begun = time.perf_counter()
        for start in range(0, MATCHES, 1000):
            async with client.pipeline(transaction=False) as pipe:
                for number in range(start, start + 1000):
                    pipe.execute_command("HSET", f"plain:{number}", "t", "x", "state", "ready")
                await pipe.execute()
        seconds = time.perf_counter() - begun
        await client.flushdb()
    return seconds


def _peak_mib() -> float:
    """The most memory this process has used so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)
