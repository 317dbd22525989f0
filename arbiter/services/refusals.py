"""Why a call is refused. Raised by the services and what they call; `errors.py` makes statuses."""

from __future__ import annotations

from collections.abc import Sequence

from arbiter.tournaments.text import visible
from hearts.v1 import errors_pb2


class Refusal(Exception):
    """A call is refused, with everything an `ErrorDetail` says.

    `subject` is a field path or a resource name, `value` what was given, `allowed` what would have
    been accepted, `hint` what to do next, `retry_after_ms` 0 when trying again does not help.
    """

    def __init__(
        self,
        reason: errors_pb2.ErrorReason,
        message: str,
        *,
        subject: str = "",
        value: str = "",
        allowed: Sequence[str] = (),
        hint: str = "",
        retry_after_ms: int = 0,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.subject = subject
        self.value = visible(value)
        self.allowed = tuple(allowed)
        self.hint = hint
        self.retry_after_ms = retry_after_ms


def not_found(name: str, hint: str = "") -> Refusal:
    """There is no resource of this name."""
    return Refusal(
        errors_pb2.ERROR_REASON_NOT_FOUND,
        f"there is no {visible(name)}",
        subject=visible(name),
        hint=hint,
    )


def bad_value(subject: str, value: object, reason: str, allowed: Sequence[str] = ()) -> Refusal:
    """A field has a value that is not allowed."""
    return Refusal(
        errors_pb2.ERROR_REASON_INVALID_VALUE,
        f"{subject}: {reason}",
        subject=subject,
        value=str(value),
        allowed=allowed,
    )


def missing(subject: str, allowed: Sequence[str] = ()) -> Refusal:
    """A required field is not given."""
    return Refusal(
        errors_pb2.ERROR_REASON_MISSING_VALUE,
        f"{subject} is missing",
        subject=subject,
        allowed=allowed,
    )


def wrong_state(subject: str, message: str, hint: str = "", retry_after_ms: int = 0) -> Refusal:
    """The resource is not in a state that allows this."""
    return Refusal(
        errors_pb2.ERROR_REASON_WRONG_STATE,
        message,
        subject=subject,
        hint=hint,
        retry_after_ms=retry_after_ms,
    )
