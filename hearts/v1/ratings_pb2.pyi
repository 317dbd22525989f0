from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Rating(_message.Message):
    __slots__ = ("rank", "bot", "strength", "standard_error", "low", "high", "deals", "blocks", "provisional")
    RANK_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    STRENGTH_FIELD_NUMBER: _ClassVar[int]
    STANDARD_ERROR_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    PROVISIONAL_FIELD_NUMBER: _ClassVar[int]
    rank: int
    bot: str
    strength: float
    standard_error: float
    low: float
    high: float
    deals: int
    blocks: int
    provisional: bool
    def __init__(self, rank: _Optional[int] = ..., bot: _Optional[str] = ..., strength: _Optional[float] = ..., standard_error: _Optional[float] = ..., low: _Optional[float] = ..., high: _Optional[float] = ..., deals: _Optional[int] = ..., blocks: _Optional[int] = ..., provisional: _Optional[bool] = ...) -> None: ...

class Pool(_message.Message):
    __slots__ = ("id", "snapshot", "deals", "blocks", "ratings")
    ID_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    RATINGS_FIELD_NUMBER: _ClassVar[int]
    id: str
    snapshot: str
    deals: int
    blocks: int
    ratings: _containers.RepeatedCompositeFieldContainer[Rating]
    def __init__(self, id: _Optional[str] = ..., snapshot: _Optional[str] = ..., deals: _Optional[int] = ..., blocks: _Optional[int] = ..., ratings: _Optional[_Iterable[_Union[Rating, _Mapping]]] = ...) -> None: ...

class ListRatingsRequest(_message.Message):
    __slots__ = ("pool",)
    POOL_FIELD_NUMBER: _ClassVar[int]
    pool: str
    def __init__(self, pool: _Optional[str] = ...) -> None: ...

class ListRatingsResponse(_message.Message):
    __slots__ = ("pools",)
    POOLS_FIELD_NUMBER: _ClassVar[int]
    pools: _containers.RepeatedCompositeFieldContainer[Pool]
    def __init__(self, pools: _Optional[_Iterable[_Union[Pool, _Mapping]]] = ...) -> None: ...
