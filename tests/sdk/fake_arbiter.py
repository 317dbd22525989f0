"""A scripted arbiter: each connection follows a coroutine that says what to send and await."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import grpc.aio
from google.protobuf import any_pb2
from google.rpc import status_pb2
from grpc_status import rpc_status

from hearts.v1 import errors_pb2, play_pb2, play_pb2_grpc, rules_pb2

Script = Callable[["Link"], Awaitable[None]]

STANDARD = rules_pb2.RuleSet(name="standard", players=4, decks=1, pass_count=3)


class Refused(Exception):
    """Ends the stream with a status and an ErrorDetail."""

    def __init__(self, code: grpc.StatusCode, text: str, **detail: Any) -> None:
        self.code, self.text, self.detail = code, text, detail


class Link:
    """One connection as the arbiter sees it."""

    def __init__(self, frames: Any, context: Any) -> None:
        self._frames = frames
        self._context = context
        self._sequence: dict[int, int] = {}
        self.metadata = dict(context.invocation_metadata())
        self.hello: play_pb2.Hello | None = None
        self.frames: list[play_pb2.BotFrame] = []

    async def greet(self, *events: play_pb2.Event, **theirs: int) -> play_pb2.Hello:
        """Take the bot's Hello and answer it."""
        first = await self.recv()
        assert first.HasField("hello"), "a bot's first frame holds its Hello"
        self.hello = first.hello
        frame = play_pb2.ArbiterFrame(events=events)
        frame.hello.CopyFrom(
            play_pb2.Hello(
                sdk_name="fake",
                **{"protocol_min": 1, "protocol_max": 1, "max_tables": 9, **theirs},
            )
        )
        await self.write(frame)
        return self.hello

    async def recv(self, within: float = 5.0) -> play_pb2.BotFrame:
        """The bot's next frame. Raises EOFError when it closed its side."""
        async with asyncio.timeout(within):
            request = await self._context.read()
        if request is grpc.aio.EOF:
            raise EOFError
        self.frames.append(request.frame)
        return request.frame

    async def replies(self, count: int = 1) -> list[play_pb2.Reply]:
        """The next `count` replies, from as many frames as they come in."""
        got: list[play_pb2.Reply] = []
        while len(got) < count:
            got += (await self.recv()).replies
        assert len(got) == count, got
        return got

    async def silence(self, seconds: float = 0.3) -> None:
        """Assert that the bot sends nothing for a while."""
        pending = asyncio.ensure_future(self._context.read())
        done, _ = await asyncio.wait({pending}, timeout=seconds)
        assert not done, pending.result()
        pending.cancel()

    async def write(self, frame: play_pb2.ArbiterFrame) -> None:
        """Send one frame as it is."""
        await self._context.write(play_pb2.PlayResponse(frame=frame))

    async def send(self, *events: play_pb2.Event) -> None:
        """Send events as one frame."""
        await self.write(play_pb2.ArbiterFrame(events=events))

    def event(self, table: int, /, **kind: Any) -> play_pb2.Event:
        """An event with the table's next sequence number."""
        number = self._sequence[table] = self._sequence.get(table, 0) + 1
        return play_pb2.Event(table=table, sequence=number, **kind)

    def start(self, table: int = 1, **fields: Any) -> play_pb2.Event:
        """A seat for the bot."""
        start = play_pb2.MatchStart(**{"tag": f"m{table}", "rules": STANDARD, "epoch": 1, **fields})
        start.limits.decision_ms = 1000
        return self.event(table, match_start=start)

    def turn(self, decision: int = 1, table: int = 1, **fields: Any) -> play_pb2.Event:
        """A play is asked."""
        known = {
            "phase": play_pb2.PHASE_PLAY,
            "hand": [2, 3, 4],
            "legal": [2, 3],
            "trick_number": 1,
            "time_left_ms": 1000,
            "totals": [0, 0, 0, 0],
        }
        return self.event(table, turn=play_pb2.Turn(decision=decision, **{**known, **fields}))

    def over(self, table: int = 1, reason: int = play_pb2.MATCH_END_DEALS) -> play_pb2.Event:
        """The match ends."""
        return self.event(
            table,
            match_over=play_pb2.MatchOver(reason=reason, totals=[1, 2, 3, 4], places=[1, 2, 3, 4]),
        )

    async def seat(self, table: int = 1, **fields: Any) -> None:
        """Greet the bot, give it a seat and wait until it is ready."""
        if self.hello is None:
            await self.greet()
        await self.send(self.start(table, **fields))
        assert list((await self.recv()).ready) == [table]


class FakeArbiter(play_pb2_grpc.PlayServiceServicer):
    """Serves each connection with the next script; the last one serves all that follow."""

    def __init__(self, *scripts: Script) -> None:
        self._scripts = scripts
        self._server: grpc.aio.Server | None = None
        self.address = ""
        self.times: list[float] = []
        self.links: list[Link] = []
        self.failures: list[BaseException] = []

    async def __aenter__(self) -> FakeArbiter:
        await self._serve("127.0.0.1:0")
        return self

    async def _serve(self, address: str) -> None:
        self._server = grpc.aio.server(options=(("grpc.so_reuseport", 0),))
        play_pb2_grpc.add_PlayServiceServicer_to_server(self, self._server)
        port = self._server.add_insecure_port(address)
        self.address = f"127.0.0.1:{port}"
        await self._server.start()

    async def restart(self, *scripts: Script) -> None:
        """Stop without a word and come back at the same address with other scripts."""
        assert self._server is not None
        await self._server.stop(None)
        self._scripts = (*self._scripts[: len(self.times)], *scripts)
        await self._serve(self.address)

    async def __aexit__(self, kind: Any, *_: Any) -> None:
        assert self._server is not None
        await self._server.stop(None)
        if kind is None and self.failures:
            raise self.failures[0]

    async def Play(self, frames: Any, context: Any) -> None:  # noqa: N802 - the wire's name
        """Run the connection's script."""
        number = len(self.times)
        self.times.append(time.monotonic())
        link = Link(frames, context)
        self.links.append(link)
        script = self._scripts[min(number, len(self._scripts) - 1)]
        try:
            await script(link)
        except Refused as refused:
            await context.abort_with_status(_status(refused))
        except EOFError:
            return
        except (AssertionError, TimeoutError) as failure:
            self.failures.append(failure)
            raise


def _status(refused: Refused) -> Any:
    status = status_pb2.Status(code=refused.code.value[0], message=refused.text)
    if refused.detail:
        packed = any_pb2.Any()
        packed.Pack(errors_pb2.ErrorDetail(**refused.detail))
        status.details.append(packed)
    return rpc_status.to_status(status)
