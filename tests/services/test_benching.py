"""CH10, SP10: who fails match after match is benched, and nobody waits for it."""

from __future__ import annotations

from typing import Any

import pytest
from services_kit import FOUR, Api, batch, creation
from test_entrants import version

from arbiter.matches import benching, payloads
from arbiter.matches.advance import Advance, advance
from arbiter.server import Arbiter
from arbiter.store import MatchState, Store, VersionState
from hearts.record import MatchEnd, MatchRecord, Verdict
from hearts.result import MatchResult, SeatResult
from hearts.rules import preset
from hearts.v1 import bots_pb2, tournaments_pb2

NAMES = tuple(f"{bot}@1" for bot in FOUR)


async def play_one(store: Store, verdict: Verdict | None, bot: str = "anna@1") -> str:
    """Commit one made-up match, in which the bot has this verdict, and count it, twice."""
    [claim] = await store.matches.claim(1, 60_000)
    [row] = await store.matches.load([claim.match])
    seats = row.plan.seats
    result = MatchResult(
        end=MatchEnd.DEALS,
        seats=tuple(
            SeatResult(f"bots/{name}", 0, 5, verdict=verdict if name == bot else None)
            for name in seats
        ),
        deals=((0, 0, 0, 26),),
    )
    record = MatchRecord(
        match=claim.match,
        tournament=claim.tournament,
        rules=preset("standard").for_deals(1),
        seats=seats,
        board=row.plan.board,
        rotation=0,
        deals=(),
        end=MatchEnd.DEALS,
        totals=(0, 0, 0, 26),
        places=(1, 2, 3, 4),
    )
    await store.matches.commit(
        claim.match, claim.lease, payloads.result(result), payloads.record(record), 1, None
    )
    await benching.count(store, claim.match, 3)
    await benching.count(store, claim.match, 3)
    return claim.match


async def cup(admin: Api, store: Store, request_id: str = "one", **changes: Any) -> str:
    """A tournament of four versions and a house bot."""
    for bot in FOUR:
        if not await store.versions.list(bot):
            await version(store, bot, "kim")
    made = await admin(
        admin.tournaments.CreateTournament,
        creation(
            request_id,
            entries=[f"bots/{bot}" for bot in (*FOUR, "house:duck")],
            **{"boards": 4, **changes},
        ),
    )
    name: str = made.tournament.name
    return name.removeprefix("tournaments/")


@pytest.mark.parametrize("verdict", [Verdict.NO_SHOW, Verdict.NO_START, Verdict.CRASH])
async def test_a_version_that_keeps_failing_is_benched_and_nobody_waits_for_it(
    admin: Api, kim: Api, store: Store, verdict: Verdict
) -> None:
    id_ = await cup(admin, store)
    for _ in range(2):
        await play_one(store, verdict)
    await play_one(store, None)
    for _ in range(2):
        await play_one(store, verdict)
    row = await store.versions.get("anna@1")
    assert row is not None
    assert (row.state, row.failures) == (VersionState.ACTIVE, 2)
    last = await play_one(store, verdict)

    shown = await kim(kim.bots.GetVersion, bots_pb2.GetVersionRequest(name="bots/anna@1"))
    assert shown.version.state == bots_pb2.VERSION_STATE_BENCHED
    assert shown.version.reason == f"3 failed matches in a row, the last one {last}"
    bot = await kim(kim.bots.GetBot, bots_pb2.GetBotRequest(name="bots/anna"))
    assert bot.bot.active_version == ""
    # Its matches that nobody has begun are given up; those of the others are played to the end.
    while await store.matches.ready_count():
        await play_one(store, None)
    for match in await store.matches.load(await store.matches.ids(id_, MatchState.FAILED_INFRA)):
        assert "anna@1" in match.plan.seats
        assert match.last_failure == "anna@1 has left"
    assert (await advance(store, id_)).outcome is Advance.FINISHED

    # Its owner brings it back, with a clean slate.
    request = bots_pb2.ActivateVersionRequest(name="bots/anna@1")
    back = await kim(kim.bots.ActivateVersion, request)
    assert back.version.state == bots_pb2.VERSION_STATE_ACTIVE
    assert back.version.failures == 0
    assert await cup(admin, store, "two")


@pytest.mark.parametrize("verdict", [Verdict.TIMEOUT, Verdict.ILLEGAL, Verdict.LEFT])
async def test_who_is_there_and_plays_badly_is_not_benched(
    admin: Api, store: Store, verdict: Verdict
) -> None:
    await cup(admin, store)
    for _ in range(4):
        await play_one(store, verdict)
    [row] = await store.versions.active(["anna"])
    assert row is not None
    assert row.failures == 0


async def test_a_paused_tournament_does_not_pair_who_was_benched_meanwhile(
    admin: Api, kim: Api, store: Store
) -> None:
    id_ = await cup(admin, store, format=tournaments_pb2.FORMAT_SWISS, boards=1)
    while await store.matches.ready_count():
        await play_one(store, None)
    await store.tournaments.pause(id_)
    request = bots_pb2.RetireVersionRequest(name="bots/anna", reason="a bug")
    gone = await kim(kim.bots.RetireVersion, request)
    assert (gone.version.state, gone.version.reason) == (
        bots_pb2.VERSION_STATE_RETIRED,
        "a bug",
    )
    await store.tournaments.resume(id_)
    assert (await advance(store, id_)).outcome is Advance.PLANNED
    plans = [plan for plan in await store.matches.plans(id_) if plan.round == 2]
    assert plans
    assert all("anna@1" not in plan.seats for plan in plans)


async def test_real_matches_bench_bots_that_never_come(
    arbiter: Arbiter, admin: Api, worker: Api, store: Store
) -> None:
    """Over the wire: NO_SHOW after NO_SHOW, and the tournament ends in bounded time (SP10)."""
    for bot in FOUR:
        await version(store, bot)
    made = await admin(
        admin.tournaments.CreateTournament, creation(boards=8, clock={"connect_ms": 300})
    )
    id_ = made.tournament.name.removeprefix("tournaments/")
    # One batch is at the tables when they are benched; what nobody has begun is given up.
    async for _ in await batch(worker, store, limit=6):
        pass
    assert await store.versions.active(FOUR) == [None] * 4
    assert await store.matches.ready_count() == 0
    assert (await advance(store, id_)).outcome is Advance.FINISHED
    row = await store.tournaments.get(id_)
    assert row is not None
    assert (row.done, row.failed) == (6, 2)
    assert row.reason == "2 matches were given up because a bot had withdrawn"
