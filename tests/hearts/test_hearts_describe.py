"""A rule set in words: every option that can matter shows."""

import json
from pathlib import Path

import pytest

from hearts.describe import describe
from hearts.rules import PRESETS, RuleSet, preset

DOCUMENT = json.loads((Path(__file__).parent.parent / "data" / "presets.json").read_text())

#: A rule set under which every option matters.
EVERYTHING: dict[str, object] = {
    "players": 5,
    "decks": 2,
    "jokers": 2,
    "joker_points": 2,
    "leftover": "first_trick",
    "renege": "penalise",
    "moon": "choose",
    "max_deals": 50,
    "points": {"QS": 13, "JD": -10},
}


@pytest.mark.parametrize("option", list(DOCUMENT["enum"]))
def test_each_value_of_an_option_reads_differently(option: str) -> None:
    """RU05, RU06."""
    texts = set()
    values = [v for v in DOCUMENT["enum"][option] if (option, v) != ("leftover", "forbid")]
    for value in values:
        texts.add(describe(RuleSet.from_options({**EVERYTHING, option: value})))
    assert len(texts) == len(values)


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("players", [5, 6]),
        ("decks", [1, 2]),
        ("jokers", [1, 2]),
        ("joker_points", [0, 2, -3]),
        ("remove", [[], ["2C"]]),
        ("pass_count", [1, 3]),
        ("pass_cycle", [[0], [1], [1, -1], [2, 0]]),
        ("points", [{"QS": 13}, {"QS": 25}, {"QS": 13, "JD": -10}]),
        ("no_trick_bonus", [0, 5]),
        ("moon_points", ["in_play", 26]),
        ("target", [None, 50, 100]),
        ("exact", [None, {"score": 100, "becomes": 50}, {"score": 100, "wins": True}]),
        ("max_deals", [1, 2, 50]),
        ("score_floor", [None, 0]),
    ],
)
def test_each_number_shows(option: str, values: list[object]) -> None:
    texts = {describe(RuleSet.from_options({**EVERYTHING, option: value})) for value in values}
    assert len(texts) == len(values)


@pytest.mark.parametrize("name", PRESETS)
def test_presets_read_well(name: str) -> None:
    text = describe(preset(name))
    assert text.startswith(name + "\n")
    assert all(len(line) < 200 for line in text.splitlines())
    assert "None" not in text
