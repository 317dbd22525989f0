"""Finds a worker that is alive and does nothing: matches wait and none is taken (RC03)."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

from arbiter.store import Store, StoreError
from workers.cli.supervisor import Supervisor

LOOK_EVERY_S = 2.0
PATIENCE_S = 20.0


@dataclass(slots=True)
class Stall:
    """Says when nothing has moved for too long while something waits. Times in seconds."""

    patience_s: float = PATIENCE_S
    _since: float | None = None
    _done: int = -1

    def observe(self, ready: int, running: int, done: int, now: float) -> bool:
        """True once the patience is over; the count then starts again."""
        if ready == 0 or running > 0:
            self._since = None
            return False
        if self._since is None or done != self._done:
            self._done = done
            self._since = now
            return False
        if now - self._since < self.patience_s:
            return False
        self._since = now
        return True


async def watch(store: Store, supervisor: Supervisor, names: list[str]) -> None:
    """Restarts the workers called ``names`` whenever they stall; runs until cancelled."""
    stall = Stall()
    while True:
        await asyncio.sleep(LOOK_EVERY_S)
        try:
            ready = await store.matches.ready_count()
            running, done = await _progress(store)
        except StoreError:
            continue  # Redis is away: the supervisor's business, and nobody's stall
        if stall.observe(ready, running, done, time.monotonic()):
            for name in names:
                await supervisor.restart(name, f"{ready} matches wait and none is taken")


async def _progress(store: Store) -> tuple[int, int]:
    """Matches that run and matches that are over, in all running tournaments."""
    rows = [await store.tournaments.get(id_) for id_ in await store.tournaments.running()]
    known = [row for row in rows if row]
    return sum(row.running for row in known), sum(row.done + row.failed for row in known)
