"""Rule sets: what they mean, and which are refused with which words."""

import json
from pathlib import Path
from typing import Any

import pytest

from hearts import wire
from hearts.cards import card
from hearts.rules import PRESETS, InvalidRules, RuleSet, preset, unsupported

DOCUMENT = json.loads((Path(__file__).parent.parent / "data" / "presets.json").read_text())


@pytest.mark.parametrize("name", list(DOCUMENT["presets"]))
def test_each_preset_is_what_the_document_says(name: str) -> None:
    assert preset(name).to_options() == DOCUMENT["presets"][name]["resolved"]
    assert preset(name).name == name
    assert unsupported(preset(name)) is None


def test_there_are_no_other_presets() -> None:
    assert list(DOCUMENT["presets"]) == list(PRESETS)


def test_the_defaults_are_those_of_the_document() -> None:
    default = RuleSet.from_options(DOCUMENT["default"])
    assert default.to_options() == preset("standard").to_options()


@pytest.mark.parametrize("option", list(DOCUMENT["enum"]))
def test_each_named_value_is_allowed_and_no_other(option: str) -> None:
    with pytest.raises(InvalidRules) as refused:
        RuleSet.from_options({option: "nonsense"})
    assert refused.value.option == option
    assert refused.value.value == "nonsense"
    assert sorted(refused.value.allowed) == sorted(DOCUMENT["enum"][option])


def test_the_standard_game_is_the_default() -> None:
    assert RuleSet.from_options({}) == preset("standard") == RuleSet.from_options({}, "standard")
    assert RuleSet(name="standard") == preset("standard")


def test_a_preset_can_be_changed_and_then_has_no_name() -> None:
    five = RuleSet.from_options({"preset": "malay", "players": 5})
    assert five.name == ""
    assert five.remove == (card("2D"), card("2C"))
    assert five.pass_cycle == (1, -1, 2, -2, 0)
    assert five.moon == "choose"


@pytest.mark.parametrize("name", PRESETS)
def test_options_written_out_read_back(name: str) -> None:
    rules = preset(name)
    assert RuleSet.from_options(json.loads(json.dumps(rules.to_options())), name) == rules
    assert RuleSet.from_options(rules.differences(), name) == rules


#: What makes a rule set invalid: the options, the one that is blamed, a word of the reason.
INVALID: list[tuple[dict[str, Any], str, str]] = [
    # The pack does not divide and leftover is forbid.
    ({"players": 5, "remove": []}, "leftover", "do not divide"),
    ({"players": 8}, "leftover", "do not divide"),
    ({"players": 3, "decks": 2}, "leftover", "do not divide"),
    ({"players": 4, "jokers": 1}, "leftover", "do not divide"),
    # A scoring card is not in the pack.
    ({"points": {"QS": 13, "2D": -5}, "players": 3, "max_deals": 9}, "points", "not in the pack"),
    ({"remove": ["QS", "2C", "3C", "4C"]}, "points", "not in the pack"),
    ({"joker_points": 5}, "joker_points", "no joker"),
    # An offset that goes round the table.
    ({"pass_cycle": [4]}, "pass_cycle", "offset"),
    ({"pass_cycle": [1, -4]}, "pass_cycle", "offset"),
    ({"players": 3, "pass_cycle": [3]}, "pass_cycle", "offset"),
    # Passing the whole hand.
    ({"pass_count": 13}, "pass_count", "only 13"),
    ({"players": 10, "leftover": "dead", "pass_count": 5}, "pass_count", "only 5"),
    # An opening by clubs without clubs.
    ({"remove": [f"{r}C" for r in "23456789TJQK"] + ["AC", "2D", "3D", "4D"]}, "opening", "clubs"),
    # A redeal without a ban.
    ({"first_trick_forced": "redeal", "first_trick_penalty": "free"}, "first_trick_forced", "bar"),
    # Totals that can fall, without max_deals; and a game without an end.
    ({"moon": "self"}, "max_deals", "moon"),
    ({"moon": "choose"}, "max_deals", "moon"),
    ({"moon": "auto"}, "max_deals", "moon"),
    ({"points": {"QS": 13, "JD": -10}}, "max_deals", "points"),
    ({"jokers": 2, "players": 6, "joker_points": -1}, "max_deals", "joker_points"),
    ({"no_trick_bonus": 5}, "max_deals", "no_trick_bonus"),
    ({"exact": {"score": 100, "becomes": 50}}, "max_deals", "exact"),
    ({"target": None}, "max_deals", "without a target"),
    # Unknown options and values.
    ({"colour": "red"}, "colour", "no such option"),
    ({"preset": "chess"}, "preset", "no preset"),
    ({"players": 2}, "players", "out of range"),
    ({"players": 11}, "players", "out of range"),
    ({"players": "4"}, "players", "whole number"),
    ({"players": 4.0}, "players", "whole number"),
    ({"players": True}, "players", "whole number"),
    ({"decks": 3}, "decks", "out of range"),
    ({"jokers": 3}, "jokers", "out of range"),
    ({"moon": "everything"}, "moon", "no such value"),
    ({"moon": None}, "moon", "no such value"),
    ({"remove": "2C"}, "remove", "list of cards"),
    ({"remove": ["2C", "2C", "3C", "4C"]}, "remove", "not in the pack"),
    ({"remove": ["1X"]}, "remove", "no card"),
    ({"remove": [2]}, "remove", "no card"),
    ({"pass_cycle": []}, "pass_cycle", "list of offsets"),
    ({"pass_cycle": "left"}, "pass_cycle", "list of offsets"),
    ({"pass_cycle": ["1"]}, "pass_cycle", "whole number"),
    ({"pass_count": 0}, "pass_count", "out of range"),
    ({"points": ["QS"]}, "points", "cards with their points"),
    ({"points": {"QQ": 13}}, "points", "no card"),
    ({"points": {"QS": "13"}}, "points", "whole number"),
    ({"points": {"KH": 5}}, "points", "heart_points"),
    ({"points": {"0C": 5}}, "points", "joker_points"),
    ({"exact": 100}, "exact", "a score"),
    ({"exact": {"score": 100}}, "exact", "one effect"),
    ({"exact": {"score": 100, "wins": False}}, "exact", "one effect"),
    ({"exact": {"score": 100, "wins": True, "becomes": 5}}, "exact", "one effect"),
    ({"moon_points": -1}, "moon_points", "out of range"),
    ({"moon_points": "many"}, "moon_points", "whole number"),
    ({"target": 0}, "target", "out of range"),
    ({"max_deals": 0}, "max_deals", "out of range"),
    ({"score_floor": "zero"}, "score_floor", "whole number"),
    (
        {"remove": [f"{r}H" for r in "23456789TJQKA"] + ["QS", "KS", "AS"], "points": {}},
        "max_deals",
        "no penalty card",
    ),
]


@pytest.mark.parametrize(("options", "option", "word"), INVALID)
def test_an_invalid_rule_set_is_refused_with_its_reason(
    options: dict[str, Any], option: str, word: str
) -> None:
    with pytest.raises(InvalidRules) as refused:
        RuleSet.from_options(options)
    assert refused.value.option == option
    assert word in refused.value.reason
    assert option in str(refused.value)
    assert refused.value.reason in str(refused.value)


def test_max_deals_lets_totals_fall() -> None:
    assert RuleSet.from_options({"moon": "self", "max_deals": 5}).max_deals == 5
    assert RuleSet.from_options({"target": None, "max_deals": 5}).target is None
    assert RuleSet.from_options({"target": "none", "max_deals": 5}).target is None


@pytest.mark.parametrize(
    ("options", "removed"),
    [
        ({"players": 3}, "2D"),
        ({"players": 4}, ""),
        ({"players": 5}, "2D 2C"),
        ({"players": 6}, "2D 3D 3C 4C"),
        ({"players": 7}, "2D 3D 3C"),
        ({"players": 6, "decks": 2}, "2C 2D"),
        ({"players": 5, "leftover": "dead"}, ""),
        ({"players": 6, "jokers": 2}, ""),
    ],
)
def test_auto_takes_out_what_makes_the_pack_divide(options: dict[str, Any], removed: str) -> None:
    assert RuleSet.from_options(options).to_options()["remove"] == removed.split()


@pytest.mark.parametrize(
    ("option", "value", "card_text", "points"),
    [
        ("heart_points", "flat", "AH", 1),
        ("heart_points", "rank", "2H", 2),
        ("heart_points", "rank", "AH", 14),
        ("heart_points", "face", "TH", 1),
        ("heart_points", "face", "JH", 2),
        ("heart_points", "face", "QH", 3),
        ("heart_points", "face", "KH", 4),
        ("heart_points", "face", "AH", 5),
        ("points", {"QS": 13, "KS": 10, "AS": 7}, "KS", 10),
        ("points", {}, "QS", 0),
        ("joker_points", 3, "0C", 3),
    ],
)
def test_what_a_card_counts(option: str, value: object, card_text: str, points: int) -> None:
    """RU06."""
    rules = RuleSet.from_options({"players": 6, "jokers": 2, option: value})
    assert rules.points_of(card(card_text)) == points


def test_a_fixed_number_of_deals_has_no_target() -> None:
    four = preset("standard").for_deals(4)
    assert (four.target, four.max_deals, four.name) == (None, 4, "standard")
    with pytest.raises(ValueError, match="at least 1"):
        preset("standard").for_deals(0)


@pytest.mark.parametrize("name", PRESETS)
def test_rules_cross_the_wire_whole(name: str) -> None:
    for rules in (preset(name), preset(name).for_deals(3)):
        assert wire.rules_from_wire(wire.rules_to_wire(rules)) == rules


def test_a_rule_set_with_something_missing_is_refused_by_name() -> None:
    message = wire.rules_to_wire(preset("standard"))
    message.moon = 0  # type: ignore[assignment]
    with pytest.raises(InvalidRules) as refused:
        wire.rules_from_wire(message)
    assert (refused.value.option, refused.value.reason) == ("moon", "it is not set")


def test_a_rule_set_cannot_borrow_the_name_of_a_preset() -> None:
    message = wire.rules_to_wire(preset("malay"))
    message.name = "standard"
    with pytest.raises(InvalidRules) as refused:
        wire.rules_from_wire(message)
    assert refused.value.option == "name"


@pytest.mark.parametrize("field", ["remove", "points"])
def test_a_card_that_is_none_is_refused(field: str) -> None:
    message = wire.rules_to_wire(preset("standard"))
    if field == "remove":
        message.remove.append(0)  # type: ignore[arg-type]
    else:
        message.points.add(card=0, points=3)  # type: ignore[arg-type]
    with pytest.raises(InvalidRules) as refused:
        wire.rules_from_wire(message)
    assert refused.value.option == field
