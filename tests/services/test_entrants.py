"""An entry plays by its bot's active version, and has its owner."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from services_kit import FOUR, Api, creation, register

from arbiter.matches.starting import start_due
from arbiter.store import MatchPlan, Store, Version, VersionKind, VersionState
from arbiter.tournaments.history import Entry
from arbiter.tournaments.names import HOUSE_BOTS
from client_sdk.bots import HOUSE
from hearts.v1 import errors_pb2, tournaments_pb2


async def version(
    store: Store, bot: str, owner: str = "", kind: VersionKind = VersionKind.BINARY
) -> str:
    """Submit a version and let it pass; its name."""
    made, _ = await store.versions.create(Version(bot, 0, kind, owner, endpoint="host:1"))
    claim = await store.versions.claim_pending(60_000)
    assert claim is not None
    assert claim.version.name == made.name
    await store.versions.set_state(made.name, VersionState.ACTIVE, lease=claim.lease)
    return made.name


async def create(admin: Api, **changes: Any) -> tournaments_pb2.Tournament:
    made = await admin(admin.tournaments.CreateTournament, creation(**changes))
    found: tournaments_pb2.Tournament = made.tournament
    return found


def bots(*names: str) -> list[str]:
    return [f"bots/{name}" for name in names]


def identifier(made: tournaments_pb2.Tournament) -> str:
    return made.name.removeprefix("tournaments/")


def test_every_house_bot_may_be_entered() -> None:
    """The arbiter does not import the SDK, so it has the names again."""
    assert set(HOUSE) <= set(HOUSE_BOTS)


async def test_the_active_version_plays_to_the_end(admin: Api, store: Store) -> None:
    await register(admin, "bert", "cleo")
    await version(store, "anna")
    await version(store, "anna")
    made = await create(
        admin, entries=bots("anna", "bert", "cleo", "house:duck"), trust_repeats=True
    )
    names = bots("anna@2", "bert", "cleo", "house:duck")
    assert sorted(made.spec.entries) == sorted(made.entries) == names
    await version(store, "anna")
    plans = await store.matches.plans(identifier(made))
    assert {seat for plan in plans for seat in plan.seats} == {n[5:] for n in names}


async def test_versions_of_one_bot_may_meet_by_their_names(admin: Api, store: Store) -> None:
    await register(admin, "bert", "cleo")
    await version(store, "anna")
    await version(store, "anna")
    made = await create(admin, entries=bots("anna@1", "anna@2", "bert", "cleo"))
    assert sorted(made.entries) == bots("anna@1", "anna@2", "bert", "cleo")
    assert made.matches_planned == 2
    twice = await admin.refused(
        admin.tournaments.CreateTournament,
        creation("two", entries=bots("anna", "anna@2", "bert", "cleo")),
    )
    assert twice.detail.reason == errors_pb2.ERROR_REASON_DUPLICATE_ENTRY


async def test_sp10_a_version_that_cannot_play_is_not_entered(admin: Api, store: Store) -> None:
    await register(admin, *FOUR[1:])
    await version(store, "anna")
    await store.versions.set_state("anna@1", VersionState.RETIRED, "too weak")
    await store.versions.create(Version("anna", 0, VersionKind.CONNECT))
    for entry, words in (
        ("anna", "bots/anna has no active version"),
        ("anna@1", "bots/anna@1 is retired: too weak"),
        ("anna@2", "bots/anna@2 is pending"),
        ("anna@3", "not registered: bots/anna@3"),
        ("house:goose", "not registered: bots/house:goose"),
    ):
        found = await admin.refused(
            admin.tournaments.CreateTournament, creation(entries=bots(entry, *FOUR[1:]))
        )
        assert words in found.message
        assert found.detail.hint


async def test_hosted_bots_are_trusted_with_repeats_and_others_not(
    admin: Api, store: Store
) -> None:
    for bot in FOUR:
        await version(store, bot)
    assert await create(admin, duplicate=True)
    await version(store, "emil", kind=VersionKind.ENDPOINT)
    found = await admin.refused(
        admin.tournaments.CreateTournament,
        creation("two", duplicate=True, entries=bots("emil", *FOUR)),
    )
    assert found.detail.reason == errors_pb2.ERROR_REASON_REPEATS_NOT_TRUSTED
    assert "emil@1" in found.message
    assert "anna" not in found.message


async def test_fs09_bots_of_one_owner_do_not_meet_where_the_field_allows(
    admin: Api, store: Store
) -> None:
    """The owner comes from the store, not from the tournament's file."""
    owners = {}
    for number in range(8):
        bot, owner = f"bot-{'abcdefgh'[number]}", ("kim", "lee", "max", "pia")[number % 4]
        await version(store, bot, owner)
        owners[f"{bot}@1"] = owner
    made = await create(
        admin,
        entries=bots(*(name.removesuffix("@1") for name in owners)),
        format=tournaments_pb2.FORMAT_SWISS,
    )
    entries = await store.tournaments.entries(identifier(made))
    assert {entry.bot: entry.owner for entry in entries} == owners
    plans: list[MatchPlan] = await store.matches.plans(identifier(made))
    assert plans
    for plan in plans:
        assert len({owners[seat] for seat in plan.seats}) == 4, plan.seats


async def test_a_bot_is_entered_once_whatever_its_version(admin: Api, store: Store) -> None:
    await register(admin, *FOUR)
    await version(store, "emil", "kim")
    made = await create(admin, start={"entries": 9})

    async def act(verb: str, bot: str) -> Any:
        method = getattr(admin.tournaments, f"{verb}Tournament")
        request = getattr(tournaments_pb2, f"{verb}TournamentRequest")
        return await admin(method, request(name=made.name, bot=f"bots/{bot}"))

    assert (await act("Enter", "emil")).entered
    await version(store, "emil", "kim")
    again = await act("Enter", "emil")
    assert not again.entered
    assert "bots/emil@1" in again.tournament.entries
    assert Entry("emil@1", "kim") in await store.tournaments.entries(identifier(made))
    assert (await act("WithdrawFrom", "emil")).withdrawn


async def test_a_schedule_plays_with_the_versions_of_the_day(admin: Api, store: Store) -> None:
    await register(admin, *FOUR[2:])
    await version(store, "anna", "kim")
    await version(store, "bert", "lee")
    start = {"cron": "0 12 * * *", "zone": "UTC"}
    made = await create(
        admin,
        entries=bots("anna", "bert", "cleo", "house:duck"),
        start=start,
        format=tournaments_pb2.FORMAT_GAUNTLET,
        stages=[
            tournaments_pb2.Stage(format=tournaments_pb2.FORMAT_GAUNTLET, challenger="bots/anna")
        ],
        duplicate=False,
    )
    assert sorted(made.entries) == bots("anna", "bert", "cleo", "house:duck")
    await version(store, "anna", "kim")
    row = await store.tournaments.get(identifier(made))
    assert row is not None
    [played] = await start_due(store, row.due_ms)
    entries = await store.tournaments.entries(played)
    assert [(e.bot, e.owner) for e in sorted(entries, key=lambda e: e.bot)] == [
        ("anna@2", "kim"),
        ("bert@1", "lee"),
        ("cleo", ""),
        ("house:duck", ""),
    ]


@pytest.mark.parametrize("bot", ["anna@0", "anna@x", "anna@1@2", "house:", "house:a@1", "anna@1~x"])
async def test_names_that_are_no_entry(admin: Api, bot: str) -> None:
    found = await admin.refused(
        admin.tournaments.CreateTournament, creation(entries=bots(bot, *FOUR))
    )
    assert found.code is grpc.StatusCode.INVALID_ARGUMENT
    assert "NAME@NUMBER" in found.detail.allowed
