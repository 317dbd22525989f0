"""A new version plays a real match against house bots before it plays anybody else."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest
from hosting_kit import Platform, able_host, nobody, platform, player, settings

from arbiter.store import Role, Store, Version, VersionKind, VersionState
from client_sdk.bots import HOUSE
from client_sdk.endpoint import Options, serving
from workers import batches, schedule
from workers.hosting.qualify import qualify


async def _qualified(here: Platform, name: str) -> Version:
    async def play() -> None:
        await batches.play_batch(here.context, nobody)

    async def plan(tournament: str) -> None:
        await schedule.advance(here.context, tournament)

    assert await qualify(here.store, here.context.stage, play, plan) == name
    version = await here.store.versions.get(name)
    assert version is not None
    return version


async def test_a_version_that_plays_well_becomes_active(
    store: Store, redis_url: str, tmp_path: Path
) -> None:
    known = settings(redis_url, tmp_path)
    able_host(known)
    async with platform(store, known) as here:
        anna = await here.submit("anna", player())
        version = await _qualified(here, anna)
        assert (version.state, version.reason) == (VersionState.ACTIVE, "")
        [row] = await store.tournaments.list()
        assert (row.rated, row.done, row.deals_done) == (False, 1, 4)


@pytest.mark.parametrize(
    ("bot", "reason", "log"),
    [
        (
            player("print('no luck', file=sys.stderr); sys.exit(3)"),
            "NO_SHOW in its qualifying match",
            "no luck\n-- exit code 3",
        ),
        (
            "import time; time.sleep(60)",
            "NO_SHOW in its qualifying match: it never connected",
            "",
        ),
        (
            player("bot.play = lambda turn: turn.legal[0] if turn.trick else os.abort()"),
            "CRASH in its qualifying match: its process ended",
            "SIGABRT",
        ),
    ],
    ids=["dies before Hello", "never connects", "dies while it plays"],
)
async def test_a_version_that_fails_is_rejected_with_reason_and_log(
    store: Store, redis_url: str, tmp_path: Path, bot: str, reason: str, log: str
) -> None:
    """LR02: even a death before the first message leaves exit code and standard error."""
    known = settings(redis_url, tmp_path, hosted_start_seconds=3)
    able_host(known)
    async with platform(store, known) as here:
        anna = await here.submit("anna", bot)
        version = await _qualified(here, anna)
        assert version.state is VersionState.REJECTED, await here.logs(anna)
        assert reason in version.reason
        assert log in await here.logs(anna)


async def test_an_endpoint_qualifies_by_the_same_match(
    store: Store, redis_url: str, tmp_path: Path
) -> None:
    """Versions that the platform does not host are dialled, or dial in, and play it too."""
    known = settings(redis_url, tmp_path, allow_private_endpoints=True)
    able_host(known)
    bot = HOUSE["duck"].make()
    bot.name = "anna"
    async with platform(store, known) as here:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            place = f"127.0.0.1:{probe.getsockname()[1]}"
        wanted = Version("anna", 0, VersionKind.ENDPOINT, owner="olga", endpoint=place)
        made, _ = await store.versions.create(wanted)
        token = await store.tokens.create(Role.BOT, made.name)
        async with serving(bot, Options(place, token)):
            version = await _qualified(here, made.name)
        assert (version.state, version.reason) == (VersionState.ACTIVE, "")


async def test_a_worker_that_is_told_to_stop_is_no_mark_against_a_version(
    store: Store, redis_url: str, tmp_path: Path
) -> None:
    known = settings(redis_url, tmp_path)
    able_host(known)
    async with platform(store, known) as here:
        anna = await here.submit("anna", player())

        async def never(*_: object) -> None:
            await asyncio.sleep(600)

        for _ in range(4):
            work = asyncio.create_task(qualify(store, here.context.stage, never, never))
            while await _pending(store, anna):  # noqa: ASYNC110 - no event tells
                await asyncio.sleep(0.01)
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
        row = await store.versions.get(anna)
        assert row is not None
        assert (row.state, row.reason) == (VersionState.PENDING, "its worker stopped")


async def _pending(store: Store, name: str) -> bool:
    row = await store.versions.get(name)
    return row is not None and row.state is VersionState.PENDING
