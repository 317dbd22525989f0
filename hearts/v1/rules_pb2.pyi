from hearts.v1 import cards_pb2 as _cards_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Leftover(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LEFTOVER_UNSPECIFIED: _ClassVar[Leftover]
    LEFTOVER_FORBID: _ClassVar[Leftover]
    LEFTOVER_DEAD: _ClassVar[Leftover]
    LEFTOVER_FIRST_TRICK: _ClassVar[Leftover]
    LEFTOVER_FIRST_HEART: _ClassVar[Leftover]
    LEFTOVER_FIRST_PENALTY: _ClassVar[Leftover]

class LeftoverVisible(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LEFTOVER_VISIBLE_UNSPECIFIED: _ClassVar[LeftoverVisible]
    LEFTOVER_VISIBLE_TAKER: _ClassVar[LeftoverVisible]
    LEFTOVER_VISIBLE_NEVER: _ClassVar[LeftoverVisible]
    LEFTOVER_VISIBLE_ALL: _ClassVar[LeftoverVisible]

class FirstDealer(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FIRST_DEALER_UNSPECIFIED: _ClassVar[FirstDealer]
    FIRST_DEALER_RANDOM: _ClassVar[FirstDealer]
    FIRST_DEALER_LOW_CARD: _ClassVar[FirstDealer]
    FIRST_DEALER_SEAT0: _ClassVar[FirstDealer]

class Opening(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OPENING_UNSPECIFIED: _ClassVar[Opening]
    OPENING_LOW_CLUB: _ClassVar[Opening]
    OPENING_ANY_CLUB: _ClassVar[Opening]
    OPENING_ELDEST: _ClassVar[Opening]

class FirstTrickPenalty(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FIRST_TRICK_PENALTY_UNSPECIFIED: _ClassVar[FirstTrickPenalty]
    FIRST_TRICK_PENALTY_BARRED: _ClassVar[FirstTrickPenalty]
    FIRST_TRICK_PENALTY_FREE: _ClassVar[FirstTrickPenalty]
    FIRST_TRICK_PENALTY_QUEEN_BARRED: _ClassVar[FirstTrickPenalty]

class FirstTrickForced(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FIRST_TRICK_FORCED_UNSPECIFIED: _ClassVar[FirstTrickForced]
    FIRST_TRICK_FORCED_ANY: _ClassVar[FirstTrickForced]
    FIRST_TRICK_FORCED_HEARTS: _ClassVar[FirstTrickForced]
    FIRST_TRICK_FORCED_QUEEN: _ClassVar[FirstTrickForced]
    FIRST_TRICK_FORCED_REDEAL: _ClassVar[FirstTrickForced]

class HeartsLead(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    HEARTS_LEAD_UNSPECIFIED: _ClassVar[HeartsLead]
    HEARTS_LEAD_BROKEN: _ClassVar[HeartsLead]
    HEARTS_LEAD_FREE: _ClassVar[HeartsLead]

class BreakOn(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BREAK_ON_UNSPECIFIED: _ClassVar[BreakOn]
    BREAK_ON_HEART: _ClassVar[BreakOn]
    BREAK_ON_HEART_OR_QUEEN: _ClassVar[BreakOn]
    BREAK_ON_ANY_PENALTY: _ClassVar[BreakOn]

class LeadException(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LEAD_EXCEPTION_UNSPECIFIED: _ClassVar[LeadException]
    LEAD_EXCEPTION_ONLY_HEARTS: _ClassVar[LeadException]
    LEAD_EXCEPTION_ONLY_PENALTY: _ClassVar[LeadException]

class QueenLead(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    QUEEN_LEAD_UNSPECIFIED: _ClassVar[QueenLead]
    QUEEN_LEAD_FREE: _ClassVar[QueenLead]
    QUEEN_LEAD_BROKEN: _ClassVar[QueenLead]

class DuplicateCards(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DUPLICATE_CARDS_UNSPECIFIED: _ClassVar[DuplicateCards]
    DUPLICATE_CARDS_CANCEL: _ClassVar[DuplicateCards]
    DUPLICATE_CARDS_FIRST: _ClassVar[DuplicateCards]
    DUPLICATE_CARDS_LAST: _ClassVar[DuplicateCards]

class CancelledLast(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CANCELLED_LAST_UNSPECIFIED: _ClassVar[CancelledLast]
    CANCELLED_LAST_LEADER: _ClassVar[CancelledLast]
    CANCELLED_LAST_HIGHEST_PAIR_SECOND: _ClassVar[CancelledLast]
    CANCELLED_LAST_SPLIT_PAIR: _ClassVar[CancelledLast]
    CANCELLED_LAST_NOBODY: _ClassVar[CancelledLast]

class Renege(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RENEGE_UNSPECIFIED: _ClassVar[Renege]
    RENEGE_REJECT: _ClassVar[Renege]
    RENEGE_PENALISE: _ClassVar[Renege]

class RenegeCharge(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RENEGE_CHARGE_UNSPECIFIED: _ClassVar[RenegeCharge]
    RENEGE_CHARGE_HEARTS: _ClassVar[RenegeCharge]
    RENEGE_CHARGE_ALL: _ClassVar[RenegeCharge]

class HeartPoints(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    HEART_POINTS_UNSPECIFIED: _ClassVar[HeartPoints]
    HEART_POINTS_FLAT: _ClassVar[HeartPoints]
    HEART_POINTS_RANK: _ClassVar[HeartPoints]
    HEART_POINTS_FACE: _ClassVar[HeartPoints]

class Moon(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MOON_UNSPECIFIED: _ClassVar[Moon]
    MOON_OTHERS: _ClassVar[Moon]
    MOON_SELF: _ClassVar[Moon]
    MOON_CHOOSE: _ClassVar[Moon]
    MOON_AUTO: _ClassVar[Moon]
    MOON_OFF: _ClassVar[Moon]

class MoonChoiceDefault(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MOON_CHOICE_DEFAULT_UNSPECIFIED: _ClassVar[MoonChoiceDefault]
    MOON_CHOICE_DEFAULT_AUTO: _ClassVar[MoonChoiceDefault]
    MOON_CHOICE_DEFAULT_OTHERS: _ClassVar[MoonChoiceDefault]
    MOON_CHOICE_DEFAULT_SELF: _ClassVar[MoonChoiceDefault]

class MoonNeeds(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MOON_NEEDS_UNSPECIFIED: _ClassVar[MoonNeeds]
    MOON_NEEDS_PENALTIES: _ClassVar[MoonNeeds]
    MOON_NEEDS_PENALTIES_AND_BONUS: _ClassVar[MoonNeeds]

class End(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    END_UNSPECIFIED: _ClassVar[End]
    END_REACH: _ClassVar[End]
    END_EXCEED: _ClassVar[End]

class Tie(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TIE_UNSPECIFIED: _ClassVar[Tie]
    TIE_SHARE: _ClassVar[Tie]
    TIE_PLAY_ON: _ClassVar[Tie]
LEFTOVER_UNSPECIFIED: Leftover
LEFTOVER_FORBID: Leftover
LEFTOVER_DEAD: Leftover
LEFTOVER_FIRST_TRICK: Leftover
LEFTOVER_FIRST_HEART: Leftover
LEFTOVER_FIRST_PENALTY: Leftover
LEFTOVER_VISIBLE_UNSPECIFIED: LeftoverVisible
LEFTOVER_VISIBLE_TAKER: LeftoverVisible
LEFTOVER_VISIBLE_NEVER: LeftoverVisible
LEFTOVER_VISIBLE_ALL: LeftoverVisible
FIRST_DEALER_UNSPECIFIED: FirstDealer
FIRST_DEALER_RANDOM: FirstDealer
FIRST_DEALER_LOW_CARD: FirstDealer
FIRST_DEALER_SEAT0: FirstDealer
OPENING_UNSPECIFIED: Opening
OPENING_LOW_CLUB: Opening
OPENING_ANY_CLUB: Opening
OPENING_ELDEST: Opening
FIRST_TRICK_PENALTY_UNSPECIFIED: FirstTrickPenalty
FIRST_TRICK_PENALTY_BARRED: FirstTrickPenalty
FIRST_TRICK_PENALTY_FREE: FirstTrickPenalty
FIRST_TRICK_PENALTY_QUEEN_BARRED: FirstTrickPenalty
FIRST_TRICK_FORCED_UNSPECIFIED: FirstTrickForced
FIRST_TRICK_FORCED_ANY: FirstTrickForced
FIRST_TRICK_FORCED_HEARTS: FirstTrickForced
FIRST_TRICK_FORCED_QUEEN: FirstTrickForced
FIRST_TRICK_FORCED_REDEAL: FirstTrickForced
HEARTS_LEAD_UNSPECIFIED: HeartsLead
HEARTS_LEAD_BROKEN: HeartsLead
HEARTS_LEAD_FREE: HeartsLead
BREAK_ON_UNSPECIFIED: BreakOn
BREAK_ON_HEART: BreakOn
BREAK_ON_HEART_OR_QUEEN: BreakOn
BREAK_ON_ANY_PENALTY: BreakOn
LEAD_EXCEPTION_UNSPECIFIED: LeadException
LEAD_EXCEPTION_ONLY_HEARTS: LeadException
LEAD_EXCEPTION_ONLY_PENALTY: LeadException
QUEEN_LEAD_UNSPECIFIED: QueenLead
QUEEN_LEAD_FREE: QueenLead
QUEEN_LEAD_BROKEN: QueenLead
DUPLICATE_CARDS_UNSPECIFIED: DuplicateCards
DUPLICATE_CARDS_CANCEL: DuplicateCards
DUPLICATE_CARDS_FIRST: DuplicateCards
DUPLICATE_CARDS_LAST: DuplicateCards
CANCELLED_LAST_UNSPECIFIED: CancelledLast
CANCELLED_LAST_LEADER: CancelledLast
CANCELLED_LAST_HIGHEST_PAIR_SECOND: CancelledLast
CANCELLED_LAST_SPLIT_PAIR: CancelledLast
CANCELLED_LAST_NOBODY: CancelledLast
RENEGE_UNSPECIFIED: Renege
RENEGE_REJECT: Renege
RENEGE_PENALISE: Renege
RENEGE_CHARGE_UNSPECIFIED: RenegeCharge
RENEGE_CHARGE_HEARTS: RenegeCharge
RENEGE_CHARGE_ALL: RenegeCharge
HEART_POINTS_UNSPECIFIED: HeartPoints
HEART_POINTS_FLAT: HeartPoints
HEART_POINTS_RANK: HeartPoints
HEART_POINTS_FACE: HeartPoints
MOON_UNSPECIFIED: Moon
MOON_OTHERS: Moon
MOON_SELF: Moon
MOON_CHOOSE: Moon
MOON_AUTO: Moon
MOON_OFF: Moon
MOON_CHOICE_DEFAULT_UNSPECIFIED: MoonChoiceDefault
MOON_CHOICE_DEFAULT_AUTO: MoonChoiceDefault
MOON_CHOICE_DEFAULT_OTHERS: MoonChoiceDefault
MOON_CHOICE_DEFAULT_SELF: MoonChoiceDefault
MOON_NEEDS_UNSPECIFIED: MoonNeeds
MOON_NEEDS_PENALTIES: MoonNeeds
MOON_NEEDS_PENALTIES_AND_BONUS: MoonNeeds
END_UNSPECIFIED: End
END_REACH: End
END_EXCEED: End
TIE_UNSPECIFIED: Tie
TIE_SHARE: Tie
TIE_PLAY_ON: Tie

class RuleSet(_message.Message):
    __slots__ = ("name", "players", "decks", "jokers", "joker_points", "remove", "leftover", "leftover_visible", "first_dealer", "pass_count", "pass_cycle", "opening", "first_trick_penalty", "first_trick_forced", "hearts_lead", "break_on", "lead_exception", "queen_lead", "duplicate", "cancelled_last", "renege", "renege_charge", "points", "heart_points", "no_trick_bonus", "moon", "moon_choice_default", "moon_points", "moon_needs", "target", "end", "exact", "tie", "max_deals", "score_floor")
    NAME_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    DECKS_FIELD_NUMBER: _ClassVar[int]
    JOKERS_FIELD_NUMBER: _ClassVar[int]
    JOKER_POINTS_FIELD_NUMBER: _ClassVar[int]
    REMOVE_FIELD_NUMBER: _ClassVar[int]
    LEFTOVER_FIELD_NUMBER: _ClassVar[int]
    LEFTOVER_VISIBLE_FIELD_NUMBER: _ClassVar[int]
    FIRST_DEALER_FIELD_NUMBER: _ClassVar[int]
    PASS_COUNT_FIELD_NUMBER: _ClassVar[int]
    PASS_CYCLE_FIELD_NUMBER: _ClassVar[int]
    OPENING_FIELD_NUMBER: _ClassVar[int]
    FIRST_TRICK_PENALTY_FIELD_NUMBER: _ClassVar[int]
    FIRST_TRICK_FORCED_FIELD_NUMBER: _ClassVar[int]
    HEARTS_LEAD_FIELD_NUMBER: _ClassVar[int]
    BREAK_ON_FIELD_NUMBER: _ClassVar[int]
    LEAD_EXCEPTION_FIELD_NUMBER: _ClassVar[int]
    QUEEN_LEAD_FIELD_NUMBER: _ClassVar[int]
    DUPLICATE_FIELD_NUMBER: _ClassVar[int]
    CANCELLED_LAST_FIELD_NUMBER: _ClassVar[int]
    RENEGE_FIELD_NUMBER: _ClassVar[int]
    RENEGE_CHARGE_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    HEART_POINTS_FIELD_NUMBER: _ClassVar[int]
    NO_TRICK_BONUS_FIELD_NUMBER: _ClassVar[int]
    MOON_FIELD_NUMBER: _ClassVar[int]
    MOON_CHOICE_DEFAULT_FIELD_NUMBER: _ClassVar[int]
    MOON_POINTS_FIELD_NUMBER: _ClassVar[int]
    MOON_NEEDS_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    EXACT_FIELD_NUMBER: _ClassVar[int]
    TIE_FIELD_NUMBER: _ClassVar[int]
    MAX_DEALS_FIELD_NUMBER: _ClassVar[int]
    SCORE_FLOOR_FIELD_NUMBER: _ClassVar[int]
    name: str
    players: int
    decks: int
    jokers: int
    joker_points: int
    remove: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    leftover: Leftover
    leftover_visible: LeftoverVisible
    first_dealer: FirstDealer
    pass_count: int
    pass_cycle: _containers.RepeatedScalarFieldContainer[int]
    opening: Opening
    first_trick_penalty: FirstTrickPenalty
    first_trick_forced: FirstTrickForced
    hearts_lead: HeartsLead
    break_on: BreakOn
    lead_exception: LeadException
    queen_lead: QueenLead
    duplicate: DuplicateCards
    cancelled_last: CancelledLast
    renege: Renege
    renege_charge: RenegeCharge
    points: _containers.RepeatedCompositeFieldContainer[CardPoints]
    heart_points: HeartPoints
    no_trick_bonus: int
    moon: Moon
    moon_choice_default: MoonChoiceDefault
    moon_points: int
    moon_needs: MoonNeeds
    target: int
    end: End
    exact: Exact
    tie: Tie
    max_deals: int
    score_floor: int
    def __init__(self, name: _Optional[str] = ..., players: _Optional[int] = ..., decks: _Optional[int] = ..., jokers: _Optional[int] = ..., joker_points: _Optional[int] = ..., remove: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., leftover: _Optional[_Union[Leftover, str]] = ..., leftover_visible: _Optional[_Union[LeftoverVisible, str]] = ..., first_dealer: _Optional[_Union[FirstDealer, str]] = ..., pass_count: _Optional[int] = ..., pass_cycle: _Optional[_Iterable[int]] = ..., opening: _Optional[_Union[Opening, str]] = ..., first_trick_penalty: _Optional[_Union[FirstTrickPenalty, str]] = ..., first_trick_forced: _Optional[_Union[FirstTrickForced, str]] = ..., hearts_lead: _Optional[_Union[HeartsLead, str]] = ..., break_on: _Optional[_Union[BreakOn, str]] = ..., lead_exception: _Optional[_Union[LeadException, str]] = ..., queen_lead: _Optional[_Union[QueenLead, str]] = ..., duplicate: _Optional[_Union[DuplicateCards, str]] = ..., cancelled_last: _Optional[_Union[CancelledLast, str]] = ..., renege: _Optional[_Union[Renege, str]] = ..., renege_charge: _Optional[_Union[RenegeCharge, str]] = ..., points: _Optional[_Iterable[_Union[CardPoints, _Mapping]]] = ..., heart_points: _Optional[_Union[HeartPoints, str]] = ..., no_trick_bonus: _Optional[int] = ..., moon: _Optional[_Union[Moon, str]] = ..., moon_choice_default: _Optional[_Union[MoonChoiceDefault, str]] = ..., moon_points: _Optional[int] = ..., moon_needs: _Optional[_Union[MoonNeeds, str]] = ..., target: _Optional[int] = ..., end: _Optional[_Union[End, str]] = ..., exact: _Optional[_Union[Exact, _Mapping]] = ..., tie: _Optional[_Union[Tie, str]] = ..., max_deals: _Optional[int] = ..., score_floor: _Optional[int] = ...) -> None: ...

class CardPoints(_message.Message):
    __slots__ = ("card", "points")
    CARD_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    card: _cards_pb2.Card
    points: int
    def __init__(self, card: _Optional[_Union[_cards_pb2.Card, str]] = ..., points: _Optional[int] = ...) -> None: ...

class Exact(_message.Message):
    __slots__ = ("score", "becomes", "wins")
    SCORE_FIELD_NUMBER: _ClassVar[int]
    BECOMES_FIELD_NUMBER: _ClassVar[int]
    WINS_FIELD_NUMBER: _ClassVar[int]
    score: int
    becomes: int
    wins: bool
    def __init__(self, score: _Optional[int] = ..., becomes: _Optional[int] = ..., wins: _Optional[bool] = ...) -> None: ...
