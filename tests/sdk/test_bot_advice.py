"""What `counter` and `searcher` know beyond `careful`, in positions where it matters."""

from __future__ import annotations

from random import Random

import pytest
from test_house_bots import TOOK_ALL, plays, turn

from client_sdk import Turn
from client_sdk.bots import searcher
from client_sdk.bots.memory import Memory
from client_sdk.bots.searcher import Budget, Position, Searcher
from hearts.cards import card, cards, code

HEARTS_GONE = ("AH 2H 3H 4H",)
"""A trick that seat 1 led and won: nobody else can shoot the moon."""


def answer(asked: Turn, playouts: int = 600) -> str:
    bot = Searcher(Budget(playouts=playouts))
    bot.on_match_start(asked.match)
    return code(bot.play(asked))


@pytest.mark.parametrize(
    ("asked", "card_", "why"),
    [
        (turn("AH KH QH AC KC 2C"), "AH", "nothing can stop it: leads from the top for the moon"),
        (turn("AH KH QH AC", "5C KC"), "AC", "and takes what is led"),
        (turn("TH 3C", "AD 2D 9D", before=TOOK_ALL), "3C", "seat 1 shoots and has the trick"),
        (turn("TH 3C", "2D 9D AD", before=TOOK_ALL), "TH", "seat 1 shoots, seat 3 has it"),
        (turn("QS 2C 9D", "5H 7H"), "QS", "the queen on somebody else"),
        (turn("3S 6S 8D KD 9C"), "3S", "smokes the queen out with a low spade"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) > 2 else "",
)
def test_counter_plays(asked: Turn, card_: str, why: str) -> None:
    assert plays("counter", asked) == card_, why


def test_the_queen_it_passed_is_remembered_until_she_is_played() -> None:
    asked = turn("KS 2S 9D", "5S 7S")
    asked.match.gave = cards("QS")
    asked.match.pass_offset = 2
    memory = Memory(asked.match)
    memory.update(asked)
    assert (memory.given, memory.given_to) == (cards("QS"), 2)
    later = turn("KS 2S 9D", "5S QS")  # seats 2 and 3: it is not seat 2 that plays her
    later.match.gave, later.match.pass_offset = cards("QS"), 3
    memory = Memory(later.match)
    memory.update(later)
    assert memory.given == []


def test_voids_and_points_are_read_from_the_tricks() -> None:
    asked = turn("2C", before=("AC QS KC JC", "AH 2H 3H 4H"))
    memory = Memory(asked.match)
    memory.update(asked)
    assert memory.void[2] == {0}
    assert memory.taken == [0, 17, 0, 0]
    memory.update(asked)
    assert memory.taken == [0, 17, 0, 0], "asked again, it counts nothing twice"


@pytest.mark.parametrize(
    ("asked", "card_", "why"),
    [
        (turn("QS 2H 3D", "5C 6C 7C", before=HEARTS_GONE), "QS", "the queen on somebody else"),
        (turn("5S QS AS", "KS 2S 3S", before=HEARTS_GONE), "QS", "the queen goes under the king"),
        (turn("KS 2S", "3S QS 4S", before=HEARTS_GONE), "2S", "not the queen on oneself"),
        (turn("TH 3C", "AD 2D 9D", before=TOOK_ALL), "3C", "seat 1 shoots and has the trick"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) > 2 else "",
)
def test_searcher_plays(asked: Turn, card_: str, why: str) -> None:
    assert answer(asked) == card_, why


def test_a_budget_of_playouts_is_decided_by_the_seed_alone() -> None:
    for seed in range(5):
        hand = Random(seed).sample(range(2, 54), 9)
        asked = turn(" ".join(map(code, hand)))
        assert answer(asked, 64) == answer(asked, 64)


def test_one_legal_card_needs_no_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searcher, "Position", None)
    assert answer(turn("2C 5D", "9C")) == "2C"


def test_passed_cards_are_where_they_went_in_every_hidden_hand() -> None:
    asked = turn("KS 2S 9D 3C", "5S 7S")
    asked.match.gave, asked.match.pass_offset = cards("QS"), 1
    memory = Memory(asked.match)
    memory.update(asked)
    assert Position(asked, memory).fixed == {card("QS"): 0}
