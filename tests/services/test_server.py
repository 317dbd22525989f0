"""The arbiter as a process: starting, refusing to start, health, stopping."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from time import monotonic

import grpc.aio
import pytest
from arbiter_process import ended, process, ready
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from services_kit import FOUR, Api, batch, creation, eventually, register

from arbiter import server as server_module
from arbiter.server import SERVICES, Arbiter, advertised, without_password
from arbiter.settings import Settings
from arbiter.store import Role, Store
from client_sdk import Bot, Turn, play_async
from hearts.v1 import arbiter_pb2, bots_pb2, errors_pb2, play_pb2, play_pb2_grpc
from workers import redis_server
from workers.redis_server import RedisServer

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


async def health(address: str, service: str = "") -> int:
    async with grpc.aio.insecure_channel(address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        request = health_pb2.HealthCheckRequest(service=service)
        answer = await stub.Check(request, timeout=5, wait_for_ready=True)
        return int(answer.status)


async def test_gr06_a_second_arbiter_on_the_port_refuses_to_start(redis_url: str) -> None:
    async with process(redis_url, listen="127.0.0.1:0") as first:
        address = await ready(first)
        async with process(redis_url, listen=address) as second:
            code, errors = await ended(second)
        assert code == 4
        assert f"port {address.split(':')[1]} on 127.0.0.1 is taken" in errors
        assert "HEARTS_LISTEN" in errors
        assert "Traceback" not in errors
        assert await health(address) == SERVING


@pytest.mark.parametrize("kind", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_it_in_order(redis_url: str, store: Store, kind: int) -> None:
    token = await store.tokens.create(Role.BOT, "anna")
    async with process(redis_url, listen="127.0.0.1:0", arbiter_id="one") as started:
        address = await ready(started)
        assert [row.id for row in await store.arbiters.alive()] == ["one"]
        async with grpc.aio.insecure_channel(address) as channel:
            stream = play_pb2_grpc.PlayServiceStub(channel).Play(
                metadata=(("authorization", f"Bearer {token}"),), timeout=20
            )
            hello = play_pb2.Hello(
                protocol_min=1, protocol_max=1, sdk_name="test", bot="bots/anna", max_tables=1
            )
            await stream.write(play_pb2.PlayRequest(frame=play_pb2.BotFrame(hello=hello)))
            assert (await stream.read()).frame.HasField("hello")
            began = monotonic()
            started.send_signal(kind)
            goodbye = (await stream.read()).frame.goodbye
            assert goodbye.reason
            assert goodbye.retry_after_ms > 0
        code, errors = await ended(started)
    assert code == 0
    assert monotonic() - began < 5
    assert "Traceback" not in errors
    assert await store.arbiters.alive() == []


async def test_no_store_is_said_in_words(redis_url: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, not listening: connections are refused
        port = taken.getsockname()[1]
        async with process(f"redis://:hunter2@127.0.0.1:{port}/0") as started:
            code, errors = await ended(started)
    assert code == 4
    assert f"redis://127.0.0.1:{port}/0 cannot be reached" in errors
    assert "HEARTS_REDIS_URL" in errors
    assert "hunter2" not in errors
    assert "Traceback" not in errors


async def test_a_wrong_password_is_said_in_words(redis_url: str) -> None:
    wrong = redis_url.split("@")[-1]
    async with process(f"redis://:hunter2@{wrong}") as started:
        code, errors = await ended(started)
    assert code == 4
    assert "password" in errors
    assert "hunter2" not in errors


@pytest.mark.parametrize(
    ("settings", "code", "words"),
    [
        ({"listen": "nowhere"}, 4, "HEARTS_LISTEN is host:port"),
        ({"listen": "127.0.0.1:99999"}, 4, "HEARTS_LISTEN is host:port"),
        ({"listen": "192.0.2.1:7700"}, 4, "cannot listen on 192.0.2.1"),
        ({"lease_seconds": "soon"}, 2, "HEARTS_LEASE_SECONDS: "),
    ],
)
async def test_wrong_settings_are_named(
    redis_url: str, settings: dict[str, str], code: int, words: str
) -> None:
    async with process(redis_url, **settings) as started:
        found, errors = await ended(started)
    assert (found, "Traceback" in errors) == (code, False)
    assert words in errors


@pytest.fixture
def own_redis(redis_data: Path) -> Iterator[RedisServer]:
    with redis_server.start(redis_data) as own:
        yield own


async def until(status: int, address: str, within: float) -> None:
    end = monotonic() + within
    while await health(address) != status:
        assert monotonic() < end, f"health is not {status} within {within} s"
        await asyncio.sleep(0.1)


async def test_gr08_a_store_that_hangs_gives_an_error_in_bounded_time(
    own_redis: RedisServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """And the health status says so, until it is back."""
    monkeypatch.setattr("arbiter.store.link.TIMEOUT_S", 1.0)
    monkeypatch.setattr(server_module, "WATCH_SECONDS", 0.3)
    caplog.set_level(logging.INFO)
    store = await Store.open(own_redis.url)
    admin_token = await store.tokens.create(Role.ADMIN)
    arbiter = Arbiter(store, Settings(listen="127.0.0.1:0", arbiter_id="test"))
    await arbiter.start()
    try:
        assert await health(arbiter.address) == SERVING
        assert await health(arbiter.address, "hearts.v1.PlayService") == SERVING
        async with grpc.aio.insecure_channel(arbiter.address) as channel:
            admin = Api(channel, admin_token)
            request = bots_pb2.GetBotRequest(name="bots/anna")
            assert (await admin.refused(admin.bots.GetBot, request)).code == (
                grpc.StatusCode.NOT_FOUND
            )
            own_redis.process.send_signal(signal.SIGSTOP)
            began = monotonic()
            found = await admin.refused(admin.bots.GetBot, request)
            assert monotonic() - began < 6
            assert found.code == grpc.StatusCode.UNAVAILABLE
            assert found.detail.reason == errors_pb2.ERROR_REASON_STORE_UNAVAILABLE
            assert found.detail.retry_after_ms > 0
            assert "127.0.0.1" not in f"{found}"
            await until(NOT_SERVING, arbiter.address, 5)
            own_redis.process.send_signal(signal.SIGCONT)
            await until(SERVING, arbiter.address, 5)
            assert (await admin.refused(admin.bots.GetBot, request)).code == (
                grpc.StatusCode.NOT_FOUND
            )
    finally:
        own_redis.process.send_signal(signal.SIGCONT)
        await arbiter.stop(grace_s=0)
        await store.close()
    assert admin_token not in caplog.text


async def test_gr04_health_needs_no_token_and_answers_at_once(arbiter: Arbiter) -> None:
    began = monotonic()
    assert await health(arbiter.address) == SERVING
    assert monotonic() - began < 1


async def test_reflection_lists_every_service(arbiter: Arbiter) -> None:
    async with grpc.aio.insecure_channel(arbiter.address) as channel:
        stub = reflection_pb2_grpc.ServerReflectionStub(channel)
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        call = stub.ServerReflectionInfo(iter([request]), timeout=5)
        answer = await call.read()
        names = {service.name for service in answer.list_services_response.service}
    assert set(SERVICES) <= names
    assert len(SERVICES) == 7


def test_what_is_shown_of_addresses() -> None:
    assert without_password("redis://me:pw@host:1/2") == "redis://host:1/2"
    assert without_password("unix://:pw@/run/r.sock?password=pw") == "unix:///run/r.sock"
    assert advertised("127.0.0.1:7700") == "127.0.0.1:7700"
    assert advertised("0.0.0.0:7700") == f"{socket.gethostname()}:7700"


class Thinker(Bot):
    """Never done with its first decision."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def pass_cards(self, turn: Turn) -> list[int]:
        await asyncio.sleep(60)
        return turn.hand[:3]

    play = pass_cards  # type: ignore[assignment]


async def test_a_second_signal_does_not_wait_for_matches(redis_url: str, store: Store) -> None:
    """They are given back at once, and will be played by somebody else."""
    admin_token = await store.tokens.create(Role.ADMIN)
    worker_token = await store.tokens.create(Role.WORKER)
    async with process(redis_url, listen="127.0.0.1:0") as started:
        address = await ready(started)
        async with grpc.aio.insecure_channel(address) as channel:
            admin = Api(channel, admin_token)
            await register(admin, *FOUR)
            clock = play_pb2.Limits(connect_ms=60_000, decision_ms=60_000)
            await admin(admin.tournaments.CreateTournament, creation(boards=3, clock=clock))
            thinking = [
                asyncio.create_task(
                    play_async(Thinker(name), address, await store.tokens.create(Role.BOT, name))
                )
                for name in FOUR
            ]
            await eventually(partial(_here, store))
            call = await batch(Api(channel, worker_token), store)
            await eventually(partial(_playing, store, 3))
            started.send_signal(signal.SIGTERM)
            await eventually(partial(_gone, store))
            began = monotonic()
            started.send_signal(signal.SIGTERM)
            outcomes = {item.outcome async for item in call}
            assert outcomes == {arbiter_pb2.ATTEMPT_OUTCOME_RELEASED}
            code, errors = await ended(started)
            for task in thinking:
                task.cancel()
            await asyncio.gather(*thinking, return_exceptions=True)
        assert (code, "Traceback" in errors) == (0, False)
        assert monotonic() - began < server_module.GRACE_SECONDS - 0.5
    assert await store.matches.ready_count() == 3


async def _here(store: Store) -> bool:
    return await store.bots.online() == set(FOUR)


async def _playing(store: Store, tables: int) -> bool:
    return [row.tables for row in await store.arbiters.alive()] == [tables]


async def _gone(store: Store) -> bool:
    return not await store.arbiters.alive()
