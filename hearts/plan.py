"""A rule set made ready to play: tables by card, and the one function chosen for each rule.

To add a variant: give the option its value in options.py, write its piece where its kind of rule
lives (leading, following, tricks, scoring), and choose it there. The deal itself stays as it is.
"""

from dataclasses import dataclass
from functools import lru_cache

from hearts import following, leading, scoring, tricks
from hearts.cards import HEARTS, LAST, QUEEN_OF_SPADES, SUIT
from hearts.options import BreakOn, FirstTrickForced, HeartsLead, Renege
from hearts.rules import RuleSet


@dataclass(frozen=True, slots=True)
class Plan:
    """What a deal needs to know of its rules. Build it with `plan_for`."""

    rules: RuleSet
    players: int
    #: Cards of a hand, so tricks of a deal.
    hand_size: int
    pack: frozenset[int]
    #: The seat at the left of each seat.
    left: tuple[int, ...]
    #: By card: whether playing it breaks hearts.
    breaks: tuple[bool, ...]
    #: Hearts count as broken from the start.
    broken: bool
    open: leading.Open
    lead_unbroken: leading.Lead
    barred: frozenset[int]
    throw_first: following.Throw
    winner: tricks.Winner
    last_taker: tricks.LastTaker
    leftover_trigger: tricks.Trigger
    #: A hand of nothing but barred cards is dealt anew.
    redeals: bool
    #: A failure to follow suit stands when it is repeated.
    reneges: bool
    points: scoring.CardPoints


@lru_cache(maxsize=256)
def plan_for(rules: RuleSet) -> Plan:
    """The plan of a rule set. Building one takes about a millisecond; they are cached."""
    players = rules.players
    return Plan(
        rules=rules,
        players=players,
        hand_size=rules.hand_size,
        pack=frozenset(rules.pack()),
        left=tuple((seat + 1) % players for seat in range(players)),
        breaks=_breaks(rules),
        broken=rules.hearts_lead is HeartsLead.FREE,
        open=leading.opening(rules),
        lead_unbroken=leading.unbroken_lead(rules),
        barred=leading.barred_cards(rules),
        throw_first=following.first_trick_throw(rules),
        winner=tricks.winner(rules),
        last_taker=tricks.last_taker(rules),
        leftover_trigger=tricks.leftover_trigger(rules),
        redeals=rules.first_trick_forced is FirstTrickForced.REDEAL,
        reneges=rules.renege is Renege.PENALISE,
        points=scoring.card_points(rules),
    )


def _breaks(rules: RuleSet) -> tuple[bool, ...]:
    breaking = {card for card in range(LAST + 1) if SUIT[card] == HEARTS}
    if rules.break_on is BreakOn.HEART_OR_QUEEN:
        breaking.add(QUEEN_OF_SPADES)
    if rules.break_on is BreakOn.ANY_PENALTY:
        breaking |= {card for card in rules.pack() if rules.points_of(card) > 0}
    return tuple(card in breaking for card in range(LAST + 1))
