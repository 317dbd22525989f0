"""An arbiter's streams and tables on a loopback port, without a store; and raw bots to try it.

The bots here speak frames themselves, so that they can do what no SDK would.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import grpc.aio

from arbiter.connections import service
from arbiter.connections.errors import PlayRefused
from arbiter.connections.hub import Hub
from arbiter.matches.attempt import Attempt
from arbiter.matches.seating import Seating
from arbiter.matches.timers import Timers
from arbiter.tables.setup import Setup
from hearts.limits import Limits
from hearts.record import MatchRecord
from hearts.rules import RuleSet, preset
from hearts.shuffle import Board
from hearts.v1 import play_pb2, play_pb2_grpc

SECRET = bytes(range(32))
NAMES = ("anna", "bert", "cleo", "dora")
QUICK = Limits(connect_ms=600, ready_ms=600, decision_ms=400, lag_ms=50, rejoin_ms=400)


def _play(hub: Hub) -> service.Behaviour:
    """A bot's token is its name; a refusal becomes a plain ABORTED."""

    async def play(frames, context):
        metadata = dict(context.invocation_metadata())
        try:
            await hub.serve(metadata["authorization"][7:], frames, context)
        except PlayRefused as refused:
            await context.abort(grpc.StatusCode.ABORTED, refused.message)

    return play


class RawBot:
    """One stream. `events` holds all that arrived; `answer` decides what is sent to a turn."""

    def __init__(self, name: str, port: int, max_tables: int = 100) -> None:
        self.name = name
        self.events: list[play_pb2.Event] = []
        self.answer: Callable[[RawBot, play_pb2.Event], Awaitable[None]] = first_legal
        self.ready = True
        self.goodbye = ""
        self._max = max_tables
        self._channel = grpc.aio.insecure_channel(f"127.0.0.1:{port}")
        self._call: grpc.aio.StreamStreamCall | None = None
        self._task: asyncio.Task | None = None
        self._sending = asyncio.Lock()  # a stream takes one write at a time

    async def connect(self) -> RawBot:
        """Say Hello and play in the background."""
        stub = play_pb2_grpc.PlayServiceStub(self._channel)
        self._call = stub.Play(metadata=(("authorization", f"Bearer {self.name}"),))
        hello = play_pb2.Hello(
            protocol_min=1, protocol_max=1, bot=f"bots/{self.name}", max_tables=self._max
        )
        await self.send(play_pb2.BotFrame(hello=hello))
        first = await asyncio.wait_for(self._call.read(), 5)
        assert first.frame.hello.protocol_max == 1
        self._task = asyncio.create_task(self._run(first))
        return self

    async def send(self, frame: play_pb2.BotFrame) -> None:
        """Send a frame as it is."""
        assert self._call
        async with self._sending:
            await self._call.write(play_pb2.PlayRequest(frame=frame))

    async def reply(self, event: play_pb2.Event, **fields) -> None:
        """Answer a turn."""
        reply = play_pb2.Reply(table=event.table, decision=event.turn.decision, **fields)
        await self.send(play_pb2.BotFrame(replies=[reply]))

    async def _run(self, response: play_pb2.PlayResponse) -> None:
        """Handle the first frame, which may hold events beside the Hello, and all others."""
        try:
            while response is not grpc.aio.EOF:
                self.goodbye = self.goodbye or response.frame.goodbye.reason
                for event in response.frame.events:
                    self.events.append(event)
                    if event.HasField("match_start") and self.ready:
                        await self.send(play_pb2.BotFrame(ready=[event.table]))
                    elif event.HasField("turn"):
                        await self.answer(self, event)
                response = await self._call.read()
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            pass

    def of(self, kind: str) -> list:
        """All events of a kind ("match_over")."""
        return [getattr(e, kind) for e in self.events if e.WhichOneof("event") == kind]

    async def drop(self) -> None:
        """Break the stream, as a killed process does."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._call:
            self._call.cancel()

    async def half_close(self) -> None:
        """Close only the sending side."""
        await self._call.done_writing()

    async def close(self) -> None:
        await self.drop()
        await self._channel.close()


async def first_legal(bot: RawBot, event: play_pb2.Event) -> None:
    """The answer of a good bot."""
    turn = event.turn
    if turn.phase == play_pb2.PHASE_PASS:
        await bot.reply(event, cards=turn.hand[: turn.pass_count])
    elif turn.phase == play_pb2.PHASE_MOON_CHOICE:
        await bot.reply(event, moon_choice=play_pb2.MOON_CHOICE_OTHERS)
    else:
        await bot.reply(event, card=turn.legal[0])


async def eventually(holds: Callable[[], object], seconds: float = 20) -> None:
    """Wait until something holds; TimeoutError when it does not."""
    async with asyncio.timeout(seconds):
        while True:
            if holds():
                return
            await asyncio.sleep(0.01)


async def mute(bot: RawBot, event: play_pb2.Event) -> None:
    """No answer, ever."""


class Arena:
    """Streams and tables."""

    def __init__(self) -> None:
        self.hub = Hub()
        self.timers = Timers()
        self.seating = Seating(self.hub)
        self.port = 0
        self.bots: dict[str, RawBot] = {}

    async def bot(self, name: str, answer=first_legal, **options) -> RawBot:
        """Connect a bot; a second of the same name is a restarted one."""
        bot = RawBot(name, self.port, **options)
        bot.answer = answer
        self.bots[name] = await bot.connect()
        return bot

    async def field(self, **answers) -> list[RawBot]:
        """All four bots; those named answer as given."""
        return [await self.bot(name, answers.get(name, first_legal)) for name in NAMES]

    def match(
        self,
        number: int = 3,
        *,
        seats: tuple[str, ...] = NAMES,
        limits: Limits = QUICK,
        deals: int | None = 1,
        rules: RuleSet | None = None,
        board: Board | None = None,
    ) -> asyncio.Future[MatchRecord]:
        """Queue a match on the board of that number; its record comes when it ends."""
        ended: asyncio.Future[MatchRecord] = asyncio.get_running_loop().create_future()

        def end(attempt: Attempt) -> None:
            self.seating.remove(attempt)
            ended.set_result(attempt.table.record())

        def fault(_attempt: Attempt, reason: str) -> None:
            ended.set_exception(RuntimeError(reason))

        setup = Setup(
            match=f"m{number}",
            tag=f"tag{number}",
            tournament="t",
            rules=rules or preset("standard"),
            limits=limits,
            board=board or Board(SECRET, number),
            rotation=0,
            deals=deals,
            seats=seats,
        )
        self.seating.add(Attempt(setup, self.timers, on_end=end, on_fault=fault))
        return ended


@asynccontextmanager
async def arena() -> AsyncIterator[Arena]:
    """An arbiter on a free port, taken down with its bots."""
    here = Arena()
    server = grpc.aio.server()
    service.add_to(server, _play(here.hub))
    here.port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    here.timers.start()
    here.seating.start()
    try:
        yield here
    finally:
        for bot in here.bots.values():
            await bot.close()
        await here.hub.close("the test is over", 0)
        await here.seating.stop()
        await here.timers.stop()
        await server.stop(None)
