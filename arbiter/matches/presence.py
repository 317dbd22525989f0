"""Tells the store which bots are connected here."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING

from arbiter.store import StoreRefused, StoreUnavailable

if TYPE_CHECKING:
    from arbiter.connections.hub import Hub
    from arbiter.store import Store

log = logging.getLogger(__name__)

REPEAT_SECONDS = 5.0


class Presence:
    """Writes who came and who left at once, and repeats who is here before that runs out."""

    def __init__(self, hub: Hub, store: Store, arbiter_id: str) -> None:
        self._hub = hub
        self._store = store
        self._arbiter_id = arbiter_id
        self._changed = asyncio.Event()
        self._written: set[str] = set()
        self._task: asyncio.Task[None] | None = None
        hub.on_presence = self._changed.set

    def start(self) -> None:
        """Begin on the current event loop."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name="presence")

    async def stop(self) -> None:
        """End the task. What is written runs out by itself."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    async def _run(self) -> None:
        while True:
            self._changed.clear()
            try:
                await self._write()
            except (StoreUnavailable, StoreRefused) as trouble:
                log.debug("store: %s", trouble)  # the runner's trouble says so, once a minute
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(REPEAT_SECONDS):
                    await self._changed.wait()

    async def _write(self) -> None:
        online = self._hub.online()
        for bot in self._written - online.keys():
            await self._store.bots.set_offline(bot, self._arbiter_id)
        for bot, info in online.items():
            await self._store.bots.set_online(bot, self._arbiter_id, info.sdk, 3 * REPEAT_SECONDS)
        self._written = set(online)
