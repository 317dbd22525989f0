"""The one place where domain errors become gRPC statuses.

Every refused call has a code, a message and one `ErrorDetail`. What nobody foresaw becomes INTERNAL
with an id; the log has the traceback under the same id, the wire never does.
"""

from __future__ import annotations

import logging
import secrets

import grpc
from google.protobuf import any_pb2
from google.rpc import status_pb2
from grpc_status import rpc_status

from arbiter.blobs import BlobError
from arbiter.connections.errors import PlayRefused
from arbiter.services.refusals import Refusal
from arbiter.store.errors import (
    LooksAlike,
    NameTaken,
    NotOwner,
    OverQuota,
    SameContent,
    StoreRefused,
    StoreUnavailable,
    UnknownTournament,
)
from arbiter.store.versions import VersionState, WrongVersionState
from arbiter.submissions import manifest
from arbiter.submissions.manifest import ManifestError
from arbiter.submissions.unpack import BadArchive
from arbiter.tournaments.spec import (
    DuplicateEntry,
    MissingField,
    RepeatsNotTrusted,
    SpecError,
    TooFewBots,
    UnsupportedRules,
)
from hearts.rules import InvalidRules
from hearts.v1 import errors_pb2

log = logging.getLogger(__name__)

STORE_RETRY_MS = 1000

_CODES: dict[errors_pb2.ErrorReason, grpc.StatusCode] = {
    errors_pb2.ERROR_REASON_INVALID_VALUE: grpc.StatusCode.INVALID_ARGUMENT,
    errors_pb2.ERROR_REASON_MISSING_VALUE: grpc.StatusCode.INVALID_ARGUMENT,
    errors_pb2.ERROR_REASON_INVALID_RULES: grpc.StatusCode.INVALID_ARGUMENT,
    errors_pb2.ERROR_REASON_UNSUPPORTED_RULES: grpc.StatusCode.INVALID_ARGUMENT,
    errors_pb2.ERROR_REASON_NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    errors_pb2.ERROR_REASON_ALREADY_EXISTS: grpc.StatusCode.ALREADY_EXISTS,
    errors_pb2.ERROR_REASON_TOO_FEW_BOTS: grpc.StatusCode.FAILED_PRECONDITION,
    errors_pb2.ERROR_REASON_DUPLICATE_ENTRY: grpc.StatusCode.INVALID_ARGUMENT,
    errors_pb2.ERROR_REASON_REPEATS_NOT_TRUSTED: grpc.StatusCode.FAILED_PRECONDITION,
    errors_pb2.ERROR_REASON_UNAUTHENTICATED: grpc.StatusCode.UNAUTHENTICATED,
    errors_pb2.ERROR_REASON_PERMISSION_DENIED: grpc.StatusCode.PERMISSION_DENIED,
    errors_pb2.ERROR_REASON_NO_COMMON_PROTOCOL: grpc.StatusCode.FAILED_PRECONDITION,
    errors_pb2.ERROR_REASON_BAD_HELLO: grpc.StatusCode.INVALID_ARGUMENT,
    errors_pb2.ERROR_REASON_STORE_UNAVAILABLE: grpc.StatusCode.UNAVAILABLE,
    errors_pb2.ERROR_REASON_WRONG_STATE: grpc.StatusCode.FAILED_PRECONDITION,
    errors_pb2.ERROR_REASON_LIMIT_REACHED: grpc.StatusCode.RESOURCE_EXHAUSTED,
    errors_pb2.ERROR_REASON_SHUTTING_DOWN: grpc.StatusCode.UNAVAILABLE,
    errors_pb2.ERROR_REASON_REPLACED: grpc.StatusCode.ABORTED,
    errors_pb2.ERROR_REASON_INTERNAL: grpc.StatusCode.INTERNAL,
}

_SPEC_REASONS: dict[type[SpecError], errors_pb2.ErrorReason] = {
    SpecError: errors_pb2.ERROR_REASON_INVALID_VALUE,
    MissingField: errors_pb2.ERROR_REASON_MISSING_VALUE,
    TooFewBots: errors_pb2.ERROR_REASON_TOO_FEW_BOTS,
    DuplicateEntry: errors_pb2.ERROR_REASON_DUPLICATE_ENTRY,
    UnsupportedRules: errors_pb2.ERROR_REASON_UNSUPPORTED_RULES,
    RepeatsNotTrusted: errors_pb2.ERROR_REASON_REPEATS_NOT_TRUSTED,
}


def refusal(error: Exception, method: str = "") -> Refusal:
    """The refusal an error stands for; an unforeseen one is logged with its traceback."""
    match error:
        case Refusal():
            return error
        case SpecError():
            return _from_spec(error)
        case InvalidRules():
            return _from_rules(error)
        case PlayRefused():
            return Refusal(
                error.reason,
                error.message,
                subject=error.subject,
                value=error.value,
                allowed=error.allowed,
                retry_after_ms=error.retry_after_ms,
            )
        case NameTaken() | LooksAlike() | NotOwner() | SameContent():
            return _from_name(error)
        case OverQuota():
            return _from_quota(error)
        case WrongVersionState():
            return _from_state(error)
        case ManifestError() | BadArchive():
            return _from_submission(error)
        case BlobError():
            log.error("%s: %s", method, error)
            return Refusal(
                errors_pb2.ERROR_REASON_STORE_UNAVAILABLE,
                "the server cannot keep submitted files now",
                hint="Try again soon; if it lasts, the operator's log says why.",
                retry_after_ms=STORE_RETRY_MS,
            )
        case UnknownTournament():
            return Refusal(errors_pb2.ERROR_REASON_NOT_FOUND, "there is no such tournament")
        case StoreUnavailable() | StoreRefused():
            return _from_store(error, method)
        case _:
            return _unforeseen(error, method)


def status(refused: Refusal) -> grpc.Status:
    """The gRPC status with its detail."""
    code = _CODES[refused.reason]
    detail = any_pb2.Any()
    detail.Pack(
        errors_pb2.ErrorDetail(
            reason=refused.reason,
            subject=refused.subject,
            value=refused.value,
            allowed=refused.allowed,
            hint=refused.hint,
            retry_after_ms=refused.retry_after_ms,
        )
    )
    number: int = code.value[0]
    made: grpc.Status = rpc_status.to_status(
        status_pb2.Status(code=number, message=refused.message, details=[detail])
    )
    return made


def _from_spec(error: SpecError) -> Refusal:
    return Refusal(
        _SPEC_REASONS[type(error)],
        f"spec.{error}",
        subject=f"spec.{error.field}",
        value=error.value,
        allowed=error.allowed,
        hint=error.hint,
    )


def _from_rules(error: InvalidRules) -> Refusal:
    return Refusal(
        errors_pb2.ERROR_REASON_INVALID_RULES,
        f"spec.rules.{error.option}: {error.reason}",
        subject=f"spec.rules.{error.option}",
        value=str(error.value),
        allowed=error.allowed,
    )


def _from_name(error: NameTaken | LooksAlike | NotOwner | SameContent) -> Refusal:
    another = "Choose another name."
    match error:
        case NameTaken():
            message, subject, hint = "is already registered", error.name, another
        case LooksAlike():
            message, subject, hint = f"looks like bots/{error.other}", error.name, another
        case NotOwner():
            message, subject, hint = "belongs to somebody else", error.name, another
        case SameContent():
            message, subject = "is this very file", error.other
            hint = f"Nothing was added. `hearts bots activate {error.other}` makes it play."
    return Refusal(
        errors_pb2.ERROR_REASON_ALREADY_EXISTS,
        f"bots/{subject} {message}",
        subject=f"bots/{subject}",
        hint=hint,
    )


_QUOTAS = {
    "bots": "you have as many bots as you may",
    "versions": "you have submitted as many versions within 24 hours as you may",
    "bytes": "you have submitted as many bytes within 24 hours as you may",
}


def _from_quota(error: OverQuota) -> Refusal:
    later = "Try again then" if error.retry_ms else "Waiting does not help: ask an admin"
    return Refusal(
        errors_pb2.ERROR_REASON_LIMIT_REACHED,
        _QUOTAS[error.what],
        subject=f"quota.{error.what}",
        hint=f"{later}; `hearts owners show` shows the limits.",
        retry_after_ms=error.retry_ms,
    )


_NOT_IN_STATE = {
    VersionState.PENDING: "It waits for its qualifying match, and plays when it has passed.",
    VersionState.QUALIFYING: "Its qualifying match is being played: wait for the outcome.",
    VersionState.REJECTED: "Read `hearts bots log {name}`, mend the bot and submit it again.",
}


def _from_state(error: WrongVersionState) -> Refusal:
    return Refusal(
        errors_pb2.ERROR_REASON_WRONG_STATE,
        f"bots/{error.name} is {error.state}",
        subject=f"bots/{error.name}",
        hint=_NOT_IN_STATE.get(error.state, "").format(name=error.name),
    )


def _from_submission(error: ManifestError | BadArchive) -> Refusal:
    if isinstance(error, BadArchive):
        return Refusal(
            errors_pb2.ERROR_REASON_INVALID_VALUE,
            f"the archive is refused: it {error}",
            subject="archive",
            hint="docs/submitting.md says what an archive may hold.",
        )
    where = manifest.FILE + (f", line {error.line}" if error.line else "")
    where += f": {error.key}" if error.key else ""
    return Refusal(
        errors_pb2.ERROR_REASON_INVALID_VALUE,
        f"{where}: {error.problem}",
        subject="bot.toml",
        allowed=error.allowed,
        hint=error.hint,
    )


def _from_store(error: StoreUnavailable | StoreRefused, method: str) -> Refusal:
    # The store's own words may hold addresses: they go to the log.
    log.warning("%s: store: %s", method, error)
    words = "cannot be reached" if isinstance(error, StoreUnavailable) else "refuses to work"
    return Refusal(
        errors_pb2.ERROR_REASON_STORE_UNAVAILABLE,
        f"the server's store {words}",
        hint="Running matches go on and finished results are kept. Try again soon; if it lasts, "
        "the operator's log says why.",
        retry_after_ms=STORE_RETRY_MS,
    )


def _unforeseen(error: Exception, method: str) -> Refusal:
    number = secrets.token_hex(6)
    log.error("error %s in %s", number, method, exc_info=error)
    return Refusal(
        errors_pb2.ERROR_REASON_INTERNAL,
        f"a fault in the server (error {number})",
        value=number,
        hint=f"Report it with its number: the server's log has the details under {number}.",
    )
