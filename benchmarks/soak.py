"""``make soak``: full load for ten minutes, and memory that stays flat.

A whole arbiter over a real store, four bots on the SDK, a driver that claims matches and asks for
them as workers do. The resident memory of the arbiter and of each bot is sampled twice a second.
After a warm-up (caches fill, pools grow) a line is fitted through the samples; a process whose line
rises by more than BOUND_MIB for each minute, and NOISE_MIB in all, fails the run. So does a match
that is not committed, or a decision that the referee had to take for these bots, which never fail.
Linux only: memory is read from /proc.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

import grpc.aio

from arbiter.matches import payloads
from arbiter.store import Role, Store, TournamentRow
from arbiter.tournaments.matchplan import MatchPlan, match_id
from hearts.limits import Limits
from hearts.rules import preset
from hearts.v1 import arbiter_pb2, arbiter_pb2_grpc, tournaments_pb2
from hearts.wire import limits_to_wire, rules_to_wire
from workers import redis_server

BOUND_MIB = 1.0
"""Growth that is taken for flat, in each minute."""
NOISE_MIB = 4.0
"""What allocators do by themselves in a run of any length."""
WARM_UP_SECONDS = 90.0
"""Not judged; of a run shorter than twice that, its first half."""
SAMPLE_SECONDS = 0.5
BOTS = ("b0", "b1", "b2", "b3")
DEALS = 4
WAVE = 500
"""Matches planned at once; more are planned before they run out."""
FEEDERS = 4
LIMITS = Limits(decision_ms=30_000)


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line through samples: MiB at the beginning, MiB a minute, minutes."""

    start: float
    slope: float
    minutes: float

    def flat(self, noise: float = NOISE_MIB) -> bool:
        """Whether the rise is within the bound; `noise` in MiB."""
        return self.slope * self.minutes <= BOUND_MIB * self.minutes + noise


def fit(samples: Sequence[tuple[float, float]]) -> Line:
    """Least squares through (seconds, MiB), two samples or more, the warm-up left out."""
    begun, ended = samples[0][0], samples[-1][0]
    warm = begun + min(WARM_UP_SECONDS, (ended - begun) / 2)
    judged = [sample for sample in samples if sample[0] >= warm]
    middle = sum(at for at, _ in judged) / len(judged)
    mean = sum(size for _, size in judged) / len(judged)
    spread = sum((at - middle) ** 2 for at, _ in judged)
    slope = sum((at - middle) * (size - mean) for at, size in judged) / spread
    first = judged[0][0]
    return Line(mean + slope * (first - middle), slope * 60, (ended - first) / 60)


def resident_mib(pid: int) -> float:
    """Resident memory of a process. Raises FileNotFoundError when it has ended."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise FileNotFoundError(f"process {pid} has ended")


@dataclass(slots=True)
class Soak:
    """A run: what was sampled and what was played."""

    tables: int
    noise: float = NOISE_MIB
    samples: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    outcomes: dict[int, int] = field(default_factory=dict)
    tournaments: list[str] = field(default_factory=list)
    matches: int = 0
    fallbacks: int = 0

    def report(self, seconds: float) -> bool:
        """Print it; whether all is well."""
        plays = self.matches * DEALS * 52
        print(
            f"soak: {seconds:.0f} s, {self.tables} tables, {self.matches} matches, "
            f"{plays / seconds:,.0f} plays/s, {self.fallbacks} fallbacks"
        )
        well = self.matches > 0 and self.fallbacks == 0
        for outcome, count in sorted(self.outcomes.items()):
            if outcome != arbiter_pb2.ATTEMPT_OUTCOME_COMMITTED:
                print(f"{count} attempts ended as {arbiter_pb2.AttemptOutcome.Name(outcome)}")
                well = False
        for name, samples in self.samples.items():
            line = fit(samples)
            flat = line.flat(self.noise)
            well = well and flat
            print(
                f"{name:8} {line.start:7.1f} MiB after the warm-up, {line.slope:+6.2f} MiB/min "
                f"over {line.minutes:.1f} min: {'flat' if flat else 'GROWS'}"
            )
        print(f"allowed: {BOUND_MIB} MiB/min and {self.noise} MiB in all")
        return well


@contextmanager
def process(log: Path, *command: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """A Python process that writes its log to a file, killed at the end. Should this block fail,
    the end of the log is shown."""
    with log.open("w") as file:
        started = subprocess.Popen(
            [sys.executable, *command],
            env=os.environ | environment,
            stdout=subprocess.PIPE,
            stderr=file,
            text=True,
        )
    try:
        yield started
    except Exception:
        print(f"---- {log.name}", *log.read_text().splitlines()[-20:], sep="\n", file=sys.stderr)
        raise
    finally:
        started.kill()
        started.communicate()


@asynccontextmanager
async def platform(
    folder: Path, tables: int
) -> AsyncIterator[tuple[Store, str, dict[str, subprocess.Popen[str]]]]:
    """Store, arbiter and bots; the arbiter's address and all processes to look at."""
    with redis_server.start(folder) as redis, ExitStack() as stack:
        store = await Store.open(redis.url)
        try:
            arbiter = stack.enter_context(
                process(
                    folder / "arbiter.log",
                    *("-m", "arbiter"),
                    HEARTS_REDIS_URL=redis.url,
                    HEARTS_LISTEN="127.0.0.1:0",
                    HEARTS_ARBITER_ID="soak",
                )
            )
            assert arbiter.stdout is not None
            said = await asyncio.to_thread(arbiter.stdout.readline)
            if not said:
                raise RuntimeError("the arbiter did not start")
            address = said.split()[-1]
            running = {"arbiter": arbiter}
            for name in BOTS:
                await store.bots.create(name, False, "", name)
                token = await store.tokens.create(Role.BOT, name)
                running[name] = stack.enter_context(
                    process(
                        folder / f"{name}.log",
                        *("-m", "benchmarks.first_legal", name, str(tables)),
                        HEARTS_SERVER=address,
                        HEARTS_TOKEN=token,
                    )
                )
            yield store, address, running
        finally:
            await store.close()


async def all_here(store: Store) -> None:
    """Wait until every bot is connected. Raises TimeoutError after a minute."""
    async with asyncio.timeout(60):
        while True:
            if len(await store.bots.online()) >= len(BOTS):
                return
            await asyncio.sleep(0.1)


async def plan_more(store: Store, soak: Soak) -> None:
    """A further tournament whose matches are ready to be claimed."""
    name = f"soak-{len(soak.tournaments)}"
    spec = tournaments_pb2.TournamentSpec(
        title=name,
        format=tournaments_pb2.FORMAT_ROUND_ROBIN,
        rules=rules_to_wire(preset("standard")),
        deals=DEALS,
        boards=WAVE,
        clock=limits_to_wire(LIMITS),
        entries=[f"bots/{bot}" for bot in BOTS],
    )
    secret = len(soak.tournaments).to_bytes(32, "big")
    await store.tournaments.create(TournamentRow(name, spec.SerializeToString(), secret, False))
    soak.tournaments.append(name)
    plans = [
        MatchPlan(match_id(name, 1, 1, 1, board, 0), name, 1, 1, 1, board, 0, BOTS)
        for board in range(WAVE)
    ]
    await store.matches.add_wave(name, 1, plans)


async def feed(store: Store, channel: grpc.aio.Channel, token: str, soak: Soak) -> None:
    """Claim and ask for matches, one batch after the other, until cancelled."""
    stub = arbiter_pb2_grpc.ArbiterServiceStub(channel)
    while True:
        claims = await store.matches.claim(max(1, soak.tables // 2), 60_000)
        if not claims:
            await asyncio.sleep(0.1)
            continue
        assignments = [
            arbiter_pb2.Assignment(match=f"matches/{claim.match}", lease=claim.lease)
            for claim in claims
        ]
        request = arbiter_pb2.PlayBatchRequest(worker="soak", assignments=assignments)
        metadata = (("authorization", f"Bearer {token}"),)
        async for ended in stub.PlayBatch(request, metadata=metadata):
            soak.outcomes[ended.outcome] = soak.outcomes.get(ended.outcome, 0) + 1
            soak.matches += ended.outcome == arbiter_pb2.ATTEMPT_OUTCOME_COMMITTED


async def sample(
    running: dict[str, subprocess.Popen[str]], soak: Soak, store: Store, seconds: float
) -> None:
    """Look at every process until the time is over. Raises RuntimeError when one has ended."""
    until = monotonic() + seconds
    while (now := monotonic()) < until:
        for name, one in running.items():
            try:
                size = resident_mib(one.pid)
            except FileNotFoundError:
                raise RuntimeError(f"{name} has ended in the middle of the run") from None
            soak.samples.setdefault(name, []).append((now, size))
        if await store.matches.ready_count() < 4 * soak.tables:
            await plan_more(store, soak)
        await asyncio.sleep(SAMPLE_SECONDS)


async def count_fallbacks(store: Store, soak: Soak) -> None:
    """Decisions that the referee took, in all results."""
    for name in soak.tournaments:
        for row in await store.matches.load(await store.matches.ids(name)):
            if row.result is not None:
                result = payloads.read_result(row.result)
                soak.fallbacks += sum(seat.fallbacks for seat in result.seats)


async def run(seconds: float, tables: int, noise: float = NOISE_MIB) -> bool:
    """The whole run; whether memory stayed flat and nothing failed."""
    soak = Soak(tables, noise)
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        async with platform(Path(folder), tables) as (store, address, running):
            token = await store.tokens.create(Role.WORKER)
            await plan_more(store, soak)
            await all_here(store)
            async with grpc.aio.insecure_channel(address) as channel:
                feeding = [
                    asyncio.create_task(feed(store, channel, token, soak)) for _ in range(FEEDERS)
                ]
                began = monotonic()
                try:
                    await sample(running, soak, store, seconds)
                finally:
                    lasted = monotonic() - began
                    for task in feeding:
                        task.cancel()
                    ended = await asyncio.gather(*feeding, return_exceptions=True)
            for fault in ended:
                if isinstance(fault, Exception):
                    raise fault
            await count_fallbacks(store, soak)
    return soak.report(lasted)


def main(arguments: list[str] | None = None) -> int:
    """Exit code 0 when all is well, 1 when not."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600, help="length of the run (600)")
    parser.add_argument("--tables", type=int, default=256, help="tables at once (256)")
    parser.add_argument(
        "--noise", type=float, default=NOISE_MIB, help="MiB that a short run may grow by anyway"
    )
    options = parser.parse_args(arguments)
    return 0 if asyncio.run(run(options.seconds, options.tables, options.noise)) else 1


if __name__ == "__main__":
    sys.exit(main())
