"""A Unix socket on which this arbiter serves bots' streams and nothing else: workers of the same
machine put it into the sandboxes of the bots that they host, as those bots' only way out."""

from __future__ import annotations

import logging
import shutil
import tempfile
from pathlib import Path

import grpc.aio

from arbiter.connections.hub import Hub
from arbiter.services import play
from arbiter.services.auth import Authority, Guard

log = logging.getLogger(__name__)

NAME = "play.sock"
MAX_PATH = 100
"""The kernel takes 107 bytes."""


class PlaySocket:
    """Serves in a folder of its own, which is all that a bot gets to see. `path`: where; "" while
    it does not."""

    def __init__(
        self, hub: Hub, authority: Authority, options: tuple[tuple[str, int], ...], calls: int
    ) -> None:
        self.path = ""
        self._folder: Path | None = None
        self._server = grpc.aio.server(
            interceptors=[Guard(authority)], options=options, maximum_concurrent_rpcs=calls
        )
        play.add_to(self._server, hub)

    async def start(self) -> None:
        """Begin. Where it cannot, workers reach this arbiter in the way that they do from afar."""
        try:
            self._folder = _folder()
            path = self._folder / NAME
            self._server.add_insecure_port(f"unix:{path}")
            await self._server.start()
            # Bots have users of their own, as yet unknown; a token is asked for all the same.
            path.chmod(0o666)
            self._folder.chmod(0o755)
        except (OSError, RuntimeError) as error:
            log.warning("no socket for hosted bots: %s", error)
            self._remove()
            return
        self.path = str(path)

    async def stop(self) -> None:
        """End it."""
        self.path = ""
        await self._server.stop(grace=0)
        self._remove()

    def _remove(self) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None


def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="hearts-"))
    if len(str(folder / NAME).encode()) <= MAX_PATH:
        return folder
    folder.rmdir()
    return Path(tempfile.mkdtemp(prefix="hearts-", dir="/tmp"))
