"""An arbiter without a store, for measuring: keeps N tables in play and counts plays.

``python -m benchmarks.arbiter_host TABLES`` prints its port, then one line of JSON a second: plays
so far, resident bytes, and the median microseconds from one turn of a table to the next. The
streams, the seating, the tables and the referee are the product's own. Its clocks are wide: at
10,000 tables a bot has more decisions before it than it can answer in a second.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import resource
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from statistics import median

import grpc.aio

from arbiter.connections import service
from arbiter.connections.hub import Hub
from arbiter.matches.attempt import Attempt
from arbiter.matches.seating import Seating
from arbiter.matches.timers import Timers
from arbiter.server import CHANNEL_OPTIONS
from arbiter.tables.setup import Setup
from hearts.limits import Limits
from hearts.rules import preset
from hearts.shuffle import Board
from hearts.v1 import play_pb2

SECRET = bytes(range(32))
DEALS = 16
LIMITS = Limits(connect_ms=120_000, ready_ms=120_000, decision_ms=60_000, match_ms=0)
BOTS = ("b0", "b1", "b2", "b3")


class Load:
    """Replaces each finished match by a new one."""

    def __init__(self, tables: int) -> None:
        self.hub = Hub()
        self._plays = 0
        self._playing: set[Attempt] = set()
        self.turn_us = 0.0
        self._tables = tables
        self._timers = Timers()
        self._seating = Seating(self.hub)
        self._numbers = itertools.count()
        self._rules = preset("standard")

    def start(self) -> None:
        self._timers.start()
        self._seating.start()
        for _ in range(self._tables):
            self._add()

    def _add(self) -> None:
        number = next(self._numbers)
        seats = tuple(BOTS[(number + seat) % 4] for seat in range(4))
        board = Board(SECRET, number)
        setup = Setup(f"m{number}", "tag", "bench", self._rules, LIMITS, board, 0, DEALS, seats)
        attempt = Attempt(setup, self._timers, on_deal=self._dealt, on_end=self._ended)
        self._playing.add(attempt)
        self._seating.add(attempt)

    def done(self) -> int:
        """Plays so far, those of the deals in progress too."""
        return self._plays + sum(len(a.table.game.deal.plays) for a in self._playing)

    def _dealt(self, attempt: Attempt) -> None:
        self._plays += 52
        deal = attempt.table.ledger.deals[-1]
        times = [wait + queue for wait, queue in zip(deal.wait_us, deal.queue_us, strict=True)]
        self.turn_us = median(times)

    def _ended(self, attempt: Attempt) -> None:
        if attempt.table.record().deals:
            self._dealt(attempt)
        self._playing.discard(attempt)
        self._seating.remove(attempt)
        self._add()


async def main(tables: int) -> None:
    load = Load(tables)
    server = grpc.aio.server(options=CHANNEL_OPTIONS)

    async def play(frames: AsyncIterator[play_pb2.PlayRequest], context: service.Context) -> None:
        """A bot's token is its name."""
        metadata = dict(context.invocation_metadata() or ())
        name = str(metadata["authorization"]).removeprefix("Bearer ")
        await load.hub.serve(name, frames, context)

    service.add_to(server, play)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(port, flush=True)
    load.start()
    while True:
        await asyncio.sleep(1)
        told = {"plays": load.done(), "bytes": _resident(), "turn_us": load.turn_us}
        print(json.dumps(told), flush=True)


def _resident() -> int:
    """Resident bytes of this process; Linux only."""
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * resource.getpagesize()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
