from hearts.v1 import cards_pb2 as _cards_pb2
from hearts.v1 import rules_pb2 as _rules_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Phase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PHASE_UNSPECIFIED: _ClassVar[Phase]
    PHASE_PASS: _ClassVar[Phase]
    PHASE_PLAY: _ClassVar[Phase]
    PHASE_MOON_CHOICE: _ClassVar[Phase]

class MoonChoice(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MOON_CHOICE_UNSPECIFIED: _ClassVar[MoonChoice]
    MOON_CHOICE_OTHERS: _ClassVar[MoonChoice]
    MOON_CHOICE_SELF: _ClassVar[MoonChoice]

class Rule(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RULE_UNSPECIFIED: _ClassVar[Rule]
    RULE_MALFORMED: _ClassVar[Rule]
    RULE_UNKNOWN_CARD: _ClassVar[Rule]
    RULE_NOT_IN_HAND: _ClassVar[Rule]
    RULE_MUST_FOLLOW_SUIT: _ClassVar[Rule]
    RULE_MUST_OPEN: _ClassVar[Rule]
    RULE_PENALTY_ON_FIRST_TRICK: _ClassVar[Rule]
    RULE_HEARTS_NOT_BROKEN: _ClassVar[Rule]
    RULE_QUEEN_NOT_BROKEN: _ClassVar[Rule]
    RULE_WRONG_COUNT: _ClassVar[Rule]
    RULE_DUPLICATE_CARD: _ClassVar[Rule]
    RULE_OUT_OF_TURN: _ClassVar[Rule]
    RULE_TOO_LATE: _ClassVar[Rule]
    RULE_RENEGE_WARNING: _ClassVar[Rule]
    RULE_MUST_LEAD_QUEEN: _ClassVar[Rule]

class Verdict(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VERDICT_UNSPECIFIED: _ClassVar[Verdict]
    VERDICT_TIMEOUT: _ClassVar[Verdict]
    VERDICT_ILLEGAL: _ClassVar[Verdict]
    VERDICT_MALFORMED: _ClassVar[Verdict]
    VERDICT_CRASH: _ClassVar[Verdict]
    VERDICT_NO_START: _ClassVar[Verdict]
    VERDICT_NO_SHOW: _ClassVar[Verdict]
    VERDICT_LEFT: _ClassVar[Verdict]
    VERDICT_FAILED_INFRA: _ClassVar[Verdict]
    VERDICT_VOID: _ClassVar[Verdict]

class MatchEnd(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MATCH_END_UNSPECIFIED: _ClassVar[MatchEnd]
    MATCH_END_TARGET: _ClassVar[MatchEnd]
    MATCH_END_DEALS: _ClassVar[MatchEnd]
    MATCH_END_EXACT: _ClassVar[MatchEnd]
    MATCH_END_FORFEIT: _ClassVar[MatchEnd]
    MATCH_END_ADJUDICATED: _ClassVar[MatchEnd]
    MATCH_END_ABANDONED: _ClassVar[MatchEnd]
PHASE_UNSPECIFIED: Phase
PHASE_PASS: Phase
PHASE_PLAY: Phase
PHASE_MOON_CHOICE: Phase
MOON_CHOICE_UNSPECIFIED: MoonChoice
MOON_CHOICE_OTHERS: MoonChoice
MOON_CHOICE_SELF: MoonChoice
RULE_UNSPECIFIED: Rule
RULE_MALFORMED: Rule
RULE_UNKNOWN_CARD: Rule
RULE_NOT_IN_HAND: Rule
RULE_MUST_FOLLOW_SUIT: Rule
RULE_MUST_OPEN: Rule
RULE_PENALTY_ON_FIRST_TRICK: Rule
RULE_HEARTS_NOT_BROKEN: Rule
RULE_QUEEN_NOT_BROKEN: Rule
RULE_WRONG_COUNT: Rule
RULE_DUPLICATE_CARD: Rule
RULE_OUT_OF_TURN: Rule
RULE_TOO_LATE: Rule
RULE_RENEGE_WARNING: Rule
RULE_MUST_LEAD_QUEEN: Rule
VERDICT_UNSPECIFIED: Verdict
VERDICT_TIMEOUT: Verdict
VERDICT_ILLEGAL: Verdict
VERDICT_MALFORMED: Verdict
VERDICT_CRASH: Verdict
VERDICT_NO_START: Verdict
VERDICT_NO_SHOW: Verdict
VERDICT_LEFT: Verdict
VERDICT_FAILED_INFRA: Verdict
VERDICT_VOID: Verdict
MATCH_END_UNSPECIFIED: MatchEnd
MATCH_END_TARGET: MatchEnd
MATCH_END_DEALS: MatchEnd
MATCH_END_EXACT: MatchEnd
MATCH_END_FORFEIT: MatchEnd
MATCH_END_ADJUDICATED: MatchEnd
MATCH_END_ABANDONED: MatchEnd

class PlayRequest(_message.Message):
    __slots__ = ("frame",)
    FRAME_FIELD_NUMBER: _ClassVar[int]
    frame: BotFrame
    def __init__(self, frame: _Optional[_Union[BotFrame, _Mapping]] = ...) -> None: ...

class PlayResponse(_message.Message):
    __slots__ = ("frame",)
    FRAME_FIELD_NUMBER: _ClassVar[int]
    frame: ArbiterFrame
    def __init__(self, frame: _Optional[_Union[ArbiterFrame, _Mapping]] = ...) -> None: ...

class BotFrame(_message.Message):
    __slots__ = ("hello", "replies", "ready", "leaving")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    REPLIES_FIELD_NUMBER: _ClassVar[int]
    READY_FIELD_NUMBER: _ClassVar[int]
    LEAVING_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    replies: _containers.RepeatedCompositeFieldContainer[Reply]
    ready: _containers.RepeatedScalarFieldContainer[int]
    leaving: bool
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., replies: _Optional[_Iterable[_Union[Reply, _Mapping]]] = ..., ready: _Optional[_Iterable[int]] = ..., leaving: _Optional[bool] = ...) -> None: ...

class ArbiterFrame(_message.Message):
    __slots__ = ("hello", "events", "goodbye")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    GOODBYE_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    events: _containers.RepeatedCompositeFieldContainer[Event]
    goodbye: Goodbye
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., events: _Optional[_Iterable[_Union[Event, _Mapping]]] = ..., goodbye: _Optional[_Union[Goodbye, _Mapping]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("protocol_min", "protocol_max", "sdk_name", "sdk_version", "bot", "max_tables", "proof")
    PROTOCOL_MIN_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_MAX_FIELD_NUMBER: _ClassVar[int]
    SDK_NAME_FIELD_NUMBER: _ClassVar[int]
    SDK_VERSION_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    MAX_TABLES_FIELD_NUMBER: _ClassVar[int]
    PROOF_FIELD_NUMBER: _ClassVar[int]
    protocol_min: int
    protocol_max: int
    sdk_name: str
    sdk_version: str
    bot: str
    max_tables: int
    proof: str
    def __init__(self, protocol_min: _Optional[int] = ..., protocol_max: _Optional[int] = ..., sdk_name: _Optional[str] = ..., sdk_version: _Optional[str] = ..., bot: _Optional[str] = ..., max_tables: _Optional[int] = ..., proof: _Optional[str] = ...) -> None: ...

class Goodbye(_message.Message):
    __slots__ = ("reason", "retry_after_ms")
    REASON_FIELD_NUMBER: _ClassVar[int]
    RETRY_AFTER_MS_FIELD_NUMBER: _ClassVar[int]
    reason: str
    retry_after_ms: int
    def __init__(self, reason: _Optional[str] = ..., retry_after_ms: _Optional[int] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("table", "sequence", "match_start", "deal_start", "passed", "turn", "refusal", "fallback", "deal_over", "match_over", "leftover_taken")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    MATCH_START_FIELD_NUMBER: _ClassVar[int]
    DEAL_START_FIELD_NUMBER: _ClassVar[int]
    PASSED_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    FALLBACK_FIELD_NUMBER: _ClassVar[int]
    DEAL_OVER_FIELD_NUMBER: _ClassVar[int]
    MATCH_OVER_FIELD_NUMBER: _ClassVar[int]
    LEFTOVER_TAKEN_FIELD_NUMBER: _ClassVar[int]
    table: int
    sequence: int
    match_start: MatchStart
    deal_start: DealStart
    passed: Passed
    turn: Turn
    refusal: Refusal
    fallback: Fallback
    deal_over: DealOver
    match_over: MatchOver
    leftover_taken: LeftoverTaken
    def __init__(self, table: _Optional[int] = ..., sequence: _Optional[int] = ..., match_start: _Optional[_Union[MatchStart, _Mapping]] = ..., deal_start: _Optional[_Union[DealStart, _Mapping]] = ..., passed: _Optional[_Union[Passed, _Mapping]] = ..., turn: _Optional[_Union[Turn, _Mapping]] = ..., refusal: _Optional[_Union[Refusal, _Mapping]] = ..., fallback: _Optional[_Union[Fallback, _Mapping]] = ..., deal_over: _Optional[_Union[DealOver, _Mapping]] = ..., match_over: _Optional[_Union[MatchOver, _Mapping]] = ..., leftover_taken: _Optional[_Union[LeftoverTaken, _Mapping]] = ...) -> None: ...

class MatchStart(_message.Message):
    __slots__ = ("tag", "seat", "rules", "limits", "epoch", "resume")
    TAG_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    RESUME_FIELD_NUMBER: _ClassVar[int]
    tag: str
    seat: int
    rules: _rules_pb2.RuleSet
    limits: Limits
    epoch: int
    resume: Resume
    def __init__(self, tag: _Optional[str] = ..., seat: _Optional[int] = ..., rules: _Optional[_Union[_rules_pb2.RuleSet, _Mapping]] = ..., limits: _Optional[_Union[Limits, _Mapping]] = ..., epoch: _Optional[int] = ..., resume: _Optional[_Union[Resume, _Mapping]] = ...) -> None: ...

class Resume(_message.Message):
    __slots__ = ("deal", "passed", "tricks", "leftover")
    DEAL_FIELD_NUMBER: _ClassVar[int]
    PASSED_FIELD_NUMBER: _ClassVar[int]
    TRICKS_FIELD_NUMBER: _ClassVar[int]
    LEFTOVER_FIELD_NUMBER: _ClassVar[int]
    deal: DealStart
    passed: Passed
    tricks: _containers.RepeatedCompositeFieldContainer[Trick]
    leftover: LeftoverTaken
    def __init__(self, deal: _Optional[_Union[DealStart, _Mapping]] = ..., passed: _Optional[_Union[Passed, _Mapping]] = ..., tricks: _Optional[_Iterable[_Union[Trick, _Mapping]]] = ..., leftover: _Optional[_Union[LeftoverTaken, _Mapping]] = ...) -> None: ...

class Trick(_message.Message):
    __slots__ = ("leader", "cards")
    LEADER_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    leader: int
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    def __init__(self, leader: _Optional[int] = ..., cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ...) -> None: ...

class Limits(_message.Message):
    __slots__ = ("connect_ms", "ready_ms", "decision_ms", "bank_ms", "increment_ms", "lag_ms", "max_strikes", "match_ms", "rejoin_ms")
    CONNECT_MS_FIELD_NUMBER: _ClassVar[int]
    READY_MS_FIELD_NUMBER: _ClassVar[int]
    DECISION_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    INCREMENT_MS_FIELD_NUMBER: _ClassVar[int]
    LAG_MS_FIELD_NUMBER: _ClassVar[int]
    MAX_STRIKES_FIELD_NUMBER: _ClassVar[int]
    MATCH_MS_FIELD_NUMBER: _ClassVar[int]
    REJOIN_MS_FIELD_NUMBER: _ClassVar[int]
    connect_ms: int
    ready_ms: int
    decision_ms: int
    bank_ms: int
    increment_ms: int
    lag_ms: int
    max_strikes: int
    match_ms: int
    rejoin_ms: int
    def __init__(self, connect_ms: _Optional[int] = ..., ready_ms: _Optional[int] = ..., decision_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ..., increment_ms: _Optional[int] = ..., lag_ms: _Optional[int] = ..., max_strikes: _Optional[int] = ..., match_ms: _Optional[int] = ..., rejoin_ms: _Optional[int] = ...) -> None: ...

class DealStart(_message.Message):
    __slots__ = ("deal", "dealer", "pass_offset", "hand", "totals", "redeals")
    DEAL_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    PASS_OFFSET_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    REDEALS_FIELD_NUMBER: _ClassVar[int]
    deal: int
    dealer: int
    pass_offset: int
    hand: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    totals: _containers.RepeatedScalarFieldContainer[int]
    redeals: int
    def __init__(self, deal: _Optional[int] = ..., dealer: _Optional[int] = ..., pass_offset: _Optional[int] = ..., hand: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., totals: _Optional[_Iterable[int]] = ..., redeals: _Optional[int] = ...) -> None: ...

class LeftoverTaken(_message.Message):
    __slots__ = ("seat", "cards")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    def __init__(self, seat: _Optional[int] = ..., cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ...) -> None: ...

class Passed(_message.Message):
    __slots__ = ("gave", "received", "hand")
    GAVE_FIELD_NUMBER: _ClassVar[int]
    RECEIVED_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    gave: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    received: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    hand: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    def __init__(self, gave: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., received: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., hand: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ...) -> None: ...

class Turn(_message.Message):
    __slots__ = ("decision", "phase", "time_left_ms", "bank_left_ms", "hand", "legal", "leader", "trick", "last_leader", "last_trick", "trick_number", "hearts_broken", "totals", "seed", "pass_count", "pass_offset", "totals_if_others", "totals_if_self")
    DECISION_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    TIME_LEFT_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_LEFT_MS_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    LEADER_FIELD_NUMBER: _ClassVar[int]
    TRICK_FIELD_NUMBER: _ClassVar[int]
    LAST_LEADER_FIELD_NUMBER: _ClassVar[int]
    LAST_TRICK_FIELD_NUMBER: _ClassVar[int]
    TRICK_NUMBER_FIELD_NUMBER: _ClassVar[int]
    HEARTS_BROKEN_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    PASS_COUNT_FIELD_NUMBER: _ClassVar[int]
    PASS_OFFSET_FIELD_NUMBER: _ClassVar[int]
    TOTALS_IF_OTHERS_FIELD_NUMBER: _ClassVar[int]
    TOTALS_IF_SELF_FIELD_NUMBER: _ClassVar[int]
    decision: int
    phase: Phase
    time_left_ms: int
    bank_left_ms: int
    hand: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    legal: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    leader: int
    trick: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    last_leader: int
    last_trick: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    trick_number: int
    hearts_broken: bool
    totals: _containers.RepeatedScalarFieldContainer[int]
    seed: int
    pass_count: int
    pass_offset: int
    totals_if_others: _containers.RepeatedScalarFieldContainer[int]
    totals_if_self: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, decision: _Optional[int] = ..., phase: _Optional[_Union[Phase, str]] = ..., time_left_ms: _Optional[int] = ..., bank_left_ms: _Optional[int] = ..., hand: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., legal: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., leader: _Optional[int] = ..., trick: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., last_leader: _Optional[int] = ..., last_trick: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., trick_number: _Optional[int] = ..., hearts_broken: _Optional[bool] = ..., totals: _Optional[_Iterable[int]] = ..., seed: _Optional[int] = ..., pass_count: _Optional[int] = ..., pass_offset: _Optional[int] = ..., totals_if_others: _Optional[_Iterable[int]] = ..., totals_if_self: _Optional[_Iterable[int]] = ...) -> None: ...

class Reply(_message.Message):
    __slots__ = ("table", "decision", "card", "cards", "moon_choice", "think_us")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    MOON_CHOICE_FIELD_NUMBER: _ClassVar[int]
    THINK_US_FIELD_NUMBER: _ClassVar[int]
    table: int
    decision: int
    card: _cards_pb2.Card
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    moon_choice: MoonChoice
    think_us: int
    def __init__(self, table: _Optional[int] = ..., decision: _Optional[int] = ..., card: _Optional[_Union[_cards_pb2.Card, str]] = ..., cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., moon_choice: _Optional[_Union[MoonChoice, str]] = ..., think_us: _Optional[int] = ...) -> None: ...

class Refusal(_message.Message):
    __slots__ = ("decision", "rule", "legal", "time_left_ms", "message")
    DECISION_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    TIME_LEFT_MS_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    decision: int
    rule: Rule
    legal: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    time_left_ms: int
    message: str
    def __init__(self, decision: _Optional[int] = ..., rule: _Optional[_Union[Rule, str]] = ..., legal: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., time_left_ms: _Optional[int] = ..., message: _Optional[str] = ...) -> None: ...

class Fallback(_message.Message):
    __slots__ = ("decision", "verdict", "phase", "cards", "moon_choice", "strikes", "retired")
    DECISION_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    MOON_CHOICE_FIELD_NUMBER: _ClassVar[int]
    STRIKES_FIELD_NUMBER: _ClassVar[int]
    RETIRED_FIELD_NUMBER: _ClassVar[int]
    decision: int
    verdict: Verdict
    phase: Phase
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    moon_choice: MoonChoice
    strikes: int
    retired: bool
    def __init__(self, decision: _Optional[int] = ..., verdict: _Optional[_Union[Verdict, str]] = ..., phase: _Optional[_Union[Phase, str]] = ..., cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., moon_choice: _Optional[_Union[MoonChoice, str]] = ..., strikes: _Optional[int] = ..., retired: _Optional[bool] = ...) -> None: ...

class DealOver(_message.Message):
    __slots__ = ("deal", "points", "totals", "moon", "last_trick")
    DEAL_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    MOON_FIELD_NUMBER: _ClassVar[int]
    LAST_TRICK_FIELD_NUMBER: _ClassVar[int]
    deal: int
    points: _containers.RepeatedScalarFieldContainer[int]
    totals: _containers.RepeatedScalarFieldContainer[int]
    moon: _containers.RepeatedScalarFieldContainer[int]
    last_trick: Trick
    def __init__(self, deal: _Optional[int] = ..., points: _Optional[_Iterable[int]] = ..., totals: _Optional[_Iterable[int]] = ..., moon: _Optional[_Iterable[int]] = ..., last_trick: _Optional[_Union[Trick, _Mapping]] = ...) -> None: ...

class MatchOver(_message.Message):
    __slots__ = ("reason", "totals", "places")
    REASON_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    reason: MatchEnd
    totals: _containers.RepeatedScalarFieldContainer[int]
    places: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, reason: _Optional[_Union[MatchEnd, str]] = ..., totals: _Optional[_Iterable[int]] = ..., places: _Optional[_Iterable[int]] = ...) -> None: ...
