"""The matches of a tournament on an arbiter without a store, once: ``python -m
benchmarks.tournament_host BOARDS DEALS`` prints its port, then the seconds from the first match
queued to the end of the last.

The streams, the seating, the tables and the referee are the product's own, and so is the plan.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from dataclasses import replace

import grpc.aio

from arbiter.connections import service
from arbiter.connections.hub import Hub
from arbiter.matches.attempt import Attempt
from arbiter.matches.seating import Seating
from arbiter.matches.statistics import Ratings
from arbiter.matches.timers import Timers
from arbiter.server import CHANNEL_OPTIONS
from arbiter.tables.setup import Setup
from arbiter.tournaments.history import History
from arbiter.tournaments.plan import Wave, plan
from arbiter.tournaments.spec import Spec
from benchmarks.arbiter_host import BOTS, LIMITS, SECRET
from hearts.rules import preset
from hearts.shuffle import Board
from hearts.v1 import play_pb2


def spec(boards: int, deals: int) -> Spec:
    """Four bots, each board in all four rotations of the seats."""
    return Spec(
        title="Speed",
        rules=preset("standard"),
        boards=boards,
        deals=deals,
        duplicate=True,
        trust_repeats=True,
        entries=BOTS,
        seed=1,
        clock=replace(LIMITS, match_ms=3_600_000),
    )


def setups(wanted: Spec) -> list[Setup]:
    """Every match, in canonical order."""
    step = plan(wanted, "speed", History(), Ratings())
    assert isinstance(step, Wave)
    return [
        Setup(
            match.id, "tag", "speed", wanted.rules, wanted.clock, Board(SECRET, match.board),
            match.rotation, wanted.deals, match.seats,
        )
        for match in step.matches
    ]  # fmt: skip


async def main(boards: int, deals: int) -> None:
    hub, timers = Hub(), Timers()
    seating = Seating(hub)
    server = grpc.aio.server(options=CHANNEL_OPTIONS)

    async def play(frames: AsyncIterator[play_pb2.PlayRequest], context: service.Context) -> None:
        """A bot's token is its name."""
        metadata = dict(context.invocation_metadata() or ())
        name = str(metadata["authorization"]).removeprefix("Bearer ")
        await hub.serve(name, frames, context)

    service.add_to(server, play)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    timers.start()
    seating.start()
    print(port, flush=True)
    matches = setups(spec(boards, deals))
    while len(hub.sessions) < len(BOTS):  # noqa: ASYNC110 - once, before the clock runs
        await asyncio.sleep(0.05)
    await asyncio.sleep(0.5)
    left = len(matches)
    over = asyncio.Event()

    def ended(attempt: Attempt) -> None:
        nonlocal left
        seating.remove(attempt)
        attempt.table.record()
        left -= 1
        if not left:
            over.set()

    begun = time.perf_counter()
    for setup in matches:
        seating.add(Attempt(setup, timers, on_end=ended))
    await over.wait()
    print(time.perf_counter() - begun, flush=True)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
