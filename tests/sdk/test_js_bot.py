"""Any language: tests/js/bot.js, written from proto/ and docs/protocol.md alone."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from real_arbiter import platform

from arbiter.store import Store
from client_sdk import play_async
from client_sdk.bots import HOUSE
from hearts.v1 import arbiter_pb2

HERE = Path(__file__).parents[1] / "js"
INSTALL_SECONDS = 100


@pytest.fixture(scope="session")
def node() -> str:
    """Path of node, with the bot's modules installed beside it. Skips where that cannot be."""
    found, npm = shutil.which("node"), shutil.which("npm")
    if found is None or npm is None:
        _missing("node and npm are not installed")
    lock, installed = HERE / "package-lock.json", HERE / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        try:
            done = subprocess.run(
                [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
                cwd=HERE,
                capture_output=True,
                text=True,
                timeout=INSTALL_SECONDS,
            )
        except subprocess.TimeoutExpired:
            _missing("npm ci did not end")
        if done.returncode:
            _missing(f"npm ci failed: {done.stderr[-500:]}")
    assert found is not None
    return found


def _missing(reason: str) -> None:
    if os.environ.get("HEARTS_REQUIRE_ALL") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@contextmanager
def bot(node: str, address: str, token: str) -> Iterator[subprocess.Popen[str]]:
    """The JavaScript bot as a process."""
    process = subprocess.Popen(
        [node, str(HERE / "bot.js")],
        env={
            "PATH": os.environ["PATH"],
            "HEARTS_SERVER": address,
            "HEARTS_BOT": "javier",
            "HEARTS_TOKEN": token,
        },
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


async def test_it_plays_a_tournament_without_a_fault(node: str, store: Store) -> None:
    """Two boards of four deals in four rotations, against three house bots."""
    house = {name: HOUSE["duck"].make() for name in ("duck-1", "duck-2", "duck-3")}
    async with platform(store) as there:
        await there.tournament("javier", *house, deals=4, boards=2, duplicate=True)
        tasks = []
        for name, house_bot in house.items():
            house_bot.name = name
            token = await there.token(name)
            tasks.append(asyncio.create_task(play_async(house_bot, there.address, token)))
        with bot(node, there.address, await there.token("javier")):
            outcomes = await there.play()
            sdk = there.arbiter.hub.online()["javier"].sdk
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert [o.outcome for o in outcomes] == [arbiter_pb2.ATTEMPT_OUTCOME_COMMITTED] * 8
        for outcome in outcomes:
            seat = await there.seat(outcome.match, "javier")
            assert (seat.timeouts, seat.illegal, seat.malformed, seat.fallbacks) == (0, 0, 0, 0)
            assert seat.decisions >= 52
    assert sdk == "hearts-js-example 1"


async def test_it_comes_back_to_a_restarted_arbiter(node: str, store: Store) -> None:
    async with platform(store) as there:
        address = there.address
        process = bot(node, address, await there.token("javier"))
        with process:
            await there.online("javier")
            await there.arbiter.stop(grace_s=0)
            async with platform(store, address) as again:
                await again.online("javier")


async def test_it_does_not_try_again_what_is_final(node: str, store: Store) -> None:
    async with platform(store) as there:
        with bot(node, there.address, "hrt_unknown") as process:
            assert await asyncio.to_thread(process.wait, 20) == 1
            assert process.stderr is not None
            assert "UNAUTHENTICATED" in process.stderr.read()
