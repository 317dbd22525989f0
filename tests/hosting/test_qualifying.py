"""A new version plays a real match against house bots before it plays anybody else."""

from __future__ import annotations

from pathlib import Path

import pytest
from hosting_kit import Platform, able_host, nobody, platform, player, settings

from arbiter.store import Store, Version, VersionState
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
