import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from hearts.v1 import cards_pb2 as _cards_pb2
from hearts.v1 import play_pb2 as _play_pb2
from hearts.v1 import records_pb2 as _records_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MatchState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MATCH_STATE_UNSPECIFIED: _ClassVar[MatchState]
    MATCH_STATE_READY: _ClassVar[MatchState]
    MATCH_STATE_RUNNING: _ClassVar[MatchState]
    MATCH_STATE_DONE: _ClassVar[MatchState]
    MATCH_STATE_FAILED_INFRA: _ClassVar[MatchState]
    MATCH_STATE_CANCELLED: _ClassVar[MatchState]
MATCH_STATE_UNSPECIFIED: MatchState
MATCH_STATE_READY: MatchState
MATCH_STATE_RUNNING: MatchState
MATCH_STATE_DONE: MatchState
MATCH_STATE_FAILED_INFRA: MatchState
MATCH_STATE_CANCELLED: MatchState

class Match(_message.Message):
    __slots__ = ("name", "tournament", "stage", "round", "table", "board", "rotation", "seats", "state", "attempts", "failed_attempts", "last_failure", "result", "finish_time", "tag")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    BOARD_FIELD_NUMBER: _ClassVar[int]
    ROTATION_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    FAILED_ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    LAST_FAILURE_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    FINISH_TIME_FIELD_NUMBER: _ClassVar[int]
    TAG_FIELD_NUMBER: _ClassVar[int]
    name: str
    tournament: str
    stage: int
    round: int
    table: int
    board: int
    rotation: int
    seats: _containers.RepeatedScalarFieldContainer[str]
    state: MatchState
    attempts: int
    failed_attempts: int
    last_failure: str
    result: MatchResult
    finish_time: _timestamp_pb2.Timestamp
    tag: str
    def __init__(self, name: _Optional[str] = ..., tournament: _Optional[str] = ..., stage: _Optional[int] = ..., round: _Optional[int] = ..., table: _Optional[int] = ..., board: _Optional[int] = ..., rotation: _Optional[int] = ..., seats: _Optional[_Iterable[str]] = ..., state: _Optional[_Union[MatchState, str]] = ..., attempts: _Optional[int] = ..., failed_attempts: _Optional[int] = ..., last_failure: _Optional[str] = ..., result: _Optional[_Union[MatchResult, _Mapping]] = ..., finish_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., tag: _Optional[str] = ...) -> None: ...

class MatchResult(_message.Message):
    __slots__ = ("end", "seats", "deals", "void_block")
    END_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    VOID_BLOCK_FIELD_NUMBER: _ClassVar[int]
    end: _play_pb2.MatchEnd
    seats: _containers.RepeatedCompositeFieldContainer[SeatResult]
    deals: _containers.RepeatedCompositeFieldContainer[DealPoints]
    void_block: bool
    def __init__(self, end: _Optional[_Union[_play_pb2.MatchEnd, str]] = ..., seats: _Optional[_Iterable[_Union[SeatResult, _Mapping]]] = ..., deals: _Optional[_Iterable[_Union[DealPoints, _Mapping]]] = ..., void_block: _Optional[bool] = ...) -> None: ...

class DealPoints(_message.Message):
    __slots__ = ("points",)
    POINTS_FIELD_NUMBER: _ClassVar[int]
    points: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, points: _Optional[_Iterable[int]] = ...) -> None: ...

class SeatResult(_message.Message):
    __slots__ = ("bot", "points", "place_times_two", "moons", "timeouts", "illegal", "malformed", "fallbacks", "decisions", "verdict")
    BOT_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    PLACE_TIMES_TWO_FIELD_NUMBER: _ClassVar[int]
    MOONS_FIELD_NUMBER: _ClassVar[int]
    TIMEOUTS_FIELD_NUMBER: _ClassVar[int]
    ILLEGAL_FIELD_NUMBER: _ClassVar[int]
    MALFORMED_FIELD_NUMBER: _ClassVar[int]
    FALLBACKS_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    bot: str
    points: int
    place_times_two: int
    moons: int
    timeouts: int
    illegal: int
    malformed: int
    fallbacks: int
    decisions: int
    verdict: _play_pb2.Verdict
    def __init__(self, bot: _Optional[str] = ..., points: _Optional[int] = ..., place_times_two: _Optional[int] = ..., moons: _Optional[int] = ..., timeouts: _Optional[int] = ..., illegal: _Optional[int] = ..., malformed: _Optional[int] = ..., fallbacks: _Optional[int] = ..., decisions: _Optional[int] = ..., verdict: _Optional[_Union[_play_pb2.Verdict, str]] = ...) -> None: ...

class GetMatchRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class GetMatchResponse(_message.Message):
    __slots__ = ("match",)
    MATCH_FIELD_NUMBER: _ClassVar[int]
    match: Match
    def __init__(self, match: _Optional[_Union[Match, _Mapping]] = ...) -> None: ...

class ListMatchesRequest(_message.Message):
    __slots__ = ("tournament", "bot", "state", "page_size", "page_token")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tournament: str
    bot: str
    state: MatchState
    page_size: int
    page_token: str
    def __init__(self, tournament: _Optional[str] = ..., bot: _Optional[str] = ..., state: _Optional[_Union[MatchState, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListMatchesResponse(_message.Message):
    __slots__ = ("matches", "next_page_token")
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[Match]
    next_page_token: str
    def __init__(self, matches: _Optional[_Iterable[_Union[Match, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetMatchRecordRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class GetMatchRecordResponse(_message.Message):
    __slots__ = ("record", "seeds")
    RECORD_FIELD_NUMBER: _ClassVar[int]
    SEEDS_FIELD_NUMBER: _ClassVar[int]
    record: _records_pb2.MatchRecord
    seeds: _containers.RepeatedCompositeFieldContainer[BoardSeed]
    def __init__(self, record: _Optional[_Union[_records_pb2.MatchRecord, _Mapping]] = ..., seeds: _Optional[_Iterable[_Union[BoardSeed, _Mapping]]] = ...) -> None: ...

class BoardSeed(_message.Message):
    __slots__ = ("purpose", "seed")
    PURPOSE_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    purpose: str
    seed: bytes
    def __init__(self, purpose: _Optional[str] = ..., seed: _Optional[bytes] = ...) -> None: ...

class WatchMatchRequest(_message.Message):
    __slots__ = ("name", "after", "attempt")
    NAME_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    name: str
    after: int
    attempt: int
    def __init__(self, name: _Optional[str] = ..., after: _Optional[int] = ..., attempt: _Optional[int] = ...) -> None: ...

class WatchMatchResponse(_message.Message):
    __slots__ = ("attempt", "events", "held_back", "state")
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    HELD_BACK_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    attempt: int
    events: _containers.RepeatedCompositeFieldContainer[TableEvent]
    held_back: bool
    state: MatchState
    def __init__(self, attempt: _Optional[int] = ..., events: _Optional[_Iterable[_Union[TableEvent, _Mapping]]] = ..., held_back: _Optional[bool] = ..., state: _Optional[_Union[MatchState, str]] = ...) -> None: ...

class TableEvent(_message.Message):
    __slots__ = ("sequence", "deal", "passed", "play", "deal_over", "match_over")
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    PASSED_FIELD_NUMBER: _ClassVar[int]
    PLAY_FIELD_NUMBER: _ClassVar[int]
    DEAL_OVER_FIELD_NUMBER: _ClassVar[int]
    MATCH_OVER_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    deal: TableDeal
    passed: TablePass
    play: TablePlay
    deal_over: _records_pb2.DealRecord
    match_over: TableEnd
    def __init__(self, sequence: _Optional[int] = ..., deal: _Optional[_Union[TableDeal, _Mapping]] = ..., passed: _Optional[_Union[TablePass, _Mapping]] = ..., play: _Optional[_Union[TablePlay, _Mapping]] = ..., deal_over: _Optional[_Union[_records_pb2.DealRecord, _Mapping]] = ..., match_over: _Optional[_Union[TableEnd, _Mapping]] = ...) -> None: ...

class TableDeal(_message.Message):
    __slots__ = ("deal", "dealer", "pass_offset", "totals")
    DEAL_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    PASS_OFFSET_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    deal: int
    dealer: int
    pass_offset: int
    totals: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, deal: _Optional[int] = ..., dealer: _Optional[int] = ..., pass_offset: _Optional[int] = ..., totals: _Optional[_Iterable[int]] = ...) -> None: ...

class TablePass(_message.Message):
    __slots__ = ("deal",)
    DEAL_FIELD_NUMBER: _ClassVar[int]
    deal: int
    def __init__(self, deal: _Optional[int] = ...) -> None: ...

class TablePlay(_message.Message):
    __slots__ = ("deal", "trick", "seat", "card")
    DEAL_FIELD_NUMBER: _ClassVar[int]
    TRICK_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    deal: int
    trick: int
    seat: int
    card: _cards_pb2.Card
    def __init__(self, deal: _Optional[int] = ..., trick: _Optional[int] = ..., seat: _Optional[int] = ..., card: _Optional[_Union[_cards_pb2.Card, str]] = ...) -> None: ...

class TableEnd(_message.Message):
    __slots__ = ("reason", "totals", "places")
    REASON_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    reason: _play_pb2.MatchEnd
    totals: _containers.RepeatedScalarFieldContainer[int]
    places: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, reason: _Optional[_Union[_play_pb2.MatchEnd, str]] = ..., totals: _Optional[_Iterable[int]] = ..., places: _Optional[_Iterable[int]] = ...) -> None: ...
