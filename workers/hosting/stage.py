"""What one worker process has for hosting, made when it is first needed."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from arbiter.blobs import Blobs
from arbiter.settings import Settings
from arbiter.store import ArbiterRow, Store
from workers.dial import Tls
from workers.hosting import host as hosts
from workers.hosting.cache import Cache
from workers.hosting.crew import Crew, crewed
from workers.hosting.host import Host
from workers.hosting.limits import Limits
from workers.hosting.relay import Relay

_LOOKED: dict[tuple[bool, int, str], Host] = {}
"""By the settings that matter. A machine does not change under a process."""


@dataclass(slots=True)
class Stage:
    """Belongs to the process and its event loop."""

    settings: Settings
    tls: Tls
    _host: Host | None = field(default=None)
    _cache: Cache | None = field(default=None)

    async def host(self) -> Host:
        """What this machine can do; looked at once in a process."""
        if self._host is None:
            known = self.settings
            key = (known.unsandboxed, known.hosted_first_uid, known.hosted_cgroup)
            if key not in _LOOKED:
                _LOOKED[key] = await asyncio.to_thread(hosts.look, known)
            self._host = _LOOKED[key]
        return self._host

    async def cache(self) -> Cache:
        """Versions on this machine."""
        if self._cache is None:
            settings = self.settings
            self._cache = Cache(
                settings.data_dir / "hosted",
                Blobs.open(settings.blobs_url),
                await self.host(),
                Limits.of(settings),
                settings.hosted_build_seconds,
            )
        return self._cache

    @property
    def at_once(self) -> int:
        """Matches with hosted bots that may be played at once: one bot thinks in each, but for the
        pass."""
        return self.settings.hosted_matches or os.cpu_count() or 1

    @contextlib.asynccontextmanager
    async def crew(
        self, store: Store, arbiter: ArbiterRow, bots: Sequence[str]
    ) -> AsyncIterator[Crew]:
        """These bots, running, each with a way to this arbiter and nowhere else."""
        async with self._way(arbiter) as run:
            crew = Crew(await self.host(), store, await self.cache(), Limits.of(self.settings), run)
            async with crewed(crew, bots):
                yield crew

    @contextlib.asynccontextmanager
    async def _way(self, arbiter: ArbiterRow) -> AsyncIterator[Path]:
        """The folder with the socket: the arbiter's own where it is on this machine."""
        path = Path(arbiter.socket) if arbiter.socket else None
        if path is not None and path.is_socket() and os.access(path, os.R_OK | os.W_OK):
            yield path.parent
            return
        relay = Relay(arbiter.address, self.tls)
        await relay.start()
        try:
            yield relay.folder
        finally:
            await relay.stop()
