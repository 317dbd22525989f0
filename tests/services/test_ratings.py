"""What the ratings service tells beyond the table."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from services_kit import Api, refit
from test_matches import play, start

from arbiter.ratings import jsonl
from arbiter.ratings.deals import Deal
from arbiter.ratings.tables import fit
from arbiter.store import Store
from hearts.v1 import ratings_pb2 as pb

POOL = "standard-4"


@pytest.fixture
async def rated(admin: Api, store: Store) -> Store:
    """A pool of 12 duplicate blocks, fitted."""
    await start(admin, duplicate=True, boards=12)
    await play(store)
    await refit(store, POOL)
    return store


async def table(api: Api) -> Any:
    return (await api(api.ratings.ListRatings, pb.ListRatingsRequest(pool=POOL))).pools[0]


async def test_every_view_shows_the_same_figures(admin: Api, rated: Store) -> None:
    """RS07: table, gaps and history are of one snapshot."""
    pool = await table(admin)
    gaps = await admin(admin.ratings.ListGaps, pb.ListGapsRequest(pool=POOL))
    assert gaps.snapshot == pool.snapshot
    strength = {rating.bot: rating.strength for rating in pool.ratings}
    assert len(gaps.gaps) == 6
    for gap in gaps.gaps:
        assert gap.gap == pytest.approx(strength[gap.bot] - strength[gap.other], abs=2e-6)
        assert gap.blocks == 12
        assert gap.low <= gap.gap <= gap.high
    for rating in pool.ratings:
        assert 1 <= rating.rank_low <= rating.rank <= rating.rank_high <= 4
        assert [split.deals for split in rating.by_seat] == [12] * 4
        assert sum(split.deals for split in rating.by_pass) == rating.deals == 48
        assert (rating.matches, rating.placing.HasField("low")) == (48, True)


async def test_a_gap_is_turned_to_the_bot_that_asked(admin: Api, rated: Store) -> None:
    def request(bot: str = "", other: str = "") -> Any:
        return pb.ListGapsRequest(pool=POOL, bot=bot, other=other)

    async def gaps(*names: str) -> list[Any]:
        return list((await admin(admin.ratings.ListGaps, request(*names))).gaps)

    [one], [two] = await gaps("bots/anna", "bots/bert"), await gaps("bots/bert", "bots/anna")
    assert (one.gap, one.low, one.met) == (-two.gap, -two.high, -two.met)
    assert one.superiority + two.superiority == pytest.approx(1)
    assert [gap.bot for gap in await gaps("bots/dora")] == ["bots/dora"] * 3
    unknown = await admin.refused(admin.ratings.ListGaps, request("bots/nobody"))
    assert unknown.code == grpc.StatusCode.NOT_FOUND
    bare = await admin.refused(admin.ratings.ListGaps, request("", "bots/anna"))
    assert bare.code == grpc.StatusCode.INVALID_ARGUMENT


async def test_history_only_grows(admin: Api, store: Store) -> None:
    async def points() -> list[Any]:
        reply = await admin(admin.ratings.ListRatingHistory, pb.ListRatingHistoryRequest(pool=POOL))
        return list(reply.points)

    await start(admin, duplicate=True, boards=12)
    await play(store, limit=30)
    await refit(store, POOL)
    before = await points()
    assert {point.results for point in before} == {20, 25}
    await play(store)
    await refit(store, POOL)
    after = await points()
    assert after[: len(before)] == before
    assert {point.results for point in after} == {20, 25, 31, 39}


async def test_rs04_a_rebuild_from_nothing_gives_the_same_bytes(admin: Api, rated: Store) -> None:
    async def stored() -> list[bytes | None]:
        parts = ("fit", "gaps", "history")
        return [await rated.ratings.load_part(POOL, part) for part in parts]

    before = await stored()
    reply = await admin(admin.ratings.RebuildRatings, pb.RebuildRatingsRequest(pool=POOL))
    assert (reply.results, reply.snapshot) == (48, (await table(admin)).snapshot)
    assert await rated.ratings.due(POOL, every_ms=10_000), "the next sweep has it made"
    await refit(rated, POOL)
    assert await stored() == before
    assert all(before)


async def test_only_an_admin_may_rebuild(rated: Store, bot: Api) -> None:
    found = await bot.refused(bot.ratings.RebuildRatings, pb.RebuildRatingsRequest(pool=POOL))
    assert found.code == grpc.StatusCode.PERMISSION_DENIED


async def test_a_test_of_two_bots(admin: Api, rated: Store) -> None:
    request = pb.TestBotsRequest(
        pool=POOL, baseline="bots/anna", candidate="bots/bert", h0=0, h1=0.45
    )
    reply = await admin(admin.ratings.TestBots, request)
    assert (reply.blocks, reply.mirrored, reply.waiting) == (12, True, "")
    assert reply.verdict == pb.TEST_VERDICT_CONTINUE
    assert reply.lower < 0 < reply.upper
    [gap] = (
        await admin(
            admin.ratings.ListGaps,
            pb.ListGapsRequest(pool=POOL, bot="bots/anna", other="bots/bert"),
        )
    ).gaps
    assert reply.estimate == pytest.approx(gap.met, abs=1e-4), "twelve blocks: no stop to correct"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"candidate": "bots/anna"}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"candidate": ""}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"candidate": "bots/nobody"}, grpc.StatusCode.NOT_FOUND),
        ({"h0": 1.0}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"alpha": 0.9}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"pool": "nothing-4"}, grpc.StatusCode.NOT_FOUND),
        ({"pool": ""}, grpc.StatusCode.INVALID_ARGUMENT),
    ],
)
async def test_impossible_tests_are_refused(
    admin: Api, rated: Store, fields: dict[str, Any], code: grpc.StatusCode
) -> None:
    known = {"pool": POOL, "baseline": "bots/anna", "candidate": "bots/bert", "h1": 0.45}
    request = pb.TestBotsRequest(**(known | fields))
    assert (await admin.refused(admin.ratings.TestBots, request)).code == code


async def test_what_is_exported_gives_the_table_again(admin: Api, rated: Store) -> None:
    call = admin.ratings.ExportResults(
        pb.ExportResultsRequest(pool=POOL), metadata=(("authorization", f"Bearer {admin.token}"),)
    )
    deals = [deal async for reply in call for deal in reply.deals]
    assert len(deals) == 48
    lines = [
        jsonl.Line(Deal(d.block, tuple(bot[5:] for bot in d.bots), tuple(d.points))) for d in deals
    ]
    read = jsonl.read(jsonl.write(line).encode() for line in lines)
    [found] = fit(line.deal for line in read)
    assert [(f"bots/{line.bot}", line.strength, line.low) for line in found.ratings] == [
        (rating.bot, rating.strength, rating.low) for rating in (await table(admin)).ratings
    ]
