"""Workers have matches played by bots that are connected: the whole way through the services."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

import grpc
import pytest
from grpc_status._async import from_call
from services_kit import FOUR, TIMEOUT, Api, batch, creation, eventually, refit, refused, register

from arbiter.matches.advance import Advance, advance
from arbiter.server import Arbiter
from arbiter.settings import Settings
from arbiter.store import Role, Store
from client_sdk import Bot, Turn, play_async
from client_sdk.endpoint import Options, serving
from hearts.v1 import (
    arbiter_pb2,
    arbiter_pb2_grpc,
    bots_pb2,
    errors_pb2,
    matches_pb2,
    play_pb2,
    ratings_pb2,
    tournaments_pb2,
)


class First(Bot):
    """Plays its first legal card."""

    def __init__(self, name: str) -> None:
        self.name = name

    def play(self, turn: Turn) -> int:
        return turn.legal[0]


@asynccontextmanager
async def connected(arbiter: Arbiter, store: Store, *names: str) -> AsyncIterator[None]:
    """Bots on their streams."""
    tasks = [
        asyncio.create_task(
            play_async(First(name), arbiter.address, await store.tokens.create(Role.BOT, name))
        )
        for name in names
    ]
    await eventually(lambda: set(arbiter.hub.online()) == set(names))
    yield
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def ready(store: Store, count: int) -> bool:
    return await store.matches.ready_count() == count


async def test_a_tournament_from_plan_to_ratings(
    arbiter: Arbiter, admin: Api, worker: Api, store: Store
) -> None:
    await register(admin, *FOUR, house=True)
    request = creation(duplicate=True, boards=3)
    made = (await admin(admin.tournaments.CreateTournament, request)).tournament
    async with connected(arbiter, store, *FOUR):
        outcomes = [item async for item in await batch(worker, store)]
    assert {item.outcome for item in outcomes} == {arbiter_pb2.ATTEMPT_OUTCOME_COMMITTED}
    assert len({item.match for item in outcomes}) == 12
    result = await advance(store, made.name.split("/")[1])
    assert result.outcome == Advance.FINISHED

    table = await admin(
        admin.tournaments.GetStandings, tournaments_pb2.GetStandingsRequest(name=made.name)
    )
    assert {line.deals for line in table.standings} == {12}
    moons = sum(line.moons for line in table.standings)
    expected = 26 + 52 * moons / 12
    assert sum(line.points_per_deal for line in table.standings) == pytest.approx(
        expected, abs=1e-3
    )
    assert not any(line.timeouts or line.illegal or line.no_shows for line in table.standings)

    wanted = matches_pb2.GetMatchRecordRequest(name=outcomes[0].match)
    record = (await admin(admin.matches.GetMatchRecord, wanted)).record
    assert len(record.deals[0].plays) == 52

    match = matches_pb2.GetMatchRequest(name=outcomes[0].match)
    played = (await admin(admin.matches.GetMatch, match)).match
    assert [seat.bot for seat in played.result.seats] == list(played.seats)

    await refit(store, "standard-4")
    [pool] = (await admin(admin.ratings.ListRatings, ratings_pb2.ListRatingsRequest())).pools
    assert (pool.deals, pool.blocks) == (12, 3)


async def test_a_bot_that_never_comes_loses_alone(
    arbiter: Arbiter, admin: Api, worker: Api, store: Store
) -> None:
    await register(admin, *FOUR, house=True)
    clock = play_pb2.Limits(connect_ms=300)
    request = creation(boards=2, clock=clock)
    made = (await admin(admin.tournaments.CreateTournament, request)).tournament
    async with connected(arbiter, store, *FOUR[:3]):
        outcomes = [item async for item in await batch(worker, store)]
    assert {item.outcome for item in outcomes} == {arbiter_pb2.ATTEMPT_OUTCOME_COMMITTED}
    table = await admin(
        admin.tournaments.GetStandings, tournaments_pb2.GetStandingsRequest(name=made.name)
    )
    by_bot = {line.bot: line for line in table.standings}
    assert by_bot["bots/dora"].no_shows == 2
    assert by_bot["bots/dora"].points_per_deal == 26
    assert {by_bot[f"bots/{name}"].deals for name in FOUR[:3]} == {0}


async def test_a_cancelled_call_returns_its_leases(
    arbiter: Arbiter, admin: Api, worker: Api, store: Store
) -> None:
    await register(admin, *FOUR)
    await admin(admin.tournaments.CreateTournament, creation(boards=3))
    call = await batch(worker, store)
    await eventually(lambda: arbiter.runner.tables == 3)
    assert await ready(store, 0)
    call.cancel()
    await eventually(partial(ready, store, 3))
    assert arbiter.runner.tables == 0


async def test_stopping_gives_matches_back_and_blames_nobody(
    arbiter: Arbiter, admin: Api, worker: Api, store: Store
) -> None:
    await register(admin, *FOUR)
    await admin(admin.tournaments.CreateTournament, creation(boards=3))
    call = await batch(worker, store)
    await eventually(lambda: arbiter.runner.tables == 3)
    stopping = asyncio.create_task(arbiter.stop(grace_s=0.1))
    outcomes = [item async for item in call]
    await stopping
    assert {item.outcome for item in outcomes} == {arbiter_pb2.ATTEMPT_OUTCOME_RELEASED}
    assert await store.matches.ready_count() == 3


async def test_bad_batches(worker: Api) -> None:
    stub = arbiter_pb2_grpc.ArbiterServiceStub(worker.channel)
    for assignments, subject in [
        ([], "assignments"),
        ([arbiter_pb2.Assignment(match="x", lease="y")], "assignments[0].match"),
        ([arbiter_pb2.Assignment(match="matches/x")], "assignments[0].lease"),
    ]:
        call = stub.PlayBatch(
            arbiter_pb2.PlayBatchRequest(worker="w1", assignments=assignments),
            timeout=TIMEOUT,
            metadata=(("authorization", f"Bearer {worker.token}"),),
        )
        found = await refused(call)
        assert (found.code, found.detail.subject) == (grpc.StatusCode.INVALID_ARGUMENT, subject)


async def test_an_unknown_lease_is_stale(worker: Api) -> None:
    stub = arbiter_pb2_grpc.ArbiterServiceStub(worker.channel)
    request = arbiter_pb2.PlayBatchRequest(
        worker="w1",
        assignments=[arbiter_pb2.Assignment(match="matches/none", lease="old")],
    )
    call = stub.PlayBatch(
        request, timeout=TIMEOUT, metadata=(("authorization", f"Bearer {worker.token}"),)
    )
    outcomes = [item.outcome async for item in call]
    assert outcomes == [arbiter_pb2.ATTEMPT_OUTCOME_STALE]


async def test_a_bots_token_plays_for_that_bot_only(bot: Api) -> None:
    stub = bot.channel.stream_stream(
        "/hearts.v1.PlayService/Play",
        request_serializer=lambda message: message.SerializeToString(),
        response_deserializer=play_pb2.PlayResponse.FromString,
    )
    call = stub(metadata=(("authorization", f"Bearer {bot.token}"),), timeout=TIMEOUT)
    hello = play_pb2.Hello(protocol_min=1, protocol_max=1, bot="bots/bert", max_tables=1)
    await call.write(play_pb2.PlayRequest(frame=play_pb2.BotFrame(hello=hello)))
    assert await call.code() == grpc.StatusCode.PERMISSION_DENIED
    status = await from_call(call)
    detail = errors_pb2.ErrorDetail()
    status.details[0].Unpack(detail)
    assert detail.subject == "hello.bot"


async def test_bots_at_endpoints_and_bots_that_connect_play_together(store: Store) -> None:
    """From `hearts bots register --endpoint` to the result; the token comes back from there."""
    settings = Settings(listen="127.0.0.1:0", arbiter_id="test", allow_private_endpoints=True)
    arbiter = Arbiter(store, settings)
    await arbiter.start()
    try:
        async with AsyncExitStack() as stack:
            channel = await stack.enter_async_context(grpc.aio.insecure_channel(arbiter.address))
            admin = Api(channel, await store.tokens.create(Role.ADMIN))
            worker = Api(channel, await store.tokens.create(Role.WORKER))
            await register(admin, *FOUR[2:])
            for name in FOUR[:2]:
                with socket.create_server(("127.0.0.1", 0)) as free:
                    address = f"127.0.0.1:{free.getsockname()[1]}"
                bot = bots_pb2.Bot(name=f"bots/{name}", endpoint=address)
                request = bots_pb2.CreateBotRequest(bot=bot, request_id=name)
                token = (await admin(admin.bots.CreateBot, request)).token
                await stack.enter_async_context(serving(First(name), Options(address, token)))
            await stack.enter_async_context(connected(arbiter, store, *FOUR[2:]))
            await admin(admin.tournaments.CreateTournament, creation(boards=3))
            outcomes = [item async for item in await batch(worker, store)]
            assert {item.outcome for item in outcomes} == {arbiter_pb2.ATTEMPT_OUTCOME_COMMITTED}
            assert {item.deals for item in outcomes} == {1}
    finally:
        await arbiter.stop(grace_s=0)
