from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ErrorReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ERROR_REASON_UNSPECIFIED: _ClassVar[ErrorReason]
    ERROR_REASON_INVALID_VALUE: _ClassVar[ErrorReason]
    ERROR_REASON_MISSING_VALUE: _ClassVar[ErrorReason]
    ERROR_REASON_INVALID_RULES: _ClassVar[ErrorReason]
    ERROR_REASON_UNSUPPORTED_RULES: _ClassVar[ErrorReason]
    ERROR_REASON_NOT_FOUND: _ClassVar[ErrorReason]
    ERROR_REASON_ALREADY_EXISTS: _ClassVar[ErrorReason]
    ERROR_REASON_TOO_FEW_BOTS: _ClassVar[ErrorReason]
    ERROR_REASON_DUPLICATE_ENTRY: _ClassVar[ErrorReason]
    ERROR_REASON_REPEATS_NOT_TRUSTED: _ClassVar[ErrorReason]
    ERROR_REASON_UNAUTHENTICATED: _ClassVar[ErrorReason]
    ERROR_REASON_PERMISSION_DENIED: _ClassVar[ErrorReason]
    ERROR_REASON_NO_COMMON_PROTOCOL: _ClassVar[ErrorReason]
    ERROR_REASON_BAD_HELLO: _ClassVar[ErrorReason]
    ERROR_REASON_STORE_UNAVAILABLE: _ClassVar[ErrorReason]
    ERROR_REASON_WRONG_STATE: _ClassVar[ErrorReason]
    ERROR_REASON_LIMIT_REACHED: _ClassVar[ErrorReason]
    ERROR_REASON_SHUTTING_DOWN: _ClassVar[ErrorReason]
    ERROR_REASON_REPLACED: _ClassVar[ErrorReason]
    ERROR_REASON_INTERNAL: _ClassVar[ErrorReason]
ERROR_REASON_UNSPECIFIED: ErrorReason
ERROR_REASON_INVALID_VALUE: ErrorReason
ERROR_REASON_MISSING_VALUE: ErrorReason
ERROR_REASON_INVALID_RULES: ErrorReason
ERROR_REASON_UNSUPPORTED_RULES: ErrorReason
ERROR_REASON_NOT_FOUND: ErrorReason
ERROR_REASON_ALREADY_EXISTS: ErrorReason
ERROR_REASON_TOO_FEW_BOTS: ErrorReason
ERROR_REASON_DUPLICATE_ENTRY: ErrorReason
ERROR_REASON_REPEATS_NOT_TRUSTED: ErrorReason
ERROR_REASON_UNAUTHENTICATED: ErrorReason
ERROR_REASON_PERMISSION_DENIED: ErrorReason
ERROR_REASON_NO_COMMON_PROTOCOL: ErrorReason
ERROR_REASON_BAD_HELLO: ErrorReason
ERROR_REASON_STORE_UNAVAILABLE: ErrorReason
ERROR_REASON_WRONG_STATE: ErrorReason
ERROR_REASON_LIMIT_REACHED: ErrorReason
ERROR_REASON_SHUTTING_DOWN: ErrorReason
ERROR_REASON_REPLACED: ErrorReason
ERROR_REASON_INTERNAL: ErrorReason

class ErrorDetail(_message.Message):
    __slots__ = ("reason", "subject", "value", "allowed", "hint", "retry_after_ms")
    REASON_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    ALLOWED_FIELD_NUMBER: _ClassVar[int]
    HINT_FIELD_NUMBER: _ClassVar[int]
    RETRY_AFTER_MS_FIELD_NUMBER: _ClassVar[int]
    reason: ErrorReason
    subject: str
    value: str
    allowed: _containers.RepeatedScalarFieldContainer[str]
    hint: str
    retry_after_ms: int
    def __init__(self, reason: _Optional[_Union[ErrorReason, str]] = ..., subject: _Optional[str] = ..., value: _Optional[str] = ..., allowed: _Optional[_Iterable[str]] = ..., hint: _Optional[str] = ..., retry_after_ms: _Optional[int] = ...) -> None: ...
