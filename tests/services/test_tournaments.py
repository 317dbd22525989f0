"""Creating, watching and ending tournaments; what is refused, and what stays secret."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from typing import Any

import grpc
import pytest
from services_kit import FOUR, TIMEOUT, Api, creation, play, refused, register

from arbiter.matches.advance import Advance, advance
from arbiter.store import Store
from hearts.limits import DEFAULT_LIMITS
from hearts.rules import preset
from hearts.v1 import errors_pb2, play_pb2, rules_pb2, tournaments_pb2
from hearts.wire import rules_to_wire

RUNNING = tournaments_pb2.TOURNAMENT_STATE_RUNNING
FINISHED = tournaments_pb2.TOURNAMENT_STATE_FINISHED
CANCELLED = tournaments_pb2.TOURNAMENT_STATE_CANCELLED
INVALID = grpc.StatusCode.INVALID_ARGUMENT
PRECONDITION = grpc.StatusCode.FAILED_PRECONDITION


async def create(admin: Api, request_id: str = "one", **changes: Any) -> Any:
    made = await admin(admin.tournaments.CreateTournament, creation(request_id, **changes))
    return made.tournament


async def get(api: Api, name: str) -> Any:
    request = tournaments_pb2.GetTournamentRequest(name=name)
    return (await api(api.tournaments.GetTournament, request)).tournament


async def test_a_tournament_starts_at_once(admin: Api, store: Store) -> None:
    await register(admin, *FOUR)
    made = await create(admin)
    assert made.name.startswith("tournaments/small-")
    assert made.state == RUNNING
    assert made.matches_planned == 2
    assert made.rated
    assert len(made.commitment) == 64
    assert not made.revealed_secret
    assert made.spec.clock.decision_ms == DEFAULT_LIMITS.decision_ms
    assert await store.matches.ready_count() == 2


async def test_a_repeat_returns_the_first_tournament(admin: Api) -> None:
    await register(admin, *FOUR)
    first, second = await asyncio.gather(create(admin), create(admin, boards=5))
    assert first.name == second.name
    assert (await create(admin)).name == first.name
    assert (await create(admin, "two")).name != first.name
    listed = await admin(
        admin.tournaments.ListTournaments, tournaments_pb2.ListTournamentsRequest()
    )
    assert len(listed.tournaments) == 2


def limits(**values: int) -> play_pb2.Limits:
    return play_pb2.Limits(**values)


def broken_rules(**values: Any) -> rules_pb2.RuleSet:
    message = rules_to_wire(preset("standard"))
    message.name = ""
    for name, value in values.items():
        setattr(message, name, value)
    return message


BASE = [f"bots/{name}" for name in FOUR]
WRONG: dict[str, tuple[dict[str, Any], str, str]] = {
    "no title": ({"title": ""}, "spec.title", "1 to 60"),
    "title with an escape": ({"title": "\x1b[1m"}, "spec.title", "printable"),
    "no format": ({"format": None}, "spec.format", "round_robin"),
    "unknown format": ({"format": 77}, "spec.format", "round_robin"),
    "no rules": ({"rules": None}, "spec.rules", "standard"),
    "unset option": ({"rules": broken_rules(moon=0)}, "spec.rules.moon", "others"),
    "unknown option": ({"rules": broken_rules(tie=99)}, "spec.rules.tie", "play_on"),
    "pack does not divide": ({"rules": broken_rules(players=5)}, "spec.rules", ""),
    "false preset": (
        {"rules": broken_rules(name="standard", moon=rules_pb2.MOON_OFF)},
        "spec.rules.name",
        "",
    ),
    "too many deals": ({"deals": 1001}, "spec.deals", "0 to 1000"),
    "no boards": ({"boards": None}, "spec.boards", "1 to 100000"),
    "too many matches": ({"boards": 100_000, "duplicate": True}, "spec.boards", "1 to 25000"),
    "short decision": ({"clock": limits(decision_ms=1)}, "spec.clock.decision_ms", "10 to"),
    "long match": ({"clock": limits(match_ms=2**31)}, "spec.clock.match_ms", "1000 to 86400000"),
    "duplicate entry": ({"entries": [*BASE, BASE[0]]}, "spec.entries", "once"),
    "entry without collection": ({"entries": [*BASE, "eve"]}, "spec.entries[4]", "bots/NAME"),
    "entry with markup": ({"entries": [*BASE, "bots/<b>"]}, "spec.entries[4]", "a-z"),
    "secret": ({"secret": "abc"}, "spec.secret", "64 hex digits"),
}


@pytest.mark.parametrize(("changes", "field", "allowed"), WRONG.values(), ids=WRONG)
async def test_wrong_specs_are_refused_before_anything_is_written(
    admin: Api, store: Store, changes: dict[str, Any], field: str, allowed: str
) -> None:
    await register(admin, *FOUR)
    found = await admin.refused(admin.tournaments.CreateTournament, creation(**changes))
    assert found.code == INVALID
    assert found.detail.subject.startswith(field)
    assert found.message.startswith(field)
    assert allowed in " ".join(found.detail.allowed)
    assert await store.tournaments.list() == []


async def test_too_few_bots(admin: Api) -> None:
    await register(admin, *FOUR)
    for entries in ([], BASE[:3]):
        found = await admin.refused(admin.tournaments.CreateTournament, creation(entries=entries))
        assert found.code == PRECONDITION
        assert found.detail.reason == errors_pb2.ERROR_REASON_TOO_FEW_BOTS
        assert found.detail.allowed == ["at least 4 bots"]


async def test_unknown_bots_are_all_named(admin: Api) -> None:
    await register(admin, *FOUR[:2])
    found = await admin.refused(admin.tournaments.CreateTournament, creation())
    assert found.code == grpc.StatusCode.NOT_FOUND
    assert found.detail.reason == errors_pb2.ERROR_REASON_NOT_FOUND
    assert found.detail.value == "bots/cleo, bots/dora"


async def test_repeated_boards_need_trusted_bots(admin: Api) -> None:
    await register(admin, *FOUR[:2])
    await register(admin, *FOUR[2:], house=True)
    found = await admin.refused(admin.tournaments.CreateTournament, creation(duplicate=True))
    assert found.code == PRECONDITION
    assert found.detail.reason == errors_pb2.ERROR_REASON_REPEATS_NOT_TRUSTED
    assert "anna, bert" in found.message
    assert "cleo" not in found.message
    assert "trust_repeats" in found.detail.hint
    trusted = await create(admin, duplicate=True, trust_repeats=True)
    assert trusted.matches_planned == 8
    assert trusted.spec.trust_repeats


async def test_house_bots_may_repeat_boards(admin: Api) -> None:
    await register(admin, *FOUR, house=True)
    assert (await create(admin, duplicate=True)).matches_planned == 8


async def test_fs01_a_secret_is_shown_only_at_the_end(admin: Api, store: Store) -> None:
    await register(admin, *FOUR)
    secret = "0123456789ABCDEF" * 4
    made = await create(admin, secret=secret)
    assert not made.rated
    assert made.spec.unrated
    assert made.commitment == sha256(bytes.fromhex(secret)).hexdigest()
    drawn = await create(admin, "two")
    for name in (made.name, drawn.name):
        seen = await get(admin, name)
        assert (seen.spec.secret, seen.revealed_secret) == ("", "")
    listed = await admin(
        admin.tournaments.ListTournaments, tournaments_pb2.ListTournamentsRequest()
    )
    assert secret.lower().encode() not in listed.SerializeToString()
    while await play(store):
        pass
    for name in (made.name, drawn.name):
        await advance(store, name.split("/")[1])
    assert (await get(admin, made.name)).revealed_secret == secret.lower()
    over = await get(admin, drawn.name)
    assert over.state == FINISHED
    assert sha256(bytes.fromhex(over.revealed_secret)).hexdigest() == drawn.commitment


async def test_standings_from_the_results_so_far(admin: Api, store: Store) -> None:
    await register(admin, *FOUR, house=True)
    made = await create(admin, duplicate=True, boards=3)
    request = tournaments_pb2.GetStandingsRequest(name=made.name)
    empty = await admin(admin.tournaments.GetStandings, request)
    assert [(line.place, line.deals) for line in empty.standings] == [(1, 0)] * 4

    await play(store, limit=5)  # one block of four, and one match of the next
    some = await admin(admin.tournaments.GetStandings, request)
    assert {line.deals for line in some.standings} == {4}
    assert {line.boards for line in some.standings} == {1}
    assert not any(line.HasField("standard_error") for line in some.standings)

    await play(store)
    assert (await advance(store, made.name.split("/")[1])).outcome == Advance.FINISHED
    full = await admin(admin.tournaments.GetStandings, request)
    assert full.tournament.state == FINISHED
    assert {line.deals for line in full.standings} == {12}
    assert sum(line.points_per_deal for line in full.standings) == pytest.approx(26, abs=1e-3)
    figures = [line.points_per_deal for line in full.standings]
    assert figures == sorted(figures)
    assert full.standings[0].bot.startswith("bots/")
    again = await admin(admin.tournaments.GetStandings, request)
    assert again == full


async def test_watch_sends_each_change_and_ends(admin: Api, store: Store) -> None:
    await register(admin, *FOUR)
    made = await create(admin, boards=1)
    call = admin.tournaments.WatchTournament(
        tournaments_pb2.WatchTournamentRequest(name=made.name),
        timeout=TIMEOUT,
        metadata=(("authorization", f"Bearer {admin.token}"),),
    )
    states = []
    async for update in call:
        states.append((update.tournament.state, update.tournament.matches_done))
        if states[-1] == (RUNNING, 0):
            await play(store)
        elif states[-1] == (RUNNING, 1):
            await advance(store, made.name.split("/")[1])
    assert states[0] == (RUNNING, 0)
    assert states[-1] == (FINISHED, 1)


async def test_watch_of_an_unknown_tournament(admin: Api) -> None:
    call = admin.tournaments.WatchTournament(
        tournaments_pb2.WatchTournamentRequest(name="tournaments/none"),
        timeout=TIMEOUT,
        metadata=(("authorization", f"Bearer {admin.token}"),),
    )
    assert (await refused(call)).code == grpc.StatusCode.NOT_FOUND


async def test_cancel(admin: Api, store: Store) -> None:
    await register(admin, *FOUR)
    made = await create(admin)
    request = tournaments_pb2.CancelTournamentRequest(name=made.name, reason="rain")
    for _ in range(2):
        ended = await admin(admin.tournaments.CancelTournament, request)
        assert (ended.tournament.state, ended.tournament.reason) == (CANCELLED, "rain")
    assert await store.matches.ready_count() == 0
    assert (await advance(store, made.name.split("/")[1])).outcome == Advance.OVER


async def test_a_finished_tournament_cannot_be_cancelled(admin: Api, store: Store) -> None:
    await register(admin, *FOUR)
    made = await create(admin)
    await play(store)
    await advance(store, made.name.split("/")[1])
    request = tournaments_pb2.CancelTournamentRequest(name=made.name)
    found = await admin.refused(admin.tournaments.CancelTournament, request)
    assert found.code == PRECONDITION
    assert found.detail.reason == errors_pb2.ERROR_REASON_WRONG_STATE


async def test_unknown_names(admin: Api) -> None:
    for method, request in [
        (admin.tournaments.GetTournament, tournaments_pb2.GetTournamentRequest),
        (admin.tournaments.GetStandings, tournaments_pb2.GetStandingsRequest),
        (admin.tournaments.CancelTournament, tournaments_pb2.CancelTournamentRequest),
    ]:
        found = await admin.refused(method, request(name="tournaments/none"))
        assert found.code == grpc.StatusCode.NOT_FOUND
        assert found.detail.subject == "tournaments/none"
        for bad in ("", "none", "bots/anna", "tournaments/", "tournaments/A\x1b"):
            assert (await admin.refused(method, request(name=bad))).code == INVALID


async def test_pages_newest_first(admin: Api) -> None:
    await register(admin, *FOUR)
    names = [(await create(admin, f"r{number}")).name for number in range(3)]
    first = await admin(
        admin.tournaments.ListTournaments, tournaments_pb2.ListTournamentsRequest(page_size=2)
    )
    assert [t.name for t in first.tournaments] == [names[2], names[1]]
    request = tournaments_pb2.ListTournamentsRequest(page_token=first.next_page_token)
    rest = await admin(admin.tournaments.ListTournaments, request)
    assert [t.name for t in rest.tournaments] == [names[0]]
    assert not rest.next_page_token


async def test_sp09_advancing_at_once_makes_each_match_once(admin: Api, store: Store) -> None:
    await register(admin, *FOUR)
    made = await create(admin, boards=30)
    name = made.name.split("/")[1]
    outcomes = await asyncio.gather(*(advance(store, name) for _ in range(5)))
    assert {result.outcome for result in outcomes} == {Advance.WAITING}
    assert (await get(admin, made.name)).matches_planned == 30
