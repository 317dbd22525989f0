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
    FORMAT_SWISS: _ClassVar[Format]
    FORMAT_KNOCKOUT: _ClassVar[Format]
    FORMAT_HALVING: _ClassVar[Format]
    FORMAT_LADDER: _ClassVar[Format]
    FORMAT_GAUNTLET: _ClassVar[Format]
    FORMAT_VERSUS: _ClassVar[Format]

class Missed(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MISSED_UNSPECIFIED: _ClassVar[Missed]
    MISSED_ONCE: _ClassVar[Missed]
    MISSED_SKIP: _ClassVar[Missed]

class TournamentState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TOURNAMENT_STATE_UNSPECIFIED: _ClassVar[TournamentState]
    TOURNAMENT_STATE_RUNNING: _ClassVar[TournamentState]
    TOURNAMENT_STATE_FINISHED: _ClassVar[TournamentState]
    TOURNAMENT_STATE_CANCELLED: _ClassVar[TournamentState]
    TOURNAMENT_STATE_PAUSED: _ClassVar[TournamentState]
    TOURNAMENT_STATE_SCHEDULED: _ClassVar[TournamentState]
FORMAT_UNSPECIFIED: Format
FORMAT_ROUND_ROBIN: Format
FORMAT_SWISS: Format
FORMAT_KNOCKOUT: Format
FORMAT_HALVING: Format
FORMAT_LADDER: Format
FORMAT_GAUNTLET: Format
FORMAT_VERSUS: Format
MISSED_UNSPECIFIED: Missed
MISSED_ONCE: Missed
MISSED_SKIP: Missed
TOURNAMENT_STATE_UNSPECIFIED: TournamentState
TOURNAMENT_STATE_RUNNING: TournamentState
TOURNAMENT_STATE_FINISHED: TournamentState
TOURNAMENT_STATE_CANCELLED: TournamentState
TOURNAMENT_STATE_PAUSED: TournamentState
TOURNAMENT_STATE_SCHEDULED: TournamentState

class Stage(_message.Message):
    __slots__ = ("format", "boards", "rounds", "advance", "winners", "double_elimination", "challenger", "h0", "h1", "alpha", "beta", "max_boards", "separate", "confidence")
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    BOARDS_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    ADVANCE_FIELD_NUMBER: _ClassVar[int]
    WINNERS_FIELD_NUMBER: _ClassVar[int]
    DOUBLE_ELIMINATION_FIELD_NUMBER: _ClassVar[int]
    CHALLENGER_FIELD_NUMBER: _ClassVar[int]
    H0_FIELD_NUMBER: _ClassVar[int]
    H1_FIELD_NUMBER: _ClassVar[int]
    ALPHA_FIELD_NUMBER: _ClassVar[int]
    BETA_FIELD_NUMBER: _ClassVar[int]
    MAX_BOARDS_FIELD_NUMBER: _ClassVar[int]
    SEPARATE_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    format: Format
    boards: int
    rounds: int
    advance: int
    winners: int
    double_elimination: bool
    challenger: str
    h0: float
    h1: float
    alpha: float
    beta: float
    max_boards: int
    separate: int
    confidence: float
    def __init__(self, format: _Optional[_Union[Format, str]] = ..., boards: _Optional[int] = ..., rounds: _Optional[int] = ..., advance: _Optional[int] = ..., winners: _Optional[int] = ..., double_elimination: _Optional[bool] = ..., challenger: _Optional[str] = ..., h0: _Optional[float] = ..., h1: _Optional[float] = ..., alpha: _Optional[float] = ..., beta: _Optional[float] = ..., max_boards: _Optional[int] = ..., separate: _Optional[int] = ..., confidence: _Optional[float] = ...) -> None: ...

class Start(_message.Message):
    __slots__ = ("at", "cron", "zone", "entries", "missed")
    AT_FIELD_NUMBER: _ClassVar[int]
    CRON_FIELD_NUMBER: _ClassVar[int]
    ZONE_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    MISSED_FIELD_NUMBER: _ClassVar[int]
    at: str
    cron: str
    zone: str
    entries: int
    missed: Missed
    def __init__(self, at: _Optional[str] = ..., cron: _Optional[str] = ..., zone: _Optional[str] = ..., entries: _Optional[int] = ..., missed: _Optional[_Union[Missed, str]] = ...) -> None: ...

class TournamentSpec(_message.Message):
    __slots__ = ("title", "format", "rules", "deals", "boards", "duplicate", "clock", "entries", "seed", "secret", "trust_repeats", "unrated", "stages", "start")
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
    STAGES_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
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
    stages: _containers.RepeatedCompositeFieldContainer[Stage]
    start: Start
    def __init__(self, title: _Optional[str] = ..., format: _Optional[_Union[Format, str]] = ..., rules: _Optional[_Union[_rules_pb2.RuleSet, _Mapping]] = ..., deals: _Optional[int] = ..., boards: _Optional[int] = ..., duplicate: _Optional[bool] = ..., clock: _Optional[_Union[_play_pb2.Limits, _Mapping]] = ..., entries: _Optional[_Iterable[str]] = ..., seed: _Optional[int] = ..., secret: _Optional[str] = ..., trust_repeats: _Optional[bool] = ..., unrated: _Optional[bool] = ..., stages: _Optional[_Iterable[_Union[Stage, _Mapping]]] = ..., start: _Optional[_Union[Start, _Mapping]] = ...) -> None: ...

class Tournament(_message.Message):
    __slots__ = ("name", "spec", "state", "reason", "matches_planned", "matches_done", "matches_failed", "matches_running", "deals_done", "create_time", "finish_time", "commitment", "revealed_secret", "rated", "entries", "entered", "start_time", "series", "waves", "matches_dropped")
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
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    ENTERED_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    SERIES_FIELD_NUMBER: _ClassVar[int]
    WAVES_FIELD_NUMBER: _ClassVar[int]
    MATCHES_DROPPED_FIELD_NUMBER: _ClassVar[int]
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
    entries: _containers.RepeatedScalarFieldContainer[str]
    entered: int
    start_time: _timestamp_pb2.Timestamp
    series: str
    waves: int
    matches_dropped: int
    def __init__(self, name: _Optional[str] = ..., spec: _Optional[_Union[TournamentSpec, _Mapping]] = ..., state: _Optional[_Union[TournamentState, str]] = ..., reason: _Optional[str] = ..., matches_planned: _Optional[int] = ..., matches_done: _Optional[int] = ..., matches_failed: _Optional[int] = ..., matches_running: _Optional[int] = ..., deals_done: _Optional[int] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., finish_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., commitment: _Optional[str] = ..., revealed_secret: _Optional[str] = ..., rated: _Optional[bool] = ..., entries: _Optional[_Iterable[str]] = ..., entered: _Optional[int] = ..., start_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., series: _Optional[str] = ..., waves: _Optional[int] = ..., matches_dropped: _Optional[int] = ...) -> None: ...

class RoundTable(_message.Message):
    __slots__ = ("table", "bots", "points", "matches", "matches_done", "going_on")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    MATCHES_DONE_FIELD_NUMBER: _ClassVar[int]
    GOING_ON_FIELD_NUMBER: _ClassVar[int]
    table: int
    bots: _containers.RepeatedScalarFieldContainer[str]
    points: _containers.RepeatedScalarFieldContainer[float]
    matches: int
    matches_done: int
    going_on: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, table: _Optional[int] = ..., bots: _Optional[_Iterable[str]] = ..., points: _Optional[_Iterable[float]] = ..., matches: _Optional[int] = ..., matches_done: _Optional[int] = ..., going_on: _Optional[_Iterable[str]] = ...) -> None: ...

class Round(_message.Message):
    __slots__ = ("stage", "round", "format", "tables", "sit_outs")
    STAGE_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    SIT_OUTS_FIELD_NUMBER: _ClassVar[int]
    stage: int
    round: int
    format: Format
    tables: _containers.RepeatedCompositeFieldContainer[RoundTable]
    sit_outs: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, stage: _Optional[int] = ..., round: _Optional[int] = ..., format: _Optional[_Union[Format, str]] = ..., tables: _Optional[_Iterable[_Union[RoundTable, _Mapping]]] = ..., sit_outs: _Optional[_Iterable[str]] = ...) -> None: ...

class Blocker(_message.Message):
    __slots__ = ("match", "seats", "reason", "stuck")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    STUCK_FIELD_NUMBER: _ClassVar[int]
    match: str
    seats: _containers.RepeatedScalarFieldContainer[str]
    reason: str
    stuck: bool
    def __init__(self, match: _Optional[str] = ..., seats: _Optional[_Iterable[str]] = ..., reason: _Optional[str] = ..., stuck: _Optional[bool] = ...) -> None: ...

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

class PlanTournamentRequest(_message.Message):
    __slots__ = ("spec",)
    SPEC_FIELD_NUMBER: _ClassVar[int]
    spec: TournamentSpec
    def __init__(self, spec: _Optional[_Union[TournamentSpec, _Mapping]] = ...) -> None: ...

class PlanTournamentResponse(_message.Message):
    __slots__ = ("spec", "first_round", "rounds", "matches", "deals", "exact", "unknown", "start_time", "deals_per_second")
    SPEC_FIELD_NUMBER: _ClassVar[int]
    FIRST_ROUND_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    EXACT_FIELD_NUMBER: _ClassVar[int]
    UNKNOWN_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    DEALS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    spec: TournamentSpec
    first_round: Round
    rounds: int
    matches: int
    deals: int
    exact: bool
    unknown: _containers.RepeatedScalarFieldContainer[str]
    start_time: _timestamp_pb2.Timestamp
    deals_per_second: float
    def __init__(self, spec: _Optional[_Union[TournamentSpec, _Mapping]] = ..., first_round: _Optional[_Union[Round, _Mapping]] = ..., rounds: _Optional[int] = ..., matches: _Optional[int] = ..., deals: _Optional[int] = ..., exact: _Optional[bool] = ..., unknown: _Optional[_Iterable[str]] = ..., start_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., deals_per_second: _Optional[float] = ...) -> None: ...

class ExplainTournamentRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class ExplainTournamentResponse(_message.Message):
    __slots__ = ("tournament", "waits_for", "blockers", "blockers_total", "precision")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    WAITS_FOR_FIELD_NUMBER: _ClassVar[int]
    BLOCKERS_FIELD_NUMBER: _ClassVar[int]
    BLOCKERS_TOTAL_FIELD_NUMBER: _ClassVar[int]
    PRECISION_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    waits_for: str
    blockers: _containers.RepeatedCompositeFieldContainer[Blocker]
    blockers_total: int
    precision: str
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ..., waits_for: _Optional[str] = ..., blockers: _Optional[_Iterable[_Union[Blocker, _Mapping]]] = ..., blockers_total: _Optional[int] = ..., precision: _Optional[str] = ...) -> None: ...

class ListRoundsRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class ListRoundsResponse(_message.Message):
    __slots__ = ("tournament", "rounds")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    rounds: _containers.RepeatedCompositeFieldContainer[Round]
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ..., rounds: _Optional[_Iterable[_Union[Round, _Mapping]]] = ...) -> None: ...

class PauseTournamentRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class PauseTournamentResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ...) -> None: ...

class ResumeTournamentRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class ResumeTournamentResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ...) -> None: ...

class EnterTournamentRequest(_message.Message):
    __slots__ = ("name", "bot")
    NAME_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    name: str
    bot: str
    def __init__(self, name: _Optional[str] = ..., bot: _Optional[str] = ...) -> None: ...

class EnterTournamentResponse(_message.Message):
    __slots__ = ("tournament", "entered")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    ENTERED_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    entered: bool
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ..., entered: _Optional[bool] = ...) -> None: ...

class WithdrawFromTournamentRequest(_message.Message):
    __slots__ = ("name", "bot")
    NAME_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    name: str
    bot: str
    def __init__(self, name: _Optional[str] = ..., bot: _Optional[str] = ...) -> None: ...

class WithdrawFromTournamentResponse(_message.Message):
    __slots__ = ("tournament", "withdrawn", "matches_dropped")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    WITHDRAWN_FIELD_NUMBER: _ClassVar[int]
    MATCHES_DROPPED_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    withdrawn: bool
    matches_dropped: int
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ..., withdrawn: _Optional[bool] = ..., matches_dropped: _Optional[int] = ...) -> None: ...
