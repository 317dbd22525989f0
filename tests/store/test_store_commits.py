"""Commits: one result for each match, whatever is repeated, late or killed."""

import asyncio
from pathlib import Path

import pytest
from store_kit import LEASE_MS, claim, counts, results_and_records, tournament

from arbiter.store import (
    Claim,
    Commit,
    ConflictingResult,
    MatchState,
    Store,
    StoreError,
)
from workers import redis_server


async def _commit(store: Store, held: Claim, result: bytes = b"result", deals: int = 16) -> Commit:
    record = b"record of " + result
    return await store.matches.commit(held.match, held.lease, result, record, deals, "standard-4")


async def test_a_commit_writes_result_record_counters_and_rating_log(store: Store) -> None:
    planned = await tournament(store, matches=2)
    held, _ = await claim(store, 2)
    assert await _commit(store, held) is Commit.COMMITTED
    row = await store.matches.get(held.match)
    assert row is not None
    assert (row.state, row.result, row.lease) == (MatchState.DONE, b"result", held.lease)
    assert row.finish_ms > 0
    assert await store.matches.record(held.match) == b"record of result"
    assert await store.matches.results("cup") == [(planned[0], b"result")]
    assert await counts(store) == (2, 1, 1, 0)
    whole = await store.tournaments.get("cup")
    assert whole is not None
    assert whole.deals_done == 16
    assert [(e.plan, e.result) for e in await store.ratings.log("standard-4")] == [
        (planned[0], b"result")
    ]


async def test_an_unrated_result_is_in_no_rating_log(store: Store) -> None:
    await tournament(store, matches=1)
    (held,) = await claim(store)
    await store.matches.commit(held.match, held.lease, b"r", b"R", 1, None)
    assert await store.ratings.pools() == []


async def test_four_identical_uploads_count_once(store: Store) -> None:
    """SP11, the four at the same time."""
    await tournament(store, matches=1)
    (held,) = await claim(store)
    outcomes = await asyncio.gather(*(_commit(store, held) for _ in range(4)))
    assert sorted(outcomes) == [Commit.COMMITTED] + 3 * [Commit.REPEATED]
    assert await counts(store) == (1, 0, 1, 0)
    row = await store.tournaments.get("cup")
    assert row is not None
    assert (row.deals_done, row.stale) == (16, 0)
    assert await store.ratings.length("standard-4") == 1


async def test_another_payload_under_the_winning_lease_is_raised(store: Store) -> None:
    """SP11: and the first result stays as it was."""
    await tournament(store, matches=1)
    (held,) = await claim(store)
    await _commit(store, held)
    with pytest.raises(ConflictingResult, match=held.match):
        await _commit(store, held, b"other")
    with pytest.raises(ConflictingResult):
        await store.matches.commit(held.match, held.lease, b"result", b"other", 16, "standard-4")
    assert [result for _, result in await store.matches.results("cup")] == [b"result"]


async def test_a_stale_lease_is_refused_and_counted(store: Store) -> None:
    """RC02: the first attempt stalled, a second one plays; the first comes back too late, both
    while the second plays and after it has won."""
    await tournament(store, matches=1)
    (old,) = await claim(store)
    await store.matches.release(old.match, old.lease)
    (new,) = await claim(store)
    assert await _commit(store, old, b"late") is Commit.STALE
    assert await _commit(store, new) is Commit.COMMITTED
    assert await _commit(store, old, b"late") is Commit.STALE
    row = await store.tournaments.get("cup")
    assert row is not None
    assert (row.done, row.stale, row.deals_done) == (1, 2, 16)
    assert await store.matches.record(new.match) == b"record of result"


async def test_a_commit_for_a_match_that_does_not_exist_is_stale(store: Store) -> None:
    assert await store.matches.commit("nothing", "1-x", b"r", b"R", 1, "p") is Commit.STALE
    assert await store.matches.record("nothing") is None


async def test_fifty_results_at_once_are_all_counted(store: Store, redis_url: str) -> None:
    """RC11, while others watch: no moment in which the counters do not add up."""
    planned = await tournament(store, matches=50)
    held = await claim(store, 50)
    sums = []

    async def watch() -> None:
        while True:
            planned_, running, done, failed = await counts(store)
            sums.append((planned_, running + done + failed))
            await asyncio.sleep(0)

    watcher = asyncio.create_task(watch())
    await asyncio.gather(*(_commit(store, one) for one in held))
    watcher.cancel()
    assert await counts(store) == (50, 0, 50, 0)
    row = await store.tournaments.get("cup")
    assert row is not None
    assert row.deals_done == 50 * 16
    assert set(sums) == {(50, 50)}
    ids = [plan.id for plan in planned]
    assert await results_and_records(redis_url, ids) == (50, 50)
    assert [plan for plan, _ in await store.matches.results("cup")] == planned


async def test_killing_redis_amid_commits_never_parts_a_result_from_its_record(
    redis_data: Path,
) -> None:
    """SP02: what was acknowledged is there, and results, records, counters and rating log agree."""
    server = redis_server.start(redis_data)
    store = await Store.open(server.url)
    planned = await tournament(store, matches=100)
    held = await claim(store, 100)
    acknowledged: list[str] = []

    async def commit(one: Claim) -> None:
        if await _commit(store, one, one.match.encode() * 20) is Commit.COMMITTED:
            acknowledged.append(one.match)
        if len(acknowledged) == 30:
            redis_server.kill(server)

    outcomes = await asyncio.gather(*(commit(one) for one in held), return_exceptions=True)
    await store.close()
    assert all(outcome is None or isinstance(outcome, StoreError) for outcome in outcomes)
    with redis_server.start(redis_data) as again:
        store = await Store.open(again.url)
        done = {plan.id for plan, _ in await store.matches.results("cup")}
        row = await store.tournaments.get("cup")
        logged = await store.ratings.length("standard-4")
        pair = await results_and_records(again.url, [plan.id for plan in planned])
        lost = await store.matches.heartbeat([(c.match, c.lease) for c in held], LEASE_MS)
        await store.close()
    assert set(acknowledged) <= done
    assert len(done) < 100
    assert pair == (len(done), len(done))
    assert row is not None
    assert (row.done, row.running, logged) == (len(done), 100 - len(done), len(done))
    assert row.deals_done == 16 * len(done)
    assert set(lost) == done


async def test_a_full_memory_refuses_a_commit_as_a_whole_and_keeps_the_leases(
    redis_data: Path,
) -> None:
    """RC10: writes fail loudly, nothing stored vanishes, and it goes on when there is room."""
    with redis_server.start(redis_data) as server:
        store = await Store.open(server.url)
        planned = await tournament(store, matches=3)
        first, second, third = await claim(store, 3)
        await _commit(store, first)
        await store._link.call("CONFIG", "SET", "maxmemory", 1)
        with pytest.raises(StoreError, match="used memory"):
            await _commit(store, second)
        with pytest.raises(StoreError, match="used memory"):
            await store.matches.claim(1, LEASE_MS)
        pairs = [(second.match, second.lease), (third.match, third.lease)]
        assert await store.matches.heartbeat(pairs, LEASE_MS) == []
        assert await store.matches.release(third.match, third.lease)
        assert await counts(store) == (3, 1, 1, 0)
        await store._link.call("CONFIG", "SET", "maxmemory", 0)
        assert await _commit(store, second) is Commit.COMMITTED
        ids = [plan.id for plan in planned]
        assert await results_and_records(server.url, ids) == (2, 2)
        await store.close()
