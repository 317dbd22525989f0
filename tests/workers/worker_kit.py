"""A stand-in for an arbiter, tournaments for it, and real Celery processes."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc.aio
from celery import Celery

from arbiter.settings import Settings, broker_beside
from arbiter.store import Commit, Store, TournamentRow
from hearts import wire
from hearts.limits import DEFAULT_LIMITS
from hearts.rules import preset
from hearts.v1 import arbiter_pb2, arbiter_pb2_grpc, matches_pb2, tournaments_pb2
from workers.dial import Dialer
from workers.loop import Context
from workers.pace import Pace

ROOT = Path(__file__).parents[2]
TOKEN = "hrt_token-of-the-worker"


def spec(boards: int, entries: str = "anna bert cleo dora", **fields: Any) -> bytes:
    """A stored TournamentSpec: one deal a match, one match a board for each table."""
    message = tournaments_pb2.TournamentSpec(
        title="A cup",
        format=tournaments_pb2.FORMAT_ROUND_ROBIN,
        rules=wire.rules_to_wire(preset("standard")),
        deals=1,
        boards=boards,
        clock=wire.limits_to_wire(DEFAULT_LIMITS),
        entries=[f"bots/{entry}" for entry in entries.split()],
        seed=7,
        **fields,
    )
    return message.SerializeToString()


async def create(store: Store, boards: int, id: str = "cup", **fields: Any) -> str:
    """A new, rated tournament, not yet planned."""
    await store.tournaments.create(TournamentRow(id, spec(boards, **fields), b"secret", True))
    return id


def result(match: str, seats: tuple[str, ...]) -> bytes:
    """A result that depends on nothing but the match."""
    board = int(match.split("-")[-2])
    points = [(board + 7 * seat) % 26 for seat in range(len(seats))]
    message = matches_pb2.MatchResult(
        end=2,
        seats=[
            matches_pb2.SeatResult(bot=f"bots/{bot}", points=point, place_times_two=2)
            for bot, point in zip(seats, points, strict=True)
        ],
        deals=[matches_pb2.DealPoints(points=points)],
    )
    return message.SerializeToString(deterministic=True)


@dataclass
class FakeArbiter(arbiter_pb2_grpc.ArbiterServiceServicer):
    """Commits a result for each match after ``delay`` seconds. ``behaviour``: see PlayBatch."""

    store: Store
    delay: float = 0.0
    behaviour: str = "play"
    address: str = ""
    batches: list[tuple[str, list[str]]] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)
    commits: list[Commit] = field(default_factory=list)
    given_up: int = 0

    async def PlayBatch(self, request: Any, context: Any) -> AsyncIterator[Any]:  # noqa: N802
        matches = [one.match.removeprefix("matches/") for one in request.assignments]
        self.batches.append((request.worker, matches))
        self.tokens |= {value for key, value in context.invocation_metadata() if key[0] == "a"}
        left = {match: one.lease for match, one in zip(matches, request.assignments, strict=True)}
        if self.behaviour == "abort":
            await context.abort(grpc.StatusCode.INTERNAL, "fault")
        if self.behaviour == "sleep":
            await asyncio.sleep(600)
        try:
            for match, lease in list(left.items()):
                outcome, reason = await self._play(match, lease)
                del left[match]
                yield arbiter_pb2.PlayBatchResponse(
                    match=f"matches/{match}", outcome=outcome, reason=reason, deals=1
                )
        finally:
            self.given_up += len(left)
            for match, lease in left.items():
                await self.store.matches.release(match, lease)

    async def _play(self, match: str, lease: str) -> tuple[int, str]:
        if self.behaviour == "drain":
            await self.store.matches.release(match, lease)
            return arbiter_pb2.ATTEMPT_OUTCOME_RELEASED, "the arbiter is shutting down"
        if self.behaviour == "fail":
            await self.store.matches.fail(match, lease, "fault", retry_ms=0)
            return arbiter_pb2.ATTEMPT_OUTCOME_FAILED_INFRA, "fault"
        await asyncio.sleep(self.delay)
        (row,) = await self.store.matches.load([match])
        commit = await self.store.matches.commit(
            match, lease, result(match, row.plan.seats), b"record", 1, "standard-4"
        )
        self.commits.append(commit)
        stale = commit is Commit.STALE
        return arbiter_pb2.ATTEMPT_OUTCOME_STALE if stale else 1, ""


@asynccontextmanager
async def serving(arbiter: FakeArbiter, id: str = "north") -> AsyncIterator[FakeArbiter]:
    """The arbiter on a port of its own, announced."""
    server = grpc.aio.server()
    arbiter_pb2_grpc.add_ArbiterServiceServicer_to_server(arbiter, server)
    arbiter.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    await server.start()
    await arbiter.store.arbiters.announce(id, arbiter.address, 0, 600)
    try:
        yield arbiter
    finally:
        await server.stop(0)


@asynccontextmanager
async def working(url: str, **settings: Any) -> AsyncIterator[Context]:
    """What a worker's process has, in this one."""
    known = Settings(redis_url=url, worker_token=TOKEN, **settings)
    context = Context(known, Dialer(TOKEN), Pace(known.batch_matches))
    try:
        yield context
    finally:
        await context.close()


def client(url: str) -> Celery:
    """A sender of messages to the workers of this store."""
    app = Celery(broker=broker_beside(url))
    app.conf.task_default_queue = "hearts"
    return app


@dataclass
class Process:
    """A Celery process of ours; its log goes to a file."""

    popen: subprocess.Popen[bytes]
    log: Path

    def said(self) -> str:
        return self.log.read_text()

    def listed(self) -> str:
        """As the process list shows it to everybody."""
        return Path(f"/proc/{self.popen.pid}/cmdline").read_text()

    def children(self) -> list[int]:
        listed = Path(f"/proc/{self.popen.pid}/task/{self.popen.pid}/children").read_text()
        return [int(pid) for pid in listed.split()]

    def kill(self) -> None:
        """kill -9, the children too: as when the machine goes away."""
        for pid in [*self.children(), self.popen.pid]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.popen.wait()

    def stop(self) -> float:
        """SIGTERM; returns how long it took to end."""
        start = time.monotonic()
        self.popen.terminate()
        self.popen.wait(20)
        return time.monotonic() - start


@contextmanager
def celery(url: str, folder: Path, *arguments: str, **env: str) -> Iterator[Process]:
    """``celery -A workers.app ARGUMENTS`` for this store."""
    log = folder / f"{arguments[0]}-{time.monotonic_ns()}.log"
    environment = {
        **os.environ,
        "HEARTS_REDIS_URL": url,
        "HEARTS_WORKER_TOKEN": TOKEN,
        "HEARTS_BATCH_MATCHES": "8",
        "PYTHONPATH": str(ROOT),
        **env,
    }
    with log.open("wb") as file:
        popen = subprocess.Popen(
            [sys.executable, "-m", "celery", "-A", "workers.app", *arguments, "--loglevel=INFO"],
            stdout=file,
            stderr=subprocess.STDOUT,
            env=environment,
            cwd=folder,
        )
    process = Process(popen, log)
    try:
        yield process
    finally:
        if popen.poll() is None:
            process.kill() if arguments[0] == "worker" else popen.kill()
            popen.wait()


def worker(url: str, folder: Path, processes: int = 1, **env: str) -> Any:
    """A worker of so many child processes."""
    name = f"--hostname=w{time.monotonic_ns()}@test"
    return celery(url, folder, "worker", f"--concurrency={processes}", name, **env)


async def until(holds: Callable[[], Any], within: float = 60.0) -> None:
    """Wait for a condition (a plain or an async function)."""
    deadline = time.monotonic() + within
    while True:
        answer = holds()
        if asyncio.iscoroutine(answer):
            answer = await answer
        if answer:
            return
        assert time.monotonic() < deadline, f"not within {within} s"
        await asyncio.sleep(0.05)


def written(folder: Path) -> set[str]:
    """What is in a folder: "worker" and "beat" for their logs."""
    return {path.name.split("-")[0] for path in folder.iterdir()}
