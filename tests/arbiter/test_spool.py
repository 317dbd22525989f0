"""Finished matches while the store is away, full or refusing: on disk, and delivered."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from arena import arena, first_legal
from test_attempts import COMMITTED, planned

from arbiter.matches.delivery import Delivery
from arbiter.matches.runner import Runner
from arbiter.matches.spool import Finished, Spool
from arbiter.settings import Settings
from arbiter.store import MatchState, Store, StoreRefused, StoreUnavailable
from workers import redis_server


def kept(folder: Path) -> list[Path]:
    """The results on disk."""
    return list(folder.rglob("*.commit"))


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not holds():  # noqa: ASYNC110 - several things are waited for
            await asyncio.sleep(0.01)


def finished(number: int, lease: str = "1-x") -> Finished:
    return Finished(f"cup-{number}", lease, b"result", b"record" * 1000, 1, "standard-4")


def write(spool: Spool, *numbers: int) -> list[str]:
    names = [spool.name() for _ in numbers]
    for name, number in zip(names, numbers, strict=True):
        spool.put(name, finished(number))
        spool.added(name)
    return names


def test_files_come_back_whole_and_in_order_after_a_kill(tmp_path: Path) -> None:
    first = Spool(tmp_path)
    names = write(first, 3, 1, 2)
    # What a kill -9 amid a write leaves.
    (tmp_path / "1" / "half.new").write_bytes(b"half")
    first.close()
    again = Spool(tmp_path)
    again.open()
    assert again.oldest(9) == names
    assert [again.read(name) for name in names] == [finished(3), finished(1), finished(2)]
    assert not list(tmp_path.glob("*/*.new"))
    assert again.name() > names[-1]
    for name in names:
        again.remove(name)
    assert (again.waiting, kept(tmp_path)) == (0, [])
    again.close()


def test_nothing_is_made_where_nothing_waits(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "spool")
    spool.open()
    assert not (tmp_path / "spool").exists()


def test_two_arbiters_of_one_machine_do_not_share_files(tmp_path: Path) -> None:
    one, two = Spool(tmp_path), Spool(tmp_path)
    write(one, 1)
    write(two, 2)
    assert (one.waiting, two.waiting) == (1, 1)
    two.close()
    three = Spool(tmp_path)
    three.open()
    assert [three.read(name) for name in three.oldest(9)] == [finished(2)]
    three.close()
    one.close()
    four = Spool(tmp_path)
    four.open()
    assert [four.read(name) for name in four.oldest(9)] == [finished(1), finished(2)]
    four.close()


@pytest.mark.parametrize("at", [0, 40, 5000])
def test_a_damaged_file_is_put_aside(tmp_path: Path, at: int) -> None:
    spool = Spool(tmp_path)
    [name] = write(spool, 1)
    path = tmp_path / "1" / name
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)
    assert spool.read(name) is None
    assert [found.name for found in (tmp_path / "1").glob("*.damaged")] == [f"{name}.damaged"]
    spool.close()


class _Away:
    """A store that is away until it is told to be back."""

    def __init__(self) -> None:
        self.away = True
        self.sent: list[str] = []
        self.matches = self
        self.tries = 0

    async def commit(self, match: str, *_: object) -> str:
        await self.check_writable()
        self.sent.append(match)
        return "committed"

    async def check_writable(self) -> None:
        self.tries += 1
        if self.away:
            raise StoreUnavailable("away")


async def test_delivery_is_in_order_and_a_trouble_is_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = _Away()
    delivery = Delivery(store, tmp_path)  # type: ignore[arg-type]
    delivery.start()
    with caplog.at_level(logging.WARNING):
        commits = [asyncio.create_task(delivery.commit(finished(n))) for n in range(3)]
        await until(lambda: delivery.waiting == 3 and store.tries >= 6)
        assert len(kept(tmp_path)) == 3
        assert [m for m in caplog.messages if "cannot be reached" in m][1:] == []
        assert delivery.trouble.words == "the store cannot be reached"
        store.away = False
        await asyncio.gather(*commits)
        await until(lambda: not delivery.trouble.words)
    assert store.sent == ["cup-0", "cup-1", "cup-2"]
    assert not kept(tmp_path)
    assert "takes writes again" in caplog.text
    await delivery.stop()


async def test_without_a_disk_results_wait_in_memory(tmp_path: Path) -> None:
    store = _Away()
    (tmp_path / "file").write_text("in the way")
    delivery = Delivery(store, tmp_path / "file")  # type: ignore[arg-type]
    delivery.start()
    commit = asyncio.create_task(delivery.commit(finished(1)))
    await until(lambda: store.tries >= 3)
    store.away = False
    assert await commit == "committed"
    await delivery.stop()


@asynccontextmanager
async def _running(store: Store, folder: Path):
    async with arena() as here:
        runner = Runner(here.hub, store, Settings(lease_seconds=2, data_dir=folder))
        runner.start()
        try:
            yield here, runner
        finally:
            await runner.stop()


async def _away(server: redis_server.RedisServer, _store: Store) -> None:
    redis_server.kill(server)


async def _full(_server: redis_server.RedisServer, store: Store) -> None:
    await store._link.call("CONFIG", "SET", "maxmemory", 1)


async def _misconf(_server: redis_server.RedisServer, store: Store) -> None:
    """A snapshot that cannot be written, because its place is taken by a folder."""
    call = store._link.call
    folder = Path((await call("CONFIG", "GET", "dir"))[1].decode())
    (folder / "dump.rdb").mkdir()
    await call("CONFIG", "SET", "save", "1 1")
    await call("BGSAVE")
    async with asyncio.timeout(30):
        while (await call("INFO", "persistence"))["rdb_last_bgsave_status"] == "ok":  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def _mended(folder: Path, server: redis_server.RedisServer, store: Store):
    if not server.alive:
        return redis_server.start(folder, server.port)
    with suppress(FileNotFoundError):
        (folder / "dump.rdb").rmdir()
    call = store._link.call
    await call("CONFIG", "SET", "maxmemory", 0)
    await call("CONFIG", "SET", "save", "")
    await call("CONFIG", "SET", "stop-writes-on-bgsave-error", "no")
    return server


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        (_away, "cannot be reached"),
        (_full, "memory is full"),
        (_misconf, "cannot write its file"),
    ],
    ids=["killed", "full", "misconf"],
)
async def test_results_of_an_outage_wait_on_disk_and_new_matches_wait(
    redis_data: Path, tmp_path: Path, trouble, words: str
) -> None:
    """RC03, RC07, RC10, RC12: longer than a lease; and nobody's attempt is wasted."""
    server = redis_server.start(redis_data)
    store = await Store.open(server.url)
    ids = await planned(store, 6, deals=2)
    claims = await store.matches.claim(6, 2_000)
    go = asyncio.Event()

    async def patient(bot, event) -> None:
        await go.wait()
        await first_legal(bot, event)

    async with _running(store, tmp_path) as (here, runner):
        for name in ("anna", "bert", "cleo"):
            await here.bot(name)
        # Two tables at once: four of the matches have not begun when the trouble comes.
        await here.bot("dora", patient, max_tables=2)
        playing = asyncio.create_task(_outcomes(runner, claims))
        await until(lambda: len(here.bots["dora"].of("match_start")) == 2)
        await trouble(server, store)
        with pytest.raises((StoreUnavailable, StoreRefused)) as met:
            await store.check_writable()  # as the arbiter does each second
        runner.store_failed(met.value)
        go.set()
        await until(lambda: "2 finished results" in runner.trouble)
        assert words in runner.trouble
        await asyncio.sleep(2.2)
        assert len(here.bots["dora"].of("match_start")) == 2, "new matches wait"
        assert len(kept(tmp_path)) == 2
        server = await _mended(redis_data, server, store)
        async with asyncio.timeout(30):
            assert await playing == dict.fromkeys(ids, COMMITTED)
            await until(lambda: not runner.trouble)
    assert not kept(tmp_path)
    rows = await store.matches.load(ids)
    assert {(row.state, row.attempts) for row in rows} == {(MatchState.DONE, 1)}
    cup = await store.tournaments.get("cup")
    assert cup is not None
    assert (cup.done, cup.deals_done, cup.stale) == (6, 12, 0)
    await store.close()
    server.stop()


async def _outcomes(runner: Runner, claims) -> dict[str, int]:
    pairs = [(claim.match, claim.lease) for claim in claims]
    return {found.match: found.outcome async for found in runner.play_batch("w", pairs)}


_DYING = """
import asyncio, os, signal, sys
from pathlib import Path
from arbiter.matches.delivery import Delivery
from arbiter.matches.spool import Finished
from arbiter.store import Store

async def main(url, folder, *pairs):
    store = await Store.open(url)
    await store._link.call("CONFIG", "SET", "maxmemory", 1)
    delivery = Delivery(store, Path(folder))
    delivery.start()
    for match, lease in zip(pairs[::2], pairs[1::2]):
        finished = Finished(match, lease, b"result", b"record", 1, "standard-4")
        asyncio.ensure_future(delivery.commit(finished))
    while delivery.waiting < len(pairs) // 2:
        await asyncio.sleep(0.01)
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main(*sys.argv[1:]))
"""


async def test_a_killed_arbiters_results_are_delivered_by_the_next_and_a_stale_one_is_refused(
    redis_data: Path, tmp_path: Path
) -> None:
    """RC07: once each, and the match that another has begun meanwhile is counted as stale."""
    with redis_server.start(redis_data) as server:
        store = await Store.open(server.url)
        ids = await planned(store, 4)
        claims = await store.matches.claim(4, 30_000)
        arguments = [piece for one in claims for piece in (one.match, one.lease)]
        dying = await asyncio.create_subprocess_exec(
            sys.executable, "-c", _DYING, server.url, str(tmp_path), *arguments
        )
        assert await dying.wait() == -signal.SIGKILL
        await store._link.call("CONFIG", "SET", "maxmemory", 0)
        assert await store.matches.ids("cup", MatchState.DONE) == ()
        await store.matches.release(ids[2], claims[2].lease)
        [taken] = await store.matches.claim(1, 30_000)
        delivery = Delivery(store, tmp_path)
        delivery.start()
        assert sorted(delivery.leases()) == sorted((c.match, c.lease) for c in claims)
        await until(lambda: not delivery.waiting)
        await delivery.stop()
        done = await store.matches.ids("cup", MatchState.DONE)
        assert set(done) == {*ids} - {taken.match}
        cup = await store.tournaments.get("cup")
        assert cup is not None
        assert (cup.done, cup.deals_done, cup.stale) == (3, 3, 1)
        await store.close()
