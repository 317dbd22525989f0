"""One event loop for each process, made when the first task asks for it.

Celery forks its children from a parent that has imported everything. A gRPC
channel or a Redis connection that crosses a fork hangs (GR05), so nothing of
the kind exists before the first task runs, and what a process made is used in
that process alone: it is kept by process id.
"""

import asyncio
import os
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

from arbiter.settings import Settings
from arbiter.store import Store
from workers import stopping
from workers.dial import Dialer, Tls
from workers.hosting.stage import Stage
from workers.pace import Pace

T = TypeVar("T")


class Stopped(Exception):
    """The worker shuts down; the work was given up and has cleaned up after itself."""


@dataclass(slots=True)
class Context:
    """What the tasks of one process share; belongs to its event loop."""

    settings: Settings
    dialer: Dialer
    pace: Pace
    _store: Store | None = field(default=None)
    _stage: Stage | None = field(default=None)

    @property
    def stage(self) -> Stage:
        """For hosting bots."""
        if self._stage is None:
            self._stage = Stage(self.settings, self.dialer.tls)
        return self._stage

    async def store(self) -> Store:
        """The store, connected at first use. Raises StoreUnavailable, StoreRefused."""
        if self._store is None:
            self._store = await Store.open(self.settings.redis_url, self.settings.namespace)
        return self._store

    async def close(self) -> None:
        """Close every connection."""
        await self.dialer.close()
        if self._store is not None:
            await self._store.close()
            self._store = None


@dataclass(slots=True)
class _Process:
    pid: int
    runner: asyncio.Runner
    context: Context


_process: _Process | None = None


def run(work: Callable[[Context], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine to its end on this process's event loop.

    Raises Stopped when the worker shuts down before the end: the coroutine is
    cancelled and its clean-up awaited.
    """
    process = _here()
    return process.runner.run(_until_stopped(work(process.context)))


def close() -> None:
    """End this process's loop and connections, if it has any."""
    global _process
    process, _process = _process, None
    if process is not None and process.pid == os.getpid():
        process.runner.run(process.context.close())
        process.runner.close()


def _here() -> _Process:
    global _process
    if _process is None or _process.pid != os.getpid():
        # A predecessor from before a fork is dropped as it is: closing its
        # connections would close them under the process that owns them.
        settings = Settings()
        tls = Tls(settings.tls_ca, settings.tls_client_cert, settings.tls_client_key)
        dialer = Dialer(settings.worker_token, tls)
        context = Context(settings, dialer, Pace(settings.batch_matches))
        _process = _Process(os.getpid(), asyncio.Runner(), context)
    return _process


async def _until_stopped(work: Coroutine[Any, Any, T]) -> T:
    if stopping.requested():
        work.close()
        raise Stopped
    task = asyncio.ensure_future(work)
    with stopping.calls(task.cancel):
        try:
            return await task
        except asyncio.CancelledError:
            if stopping.requested():
                raise Stopped from None
            raise
