"""Playing cards as small integers, the same numbers as on the wire.

A card is ``13 * suit + rank``: suits clubs 0, diamonds 1, hearts 2, spades 3; ranks 2 to 14 (ace).
The joker is 1, the club below the two. So within a suit the higher number is the higher card, and
a list sorted by number is in hand order. With two packs a number stands for either copy.
"""

from collections.abc import Iterable, Sequence
from typing import Final

CLUBS: Final = 0
DIAMONDS: Final = 1
HEARTS: Final = 2
SPADES: Final = 3

JOKER: Final = 1
TWO_OF_CLUBS: Final = 2
JACK_OF_DIAMONDS: Final = 24
QUEEN_OF_SPADES: Final = 51

#: Smallest and largest number that is a card. 0 is never one.
FIRST: Final = 1
LAST: Final = 53

RANKS: Final = "23456789TJQKA"
SUITS: Final = "CDHS"

#: The suit of each number; the entry for 0 is there only to line the others up.
SUIT: Final[tuple[int, ...]] = (0, 0, *(suit for suit in range(4) for _ in RANKS))
#: The lowest number of each suit, and the highest of the suit of each number.
BOTTOM: Final[tuple[int, ...]] = (1, 15, 28, 41)
TOP_OF: Final[tuple[int, ...]] = tuple((14, 27, 40, 53)[suit] for suit in SUIT)

_CODES: Final[tuple[str, ...]] = (
    "--",
    "0C",
    *(rank + suit for suit in SUITS for rank in RANKS),
)
_CARDS: Final[dict[str, int]] = {text: card for card, text in enumerate(_CODES) if card}


def card(text: str) -> int:
    """The card named by rank and suit: "QS", "TC", "2H"; the joker is "0C".

    Raises ValueError for anything else.
    """
    try:
        return _CARDS[text]
    except (KeyError, TypeError):
        raise ValueError(f"{text!r} is no card: write rank and suit, e.g. QS, TC, 2H") from None


def code(number: int) -> str:
    """The text of a card: rank and suit. Raises ValueError for a number that is no card."""
    if not is_card(number):
        raise ValueError(f"{number!r} is no card")
    return _CODES[number]


def cards(text: str) -> list[int]:
    """Cards separated by spaces, in the order written."""
    return [card(word) for word in text.split()]


def codes(numbers: Iterable[int]) -> str:
    """Cards separated by spaces, in the order given."""
    return " ".join(code(number) for number in numbers)


def is_card(number: object) -> bool:
    """Whether it is the number of a card (of any pack, joker included)."""
    return type(number) is int and FIRST <= number <= LAST


def suit(number: int) -> int:
    """0 clubs (jokers too), 1 diamonds, 2 hearts, 3 spades."""
    return SUIT[number]


def rank(number: int) -> int:
    """2 to 14 (ace); 1 for a joker."""
    return number - 13 * SUIT[number]


def pack(decks: int = 1, jokers: int = 0, remove: Sequence[int] = ()) -> list[int]:
    """All cards in play, sorted: whole packs, plus jokers, less one copy for each removed card.

    Raises ValueError when a card to remove is not there.
    """
    result = sorted([JOKER] * jokers + [*range(TWO_OF_CLUBS, LAST + 1)] * decks)
    for number in remove:
        result.remove(number)
    return result
