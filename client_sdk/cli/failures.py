"""Failed calls, in words: which of them is the user's to mend and which is the platform's."""

from __future__ import annotations

import grpc.aio
from google.protobuf.message import DecodeError
from google.rpc import status_pb2

from client_sdk.cli.errors import CliError, PlatformError, Unreachable
from client_sdk.cli.text import duration
from hearts.v1 import errors_pb2

DETAILS_KEY = "grpc-status-details-bin"
_USAGE_STATUS = frozenset(
    {
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.NOT_FOUND,
        grpc.StatusCode.ALREADY_EXISTS,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.OUT_OF_RANGE,
    }
)
_SEE_LOG = "the server's log has the details"
_HOW_TO_AUTHENTICATE = (
    "name a token with --token-file FILE or HEARTS_TOKEN; "
    "`hearts up --data DIR` keeps the admin's in DIR/admin.token"
)


def from_rpc(error: grpc.aio.AioRpcError, server: str, timeout_s: float) -> CliError:
    """Turns a failed call into the words and the exit code of a command."""
    status = error.code()
    detail = error_detail(error)
    if detail is None and status is grpc.StatusCode.UNAVAILABLE:
        return Unreachable(
            f"no hearts server answers at {server}",
            then="start one with `hearts up --data DIR`, or name another with --server HOST:PORT",
        )
    if status is grpc.StatusCode.DEADLINE_EXCEEDED:
        return Unreachable(
            f"{server} did not answer within {timeout_s:g} s",
            then="`hearts doctor` looks closer; --timeout SECONDS waits longer",
        )
    if status is grpc.StatusCode.UNIMPLEMENTED:
        return PlatformError(
            f"{server} does not know this call: {error.details()}",
            then="compare `hearts version` with the server's version",
        )
    what = error.details() or status.name.lower().replace("_", " ")
    then = detail.hint if detail else ""
    if status is grpc.StatusCode.PERMISSION_DENIED and detail and detail.subject[:1] not in "/":
        # The role would do (or the subject was a "/method"): it is somebody else's thing.
        return CliError(what, then=then)
    if status in (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED):
        # The server's hint is for who writes a client; this is for who uses one.
        return CliError(what, then=_HOW_TO_AUTHENTICATE)
    if status is grpc.StatusCode.UNAVAILABLE:
        return Unreachable(what, then=then or _SEE_LOG)
    if detail and detail.reason == errors_pb2.ERROR_REASON_LIMIT_REACHED:
        return CliError(what, allowed=detail.allowed, then=_later(detail))
    if status not in _USAGE_STATUS:
        return PlatformError(what, then=then or _SEE_LOG)
    return CliError(what, allowed=detail.allowed if detail else (), then=then)


def _later(detail: errors_pb2.ErrorDetail) -> str:
    """What to do about a limit, with the time to wait."""
    if not detail.retry_after_ms:
        return detail.hint
    return f"try again in {duration(detail.retry_after_ms)}; {detail.hint}"


def error_detail(error: grpc.aio.AioRpcError) -> errors_pb2.ErrorDetail | None:
    """The typed detail that every refusal of the server carries; None from anything else."""
    for key, value in error.trailing_metadata() or ():
        if key != DETAILS_KEY or not isinstance(value, bytes):
            continue
        detail = errors_pb2.ErrorDetail()
        try:
            for packed in status_pb2.Status.FromString(value).details:
                if packed.Unpack(detail):
                    return detail
        except DecodeError:
            # Not ours to judge: a proxy may put anything there. The status itself still counts.
            return None
    return None
