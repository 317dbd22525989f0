"""A bot that floods, never reads or sends giants harms nobody but itself."""

from __future__ import annotations

import asyncio
import contextlib
from time import monotonic

import grpc.aio
import pytest
from arena import Arena, RawBot, arena
from test_streams import verdicts

from arbiter.connections import session as session_module
from arbiter.connections.conduct import CREDIT, REFILL, Conduct
from hearts.limits import Limits
from hearts.record import MatchEnd, Verdict
from hearts.v1 import play_pb2, play_pb2_grpc

OTHERS = ("anna", "bert", "cleo", "eve")


def rubbish(**fields) -> play_pb2.BotFrame:
    return play_pb2.BotFrame(replies=[play_pb2.Reply(**fields)])


FLOODS = {
    "empty frames": [play_pb2.BotFrame()],
    "answers for tables it does not sit at": [rubbish(table=9, decision=1, card=2)],
    "answers nobody asked for": [rubbish(table=1, decision=77, card=2)],
    "ready, again and again": [play_pb2.BotFrame(ready=[5, 6, 7])],
    "frames of 20,000 answers": [
        play_pb2.BotFrame(replies=[play_pb2.Reply(table=1, decision=9, card=2)] * 20_000)
    ],
}


async def pace(here: Arena, matches: int = 6) -> float:
    """Seconds that four good bots take for some matches."""
    begun = monotonic()
    for number in range(matches):
        record = await here.match(100 + number, seats=OTHERS)
        assert record.end is MatchEnd.DEALS
        assert not verdicts(record)
    return monotonic() - begun


@pytest.mark.parametrize("name", FLOODS)
async def test_gr03_a_flood_is_cut_off_and_the_others_keep_their_cadence(name):
    async with arena() as here:
        for other in OTHERS:
            await here.bot(other)
        dora = await here.bot("dora")
        match = here.match(3, limits=Limits(decision_ms=2_000, rejoin_ms=300))
        quiet = await pace(here)

        async def flood() -> None:
            for _ in range(5 * int(CREDIT)):
                for frame in FLOODS[name]:
                    await dora.send(frame)

        flooding = asyncio.ensure_future(flood())
        busy = await pace(here)
        await asyncio.wait({flooding}, timeout=20)
        flooding.cancel()
        await asyncio.gather(flooding, return_exceptions=True)
        assert "dora" not in here.hub.sessions
        assert busy < quiet * 3 + 1.5
        record = await asyncio.wait_for(match, 5)
        assert {seat for seat, _ in verdicts(record)} <= {3}


async def test_a_frame_larger_than_a_mebibyte_ends_its_stream_only():
    async with arena() as here:
        for other in OTHERS:
            await here.bot(other)
        async with grpc.aio.insecure_channel(
            f"127.0.0.1:{here.port}", options=[("grpc.max_send_message_length", 200 << 20)]
        ) as channel:
            call = play_pb2_grpc.PlayServiceStub(channel).Play(
                metadata=(("authorization", "Bearer dora"),)
            )
            hello = play_pb2.Hello(protocol_min=1, protocol_max=1, bot="bots/dora", max_tables=1)
            await call.write(play_pb2.PlayRequest(frame=play_pb2.BotFrame(hello=hello)))
            await call.read()
            giant = play_pb2.BotFrame(hello=play_pb2.Hello(sdk_name="x" * (100 << 20)))
            with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
                await call.write(play_pb2.PlayRequest(frame=giant))
            with pytest.raises(grpc.aio.AioRpcError):
                await asyncio.wait_for(call.read(), 10)
        await pace(here, 2)
        assert "dora" not in here.hub.sessions


async def test_gr03_a_bot_that_never_reads_holds_up_nobody(monkeypatch):
    """Its queue is bounded, its clock runs, and it is cut off when a write waits too long."""
    monkeypatch.setattr(session_module, "WRITE_SECONDS", 1.0)
    async with arena() as here:
        for other in OTHERS[:3]:
            await here.bot(other)
        await here.bot("eve")
        dora = RawBot("dora", here.port)
        call = play_pb2_grpc.PlayServiceStub(dora._channel).Play(
            metadata=(("authorization", "Bearer dora"),)
        )
        hello = play_pb2.Hello(protocol_min=1, protocol_max=1, bot="bots/dora", max_tables=2000)
        await call.write(play_pb2.PlayRequest(frame=play_pb2.BotFrame(hello=hello)))
        here.bots["dora"] = dora
        seats = ("anna", "bert", "cleo", "dora")
        limits = Limits(ready_ms=1_000)
        matches = [here.match(n, seats=seats, limits=limits) for n in range(30)]
        await pace(here, 4)
        for record in await asyncio.gather(*matches):
            assert verdicts(record) == {(3, Verdict.NO_START)}
        call.cancel()


async def test_useless_messages_are_forgiven_over_time():
    conduct = Conduct(0.0)
    assert conduct.useless(0.0, int(CREDIT) - 1)
    assert not conduct.useless(0.0)
    assert conduct.useless(0.0 + 2 / REFILL * 10)
    assert not conduct.useless(1.0, int(CREDIT))
