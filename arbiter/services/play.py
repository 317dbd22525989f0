"""PlayService: bots' streams go to the hub."""

from __future__ import annotations

from collections.abc import AsyncIterator

import grpc.aio

from arbiter.connections.hub import Hub
from arbiter.services.auth import caller
from hearts.v1 import play_pb2, play_pb2_grpc


class Play(play_pb2_grpc.PlayServiceServicer):
    """One stream for each bot process."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    async def Play(  # noqa: N802 - the name in the proto
        self,
        request_iterator: AsyncIterator[play_pb2.PlayRequest],
        context: grpc.aio.ServicerContext[play_pb2.PlayRequest, play_pb2.PlayResponse],
    ) -> None:
        """Serve the bot that the token names until its stream ends."""
        await self._hub.serve(caller().subject, request_iterator, context)
