"""Spectators: live, later, and never more than the table has seen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import grpc
import grpc.aio
import pytest
from services_kit import FOUR, Api, batch, creation, eventually, register

from arbiter.matches.spectators import End, Teller, finished_deal, open_deal
from arbiter.server import Arbiter
from arbiter.services import spectators
from arbiter.store import MatchState, Role, Store
from client_sdk import Bot, Turn, play_async
from hearts.game import Game
from hearts.record import DealRecord
from hearts.rules import PRESETS, preset
from hearts.shuffle import Board
from hearts.v1 import matches_pb2, play_pb2
from hearts.wire import record_from_wire

Event = matches_pb2.TableEvent


class Slow(Bot):
    """Takes a moment for each card; may be stopped at one."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.gate = asyncio.Event()
        self.gate.set()

    async def play(self, turn: Turn) -> int:
        await asyncio.sleep(0.002)
        await self.gate.wait()
        return turn.random.choice(turn.legal)


@asynccontextmanager
async def playing(arbiter: Arbiter, store: Store) -> AsyncIterator[list[Slow]]:
    bots = [Slow(name) for name in FOUR]
    tasks = [
        asyncio.create_task(
            play_async(bot, arbiter.address, await store.tokens.create(Role.BOT, bot.name))
        )
        for bot in bots
    ]
    yield bots
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def tournament(admin: Api, store: Store, **changes: Any) -> list[str]:
    """A tournament of the four; its matches."""
    await register(admin, *FOUR, house=True)
    clock = play_pb2.Limits(connect_ms=5_000, decision_ms=10_000)
    await admin(admin.tournaments.CreateTournament, creation(clock=clock, **changes))
    [row] = await store.tournaments.list(None, 10)
    return await store.matches.ids(row.id)


class Seat:
    """One who watches, in the background."""

    def __init__(self, api: Api, match: str, after: int = 0, attempt: int = 0) -> None:
        request = matches_pb2.WatchMatchRequest(
            name=f"matches/{match}", after=after, attempt=attempt
        )
        self.call = api.matches.WatchMatch(
            request, metadata=(("authorization", f"Bearer {api.token}"),)
        )
        self.responses: list[matches_pb2.WatchMatchResponse] = []
        self.task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for response in self.call:
            self.responses.append(response)

    @property
    def events(self) -> list[Event]:
        """Of the last attempt."""
        last = self.responses[-1].attempt if self.responses else 0
        return [e for r in self.responses if r.attempt == last for e in r.events]

    def seen(self, kind: str) -> int:
        return sum(event.WhichOneof("event") == kind for event in self.events)

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(20):
            while not holds():
                if self.task.done():
                    self.task.result()
                    assert holds(), "the stream ended before"
                await asyncio.sleep(0.01)


async def told(store: Store, match: str) -> list[Event]:
    """The events that the record stands for."""
    record = record_from_wire(
        spectators.payloads.read_record(await store.matches.record(match))  # type: ignore[arg-type]
    )
    return Teller(record.rules).news(record.deals, None, End.of(record))


async def test_live_to_finished_without_a_gap_and_from_any_event(
    arbiter: Arbiter, admin: Api, worker: Api, store: Store
) -> None:
    [match] = await tournament(admin, store, boards=1, deals=3)
    async with playing(arbiter, store) as bots:
        early = Seat(admin, match)
        run = asyncio.create_task(_all(await batch(worker, store)))
        await early.until(lambda: early.seen("deal_over") == 1 and early.seen("play") > 52 + 9)
        bots[0].gate.clear()
        row = await store.matches.get(match)
        assert row is not None
        assert row.state is MatchState.RUNNING, "seen while it runs"
        await asyncio.sleep(0.2)
        assert not early.seen("match_over")
        middle = early.events[-7].sequence
        late = Seat(admin, match, after=middle, attempt=1)
        stranger = Seat(admin, match, after=middle, attempt=9)
        bots[0].gate.set()
        await run
        for seat in (early, late, stranger):
            await asyncio.wait_for(seat.task, 10)
    expected = await told(store, match)
    assert [e.sequence for e in expected] == list(range(1, len(expected) + 1))
    assert early.events == expected
    assert late.events == expected[middle:]
    assert stranger.events == expected, "of another attempt everything comes"
    assert early.responses[-1].state == matches_pb2.MATCH_STATE_DONE
    finished = Seat(admin, match)
    await asyncio.wait_for(finished.task, 10)
    assert finished.events == expected
    nothing_new = Seat(admin, match, after=len(expected), attempt=1)
    await asyncio.wait_for(nothing_new.task, 10)
    assert not nothing_new.events


async def _all(call: Any) -> list[Any]:
    return [item async for item in call]


async def test_nothing_of_a_board_before_its_last_rotation_is_played(
    arbiter: Arbiter, admin: Api, worker: Api, store: Store
) -> None:
    """Whoever watched could tell the bots of the other rotations every card."""
    matches = await tournament(admin, store, boards=1, duplicate=True)
    async with playing(arbiter, store):
        seats = [Seat(admin, match) for match in matches]
        await _all(await batch(worker, store, limit=3))
        await asyncio.sleep(2 * spectators.POLL_SECONDS + 0.2)
        done = [m for m in matches if (await store.matches.get(m)).state is MatchState.DONE]
        assert len(done) == 3
        for match, seat in zip(matches, seats, strict=True):
            if match in done:
                assert [r.held_back for r in seat.responses] == [True]
                assert not seat.events
        await _all(await batch(worker, store))
        for match, seat in zip(matches, seats, strict=True):
            await asyncio.wait_for(seat.task, 10)
            assert seat.events == await told(store, match)


async def test_an_attempt_that_is_given_up_is_told_anew(
    arbiter: Arbiter, admin: Api, worker: Api, store: Store
) -> None:
    [match] = await tournament(admin, store, boards=1, deals=2)
    async with playing(arbiter, store):
        seat = Seat(admin, match)
        call = await batch(worker, store)
        await seat.until(lambda: seat.seen("deal_over") == 1 and seat.seen("play") > 52 + 5)
        call.cancel()
        await eventually(lambda: arbiter.runner.tables == 0)
        await eventually(lambda: _ready(store))
        await _all(await batch(worker, store))
        await asyncio.wait_for(seat.task, 10)
    attempts = {response.attempt for response in seat.responses if response.events}
    assert attempts == {1, 2}
    assert seat.events == await told(store, match)


async def _ready(store: Store) -> bool:
    return await store.matches.ready_count() == 1


async def test_a_match_that_runs_elsewhere_comes_deal_by_deal(
    arbiter: Arbiter, admin: Api, worker: Api, store: Store
) -> None:
    [match] = await tournament(admin, store, boards=1, deals=3)
    async with playing(arbiter, store) as bots:
        run = asyncio.create_task(_all(await batch(worker, store)))
        near = Seat(admin, match)
        await near.until(lambda: near.seen("deal_over") == 1)
        bots[0].gate.clear()
        arbiter.runner.table = lambda _match: None  # type: ignore[method-assign]
        far = Seat(admin, match)
        await far.until(lambda: far.seen("deal_over") == 1)
        assert far.events[-1].WhichOneof("event") == "deal_over"
        bots[0].gate.set()
        await run
        await asyncio.wait_for(far.task, 10)
    assert far.events == await told(store, match)


async def test_spectators_are_limited_and_their_places_come_free(
    admin: Api, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spectators, "MAX_SPECTATORS", 1)
    [match] = await tournament(admin, store, boards=1)
    first = Seat(admin, match)
    await first.until(lambda: bool(first.responses))
    second = Seat(admin, match)
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await second.task
    assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    first.call.cancel()
    await asyncio.gather(first.task, return_exceptions=True)

    async def free() -> bool:
        seat = Seat(admin, match)
        await asyncio.wait({seat.task}, timeout=0.2)
        seat.call.cancel()
        await asyncio.gather(seat.task, return_exceptions=True)
        return bool(seat.responses)

    await eventually(free)


async def test_no_such_match(admin: Api) -> None:
    request = matches_pb2.WatchMatchRequest(name="matches/none")
    call = admin.matches.WatchMatch(
        request, metadata=(("authorization", f"Bearer {admin.token}"),), timeout=5
    )
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await call.read()
    assert refused.value.code() is grpc.StatusCode.NOT_FOUND


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_before_the_end_of_a_deal_only_played_cards_are_told(name: str) -> None:
    """FS02: of each event of a deal in progress, every field; and it is the beginning of what is
    told of the finished deal, so nothing is taken back."""
    rules = preset(name)
    game = Game(rules, Board(bytes(range(32)), 3), 1)
    deal = game.deal
    steps: list[list[Event]] = []
    while not game.over:
        steps.append(open_deal(deal))
        seat = min(deal.to_pass) if deal.to_pass else deal.turn
        choice = deal.fallback(seat)
        if deal.to_pass:
            deal.choose_pass(seat, choice)  # type: ignore[arg-type]
        elif isinstance(choice, list):
            deal.play(seat, choice[0])
        else:
            deal.choose_moon(choice)
    record = DealRecord.of(deal)
    whole = finished_deal(rules, record, [0] * rules.players)
    assert whole[-1].WhichOneof("event") == "deal_over"
    for seen in steps:
        assert seen == whole[: len(seen)]
        for event in seen:
            kind = event.WhichOneof("event")
            fields = {field.name for field, _ in getattr(event, kind).ListFields()}
            assert fields <= {
                "deal": {"deal", "dealer", "pass_offset", "totals"},
                "passed": {"deal"},
                "play": {"deal", "trick", "seat", "card"},
            }.get(kind, set())
    plays = [event.play.card for event in whole if event.WhichOneof("event") == "play"]
    assert plays == deal.plays
