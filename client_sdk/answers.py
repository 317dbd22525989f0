"""What a bot may answer, and how it goes on the wire."""

from __future__ import annotations

from operator import index
from typing import Any

from hearts.v1 import play_pb2

HIGHEST_CARD = 53


def fill(phase: int, answer: object) -> play_pb2.Reply | None:
    """A reply that holds the answer; None when it is nothing the wire can carry."""
    try:
        if phase == play_pb2.PHASE_PASS:
            cards = [_card(card) for card in answer]  # type: ignore[attr-defined]
            return play_pb2.Reply(cards=cards) if cards else None  # type: ignore[arg-type]
        if phase == play_pb2.PHASE_MOON_CHOICE:
            choice = _index(answer)
            return play_pb2.Reply(moon_choice=choice) if choice in (1, 2) else None  # type: ignore[arg-type]
        return play_pb2.Reply(card=_card(answer))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None


def _card(value: object) -> int:
    card = _index(value)
    if not 0 < card <= HIGHEST_CARD:
        raise ValueError(f"{card} is no card")
    return card


def _index(value: object) -> int:
    """A plain int of an int-like value (an IntEnum, a numpy integer); bool is none."""
    if isinstance(value, bool):
        raise TypeError("a bool is no card")
    return index(value)  # type: ignore[arg-type]


def name_of(enum: Any, prefix: str, value: int) -> str:
    """The short name of a wire value, or its number when it is newer than this SDK."""
    try:
        return str(enum.Name(value)).removeprefix(prefix)
    except ValueError:
        return str(value)
