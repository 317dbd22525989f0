"""Cards: their numbers, their texts, and 0, which is never one."""

from collections.abc import Callable
from enum import IntEnum

import pytest

from hearts import cards
from hearts.decisions import Phase, Refused, Rule
from hearts.match_record import IncidentKind, Verdict
from hearts.scoring import MatchEnd, MoonChoice
from hearts.v1 import cards_pb2


@pytest.mark.parametrize(
    ("text", "number"),
    [("0C", 1), ("2C", 2), ("AC", 14), ("2D", 15), ("JD", 24), ("2H", 28), ("QS", 51), ("AS", 53)],
)
def test_a_card_has_its_number_and_text(text: str, number: int) -> None:
    assert cards.card(text) == number
    assert cards.code(number) == text


def test_numbers_are_those_of_the_wire() -> None:
    names = {"C": "CLUBS", "D": "DIAMONDS", "H": "HEARTS", "S": "SPADES"}
    ranks = dict(
        zip(
            "23456789",
            ["TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE"],
            strict=True,
        )
    )
    ranks |= {"T": "TEN", "J": "JACK", "Q": "QUEEN", "K": "KING", "A": "ACE"}
    for number in cards.pack():
        rank, suit = cards.code(number)
        assert cards_pb2.Card.Name(number) == f"CARD_{ranks[rank]}_OF_{names[suit]}"
    assert cards_pb2.CARD_JOKER == cards.JOKER


@pytest.mark.parametrize("text", ["", "1C", "10C", "qs", "QX", "0D", "QS ", None, 51])
def test_other_texts_are_no_cards(text: object) -> None:
    with pytest.raises(ValueError, match="is no card"):
        cards.card(text)  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [0, -1, 54, True, 2.0, "2", None])
def test_other_numbers_are_no_cards(number: object) -> None:
    """DX03: 0 above all."""
    assert not cards.is_card(number)
    with pytest.raises(ValueError, match="is no card"):
        cards.code(number)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [Phase, Rule, MoonChoice, MatchEnd, Verdict, IncidentKind])
def test_no_enum_gives_a_meaning_to_zero(kind: type[IntEnum]) -> None:
    """DX03: an empty message can never be read as a choice."""
    assert 0 not in {int(member) for member in kind}


@pytest.mark.parametrize("nothing", [0, None, "", False])
def test_an_empty_answer_is_never_the_two_of_clubs(nothing: object) -> None:
    """DX03."""
    from hearts_kit import deal_of, rules

    deal = deal_of(rules(), "2C")
    with pytest.raises(Refused) as refused:
        deal.play(0, nothing)  # type: ignore[arg-type]
    assert refused.value.rule is Rule.UNKNOWN_CARD
    assert deal.plays == []


@pytest.mark.parametrize(
    ("build", "size"),
    [
        (lambda: cards.pack(), 52),
        (lambda: cards.pack(2), 104),
        (lambda: cards.pack(1, 2), 54),
        (lambda: cards.pack(2, 1), 105),
        (lambda: cards.pack(1, 0, [cards.card("2D")]), 51),
    ],
)
def test_packs(build: Callable[[], list[int]], size: int) -> None:
    pack = build()
    assert len(pack) == size
    assert pack == sorted(pack)
    assert all(map(cards.is_card, pack))


def test_a_card_that_is_not_there_cannot_be_removed() -> None:
    with pytest.raises(ValueError, match="not in list"):
        cards.pack(1, 0, [2, 2])


def test_suits_and_ranks() -> None:
    assert [cards.suit(c) for c in cards.cards("0C 2C AC 2D 2H 2S AS")] == [0, 0, 0, 1, 2, 3, 3]
    assert [cards.rank(c) for c in cards.cards("0C 2C AC JD QS")] == [1, 2, 14, 11, 12]
