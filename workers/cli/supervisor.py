"""A small supervisor: starts groups of services in order, restarts, stops in reverse order.

docs/dependencies.md says why none of the libraries for this is used.
"""

from __future__ import annotations

import asyncio
import random
import signal
import subprocess
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from workers.cli import child

# How often an end of a process is looked for, and a service asked whether it is ready.
POLL_S = 0.05
LOGS_EVERY_S = 10.0
FIRST_DELAY_S = 0.5
LONGEST_DELAY_S = 10.0
# A service that ran so long starts again at once and with the first delay.
SETTLED_S = 30.0

Event = Callable[[str], None]


class ServiceFailed(Exception):
    """A service ended, or was not ready in time, while the whole was being started."""

    def __init__(self, name: str, reason: str, code: int | None, log: Path) -> None:
        self.name = name
        self.code = code
        self.log = log
        self.said = child.last_lines(log)
        super().__init__(f"{name} {reason}")


@dataclass(frozen=True, slots=True)
class Service:
    """What to run, how to know that it is ready, how long it may take (seconds).

    ``start`` starts a new process or raises ServiceFailed. ``ready`` is asked until it says yes;
    None: ready at once.
    """

    name: str
    start: Callable[[], subprocess.Popen[bytes]]
    log: Path
    ready: Callable[[], Awaitable[bool]] | None = None
    ready_s: float = 20.0
    stop_s: float = 5.0


@dataclass(slots=True)
class _Running:
    service: Service
    process: subprocess.Popen[bytes]
    started: float
    failures: int = 0
    restart: asyncio.Task[None] | None = None
    kept: bool = False


class Supervisor:
    """Runs services; ``say`` gets a line for each thing that a person should know.

    Call everything from the main thread's event loop.
    """

    def __init__(self, say: Event) -> None:
        self._say = say
        self._groups: list[list[_Running]] = []
        self._watch: asyncio.Task[None] | None = None

    async def add(self, *services: Service) -> None:
        """Starts a group of services and waits until all are ready; from then on they are kept so.

        Raises:
            ServiceFailed: one ended, or was not ready in time. stop() then stops what runs.
        """
        group: list[_Running] = []
        self._groups.append(group)
        for service in services:
            group.append(_Running(service, service.start(), time.monotonic()))
        for running in group:
            await self._until_ready(running)
        for running in group:
            running.kept = True
        if self._watch is None:
            self._watch = asyncio.create_task(self._watch_all())

    def _all(self) -> list[_Running]:
        return [running for group in self._groups for running in group]

    def pids(self) -> dict[str, int]:
        """Name → process id of what runs now."""
        return {r.service.name: r.process.pid for r in self._all() if r.process.poll() is None}

    async def restart(self, name: str, why: str) -> None:
        """Stops a service that hangs; the watch then starts it again."""
        for running in self._all():
            if running.service.name == name and running.restart is None:
                self._say(f"{name}: restarting it: {why}")
                await _end(running)

    async def stop(self) -> None:
        """Stops everything: the last group first, those of one group together. Can be repeated."""
        watch, self._watch = self._watch, None
        if watch:
            watch.cancel()
            await asyncio.gather(watch, return_exceptions=True)
        while self._groups:
            await asyncio.gather(*(self._stop(running) for running in self._groups[-1]))
            self._groups.pop()

    async def _until_ready(self, running: _Running) -> None:
        service = running.service
        deadline = time.monotonic() + service.ready_s
        while True:
            code = running.process.poll()
            if code is not None:
                raise ServiceFailed(service.name, f"ended {_words(code)}", code, service.log)
            if service.ready is None or await service.ready():
                return
            if time.monotonic() > deadline:
                reason = f"was not ready within {service.ready_s:g} s"
                raise ServiceFailed(service.name, reason, None, service.log)
            await asyncio.sleep(POLL_S)

    async def _watch_all(self) -> None:
        logs_due = 0.0
        while True:
            if time.monotonic() >= logs_due:
                logs_due = time.monotonic() + LOGS_EVERY_S
                for running in self._all():
                    child.bound(running.service.log)
            for running in self._all():
                ended = running.process.poll() is not None
                if ended and running.kept and running.restart is None:
                    running.restart = asyncio.create_task(self._again(running))
            await asyncio.sleep(POLL_S)

    async def _again(self, running: _Running) -> None:
        """Starts an ended service again: at once if it had run long, else later and later."""
        service = running.service
        child.signal_group(running.process, signal.SIGKILL)
        while True:
            ran_s = time.monotonic() - running.started
            running.failures = 0 if ran_s > SETTLED_S else running.failures + 1
            delay_s = backoff(running.failures)
            code = running.process.poll()
            ended = "is not ready" if code is None else f"ended {_words(code)}"
            self._say(f"{service.name}: {ended}, starting again in {delay_s:.1f} s")
            await asyncio.sleep(delay_s)
            try:
                running.process = service.start()
                running.started = time.monotonic()
                await self._until_ready(running)
            except (ServiceFailed, OSError):
                await _end(running)
                continue
            running.restart = None
            self._say(f"{service.name}: runs again")
            return

    async def _stop(self, running: _Running) -> None:
        running.kept = False
        if running.restart:
            running.restart.cancel()
            await asyncio.gather(running.restart, return_exceptions=True)
        await _end(running)


async def _end(running: _Running) -> None:
    """SIGTERM, and SIGKILL for whatever is left of the group after the service's patience."""
    process = running.process
    if process.poll() is not None:
        return  # its group went when its end was noticed; by now the number may be another's
    process.send_signal(signal.SIGTERM)
    await _gone(process, within_s=running.service.stop_s)
    child.signal_group(process, signal.SIGKILL)
    await _gone(process)


async def _gone(process: subprocess.Popen[bytes], within_s: float = float("inf")) -> None:
    """Waits for the end of a process, or until the time is over."""
    deadline = time.monotonic() + within_s
    while process.poll() is None and time.monotonic() < deadline:  # noqa: ASYNC110 - no event tells
        await asyncio.sleep(POLL_S)


def backoff(failures: int, jitter: Callable[[], float] = random.random) -> float:
    """Seconds to wait before the next start: doubled with each failure, capped, ± 20 %."""
    if failures == 0:
        return 0.0
    delay_s: float = min(FIRST_DELAY_S * 2 ** (failures - 1), LONGEST_DELAY_S)
    return delay_s * (0.8 + 0.4 * jitter())


def _words(code: int) -> str:
    if code >= 0:
        return f"with exit code {code}"
    return f"by {signal.Signals(-code).name}"
