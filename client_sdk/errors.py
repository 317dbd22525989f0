"""What can go wrong between a bot and an arbiter, as exceptions with a clear text.

Final errors are raised to the caller of `connect`; the others are answered by connecting
again. docs/protocol.md has the same table in words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import grpc
from google.protobuf.message import DecodeError
from grpc_status import rpc_status

from hearts.v1 import errors_pb2

if TYPE_CHECKING:
    from google.rpc import status_pb2


class HeartsError(Exception):
    """Base class of everything the SDK raises on purpose."""


class ConfigError(HeartsError):
    """Something the caller must set is missing or wrong: server, token, bot name, a limit."""


class ServerUnreachable(HeartsError):
    """No arbiter answered at the address within the time given."""


class ProtocolError(HeartsError):
    """The other side broke the protocol; the connection was given up."""


class ServerError(HeartsError):
    """The arbiter ended a call with a status.

    `code` is the gRPC status code; `detail` the typed reason, where the server sent one;
    `retry_after_ms` is 0 when the server named no time.
    """

    def __init__(self, code: grpc.StatusCode, text: str, detail: errors_pb2.ErrorDetail | None):
        self.code = code
        self.detail = detail
        super().__init__(_sentence(code, text, detail))

    @property
    def reason(self) -> str:
        """The typed reason without its prefix ("SHUTTING_DOWN"), or "" without one."""
        if self.detail is None:
            return ""
        try:
            name = errors_pb2.ErrorReason.Name(self.detail.reason)
        except ValueError:  # a newer server's reason
            return str(int(self.detail.reason))
        return name.removeprefix("ERROR_REASON_")

    @property
    def retry_after_ms(self) -> int:
        """Milliseconds after which the server wants the next try; 0: not said."""
        return self.detail.retry_after_ms if self.detail is not None else 0


class NotAuthenticated(ServerError):
    """No token, or one that this server does not know. Final."""


class PermissionDenied(ServerError):
    """The token is not this bot's. Final."""


class NoCommonProtocol(ServerError):
    """Server and SDK share no protocol version: one of them is too old. Final."""


class BadHello(ServerError):
    """The server did not accept the bot's name or its other first words. Final."""


class Replaced(ServerError):
    """A newer connection of the same bot took over. Final, or the two would fight for ever."""


class NotAnArbiter(ServerError):
    """Something answers at this address, but not the play service. Final."""


_FINAL: dict[grpc.StatusCode, type[ServerError]] = {
    grpc.StatusCode.UNAUTHENTICATED: NotAuthenticated,
    grpc.StatusCode.PERMISSION_DENIED: PermissionDenied,
    grpc.StatusCode.FAILED_PRECONDITION: NoCommonProtocol,
    grpc.StatusCode.INVALID_ARGUMENT: BadHello,
    grpc.StatusCode.ABORTED: Replaced,
    grpc.StatusCode.UNIMPLEMENTED: NotAnArbiter,
}


def is_final(error: ServerError) -> bool:
    """Whether trying again cannot help: a final code, and no time to come back was named."""
    return error.code in _FINAL and error.retry_after_ms == 0


def from_call(error: grpc.aio.AioRpcError) -> ServerError:
    """The SDK's error for a call that ended with a status other than OK."""
    code = error.code()
    kind = _FINAL.get(code, ServerError)
    return kind(code, error.details() or "", detail_of(error))


def detail_of(error: grpc.aio.AioRpcError) -> errors_pb2.ErrorDetail | None:
    """The ErrorDetail in the call's trailing metadata, or None when there is none to read."""
    detail = errors_pb2.ErrorDetail()
    try:
        status: status_pb2.Status | None = rpc_status.from_call(error)  # type: ignore[arg-type]
        for packed in status.details if status is not None else ():
            if packed.Unpack(detail):
                return detail
    except (ValueError, DecodeError):  # not from a Hearts server: nothing to read
        pass
    return None


def _sentence(code: grpc.StatusCode, text: str, detail: errors_pb2.ErrorDetail | None) -> str:
    parts = [text.rstrip(". ") or code.name.lower().replace("_", " ")]
    if detail is not None:
        if detail.subject and detail.subject not in text:
            parts[0] += f" ({detail.subject})"
        if detail.hint and detail.hint not in text:
            parts.append(detail.hint.rstrip(". "))
    return ". ".join(parts)
