"""Runs the hostile bots in the sandbox that rated bots run in."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.hosting.hosting_kit import able_host, settings
from workers.hosting.box import Box
from workers.hosting.endings import Ending
from workers.hosting.host import Host
from workers.hosting.jail import Job
from workers.hosting.limits import MIB, Limits

BOTS = Path(__file__).parent / "bots"
SMALL = Limits(memory=64 * MIB, processes=16, disk=4 * MIB, file=4 * MIB)
"""Small enough that a bomb does no harm even where a wall has a hole."""


@dataclass
class Cage:
    """A machine that can host, and a folder for what is hosted."""

    host: Host
    folder: Path

    def job(self, bot: str, *arguments: str, limits: Limits = SMALL, build: bool = False) -> Job:
        """One of the hostile bots, in a folder of its own."""
        files = self.folder / bot
        if not files.exists():
            files.mkdir()
            files.chmod(0o755)
            shutil.copyfile(BOTS / f"{bot}.py", files / "bot.py")
        return Job(("python", "-I", "-S", "bot.py", *arguments), files, limits, build=build)

    async def ran(self, bot: str, *arguments: str, limits: Limits = SMALL) -> tuple[str, Ending]:
        """What it wrote and how it ended, by itself."""
        box = await Box.start(self.host, self.job(bot, *arguments, limits=limits))
        try:
            ending = await box.wait()
        finally:
            await box.stop()
        return box.output.text(), ending

    @asynccontextmanager
    async def running(
        self, bot: str, *arguments: str, limits: Limits = SMALL
    ) -> AsyncIterator[Box]:
        """While it runs."""
        box = await Box.start(self.host, self.job(bot, *arguments, limits=limits))
        try:
            yield box
        finally:
            await box.stop()


def cage(folder: Path) -> Cage:
    """Skips the test where no sandbox works."""
    return Cage(able_host(settings("redis://127.0.0.1:1", folder)), folder)


def got(text: str) -> list[str]:
    """What an attempt says it got."""
    return [line for line in text.splitlines() if line.startswith("GOT")]


def commands() -> dict[int, str]:
    """Every process of this machine, with its command line."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
            found[int(entry.name)] = words
    return found
