import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class VersionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VERSION_KIND_UNSPECIFIED: _ClassVar[VersionKind]
    VERSION_KIND_BINARY: _ClassVar[VersionKind]
    VERSION_KIND_ENDPOINT: _ClassVar[VersionKind]
    VERSION_KIND_CONNECT: _ClassVar[VersionKind]

class VersionState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VERSION_STATE_UNSPECIFIED: _ClassVar[VersionState]
    VERSION_STATE_PENDING: _ClassVar[VersionState]
    VERSION_STATE_QUALIFYING: _ClassVar[VersionState]
    VERSION_STATE_ACTIVE: _ClassVar[VersionState]
    VERSION_STATE_REJECTED: _ClassVar[VersionState]
    VERSION_STATE_REPLACED: _ClassVar[VersionState]
    VERSION_STATE_RETIRED: _ClassVar[VersionState]
    VERSION_STATE_BENCHED: _ClassVar[VersionState]
VERSION_KIND_UNSPECIFIED: VersionKind
VERSION_KIND_BINARY: VersionKind
VERSION_KIND_ENDPOINT: VersionKind
VERSION_KIND_CONNECT: VersionKind
VERSION_STATE_UNSPECIFIED: VersionState
VERSION_STATE_PENDING: VersionState
VERSION_STATE_QUALIFYING: VersionState
VERSION_STATE_ACTIVE: VersionState
VERSION_STATE_REJECTED: VersionState
VERSION_STATE_REPLACED: VersionState
VERSION_STATE_RETIRED: VersionState
VERSION_STATE_BENCHED: VersionState

class Bot(_message.Message):
    __slots__ = ("name", "house", "description", "create_time", "online", "sdk", "endpoint", "owner", "active_version", "versions")
    NAME_FIELD_NUMBER: _ClassVar[int]
    HOUSE_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    ONLINE_FIELD_NUMBER: _ClassVar[int]
    SDK_FIELD_NUMBER: _ClassVar[int]
    ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    ACTIVE_VERSION_FIELD_NUMBER: _ClassVar[int]
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    name: str
    house: bool
    description: str
    create_time: _timestamp_pb2.Timestamp
    online: bool
    sdk: str
    endpoint: str
    owner: str
    active_version: str
    versions: int
    def __init__(self, name: _Optional[str] = ..., house: _Optional[bool] = ..., description: _Optional[str] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., online: _Optional[bool] = ..., sdk: _Optional[str] = ..., endpoint: _Optional[str] = ..., owner: _Optional[str] = ..., active_version: _Optional[str] = ..., versions: _Optional[int] = ...) -> None: ...

class CreateBotRequest(_message.Message):
    __slots__ = ("bot", "request_id")
    BOT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    bot: Bot
    request_id: str
    def __init__(self, bot: _Optional[_Union[Bot, _Mapping]] = ..., request_id: _Optional[str] = ...) -> None: ...

class CreateBotResponse(_message.Message):
    __slots__ = ("bot", "token")
    BOT_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    bot: Bot
    token: str
    def __init__(self, bot: _Optional[_Union[Bot, _Mapping]] = ..., token: _Optional[str] = ...) -> None: ...

class GetBotRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class GetBotResponse(_message.Message):
    __slots__ = ("bot",)
    BOT_FIELD_NUMBER: _ClassVar[int]
    bot: Bot
    def __init__(self, bot: _Optional[_Union[Bot, _Mapping]] = ...) -> None: ...

class ListBotsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListBotsResponse(_message.Message):
    __slots__ = ("bots", "next_page_token")
    BOTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    bots: _containers.RepeatedCompositeFieldContainer[Bot]
    next_page_token: str
    def __init__(self, bots: _Optional[_Iterable[_Union[Bot, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class Version(_message.Message):
    __slots__ = ("name", "owner", "kind", "state", "reason", "create_time", "state_time", "failures", "sha256", "size", "language", "rules", "max_tables", "command", "build", "endpoint")
    NAME_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    STATE_TIME_FIELD_NUMBER: _ClassVar[int]
    FAILURES_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    MAX_TABLES_FIELD_NUMBER: _ClassVar[int]
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    BUILD_FIELD_NUMBER: _ClassVar[int]
    ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    name: str
    owner: str
    kind: VersionKind
    state: VersionState
    reason: str
    create_time: _timestamp_pb2.Timestamp
    state_time: _timestamp_pb2.Timestamp
    failures: int
    sha256: str
    size: int
    language: str
    rules: _containers.RepeatedScalarFieldContainer[str]
    max_tables: int
    command: _containers.RepeatedScalarFieldContainer[str]
    build: _containers.RepeatedScalarFieldContainer[str]
    endpoint: str
    def __init__(self, name: _Optional[str] = ..., owner: _Optional[str] = ..., kind: _Optional[_Union[VersionKind, str]] = ..., state: _Optional[_Union[VersionState, str]] = ..., reason: _Optional[str] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., state_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., failures: _Optional[int] = ..., sha256: _Optional[str] = ..., size: _Optional[int] = ..., language: _Optional[str] = ..., rules: _Optional[_Iterable[str]] = ..., max_tables: _Optional[int] = ..., command: _Optional[_Iterable[str]] = ..., build: _Optional[_Iterable[str]] = ..., endpoint: _Optional[str] = ...) -> None: ...

class SubmitVersionRequest(_message.Message):
    __slots__ = ("header", "chunk")
    HEADER_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    header: VersionHeader
    chunk: bytes
    def __init__(self, header: _Optional[_Union[VersionHeader, _Mapping]] = ..., chunk: _Optional[bytes] = ...) -> None: ...

class VersionHeader(_message.Message):
    __slots__ = ("bot", "kind", "description", "request_id", "size", "sha256", "endpoint")
    BOT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    bot: str
    kind: VersionKind
    description: str
    request_id: str
    size: int
    sha256: str
    endpoint: str
    def __init__(self, bot: _Optional[str] = ..., kind: _Optional[_Union[VersionKind, str]] = ..., description: _Optional[str] = ..., request_id: _Optional[str] = ..., size: _Optional[int] = ..., sha256: _Optional[str] = ..., endpoint: _Optional[str] = ...) -> None: ...

class SubmitVersionResponse(_message.Message):
    __slots__ = ("version", "token", "created")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    version: Version
    token: str
    created: bool
    def __init__(self, version: _Optional[_Union[Version, _Mapping]] = ..., token: _Optional[str] = ..., created: _Optional[bool] = ...) -> None: ...

class GetVersionRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class GetVersionResponse(_message.Message):
    __slots__ = ("version",)
    VERSION_FIELD_NUMBER: _ClassVar[int]
    version: Version
    def __init__(self, version: _Optional[_Union[Version, _Mapping]] = ...) -> None: ...

class ListVersionsRequest(_message.Message):
    __slots__ = ("bot",)
    BOT_FIELD_NUMBER: _ClassVar[int]
    bot: str
    def __init__(self, bot: _Optional[str] = ...) -> None: ...

class ListVersionsResponse(_message.Message):
    __slots__ = ("versions",)
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    versions: _containers.RepeatedCompositeFieldContainer[Version]
    def __init__(self, versions: _Optional[_Iterable[_Union[Version, _Mapping]]] = ...) -> None: ...

class GetVersionLogRequest(_message.Message):
    __slots__ = ("name", "match")
    NAME_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    name: str
    match: str
    def __init__(self, name: _Optional[str] = ..., match: _Optional[str] = ...) -> None: ...

class GetVersionLogResponse(_message.Message):
    __slots__ = ("version", "logs")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    LOGS_FIELD_NUMBER: _ClassVar[int]
    version: Version
    logs: _containers.RepeatedCompositeFieldContainer[VersionLog]
    def __init__(self, version: _Optional[_Union[Version, _Mapping]] = ..., logs: _Optional[_Iterable[_Union[VersionLog, _Mapping]]] = ...) -> None: ...

class VersionLog(_message.Message):
    __slots__ = ("match", "text", "dropped")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    DROPPED_FIELD_NUMBER: _ClassVar[int]
    match: str
    text: str
    dropped: int
    def __init__(self, match: _Optional[str] = ..., text: _Optional[str] = ..., dropped: _Optional[int] = ...) -> None: ...

class ActivateVersionRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class ActivateVersionResponse(_message.Message):
    __slots__ = ("version",)
    VERSION_FIELD_NUMBER: _ClassVar[int]
    version: Version
    def __init__(self, version: _Optional[_Union[Version, _Mapping]] = ...) -> None: ...

class RetireVersionRequest(_message.Message):
    __slots__ = ("name", "reason")
    NAME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    name: str
    reason: str
    def __init__(self, name: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class RetireVersionResponse(_message.Message):
    __slots__ = ("version",)
    VERSION_FIELD_NUMBER: _ClassVar[int]
    version: Version
    def __init__(self, version: _Optional[_Union[Version, _Mapping]] = ...) -> None: ...

class RotateBotTokenRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class RotateBotTokenResponse(_message.Message):
    __slots__ = ("token", "name")
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    token: str
    name: str
    def __init__(self, token: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...
