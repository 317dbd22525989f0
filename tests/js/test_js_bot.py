"""Any language: a bot of plain JavaScript, written from proto/ and docs/protocol.md alone."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc.aio
import pytest

from arbiter.server import Arbiter
from arbiter.settings import Settings
from arbiter.store import Role, Store
from client_sdk import play_async
from client_sdk.bots import HOUSE
from hearts.rules import preset
from hearts.v1 import (
    arbiter_pb2,
    arbiter_pb2_grpc,
    bots_pb2,
    bots_pb2_grpc,
    matches_pb2,
    matches_pb2_grpc,
    tournaments_pb2,
    tournaments_pb2_grpc,
)
from hearts.wire import rules_to_wire

HERE = Path(__file__).parent
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


@pytest.fixture
async def arbiter(store: Store) -> AsyncIterator[Arbiter]:
    """A real arbiter on a free port."""
    arbiter = Arbiter(store, Settings(listen="127.0.0.1:0", arbiter_id="test"))
    await arbiter.start()
    yield arbiter
    await arbiter.stop(grace_s=0)


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


async def test_it_plays_a_tournament_without_a_fault(
    node: str, arbiter: Arbiter, store: Store
) -> None:
    """Two boards of four deals in four rotations, against three house bots."""
    house = {name: HOUSE["duck"][0]() for name in ("duck-1", "duck-2", "duck-3")}
    admin, worker = [await store.tokens.create(role) for role in (Role.ADMIN, Role.WORKER)]
    async with grpc.aio.insecure_channel(arbiter.address) as channel:
        await _register(channel, admin, ["javier", *house])
        spec = tournaments_pb2.TournamentSpec(
            title="Any language",
            format=tournaments_pb2.FORMAT_ROUND_ROBIN,
            rules=rules_to_wire(preset("standard")),
            deals=4,
            boards=2,
            duplicate=True,
            entries=[f"bots/{name}" for name in ("javier", *house)],
        )
        await tournaments_pb2_grpc.TournamentsServiceStub(channel).CreateTournament(
            tournaments_pb2.CreateTournamentRequest(spec=spec, request_id="one"),
            metadata=_bearer(admin),
            timeout=10,
        )
        tasks = []
        for name, house_bot in house.items():
            house_bot.name = name
            token = await store.tokens.create(Role.BOT, name)
            tasks.append(asyncio.create_task(play_async(house_bot, arbiter.address, token)))
        with bot(node, arbiter.address, await store.tokens.create(Role.BOT, "javier")):
            outcomes = await _play(channel, worker, store)
            sdk = arbiter.hub.online()["javier"].sdk
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert [o.outcome for o in outcomes] == [arbiter_pb2.ATTEMPT_OUTCOME_COMMITTED] * 8
        matches = matches_pb2_grpc.MatchesServiceStub(channel)
        for outcome in outcomes:
            wanted = matches_pb2.GetMatchRequest(name=outcome.match)
            got = await matches.GetMatch(wanted, metadata=_bearer(admin), timeout=10)
            [seat] = [s for s in got.match.result.seats if s.bot == "bots/javier"]
            assert (seat.timeouts, seat.illegal, seat.malformed, seat.fallbacks) == (0, 0, 0, 0)
            assert seat.decisions >= 52
    assert sdk == "hearts-js-example 1"


async def test_it_does_not_try_again_what_is_final(node: str, arbiter: Arbiter) -> None:
    with bot(node, arbiter.address, "hrt_unknown") as process:
        assert await asyncio.to_thread(process.wait, 20) == 1
        assert process.stderr is not None
        assert "UNAUTHENTICATED" in process.stderr.read()


def _bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),)


async def _register(channel: grpc.aio.Channel, admin: str, names: list[str]) -> None:
    stub = bots_pb2_grpc.BotsServiceStub(channel)
    for name in names:
        # All count as the platform's own, so that boards may be repeated.
        request = bots_pb2.CreateBotRequest(
            bot=bots_pb2.Bot(name=f"bots/{name}", house=True), request_id=name
        )
        await stub.CreateBot(request, metadata=_bearer(admin), timeout=10)


async def _play(
    channel: grpc.aio.Channel, worker: str, store: Store
) -> list[arbiter_pb2.PlayBatchResponse]:
    claims = await store.matches.claim(100, 60_000)
    request = arbiter_pb2.PlayBatchRequest(
        worker="test",
        assignments=[
            arbiter_pb2.Assignment(match=f"matches/{claim.match}", lease=claim.lease)
            for claim in claims
        ],
    )
    call = arbiter_pb2_grpc.ArbiterServiceStub(channel).PlayBatch(
        request, metadata=_bearer(worker), timeout=60
    )
    return [outcome async for outcome in call]
