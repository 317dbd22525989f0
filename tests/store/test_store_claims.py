"""Claiming, leases, heartbeats, expiry: each match has one owner at a time."""

import asyncio

import pytest
import redis.asyncio
from store_kit import LEASE_MS, claim, counts, plans, tournament

from arbiter.store import Commit, MatchState, Store, TournamentRow


async def test_a_claim_takes_ready_matches_in_canonical_order(store: Store) -> None:
    planned = await tournament(store, matches=5)
    first = await store.matches.claim(3, LEASE_MS)
    rest = await store.matches.claim(3, LEASE_MS)
    assert [c.match for c in first + rest] == [plan.id for plan in planned]
    assert {c.tournament for c in first} == {"cup"}
    assert len({c.lease for c in first + rest}) == 5
    assert await store.matches.claim(3, LEASE_MS) == []


async def test_claims_made_at_once_never_share_a_match(store: Store) -> None:
    planned = await tournament(store, matches=100)
    claims = await asyncio.gather(*(store.matches.claim(7, LEASE_MS) for _ in range(20)))
    taken = [c.match for batch in claims for c in batch]
    assert sorted(taken) == [plan.id for plan in planned]


async def test_the_tournament_served_least_recently_is_served_next(store: Store) -> None:
    for id in ("a", "b"):
        await tournament(store, id, matches=4)
    served = [(await claim(store, 2))[0].tournament for _ in range(4)]
    assert served == ["a", "b", "a", "b"]


async def test_a_tournament_can_have_a_limit_of_its_own(store: Store) -> None:
    await tournament(store, "slow", matches=4)
    assert len(await store.matches.claim(4, LEASE_MS, {"slow": 1, "other": 9})) == 1


async def test_each_attempt_is_counted_and_has_another_lease(store: Store) -> None:
    await tournament(store, matches=1)
    (first,) = await claim(store)
    assert await store.matches.release(first.match, first.lease)
    (second,) = await claim(store)
    row = await store.matches.get(second.match)
    assert row is not None
    assert (row.attempts, row.failures, row.lease) == (2, 0, second.lease)
    assert first.lease != second.lease


async def test_a_heartbeat_tells_which_leases_are_lost(store: Store) -> None:
    await tournament(store, matches=3)
    a, b, c = await claim(store, 3)
    await store.matches.release(b.match, b.lease)
    held = [(a.match, a.lease), (b.match, b.lease), (c.match, "0-guess"), ("nothing", "1-x")]
    lost = await store.matches.heartbeat(held, LEASE_MS)
    assert lost == [b.match, c.match, "nothing"]


async def _uptime(url: str, seconds: int) -> None:
    """Wait until the server counts that many seconds of uptime."""
    async with redis.asyncio.Redis.from_url(url) as client:
        uptime = (await client.info("server"))["uptime_in_seconds"]
        await asyncio.sleep(max(0, seconds - uptime))


async def test_a_match_whose_lease_ran_out_is_played_again_without_blame(
    store: Store, redis_url: str
) -> None:
    await _uptime(redis_url, 1)
    await tournament(store, matches=2)
    dead, alive = await claim(store, 2, lease_ms=1)
    assert await store.matches.heartbeat([(alive.match, alive.lease)], LEASE_MS) == []
    await asyncio.sleep(0.005)
    assert await store.matches.expire() == [dead.match]
    assert await store.matches.expire() == []
    row = await store.matches.get(dead.match)
    assert row is not None
    assert (row.state, row.attempts, row.failures) == (MatchState.READY, 1, 0)
    assert [c.match for c in await store.matches.claim(5, LEASE_MS)] == [dead.match]
    assert await store.matches.commit(dead.match, dead.lease, b"r", b"R", 1, None) is Commit.STALE


async def test_a_result_that_comes_before_anybody_has_begun_again_is_taken(store: Store) -> None:
    """RC07: it waited on a disk while its lease was taken back; nothing is played in vain."""
    await tournament(store, matches=1)
    (held,) = await claim(store)
    await store.matches.release(held.match, held.lease)
    commit = (held.match, held.lease, b"r", b"R", 1, "p")
    assert await store.matches.commit(held.match, "0-no", b"r", b"R", 1, "p") is Commit.STALE
    assert await store.matches.commit(*commit) is Commit.COMMITTED
    assert await store.matches.commit(*commit) is Commit.REPEATED
    assert await counts(store) == (1, 0, 1, 0)
    assert await store.matches.claim(1, LEASE_MS) == []


@pytest.mark.parametrize("between", ["nothing", "another attempt"])
async def test_a_result_that_comes_after_the_end_of_its_tournament_is_stale(
    store: Store, between: str
) -> None:
    await tournament(store, matches=1)
    (held,) = await claim(store)
    await store.matches.release(held.match, held.lease)
    if between != "nothing":
        await claim(store)
    await store.tournaments.cancel("cup", "enough")
    assert await store.matches.commit(held.match, held.lease, b"r", b"R", 1, "p") is Commit.STALE
    assert await counts(store) == (1, 0, 0, 0)


async def test_no_lease_expires_until_writes_have_been_taken_for_its_length(
    store: Store, redis_url: str
) -> None:
    """RC12: while Redis refused writes nobody could send a heartbeat; nor could arbiters announce
    themselves."""
    await _uptime(redis_url, 1)
    await tournament(store, matches=1)
    await store.arbiters.announce("north", "a:1", 0, 10)
    (held,) = await claim(store, lease_ms=500)
    async with redis.asyncio.Redis.from_url(redis_url) as client:
        now = await store.tournaments.now_ms()
        await client.set("hearts:counter:announced_ms", now - 60_000)
        await client.zadd("hearts:leases", {held.match: 1})
    await store.arbiters.announce("north", "a:1", 0, 10)
    assert await store.matches.expire() == []
    assert await store.matches.heartbeat([(held.match, held.lease)], 1) == []
    await asyncio.sleep(0.005)
    assert await store.matches.expire() == [held.match]


async def test_no_lease_expires_until_redis_has_been_up_for_its_length(
    store: Store, redis_url: str
) -> None:
    """While Redis was away nobody could send a heartbeat."""
    await tournament(store, matches=1)
    (held,) = await claim(store, lease_ms=3_600_000)
    async with redis.asyncio.Redis.from_url(redis_url) as client:
        await client.zadd("hearts:leases", {held.match: 1})  # as after an hour's outage
    assert await store.matches.expire() == []
    assert await store.matches.commit(held.match, held.lease, b"r", b"R", 1, None)


async def test_three_failures_without_a_new_deal_end_a_match(store: Store) -> None:
    """CH05: the platform's failure is no result, and the match is played again, at most thrice."""
    await tournament(store, matches=1)
    states = []
    for attempt in range(3):
        (held,) = await claim(store)
        reason = f"fault {attempt}"
        states.append(await store.matches.fail(held.match, held.lease, reason, retry_ms=0))
    assert states == [MatchState.READY, MatchState.READY, MatchState.FAILED_INFRA]
    row = await store.matches.get(held.match)
    assert row is not None
    assert (row.state, row.failures, row.last_failure) == (MatchState.FAILED_INFRA, 3, "fault 2")
    assert row.result is None
    assert row.finish_ms > 0
    assert await counts(store) == (1, 0, 0, 1)
    assert await store.matches.claim(1, LEASE_MS) == []
    assert await store.ratings.pools() == []


async def test_a_newly_finished_deal_starts_the_count_of_failures_again(store: Store) -> None:
    await tournament(store, matches=1)
    for deals in (0, 0, 1, 1, 2):  # never three in a row without a new deal
        (held,) = await claim(store)
        if deals:
            assert await store.matches.checkpoint(held.match, held.lease, deals, b"%d" % deals)
        state = await store.matches.fail(held.match, held.lease, "fault", retry_ms=0)
        assert state is MatchState.READY
    row = await store.matches.get(held.match)
    assert row is not None
    assert (row.failures, row.checkpoint, row.checkpoint_deals) == (5, b"2", 2)


async def test_a_failed_match_waits_before_it_is_tried_again(store: Store) -> None:
    await tournament(store, matches=2)
    held, other = await claim(store, 2)
    await store.matches.fail(held.match, held.lease, "fault", retry_ms=100)
    await store.matches.release(other.match, other.lease)
    assert await store.matches.ready_count() == 1
    assert [c.match for c in await store.matches.claim(2, LEASE_MS)] == [other.match]
    await asyncio.sleep(0.11)
    assert [c.match for c in await store.matches.claim(2, LEASE_MS)] == [held.match]


async def test_a_failure_reported_twice_counts_once(store: Store) -> None:
    await tournament(store, matches=1)
    (held,) = await claim(store)
    assert await store.matches.fail(held.match, held.lease, "fault") is MatchState.READY
    assert await store.matches.fail(held.match, held.lease, "fault") is None
    row = await store.matches.get(held.match)
    assert row is not None
    assert row.failures == 1


async def test_an_old_attempt_cannot_write_a_checkpoint(store: Store) -> None:
    await tournament(store, matches=1)
    (old,) = await claim(store)
    assert await store.matches.checkpoint(old.match, old.lease, 2, b"two")
    assert await store.matches.checkpoint(old.match, old.lease, 1, b"one")  # late: changes nothing
    await store.matches.release(old.match, old.lease)
    (new,) = await claim(store)
    assert not await store.matches.checkpoint(old.match, old.lease, 3, b"three")
    (row,) = await store.matches.load([new.match])
    assert (row.checkpoint, row.checkpoint_deals) == (b"two", 2)


@pytest.mark.parametrize("end", ["finish", "cancel"])
async def test_no_match_of_an_ended_tournament_is_claimed(store: Store, end: str) -> None:
    await tournament(store, matches=4)
    held, _ = await claim(store, 2)
    await getattr(store.tournaments, end)("cup", "enough")
    assert await store.matches.claim(9, LEASE_MS) == []
    assert await store.matches.ready_count() == 0
    assert await store.matches.heartbeat([(held.match, held.lease)], LEASE_MS) == [held.match]
    assert not await store.matches.release(held.match, held.lease)
    assert await store.matches.fail(held.match, held.lease, "fault") is None
    assert await store.matches.expire() == []
    states = {row.state for row in await store.matches.list("cup")}
    assert states == {MatchState.CANCELLED}
    cancelled = await store.matches.list("cup", state=MatchState.CANCELLED)
    assert len(cancelled) == 4
    assert await store.matches.list("cup", state=MatchState.READY) == []


async def test_a_running_match_of_a_cancelled_tournament_is_stale_at_commit(store: Store) -> None:
    await tournament(store, matches=2)
    done, held = await claim(store, 2)
    await store.matches.commit(done.match, done.lease, b"r", b"R", 1, None)
    row = await store.tournaments.cancel("cup", "enough")
    assert row is not None
    assert (row.state.value, row.reason) == ("cancelled", "enough")
    assert await store.matches.commit(held.match, held.lease, b"r", b"R", 1, None) is Commit.STALE
    assert await counts(store) == (2, 0, 1, 0)
    again = await store.tournaments.finish("cup")
    assert again is not None
    assert again.state is row.state


async def test_two_waves_are_both_played(store: Store) -> None:
    await store.tournaments.create(TournamentRow("cup", b"", b"", False))
    for wave in (1, 2):
        assert await store.matches.add_wave("cup", wave, plans("cup", 3, stage=wave))
    row = await store.tournaments.get("cup")
    assert row is not None
    assert (row.planned, row.waves, row.settled) == (6, 2, False)
    assert len(await store.matches.claim(9, LEASE_MS)) == 6
