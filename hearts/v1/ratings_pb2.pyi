import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TestVerdict(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TEST_VERDICT_UNSPECIFIED: _ClassVar[TestVerdict]
    TEST_VERDICT_CONTINUE: _ClassVar[TestVerdict]
    TEST_VERDICT_H0: _ClassVar[TestVerdict]
    TEST_VERDICT_H1: _ClassVar[TestVerdict]
TEST_VERDICT_UNSPECIFIED: TestVerdict
TEST_VERDICT_CONTINUE: TestVerdict
TEST_VERDICT_H0: TestVerdict
TEST_VERDICT_H1: TestVerdict

class Rating(_message.Message):
    __slots__ = ("rank", "bot", "strength", "standard_error", "low", "high", "deals", "blocks", "provisional", "rank_low", "rank_high", "superiority", "placing", "matches", "mean_place", "wins", "moons", "timeouts", "illegal", "decisions", "by_seat", "by_pass")
    RANK_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    STRENGTH_FIELD_NUMBER: _ClassVar[int]
    STANDARD_ERROR_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    PROVISIONAL_FIELD_NUMBER: _ClassVar[int]
    RANK_LOW_FIELD_NUMBER: _ClassVar[int]
    RANK_HIGH_FIELD_NUMBER: _ClassVar[int]
    SUPERIORITY_FIELD_NUMBER: _ClassVar[int]
    PLACING_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    MEAN_PLACE_FIELD_NUMBER: _ClassVar[int]
    WINS_FIELD_NUMBER: _ClassVar[int]
    MOONS_FIELD_NUMBER: _ClassVar[int]
    TIMEOUTS_FIELD_NUMBER: _ClassVar[int]
    ILLEGAL_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    BY_SEAT_FIELD_NUMBER: _ClassVar[int]
    BY_PASS_FIELD_NUMBER: _ClassVar[int]
    rank: int
    bot: str
    strength: float
    standard_error: float
    low: float
    high: float
    deals: int
    blocks: int
    provisional: bool
    rank_low: int
    rank_high: int
    superiority: float
    placing: Placing
    matches: int
    mean_place: float
    wins: int
    moons: int
    timeouts: int
    illegal: int
    decisions: int
    by_seat: _containers.RepeatedCompositeFieldContainer[Split]
    by_pass: _containers.RepeatedCompositeFieldContainer[Split]
    def __init__(self, rank: _Optional[int] = ..., bot: _Optional[str] = ..., strength: _Optional[float] = ..., standard_error: _Optional[float] = ..., low: _Optional[float] = ..., high: _Optional[float] = ..., deals: _Optional[int] = ..., blocks: _Optional[int] = ..., provisional: _Optional[bool] = ..., rank_low: _Optional[int] = ..., rank_high: _Optional[int] = ..., superiority: _Optional[float] = ..., placing: _Optional[_Union[Placing, _Mapping]] = ..., matches: _Optional[int] = ..., mean_place: _Optional[float] = ..., wins: _Optional[int] = ..., moons: _Optional[int] = ..., timeouts: _Optional[int] = ..., illegal: _Optional[int] = ..., decisions: _Optional[int] = ..., by_seat: _Optional[_Iterable[_Union[Split, _Mapping]]] = ..., by_pass: _Optional[_Iterable[_Union[Split, _Mapping]]] = ...) -> None: ...

class Placing(_message.Message):
    __slots__ = ("strength", "standard_error", "low", "high")
    STRENGTH_FIELD_NUMBER: _ClassVar[int]
    STANDARD_ERROR_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    strength: float
    standard_error: float
    low: float
    high: float
    def __init__(self, strength: _Optional[float] = ..., standard_error: _Optional[float] = ..., low: _Optional[float] = ..., high: _Optional[float] = ...) -> None: ...

class Split(_message.Message):
    __slots__ = ("key", "strength", "standard_error", "deals")
    KEY_FIELD_NUMBER: _ClassVar[int]
    STRENGTH_FIELD_NUMBER: _ClassVar[int]
    STANDARD_ERROR_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    key: int
    strength: float
    standard_error: float
    deals: int
    def __init__(self, key: _Optional[int] = ..., strength: _Optional[float] = ..., standard_error: _Optional[float] = ..., deals: _Optional[int] = ...) -> None: ...

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

class Gap(_message.Message):
    __slots__ = ("bot", "other", "gap", "standard_error", "low", "high", "superiority", "blocks", "met")
    BOT_FIELD_NUMBER: _ClassVar[int]
    OTHER_FIELD_NUMBER: _ClassVar[int]
    GAP_FIELD_NUMBER: _ClassVar[int]
    STANDARD_ERROR_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    SUPERIORITY_FIELD_NUMBER: _ClassVar[int]
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    MET_FIELD_NUMBER: _ClassVar[int]
    bot: str
    other: str
    gap: float
    standard_error: float
    low: float
    high: float
    superiority: float
    blocks: int
    met: float
    def __init__(self, bot: _Optional[str] = ..., other: _Optional[str] = ..., gap: _Optional[float] = ..., standard_error: _Optional[float] = ..., low: _Optional[float] = ..., high: _Optional[float] = ..., superiority: _Optional[float] = ..., blocks: _Optional[int] = ..., met: _Optional[float] = ...) -> None: ...

class ListGapsRequest(_message.Message):
    __slots__ = ("pool", "bot", "other")
    POOL_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    OTHER_FIELD_NUMBER: _ClassVar[int]
    pool: str
    bot: str
    other: str
    def __init__(self, pool: _Optional[str] = ..., bot: _Optional[str] = ..., other: _Optional[str] = ...) -> None: ...

class ListGapsResponse(_message.Message):
    __slots__ = ("gaps", "snapshot")
    GAPS_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    gaps: _containers.RepeatedCompositeFieldContainer[Gap]
    snapshot: str
    def __init__(self, gaps: _Optional[_Iterable[_Union[Gap, _Mapping]]] = ..., snapshot: _Optional[str] = ...) -> None: ...

class HistoryPoint(_message.Message):
    __slots__ = ("results", "bot", "strength", "low", "high", "deals")
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    STRENGTH_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    results: int
    bot: str
    strength: float
    low: float
    high: float
    deals: int
    def __init__(self, results: _Optional[int] = ..., bot: _Optional[str] = ..., strength: _Optional[float] = ..., low: _Optional[float] = ..., high: _Optional[float] = ..., deals: _Optional[int] = ...) -> None: ...

class ListRatingHistoryRequest(_message.Message):
    __slots__ = ("pool", "bot")
    POOL_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    pool: str
    bot: str
    def __init__(self, pool: _Optional[str] = ..., bot: _Optional[str] = ...) -> None: ...

class ListRatingHistoryResponse(_message.Message):
    __slots__ = ("points",)
    POINTS_FIELD_NUMBER: _ClassVar[int]
    points: _containers.RepeatedCompositeFieldContainer[HistoryPoint]
    def __init__(self, points: _Optional[_Iterable[_Union[HistoryPoint, _Mapping]]] = ...) -> None: ...

class TestBotsRequest(_message.Message):
    __slots__ = ("pool", "baseline", "candidate", "h0", "h1", "alpha", "beta")
    POOL_FIELD_NUMBER: _ClassVar[int]
    BASELINE_FIELD_NUMBER: _ClassVar[int]
    CANDIDATE_FIELD_NUMBER: _ClassVar[int]
    H0_FIELD_NUMBER: _ClassVar[int]
    H1_FIELD_NUMBER: _ClassVar[int]
    ALPHA_FIELD_NUMBER: _ClassVar[int]
    BETA_FIELD_NUMBER: _ClassVar[int]
    pool: str
    baseline: str
    candidate: str
    h0: float
    h1: float
    alpha: float
    beta: float
    def __init__(self, pool: _Optional[str] = ..., baseline: _Optional[str] = ..., candidate: _Optional[str] = ..., h0: _Optional[float] = ..., h1: _Optional[float] = ..., alpha: _Optional[float] = ..., beta: _Optional[float] = ...) -> None: ...

class TestPoint(_message.Message):
    __slots__ = ("blocks", "llr")
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    LLR_FIELD_NUMBER: _ClassVar[int]
    blocks: int
    llr: float
    def __init__(self, blocks: _Optional[int] = ..., llr: _Optional[float] = ...) -> None: ...

class TestBotsResponse(_message.Message):
    __slots__ = ("verdict", "llr", "lower", "upper", "blocks", "estimate", "low", "high", "elapsed", "history", "waiting", "left", "mirrored")
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    LLR_FIELD_NUMBER: _ClassVar[int]
    LOWER_FIELD_NUMBER: _ClassVar[int]
    UPPER_FIELD_NUMBER: _ClassVar[int]
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    ESTIMATE_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    ELAPSED_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    WAITING_FIELD_NUMBER: _ClassVar[int]
    LEFT_FIELD_NUMBER: _ClassVar[int]
    MIRRORED_FIELD_NUMBER: _ClassVar[int]
    verdict: TestVerdict
    llr: float
    lower: float
    upper: float
    blocks: int
    estimate: float
    low: float
    high: float
    elapsed: float
    history: _containers.RepeatedCompositeFieldContainer[TestPoint]
    waiting: str
    left: int
    mirrored: bool
    def __init__(self, verdict: _Optional[_Union[TestVerdict, str]] = ..., llr: _Optional[float] = ..., lower: _Optional[float] = ..., upper: _Optional[float] = ..., blocks: _Optional[int] = ..., estimate: _Optional[float] = ..., low: _Optional[float] = ..., high: _Optional[float] = ..., elapsed: _Optional[float] = ..., history: _Optional[_Iterable[_Union[TestPoint, _Mapping]]] = ..., waiting: _Optional[str] = ..., left: _Optional[int] = ..., mirrored: _Optional[bool] = ...) -> None: ...

class ExportedDeal(_message.Message):
    __slots__ = ("block", "bots", "points", "void")
    BLOCK_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    VOID_FIELD_NUMBER: _ClassVar[int]
    block: str
    bots: _containers.RepeatedScalarFieldContainer[str]
    points: _containers.RepeatedScalarFieldContainer[int]
    void: bool
    def __init__(self, block: _Optional[str] = ..., bots: _Optional[_Iterable[str]] = ..., points: _Optional[_Iterable[int]] = ..., void: _Optional[bool] = ...) -> None: ...

class ExportResultsRequest(_message.Message):
    __slots__ = ("pool",)
    POOL_FIELD_NUMBER: _ClassVar[int]
    pool: str
    def __init__(self, pool: _Optional[str] = ...) -> None: ...

class ExportResultsResponse(_message.Message):
    __slots__ = ("deals",)
    DEALS_FIELD_NUMBER: _ClassVar[int]
    deals: _containers.RepeatedCompositeFieldContainer[ExportedDeal]
    def __init__(self, deals: _Optional[_Iterable[_Union[ExportedDeal, _Mapping]]] = ...) -> None: ...

class RebuildRatingsRequest(_message.Message):
    __slots__ = ("pool",)
    POOL_FIELD_NUMBER: _ClassVar[int]
    pool: str
    def __init__(self, pool: _Optional[str] = ...) -> None: ...

class RebuildRatingsResponse(_message.Message):
    __slots__ = ("results", "snapshot")
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    results: int
    snapshot: str
    def __init__(self, results: _Optional[int] = ..., snapshot: _Optional[str] = ...) -> None: ...

class SuggestTablesRequest(_message.Message):
    __slots__ = ("pool", "bots", "tables", "bot_goal", "gap_goal")
    POOL_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    BOT_GOAL_FIELD_NUMBER: _ClassVar[int]
    GAP_GOAL_FIELD_NUMBER: _ClassVar[int]
    pool: str
    bots: _containers.RepeatedScalarFieldContainer[str]
    tables: int
    bot_goal: float
    gap_goal: float
    def __init__(self, pool: _Optional[str] = ..., bots: _Optional[_Iterable[str]] = ..., tables: _Optional[int] = ..., bot_goal: _Optional[float] = ..., gap_goal: _Optional[float] = ...) -> None: ...

class SuggestedTable(_message.Message):
    __slots__ = ("bots",)
    BOTS_FIELD_NUMBER: _ClassVar[int]
    bots: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, bots: _Optional[_Iterable[str]] = ...) -> None: ...

class SuggestTablesResponse(_message.Message):
    __slots__ = ("tables", "deals_left", "wide")
    TABLES_FIELD_NUMBER: _ClassVar[int]
    DEALS_LEFT_FIELD_NUMBER: _ClassVar[int]
    WIDE_FIELD_NUMBER: _ClassVar[int]
    tables: _containers.RepeatedCompositeFieldContainer[SuggestedTable]
    deals_left: int
    wide: int
    def __init__(self, tables: _Optional[_Iterable[_Union[SuggestedTable, _Mapping]]] = ..., deals_left: _Optional[int] = ..., wide: _Optional[int] = ...) -> None: ...

class Deviation(_message.Message):
    __slots__ = ("worker", "blocks", "bot", "points", "p", "alarm")
    WORKER_FIELD_NUMBER: _ClassVar[int]
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    P_FIELD_NUMBER: _ClassVar[int]
    ALARM_FIELD_NUMBER: _ClassVar[int]
    worker: str
    blocks: int
    bot: str
    points: float
    p: float
    alarm: bool
    def __init__(self, worker: _Optional[str] = ..., blocks: _Optional[int] = ..., bot: _Optional[str] = ..., points: _Optional[float] = ..., p: _Optional[float] = ..., alarm: _Optional[bool] = ...) -> None: ...

class Lateness(_message.Message):
    __slots__ = ("kind", "name", "timeouts", "decisions", "rate", "rest", "p", "alarm")
    KIND_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    TIMEOUTS_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    RATE_FIELD_NUMBER: _ClassVar[int]
    REST_FIELD_NUMBER: _ClassVar[int]
    P_FIELD_NUMBER: _ClassVar[int]
    ALARM_FIELD_NUMBER: _ClassVar[int]
    kind: str
    name: str
    timeouts: int
    decisions: int
    rate: float
    rest: float
    p: float
    alarm: bool
    def __init__(self, kind: _Optional[str] = ..., name: _Optional[str] = ..., timeouts: _Optional[int] = ..., decisions: _Optional[int] = ..., rate: _Optional[float] = ..., rest: _Optional[float] = ..., p: _Optional[float] = ..., alarm: _Optional[bool] = ...) -> None: ...

class Together(_message.Message):
    __slots__ = ("bot", "other", "blocks", "points", "z", "alarm")
    BOT_FIELD_NUMBER: _ClassVar[int]
    OTHER_FIELD_NUMBER: _ClassVar[int]
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    Z_FIELD_NUMBER: _ClassVar[int]
    ALARM_FIELD_NUMBER: _ClassVar[int]
    bot: str
    other: str
    blocks: int
    points: float
    z: float
    alarm: bool
    def __init__(self, bot: _Optional[str] = ..., other: _Optional[str] = ..., blocks: _Optional[int] = ..., points: _Optional[float] = ..., z: _Optional[float] = ..., alarm: _Optional[bool] = ...) -> None: ...

class ListSuspectsRequest(_message.Message):
    __slots__ = ("pool", "pairs")
    POOL_FIELD_NUMBER: _ClassVar[int]
    PAIRS_FIELD_NUMBER: _ClassVar[int]
    pool: str
    pairs: int
    def __init__(self, pool: _Optional[str] = ..., pairs: _Optional[int] = ...) -> None: ...

class ListSuspectsResponse(_message.Message):
    __slots__ = ("workers", "lateness", "pairs")
    WORKERS_FIELD_NUMBER: _ClassVar[int]
    LATENESS_FIELD_NUMBER: _ClassVar[int]
    PAIRS_FIELD_NUMBER: _ClassVar[int]
    workers: _containers.RepeatedCompositeFieldContainer[Deviation]
    lateness: _containers.RepeatedCompositeFieldContainer[Lateness]
    pairs: _containers.RepeatedCompositeFieldContainer[Together]
    def __init__(self, workers: _Optional[_Iterable[_Union[Deviation, _Mapping]]] = ..., lateness: _Optional[_Iterable[_Union[Lateness, _Mapping]]] = ..., pairs: _Optional[_Iterable[_Union[Together, _Mapping]]] = ...) -> None: ...

class HeldResult(_message.Message):
    __slots__ = ("match", "reason", "worker", "arbiter")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    WORKER_FIELD_NUMBER: _ClassVar[int]
    ARBITER_FIELD_NUMBER: _ClassVar[int]
    match: str
    reason: str
    worker: str
    arbiter: str
    def __init__(self, match: _Optional[str] = ..., reason: _Optional[str] = ..., worker: _Optional[str] = ..., arbiter: _Optional[str] = ...) -> None: ...

class Correction(_message.Message):
    __slots__ = ("match", "kind", "actor", "reason", "time")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    match: str
    kind: str
    actor: str
    reason: str
    time: _timestamp_pb2.Timestamp
    def __init__(self, match: _Optional[str] = ..., kind: _Optional[str] = ..., actor: _Optional[str] = ..., reason: _Optional[str] = ..., time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListHeldResultsRequest(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: str
    def __init__(self, tournament: _Optional[str] = ...) -> None: ...

class ListHeldResultsResponse(_message.Message):
    __slots__ = ("held", "corrections")
    HELD_FIELD_NUMBER: _ClassVar[int]
    CORRECTIONS_FIELD_NUMBER: _ClassVar[int]
    held: _containers.RepeatedCompositeFieldContainer[HeldResult]
    corrections: _containers.RepeatedCompositeFieldContainer[Correction]
    def __init__(self, held: _Optional[_Iterable[_Union[HeldResult, _Mapping]]] = ..., corrections: _Optional[_Iterable[_Union[Correction, _Mapping]]] = ...) -> None: ...

class HoldResultsRequest(_message.Message):
    __slots__ = ("tournament", "worker", "arbiter", "reason")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    WORKER_FIELD_NUMBER: _ClassVar[int]
    ARBITER_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    tournament: str
    worker: str
    arbiter: str
    reason: str
    def __init__(self, tournament: _Optional[str] = ..., worker: _Optional[str] = ..., arbiter: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class HoldResultsResponse(_message.Message):
    __slots__ = ("held",)
    HELD_FIELD_NUMBER: _ClassVar[int]
    held: int
    def __init__(self, held: _Optional[int] = ...) -> None: ...

class ReleaseResultRequest(_message.Message):
    __slots__ = ("match", "reason")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    match: str
    reason: str
    def __init__(self, match: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class ReleaseResultResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
