"""Batches, scheduling and ratings, run in this process against a stand-in arbiter."""

import asyncio
import socket
import time
from typing import Any

import pytest
from worker_kit import TOKEN, FakeArbiter, create, serving, until, working

from arbiter.matches import advance as stepping
from arbiter.matches.advance import Advance, advance
from arbiter.ratings.wire import decode
from arbiter.store import Commit, MatchState, Store, TournamentRow
from workers import batches, fit, schedule
from workers.loop import Context
from workers.pace import Pace


class Offers:
    """Counts the hints that would be sent."""

    def __init__(self) -> None:
        self.count = 0

    async def __call__(self) -> None:
        self.count += 1


async def _drain(context: Context, store: Store, within: int = 50) -> None:
    """Follow the hints until there are no more, as workers do."""
    for _ in range(within):
        offers = Offers()
        await batches.play_batch(context, offers)
        if not offers.count:
            return
    raise AssertionError("hints without end")


async def test_a_tournament_is_planned_played_finished_and_rated(
    store: Store, redis_url: str
) -> None:
    async with serving(FakeArbiter(store)) as arbiter, working(redis_url) as context:
        cup = await create(store, boards=40)
        assert await schedule.advance(context, cup)
        await _drain(context, store)
        row = await store.tournaments.get(cup)
        assert row is not None
        assert (row.state.value, row.planned, row.done) == ("finished", 40, 40)
        played = [match for _, batch in arbiter.batches for match in batch]
        assert played == list(await store.matches.ids(cup))
        assert arbiter.tokens == {f"Bearer {TOKEN}"}
        (pool,) = decode(await store.ratings.load("standard-4") or b"")
        assert {rating.bot for rating in pool.ratings} == {
            "bots/anna",
            "bots/bert",
            "bots/cleo",
            "bots/dora",
        }
        assert (pool.deals, pool.blocks) == (40, 40)


async def test_batches_begin_small_and_grow(
    store: Store, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = Pace.note

    def quick(pace: Pace, tournament: str, matches: int, _seconds: float) -> None:
        """As on a machine that nobody else uses."""
        note(pace, tournament, matches, matches * 0.01)

    monkeypatch.setattr(Pace, "note", quick)
    async with serving(FakeArbiter(store)) as arbiter, working(redis_url) as context:
        await schedule.advance(context, await create(store, boards=300))
        await _drain(context, store)
        assert [len(batch) for _, batch in arbiter.batches][:3] == [8, 32, 128]


async def test_two_workers_never_play_the_same_match(store: Store, redis_url: str) -> None:
    async with (
        serving(FakeArbiter(store, delay=0.001)) as arbiter,
        working(redis_url) as one,
        working(redis_url) as two,
    ):
        cup = await create(store, boards=60)
        await asyncio.gather(*(schedule.advance(context, cup) for context in (one, two)))
        await asyncio.gather(_drain(one, store), _drain(two, store))
        assert arbiter.commits == [Commit.COMMITTED] * 60


async def test_without_work_or_arbiter_nothing_is_claimed(
    store: Store, redis_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with working(redis_url) as context:
        await batches.play_batch(context, Offers())
        await schedule.advance(context, await create(store, boards=2))
        await batches.play_batch(context, Offers())
        await batches.play_batch(context, Offers())
    assert [row.attempts for row in await store.matches.list("cup")] == [0, 0]
    assert caplog.text.count("no arbiter is up") == 1


@pytest.mark.parametrize("kind", ["closed port", "silent port"])
async def test_an_arbiter_that_cannot_be_reached_costs_no_match_and_little_time(
    store: Store, redis_url: str, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    """GR08; and it is left alone for longer each time."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        if kind == "silent port":
            listener.listen()
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        await store.arbiters.announce("north", address, 0, 60)
        async with working(redis_url) as context:
            await schedule.advance(context, await create(store, boards=2))
            start = time.monotonic()
            await batches.play_batch(context, Offers())
            assert time.monotonic() - start < 4
            await batches.play_batch(context, Offers())  # left alone: not even tried
            assert time.monotonic() - start < 4
            assert context.dialer.failed(address) == 1.0
    assert caplog.text.count(f"{address} does not answer; trying again in 0.5 s") == 1
    assert await store.matches.ready_count() == 2


async def test_the_batch_goes_to_the_arbiter_with_the_fewest_tables(
    store: Store, redis_url: str
) -> None:
    async with (
        serving(FakeArbiter(store), "north") as north,
        serving(FakeArbiter(store), "south") as south,
        working(redis_url) as context,
    ):
        await store.arbiters.announce("north", north.address, 9, 60)
        await schedule.advance(context, await create(store, boards=2))
        await batches.play_batch(context, Offers())
        assert (len(north.batches), len(south.batches)) == (0, 1)


@pytest.mark.parametrize("behaviour", ["abort", "drain"])
async def test_an_arbiter_that_does_not_play_gets_no_second_batch_at_once(
    store: Store, redis_url: str, behaviour: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with (
        serving(FakeArbiter(store, behaviour=behaviour)) as arbiter,
        working(redis_url) as context,
    ):
        await schedule.advance(context, await create(store, boards=3))
        offers = Offers()
        for _ in range(3):
            await batches.play_batch(context, offers)
        assert (len(arbiter.batches), offers.count) == (1, 0)
        assert await store.matches.ready_count() == 3
        assert "trying again in 0.5 s" in caplog.text
        rows = await store.matches.list("cup")
        assert {(row.attempts, row.failures) for row in rows} == {(1, 0)}


async def test_an_arbiter_that_dies_amid_a_batch_loses_nothing(
    store: Store, redis_url: str
) -> None:
    async with working(redis_url) as context:
        cup = await create(store, boards=8)
        await schedule.advance(context, cup)
        async with serving(FakeArbiter(store, delay=0.05)) as arbiter:
            batch = asyncio.create_task(batches.play_batch(context, Offers()))
            await until(lambda: arbiter.commits)
        await batch
        done = len(await store.matches.ids(cup, MatchState.DONE))
        assert 0 < done < 8
        assert await store.matches.ready_count() == 8 - done
        async with serving(FakeArbiter(store)) as arbiter:
            await asyncio.sleep(0.5)
            await _drain(context, store)
        assert len(arbiter.commits) == 8 - done


async def is_running(store: Store, tournament: str, matches: int) -> bool:
    return len(await store.matches.ids(tournament, MatchState.RUNNING)) == matches


async def test_an_arbiter_that_lets_all_leases_run_out_is_left(
    store: Store, redis_url: str
) -> None:
    """It answers pings but plays nothing: the worker is not tied up for ever."""
    async with (
        serving(FakeArbiter(store, behaviour="sleep")),
        working(redis_url, lease_seconds=0.2) as context,
    ):
        cup = await create(store, boards=2)
        await schedule.advance(context, cup)
        batch = asyncio.create_task(batches.play_batch(context, Offers()))
        await until(lambda: is_running(store, cup, 2))
        for row in await store.matches.list(cup):  # as the sweep does
            await store.matches.release(row.plan.id, row.lease)
        await asyncio.wait_for(batch, 3)


async def test_a_cancelled_batch_gives_its_matches_back(store: Store, redis_url: str) -> None:
    async with (
        serving(FakeArbiter(store, delay=60)) as arbiter,
        working(redis_url) as context,
    ):
        cup = await create(store, boards=4)
        await schedule.advance(context, cup)
        batch = asyncio.create_task(batches.play_batch(context, Offers()))
        await until(lambda: arbiter.batches)
        batch.cancel()
        with pytest.raises(asyncio.CancelledError):
            await batch
        assert await store.matches.ready_count() == 4
        assert arbiter.given_up == 4


async def test_matches_that_always_fail_end_the_tournament_with_that_reason(
    store: Store, redis_url: str
) -> None:
    """CH05, RC06: one wave with failures does not hang, and no rating is touched."""
    async with (
        serving(FakeArbiter(store, behaviour="fail")) as arbiter,
        working(redis_url) as context,
    ):
        cup = await create(store, boards=2)
        await schedule.advance(context, cup)
        for _ in range(4):
            await batches.play_batch(context, Offers())
        row = await store.tournaments.get(cup)
        assert row is not None
        assert (row.state.value, row.failed, row.done) == ("finished", 2, 0)
        assert "2 matches were given up" in row.reason
        assert len(arbiter.batches) == 3
        assert await store.ratings.pools() == []


async def test_the_sweep_finds_what_nobody_does(store: Store, redis_url: str) -> None:
    refits = []

    async def refit(pool: str) -> None:
        refits.append(pool)

    async with serving(FakeArbiter(store)), working(redis_url) as context:
        offers = Offers()
        await schedule.sweep(context, offers, refit)
        assert offers.count == 0
        await create(store, boards=10)
        await schedule.sweep(context, offers, refit)
        assert (offers.count, await store.matches.ready_count()) == (1, 10)
        await batches.play_batch(context, Offers())
        for _ in range(2):
            await schedule.sweep(context, offers, refit)
        assert refits == ["standard-4"]


async def test_a_tournament_that_cannot_be_planned_does_not_stop_the_others(
    store: Store, redis_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with working(redis_url) as context:
        await store.tournaments.create(TournamentRow("broken", b"\xff", b"", True))
        await create(store, boards=2, id="sound")
        await schedule.sweep(context, Offers(), lambda pool: asyncio.sleep(0))
        assert len(await store.matches.ids("sound")) == 2
    assert "broken: cannot go on" in caplog.text


async def test_a_cancelled_tournament_is_not_planned_again(store: Store, redis_url: str) -> None:
    async with working(redis_url) as context:
        cup = await create(store, boards=2)
        await store.tournaments.cancel(cup, "enough")
        assert not await schedule.advance(context, cup)
        assert not await schedule.advance(context, "nothing")
        assert await store.matches.ids(cup) == ()


async def test_ratings_do_not_depend_on_the_order_of_commits(store: Store, redis_url: str) -> None:
    fits = []
    async with working(redis_url) as context:
        for id, step in (("cup-a", 1), ("cup-b", -1)):
            await create(store, boards=6, id=id, duplicate=True)
            await schedule.advance(context, id)
            claims = await store.matches.claim(24, 30_000)
            for held in claims[::step]:
                arbiter = FakeArbiter(store)
                await arbiter._play(held.match, held.lease)
            await fit.refit(context, "standard-4")
            fits.append(await store.ratings.load("standard-4"))
            await store._link.call("DEL", "hearts:log:standard-4", "hearts:fit:standard-4")
    assert fits[0] == fits[1]
    assert fits[0]


async def test_an_incomplete_block_is_not_rated(store: Store, redis_url: str) -> None:
    async with working(redis_url) as context:
        await create(store, boards=3, duplicate=True)
        await schedule.advance(context, "cup")
        for held in await store.matches.claim(6, 30_000):  # a block and a half
            await FakeArbiter(store)._play(held.match, held.lease)
        await fit.refit(context, "standard-4")
        (pool,) = decode(await store.ratings.load("standard-4") or b"")
        assert (pool.deals, pool.blocks) == (4, 1)


async def test_sp09_a_planner_that_comes_second_does_not_end_what_the_first_began(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server plans a new tournament while a worker's sweep looks at it, too: the sweep read the
    row before the first wave and the rest after it, and ended it with nothing played."""
    await create(store, boards=3)
    read = stepping.read_history

    async def late(*arguments: Any, **more: Any) -> Any:
        monkeypatch.undo()
        assert (await advance(store, "cup")).outcome is Advance.PLANNED
        return await read(*arguments, **more)

    monkeypatch.setattr(stepping, "read_history", late)
    assert (await advance(store, "cup")).outcome is Advance.WAITING
    row = await store.tournaments.get("cup")
    assert row is not None
    assert (row.state, row.planned, await store.matches.ready_count()) == ("running", 3, 3)


async def test_a_tournament_that_has_gone_on_is_not_ended_by_who_saw_it_before(
    store: Store,
) -> None:
    await create(store, boards=3)
    seen = await store.tournaments.get("cup")
    assert (await advance(store, "cup")).outcome is Advance.PLANNED
    after = await store.tournaments.finish("cup", "nothing left", seen=seen)
    assert after is not None
    assert (after.state, after.reason) == ("running", "")
    ended = await store.tournaments.finish("cup", "nothing left", seen=after)
    assert ended is not None
    assert ended.over
