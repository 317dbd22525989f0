"""Leases in, results out: what the store holds after an attempt ends well, badly or not at all."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, asynccontextmanager

import pytest
from arena import NAMES, QUICK, arena, first_legal, mute

from arbiter.matches import attempt as attempt_module
from arbiter.matches import payloads
from arbiter.matches.runner import Runner
from arbiter.settings import Settings
from arbiter.store import MatchState, Store, StoreUnavailable, TournamentRow
from arbiter.tournaments.matchplan import MatchPlan, match_id
from hearts.limits import Limits
from hearts.record import replay
from hearts.rules import preset
from hearts.v1 import arbiter_pb2, tournaments_pb2
from hearts.wire import limits_to_wire, record_from_wire, rules_to_wire

COMMITTED = arbiter_pb2.ATTEMPT_OUTCOME_COMMITTED
RELEASED = arbiter_pb2.ATTEMPT_OUTCOME_RELEASED
STALE = arbiter_pb2.ATTEMPT_OUTCOME_STALE
FAILED = arbiter_pb2.ATTEMPT_OUTCOME_FAILED_INFRA
SECRET = bytes(range(32))


async def planned(
    store: Store, matches: int, *, deals: int = 1, limits: Limits = QUICK, seats=NAMES
) -> list[str]:
    """A running tournament with that many matches; their ids."""
    spec = tournaments_pb2.TournamentSpec(
        title="cup",
        format=tournaments_pb2.FORMAT_ROUND_ROBIN,
        rules=rules_to_wire(preset("standard")),
        deals=deals,
        boards=matches,
        clock=limits_to_wire(limits),
        entries=[f"bots/{name}" for name in seats],
    )
    await store.tournaments.create(TournamentRow("cup", spec.SerializeToString(), SECRET, True))
    plans = [
        MatchPlan(match_id("cup", 1, 1, 1, board, 0), "cup", 1, 1, 1, board, 0, seats)
        for board in range(matches)
    ]
    await store.matches.add_wave("cup", 1, plans)
    return [plan.id for plan in plans]


@asynccontextmanager
async def running(store: Store, lease_seconds: float = 30):
    """An arena whose matches come from the store."""
    async with arena() as here:
        runner = Runner(here.hub, store, Settings(lease_seconds=lease_seconds))
        runner.start()
        try:
            yield here, runner
        finally:
            await runner.stop()


async def play(store: Store, runner: Runner, limit: int = 100) -> dict[str, int]:
    """Claim and play, as a worker does; outcomes by match."""
    claims = await store.matches.claim(limit, 30_000)
    return {
        o.match: o.outcome
        async for o in runner.play_batch("w", [(c.match, c.lease) for c in claims])
    }


async def test_each_match_gets_one_result_and_one_record(store):
    """SP02: they are one write; the counters say the same."""
    ids = await planned(store, 12)
    async with running(store) as (here, runner):
        await here.field()
        outcomes = await play(store, runner)
    assert outcomes == dict.fromkeys(ids, COMMITTED)
    for match in ids:
        row = await store.matches.get(match)
        record = record_from_wire(payloads.read_record(await store.matches.record(match)))
        result = payloads.read_result(row.result)
        replay(record)
        assert row.state is MatchState.DONE
        assert row.attempts == 1
        assert tuple(seat.points for seat in result.seats) == record.totals
        assert tuple(seat.bot for seat in result.seats) == record.seats
    tournament = await store.tournaments.get("cup")
    assert (tournament.done, tournament.running, tournament.deals_done) == (12, 0, 12)
    entries = await store.ratings.log("standard-4", 0)
    assert len(entries) == 12
    # RS06: the log says who played each.
    assert all(entry.worker and entry.arbiter for entry in entries)


async def test_the_same_secret_gives_the_same_moves_in_any_batches(store, redis_url):
    async def moves() -> list[tuple]:
        plays = []
        for match in await store.matches.ids("cup"):
            record = payloads.read_record(await store.matches.record(match))
            plays.append((match, [tuple(d.plays) for d in record.deals], tuple(record.totals)))
        return plays

    await planned(store, 8, deals=2)
    async with running(store) as (here, runner):
        await here.field()
        await play(store, runner)
    first = await moves()
    await store._link.call("FLUSHALL")
    await planned(store, 8, deals=2)
    async with running(store) as (here, runner):
        await here.field()
        for _ in range(4):
            await play(store, runner, limit=2)
    assert await moves() == first


async def test_an_absent_bot_is_a_no_show_with_a_result(store):
    (match,) = await planned(store, 1, seats=("anna", "bert", "cleo", "gone"))
    async with running(store) as (here, runner):
        await here.field()
        assert await play(store, runner) == {match: COMMITTED}
    row = await store.matches.get(match)
    result = payloads.read_result(row.result)
    assert result.void_block
    assert result.end


async def test_a_worker_that_goes_away_gives_its_matches_back(store):
    """No blame, no result; the next attempt continues after the last finished deal."""
    (match,) = await planned(store, 1, deals=3, limits=Limits(decision_ms=5_000))
    second_deal = asyncio.Event()

    async def pause_in_deal_2(bot, event) -> None:
        if len(bot.of("deal_over")) == 1:
            second_deal.set()
        else:
            await first_legal(bot, event)

    async with running(store) as (here, runner):
        bots = await here.field(dora=pause_in_deal_2)
        (claim,) = await store.matches.claim(1, 30_000)
        async with aclosing(runner.play_batch("w", [(claim.match, claim.lease)])) as outcomes:
            waiting = asyncio.ensure_future(anext(outcomes))
            await asyncio.wait_for(second_deal.wait(), 5)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
        row = await store.matches.get(match)
        assert (row.state, row.failures, row.checkpoint_deals) == (MatchState.READY, 0, 1)
        await asyncio.sleep(0.05)
        assert len(bots[0].of("match_over")) == 1
        bots[3].answer = first_legal
        assert await play(store, runner) == {match: COMMITTED}
    record = record_from_wire(payloads.read_record(await store.matches.record(match)))
    replay(record)
    assert len(record.deals) == 3
    assert (await store.matches.get(match)).attempts == 2


async def test_a_lost_lease_ends_the_attempt_and_its_result_is_not_counted(store):
    (match,) = await planned(store, 1, limits=Limits(decision_ms=3_000))
    async with running(store, lease_seconds=0.3) as (here, runner):
        await here.field(anna=mute)
        (claim,) = await store.matches.claim(1, 60_000)
        batch = runner.play_batch("w", [(claim.match, claim.lease)])
        first = asyncio.ensure_future(anext(batch))
        await asyncio.sleep(0.1)
        assert await store.matches.release(match, claim.lease)  # as if it had run out
        (other,) = await store.matches.claim(1, 60_000)
        outcome = await asyncio.wait_for(first, 3)
        assert outcome.outcome == STALE
        assert runner.tables == 0
    row = await store.matches.get(match)
    assert (row.state, row.lease) == (MatchState.RUNNING, other.lease)


async def test_a_lease_that_is_not_the_matchs_own_is_stale_at_once(store):
    (match,) = await planned(store, 1)
    async with running(store) as (here, runner):
        await here.field()
        await store.matches.claim(1, 30_000)
        outcomes = [o async for o in runner.play_batch("w", [(match, "forged"), ("no-such", "x")])]
    assert [o.outcome for o in outcomes] == [STALE, STALE]


async def test_ch05_a_fault_of_ours_is_a_failed_attempt_and_never_a_result(store, monkeypatch):
    (match,) = await planned(store, 1)
    async with running(store) as (here, runner):
        await here.field()

        def broken(*_arguments):
            raise RuntimeError("a bug")

        with monkeypatch.context() as patch:
            patch.setattr(attempt_module.Turns, "turn", broken)
            assert await play(store, runner) == {match: FAILED}
        row = await store.matches.get(match)
        assert (row.state, row.failures, row.result) == (MatchState.READY, 1, None)
        assert "RuntimeError" in row.last_failure
        await asyncio.sleep(1.1)  # the store holds a failed match back for a moment
        assert await play(store, runner) == {match: COMMITTED}


async def test_rc07_a_result_waits_for_a_store_that_is_away(store, monkeypatch):
    (match,) = await planned(store, 1)
    commit, tries = store.matches.commit, []

    async def away_twice(*arguments):
        tries.append(arguments)
        if len(tries) <= 2:
            raise StoreUnavailable("connection refused")
        return await commit(*arguments)

    monkeypatch.setattr(store.matches, "commit", away_twice)
    async with running(store) as (here, runner):
        await here.field()
        assert await play(store, runner) == {match: COMMITTED}
    assert len(tries) == 3
    assert (await store.matches.get(match)).state is MatchState.DONE


async def test_a_draining_arbiter_takes_nothing_new_and_finishes_what_runs(store):
    await planned(store, 2)
    async with running(store) as (here, runner):
        await here.field()
        await runner.drain(1)
        assert set((await play(store, runner)).values()) == {RELEASED}
    assert (await store.tournaments.get("cup")).running == 0


async def test_sixteen_deals_leave_their_checkpoints_in_order(store):
    (match,) = await planned(store, 1, deals=16)
    seen = []
    checkpoint = store.matches.checkpoint

    async def noted(id_, lease, deals, data):
        seen.append(deals)
        return await checkpoint(id_, lease, deals, data)

    store.matches.checkpoint = noted
    async with running(store) as (here, runner):
        await here.field()
        assert await play(store, runner) == {match: COMMITTED}
    assert seen == sorted(seen)
    assert (await store.matches.get(match)).checkpoint is None


@pytest.mark.parametrize("bots", [("anna", "bert"), ()])
async def test_waiting_matches_are_given_back_when_the_arbiter_stops(store, bots):
    await planned(store, 3)
    async with running(store) as (here, runner):
        for name in bots:
            await here.bot(name)
        claims = await store.matches.claim(3, 30_000)
        batch = asyncio.ensure_future(
            collect(runner.play_batch("w", [(c.match, c.lease) for c in claims]))
        )
        await asyncio.sleep(0.1)
        await runner.stop()
        assert {o.outcome for o in await asyncio.wait_for(batch, 2)} == {RELEASED}
    assert await store.matches.ready_count() == 3


async def collect(outcomes) -> list:
    return [outcome async for outcome in outcomes]


async def test_a_bot_shows_as_online_at_once_and_as_gone_at_once(store):
    await store.bots.create("anna", False, "", "r1")
    async with running(store) as (here, _):
        bot = await here.bot("anna")
        await asyncio.sleep(0.2)
        assert (await store.bots.get("anna")).arbiter
        await bot.close()
        await asyncio.sleep(0.3)
        assert not (await store.bots.get("anna")).arbiter


@pytest.mark.parametrize("place", ["match_start", "deal_start"])
async def test_ch06_a_start_that_we_spoil_blames_no_seat(store, monkeypatch, place):
    """No card was dealt, or no turn asked, and nothing is proven against anybody: play it again."""
    (match,) = await planned(store, 1)
    async with running(store) as (here, runner):
        bots = await here.field()

        def broken(*_arguments):
            raise RuntimeError("a bug")

        with monkeypatch.context() as patch:
            patch.setattr(attempt_module.events, place, broken)
            assert await play(store, runner) == {match: FAILED}
        row = await store.matches.get(match)
        assert (row.state, row.result) == (MatchState.READY, None)
        assert not [bot.of("fallback") for bot in bots if bot.of("fallback")]
        await asyncio.sleep(1.1)  # the store holds a failed match back for a moment
        assert await play(store, runner) == {match: COMMITTED}
    record = record_from_wire(payloads.read_record(await store.matches.record(match)))
    assert not list(record.all_incidents())


async def test_ch10_a_crash_leaves_a_result_like_any_other_and_all_four_may_play_at_once(store):
    """Nobody is kept out: neither the bot that crashed nor its three opponents."""
    first, second = await planned(store, 2, limits=Limits(decision_ms=5_000, rejoin_ms=100))

    async def crashes(bot, event) -> None:
        if event.turn.trick_number == 4:
            bot._call.cancel()
        else:
            await first_legal(bot, event)

    async with running(store) as (here, runner):
        for name in NAMES:
            await here.bot(name, crashes if name == "cleo" else first_legal, max_tables=1)
        assert await play(store, runner, limit=1) == {first: COMMITTED}
        await here.bot("cleo", max_tables=1)
        assert await play(store, runner, limit=1) == {second: COMMITTED}
        assert {session.free for session in here.hub.sessions.values()} == {1}
    crashed, sound = [
        payloads.read_result((await store.matches.get(m)).result) for m in (first, second)
    ]
    assert crashed.seats[2].fallbacks > 0
    assert not any(seat.fallbacks for seat in sound.seats)
    assert [len(result.deals) for result in (crashed, sound)] == [1, 1]
