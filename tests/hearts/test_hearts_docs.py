"""docs/rules.md says what is so."""

import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest

from hearts.cards import codes
from hearts.rules import RuleSet, preset
from hearts.shuffle import Board

TEXT = (Path(__file__).parent.parent.parent / "docs" / "rules.md").read_text(encoding="utf-8")
SECRET = bytes(range(32))


def test_every_option_has_a_line_with_its_default_and_values() -> None:
    lines = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", TEXT, re.MULTILINE))
    assert set(lines) == {field.name for field in fields(RuleSet)} - {"name"}
    for field in fields(RuleSet):
        kind = type(field.default)
        if hasattr(kind, "__members__"):
            values = [value.strip() for value in lines[field.name].split(",")]
            assert values[0] == field.default
            assert sorted(values) == sorted(kind)


def test_the_shuffle_in_the_document_is_the_one_we_use() -> None:
    """LR03."""
    (source,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    space: dict[str, Callable[..., list[int]]] = {}
    exec(source, space)
    for name in ("standard", "cancellation_7_joker"):
        rules = preset(name)
        for deal in range(60):
            theirs = space["shuffle"](SECRET, 4, deal, 1, rules.pack())
            assert theirs == Board(SECRET, 4).shuffle(rules, deal, 1)


def test_the_example_in_the_document() -> None:
    first = re.findall(r"the first five cards are ((?:\w\w ){4}\w\w)\.", TEXT)
    assert first == [codes(Board(SECRET, 0).shuffle(preset("standard"), 0)[:5])]


@pytest.mark.parametrize("block", re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL))
def test_the_example_rule_set_is_valid(block: str) -> None:
    import tomllib

    RuleSet.from_options(tomllib.loads(block)["rules"])
