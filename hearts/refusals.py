"""Why a card may not be played: the rule it breaks, named. Off the hot path of a deal."""

from collections.abc import Sequence

from hearts.cards import CLUBS, HEARTS, QUEEN_OF_SPADES, SUIT, code, codes
from hearts.decisions import Refused, Rule
from hearts.leading import Suits, anything
from hearts.options import Opening
from hearts.plan import Plan

_SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")


def no_such_card(plan: Plan, card: object, legal: Sequence[int]) -> Refused | None:
    """The refusal of a value that is no card of this game, or None."""
    if type(card) is int and card in plan.pack:
        return None
    return Refused(Rule.UNKNOWN_CARD, legal, f"{card!r} is no card of this game")


def bad_play(
    plan: Plan, suits: Suits, card: int, legal: Sequence[int], led: int | None, plays: int
) -> Refused:
    """Names the rule that a card breaks, for a seat to move whose legal cards it is not among.

    `led` is the led suit, None when the seat leads; `plays` counts the cards played in the deal.
    """

    def refused(rule: Rule, reason: str) -> Refused:
        return Refused(rule, legal, f"{code(card)}: {reason}; legal: {codes(legal)}")

    if unknown := no_such_card(plan, card, legal):
        return unknown
    if card not in suits[SUIT[card]]:
        return refused(Rule.NOT_IN_HAND, "not in your hand")
    if led is not None:
        if suits[led]:
            return refused(Rule.MUST_FOLLOW_SUIT, f"you hold {_SUIT_NAMES[led]} and must follow")
        return refused(Rule.PENALTY_ON_FIRST_TRICK, "barred from the first trick")
    if plays == 0 and plan.rules.opening is not Opening.ELDEST and SUIT[legal[0]] == CLUBS:
        must = "with a club" if plan.rules.opening is Opening.ANY_CLUB else f"with {code(legal[0])}"
        return refused(Rule.MUST_OPEN, f"you must open {must}")
    if plays == 0 and card in plan.barred and not plan.barred.issuperset(anything(suits)):
        return refused(Rule.PENALTY_ON_FIRST_TRICK, "may not be led to the first trick")
    if SUIT[card] != HEARTS:
        return refused(Rule.QUEEN_NOT_BROKEN, "she may not be led before hearts are broken")
    if set(legal) == {QUEEN_OF_SPADES} and not suits[0] and not suits[1]:
        return refused(Rule.MUST_LEAD_QUEEN, "a hand of hearts and the queen must lead the queen")
    return refused(Rule.HEARTS_NOT_BROKEN, "hearts are not broken")


def bad_pass(plan: Plan, hand: Sequence[int], cards: Sequence[int]) -> Refused | None:
    """The refusal of a pass from a hand, or None for a good one."""
    count = plan.rules.pass_count
    if len(cards) != count:
        return Refused(Rule.WRONG_COUNT, hand, f"{len(cards)} cards: pass exactly {count}")
    for card in cards:
        if unknown := no_such_card(plan, card, hand):
            return unknown
        held = hand.count(card)
        if not held:
            return Refused(Rule.NOT_IN_HAND, hand, f"{code(card)}: not in your hand")
        if cards.count(card) > held:
            more = f"{code(card)}: passed {cards.count(card)} times, held {held} times"
            return Refused(Rule.DUPLICATE_CARD, hand, more)
    return None
