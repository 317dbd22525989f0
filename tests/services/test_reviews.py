"""Play to come, suspects, and results that are held back: as an admin and a bot see them."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from services_kit import Api, refit
from test_matches import play, start

from arbiter.store import Store
from hearts.v1 import ratings_pb2 as pb

POOL = "standard-4"


@pytest.fixture
async def rated(admin: Api, store: Store) -> str:
    """A finished round of 12 duplicate blocks in a pool; the name of its tournament."""
    made = await start(admin, duplicate=True, boards=12)
    await play(store)
    await refit(store, POOL)
    return str(made.name)


async def suggest(admin: Api, **fields: Any) -> Any:
    request = pb.SuggestTablesRequest(pool=POOL, **fields)
    return await admin(admin.ratings.SuggestTables, request)


async def test_the_next_tables_are_planned_where_intervals_are_wide(admin: Api, rated: str) -> None:
    reply = await suggest(admin, tables=3, bot_goal=0.2, gap_goal=0.2)
    assert len(reply.tables) == 3
    assert reply.deals_left > 48
    assert reply.wide == 7
    new = await suggest(admin, tables=2, bots=["bots/anna", "bots/bert", "bots/cleo", "bots/zoe@2"])
    assert all("bots/zoe@2" in table.bots for table in new.tables)
    wide = await suggest(admin, bot_goal=1000, gap_goal=1000)
    assert (len(wide.tables), wide.deals_left, wide.wide) == (0, 0, 0)


@pytest.mark.parametrize(
    ("fields", "subject"),
    [
        ({"bots": ["bots/anna"]}, "bots"),
        ({"bots": ["anna"]}, "bots[0]"),
        ({"tables": 101}, "tables"),
        ({"gap_goal": -1.0}, "gap_goal"),
        ({"bot_goal": float("nan")}, "bot_goal"),
    ],
)
async def test_bad_plans_name_the_field(
    admin: Api, rated: str, fields: dict[str, Any], subject: str
) -> None:
    request = pb.SuggestTablesRequest(pool=POOL, **fields)
    found = await admin.refused(admin.ratings.SuggestTables, request)
    assert (found.code, found.detail.subject) == (grpc.StatusCode.INVALID_ARGUMENT, subject)


async def by_two_workers(store: Store) -> None:
    """Note for everything that is ready who plays it: two workers, half each."""
    claims = await store.matches.claim(1000, 30_000)
    half = len(claims) // 2
    for worker, part in (("slow/1", claims[:half]), ("fast/2", claims[half:])):
        held = [(claim.match, claim.lease) for claim in part]
        await store.matches.admit(held, worker, "north")
        for match, lease in held:
            await store.matches.release(match, lease)


async def test_suspects_come_with_their_evidence(admin: Api, store: Store) -> None:
    await start(admin, duplicate=True, boards=40)
    await by_two_workers(store)
    await play(store)
    await refit(store, POOL)
    reply = await admin(admin.ratings.ListSuspects, pb.ListSuspectsRequest(pool=POOL, pairs=3))
    assert [(one.kind, one.name) for one in reply.lateness] == [
        ("worker", "fast/2"), ("worker", "slow/1"), ("arbiter", "north"),
    ]  # fmt: skip
    assert not any(one.alarm for one in reply.lateness)
    assert {one.worker for one in reply.workers} <= {"fast/2", "slow/1"}
    assert len(reply.pairs) == 3
    assert [pair.z for pair in reply.pairs] == sorted(pair.z for pair in reply.pairs)
    assert {pair.blocks for pair in reply.pairs} == {40}


async def test_lr08_a_result_is_held_released_and_all_of_it_is_told(
    admin: Api, store: Store
) -> None:
    made = await start(admin, boards=4)
    await by_two_workers(store)
    await play(store, limit=3)

    async def listed() -> Any:
        request = pb.ListHeldResultsRequest(tournament=made.name)
        return await admin(admin.ratings.ListHeldResults, request)

    assert list((await listed()).corrections) == []
    request = pb.HoldResultsRequest(tournament=made.name, worker="slow/1", reason="a full disk")
    assert (await admin(admin.ratings.HoldResults, request)).held == 2
    assert (await admin(admin.ratings.HoldResults, request)).held == 0
    await refit(store, POOL)
    pools = await admin(admin.ratings.ListRatings, pb.ListRatingsRequest(pool=POOL))
    assert pools.pools[0].deals == 1
    reply = await listed()
    assert [(one.reason, one.worker) for one in reply.held] == [("a full disk", "slow/1")] * 2
    release = pb.ReleaseResultRequest(match=reply.held[0].match, reason="it was fine")
    await admin(admin.ratings.ReleaseResult, release)
    twice = await admin.refused(admin.ratings.ReleaseResult, release)
    assert twice.code == grpc.StatusCode.FAILED_PRECONDITION
    await play(store)
    await refit(store, POOL)
    reply = await listed()
    assert list(reply.held) == []
    assert [one.kind for one in reply.corrections] == ["held", "held", "released", "replaced"]
    assert reply.corrections[0].actor.startswith("admin")
    assert reply.corrections[2].reason == "it was fine"
    pools = await admin(admin.ratings.ListRatings, pb.ListRatingsRequest(pool=POOL))
    assert pools.pools[0].deals == 4


@pytest.mark.parametrize(
    ("request_", "code", "subject"),
    [
        (pb.HoldResultsRequest(worker="a", reason="b"), "INVALID_ARGUMENT", "tournament"),
        (
            pb.HoldResultsRequest(tournament="tournaments/none-1", worker="a", reason="b"),
            "NOT_FOUND",
            "tournaments/none-1",
        ),
        (pb.HoldResultsRequest(tournament="T", reason="b"), "INVALID_ARGUMENT", "worker"),
        (pb.HoldResultsRequest(tournament="T", worker="a"), "INVALID_ARGUMENT", "reason"),
        (pb.HoldResultsRequest(tournament="T", worker="a", arbiter="b", reason="c"),
         "INVALID_ARGUMENT", "worker"),
    ],
)  # fmt: skip
async def test_bad_holds_are_refused(
    admin: Api, store: Store, request_: Any, code: str, subject: str
) -> None:
    made = await start(admin, boards=1)
    asked = pb.HoldResultsRequest()
    asked.CopyFrom(request_)
    if asked.tournament == "T":
        asked.tournament = made.name
    found = await admin.refused(admin.ratings.HoldResults, asked)
    assert (found.code.name, found.detail.subject) == (code, subject)


async def test_what_is_over_is_not_held(admin: Api, store: Store) -> None:
    made = await start(admin, boards=1)
    await play(store)
    await store.tournaments.finish(made.name.removeprefix("tournaments/"))
    request = pb.HoldResultsRequest(tournament=made.name, worker="a", reason="b")
    found = await admin.refused(admin.ratings.HoldResults, request)
    assert found.code == grpc.StatusCode.FAILED_PRECONDITION
