"""Real Celery workers and beat, a real Redis, a stand-in for the arbiter."""

import asyncio
import os
import signal
import socket
import time
from pathlib import Path

import pytest
from kombu import Connection, Exchange
from worker_kit import (
    TOKEN,
    FakeArbiter,
    celery,
    client,
    create,
    serving,
    until,
    worker,
    written,
)

from arbiter.settings import broker_beside
from arbiter.store import Commit, MatchState, Store
from workers.app import app


async def _done(store: Store, cup: str = "cup") -> int:
    return len(await store.matches.ids(cup, MatchState.DONE))


async def _finished(store: Store, cup: str = "cup") -> bool:
    row = await store.tournaments.get(cup)
    assert row is not None
    return row.over


async def _ticks(url: str, stop: asyncio.Event) -> None:
    """As beat does, but sooner."""
    sender = client(url)
    with sender.connection() as connection:
        while not stop.is_set():
            if not connection.default_channel.client.llen("hearts"):
                sender.send_task("workers.tasks.sweep", connection=connection)
            await asyncio.sleep(0.3)


@pytest.fixture
async def ticks(redis_url: str, store: Store):  # type: ignore[no-untyped-def]
    stop = asyncio.Event()
    task = asyncio.create_task(_ticks(redis_url, stop))
    yield
    stop.set()
    await task


async def test_beat_and_a_worker_play_a_tournament_of_forty_matches(
    store: Store, redis_url: str, tmp_path: Path
) -> None:
    """Nobody sends a hint but beat; and neither log nor process list tells a password or a
    token (SS08)."""
    arbiter = FakeArbiter(store, delay=0.005)
    async with serving(arbiter):
        with celery(redis_url, tmp_path, "beat") as beat, worker(redis_url, tmp_path) as working:
            await create(store, boards=40)
            await until(lambda: _finished(store))
            lists = [process.listed() for process in (beat, working)]
            took = await asyncio.to_thread(working.stop)
    assert arbiter.commits == [Commit.COMMITTED] * 40
    assert took < 5
    password = redis_url.split(":")[2].split("@")[0]
    for text in (beat.said(), working.said(), *lists):
        assert text
        assert password not in text
        assert TOKEN not in text
    assert "succeeded" in working.said()
    assert written(tmp_path) == {"beat", "worker"}


async def test_one_child_plays_batch_after_batch_with_deadlines_honoured(
    store: Store, redis_url: str, tmp_path: Path, ticks: None
) -> None:
    """GR05: no channel from before the fork, so calls neither hang nor forget their time limit."""
    arbiter = FakeArbiter(store)
    with worker(redis_url, tmp_path) as working, socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        async with serving(arbiter):
            await create(store, boards=9)
            await until(lambda: _finished(store))
            await store.arbiters.withdraw("north")
            address = f"127.0.0.1:{silent.getsockname()[1]}"
            await store.arbiters.announce("hole", address, 0, 60)
            await create(store, boards=3, id="cup-2")
            start = time.monotonic()
            await until(lambda: f"{address} does not answer" in working.said())
            assert time.monotonic() - start < 6
            await store.arbiters.withdraw("hole")
            await store.arbiters.announce("north", arbiter.address, 0, 60)
            await until(lambda: _finished(store, "cup-2"))
        (child,) = working.children()
    players = {name.rsplit("/", 1)[1] for name, _ in arbiter.batches}
    assert len(arbiter.batches) >= 3
    assert players == {str(child)}


@pytest.mark.parametrize("victim", ["machine", "child", "parent"])
async def test_kill_9_amid_a_batch_delays_it_and_changes_nothing(
    store: Store, redis_url: str, tmp_path: Path, ticks: None, victim: str
) -> None:
    """RC04: each match has exactly one result, and no failure is counted against it."""
    arbiter = FakeArbiter(store, delay=0.02)
    async with serving(arbiter):
        with worker(redis_url, tmp_path, HEARTS_LEASE_SECONDS="1") as first:
            await create(store, boards=40)
            await until(lambda: len(arbiter.commits) > 3)
            if victim == "machine":
                first.kill()
            else:
                pid = first.popen.pid if victim == "parent" else first.children()[0]
                os.kill(pid, signal.SIGKILL)
            if victim == "child":
                await until(lambda: _finished(store))
            else:
                with worker(redis_url, tmp_path, HEARTS_LEASE_SECONDS="1"):
                    await until(lambda: _finished(store))
    assert await _done(store) == 40
    # Counted by the store, in the commit itself: a killed call may end before the arbiter's own
    # list has the commit that it made.
    row = await store.tournaments.get("cup")
    assert row is not None
    assert row.deals_done == 40
    rows = await store.matches.list("cup")
    assert {row.failures for row in rows} == {0}
    assert len(await store.ratings.log("standard-4")) == 40


async def test_a_stopped_worker_ends_in_seconds_and_gives_its_matches_back(
    store: Store, redis_url: str, tmp_path: Path, ticks: None
) -> None:
    """Its batch would have taken minutes; Celery's warm shutdown alone would wait for it."""
    arbiter = FakeArbiter(store, delay=60)
    async with serving(arbiter):
        with worker(redis_url, tmp_path, processes=2) as working:
            await create(store, boards=20)
            await until(lambda: len(arbiter.batches) == 2)
            took = await asyncio.to_thread(working.stop)
            assert took < 5
            assert working.popen.returncode == 0
        row = await store.tournaments.get("cup")
        assert row is not None
        assert (row.running, await store.matches.ready_count()) == (0, 20)


async def test_hints_that_come_twice_or_without_need_are_harmless(
    store: Store, redis_url: str, tmp_path: Path
) -> None:
    sender = client(redis_url)
    arbiter = FakeArbiter(store, delay=0.002)
    async with serving(arbiter):
        await create(store, boards=30)
        for _ in range(10):
            for name in ("play_batch", "sweep"):
                sender.send_task(f"workers.tasks.{name}")
            for name, argument in (("advance", "cup"), ("advance", "no"), ("refit", "standard-4")):
                sender.send_task(f"workers.tasks.{name}", [argument])
        with worker(redis_url, tmp_path, processes=2) as working:
            await until(lambda: _finished(store))
            with sender.connection() as connection:
                queue = connection.default_channel.client
                await until(lambda: not queue.llen("hearts"))
            await asyncio.to_thread(working.stop)
        assert arbiter.commits == [Commit.COMMITTED] * 30
        assert "Traceback" not in working.said()
        row = await store.tournaments.get("cup")
        assert row is not None
        assert (row.done, row.stale, row.waves) == (30, 0, 1)


class _Bomb:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (str(self.path),)


async def test_a_pickled_message_is_refused_and_the_worker_lives(
    store: Store, redis_url: str, tmp_path: Path, ticks: None
) -> None:
    """SS06: a pickle would run what it likes in the worker."""
    assert app.conf.accept_content == ["json"]
    assert app.conf.result_accept_content == ["json"]
    bomb = tmp_path / "exploded"
    with Connection(broker_beside(redis_url)) as connection:
        connection.Producer(serializer="pickle").publish(
            [[_Bomb(bomb)], {}, {}],
            exchange=Exchange(""),
            routing_key="hearts",
            headers={"task": "workers.tasks.advance", "id": "1", "lang": "py"},
        )
    arbiter = FakeArbiter(store)
    async with serving(arbiter):
        with worker(redis_url, tmp_path) as working:
            await until(lambda: "Refusing to deserialize" in working.said())
            await create(store, boards=4)
            await until(lambda: _finished(store))
            assert working.popen.poll() is None
    assert not bomb.exists()


async def test_beat_sends_nothing_while_no_worker_listens(
    store: Store, redis_url: str, tmp_path: Path
) -> None:
    with celery(redis_url, tmp_path, "beat"), client(redis_url).connection() as connection:
        queue = connection.default_channel.client
        await until(lambda: queue.llen("hearts") == 2)
        await asyncio.sleep(1.5)
        assert queue.llen("hearts") == 2
