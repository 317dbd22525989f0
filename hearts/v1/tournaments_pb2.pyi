import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from hearts.v1 import play_pb2 as _play_pb2
from hearts.v1 import rules_pb2 as _rules_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Format(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FORMAT_UNSPECIFIED: _ClassVar[Format]
    FORMAT_ROUND_ROBIN: _ClassVar[Format]

class TournamentState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TOURNAMENT_STATE_UNSPECIFIED: _ClassVar[TournamentState]
    TOURNAMENT_STATE_RUNNING: _ClassVar[TournamentState]
    TOURNAMENT_STATE_FINISHED: _ClassVar[TournamentState]
    TOURNAMENT_STATE_CANCELLED: _ClassVar[TournamentState]
FORMAT_UNSPECIFIED: Format
FORMAT_ROUND_ROBIN: Format
TOURNAMENT_STATE_UNSPECIFIED: TournamentState
TOURNAMENT_STATE_RUNNING: TournamentState
TOURNAMENT_STATE_FINISHED: TournamentState
TOURNAMENT_STATE_CANCELLED: TournamentState

class TournamentSpec(_message.Message):
    __slots__ = ("title", "format", "rules", "deals", "boards", "duplicate", "clock", "entries", "seed", "secret", "trust_repeats", "unrated")
    TITLE_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    BOARDS_FIELD_NUMBER: _ClassVar[int]
    DUPLICATE_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    SECRET_FIELD_NUMBER: _ClassVar[int]
    TRUST_REPEATS_FIELD_NUMBER: _ClassVar[int]
    UNRATED_FIELD_NUMBER: _ClassVar[int]
    title: str
    format: Format
    rules: _rules_pb2.RuleSet
    deals: int
    boards: int
    duplicate: bool
    clock: _play_pb2.Limits
    entries: _containers.RepeatedScalarFieldContainer[str]
    seed: int
    secret: str
    trust_repeats: bool
    unrated: bool
    def __init__(self, title: _Optional[str] = ..., format: _Optional[_Union[Format, str]] = ..., rules: _Optional[_Union[_rules_pb2.RuleSet, _Mapping]] = ..., deals: _Optional[int] = ..., boards: _Optional[int] = ..., duplicate: _Optional[bool] = ..., clock: _Optional[_Union[_play_pb2.Limits, _Mapping]] = ..., entries: _Optional[_Iterable[str]] = ..., seed: _Optional[int] = ..., secret: _Optional[str] = ..., trust_repeats: _Optional[bool] = ..., unrated: _Optional[bool] = ...) -> None: ...

class Tournament(_message.Message):
    __slots__ = ("name", "spec", "state", "reason", "matches_planned", "matches_done", "matches_failed", "matches_running", "deals_done", "create_time", "finish_time", "commitment", "revealed_secret", "rated")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SPEC_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MATCHES_PLANNED_FIELD_NUMBER: _ClassVar[int]
    MATCHES_DONE_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FAILED_FIELD_NUMBER: _ClassVar[int]
    MATCHES_RUNNING_FIELD_NUMBER: _ClassVar[int]
    DEALS_DONE_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    FINISH_TIME_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    REVEALED_SECRET_FIELD_NUMBER: _ClassVar[int]
    RATED_FIELD_NUMBER: _ClassVar[int]
    name: str
    spec: TournamentSpec
    state: TournamentState
    reason: str
    matches_planned: int
    matches_done: int
    matches_failed: int
    matches_running: int
    deals_done: int
    create_time: _timestamp_pb2.Timestamp
    finish_time: _timestamp_pb2.Timestamp
    commitment: str
    revealed_secret: str
    rated: bool
    def __init__(self, name: _Optional[str] = ..., spec: _Optional[_Union[TournamentSpec, _Mapping]] = ..., state: _Optional[_Union[TournamentState, str]] = ..., reason: _Optional[str] = ..., matches_planned: _Optional[int] = ..., matches_done: _Optional[int] = ..., matches_failed: _Optional[int] = ..., matches_running: _Optional[int] = ..., deals_done: _Optional[int] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., finish_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., commitment: _Optional[str] = ..., revealed_secret: _Optional[str] = ..., rated: _Optional[bool] = ...) -> None: ...

class Standing(_message.Message):
    __slots__ = ("place", "bot", "points_per_deal", "standard_error", "deals", "matches", "mean_place", "wins", "moons", "timeouts", "illegal", "malformed", "crashes", "no_shows", "boards")
    PLACE_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    POINTS_PER_DEAL_FIELD_NUMBER: _ClassVar[int]
    STANDARD_ERROR_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    MEAN_PLACE_FIELD_NUMBER: _ClassVar[int]
    WINS_FIELD_NUMBER: _ClassVar[int]
    MOONS_FIELD_NUMBER: _ClassVar[int]
    TIMEOUTS_FIELD_NUMBER: _ClassVar[int]
    ILLEGAL_FIELD_NUMBER: _ClassVar[int]
    MALFORMED_FIELD_NUMBER: _ClassVar[int]
    CRASHES_FIELD_NUMBER: _ClassVar[int]
    NO_SHOWS_FIELD_NUMBER: _ClassVar[int]
    BOARDS_FIELD_NUMBER: _ClassVar[int]
    place: int
    bot: str
    points_per_deal: float
    standard_error: float
    deals: int
    matches: int
    mean_place: float
    wins: int
    moons: int
    timeouts: int
    illegal: int
    malformed: int
    crashes: int
    no_shows: int
    boards: int
    def __init__(self, place: _Optional[int] = ..., bot: _Optional[str] = ..., points_per_deal: _Optional[float] = ..., standard_error: _Optional[float] = ..., deals: _Optional[int] = ..., matches: _Optional[int] = ..., mean_place: _Optional[float] = ..., wins: _Optional[int] = ..., moons: _Optional[int] = ..., timeouts: _Optional[int] = ..., illegal: _Optional[int] = ..., malformed: _Optional[int] = ..., crashes: _Optional[int] = ..., no_shows: _Optional[int] = ..., boards: _Optional[int] = ...) -> None: ...

class CreateTournamentRequest(_message.Message):
    __slots__ = ("spec", "request_id")
    SPEC_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    spec: TournamentSpec
    request_id: str
    def __init__(self, spec: _Optional[_Union[TournamentSpec, _Mapping]] = ..., request_id: _Optional[str] = ...) -> None: ...

class CreateTournamentResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ...) -> None: ...

class GetTournamentRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class GetTournamentResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ...) -> None: ...

class ListTournamentsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListTournamentsResponse(_message.Message):
    __slots__ = ("tournaments", "next_page_token")
    TOURNAMENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tournaments: _containers.RepeatedCompositeFieldContainer[Tournament]
    next_page_token: str
    def __init__(self, tournaments: _Optional[_Iterable[_Union[Tournament, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetStandingsRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class GetStandingsResponse(_message.Message):
    __slots__ = ("tournament", "standings")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    STANDINGS_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    standings: _containers.RepeatedCompositeFieldContainer[Standing]
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ..., standings: _Optional[_Iterable[_Union[Standing, _Mapping]]] = ...) -> None: ...

class WatchTournamentRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class WatchTournamentResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ...) -> None: ...

class CancelTournamentRequest(_message.Message):
    __slots__ = ("name", "reason")
    NAME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    name: str
    reason: str
    def __init__(self, name: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class CancelTournamentResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ...) -> None: ...
