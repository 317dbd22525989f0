"""Bots that wait at an address of their own: the arbiter dials them, and the rest is the same."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from time import monotonic

import grpc.aio
import pytest
from arena import NAMES, QUICK, Arena, arena, first_legal

from arbiter.connections import dialing
from arbiter.connections.dialing import Contact, Dialer
from client_sdk import Bot, Match, Turn
from client_sdk.endpoint import Endpoint, Options, serving
from hearts.endpoint import key_of
from hearts.limits import Limits
from hearts.record import IncidentKind, MatchEnd, MatchRecord, Verdict
from hearts.v1 import endpoints_pb2, play_pb2


class First(Bot):
    """Plays its first legal card."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.starts: list[Match] = []
        self.pause = 0.0

    async def play(self, turn: Turn) -> int:
        await asyncio.sleep(self.pause)
        return turn.legal[0]

    def on_match_start(self, match: Match) -> None:
        self.starts.append(match)


def token(name: str) -> str:
    return f"hrt_{name}"


class Book:
    """Who serves where, and how often somebody asked where that is."""

    def __init__(self) -> None:
        self.contacts: dict[str, Contact] = {}
        self.resolved: list[str] = []
        self.answer = ["127.0.0.1"]

    def write(self, name: str, port: str | int, host: str = "bot.example") -> None:
        self.contacts[name] = Contact(f"{host}:{port}", (key_of(token(name)),))

    async def lookup(self, bot: str) -> Contact | None:
        return self.contacts.get(bot)

    async def resolve(self, host: str, port: int) -> list[str]:
        self.resolved.append(host)
        return list(self.answer)


@asynccontextmanager
async def dialling(here: Arena, allow_private: bool = True) -> AsyncIterator[Book]:
    """The arena's hub dials; "bot.example" is this machine, and no real name is asked for."""
    book = Book()
    dialer = Dialer(here.hub, book.lookup, allow_private=allow_private, resolve=book.resolve)
    dialer.start()
    try:
        yield book
    finally:
        await here.hub.close("the test is over", 0)
        await dialer.stop()


@asynccontextmanager
async def served(book: Book, *names: str) -> AsyncIterator[dict[str, tuple[First, Endpoint]]]:
    async with AsyncExitStack() as stack:
        made = {}
        for name in names:
            bot = First(name)
            options = Options("127.0.0.1:0", token(name))
            endpoint = await stack.enter_async_context(serving(bot, options))
            book.write(name, endpoint.address.rpartition(":")[2])
            made[name] = (bot, endpoint)
        yield made


def verdicts(record: MatchRecord) -> set[tuple[int, Verdict | None]]:
    incidents = [*record.incidents, *(i for deal in record.deals for i in deal.incidents)]
    return {(i.seat, i.verdict) for i in incidents if i.kind is IncidentKind.VERDICT}


async def test_endpoints_play_over_one_stream_each() -> None:
    async with arena() as here, dialling(here) as book, served(book, *NAMES[:2]) as bots:
        for name in NAMES[2:]:
            await here.bot(name)
        assert set(here.hub.online()) == set(NAMES[2:]), "nobody is dialled before a match"
        records = await asyncio.gather(*(here.match(n, deals=2) for n in range(6)))
        assert {record.end for record in records} == {MatchEnd.DEALS}
        assert not any(verdicts(record) for record in records)
        assert [len(bot.starts) for bot, _ in bots.values()] == [6, 6]
        assert book.resolved == ["bot.example"] * 2, "one dial for each bot"
        assert here.hub.online()["anna"].sdk.startswith("hearts-python")


async def test_an_idle_stream_is_closed_and_dialled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialing, "IDLE_SECONDS", 0.3)
    monkeypatch.setattr(dialing, "WANTED_SECONDS", 0.1)
    async with arena() as here, dialling(here) as book, served(book, "anna"):
        for name in NAMES[1:]:
            await here.bot(name)
        for number in range(2):
            record = await here.match(number)
            assert not verdicts(record)
            async with asyncio.timeout(5):
                while "anna" in here.hub.online():  # noqa: ASYNC110 - no event says so
                    await asyncio.sleep(0.02)
            await asyncio.sleep(0.6)  # past the pause before a lost stream is dialled again
        assert len(book.resolved) >= 2


async def test_the_address_is_checked_at_each_dial_and_the_checked_one_is_dialled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """SS05: a name that was public when it was registered, and is not now (DNS rebinding)."""
    dialled: list[str] = []

    async def note(_endpoint: object, checked: list[str], _authorities: object) -> object:
        dialled.extend(checked)
        raise dialing.NoAnswer("in a test")

    monkeypatch.setattr(dialing, "connected", note)
    async with arena() as here, dialling(here, allow_private=False) as book, served(book, "anna"):
        for name in NAMES[1:]:
            await here.bot(name)
        book.answer = ["8.8.8.8"]
        match = here.match(limits=Limits(connect_ms=2_500))
        async with asyncio.timeout(2):
            while not dialled:  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.01)
        book.answer = ["8.8.8.8", "127.0.0.1"]
        asked = len(book.resolved)
        record = await match
        assert verdicts(record) == {(0, Verdict.NO_SHOW)}
        assert len(book.resolved) > asked, "asked anew"
        assert dialled == ["8.8.8.8"]


async def refuses(stack: AsyncExitStack) -> int:
    server = await asyncio.start_server(lambda r, w: None, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()
    return port


async def is_silent(stack: AsyncExitStack) -> int:
    writers: list[asyncio.StreamWriter] = []

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        await reader.read()

    server = await stack.enter_async_context(await asyncio.start_server(accept, "127.0.0.1", 0))
    stack.callback(lambda: [writer.close() for writer in writers])
    return server.sockets[0].getsockname()[1]


async def says_no_hello(stack: AsyncExitStack) -> int:
    return await impostor(stack, None, [])


async def impostor(
    stack: AsyncExitStack, hello: play_pb2.Hello | None, seen: list[dict[str, str]]
) -> int:
    """A gRPC server at the bot's address that is not the bot."""

    async def call(_requests: object, context: grpc.aio.ServicerContext) -> None:
        seen.append(dict(context.invocation_metadata()))
        if hello is not None:
            await context.write(play_pb2.PlayRequest(frame=play_pb2.BotFrame(hello=hello)))
        while await context.read() is not grpc.aio.EOF:
            pass

    server = grpc.aio.server()
    method = grpc.stream_stream_rpc_method_handler(
        call,
        request_deserializer=play_pb2.PlayResponse.FromString,
        response_serializer=play_pb2.PlayRequest.SerializeToString,
    )
    name = "hearts.v1.BotEndpointService"
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(name, {"Serve": method}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    stack.push_async_callback(server.stop, None)
    return port


@pytest.mark.parametrize("dead", [refuses, is_silent, says_no_hello, None])
async def test_dr09_a_dead_endpoint_is_a_no_show_and_others_play_meanwhile(
    dead: Callable[[AsyncExitStack], Awaitable[int]] | None,
) -> None:
    """It refuses, it accepts and says nothing, it has no Hello, its name stands for nothing."""
    async with AsyncExitStack() as stack:
        here = await stack.enter_async_context(arena())
        book = await stack.enter_async_context(dialling(here))
        if dead is None:
            book.answer = []
            book.write("gone", 7800)
        else:
            book.write("gone", await dead(stack))
        for name in NAMES:
            await here.bot(name)
        began = monotonic()
        missing = here.match(1, seats=("anna", "bert", "cleo", "gone"))
        others = await asyncio.gather(*(here.match(n) for n in range(10, 16)))
        assert all(record.end is MatchEnd.DEALS and not verdicts(record) for record in others)
        record = await asyncio.wait_for(missing, 3)
        assert verdicts(record) == {(3, Verdict.NO_SHOW)}
        assert monotonic() - began < QUICK.connect_ms / 1000 + 1.5
        assert record.places == (1, 1, 1, 4)


async def test_no_secret_reaches_whoever_answers_and_he_is_not_taken_for_the_bot() -> None:
    """An impostor at the bot's address gets nothing that he could use: not to play as the bot, not
    to play arbiter with it."""
    hello = play_pb2.Hello(
        protocol_min=1, protocol_max=1, bot="bots/anna", max_tables=5, proof="00" * 32
    )
    seen: list[dict[str, str]] = []
    async with AsyncExitStack() as stack:
        here = await stack.enter_async_context(arena())
        book = await stack.enter_async_context(dialling(here))
        book.write("anna", await impostor(stack, hello, seen))
        for name in NAMES[1:]:
            await here.bot(name)
        record = await asyncio.wait_for(here.match(), 5)
        assert verdicts(record) == {(0, Verdict.NO_SHOW)}
        assert seen
        for metadata in seen:
            text = repr(metadata)
            assert token("anna") not in text
            assert key_of(token("anna")).hex() not in text
            assert metadata["hearts-bot"] == "bots/anna"
        # What the bot itself would accept: each proof once.
        real = await stack.enter_async_context(
            serving(First("anna"), Options("127.0.0.1:0", token("anna")))
        )
        wrong = {**seen[0], "hearts-proof": "0" * 64}
        codes = [await calls(real, metadata) for metadata in (wrong, {}, seen[0], seen[0])]
        assert codes == [
            grpc.StatusCode.UNAUTHENTICATED,
            grpc.StatusCode.UNAUTHENTICATED,
            None,
            grpc.StatusCode.UNAUTHENTICATED,
        ]


async def calls(real: Endpoint, metadata: dict[str, str]) -> grpc.StatusCode | None:
    """How the bot answers a caller with this metadata; None: with its Hello."""
    async with grpc.aio.insecure_channel(real.address) as channel:
        call = channel.stream_stream(
            dialing.METHOD,
            request_serializer=endpoints_pb2.ServeRequest.SerializeToString,
            response_deserializer=endpoints_pb2.ServeResponse.FromString,
        )(metadata=[(k, v) for k, v in metadata.items() if k.startswith("hearts-")], timeout=5)
        try:
            assert (await call.read()).frame.HasField("hello")
        except grpc.aio.AioRpcError as error:
            return error.code()
        finally:
            call.cancel()
    return None


async def test_a_bot_that_is_started_again_is_called_again() -> None:
    """DR06, dialled: it goes on in the middle of the deal."""
    async with arena() as here, dialling(here) as book:
        for name in NAMES[1:]:
            await here.bot(name, first_legal)
        options = Options("127.0.0.1:0", token("anna"))
        first, second = First("anna"), First("anna")
        first.pause = 0.03
        async with serving(first, options) as endpoint:
            book.write("anna", endpoint.address.rpartition(":")[2])
            match = here.match(limits=Limits(decision_ms=8_000, rejoin_ms=8_000))
            async with asyncio.timeout(5):
                while not first.starts or first.starts[0].finished < 3:  # noqa: ASYNC110 - as above
                    await asyncio.sleep(0.01)
        async with serving(second, Options(endpoint.address, token("anna"))):
            record = await asyncio.wait_for(match, 10)
        assert not verdicts(record)
        assert second.starts[0].resumed


async def test_an_endpoint_that_has_played_enough_leaves() -> None:
    async with arena() as here, dialling(here) as book:
        for name in NAMES[1:]:
            await here.bot(name)
        bot = First("anna")
        async with serving(bot, Options("127.0.0.1:0", token("anna"), matches=2)) as endpoint:
            book.write("anna", endpoint.address.rpartition(":")[2])
            await asyncio.gather(*(here.match(n) for n in range(2)))
            await asyncio.wait_for(endpoint.done.wait(), 5)
            assert endpoint.over == 2


def test_both_directions_have_the_same_bytes() -> None:
    frame = play_pb2.ArbiterFrame(goodbye=play_pb2.Goodbye(reason="x", retry_after_ms=5))
    one, two = play_pb2.PlayResponse(frame=frame), endpoints_pb2.ServeRequest(frame=frame)
    assert one.SerializeToString() == two.SerializeToString()
    answer = play_pb2.BotFrame(ready=[1, 2], leaving=True)
    back, forth = play_pb2.PlayRequest(frame=answer), endpoints_pb2.ServeResponse(frame=answer)
    assert back.SerializeToString() == forth.SerializeToString()
