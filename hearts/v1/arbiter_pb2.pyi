from hearts.v1 import play_pb2 as _play_pb2
from hearts.v1 import records_pb2 as _records_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AttemptOutcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ATTEMPT_OUTCOME_UNSPECIFIED: _ClassVar[AttemptOutcome]
    ATTEMPT_OUTCOME_COMMITTED: _ClassVar[AttemptOutcome]
    ATTEMPT_OUTCOME_STALE: _ClassVar[AttemptOutcome]
    ATTEMPT_OUTCOME_FAILED_INFRA: _ClassVar[AttemptOutcome]
    ATTEMPT_OUTCOME_RELEASED: _ClassVar[AttemptOutcome]
ATTEMPT_OUTCOME_UNSPECIFIED: AttemptOutcome
ATTEMPT_OUTCOME_COMMITTED: AttemptOutcome
ATTEMPT_OUTCOME_STALE: AttemptOutcome
ATTEMPT_OUTCOME_FAILED_INFRA: AttemptOutcome
ATTEMPT_OUTCOME_RELEASED: AttemptOutcome

class Assignment(_message.Message):
    __slots__ = ("match", "lease")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    LEASE_FIELD_NUMBER: _ClassVar[int]
    match: str
    lease: str
    def __init__(self, match: _Optional[str] = ..., lease: _Optional[str] = ...) -> None: ...

class PlayBatchRequest(_message.Message):
    __slots__ = ("worker", "assignments", "hosted", "start_ms", "at_once")
    WORKER_FIELD_NUMBER: _ClassVar[int]
    ASSIGNMENTS_FIELD_NUMBER: _ClassVar[int]
    HOSTED_FIELD_NUMBER: _ClassVar[int]
    START_MS_FIELD_NUMBER: _ClassVar[int]
    AT_ONCE_FIELD_NUMBER: _ClassVar[int]
    worker: str
    assignments: _containers.RepeatedCompositeFieldContainer[Assignment]
    hosted: _containers.RepeatedCompositeFieldContainer[HostedSession]
    start_ms: int
    at_once: int
    def __init__(self, worker: _Optional[str] = ..., assignments: _Optional[_Iterable[_Union[Assignment, _Mapping]]] = ..., hosted: _Optional[_Iterable[_Union[HostedSession, _Mapping]]] = ..., start_ms: _Optional[int] = ..., at_once: _Optional[int] = ...) -> None: ...

class HostedSession(_message.Message):
    __slots__ = ("bot", "session")
    BOT_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    bot: str
    session: str
    def __init__(self, bot: _Optional[str] = ..., session: _Optional[str] = ...) -> None: ...

class EndSessionRequest(_message.Message):
    __slots__ = ("session", "gone")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    GONE_FIELD_NUMBER: _ClassVar[int]
    session: str
    gone: bool
    def __init__(self, session: _Optional[str] = ..., gone: _Optional[bool] = ...) -> None: ...

class EndSessionResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class PlayBatchResponse(_message.Message):
    __slots__ = ("match", "outcome", "reason", "deals", "duration_ms")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    DURATION_MS_FIELD_NUMBER: _ClassVar[int]
    match: str
    outcome: AttemptOutcome
    reason: str
    deals: int
    duration_ms: int
    def __init__(self, match: _Optional[str] = ..., outcome: _Optional[_Union[AttemptOutcome, str]] = ..., reason: _Optional[str] = ..., deals: _Optional[int] = ..., duration_ms: _Optional[int] = ...) -> None: ...

class Checkpoint(_message.Message):
    __slots__ = ("deals", "seats")
    DEALS_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    deals: _containers.RepeatedCompositeFieldContainer[_records_pb2.DealRecord]
    seats: _containers.RepeatedCompositeFieldContainer[SeatCheckpoint]
    def __init__(self, deals: _Optional[_Iterable[_Union[_records_pb2.DealRecord, _Mapping]]] = ..., seats: _Optional[_Iterable[_Union[SeatCheckpoint, _Mapping]]] = ...) -> None: ...

class SeatCheckpoint(_message.Message):
    __slots__ = ("bank_ms", "strikes", "retired")
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    STRIKES_FIELD_NUMBER: _ClassVar[int]
    RETIRED_FIELD_NUMBER: _ClassVar[int]
    bank_ms: int
    strikes: int
    retired: _play_pb2.Verdict
    def __init__(self, bank_ms: _Optional[int] = ..., strikes: _Optional[int] = ..., retired: _Optional[_Union[_play_pb2.Verdict, str]] = ...) -> None: ...

class SpooledCommit(_message.Message):
    __slots__ = ("match", "lease", "result", "record", "deals", "pool")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    LEASE_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    RECORD_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    POOL_FIELD_NUMBER: _ClassVar[int]
    match: str
    lease: str
    result: bytes
    record: bytes
    deals: int
    pool: str
    def __init__(self, match: _Optional[str] = ..., lease: _Optional[str] = ..., result: _Optional[bytes] = ..., record: _Optional[bytes] = ..., deals: _Optional[int] = ..., pool: _Optional[str] = ...) -> None: ...
