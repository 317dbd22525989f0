"""PlayService: bots' streams go to the hub."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from arbiter.connections import service
from arbiter.connections.hub import Hub
from arbiter.services.auth import caller
from hearts.v1 import play_pb2

if TYPE_CHECKING:
    import grpc.aio


def add_to(server: grpc.aio.Server, hub: Hub) -> None:
    """Serve each stream as the bot that its token names, until it ends."""

    async def play(frames: AsyncIterator[play_pb2.PlayRequest], context: service.Context) -> None:
        await hub.serve(caller().subject, frames, context)

    service.add_to(server, play)
