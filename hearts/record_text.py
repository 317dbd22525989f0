"""The text notation of a record: one fact a line, for people first. docs/record.md describes it."""

import json
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from typing import Any, Final

from hearts.cards import cards as parse_cards
from hearts.cards import codes
from hearts.decisions import Phase, Rule
from hearts.limits import Limits
from hearts.match_record import (
    FORMAT,
    DealRecord,
    Incident,
    IncidentKind,
    MatchRecord,
    RecordError,
    Verdict,
    tricks_of,
)
from hearts.record_json import named
from hearts.rules import RuleSet
from hearts.scoring import MatchEnd, MoonChoice

_HEADER: Final = f"hearts record {FORMAT}"


def to_text(record: MatchRecord) -> str:
    """The record in text notation."""
    return "\n".join([*_match_lines(record), *_end_lines(record), ""])


def _match_lines(record: MatchRecord) -> Iterator[str]:
    yield _HEADER
    yield f"match {record.match or '-'}"
    yield f"tournament {record.tournament or '-'}"
    yield f"board {record.board} rotation {record.rotation}"
    yield f"rules {record.rules.name or '-'}"
    for option, value in record.rules.differences().items():
        yield f"option {option} {json.dumps(value)}"
    for field in fields(Limits):
        yield f"limit {field.name} {getattr(record.limits, field.name)}"
    for seat, bot in enumerate(record.seats):
        yield f"seat {seat} {bot}"
    yield from map(_incident_line, record.incidents)
    for deal in record.deals:
        yield ""
        yield from _deal_lines(record.rules, deal)


def _deal_lines(rules: RuleSet, deal: DealRecord) -> Iterator[str]:
    yield (
        f"deal {deal.deal} dealer {deal.dealer} pass {deal.pass_offset} "
        f"redeals {deal.redeals} opener {deal.opener}"
    )
    for seat, hand in enumerate(deal.hands):
        yield f"hand {seat} {codes(hand)}"
    if deal.leftover:
        yield f"leftover {codes(deal.leftover)}"
    for seat, given in enumerate(deal.passes):
        yield f"pass {seat} {codes(given)}"
    for number, trick in enumerate(tricks_of(rules, deal), 1):
        yield f"trick {number} from {trick.leader} {codes(trick.cards)}"
    if deal.moon_choice is not None:
        yield f"choice {deal.moon_choice.name.lower()}"
    yield from map(_incident_line, deal.incidents)
    for word, numbers in (
        ("raw", deal.raw_points),
        ("points", deal.points),
        ("moon", deal.moon),
        ("totals", deal.totals),
        ("asked", deal.decision_seats),
        ("wait_us", deal.wait_us),
        ("think_us", deal.think_us),
        ("queue_us", deal.queue_us),
        ("request_bytes", deal.request_bytes),
        ("reply_bytes", deal.reply_bytes),
    ):
        if numbers:
            yield _numbers(word, numbers)


def _end_lines(record: MatchRecord) -> Iterator[str]:
    yield ""
    yield f"end {record.end.name.lower()}"
    yield _numbers("final", record.totals)
    yield _numbers("places", record.places)


def _numbers(word: str, numbers: Iterable[int]) -> str:
    return " ".join([word, *map(str, numbers)])


def _incident_line(incident: Incident) -> str:
    """Key and value pairs; what is empty is left out."""
    parts = [f"incident {incident.kind.name.lower()} seat {incident.seat}"]
    parts.append(f"decision {incident.decision} plays {incident.after_plays}")
    for word, value in (
        ("phase", incident.phase),
        ("rule", incident.rule),
        ("verdict", incident.verdict),
        ("choice", incident.moon_choice),
    ):
        if value is not None:
            parts.append(f"{word} {value.name.lower()}")
    parts.append(f"elapsed_us {incident.elapsed_us}")
    if incident.cards:
        parts.append(f"cards {','.join(codes(incident.cards).split())}")
    if incident.message:
        parts.append(f"message {shlex.quote(' '.join(incident.message.split()))}")
    return " ".join(parts)


def from_text(text: str) -> MatchRecord:
    """The record that `to_text` wrote. Raises RecordError naming the line."""
    reader = _Reader()
    lines = text.splitlines()
    if not lines or lines[0].strip() != _HEADER:
        raise RecordError(f"line 1: {_HEADER!r} is expected")
    for number, line in enumerate(lines[1:], 2):
        word, _, rest = line.strip().partition(" ")
        if not word or word.startswith("#"):
            continue
        if word not in _WORDS:
            raise RecordError(f"line {number}: unknown word {word!r}")
        try:
            _WORDS[word](reader, rest.strip())
        except (IndexError, KeyError, TypeError, ValueError) as error:
            raise RecordError(f"line {number}: {error}") from None
    return reader.finish()


class _Reader:
    """Collects what the lines say."""

    def __init__(self) -> None:
        self.match: dict[str, Any] = {"seats": [], "incidents": []}
        self.options: dict[str, object] = {}
        self.limits: dict[str, int] = {}
        self.deals: list[dict[str, Any]] = []
        self.leaders: list[tuple[int, int, int]] = []

    @property
    def here(self) -> dict[str, Any]:
        """The deal being read."""
        if not self.deals:
            raise ValueError("this belongs to a deal, and none has begun")
        return self.deals[-1]

    def finish(self) -> MatchRecord:
        values = _frozen(self.match)
        try:
            rules = RuleSet.from_options(self.options, values.pop("name"))
            deals = tuple(DealRecord(**_frozen(deal)) for deal in self.deals)
            record = MatchRecord(rules=rules, limits=Limits(**self.limits), deals=deals, **values)
        except (KeyError, TypeError, ValueError) as error:
            raise RecordError(f"the record is not complete: {error}") from None
        self._check_leaders(record)
        return record

    def _check_leaders(self, record: MatchRecord) -> None:
        for at, number, leader in self.leaders:
            trick = tricks_of(record.rules, record.deals[at])[number - 1]
            if trick.leader != leader:
                raise RecordError(
                    f"deal {at}, trick {number}: seat {trick.leader} leads, not seat {leader}"
                )


def _frozen(values: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(v) if isinstance(v, list) else v for key, v in values.items()}


def _pairs(text: str) -> dict[str, str]:
    words = shlex.split(text)
    if len(words) % 2:
        raise ValueError("words and values in turn are expected")
    return dict(zip(words[::2], words[1::2], strict=True))


def _name(text: str) -> str:
    return "" if text == "-" else text


def _read_board(reader: _Reader, rest: str) -> None:
    pairs = _pairs(f"board {rest}")
    reader.match |= {"board": int(pairs["board"]), "rotation": int(pairs["rotation"])}


def _read_option(reader: _Reader, rest: str) -> None:
    option, _, value = rest.partition(" ")
    reader.options[option] = json.loads(value)


def _read_limit(reader: _Reader, rest: str) -> None:
    name, value = rest.split()
    reader.limits[name] = int(value)


def _in_order(items: list[Any], seat: str, item: Any) -> None:
    if int(seat) != len(items):
        raise ValueError(f"seat {len(items)} is expected")
    items.append(item)


def _read_seat(reader: _Reader, rest: str) -> None:
    seat, bot = rest.split()
    _in_order(reader.match["seats"], seat, bot)


def _read_deal(reader: _Reader, rest: str) -> None:
    pairs = _pairs(f"deal {rest}")
    deal: dict[str, Any] = {"hands": [], "passes": [], "plays": [], "incidents": []}
    deal |= {"deal": int(pairs["deal"]), "dealer": int(pairs["dealer"])}
    deal |= {"pass_offset": int(pairs["pass"]), "redeals": int(pairs["redeals"])}
    reader.deals.append(deal | {"opener": int(pairs["opener"])})


def _read_hand(field: str) -> Callable[[_Reader, str], None]:
    def read(reader: _Reader, rest: str) -> None:
        seat, _, hand = rest.partition(" ")
        _in_order(reader.here[field], seat, tuple(parse_cards(hand)))

    return read


def _read_leftover(reader: _Reader, rest: str) -> None:
    reader.here["leftover"] = tuple(parse_cards(rest))


def _read_trick(reader: _Reader, rest: str) -> None:
    number, _, leader, *played = rest.split()
    reader.leaders.append((len(reader.deals) - 1, int(number), int(leader)))
    reader.here["plays"] += parse_cards(" ".join(played))


def _read_choice(reader: _Reader, rest: str) -> None:
    reader.here["moon_choice"] = named(MoonChoice, rest)


def _read_incident(reader: _Reader, rest: str) -> None:
    pairs = _pairs(f"kind {rest}")
    cards = parse_cards(pairs.get("cards", "").replace(",", " "))
    incident = Incident(
        seat=int(pairs["seat"]),
        kind=named(IncidentKind, pairs["kind"]),
        decision=int(pairs["decision"]),
        phase=named(Phase, pairs["phase"]) if "phase" in pairs else None,
        after_plays=int(pairs["plays"]),
        rule=named(Rule, pairs["rule"]) if "rule" in pairs else None,
        verdict=named(Verdict, pairs["verdict"]) if "verdict" in pairs else None,
        cards=tuple(cards),
        moon_choice=named(MoonChoice, pairs["choice"]) if "choice" in pairs else None,
        elapsed_us=int(pairs["elapsed_us"]),
        message=pairs.get("message", ""),
    )
    (reader.deals[-1] if reader.deals else reader.match)["incidents"].append(incident)


def _read_name(field: str) -> Callable[[_Reader, str], None]:
    def read(reader: _Reader, rest: str) -> None:
        reader.match[field] = _name(rest)

    return read


def _whole(rest: str) -> Sequence[int]:
    return tuple(int(word) for word in rest.split())


def _read_numbers(field: str) -> Callable[[_Reader, str], None]:
    def read(reader: _Reader, rest: str) -> None:
        reader.here[field] = _whole(rest)

    return read


def _read_final(field: str) -> Callable[[_Reader, str], None]:
    def read(reader: _Reader, rest: str) -> None:
        reader.match[field] = _whole(rest)

    return read


def _read_end(reader: _Reader, rest: str) -> None:
    reader.match["end"] = named(MatchEnd, rest)


_WORDS: Final[dict[str, Callable[[_Reader, str], None]]] = {
    "match": _read_name("match"),
    "tournament": _read_name("tournament"),
    "board": _read_board,
    "rules": _read_name("name"),
    "option": _read_option,
    "limit": _read_limit,
    "seat": _read_seat,
    "deal": _read_deal,
    "hand": _read_hand("hands"),
    "leftover": _read_leftover,
    "pass": _read_hand("passes"),
    "trick": _read_trick,
    "choice": _read_choice,
    "incident": _read_incident,
    "raw": _read_numbers("raw_points"),
    "points": _read_numbers("points"),
    "moon": _read_numbers("moon"),
    "totals": _read_numbers("totals"),
    "asked": _read_numbers("decision_seats"),
    "wait_us": _read_numbers("wait_us"),
    "think_us": _read_numbers("think_us"),
    "queue_us": _read_numbers("queue_us"),
    "request_bytes": _read_numbers("request_bytes"),
    "reply_bytes": _read_numbers("reply_bytes"),
    "end": _read_end,
    "final": _read_final("totals"),
    "places": _read_final("places"),
}
