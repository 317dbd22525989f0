"""Dry runs, entries, pauses, rounds, what a tournament waits for; and every example to its end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import grpc
import pytest
from services_kit import FOUR, Api, creation, play, register, spec

from arbiter.matches.advance import Advance, advance
from arbiter.store import Store
from client_sdk.cli import tournament_file
from hearts.v1 import errors_pb2, tournaments_pb2

PRECONDITION = grpc.StatusCode.FAILED_PRECONDITION
EXAMPLES = sorted((Path(__file__).parents[2] / "examples" / "tournaments").glob("*.toml"))
SIX = (*FOUR, "emil", "fred")
Format = tournaments_pb2.Format


def bots(*names: str) -> list[str]:
    return [f"bots/{name}" for name in names]


async def create(admin: Api, **changes: Any) -> Any:
    return (await admin(admin.tournaments.CreateTournament, creation(**changes))).tournament


async def act(api: Api, verb: str, name: str, **fields: Any) -> Any:
    request = getattr(tournaments_pb2, f"{verb}Request")(name=name, **fields)
    return await api(getattr(api.tournaments, verb), request)


async def refusal(api: Api, verb: str, name: str, **fields: Any) -> Any:
    request = getattr(tournaments_pb2, f"{verb}Request")(name=name, **fields)
    return await api.refused(getattr(api.tournaments, verb), request)


async def finish(store: Store, name: str, most: int = 200) -> str:
    """Play with made-up results until it is over; returns why it ended."""
    tournament = name.removeprefix("tournaments/")
    for _ in range(most):
        result = await advance(store, tournament)
        if result.outcome in (Advance.FINISHED, Advance.OVER):
            row = await store.tournaments.get(tournament)
            assert row is not None
            return row.reason
        await play(store, limit=5000)
    raise AssertionError("no end")


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
async def test_an_example_file_runs_to_its_end(admin: Api, store: Store, file: Path) -> None:
    """UX08: every format, from its file to its standings."""
    found = tournament_file.load(file)
    waits = found.start.entries
    found.ClearField("start")
    names = [entry.removeprefix("bots/") for entry in found.entries] or list(FOUR)
    names += [name for name in FOUR if waits and name not in names]
    found.entries[:] = bots(*names)
    await register(admin, *names)
    planned = await admin(
        admin.tournaments.PlanTournament, tournaments_pb2.PlanTournamentRequest(spec=found)
    )
    assert planned.first_round.tables
    request = tournaments_pb2.CreateTournamentRequest(spec=found, request_id="one")
    made = (await admin(admin.tournaments.CreateTournament, request)).tournament
    await finish(store, made.name)
    done = (await act(admin, "GetTournament", made.name)).tournament
    assert done.state == tournaments_pb2.TOURNAMENT_STATE_FINISHED
    assert done.matches_done == done.matches_planned
    if planned.exact:
        assert (planned.matches, planned.rounds) == (done.matches_planned, done.waves)
    table = await act(admin, "GetStandings", made.name)
    assert {row.bot for row in table.standings} == set(bots(*names))
    rounds = (await act(admin, "ListRounds", made.name)).rounds
    assert len(rounds) == done.waves


async def test_a_dry_run_writes_nothing(admin: Api, store: Store) -> None:
    await register(admin, "anna")
    request = tournaments_pb2.PlanTournamentRequest(
        spec=spec(entries=bots(*FOUR, "emil"), deals=3, format=Format.FORMAT_SWISS)
    )
    reply = await admin(admin.tournaments.PlanTournament, request)
    assert (reply.rounds, reply.matches, reply.deals, reply.exact) == (3, 6, 18, True)
    assert len(reply.first_round.sit_outs) == 1
    assert set(reply.unknown) == set(bots("bert", "cleo", "dora", "emil"))
    assert await store.tournaments.list() == []
    wrong = tournaments_pb2.PlanTournamentRequest(spec=spec(boards=0))
    refused = await admin.refused(admin.tournaments.PlanTournament, wrong)
    assert refused.detail.subject == "spec.boards"


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "option of another format": ({"winners": 2, "format": Format.FORMAT_SWISS}, "winners"),
    "no challenger": ({"format": Format.FORMAT_GAUNTLET}, "challenger"),
    "a stranger": ({"format": Format.FORMAT_GAUNTLET, "challenger": "bots/zoe"}, "challenger"),
    "too many winners": ({"format": Format.FORMAT_KNOCKOUT, "winners": 4}, "winners"),
    "nobody goes on": ({"format": Format.FORMAT_SWISS, "advance": 4}, "advance"),
    "no format": ({"rounds": 4}, "format"),
    "versus of four": ({"format": Format.FORMAT_VERSUS, "challenger": "bots/anna"}, ""),
}


@pytest.mark.parametrize("name", WRONG)
async def test_a_stage_that_cannot_be_is_refused(admin: Api, store: Store, name: str) -> None:
    """UX01: the field is named, nothing is written."""
    await register(admin, *FOUR)
    stage, field = WRONG[name]
    request = creation(format=None, stages=[tournaments_pb2.Stage(**stage)])
    refused = await admin.refused(admin.tournaments.CreateTournament, request)
    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.detail.subject == (f"spec.stages[0].{field}" if field else "spec.entries")
    assert await store.tournaments.list() == []


async def test_it_starts_when_enough_bots_have_entered(admin: Api) -> None:
    await register(admin, *FOUR)
    made = await create(admin, entries=bots("bert"), start={"entries": 4})
    assert made.state == tournaments_pb2.TOURNAMENT_STATE_SCHEDULED
    assert made.matches_planned == 0
    waits = await act(admin, "ExplainTournament", made.name)
    assert waits.waits_for == "bots to enter: 1 of 4 have"
    assert (await act(admin, "EnterTournament", made.name, bot="bots/anna")).entered
    assert not (await act(admin, "EnterTournament", made.name, bot="bots/anna")).entered
    await act(admin, "EnterTournament", made.name, bot="bots/cleo")
    last = await act(admin, "EnterTournament", made.name, bot="bots/dora")
    assert last.tournament.state == tournaments_pb2.TOURNAMENT_STATE_RUNNING
    assert last.tournament.matches_planned == 2
    assert list(last.tournament.entries) == bots(*FOUR)


async def test_an_owner_speaks_only_for_its_own_bots(admin: Api, kim: Api, store: Store) -> None:
    await register(admin, *FOUR)
    await store.bots.create("kims-bot", False, "", "", owner="kim")
    made = await create(admin, start={"entries": 9})
    for verb in ("EnterTournament", "WithdrawFromTournament"):
        refused = await refusal(kim, verb, made.name, bot="bots/bert")
        assert refused.code is grpc.StatusCode.PERMISSION_DENIED
        assert refused.message == "bots/bert is not yours"
    assert (await act(kim, "EnterTournament", made.name, bot="bots/kims-bot")).entered
    assert (await act(kim, "WithdrawFromTournament", made.name, bot="bots/kims-bot")).withdrawn


async def test_entries_that_are_refused(admin: Api, store: Store) -> None:
    await register(admin, *FOUR, "emil")
    made = await create(admin)
    refused = await refusal(admin, "EnterTournament", made.name, bot="bots/emil")
    assert refused.code is PRECONDITION
    assert "has begun and takes no entries any more" in refused.message
    refused = await refusal(admin, "EnterTournament", made.name, bot="bots/nobody")
    assert refused.code is grpc.StatusCode.NOT_FOUND
    await finish(store, made.name)
    for verb in ("EnterTournament", "WithdrawFromTournament"):
        refused = await refusal(admin, verb, made.name, bot="bots/emil")
        assert refused.code is PRECONDITION
        assert "is over" in refused.message
    for verb in ("PauseTournament", "ResumeTournament"):
        assert (await refusal(admin, verb, made.name)).code is PRECONDITION


async def test_repeats_need_trust_also_of_who_enters_later(admin: Api) -> None:
    await register(admin, *FOUR, house=True)
    await register(admin, "emil")
    made = await create(admin, duplicate=True, start={"entries": 5})
    refused = await refusal(admin, "EnterTournament", made.name, bot="bots/emil")
    assert refused.detail.reason == errors_pb2.ERROR_REASON_REPEATS_NOT_TRUSTED


async def test_sp08_who_withdraws_is_not_paired_again(admin: Api, store: Store) -> None:
    await register(admin, *SIX)
    made = await create(admin, entries=bots(*SIX), format=Format.FORMAT_SWISS, boards=4)
    await play(store, limit=1)
    seats = (await store.matches.list(made.name.removeprefix("tournaments/")))[0].plan.seats
    gone = seats[0]
    reply = await act(admin, "WithdrawFromTournament", made.name, bot=f"bots/{gone}")
    assert reply.withdrawn
    assert reply.matches_dropped == 3
    reason = await finish(store, made.name)
    assert reason == "3 matches were given up because a bot had withdrawn"
    done = (await act(admin, "GetTournament", made.name)).tournament
    assert (done.matches_failed, done.matches_dropped) == (3, 3)
    rounds = (await act(admin, "ListRounds", made.name)).rounds
    later = {bot for item in rounds[1:] for table in item.tables for bot in table.bots}
    assert f"bots/{gone}" not in later
    table = await act(admin, "GetStandings", made.name)
    assert len(table.standings) == 6
    again = await refusal(admin, "EnterTournament", made.name, bot=f"bots/{gone}")
    assert again.code is PRECONDITION


async def test_sp08_too_few_left_ends_it_and_says_so(admin: Api, store: Store) -> None:
    await register(admin, *FOUR)
    made = await create(admin, format=Format.FORMAT_SWISS)
    await play(store)
    await act(admin, "WithdrawFromTournament", made.name, bot="bots/dora")
    done = (await act(admin, "GetTournament", made.name)).tournament
    assert done.state == tournaments_pb2.TOURNAMENT_STATE_FINISHED
    assert done.reason == "too few bots: 3 bots are left, and a table needs 4"


async def test_pause_and_resume(admin: Api, store: Store) -> None:
    await register(admin, *FOUR)
    made = await create(admin)
    paused = (await act(admin, "PauseTournament", made.name)).tournament
    assert paused.state == tournaments_pb2.TOURNAMENT_STATE_PAUSED
    assert not paused.revealed_secret
    assert await play(store) == []
    waits = await act(admin, "ExplainTournament", made.name)
    assert waits.waits_for == "paused: it goes on when it is resumed"
    await act(admin, "PauseTournament", made.name)
    resumed = (await act(admin, "ResumeTournament", made.name)).tournament
    assert resumed.state == tournaments_pb2.TOURNAMENT_STATE_RUNNING
    assert len(await play(store)) == 2


async def test_ux07_what_blocks_the_next_round(admin: Api, store: Store) -> None:
    """UX09: state, position, age, last attempt; and who is not connected."""
    await register(admin, *FOUR)
    made = await create(admin, boards=3)
    [held] = await store.matches.claim(1, 60_000)
    reply = await act(admin, "ExplainTournament", made.name)
    assert reply.waits_for == "3 of 3 matches planned so far"
    assert (len(reply.blockers), reply.blockers_total) == (3, 3)
    running, first, _ = reply.blockers
    assert running.match == f"matches/{held.match}"
    assert running.reason.startswith("running for 0 s, attempt 1; not connected: ")
    assert first.reason.startswith("queued for 0 s, position 1; not connected: ")
    assert not running.stuck
    await store.matches.fail(held.match, held.lease, "the arbiter fell over")
    reply = await act(admin, "ExplainTournament", made.name)
    assert any("last failure: the arbiter fell over" in b.reason for b in reply.blockers)
    await store._link.call(
        "HSET", f"hearts:tournament:{made.name.removeprefix('tournaments/')}", "wave_ms", 1
    )
    reply = await act(admin, "ExplainTournament", made.name)
    assert any(b.stuck and b.reason.startswith("STUCK: queued for") for b in reply.blockers)


async def test_a_precision_goal_says_how_far_it_is(admin: Api, store: Store) -> None:
    await register(admin, *FOUR)
    stage = tournaments_pb2.Stage(format=Format.FORMAT_ROUND_ROBIN, separate=1, max_boards=40)
    made = await create(admin, format=None, stages=[stage], boards=10)
    await play(store)
    reply = await act(admin, "ExplainTournament", made.name)
    assert "of the first 1 places are separated from the next at 95%" in reply.precision


async def test_the_places_of_a_knockout_are_those_of_its_bracket(admin: Api, store: Store) -> None:
    await register(admin, *SIX, "gwen", "hugo")
    names = bots(*SIX, "gwen", "hugo")
    made = await create(admin, entries=names, format=Format.FORMAT_KNOCKOUT, boards=4)
    await finish(store, made.name)
    rounds = (await act(admin, "ListRounds", made.name)).rounds
    assert [len(item.tables) for item in rounds] == [2, 1]
    assert all(len(table.going_on) == 2 for table in rounds[0].tables)
    assert not rounds[1].tables[0].going_on
    table = await act(admin, "GetStandings", made.name)
    order = [row.bot for row in table.standings]
    assert order[:4] == list(rounds[1].tables[0].bots)
    assert [row.place for row in table.standings] == list(range(1, 9))
