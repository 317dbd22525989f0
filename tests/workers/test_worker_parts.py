"""The small parts: batch sizes, the loop of a process, how a stop is heard, settings."""

import asyncio
import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from worker_kit import create, working

from arbiter.matches.stuck import STUCK_MS
from arbiter.settings import Settings, broker_beside
from arbiter.store import ArbiterRow, Store
from workers import loop, quiet, schedule, stopping
from workers.dial import Dialer
from workers.pace import Pace


def _sizes(batch: int, fixed: float, each: float, rounds: int = 8) -> list[int]:
    """Batch sizes when a batch of n matches takes fixed + n * each seconds."""
    pace = Pace(batch)
    sizes = []
    for _ in range(rounds):
        size = pace.size("cup")
        sizes.append(size)
        pace.note("cup", size, fixed + size * each)
    return sizes


@pytest.mark.parametrize(
    ("fixed", "each", "sizes", "seconds"),
    [
        (0.0, 0.001, [8, 32, 128], (0.1, 0.2)),  # very short matches: as many as allowed
        (0.0, 0.05, [8, 32, 50], (2.4, 2.6)),
        (0.1, 0.5, [8, 5], (2.0, 3.0)),
        (0.0, 8.0, [8, 2, 1], (8.0, 8.0)),  # very long ones: singly
        (20.0, 0.01, [8, 2, 8, 32, 128], (20.0, 22.0)),  # bots that think: together
    ],
)
def test_a_batch_gets_its_size_from_how_long_matches_take(
    fixed: float, each: float, sizes: list[int], seconds: tuple[float, float]
) -> None:
    found = _sizes(32, fixed, each)
    assert found[: len(sizes)] == sizes
    assert seconds[0] <= fixed + found[-1] * each <= seconds[1]


def test_each_tournament_has_a_size_of_its_own() -> None:
    pace = Pace(32)
    pace.note("quick", 8, 0.01)
    pace.note("slow", 8, 60.0)
    pace.note("slow", 0, 1.0)
    assert pace.sizes() == {"quick": 32, "slow": 2}
    assert pace.size("new") == 8
    assert Pace(1).size("new") == 1
    for number in range(100):
        pace.note(f"cup-{number}", 8, 1.0)
    assert len(pace.sizes()) == 64
    assert "quick" not in pace.sizes()


def test_an_arbiter_in_trouble_is_left_alone_longer_each_time() -> None:
    now = 0.0
    dialer = Dialer("token", clock=lambda: now)
    north, south = ArbiterRow("n", "a:1", 0), ArbiterRow("s", "a:2", 5)
    delays = []
    for _ in range(7):
        assert dialer.choose([south, north]) == north
        delays.append(dialer.failed("a:1"))
        assert dialer.choose([south, north]) == south
        assert dialer.choose([north]) is None
        now += delays[-1]
    assert delays == [0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0]
    dialer.worked("a:1")
    assert dialer.failed("a:1") == 0.5


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A loop of this process, and a worker that can be told to stop."""
    monkeypatch.setattr(stopping, "_pipe", None)
    stopping.prepare()
    pipe = stopping._pipe
    assert pipe is not None
    yield
    loop.close()
    stopping.request()
    os.close(pipe.reader)


def test_tasks_of_a_process_share_one_loop(process: None) -> None:
    async def which(_: loop.Context) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    assert loop.run(which) is loop.run(which)


def test_a_forked_process_gets_a_loop_of_its_own(
    process: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GR05; the Celery tests do it with a real fork."""

    async def which(_: loop.Context) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    ours = loop.run(which)
    parent = loop._process
    with monkeypatch.context() as child:
        child.setattr(os, "getpid", lambda: -1)
        theirs = loop.run(which)
        loop.close()
    loop._process = parent
    assert theirs is not ours
    assert loop.run(which) is ours


def test_a_stop_cancels_what_runs_and_lets_it_clean_up(process: None) -> None:
    cleaned = []

    async def long(_: loop.Context) -> None:
        try:
            asyncio.get_running_loop().call_later(0.02, stopping.request)
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.01)
            cleaned.append(True)

    start = time.monotonic()
    for _ in range(2):  # the second does not even begin
        with pytest.raises(loop.Stopped):
            loop.run(long)
    assert cleaned == [True]
    assert time.monotonic() - start < 5


def test_settings_come_from_the_environment_and_hide_secrets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """SS08"""
    for name in list(os.environ):
        if name.startswith("HEARTS_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("REDIS_URL", "redis://:hush@elsewhere:6379/0")
    monkeypatch.setenv("HEARTS_WORKER_TOKEN", "hrt_hush")
    monkeypatch.setenv("HEARTS_LEASE_SECONDS", "2.5")
    settings = Settings()
    assert settings.redis_url == "redis://:hush@elsewhere:6379/0"
    assert settings.broker_url == "redis://:hush@elsewhere:6379/1"
    assert (settings.lease_ms, settings.worker_token) == (2500, "hrt_hush")
    assert "hush" not in repr(settings)
    monkeypatch.setenv("HEARTS_REDIS_URL", "redis://ours/1")
    monkeypatch.setenv("HEARTS_BROKER_URL", "")
    assert (Settings().redis_url, Settings().broker_url) == ("redis://ours/1", "redis://ours/0")
    assert broker_beside("unix:///run/r.sock") == "redis+socket:///run/r.sock?virtual_host=1"


def test_importing_the_tasks_makes_no_loop_channel_or_connection() -> None:
    """GR05: Celery's parent imports them and then forks."""
    code = (
        "import workers.tasks, workers.loop, threading\n"
        "assert workers.loop._process is None\n"
        "assert threading.active_count() == 1\n"
    )
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-c", code], check=True, cwd=root)


def test_a_sweep_that_goes_well_is_no_news(caplog: pytest.LogCaptureFixture) -> None:
    quiet.install()
    with caplog.at_level(logging.INFO):
        for name in quiet.LOGGERS:
            logger = logging.getLogger(name)
            logger.info("Task %(name)s[%(id)s] received", {"name": "workers.tasks.sweep", "id": 1})
            logger.info("Task %(name)s[%(id)s] received", {"name": "workers.tasks.refit", "id": 2})
            logger.error("Task %s raised", "workers.tasks.sweep")
    assert [record.levelname for record in caplog.records] == ["INFO", "ERROR"] * 3


async def test_ux09_a_match_that_is_stuck_is_told_once_in_a_while(
    store: Store, redis_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody has claimed it for longer than anything explains: an error in the worker's log."""

    async def nothing(*_: object) -> None:
        return None

    async with working(redis_url) as context:
        cup = await create(store, boards=2)
        await schedule.advance(context, cup)
        for _ in range(2):
            await schedule.sweep(context, nothing, nothing)
        assert "STUCK" not in caplog.text
        long_ago = await store.tournaments.now_ms() - STUCK_MS - 1000
        await store._link.call("HSET", f"hearts:tournament:{cup}", "wave_ms", long_ago)
        await store._link.call("DEL", f"hearts:told:{cup}:look")
        for _ in range(3):
            await schedule.sweep(context, nothing, nothing)
            await store._link.call("DEL", f"hearts:told:{cup}:look")
        told = [r for r in caplog.records if "STUCK" in r.getMessage()]
        assert [record.levelname for record in told] == ["ERROR"]
        assert "cup-01-001-000001-000000-00 has been ready for 301 s, and 1 more" in (
            told[0].getMessage()
        )
