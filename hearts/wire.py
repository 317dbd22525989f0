"""The only map between the game's own types and those of the wire.

Cards and the enums of decisions and records have the same numbers on both sides; the options of a
rule set are matched by name, so a value missing on either side shows when this module is imported.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields, replace
from enum import IntEnum, StrEnum
from typing import Any, Final, TypeVar

from hearts import options as own
from hearts.cards import code, is_card
from hearts.decisions import Phase, Rule
from hearts.limits import Limits
from hearts.match_record import (
    PER_DECISION,
    DealRecord,
    Incident,
    IncidentKind,
    MatchRecord,
    Verdict,
)
from hearts.presets import PRESET_OPTIONS
from hearts.result import MatchResult, SeatResult
from hearts.rules import InvalidRules, RuleSet, preset
from hearts.scoring import MatchEnd, MoonChoice
from hearts.v1 import matches_pb2, play_pb2, records_pb2, rules_pb2

_Kind = TypeVar("_Kind", bound=IntEnum)

#: Option, its type here, and its enum on the wire.
_ENUMS: Final[Mapping[str, tuple[type[StrEnum], Any]]] = {
    "leftover": (own.Leftover, rules_pb2.Leftover),
    "leftover_visible": (own.LeftoverVisible, rules_pb2.LeftoverVisible),
    "first_dealer": (own.FirstDealer, rules_pb2.FirstDealer),
    "opening": (own.Opening, rules_pb2.Opening),
    "first_trick_penalty": (own.FirstTrickPenalty, rules_pb2.FirstTrickPenalty),
    "first_trick_forced": (own.FirstTrickForced, rules_pb2.FirstTrickForced),
    "hearts_lead": (own.HeartsLead, rules_pb2.HeartsLead),
    "break_on": (own.BreakOn, rules_pb2.BreakOn),
    "lead_exception": (own.LeadException, rules_pb2.LeadException),
    "queen_lead": (own.QueenLead, rules_pb2.QueenLead),
    "duplicate": (own.Duplicate, rules_pb2.DuplicateCards),
    "cancelled_last": (own.CancelledLast, rules_pb2.CancelledLast),
    "renege": (own.Renege, rules_pb2.Renege),
    "renege_charge": (own.RenegeCharge, rules_pb2.RenegeCharge),
    "heart_points": (own.HeartPoints, rules_pb2.HeartPoints),
    "moon": (own.Moon, rules_pb2.Moon),
    "moon_choice_default": (own.MoonChoiceDefault, rules_pb2.MoonChoiceDefault),
    "moon_needs": (own.MoonNeeds, rules_pb2.MoonNeeds),
    "end": (own.End, rules_pb2.End),
    "tie": (own.Tie, rules_pb2.Tie),
}


def _numbers(kind: type[StrEnum], wire: Any) -> dict[StrEnum, int]:
    """The wire's number for each value: DEAD is LEFTOVER_DEAD where 0 is LEFTOVER_UNSPECIFIED."""
    prefix = wire.Name(0).removesuffix("UNSPECIFIED")
    return {value: wire.Value(prefix + value.name) for value in kind}


_TO_WIRE: Final = {option: _numbers(*pair) for option, pair in _ENUMS.items()}
_FROM_WIRE: Final = {
    option: {number: value for value, number in numbers.items()}
    for option, numbers in _TO_WIRE.items()
}

_PLAIN: Final = (
    *("players", "decks", "jokers", "joker_points", "pass_count", "no_trick_bonus"),
    *("moon_points", "target", "max_deals", "score_floor"),
)
#: Options that may be absent, and how the absence is written.
_OPTIONAL: Final = {
    "moon_points": "in_play",
    "target": None,
    "max_deals": None,
    "score_floor": None,
}


# Rule sets.


def rules_to_wire(rules: RuleSet) -> rules_pb2.RuleSet:
    """The complete rule set as a message."""
    message = rules_pb2.RuleSet(name=rules.name)
    for option in _PLAIN:
        value = getattr(rules, option)
        if value is not None:
            setattr(message, option, value)
    for option, numbers in _TO_WIRE.items():
        setattr(message, option, numbers[getattr(rules, option)])
    message.remove.extend(rules.remove)  # type: ignore[arg-type]
    message.pass_cycle.extend(rules.pass_cycle)
    for card, points in rules.points:
        message.points.add(card=card, points=points)
    if rules.exact is not None:
        message.exact.score = rules.exact.score
        if rules.exact.becomes is None:
            message.exact.wins = True
        else:
            message.exact.becomes = rules.exact.becomes
    return message


def rules_from_wire(message: rules_pb2.RuleSet) -> RuleSet:
    """The rule set of a message, checked like one from a file.

    Raises InvalidRules naming the option: also for one that was left unspecified, and for a
    preset's name on rules that differ from it in more than the length of the game.
    """
    given: dict[str, object] = {}
    for option in _PLAIN:
        absent = option in _OPTIONAL and not message.HasField(option)
        given[option] = _OPTIONAL[option] if absent else getattr(message, option)
    for option, values in _FROM_WIRE.items():
        number = getattr(message, option)
        if number not in values:
            allowed = tuple(value.value for value in values.values())
            reason = "there is no such value" if number else "it is not set"
            raise InvalidRules(option, number, reason, allowed)
        given[option] = values[number].value
    given["remove"] = [_card_text("remove", card) for card in message.remove]
    given["pass_cycle"] = list(message.pass_cycle)
    given["points"] = {_card_text("points", item.card): item.points for item in message.points}
    given["exact"] = _exact_from_wire(message)
    return _with_honest_name(RuleSet.from_options(given), message.name)


def _card_text(option: str, card: int) -> str:
    if not is_card(int(card)):
        raise InvalidRules(option, int(card), "there is no such card")
    return code(int(card))


def _exact_from_wire(message: rules_pb2.RuleSet) -> object:
    if not message.HasField("exact"):
        return None
    effect = message.exact.WhichOneof("effect")
    result: dict[str, object] = {"score": message.exact.score}
    if effect is not None:
        result[effect] = getattr(message.exact, effect)
    return result


def _with_honest_name(rules: RuleSet, name: str) -> RuleSet:
    if name in PRESET_OPTIONS:
        length = {"target": rules.target, "max_deals": rules.max_deals, "name": ""}
        if replace(preset(name), **length) != replace(rules, name=""):  # type: ignore[arg-type]
            raise InvalidRules("name", name, "these are not the rules of that preset")
    return replace(rules, name=name)


# Limits.


def limits_to_wire(limits: Limits) -> play_pb2.Limits:
    """The limits as a message."""
    return play_pb2.Limits(**asdict(limits))


def limits_from_wire(message: play_pb2.Limits) -> Limits:
    """The limits of a message, as they stand there (a field left out is 0)."""
    return Limits(**{field.name: getattr(message, field.name) for field in fields(Limits)})


# Records.


def _or_none(kind: type[_Kind], number: int) -> _Kind | None:
    return kind(number) if number else None


def incident_to_wire(incident: Incident) -> records_pb2.Incident:
    """One incident as a message."""
    values = _shallow(incident)
    for name in ("phase", "rule", "verdict", "moon_choice"):
        values[name] = values[name] or 0
    return records_pb2.Incident(**values)


def incident_from_wire(message: records_pb2.Incident) -> Incident:
    """One incident of a record. Raises ValueError for an enum value that is unknown here."""
    return Incident(
        seat=message.seat,
        kind=IncidentKind(message.kind),
        decision=message.decision,
        phase=_or_none(Phase, message.phase),
        after_plays=message.after_plays,
        rule=_or_none(Rule, message.rule),
        verdict=_or_none(Verdict, message.verdict),
        cards=_ints(message.cards),
        moon_choice=_or_none(MoonChoice, message.moon_choice),
        elapsed_us=message.elapsed_us,
        message=message.message,
    )


def _shallow(item: Incident | DealRecord | SeatResult) -> dict[str, Any]:
    return {field.name: getattr(item, field.name) for field in fields(item)}


def _ints(numbers: Iterable[int]) -> tuple[int, ...]:
    return tuple(int(number) for number in numbers)


def deal_to_wire(deal: DealRecord) -> records_pb2.DealRecord:
    """One deal of a record as a message."""
    values = _shallow(deal)
    values["moon_choice"] = deal.moon_choice or 0
    values["incidents"] = [incident_to_wire(incident) for incident in deal.incidents]
    for name in ("hands", "passes"):
        values[name] = [records_pb2.CardList(cards=cards) for cards in values[name]]
    return records_pb2.DealRecord(**values)


def deal_from_wire(message: records_pb2.DealRecord) -> DealRecord:
    """One deal of a record. Raises ValueError for an enum value that is unknown here."""
    return DealRecord(
        deal=message.deal,
        dealer=message.dealer,
        pass_offset=message.pass_offset,
        redeals=message.redeals,
        hands=tuple(_ints(hand.cards) for hand in message.hands),
        passes=tuple(_ints(given.cards) for given in message.passes),
        leftover=_ints(message.leftover),
        opener=message.opener,
        plays=_ints(message.plays),
        moon_choice=_or_none(MoonChoice, message.moon_choice),
        incidents=tuple(map(incident_from_wire, message.incidents)),
        raw_points=_ints(message.raw_points),
        points=_ints(message.points),
        totals=_ints(message.totals),
        moon=_ints(message.moon),
        **{name: getattr(message, name) for name in PER_DECISION},
    )


def record_to_wire(record: MatchRecord) -> records_pb2.MatchRecord:
    """A record as a message."""
    return records_pb2.MatchRecord(
        format=record.format,
        match=record.match,
        tournament=record.tournament,
        rules=rules_to_wire(record.rules),
        limits=limits_to_wire(record.limits),
        seats=record.seats,
        board=record.board,
        rotation=record.rotation,
        deals=[deal_to_wire(deal) for deal in record.deals],
        end=record.end,  # type: ignore[arg-type]
        totals=record.totals,
        places=record.places,
        incidents=[incident_to_wire(incident) for incident in record.incidents],
    )


def record_from_wire(message: records_pb2.MatchRecord) -> MatchRecord:
    """The record of a message. Raises ValueError where a value is unknown here."""
    return MatchRecord(
        format=message.format,
        match=message.match,
        tournament=message.tournament,
        rules=rules_from_wire(message.rules),
        limits=limits_from_wire(message.limits),
        seats=tuple(message.seats),
        board=message.board,
        rotation=message.rotation,
        deals=tuple(map(deal_from_wire, message.deals)),
        end=MatchEnd(message.end),
        totals=_ints(message.totals),
        places=_ints(message.places),
        incidents=tuple(map(incident_from_wire, message.incidents)),
    )


# Results.


def result_to_wire(result: MatchResult) -> matches_pb2.MatchResult:
    """A result as a message."""
    return matches_pb2.MatchResult(
        end=result.end,  # type: ignore[arg-type]
        seats=[
            matches_pb2.SeatResult(**{**_shallow(seat), "verdict": seat.verdict or 0})
            for seat in result.seats
        ],
        deals=[matches_pb2.DealPoints(points=points) for points in result.deals],
        void_block=result.void_block,
    )


def result_from_wire(message: matches_pb2.MatchResult) -> MatchResult:
    """The result of a message. Raises ValueError where a value is unknown here."""
    return MatchResult(
        end=MatchEnd(message.end),
        seats=tuple(
            SeatResult(
                bot=seat.bot,
                points=seat.points,
                place_times_two=seat.place_times_two,
                moons=seat.moons,
                timeouts=seat.timeouts,
                illegal=seat.illegal,
                malformed=seat.malformed,
                fallbacks=seat.fallbacks,
                decisions=seat.decisions,
                verdict=_or_none(Verdict, seat.verdict),
            )
            for seat in message.seats
        ),
        deals=tuple(_ints(deal.points) for deal in message.deals),
        void_block=message.void_block,
    )
