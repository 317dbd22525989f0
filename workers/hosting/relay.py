"""A Unix socket in front of an arbiter that is elsewhere: bytes in, bytes out."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import tempfile
from pathlib import Path

from workers.dial import Tls
from workers.hosting.jail import SOCKET

CHUNK = 1 << 16
CONNECT_S = 5.0
MOST = 64
"""Connections at once; a bot needs one."""


class Relay:
    """Serves in a folder of its own. What is not read on one side is not read on the other."""

    def __init__(self, address: str, tls: Tls) -> None:
        self._address = address
        self._tls = tls
        self._folder = tempfile.TemporaryDirectory(prefix="hearts-")
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()

    @property
    def folder(self) -> Path:
        """Where its socket is, and nothing else."""
        return Path(self._folder.name)

    async def start(self) -> None:
        """Begin. Raises OSError."""
        path = self.folder / SOCKET
        self._server = await asyncio.start_unix_server(self._serve, path, limit=CHUNK)
        path.chmod(0o666)
        self.folder.chmod(0o755)

    async def stop(self) -> None:
        """End it and all connections."""
        if self._server is not None:
            self._server.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        self._folder.cleanup()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None or len(self._connections) >= MOST:
            writer.close()
            return
        self._connections.add(task)
        try:
            with contextlib.suppress(OSError, TimeoutError):
                await self._carry(reader, writer)
        finally:
            self._connections.discard(task)
            writer.close()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(CONNECT_S):
            far_reader, far_writer = await self._connect()
        try:
            # The first side to end ends both: HTTP/2 has no half of a connection.
            ways = [_pump(reader, far_writer), _pump(far_reader, writer)]
            tasks = [asyncio.ensure_future(way) for way in ways]
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            far_writer.close()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        encrypted = self._address.startswith("https://")
        host, _, port = self._address.removeprefix("https://").rpartition(":")
        host = host.strip("[]")
        context = _context(self._tls) if encrypted else None
        return await asyncio.open_connection(host, int(port), limit=CHUNK, ssl=context)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(CHUNK):
        writer.write(data)
        await writer.drain()


def _context(tls: Tls) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=tls.ca)
    # As gRPC does: from 3.13 on Python alone wants more of a certificate than others do.
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    if tls.cert is not None:
        context.load_cert_chain(tls.cert, tls.key)
    context.set_alpn_protocols(["h2"])
    return context
