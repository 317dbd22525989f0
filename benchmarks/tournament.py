"""What Celery, Redis and commits cost: a tournament against the same matches bare on an arbiter.

The same four bots, each a process; the reference has no store and no worker. Both clocks run from
the first match to the end of the last, the tournament's from its creation to its end.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from arbiter.tournaments import wire
from benchmarks.arbiter_host import BOTS
from benchmarks.figures import Figure, Goal, On
from benchmarks.tournament_host import spec
from hearts.v1 import tournaments_pb2
from workers.cli.folder import DataFolder
from workers.cli.platform import Platform, Wanted

TABLES = "128"
WORKERS = 2
SIZES = ((500, 1, 1.15), (50, 16, 1.05))
"""Boards, deals in a match, and how much longer the tournament may take."""
ROUNDS = 2
"""Each is measured so often, in turn, and the best taken: a shared machine only ever adds."""


@contextmanager
def _process(*arguments: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | environment,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()


def bare(boards: int, deals: int) -> float:
    """Seconds for the matches on an arbiter alone."""
    with ExitStack() as stack:
        host = stack.enter_context(_process("benchmarks.tournament_host", str(boards), str(deals)))
        assert host.stdout is not None
        server = f"127.0.0.1:{host.stdout.readline().strip()}"
        for bot in BOTS:
            stack.enter_context(
                _process("benchmarks.first_legal", bot, TABLES, HEARTS_SERVER=server)
            )
        return float(host.stdout.readline())


async def tournament(boards: int, deals: int) -> float:
    """Seconds for the matches as a tournament of the whole platform."""
    with tempfile.TemporaryDirectory(prefix="hearts-bench-") as folder, ExitStack() as stack:
        data = stack.enter_context(DataFolder(Path(folder)))
        wanted = Wanted("127.0.0.1", 0, WORKERS)
        async with Platform(data, wanted, lambda _line: None) as platform, platform.client() as api:
            for bot in BOTS:
                _, token = await api.create_bot(bot, "", house=True)
                stack.enter_context(
                    _process(
                        "benchmarks.first_legal",
                        bot,
                        TABLES,
                        HEARTS_SERVER=platform.address,
                        HEARTS_TOKEN=token,
                    )
                )
            while {bot.online for bot in await api.list_bots()} != {True}:  # noqa: ASYNC110
                await asyncio.sleep(0.1)
            begun = time.perf_counter()
            made = await api.create_tournament(wire.spec_to_wire(spec(boards, deals)))
            while made.state == tournaments_pb2.TOURNAMENT_STATE_RUNNING:
                await asyncio.sleep(0.05)
                made = await api.get_tournament(made.name)
            took = time.perf_counter() - begun
            assert made.matches_done == 4 * boards, made
            stack.pop_all().close()
    return took


def run() -> list[Figure]:
    """The figures of `make bench ONLY=tournament`."""
    figures = []
    for boards, deals, most in SIZES:
        alone, whole = [], []
        for _ in range(ROUNDS):
            alone.append(bare(boards, deals))
            whole.append(asyncio.run(tournament(boards, deals)))
        figures.append(
            Figure(
                name=f"tournament of {4 * boards:,} duplicate matches, deals each: {deals}",
                value=min(whole),
                unit="s",
                reference=min(alone),
                reference_name="the same matches bare on an arbiter",
                goal=Goal(On.RATIO, at_most=most),
            )
        )
    return figures
