"""`python -m arbiter` in a process of its own."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


@asynccontextmanager
async def process(redis_url: str, **settings: str) -> AsyncIterator[Process]:
    """Started with these settings; killed at the end if it still runs."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {"redis_url": redis_url, "data_dir": folder} | settings
        async with _run(settings) as started:
            yield started


@asynccontextmanager
async def _run(settings: dict[str, str]) -> AsyncIterator[Process]:
    environment = {"PATH": os.environ["PATH"]} | {
        f"HEARTS_{name.upper()}": value for name, value in settings.items()
    }
    started = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "arbiter", env=environment, stdout=PIPE, stderr=PIPE
    )
    try:
        yield started
    finally:
        with suppress(ProcessLookupError):
            started.kill()
        await started.communicate()


async def ready(started: Process) -> str:
    """The address in the ready line."""
    assert started.stdout is not None
    line = (await asyncio.wait_for(started.stdout.readline(), 60)).decode()
    assert line.startswith("arbiter listening on 127.0.0.1:"), line
    return line.split()[-1]


async def ended(started: Process) -> tuple[int, str]:
    """Exit code and what it said on standard error."""
    _, errors = await asyncio.wait_for(started.communicate(), 60)
    assert started.returncode is not None
    return started.returncode, errors.decode()
