"""Why a stream is refused or ended."""

from __future__ import annotations

from hearts.v1 import errors_pb2


class PlayRefused(Exception):
    """The stream ends with an error. `services/errors.py` makes the status from it.

    reason: an `errors_pb2.ErrorReason`; subject and value: what it is about; retry_after_ms:
    when to try again, 0 when that does not help.
    """

    def __init__(
        self,
        reason: errors_pb2.ErrorReason,
        message: str,
        *,
        subject: str = "",
        value: str = "",
        allowed: tuple[str, ...] = (),
        retry_after_ms: int = 0,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.subject = subject
        self.value = value
        self.allowed = allowed
        self.retry_after_ms = retry_after_ms
