"""What one arbiter referees with four bots in Python, against a bare echo in the same run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from statistics import median

from benchmarks import echo, idle
from benchmarks.figures import Figure, Goal, On

BOTS = ("b0", "b1", "b2", "b3")
TABLES = 256
MANY = (1_000, 10_000)
START_SECONDS = 120
WARM_UP_SECONDS = 2
SECONDS = 6
SINGLE = (16, 1)
BATCHED = (4, 32)
ALONE = (1, 1)


@dataclass(frozen=True, slots=True)
class Load:
    """What the arbiter's host told: plays a second, resident bytes at the end, and the median
    seconds from one turn of a table to the next."""

    plays: float
    resident: int
    turn: float


@contextmanager
def _process(
    *arguments: str, environment: dict[str, str] | None = None
) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | (environment or {}),
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()


def load(tables: int, seconds: float = SECONDS) -> Load:
    """What one arbiter process does at `tables` tables with four bots, once every table plays."""
    with ExitStack() as stack:
        host = stack.enter_context(_process("benchmarks.arbiter_host", str(tables)))
        assert host.stdout is not None
        server = {"HEARTS_SERVER": f"127.0.0.1:{host.stdout.readline().strip()}"}
        for bot in BOTS:
            stack.enter_context(_process("benchmarks.first_legal", bot, environment=server))
        for _ in range(START_SECONDS):
            # By then every table has had its first deal.
            if json.loads(host.stdout.readline())["plays"] >= 52 * tables:
                break
        else:
            raise RuntimeError(f"{tables} tables have not finished a deal in {START_SECONDS} s")
        for _ in range(WARM_UP_SECONDS):
            before = json.loads(host.stdout.readline())
        begun = time.perf_counter()
        turns = []
        while (taken := time.perf_counter() - begun) < seconds:
            after = json.loads(host.stdout.readline())
            turns.append(after["turn_us"])
        return Load((after["plays"] - before["plays"]) / taken, after["bytes"], median(turns) / 1e6)


def _plays(tables: int, plays: float, reference: float, name: str, at_least: float) -> Figure:
    """Plays a second against a reference of that name."""
    return Figure(
        name=f"refereed plays, {tables:,} tables, {len(BOTS)} bots",
        value=plays,
        unit="plays/s",
        reference=reference,
        reference_name=name,
        goal=Goal(On.RATIO, at_least=at_least),
    )


def run() -> list[Figure]:
    """The figures of `make bench ONLY=arbiter`."""
    # On a shared machine the references are taken on both sides of the value.
    references = (SINGLE, BATCHED, ALONE)
    before = [echo.measure(streams, batch) for streams, batch in references]
    one, base = load(1), load(TABLES)
    after = [echo.measure(streams, batch) for streams, batch in references]
    many = {tables: load(tables) for tables in MANY}
    usual = (base.plays + load(TABLES).plays) / 2
    single, batched, _ = (max(x[0], y[0]) for x, y in zip(before, after, strict=True))
    alone = min(before[2][1], after[2][1])
    most = max(MANY)
    memory = (many[most].resident - base.resident) / (most - TABLES)
    return [
        _plays(TABLES, base.plays, single, "gRPC echo, one decision a message, 16 streams", 6),
        _plays(TABLES, base.plays, batched, "gRPC echo in frames of 32", 0.4),
        Figure(
            name="one table alone, median turn",
            value=one.turn * 1e6,
            unit="µs",
            reference=alone * 1e6,
            reference_name="gRPC echo, one stream, round trip",
            goal=Goal(On.RATIO, at_most=1.25),
        ),
        *(
            _plays(tables, measured.plays, usual, f"{TABLES} tables", 0.9)
            for tables, measured in many.items()
        ),
        Figure(
            name=f"memory for each table more than {TABLES}",
            value=memory / 1e3,
            unit="kB",
            goal=Goal(On.VALUE, at_most=20),
        ),
        Figure(
            name=f"{idle.BOTS} idle bots: a health and a list call, the slowest of {idle.CALLS}",
            value=idle.slowest(),
            unit="s",
            goal=Goal(On.VALUE, at_most=1),
        ),
    ]
