"""Refereed plays a second: four bot processes in Python against a bare echo in the same run."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks import echo
from benchmarks.figures import Figure, Goal, On

TABLES = 64
START_SECONDS = 30
WARM_UP_SECONDS = 2
SECONDS = 6
REFERENCES = ((16, 1), (4, 32))


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


def plays_per_second(tables: int, seconds: float = SECONDS) -> float:
    """Plays a second that one arbiter process referees at `tables` tables with four bots."""
    with _process("benchmarks.arbiter_host", str(tables)) as host:
        assert host.stdout is not None
        server = {"HEARTS_SERVER": f"127.0.0.1:{host.stdout.readline().strip()}"}
        with (
            _process("benchmarks.first_legal", "b0", environment=server),
            _process("benchmarks.first_legal", "b1", environment=server),
            _process("benchmarks.first_legal", "b2", environment=server),
            _process("benchmarks.first_legal", "b3", environment=server),
        ):
            for _ in range(START_SECONDS):
                if int(host.stdout.readline()):
                    break
            else:
                raise RuntimeError(f"no deal was finished in {START_SECONDS} s")
            for _ in range(WARM_UP_SECONDS):
                before = int(host.stdout.readline())
            begun = time.perf_counter()
            while (taken := time.perf_counter() - begun) < seconds:
                after = int(host.stdout.readline())
            return (after - before) / taken


def run() -> list[Figure]:
    """The figures of `make bench ONLY=arbiter`."""
    # On a shared machine the references are taken on both sides of the value.
    before = [echo.measure(streams, batch)[0] for streams, batch in REFERENCES]
    plays = plays_per_second(TABLES)
    after = [echo.measure(streams, batch)[0] for streams, batch in REFERENCES]
    single, batched = (max(pair) for pair in zip(before, after, strict=True))
    return [
        Figure(
            name=f"refereed plays, {TABLES} tables, 4 bots",
            value=plays,
            unit="plays/s",
            reference=single,
            reference_name="gRPC echo, one decision a message, 16 streams",
            goal=Goal(On.RATIO, at_least=2.0),
        ),
        Figure(
            name=f"refereed plays, {TABLES} tables, 4 bots",
            value=plays,
            unit="plays/s",
            reference=batched,
            reference_name="gRPC echo in frames of 32",
        ),
    ]
