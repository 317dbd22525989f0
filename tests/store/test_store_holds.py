"""RS06, LR08: results that are held back count nowhere, are never lost, and end as one of two: the
one that was held, or that of the match played again."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import cast

import pytest

from arbiter.matches.advance import Advance, advance
from arbiter.ratings import wire as ratings_wire
from arbiter.store import Commit, MatchState, Store, TournamentRow
from arbiter.tournaments import wire
from arbiter.tournaments.history import Entry
from arbiter.tournaments.spec import Spec
from hearts.rules import preset
from hearts.v1 import matches_pb2
from workers import fit
from workers.loop import Context

POOL = "standard-4"
BOTS = ("anna", "bert", "cleo", "dora")


async def add_cup(store: Store, boards: int) -> None:
    """One table, its matches planned."""
    spec = Spec("Cup", preset("standard"), boards, BOTS, deals=1)
    row = TournamentRow("cup", wire.encode(spec), b"secret", True)
    await store.tournaments.create(row, entries=[Entry(bot) for bot in BOTS])
    assert (await advance(store, "cup")).matches == boards


def result(timeouts: int = 0, points: Iterable[int] = (0, 13, 5, 8)) -> bytes:
    """A result with so many time-outs in 52 decisions."""
    points = list(points)
    seats = [
        matches_pb2.SeatResult(points=value, place_times_two=2, decisions=13) for value in points
    ]
    seats[0].timeouts = timeouts
    message = matches_pb2.MatchResult(
        end=2, seats=seats, deals=[matches_pb2.DealPoints(points=points)]
    )
    return message.SerializeToString(deterministic=True)


async def play(store: Store, worker: str, limit: int, timeouts: int = 0) -> list[str]:
    """A batch by this worker."""
    claims = await store.matches.claim(limit, 30_000)
    held = [(claim.match, claim.lease) for claim in claims]
    await store.matches.admit(held, worker, "north")
    for match, lease in held:
        found = await store.matches.commit(match, lease, result(timeouts), b"R", 1, POOL)
        assert found is Commit.COMMITTED
    return [match for match, _ in held]


async def lines(store: Store) -> list[str]:
    return [line.decode() for line in await store._link.call("LRANGE", f"hearts:log:{POOL}", 0, -1)]


async def test_the_log_says_who_played_each_result(store: Store) -> None:
    await add_cup(store, boards=3)
    await play(store, "host one/7", 2)
    await play(store, "b/8", 1)
    entries = await store.ratings.log(POOL)
    assert [(e.worker, e.arbiter) for e in entries] == [
        ("host_one/7", "north"), ("host_one/7", "north"), ("b/8", "north"),
    ]  # fmt: skip


async def test_rs06_a_worker_whose_time_outs_stand_out_is_held_and_played_again(
    store: Store,
) -> None:
    await add_cup(store, boards=12)
    late = await play(store, "slow/1", 4, timeouts=6)
    fine = await play(store, "fast/2", 8)
    answer = await advance(store, "cup")
    assert (answer.outcome, answer.matches) == (Advance.WAITING, 4)

    # Nothing of them counts, and nothing is lost.
    assert [plan.id for plan, _ in await store.matches.results("cup")] == fine
    assert [e.plan.id for e in await store.ratings.log(POOL)] == fine
    row = await store.tournaments.get("cup")
    assert row is not None
    assert (row.done, row.planned, row.deals_done, row.over) == (8, 12, 8, False)
    assert list(await store.holds.held("cup")) == late
    kept = await store.holds.original(late[0])
    assert kept is not None
    assert (kept.result, kept.record, kept.worker) == (result(6), b"R", "slow/1")

    # Played again, by whomever, the new result stands, even if it is late again.
    assert await play(store, "fast/2", 3) == late[:3]
    await play(store, "slow/1", 1, timeouts=9)
    assert (await advance(store, "cup")).outcome is Advance.FINISHED
    assert not await store.holds.held("cup")
    assert len(await store.matches.results("cup")) == 12
    assert len(await store.ratings.log(POOL)) == 12
    corrections = await store.holds.corrections("cup")
    assert [c.kind for c in corrections] == ["held"] * 4 + ["replaced"] * 4
    assert corrections[0].actor == "watchdog"
    assert "worker slow/1 lost 24 of 208 decisions to the clock" in corrections[0].reason
    # The log was only ever added to.
    assert (await lines(store))[:4] == [f"cup {match} slow/1 north" for match in late]
    assert len(await lines(store)) == 12 + 4 + 4
    assert (await store.holds.original(late[0])).result == result(6)  # type: ignore[union-attr]


async def test_rs06_an_arbiter_that_stands_out_is_held_too(store: Store) -> None:
    await add_cup(store, boards=4)
    for arbiter, timeouts in (("north", 0), ("south", 8)):
        claims = await store.matches.claim(2, 30_000)
        await store.matches.admit([(c.match, c.lease) for c in claims], "one/1", arbiter)
        for claim in claims:
            data = result(timeouts)
            await store.matches.commit(claim.match, claim.lease, data, b"R", 1, POOL)
    assert (await advance(store, "cup")).matches == 2
    assert {c.reason[:13] for c in await store.holds.corrections("cup")} == {"arbiter south"}


async def test_slow_bots_are_slow_everywhere_and_nothing_is_held(store: Store) -> None:
    await add_cup(store, boards=8)
    for worker in ("a/1", "b/2"):
        await play(store, worker, 4, timeouts=5)
    assert (await advance(store, "cup")).outcome is Advance.FINISHED
    assert await store.holds.corrections("cup") == []


@pytest.mark.parametrize("moment", ["ready", "running", "failed"])
async def test_lr08_a_held_result_may_be_released_at_any_moment_of_its_replay(
    store: Store, moment: str
) -> None:
    await add_cup(store, boards=2)
    [first, second] = await play(store, "a/1", 2)
    assert await store.holds.hold("cup", 1, [first], "ada", "looks odd") == 1
    claims = []
    if moment != "ready":
        claims = await store.matches.claim(5, 30_000)
    if moment == "failed":
        for _ in range(3):
            for claim in claims:
                await store.matches.fail(claim.match, claim.lease, "fault", retry_ms=0)
            claims = await store.matches.claim(5, 30_000) or claims
    assert await store.holds.release(first, "ada", "it was fine")
    assert not await store.holds.release(first, "ada", "twice")
    for claim in claims:
        again = await store.matches.commit(claim.match, claim.lease, result(1), b"N", 1, POOL)
        assert again is Commit.STALE
    match = await store.matches.get(first)
    assert match is not None
    assert (match.state, match.result) == (MatchState.DONE, result())
    assert await store.matches.record(first) == b"R"
    assert sorted(e.plan.id for e in await store.ratings.log(POOL)) == [first, second]
    row = await store.tournaments.get("cup")
    assert row is not None
    assert (row.done, row.failed, row.running, row.deals_done) == (2, 0, 0, 2)
    assert [(c.kind, c.actor) for c in await store.holds.corrections("cup")] == [
        ("held", "ada"), ("released", "ada"),
    ]  # fmt: skip


async def test_what_has_counted_already_is_not_held(store: Store) -> None:
    """Another wave was planned on it, or the tournament is over."""
    await add_cup(store, boards=2)
    played = await play(store, "a/1", 2)
    assert await store.holds.hold("cup", 2, played, "ada", "late") == 0
    assert (await advance(store, "cup")).outcome is Advance.FINISHED
    assert await store.holds.hold("cup", 1, played, "ada", "late") == 0
    assert await store.holds.corrections("cup") == []


async def test_a_hold_and_its_commit_at_once_leave_one_result(store: Store) -> None:
    """Repeated by a client that saw no answer, as every write of the store may be."""
    await add_cup(store, boards=1)
    [claim] = await store.matches.claim(1, 30_000)
    await store.matches.commit(claim.match, claim.lease, result(), b"R", 1, POOL)
    assert await store.holds.hold("cup", 1, [claim.match], "ada", "x") == 1
    assert await store.holds.hold("cup", 1, [claim.match], "ada", "x") == 0
    late = await store.matches.commit(claim.match, claim.lease, result(), b"R", 1, POOL)
    assert late is Commit.STALE
    assert await store.matches.results("cup") == []


async def test_rs04_a_rebuild_gives_the_bytes_of_fits_that_saw_each_correction(
    store: Store,
) -> None:
    """Fits that follow the log line by line, and one from nothing."""

    async def own() -> Store:
        return store

    async def stored() -> tuple[bytes | None, bytes | None]:
        parts = [await store.ratings.load_part(POOL, part) for part in ("fit", "history")]
        return parts[0], parts[1]

    await add_cup(store, boards=40)
    context = cast("Context", SimpleNamespace(store=own))
    first = await play(store, "slow/1", 25)
    await fit.refit(context, POOL)
    assert await store.holds.hold("cup", 1, first[:6], "ada", "odd") == 6
    await fit.refit(context, POOL)
    assert await store.holds.release(first[2], "ada", "fine")
    await play(store, "fast/2", 3)
    await fit.refit(context, POOL)
    await play(store, "fast/2", 99)
    await fit.refit(context, POOL)
    followed = await stored()
    assert await store.ratings.length(POOL) == await store.ratings.fitted(POOL) == 40 + 6 + 6
    await store.ratings.rebuild(POOL)
    await fit.refit(context, POOL)
    assert await stored() == followed
    pool = ratings_wire.decode(followed[0] or b"")[0]
    assert pool.deals == 40
