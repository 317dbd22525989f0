"""Reading a rule set: from named options to a `RuleSet`, or a refusal that says what is wrong."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import StrEnum
from typing import Any, Final

from hearts import cards, options
from hearts.options import FirstTrickForced, FirstTrickPenalty, Leftover, Opening
from hearts.rules import Exact, InvalidRules, RuleSet

#: Cards "auto" takes out so that the pack divides, by (packs, players).
_AUTO_REMOVE: Final[Mapping[tuple[int, int], str]] = {
    (1, 3): "2D",
    (1, 5): "2D 2C",
    (1, 6): "2D 3D 3C 4C",
    (1, 7): "2D 3D 3C",
    (2, 6): "2C 2D",
}
_MOST = 1_000_000

Reader = Callable[[str, object], object]


def resolve(given: Mapping[str, object]) -> RuleSet:
    """The rule set with these options over the default ones. Raises InvalidRules."""
    values: dict[str, Any] = {}
    for option, value in given.items():
        if option not in _READERS:
            raise InvalidRules(option, value, "there is no such option", tuple(_READERS))
        values[option] = _READERS[option](option, value)
    if "players" not in values:
        values["players"] = 4
    _fill_auto(values)
    rules = RuleSet(**values)
    for check in _CHECKS:
        check(rules)
    return rules


def auto_cycle(players: int) -> tuple[int, ...]:
    """Left, right, two left, two right, ...; across last when there is one; then hold."""
    cycle = [offset for far in range(1, (players + 1) // 2) for offset in (far, -far)]
    if players % 2 == 0:
        cycle.append(players // 2)
    return (*cycle, 0)


def _fill_auto(values: dict[str, Any]) -> None:
    if values.get("pass_cycle", "auto") == "auto":
        values["pass_cycle"] = auto_cycle(values["players"])
    if values.get("remove", "auto") == "auto":
        divides_otherwise = values.get(
            "leftover", Leftover.FORBID
        ) is not Leftover.FORBID or values.get("jokers", 0)
        table = (values.get("decks", 1), values["players"])
        out = "" if divides_otherwise else _AUTO_REMOVE.get(table, "")
        values["remove"] = tuple(cards.cards(out))


# Reading one value.


def _whole(low: int, high: int) -> Reader:
    def read(option: str, value: object) -> int:
        if type(value) is not int:
            raise InvalidRules(option, value, "a whole number is needed", (f"{low} to {high}",))
        if not low <= value <= high:
            raise InvalidRules(option, value, "out of range", (f"{low} to {high}",))
        return value

    return read


def _or_none(read: Reader, word: str = "none") -> Reader:
    def read_or_none(option: str, value: object) -> object:
        return None if value is None or value == word else read(option, value)

    return read_or_none


def _one_of(kind: type[StrEnum]) -> Reader:
    def read(option: str, value: object) -> StrEnum:
        allowed = tuple(member.value for member in kind)
        if not isinstance(value, str) or value not in allowed:
            raise InvalidRules(option, value, "there is no such value", allowed)
        return kind(value)

    return read


def _card(option: str, value: object) -> int:
    try:
        return cards.card(value)  # type: ignore[arg-type]  # refuses what is no text, too
    except ValueError as error:
        raise InvalidRules(option, value, str(error)) from None


def _removed(option: str, value: object) -> object:
    if value == "auto":
        return value
    if not isinstance(value, list | tuple):
        raise InvalidRules(option, value, "a list of cards is needed", ("auto", '["2D", ...]'))
    return tuple(_card(option, item) for item in value)


def _cycle(option: str, value: object) -> object:
    if value == "auto":
        return value
    if not isinstance(value, list | tuple) or not value:
        raise InvalidRules(option, value, "a list of offsets is needed", ("auto", "[1, -1, 0]"))
    return tuple(_whole(-9, 9)(option, item) for item in value)


def _points(option: str, value: object) -> tuple[tuple[int, int], ...]:
    if not isinstance(value, Mapping):
        raise InvalidRules(option, value, "cards with their points are needed", ('{"QS": 13}',))
    result: dict[int, int] = {}
    for text, worth in value.items():
        card = _card(option, text)
        if cards.suit(card) == cards.HEARTS:
            raise InvalidRules(option, text, "what hearts count is set by heart_points")
        if card == cards.JOKER:
            raise InvalidRules(option, text, "what jokers count is set by joker_points")
        if points := _whole(-1000, 1000)(option, worth):
            result[card] = points  # type: ignore[assignment]  # a whole number, as just read
    return tuple(sorted(result.items()))


def _exact(option: str, value: object) -> Exact:
    allowed = ('{"score": 100, "becomes": 50}', '{"score": 100, "wins": true}', "none")
    if not isinstance(value, Mapping):
        raise InvalidRules(option, value, "a score and what happens on it are needed", allowed)
    if set(value) == {"score", "becomes"}:
        read = _whole(-_MOST, _MOST)
        return Exact(read(option, value["score"]), read(option, value["becomes"]))  # type: ignore[arg-type]
    if set(value) == {"score", "wins"} and value["wins"] is True:
        return Exact(_whole(-_MOST, _MOST)(option, value["score"]))  # type: ignore[arg-type]
    raise InvalidRules(option, dict(value), "a score and one effect are needed", allowed)


_READERS: Final[dict[str, Reader]] = {
    "players": _whole(3, 10),
    "decks": _whole(1, 2),
    "jokers": _whole(0, 2),
    "joker_points": _whole(-1000, 1000),
    "remove": _removed,
    "leftover": _one_of(options.Leftover),
    "leftover_visible": _one_of(options.LeftoverVisible),
    "first_dealer": _one_of(options.FirstDealer),
    "pass_count": _whole(1, 51),
    "pass_cycle": _cycle,
    "opening": _one_of(options.Opening),
    "first_trick_penalty": _one_of(options.FirstTrickPenalty),
    "first_trick_forced": _one_of(options.FirstTrickForced),
    "hearts_lead": _one_of(options.HeartsLead),
    "break_on": _one_of(options.BreakOn),
    "lead_exception": _one_of(options.LeadException),
    "queen_lead": _one_of(options.QueenLead),
    "duplicate": _one_of(options.Duplicate),
    "cancelled_last": _one_of(options.CancelledLast),
    "renege": _one_of(options.Renege),
    "renege_charge": _one_of(options.RenegeCharge),
    "points": _points,
    "heart_points": _one_of(options.HeartPoints),
    "no_trick_bonus": _whole(0, 1000),
    "moon": _one_of(options.Moon),
    "moon_choice_default": _one_of(options.MoonChoiceDefault),
    "moon_points": _or_none(_whole(0, 10_000), "in_play"),
    "moon_needs": _one_of(options.MoonNeeds),
    "target": _or_none(_whole(1, _MOST)),
    "end": _one_of(options.End),
    "exact": _or_none(_exact),
    "tie": _one_of(options.Tie),
    "max_deals": _or_none(_whole(1, 10_000)),
    "score_floor": _or_none(_whole(-_MOST, _MOST)),
}
# A field added to the rule set without a reader would be silently out of reach.
assert set(_READERS) == {field.name for field in fields(RuleSet)} - {"name"}  # noqa: S101


# What makes a rule set contradict itself, in the order of the rules document.


def _pack_divides(rules: RuleSet) -> None:
    try:
        rules.pack()
    except ValueError:
        out = cards.codes(rules.remove)
        raise InvalidRules("remove", out, "a card to remove is not in the pack") from None
    if rules.hand_size < 1:
        raise InvalidRules("remove", cards.codes(rules.remove), "too few cards for the players")
    if rules.leftover_size and rules.leftover is Leftover.FORBID:
        others = tuple(value.value for value in Leftover if value is not Leftover.FORBID)
        reason = (
            f"{rules.pack_size} cards do not divide among {rules.players} players: "
            "remove cards, or say who gets the leftover ones"
        )
        raise InvalidRules("leftover", rules.leftover.value, reason, others)


def _scoring_cards_exist(rules: RuleSet) -> None:
    pack = set(rules.pack())
    for card, _ in rules.points:
        if card not in pack:
            raise InvalidRules("points", cards.code(card), "this scoring card is not in the pack")
    if rules.joker_points and not rules.jokers:
        raise InvalidRules("joker_points", rules.joker_points, "there is no joker in the pack")


def _pass_is_possible(rules: RuleSet) -> None:
    for offset in rules.pass_cycle:
        if abs(offset) >= rules.players:
            reason = f"an offset of {offset} goes round a table of {rules.players}"
            allowed = (f"{1 - rules.players} to {rules.players - 1}",)
            raise InvalidRules("pass_cycle", list(rules.pass_cycle), reason, allowed)
    if rules.pass_count >= rules.hand_size:
        reason = f"a hand has only {rules.hand_size} cards"
        raise InvalidRules("pass_count", rules.pass_count, reason, (f"1 to {rules.hand_size - 1}",))


def _opening_is_possible(rules: RuleSet) -> None:
    if rules.opening is not Opening.ELDEST and not any(
        cards.suit(card) == cards.CLUBS for card in rules.pack()
    ):
        reason = "there are no clubs in the pack"
        raise InvalidRules("opening", rules.opening.value, reason, (Opening.ELDEST.value,))


def _redeal_has_a_ban(rules: RuleSet) -> None:
    if (
        rules.first_trick_forced is FirstTrickForced.REDEAL
        and rules.first_trick_penalty is FirstTrickPenalty.FREE
    ):
        reason = "nothing is barred from the first trick, so no hand could ask for it"
        allowed = tuple(v.value for v in FirstTrickForced if v is not FirstTrickForced.REDEAL)
        raise InvalidRules("first_trick_forced", "redeal", reason, allowed)


def _game_ends(rules: RuleSet) -> None:
    if rules.max_deals is not None:
        return
    if rules.target is None:
        reason = "without a target the number of deals must be set"
        raise InvalidRules("max_deals", None, reason, ("1 to 10000",))
    if not any(rules.points_of(card) > 0 for card in rules.pack()):
        reason = "no penalty card is left, so no total ever reaches the target"
        raise InvalidRules("max_deals", None, reason, ("1 to 10000",))
    if option := rules.totals_can_fall():
        reason = f"totals can fall ({option}), so the game might never end"
        raise InvalidRules("max_deals", None, reason, ("1 to 10000",))


_CHECKS: Final[tuple[Callable[[RuleSet], None], ...]] = (
    _pack_divides,
    _scoring_cards_exist,
    _pass_is_possible,
    _opening_is_possible,
    _redeal_has_a_ban,
    _game_ends,
)
