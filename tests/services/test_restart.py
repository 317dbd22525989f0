"""An arbiter ends in the middle of a trick and is started again: real processes, a real store, bots
on the SDK. What was played counts once, the rest is played on with the same cards."""

from __future__ import annotations

import asyncio
import signal
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import Any

import grpc.aio
from arbiter_process import ended, process, ready
from services_kit import FOUR, Api, batch, creation, eventually, register

from arbiter.matches import payloads
from arbiter.server import GRACE_SECONDS
from arbiter.store import MatchRow, MatchState, Role, Store
from client_sdk import Bot, Fallback, Match, MatchResult, Refusal, Turn, play_async
from hearts.record import replay
from hearts.v1 import arbiter_pb2, matches_pb2, play_pb2
from hearts.wire import record_from_wire

COMMITTED = arbiter_pb2.ATTEMPT_OUTCOME_COMMITTED
RELEASED = arbiter_pb2.ATTEMPT_OUTCOME_RELEASED
CLOCK = play_pb2.Limits(connect_ms=3_000, decision_ms=3_000, rejoin_ms=2_000)
BACK_SECONDS = 10.0
"""GR07: within which all bots are back at an arbiter that was started again."""


class Witness(Bot):
    """Takes a little time, and notes what it was dealt, deal by deal, and what went wrong."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.dealt: dict[str, dict[int, list[tuple[int, ...]]]] = defaultdict(
            lambda: defaultdict(list)
        )
        self.finished: dict[str, int] = defaultdict(int)
        self.faults: list[object] = []
        self.reached = asyncio.Event()
        self.wanted = 10_000

    async def play(self, turn: Turn) -> int:
        await asyncio.sleep(0.002)
        done = sum(self.finished.values())
        if done >= self.wanted and turn.match.deal >= 1 and turn.trick_number == 5 and turn.trick:
            self.reached.set()
        return turn.random.choice(turn.legal)

    def on_deal_start(self, match: Match) -> None:
        self.dealt[match.name][match.deal].append(tuple(match.dealt))

    def on_match_over(self, match: Match, result: MatchResult) -> None:
        self.finished[match.name] += result.reason != play_pb2.MATCH_END_ABANDONED

    def on_refusal(self, match: Match, refusal: Refusal) -> None:
        self.faults.append(refusal)

    def on_fallback(self, match: Match, fallback: Fallback) -> None:
        self.faults.append(fallback)


@asynccontextmanager
async def witnesses(address: str, store: Store) -> AsyncIterator[list[Witness]]:
    """All four, two tables each; nobody does anything for them afterwards."""
    bots = [Witness(name) for name in FOUR]
    tasks = [
        asyncio.create_task(
            play_async(bot, address, await store.tokens.create(Role.BOT, bot.name), max_tables=2)
        )
        for bot in bots
    ]
    yield bots
    for task in tasks:
        assert not task.done(), task
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def registered(address: str, admin_token: str) -> None:
    async with grpc.aio.insecure_channel(address) as channel:
        await register(Api(channel, admin_token), *FOUR)


async def outcomes(call: Any) -> list[arbiter_pb2.PlayBatchResponse]:
    """What a batch brings until its arbiter is gone."""
    found = []
    with suppress(grpc.aio.AioRpcError):
        async for item in call:
            found.append(item)
    return found


async def rows(store: Store) -> list[MatchRow]:
    [tournament] = await store.tournaments.list(None, 10)
    return await store.matches.load(await store.matches.ids(tournament.id))


async def online(store: Store) -> bool:
    found = await store.bots.get_many(FOUR)
    return all(row is not None and row.arbiter == "two" for row in found)


async def check(
    store: Store, admin: Api, bots: list[Witness], before: dict[str, MatchRow], deals: int
) -> None:
    """Each match has its one result, from whole deals, each played with the cards of its first
    attempt; nobody was blamed for anything."""
    [tournament] = await store.tournaments.list(None, 10)
    found = await rows(store)
    assert {row.state for row in found} == {MatchState.DONE}
    assert (tournament.done, tournament.running, tournament.failed) == (len(found), 0, 0)
    assert tournament.deals_done == deals * len(found)
    assert len(await store.matches.results(tournament.id)) == len(found)
    for row in found:
        name = f"matches/{row.plan.id}"
        packed = await store.matches.record(row.plan.id)
        record = record_from_wire(payloads.read_record(packed))
        replay(record)
        assert [deal.deal for deal in record.deals] == list(range(deals))
        assert not record.incidents
        assert not any(deal.incidents for deal in record.deals)
        request = matches_pb2.GetMatchRequest(name=name)
        tag = (await admin(admin.matches.GetMatch, request)).match.tag
        kept = before[row.plan.id].checkpoint_deals
        for bot in bots:
            seat = row.plan.seats.index(bot.name)
            assert bot.finished[tag] == 1, "told of the end once"
            for deal in record.deals:
                seen = bot.dealt[tag][deal.deal]
                assert set(seen) == {deal.hands[seat]}, "the same shuffles"
                if deal.deal < kept:
                    assert len(seen) == 1, "a finished deal is not played again"
    assert not [fault for bot in bots for fault in bot.faults]


async def test_sigkill_in_the_middle_of_a_trick(redis_url: str, store: Store) -> None:
    """DR04, GR07, SP01: the next attempts go on after the last finished deals."""
    deals = 5
    admin_token = await store.tokens.create(Role.ADMIN)
    worker_token = await store.tokens.create(Role.WORKER)
    settings = {"lease_seconds": "1", "arbiter_id": "one"}
    async with process(redis_url, listen="127.0.0.1:0", **settings) as first:
        address = await ready(first)
        await registered(address, admin_token)
        async with witnesses(address, store) as bots:
            async with grpc.aio.insecure_channel(address) as channel:
                admin = Api(channel, admin_token)
                request = creation(boards=6, deals=deals, clock=CLOCK)
                await admin(admin.tournaments.CreateTournament, request)
                playing = asyncio.create_task(
                    outcomes(await batch(Api(channel, worker_token), store))
                )
                bots[2].wanted = 1
                await asyncio.wait_for(bots[2].reached.wait(), 30)
                first.kill()
                committed = await playing
            before = {row.plan.id: row for row in await rows(store)}
            states = [row.state for row in before.values()]
            assert {MatchState.DONE, MatchState.RUNNING} <= set(states), "some over, some not"
            assert any(row.checkpoint_deals for row in before.values())
            await first.wait()

            began = monotonic()
            async with process(redis_url, listen=address, arbiter_id="two") as second:
                await ready(second)
                await eventually(lambda: online(store))
                assert monotonic() - began < BACK_SECONDS

                async def given_back() -> bool:
                    await store.matches.expire()
                    return not any(r.state is MatchState.RUNNING for r in await rows(store))

                await eventually(given_back)
                async with grpc.aio.insecure_channel(address) as channel:
                    admin = Api(channel, admin_token)
                    rest = await outcomes(await batch(Api(channel, worker_token), store))
                    assert {item.outcome for item in rest} == {COMMITTED}
                    assert len(rest) == 6 - states.count(MatchState.DONE)
                    assert not {item.match for item in rest} & {item.match for item in committed}
                    await check(store, admin, bots, before, deals)
    assert not [row.failures for row in await rows(store) if row.failures]


async def test_sigterm_lets_the_deals_end_and_blames_nobody(redis_url: str, store: Store) -> None:
    """What runs comes to the end of its deal, what waits is given back, and the bots are told when
    to come back: no deal is begun twice, no bot has a verdict."""
    deals = 5
    admin_token = await store.tokens.create(Role.ADMIN)
    worker_token = await store.tokens.create(Role.WORKER)
    async with process(redis_url, listen="127.0.0.1:0", arbiter_id="one") as first:
        address = await ready(first)
        await registered(address, admin_token)
        async with witnesses(address, store) as bots:
            async with grpc.aio.insecure_channel(address) as channel:
                admin = Api(channel, admin_token)
                clock = play_pb2.Limits(connect_ms=100, decision_ms=3_000)
                request = creation(boards=6, deals=deals, clock=clock)
                await admin(admin.tournaments.CreateTournament, request)
                playing = asyncio.create_task(
                    outcomes(await batch(Api(channel, worker_token), store))
                )
                bots[2].wanted = 0
                await asyncio.wait_for(bots[2].reached.wait(), 30)
                began = monotonic()
                first.send_signal(signal.SIGTERM)
                released = await playing
            code, errors = await ended(first)
            assert (code, "Traceback" in errors) == (0, False)
            assert monotonic() - began < GRACE_SECONDS + 1
            assert {item.outcome for item in released} <= {COMMITTED, RELEASED}
            assert len(released) == 6
            before = {row.plan.id: row for row in await rows(store)}
            assert {row.state for row in before.values()} <= {MatchState.READY, MatchState.DONE}
            assert max(row.checkpoint_deals for row in before.values()) >= 2

            async with process(redis_url, listen=address, arbiter_id="two") as second:
                await ready(second)
                # At once, before the bots are back: their connect budget of 0.1 s is not used up.
                async with grpc.aio.insecure_channel(address) as channel:
                    admin = Api(channel, admin_token)
                    rest = await outcomes(await batch(Api(channel, worker_token), store))
                    assert {item.outcome for item in rest} == {COMMITTED}
                    await check(store, admin, bots, before, deals)
            for bot in bots:
                for seen in bot.dealt.values():
                    assert {len(hands) for hands in seen.values()} == {1}, "no deal was begun twice"


class Ponderer(Witness):
    """Never done with a card once it has begun to think."""

    async def play(self, turn: Turn) -> int:
        self.reached.set()
        await asyncio.sleep(60)
        return turn.legal[0]


async def test_sigterm_waits_for_a_deal_no_longer_than_its_limit(
    redis_url: str, store: Store
) -> None:
    """A bot that thinks for a minute does not keep the arbiter from ending: the match is given back
    without blame, and its bots are told when to come back."""
    admin_token = await store.tokens.create(Role.ADMIN)
    worker_token = await store.tokens.create(Role.WORKER)
    async with process(redis_url, listen="127.0.0.1:0", arbiter_id="one") as first:
        address = await ready(first)
        await registered(address, admin_token)
        bots = [Ponderer(name) for name in FOUR]
        tasks = [
            asyncio.create_task(
                play_async(bot, address, await store.tokens.create(Role.BOT, bot.name))
            )
            for bot in bots
        ]
        async with grpc.aio.insecure_channel(address) as channel:
            clock = play_pb2.Limits(connect_ms=20_000, decision_ms=60_000)
            request = creation(boards=1, deals=1, clock=clock)
            await Api(channel, admin_token)(
                Api(channel, admin_token).tournaments.CreateTournament, request
            )
            playing = asyncio.create_task(outcomes(await batch(Api(channel, worker_token), store)))
            waits = [asyncio.create_task(bot.reached.wait()) for bot in bots]
            await asyncio.wait(waits, timeout=30, return_when=asyncio.FIRST_COMPLETED)
            assert any(bot.reached.is_set() for bot in bots)
            began = monotonic()
            first.send_signal(signal.SIGTERM)
            [given_back] = await asyncio.wait_for(playing, GRACE_SECONDS + 10)
            assert given_back.outcome == RELEASED
            assert monotonic() - began >= GRACE_SECONDS - 0.5, "the deal had its chance"
        code, errors = await ended(first)
        assert (code, "Traceback" in errors) == (0, False)
        for task in (*waits, *tasks):
            task.cancel()
        await asyncio.gather(*waits, *tasks, return_exceptions=True)
    [row] = await rows(store)
    assert (row.state, row.failures, row.checkpoint_deals) == (MatchState.READY, 0, 0)
