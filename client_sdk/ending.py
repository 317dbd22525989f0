"""What a server ended a stream with, whatever gRPC says of it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

import grpc
import grpc.aio

from client_sdk.errors import ServerError, from_call

if TYPE_CHECKING:
    from collections.abc import Coroutine

WRITE_FAILED = "Internal error from Core"
"""gRPC's own word for a write to a stream that has ended."""
PATIENCE_S = 1.0
"""How long the server's word is waited for when gRPC's came first."""

T = TypeVar("T")


class Ending:
    """Notes the status with which the server ends a call.

    A write that meets a call which has just ended puts an error of gRPC's own in the place of the
    server's status, shortly before or after that comes through (grpc/grpc #36066). A refusal that
    is final would so look like a fault that passes, and the time to come back would be lost.
    """

    def __init__(self, call: grpc.aio.Call) -> None:
        self._status: grpc.aio.AioRpcError | None = None
        self._known = asyncio.Event()
        call.add_done_callback(self._note)

    async def of(self, error: ServerError) -> ServerError | None:
        """The error that the server meant; None when it ended the call well."""
        if error.code is not grpc.StatusCode.INTERNAL or str(error) != WRITE_FAILED:
            return error
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._known.wait()
        except TimeoutError:
            return error
        status = self._status
        return None if status is None or status.code() is grpc.StatusCode.OK else from_call(status)

    def _note(self, call: Any) -> None:
        """Called each time that the call's status is set, while it is what was set."""
        details = _at_once(call.details())
        if details != WRITE_FAILED:
            self._status = grpc.aio.AioRpcError(
                _at_once(call.code()),
                _at_once(call.initial_metadata()),
                _at_once(call.trailing_metadata()),
                details=details,
            )
            self._known.set()


def _at_once(known: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that has nothing to wait for."""
    try:
        known.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    known.close()
    raise AssertionError("a call that is done has a status")
