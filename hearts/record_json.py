"""The JSON form of a record: the fields of `MatchRecord`, cards as text, named values in lower
case. docs/record.md describes it."""

import json
from array import array
from collections.abc import Mapping
from dataclasses import asdict, fields
from enum import IntEnum
from typing import Any, Final, TypeVar

from hearts.cards import card, code
from hearts.decisions import Phase, Rule
from hearts.limits import Limits
from hearts.match_record import (
    FORMAT,
    PER_DECISION,
    DealRecord,
    Incident,
    IncidentKind,
    MatchRecord,
    RecordError,
    Verdict,
)
from hearts.rules import RuleSet
from hearts.scoring import MatchEnd, MoonChoice

Json = dict[str, Any]
_Kind = TypeVar("_Kind", bound=IntEnum)

_TEXTS: Final = {"match", "tournament", "message"}
#: Fields that hold cards, and fields that hold lists of cards by seat.
_CARDS: Final = {"leftover", "plays", "cards"}
_HANDS: Final = {"hands", "passes"}
_NAMED: Final[Mapping[str, type[IntEnum]]] = {
    "end": MatchEnd,
    "kind": IncidentKind,
    "moon_choice": MoonChoice,
    "phase": Phase,
    "rule": Rule,
    "verdict": Verdict,
}


def to_json(record: MatchRecord, indent: int | None = None) -> str:
    """The record as JSON text."""
    return json.dumps(to_data(record), indent=indent)


def from_json(text: str) -> MatchRecord:
    """The record that `to_json` wrote. Raises RecordError for anything else."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise RecordError(f"no JSON: {error}") from None
    return from_data(data)


def to_data(record: MatchRecord) -> Json:
    """The record as JSON values."""
    result = _plain(record)
    result["rules"] = {"name": record.rules.name, **record.rules.to_options()}
    result["limits"] = asdict(record.limits)
    return {"format": record.format, **result}


def from_data(data: object) -> MatchRecord:
    """The record in JSON values. Raises RecordError naming what is wrong."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise RecordError(f"no record of format {FORMAT}")
    try:
        rules = dict(data["rules"])
        name = rules.pop("name")
        limits = Limits(**data["limits"])
        rest = {key: value for key, value in data.items() if key not in ("rules", "limits")}
        values = _values(MatchRecord, rest)
        values |= {"rules": RuleSet.from_options(rules, name), "limits": limits}
        return MatchRecord(**values)
    except RecordError:
        raise
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise RecordError(f"not a good record: {error!r}") from error


def _plain(item: MatchRecord | DealRecord | Incident) -> Json:
    """The fields of a dataclass as JSON values; what has its default is left out."""
    result: Json = {}
    for field in fields(item):
        value = getattr(item, field.name)
        if value == field.default or (field.name in PER_DECISION and not value):
            continue
        result[field.name] = _plain_value(field.name, value)
    return result


def _plain_value(name: str, value: Any) -> Any:
    if name in _CARDS:
        return [code(number) for number in value]
    if name in _HANDS:
        return [[code(number) for number in hand] for hand in value]
    if name in _NAMED:
        return value.name.lower()
    if name in ("deals", "incidents"):
        return [_plain(item) for item in value]
    return list(value) if isinstance(value, (tuple, array)) else value


def _values(kind: type, data: Mapping[str, Any]) -> Json:
    """Constructor arguments from JSON values. Unknown names are refused."""
    known = {field.name for field in fields(kind)}
    if unknown := set(data) - known:
        raise RecordError(f"unknown field {sorted(unknown)[0]!r} in {kind.__name__}")
    return {name: _value(name, value) for name, value in data.items()}


def _value(name: str, value: Any) -> Any:
    if name in _CARDS:
        return tuple(card(text) for text in value)
    if name in _HANDS:
        return tuple(tuple(card(text) for text in hand) for hand in value)
    if name in _NAMED:
        return named(_NAMED[name], value)
    if name == "deals":
        return tuple(DealRecord(**_values(DealRecord, item)) for item in value)
    if name == "incidents":
        return tuple(Incident(**_values(Incident, item)) for item in value)
    if name in _TEXTS:
        return _text(name, value)
    if name == "seats":
        return tuple(_text(name, item) for item in value)
    return (
        tuple(_number(name, item) for item in value)
        if isinstance(value, list)
        else _number(name, value)
    )


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise RecordError(f"{name}: {value!r} is no text")
    return value


def _number(name: str, value: Any) -> int:
    if type(value) is not int:
        raise RecordError(f"{name}: {value!r} is no whole number")
    return value


def named(kind: type[_Kind], text: str) -> _Kind:
    """The member with this name in lower case. Raises RecordError."""
    try:
        return kind[text.upper()]
    except (AttributeError, KeyError):
        allowed = ", ".join(member.name.lower() for member in kind)
        raise RecordError(f"{text!r} is no {kind.__name__}: {allowed}") from None
