"""docs/protocol.md says what the wire does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from worked_hand import tell

from client_sdk import errors
from hearts.cards import card, suit
from hearts.endpoint import Challenge, Side, key_of
from hearts.v1 import errors_pb2, play_pb2

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")


async def test_the_worked_hand_is_what_the_arbiter_sends() -> None:
    """DX06: seats, direction, card numbers, trick leaders and the sign of the score."""
    *_, block = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    assert block.rstrip().splitlines() == await tell()


def test_every_event_kind_is_explained() -> None:
    kinds = play_pb2.Event.DESCRIPTOR.oneofs_by_name["event"].fields
    missing = [kind.message_type.name for kind in kinds if f"`{kind.message_type.name}" not in PAGE]
    assert not missing


def test_every_field_of_the_turn_is_explained() -> None:
    missing = [f.name for f in play_pb2.Turn.DESCRIPTOR.fields if f"`{f.name}`" not in PAGE]
    assert not missing


def test_every_rule_of_a_refusal_is_listed() -> None:
    rules = [name.removeprefix("RULE_") for name in play_pb2.Rule.keys()]  # noqa: SIM118
    assert not [name for name in rules if name != "UNSPECIFIED" and f"`{name}`" not in PAGE]


def test_the_limits_are_all_explained() -> None:
    assert not [f.name for f in play_pb2.Limits.DESCRIPTOR.fields if f.name not in PAGE]


def test_final_errors_are_those_of_the_sdk() -> None:
    told = set(re.findall(r"^\| `([A-Z_]+)` \|.*\*\*final\*\*", PAGE, re.MULTILINE))
    assert told == {code.name for code in errors._FINAL}


@pytest.mark.parametrize("row", re.findall(r"^\| `[A-Z_]+` \| `([A-Z_]+)`", PAGE, re.MULTILINE))
def test_error_reasons_exist(row: str) -> None:
    kinds = (errors_pb2.ErrorReason.keys(), play_pb2.Rule.keys())
    assert any(f"{prefix}{row}" in k for k in kinds for prefix in ("ERROR_REASON_", "RULE_"))


@pytest.mark.parametrize(("text", "number"), re.findall(r"([2-9TJQKA][♣♦♥♠]) is (\d+)", PAGE))
def test_card_numbers(text: str, number: str) -> None:
    assert card(text[0] + "CDHS"["♣♦♥♠".index(text[1])]) == int(number)
    assert suit(int(number)) == max(0, (int(number) - 2) // 13)


def test_card_numbers_of_q_spades_and_the_joker() -> None:
    assert "Q♠ is 51, A♠ is 53" in PAGE
    assert "joker is 1" in PAGE


def test_the_proof_on_the_page_is_right() -> None:
    """Whoever writes an endpoint in another language checks his code against it."""
    challenge = Challenge("bots/anna", 1_700_000_000, "000102030405060708090a0b0c0d0e0f")
    assert challenge.proof(key_of("hrt_example"), Side.ARBITER) in PAGE
