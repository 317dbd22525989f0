"""Blows from a seeded plan: who is hit, how, and after how long."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

# What can be hit, and with what. "bot" stands for one of the bots that dial in.
KINDS = (
    ("kill", "worker"),
    ("kill", "beat"),
    ("kill", "arbiter"),
    ("kill", "bot"),
    ("kill", "redis"),
    ("stop", "worker"),
    ("stop", "arbiter"),
    ("stop", "redis"),
    ("stop", "beat"),
    ("stop", "bot"),
)
PAUSE_S = (0.2, 2.0)


@dataclass(frozen=True, slots=True)
class Blow:
    """``how``: "kill" is SIGKILL to a process and its children, "stop" SIGSTOP for longer than a
    lease. ``choice`` in [0, 1) picks one of several of its kind."""

    how: str
    whom: str
    choice: float
    pause_s: float


def plan(seed: int, count: int) -> list[Blow]:
    """The same seed, the same blows. Every kind comes once before any comes twice."""
    random = Random(seed)
    blows: list[Blow] = []
    while len(blows) < count:
        kinds = list(KINDS)
        random.shuffle(kinds)
        blows += [Blow(*kind, random.random(), random.uniform(*PAUSE_S)) for kind in kinds]
    return blows[:count]


@dataclass(slots=True)
class Striker:
    """Carries a plan out. ``pids``: name -> process, now; ``bots``: names of those that dial in."""

    blows: list[Blow]
    pids: Callable[[], dict[str, int]]
    bots: tuple[str, ...]
    stop_s: float
    begun: float = field(default_factory=time.monotonic)
    struck: list[str] = field(default_factory=list)

    async def strike(self, over: asyncio.Event) -> None:
        """All blows, or as many as fit in before the end."""
        for blow in self.blows:
            await asyncio.sleep(blow.pause_s)
            if over.is_set():
                return
            name, pid = await self._target(blow)
            at = time.monotonic() - self.begun
            self.struck.append(f"{at:6.1f} s  {blow.how} {name}")
            if blow.how == "kill":
                os.killpg(pid, signal.SIGKILL)
            else:
                os.killpg(pid, signal.SIGSTOP)
                try:
                    await asyncio.sleep(self.stop_s)
                finally:
                    os.killpg(pid, signal.SIGCONT)

    async def _target(self, blow: Blow) -> tuple[str, int]:
        while True:
            found = sorted(name for name in self.pids() if self._kind(name) == blow.whom)
            if found:
                name = found[int(blow.choice * len(found))]
                return name, self.pids()[name]
            await asyncio.sleep(0.1)  # it is being started again

    def _kind(self, name: str) -> str:
        return "bot" if name in self.bots else name.split("-")[0]
