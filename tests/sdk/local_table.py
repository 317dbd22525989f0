"""A whole match in memory: the real referee and streams, the real SDK, no sockets between."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import grpc.aio

from arbiter.connections.hub import Hub
from arbiter.matches.attempt import Attempt
from arbiter.matches.timers import Timers
from arbiter.tables.setup import Setup
from arbiter.tables.table import Table
from client_sdk import Bot
from client_sdk.session import Session
from client_sdk.throttle import Throttle
from hearts.limits import Limits
from hearts.match_record import MatchRecord
from hearts.rules import RuleSet
from hearts.shuffle import Board
from hearts.v1 import play_pb2

PATIENT = Limits(decision_ms=20_000, ready_ms=20_000)


class Pipe:
    """Both ends of one stream: what grpc would carry, as bytes."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.events: list[play_pb2.Event] | None = None
        self.greeted = asyncio.Event()
        self._to_bot: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._to_arbiter: asyncio.Queue[bytes | None] = asyncio.Queue()

    async def serve(self, hub: Hub) -> None:
        """The arbiter's end; `write` of its context is below."""
        await hub.serve(self.bot.name, self._requests(), self)
        self._to_bot.put_nowait(None)

    async def play(self, tables: int) -> None:
        """The bot's end."""
        session = Session(self.bot, self, None, Throttle())  # type: ignore[arg-type]
        await session.hello(self.bot.name, "test", tables)
        self.greeted.set()
        await session.run()

    async def write(self, message: Any) -> None:
        """Both sides' write; the message tells which."""
        if isinstance(message, play_pb2.PlayRequest):
            self._to_arbiter.put_nowait(message.SerializeToString())
            return
        if self.events is not None:
            self.events += play_pb2.PlayResponse.FromString(message).frame.events
        self._to_bot.put_nowait(message)

    async def read(self) -> Any:
        """The bot's read."""
        data = await self._to_bot.get()
        return grpc.aio.EOF if data is None else play_pb2.PlayResponse.FromString(data)

    async def _requests(self) -> AsyncIterator[play_pb2.PlayRequest]:
        while (data := await self._to_arbiter.get()) is not None:
            yield play_pb2.PlayRequest.FromString(data)


async def play_matches(
    bots: list[Bot],
    rules: RuleSet,
    *,
    deals: int | None = 1,
    matches: int = 1,
    make_board: Callable[[bytes, int], Board] = Board,
    listen: int | None = None,
    limits: Limits = PATIENT,
    tables: dict[str, Table] | None = None,
) -> tuple[list[MatchRecord], list[play_pb2.Event]]:
    """The records of the matches on boards 0, 1, ..., and all events of seat `listen`.

    `tables` is filled with the referee's tables by match name, for bots that compare.
    """
    timers = Timers()
    hub = Hub()
    pipes = [Pipe(bot) for bot in bots]
    if listen is not None:
        pipes[listen].events = []
    over = asyncio.Event()
    ended: list[Attempt] = []

    def end(attempt: Attempt) -> None:
        ended.append(attempt)
        if len(ended) == matches:
            over.set()

    names = tuple(bot.name for bot in bots)
    attempts = [
        Attempt(
            Setup(
                match=f"m{board}",
                tag=f"m{board}",
                tournament="t",
                rules=rules,
                limits=limits,
                board=make_board(bytes(32), board),
                rotation=0,
                deals=deals,
                seats=names,
            ),
            timers,
            on_end=end,
        )
        for board in range(matches)
    ]
    if tables is not None:
        tables.update({f"m{board}": a.table for board, a in enumerate(attempts)})
    timers.start()
    serving = [asyncio.create_task(pipe.serve(hub)) for pipe in pipes]
    playing = [asyncio.create_task(pipe.play(matches)) for pipe in pipes]
    try:
        async with asyncio.timeout(100):
            await asyncio.wait([asyncio.create_task(pipe.greeted.wait()) for pipe in pipes])
            for attempt in attempts:
                attempt.start([hub.sessions[name] for name in names])
            await asyncio.wait(
                [asyncio.create_task(over.wait()), *playing, *serving],
                return_when=asyncio.FIRST_COMPLETED,
            )
            await hub.close("the end", 0)
            await asyncio.gather(*serving, *playing)
    finally:
        for task in (*serving, *playing):
            task.cancel()
        await timers.stop()
    return [attempt.table.record() for attempt in attempts], pipes[listen or 0].events or []
