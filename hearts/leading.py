"""What may be led: the opening of a deal, and leads before hearts are broken.

A hand is given as its four suits, each a sorted list. Every function here returns a sorted list
that is never empty for a hand that is not.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence, Set
from typing import Final

from hearts.cards import BOTTOM, CLUBS, DIAMONDS, HEARTS, QUEEN_OF_SPADES, SPADES, SUIT
from hearts.options import FirstTrickPenalty, HeartsLead, LeadException, Opening, QueenLead
from hearts.rules import RuleSet

#: A hand: clubs, diamonds, hearts, spades.
Suits = Sequence[list[int]]
#: From a hand to the cards it may lead.
Lead = Callable[[Suits], list[int]]
#: From all hands and the dealer to the opener and the cards that may open.
Open = Callable[[Sequence[Suits], int], tuple[int, list[int]]]


def anything(suits: Suits) -> list[int]:
    """The whole hand."""
    clubs, diamonds, hearts, spades = suits
    return [*clubs, *diamonds, *hearts, *spades]


def split(hand: list[int]) -> list[list[int]]:
    """A sorted hand as its four suits."""
    diamonds = bisect_left(hand, BOTTOM[DIAMONDS])
    hearts = bisect_left(hand, BOTTOM[HEARTS], diamonds)
    spades = bisect_left(hand, BOTTOM[SPADES], hearts)
    return [hand[:diamonds], hand[diamonds:hearts], hand[hearts:spades], hand[spades:]]


# Leads before hearts are broken.


def no_hearts(suits: Suits) -> list[int]:
    """Hearts only from a hand of nothing else, so hearts and the queen lead the queen."""
    clubs, diamonds, hearts, spades = suits
    return [*clubs, *diamonds, *spades] or hearts[:]


def no_hearts_or_either(suits: Suits) -> list[int]:
    """The same, but a hand of hearts and the queen may lead either."""
    rest = no_hearts(suits)
    return rest if _something_safe(rest) else anything(suits)


def neither(suits: Suits) -> list[int]:
    """No heart and no queen; a hand of nothing else leads the queen if it has her."""
    rest = no_hearts(suits)
    return [card for card in rest if card != QUEEN_OF_SPADES] or rest


def neither_or_either(suits: Suits) -> list[int]:
    """No heart and no queen; a hand of nothing else may lead either."""
    rest = neither(suits)
    return rest if _something_safe(rest) else anything(suits)


def _something_safe(cards: Sequence[int]) -> bool:
    return any(card != QUEEN_OF_SPADES and SUIT[card] != HEARTS for card in cards)


_UNBROKEN: Final[dict[tuple[QueenLead, LeadException], Lead]] = {
    (QueenLead.FREE, LeadException.ONLY_HEARTS): no_hearts,
    (QueenLead.FREE, LeadException.ONLY_PENALTY): no_hearts_or_either,
    (QueenLead.BROKEN, LeadException.ONLY_HEARTS): neither,
    (QueenLead.BROKEN, LeadException.ONLY_PENALTY): neither_or_either,
}


def unbroken_lead(rules: RuleSet) -> Lead:
    """The rule for a lead while hearts are not broken."""
    if rules.hearts_lead is HeartsLead.FREE:
        return anything
    return _UNBROKEN[rules.queen_lead, rules.lead_exception]


# Openings.


def barred_cards(rules: RuleSet) -> frozenset[int]:
    """The cards that may not be thrown on the first trick, nor led to it by an eldest opener."""
    match rules.first_trick_penalty:
        case FirstTrickPenalty.FREE:
            return frozenset()
        case FirstTrickPenalty.QUEEN_BARRED:
            return frozenset({QUEEN_OF_SPADES})
        case FirstTrickPenalty.BARRED:
            return frozenset(card for card in rules.pack() if rules.points_of(card) > 0)


def _low_club(hands: Sequence[Suits], dealer: int) -> tuple[int, int] | None:
    """The first seat from dealer's left with the lowest club in any hand, and that club."""
    found = None
    for turn in range(1, len(hands) + 1):
        seat = (dealer + turn) % len(hands)
        clubs = hands[seat][CLUBS]
        if clubs and (found is None or clubs[0] < found[1]):
            found = seat, clubs[0]
    return found


def opening(rules: RuleSet) -> Open:
    """The opening rule. Where every club is undealt, eldest hand opens."""
    barred = barred_cards(rules)
    lead = unbroken_lead(rules)

    def eldest(hands: Sequence[Suits], dealer: int) -> tuple[int, list[int]]:
        seat = (dealer + 1) % len(hands)
        return seat, lead(_allowed(hands[seat], barred))

    def low_club(hands: Sequence[Suits], dealer: int) -> tuple[int, list[int]]:
        found = _low_club(hands, dealer)
        return (found[0], [found[1]]) if found else eldest(hands, dealer)

    def any_club(hands: Sequence[Suits], dealer: int) -> tuple[int, list[int]]:
        found = _low_club(hands, dealer)
        return (found[0], hands[found[0]][CLUBS][:]) if found else eldest(hands, dealer)

    return {
        Opening.LOW_CLUB: low_club,
        Opening.ANY_CLUB: any_club,
        Opening.ELDEST: eldest,
    }[rules.opening]


def _allowed(suits: Suits, barred: Set[int]) -> Suits:
    """The hand without barred cards, or the whole hand where it holds no others."""
    rest = [[card for card in suit if card not in barred] for suit in suits]
    return rest if any(rest) else suits
