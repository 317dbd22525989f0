from hearts.v1 import cards_pb2 as _cards_pb2
from hearts.v1 import play_pb2 as _play_pb2
from hearts.v1 import rules_pb2 as _rules_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class IncidentKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    INCIDENT_KIND_UNSPECIFIED: _ClassVar[IncidentKind]
    INCIDENT_KIND_REFUSED: _ClassVar[IncidentKind]
    INCIDENT_KIND_LATE: _ClassVar[IncidentKind]
    INCIDENT_KIND_VERDICT: _ClassVar[IncidentKind]
    INCIDENT_KIND_RETIRED: _ClassVar[IncidentKind]
    INCIDENT_KIND_LOST: _ClassVar[IncidentKind]
    INCIDENT_KIND_BACK: _ClassVar[IncidentKind]
INCIDENT_KIND_UNSPECIFIED: IncidentKind
INCIDENT_KIND_REFUSED: IncidentKind
INCIDENT_KIND_LATE: IncidentKind
INCIDENT_KIND_VERDICT: IncidentKind
INCIDENT_KIND_RETIRED: IncidentKind
INCIDENT_KIND_LOST: IncidentKind
INCIDENT_KIND_BACK: IncidentKind

class MatchRecord(_message.Message):
    __slots__ = ("format", "match", "tournament", "rules", "limits", "seats", "board", "rotation", "deals", "end", "totals", "places", "incidents")
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    BOARD_FIELD_NUMBER: _ClassVar[int]
    ROTATION_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    INCIDENTS_FIELD_NUMBER: _ClassVar[int]
    format: int
    match: str
    tournament: str
    rules: _rules_pb2.RuleSet
    limits: _play_pb2.Limits
    seats: _containers.RepeatedScalarFieldContainer[str]
    board: int
    rotation: int
    deals: _containers.RepeatedCompositeFieldContainer[DealRecord]
    end: _play_pb2.MatchEnd
    totals: _containers.RepeatedScalarFieldContainer[int]
    places: _containers.RepeatedScalarFieldContainer[int]
    incidents: _containers.RepeatedCompositeFieldContainer[Incident]
    def __init__(self, format: _Optional[int] = ..., match: _Optional[str] = ..., tournament: _Optional[str] = ..., rules: _Optional[_Union[_rules_pb2.RuleSet, _Mapping]] = ..., limits: _Optional[_Union[_play_pb2.Limits, _Mapping]] = ..., seats: _Optional[_Iterable[str]] = ..., board: _Optional[int] = ..., rotation: _Optional[int] = ..., deals: _Optional[_Iterable[_Union[DealRecord, _Mapping]]] = ..., end: _Optional[_Union[_play_pb2.MatchEnd, str]] = ..., totals: _Optional[_Iterable[int]] = ..., places: _Optional[_Iterable[int]] = ..., incidents: _Optional[_Iterable[_Union[Incident, _Mapping]]] = ...) -> None: ...

class CardList(_message.Message):
    __slots__ = ("cards",)
    CARDS_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    def __init__(self, cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ...) -> None: ...

class DealRecord(_message.Message):
    __slots__ = ("deal", "dealer", "pass_offset", "redeals", "hands", "passes", "leftover", "opener", "plays", "moon_choice", "incidents", "raw_points", "points", "totals", "moon", "decision_seats", "wait_us", "think_us", "queue_us", "request_bytes", "reply_bytes")
    DEAL_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    PASS_OFFSET_FIELD_NUMBER: _ClassVar[int]
    REDEALS_FIELD_NUMBER: _ClassVar[int]
    HANDS_FIELD_NUMBER: _ClassVar[int]
    PASSES_FIELD_NUMBER: _ClassVar[int]
    LEFTOVER_FIELD_NUMBER: _ClassVar[int]
    OPENER_FIELD_NUMBER: _ClassVar[int]
    PLAYS_FIELD_NUMBER: _ClassVar[int]
    MOON_CHOICE_FIELD_NUMBER: _ClassVar[int]
    INCIDENTS_FIELD_NUMBER: _ClassVar[int]
    RAW_POINTS_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    MOON_FIELD_NUMBER: _ClassVar[int]
    DECISION_SEATS_FIELD_NUMBER: _ClassVar[int]
    WAIT_US_FIELD_NUMBER: _ClassVar[int]
    THINK_US_FIELD_NUMBER: _ClassVar[int]
    QUEUE_US_FIELD_NUMBER: _ClassVar[int]
    REQUEST_BYTES_FIELD_NUMBER: _ClassVar[int]
    REPLY_BYTES_FIELD_NUMBER: _ClassVar[int]
    deal: int
    dealer: int
    pass_offset: int
    redeals: int
    hands: _containers.RepeatedCompositeFieldContainer[CardList]
    passes: _containers.RepeatedCompositeFieldContainer[CardList]
    leftover: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    opener: int
    plays: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    moon_choice: _play_pb2.MoonChoice
    incidents: _containers.RepeatedCompositeFieldContainer[Incident]
    raw_points: _containers.RepeatedScalarFieldContainer[int]
    points: _containers.RepeatedScalarFieldContainer[int]
    totals: _containers.RepeatedScalarFieldContainer[int]
    moon: _containers.RepeatedScalarFieldContainer[int]
    decision_seats: _containers.RepeatedScalarFieldContainer[int]
    wait_us: _containers.RepeatedScalarFieldContainer[int]
    think_us: _containers.RepeatedScalarFieldContainer[int]
    queue_us: _containers.RepeatedScalarFieldContainer[int]
    request_bytes: _containers.RepeatedScalarFieldContainer[int]
    reply_bytes: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, deal: _Optional[int] = ..., dealer: _Optional[int] = ..., pass_offset: _Optional[int] = ..., redeals: _Optional[int] = ..., hands: _Optional[_Iterable[_Union[CardList, _Mapping]]] = ..., passes: _Optional[_Iterable[_Union[CardList, _Mapping]]] = ..., leftover: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., opener: _Optional[int] = ..., plays: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., moon_choice: _Optional[_Union[_play_pb2.MoonChoice, str]] = ..., incidents: _Optional[_Iterable[_Union[Incident, _Mapping]]] = ..., raw_points: _Optional[_Iterable[int]] = ..., points: _Optional[_Iterable[int]] = ..., totals: _Optional[_Iterable[int]] = ..., moon: _Optional[_Iterable[int]] = ..., decision_seats: _Optional[_Iterable[int]] = ..., wait_us: _Optional[_Iterable[int]] = ..., think_us: _Optional[_Iterable[int]] = ..., queue_us: _Optional[_Iterable[int]] = ..., request_bytes: _Optional[_Iterable[int]] = ..., reply_bytes: _Optional[_Iterable[int]] = ...) -> None: ...

class Incident(_message.Message):
    __slots__ = ("seat", "decision", "phase", "after_plays", "kind", "rule", "verdict", "cards", "moon_choice", "elapsed_us", "message")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    AFTER_PLAYS_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    MOON_CHOICE_FIELD_NUMBER: _ClassVar[int]
    ELAPSED_US_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    seat: int
    decision: int
    phase: _play_pb2.Phase
    after_plays: int
    kind: IncidentKind
    rule: _play_pb2.Rule
    verdict: _play_pb2.Verdict
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    moon_choice: _play_pb2.MoonChoice
    elapsed_us: int
    message: str
    def __init__(self, seat: _Optional[int] = ..., decision: _Optional[int] = ..., phase: _Optional[_Union[_play_pb2.Phase, str]] = ..., after_plays: _Optional[int] = ..., kind: _Optional[_Union[IncidentKind, str]] = ..., rule: _Optional[_Union[_play_pb2.Rule, str]] = ..., verdict: _Optional[_Union[_play_pb2.Verdict, str]] = ..., cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., moon_choice: _Optional[_Union[_play_pb2.MoonChoice, str]] = ..., elapsed_us: _Optional[int] = ..., message: _Optional[str] = ...) -> None: ...
