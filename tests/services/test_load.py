"""GR04: many idle bots keep nobody from being served, and above the limit one is told so; and what
the metrics say of it."""

from __future__ import annotations

import asyncio
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from time import monotonic

import grpc
import grpc.aio
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from services_kit import Api, eventually

from arbiter import server as server_module
from arbiter.server import Arbiter, CannotServe
from arbiter.settings import Settings
from arbiter.store import Role, Store
from client_sdk.channel import OPTIONS
from hearts.v1 import bots_pb2, play_pb2, play_pb2_grpc

IDLE = 300
A_CONNECTION = 90


@asynccontextmanager
async def idle_bots(arbiter: Arbiter, store: Store, count: int) -> AsyncIterator[list[object]]:
    """Bots that said Hello and wait."""
    async with AsyncExitStack() as stack:
        calls = []
        for first in range(0, count, A_CONNECTION):
            channel = grpc.aio.insecure_channel(arbiter.address, options=OPTIONS)
            await stack.enter_async_context(channel)
            stub = play_pb2_grpc.PlayServiceStub(channel)
            for number in range(first, min(first + A_CONNECTION, count)):
                token = await store.tokens.create(Role.BOT, f"bot-{number}")
                call = stub.Play(metadata=(("authorization", f"Bearer {token}"),))
                hello = play_pb2.Hello(
                    protocol_min=1, protocol_max=1, bot=f"bots/bot-{number}", max_tables=1
                )
                await call.write(play_pb2.PlayRequest(frame=play_pb2.BotFrame(hello=hello)))
                calls.append(call)
        await asyncio.gather(*(call.read() for call in calls))
        yield calls
        for call in calls:
            call.cancel()


async def test_gr04_three_hundred_idle_bots_and_everybody_else_is_served(
    arbiter: Arbiter, admin: Api, store: Store
) -> None:
    health = health_pb2_grpc.HealthStub(admin.channel)
    for name in ("anna", "bert"):
        await store.bots.create(name, False, "", name)
    async with idle_bots(arbiter, store, IDLE):
        assert len(arbiter.hub.online()) == IDLE
        began = monotonic()
        answer = await health.Check(health_pb2.HealthCheckRequest(), timeout=5)
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
        listed = await admin(admin.bots.ListBots, bots_pb2.ListBotsRequest())
        assert len(listed.bots) == 2
        assert monotonic() - began < 1
    await eventually(lambda: not arbiter.hub.online())


async def test_gr04_above_the_limit_one_is_told_at_once(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module, "MAX_CALLS", 20)
    arbiter = Arbiter(store, Settings(listen="127.0.0.1:0", arbiter_id="test"))
    await arbiter.start()
    try:
        token = await store.tokens.create(Role.ADMIN)
        async with grpc.aio.insecure_channel(arbiter.address) as channel:
            admin = Api(channel, token)
            async with idle_bots(arbiter, store, 20):
                began = monotonic()
                with pytest.raises(grpc.aio.AioRpcError) as refused:
                    await admin(admin.bots.ListBots, bots_pb2.ListBotsRequest())
                assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
                assert monotonic() - began < 1

            async def served() -> bool:
                try:
                    await admin(admin.bots.ListBots, bots_pb2.ListBotsRequest())
                except grpc.aio.AioRpcError:
                    return False
                return True

            await eventually(served)
    finally:
        await arbiter.stop(grace_s=0)


async def test_metrics_count_every_call_with_its_status(store: Store) -> None:
    settings = Settings(listen="127.0.0.1:0", arbiter_id="test", metrics_listen="127.0.0.1:0")
    arbiter = Arbiter(store, settings)
    await arbiter.start()
    try:
        assert arbiter.metrics is not None
        address = arbiter.metrics.address
        token = await store.tokens.create(Role.ADMIN)
        async with grpc.aio.insecure_channel(arbiter.address) as channel:
            admin = Api(channel, token)
            for _ in range(3):
                await admin(admin.bots.ListBots, bots_pb2.ListBotsRequest())
            await admin.refused(admin.bots.GetBot, bots_pb2.GetBotRequest(name="bots/none"))
            admin.token = "hrt_unknown"
            await admin.refused(admin.bots.ListBots, bots_pb2.ListBotsRequest())
            made_up = channel.unary_unary("/hearts.v1.BotsService/MadeUp")
            with pytest.raises(grpc.aio.AioRpcError):
                await made_up(b"", timeout=5)
            async with idle_bots(arbiter, store, 2):
                page = await asyncio.to_thread(read, address)
        bots = "hearts.v1.BotsService"
        for line in (
            f'hearts_calls_total{{code="OK",method="{bots}/ListBots"}} 3.0',
            f'hearts_calls_total{{code="NOT_FOUND",method="{bots}/GetBot"}} 1.0',
            f'hearts_calls_total{{code="UNAUTHENTICATED",method="{bots}/ListBots"}} 1.0',
            f'hearts_call_seconds_count{{method="{bots}/ListBots"}} 3.0',
            'hearts_calls_running{method="hearts.v1.PlayService/Play"} 2.0',
            "hearts_bots 2.0",
            "hearts_tables 0.0",
        ):
            assert line in page.splitlines(), page
        assert "MadeUp" not in page, "no series for what strangers make up"
        assert token not in page
    finally:
        await arbiter.stop(grace_s=0)
    with pytest.raises(urllib.error.URLError):
        await asyncio.to_thread(read, address)


def read(address: str) -> str:
    with urllib.request.urlopen(f"http://{address}/metrics", timeout=5) as answer:
        return answer.read().decode()


async def test_a_wrong_place_for_metrics_is_named(store: Store) -> None:
    settings = Settings(listen="127.0.0.1:0", arbiter_id="test", metrics_listen="nowhere")
    with pytest.raises(CannotServe, match="HEARTS_METRICS_LISTEN is host:port"):
        await Arbiter(store, settings).start()


async def test_gr01_pings_on_a_quiet_stream_are_no_abuse(arbiter: Arbiter, store: Store) -> None:
    """Pings each 5 s, where a server with gRPC's defaults sends the third one away (GOAWAY). A link
    that pings and a bot that hears nothing for hours are one and the same thing (DR04)."""
    token = await store.tokens.create(Role.BOT, "anna")
    often = [(key, 5_000 if key == "grpc.keepalive_time_ms" else value) for key, value in OPTIONS]
    async with grpc.aio.insecure_channel(arbiter.address, options=often) as channel:
        call = play_pb2_grpc.PlayServiceStub(channel).Play(
            metadata=(("authorization", f"Bearer {token}"),)
        )
        hello = play_pb2.Hello(protocol_min=1, protocol_max=1, bot="bots/anna", max_tables=1)
        await call.write(play_pb2.PlayRequest(frame=play_pb2.BotFrame(hello=hello)))
        assert (await call.read()).frame.HasField("hello")
        await asyncio.sleep(22)
        assert not call.done()
        arbiter.hub.sessions["anna"].close("still heard")
        assert (await asyncio.wait_for(call.read(), 5)).frame.goodbye.reason == "still heard"
