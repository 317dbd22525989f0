"""Looking at matches: unknown ones, filters, and records that must wait."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from services_kit import FOUR, Api, creation, play, refit, register

from arbiter.matches.advance import advance
from arbiter.store import Store
from hearts.v1 import errors_pb2, matches_pb2, ratings_pb2, tournaments_pb2


async def start(admin: Api, **changes: Any) -> Any:
    await register(admin, *FOUR, house=True)
    made = await admin(admin.tournaments.CreateTournament, creation(**changes))
    return made.tournament


async def listed(api: Api, tournament: str, **fields: Any) -> Any:
    request = matches_pb2.ListMatchesRequest(tournament=tournament, **fields)
    return await api(api.matches.ListMatches, request)


async def test_rc09_an_unknown_match_is_not_found(admin: Api) -> None:
    """It does not look as if it were pending."""
    for method, request in [
        (admin.matches.GetMatch, matches_pb2.GetMatchRequest),
        (admin.matches.GetMatchRecord, matches_pb2.GetMatchRecordRequest),
    ]:
        found = await admin.refused(method, request(name="matches/none-01-001-000001-000000-00"))
        assert found.code == grpc.StatusCode.NOT_FOUND
        assert found.detail.reason == errors_pb2.ERROR_REASON_NOT_FOUND
        assert found.detail.subject == "matches/none-01-001-000001-000000-00"
    request = matches_pb2.ListMatchesRequest(tournament="tournaments/none")
    found = await admin.refused(admin.matches.ListMatches, request)
    assert found.code == grpc.StatusCode.NOT_FOUND


async def test_a_match_from_plan_to_result(admin: Api, store: Store) -> None:
    made = await start(admin)
    first = (await listed(admin, made.name)).matches[0]
    assert first.tournament == made.name
    assert (first.stage, first.round, first.table, first.board, first.rotation) == (1, 1, 1, 0, 0)
    assert sorted(first.seats) == [f"bots/{name}" for name in FOUR]
    assert first.state == matches_pb2.MATCH_STATE_READY
    assert not first.HasField("result")
    assert not first.HasField("finish_time")
    await play(store)
    request = matches_pb2.GetMatchRequest(name=first.name)
    after = (await admin(admin.matches.GetMatch, request)).match
    assert after.state == matches_pb2.MATCH_STATE_DONE
    assert [seat.bot for seat in after.result.seats] == list(after.seats)
    assert sum(after.result.deals[0].points) == 26
    assert after.HasField("finish_time")


async def test_pages_in_canonical_order(admin: Api) -> None:
    made = await start(admin, boards=5)
    names, token = [], ""
    while True:
        page = await listed(admin, made.name, page_size=2, page_token=token)
        names += [match.name for match in page.matches]
        token = page.next_page_token
        if not token:
            break
    assert len(names) == 5
    assert names == sorted(names)


async def test_a_token_of_another_list_is_refused(admin: Api) -> None:
    made = await start(admin, boards=5)
    token = (await listed(admin, made.name, page_size=2)).next_page_token
    request = matches_pb2.ListMatchesRequest(
        tournament=made.name, bot="bots/anna", page_token=token
    )
    found = await admin.refused(admin.matches.ListMatches, request)
    assert found.code == grpc.StatusCode.INVALID_ARGUMENT
    assert found.detail.subject == "page_token"


async def test_filters(admin: Api, store: Store) -> None:
    await register(admin, "eve", house=True)
    made = await start(admin, boards=1, entries=[f"bots/{n}" for n in (*FOUR, "eve")])
    assert len((await listed(admin, made.name)).matches) == 5
    eves = (await listed(admin, made.name, bot="bots/eve")).matches
    assert len(eves) == 4
    assert all("bots/eve" in match.seats for match in eves)
    await play(store, limit=2)
    done = await listed(admin, made.name, state=matches_pb2.MATCH_STATE_DONE)
    assert len(done.matches) == 2
    ready = await listed(admin, made.name, state=matches_pb2.MATCH_STATE_READY)
    assert len(ready.matches) == 3


@pytest.mark.parametrize(
    ("fields", "subject"),
    [
        ({"tournament": ""}, "tournament"),
        ({"tournament": "matches/x"}, "tournament"),
        ({"bot": "anna"}, "bot"),
        ({"state": 99}, "state"),
        ({"page_size": 5000}, "page_size"),
        ({"page_token": "x"}, "page_token"),
    ],
)
async def test_bad_filters(admin: Api, fields: dict[str, Any], subject: str) -> None:
    request = matches_pb2.ListMatchesRequest(**{"tournament": "tournaments/x", **fields})
    found = await admin.refused(admin.matches.ListMatches, request)
    assert found.code == grpc.StatusCode.INVALID_ARGUMENT
    assert found.detail.subject == subject


async def record(api: Api, name: str) -> Any:
    request = matches_pb2.GetMatchRecordRequest(name=f"matches/{name}")
    return (await api(api.matches.GetMatchRecord, request)).record


async def test_a_record_waits_for_the_other_rotations(admin: Api, store: Store) -> None:
    """It shows every hand of a board that the same bots are still to play."""
    made = await start(admin, duplicate=True, boards=2)
    played = await play(store, limit=3)
    request = matches_pb2.GetMatchRecordRequest(name=f"matches/{played[0]}")
    found = await admin.refused(admin.matches.GetMatchRecord, request)
    assert found.code == grpc.StatusCode.FAILED_PRECONDITION
    assert found.detail.reason == errors_pb2.ERROR_REASON_WRONG_STATE
    assert "1 of 4" in found.message
    await play(store, limit=1)
    assert (await record(admin, played[0])).match == f"matches/{played[0]}"
    [other] = await play(store, limit=1)
    request = matches_pb2.GetMatchRecordRequest(name=f"matches/{other}")
    assert (await admin.refused(admin.matches.GetMatchRecord, request)).detail.retry_after_ms > 0
    cancel = tournaments_pb2.CancelTournamentRequest(name=made.name)
    await admin(admin.tournaments.CancelTournament, cancel)
    assert (await record(admin, other)).seats


async def test_a_record_of_a_single_board_is_there_at_once(admin: Api, store: Store) -> None:
    await start(admin)
    [played] = await play(store, limit=1)
    assert (await record(admin, played)).board == 0


async def test_a_match_without_a_record(admin: Api) -> None:
    made = await start(admin)
    match = (await listed(admin, made.name)).matches[0]
    request = matches_pb2.GetMatchRecordRequest(name=match.name)
    found = await admin.refused(admin.matches.GetMatchRecord, request)
    assert found.code == grpc.StatusCode.NOT_FOUND
    assert "ready" in found.detail.hint


async def ratings(api: Api, pool: str = "") -> list[Any]:
    request = ratings_pb2.ListRatingsRequest(pool=pool)
    return list((await api(api.ratings.ListRatings, request)).pools)


async def test_ratings_are_served_as_last_fitted(admin: Api, store: Store) -> None:
    assert await ratings(admin) == []
    made = await start(admin, duplicate=True, boards=4)
    await play(store)
    assert [pool.id for pool in await ratings(admin)] == ["standard-4"]
    await refit(store, "standard-4")
    [pool] = await ratings(admin)
    assert (pool.deals, pool.blocks, len(pool.ratings)) == (16, 4, 4)
    assert [pool] == await ratings(admin, "standard-4")
    # The same log gives the same bytes, snapshot included (RS04, RS07).
    await advance(store, made.name.split("/")[1])
    await refit(store, "standard-4")
    assert [pool] == await ratings(admin)


async def test_rs05_void_and_half_blocks_never_count(admin: Api, store: Store) -> None:
    await start(admin, duplicate=True, boards=4)
    await play(store, limit=4)
    await play(store, limit=4, void=True)
    await play(store, limit=3)
    await refit(store, "standard-4")
    [pool] = await ratings(admin)
    assert (pool.deals, pool.blocks) == (4, 1)
    # One block says nothing about the error: no figures yet.
    assert not pool.ratings


async def test_unrated_results_stay_out(admin: Api, store: Store) -> None:
    await start(admin, unrated=True)
    await play(store)
    assert await ratings(admin) == []


async def test_unknown_pools(admin: Api, store: Store) -> None:
    for pool, code in [
        ("nothing-4", grpc.StatusCode.NOT_FOUND),
        ("a b", grpc.StatusCode.INVALID_ARGUMENT),
        ("x" * 99, grpc.StatusCode.INVALID_ARGUMENT),
    ]:
        request = ratings_pb2.ListRatingsRequest(pool=pool)
        assert (await admin.refused(admin.ratings.ListRatings, request)).code == code
    await start(admin)
    await play(store)
    await refit(store, "standard-4")
    request = ratings_pb2.ListRatingsRequest(pool="standard-4.2")
    found = await admin.refused(admin.ratings.ListRatings, request)
    assert found.code == grpc.StatusCode.NOT_FOUND
