"""PlayService on a server: requests are read into messages, answers go out as they are: bytes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any

import grpc.aio

from hearts.v1 import play_pb2

if TYPE_CHECKING:
    Context = grpc.aio.ServicerContext[play_pb2.PlayRequest, bytes]
    Behaviour = Callable[[AsyncIterator[play_pb2.PlayRequest], Context], Awaitable[None]]

SERVICE = play_pb2.DESCRIPTOR.services_by_name["PlayService"]


def add_to(server: grpc.aio.Server, play: Behaviour) -> None:
    """Let the server answer PlayService.Play with `play`, which serves one stream to its end."""
    method: Any = grpc.stream_stream_rpc_method_handler(
        play, request_deserializer=play_pb2.PlayRequest.FromString, response_serializer=None
    )
    (name,) = SERVICE.methods_by_name
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(SERVICE.full_name, {name: method}),)
    )
