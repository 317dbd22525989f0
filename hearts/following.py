"""What a seat that cannot follow may throw on the first trick."""

from collections.abc import Callable, Sequence, Set
from typing import Final

from hearts.cards import HEARTS, QUEEN_OF_SPADES
from hearts.leading import Suits, anything, barred_cards
from hearts.options import FirstTrickForced
from hearts.rules import RuleSet

#: From a hand that is void in the led suit to the cards it may throw.
Throw = Callable[[Suits], list[int]]


def _queen(suits: Suits) -> list[int]:
    return [card for card in anything(suits) if card == QUEEN_OF_SPADES] or anything(suits)


def _hearts(suits: Suits) -> list[int]:
    return suits[HEARTS][:] or anything(suits)


#: For a hand of nothing but barred cards. After the last redeal such a hand plays any card.
_FORCED: Final[dict[FirstTrickForced, Throw]] = {
    FirstTrickForced.ANY: anything,
    FirstTrickForced.HEARTS: _hearts,
    FirstTrickForced.QUEEN: _queen,
    FirstTrickForced.REDEAL: anything,
}


def first_trick_throw(rules: RuleSet) -> Throw:
    """The rule for a discard on the first trick."""
    barred = barred_cards(rules)
    forced = _FORCED[rules.first_trick_forced]
    if not barred:
        return anything

    def throw(suits: Suits) -> list[int]:
        return [card for card in anything(suits) if card not in barred] or forced(suits)

    return throw


#: How often a deal is shuffled anew before its hands stand.
MAX_REDEALS: Final = 3


def asks_redeal(hands: Sequence[Suits], barred: Set[int]) -> bool:
    """Whether some hand is nothing but barred cards."""
    return any(all(card in barred for card in anything(suits)) for suits in hands)
