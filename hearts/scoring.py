"""From the cards taken in a deal to points, totals, the end of the game and places.

The order is that of the rules document: raw points by cards, renege charge, moon by cards, its
choice, bonuses; then totals, floor, exact score, end test, tie rule, places.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from math import inf
from operator import add, itemgetter
from typing import Final, NamedTuple

from hearts import cards
from hearts.options import End, Moon, MoonChoiceDefault, MoonNeeds, RenegeCharge, Tie
from hearts.rules import RuleSet


class MoonChoice(IntEnum):
    """Who scores when a seat shot the moon. The values are those of the wire."""

    #: Each other seat scores the moon's points.
    OTHERS = 1
    #: The shooter's points fall by them.
    SELF = 2


class MatchEnd(IntEnum):
    """Why a match ended. The values are those of the wire."""

    #: A total reached the target.
    TARGET = 1
    #: The agreed number of deals was played.
    DEALS = 2
    #: A total landed on the winning score exactly.
    EXACT = 3
    #: A seat never appeared or never started; no card was played.
    FORFEIT = 4
    #: The match's wall-clock limit passed.
    ADJUDICATED = 5
    #: The attempt was given up by the platform and will be played again.
    ABANDONED = 6


@dataclass(frozen=True, slots=True)
class CardPoints:
    """What each card counts, ready for lookup by the card's number."""

    #: All points; the positive ones alone; the hearts alone.
    points: tuple[int, ...]
    penalties: tuple[int, ...]
    hearts: tuple[int, ...]
    #: Whether any card takes points off.
    bonus_cards: bool


@lru_cache(maxsize=256)
def card_points(rules: RuleSet) -> CardPoints:
    """The tables of a rule set."""
    pack = set(rules.pack())
    points = [rules.points_of(card) if card in pack else 0 for card in range(cards.LAST + 1)]
    return CardPoints(
        points=tuple(points),
        penalties=tuple(max(value, 0) for value in points),
        hearts=tuple(
            value if cards.SUIT[card] == cards.HEARTS else 0 for card, value in enumerate(points)
        ),
        bonus_cards=any(value < 0 for value in points),
    )


class Tally(NamedTuple):
    """What the cards of one finished deal say, before any choice."""

    #: Points by cards taken, by seat.
    raw: tuple[int, ...]
    #: After the renege charge; for a moon, only the bonus cards (they stay with their taker).
    base: tuple[int, ...]
    #: The seat that shot the moon, or None.
    shooter: int | None
    #: What the moon is worth.
    moon_points: int


def tally(
    rules: RuleSet,
    table: CardPoints,
    taken: Sequence[Sequence[int]],
    offender: int | None = None,
) -> Tally:
    """Counts a finished deal. `taken` holds the cards of each seat; dead cards are in none.

    `table` is `card_points(rules)`; `offender` is the first seat whose renege stood.
    """
    raw = _sums(table.points, taken)
    if offender is not None:
        return Tally(raw, _charged(rules, table, raw, taken, offender), None, 0)
    penalties = _sums(table.penalties, taken) if table.bonus_cards else raw
    shooter = _shooter(rules, raw, penalties)
    if shooter is None:
        return Tally(raw, raw, None, 0)
    bonuses = tuple(points - bad for points, bad in zip(raw, penalties, strict=True))
    worth = penalties[shooter] if rules.moon_points is None else rules.moon_points
    return Tally(raw, bonuses, shooter, worth)


def _sums(points: Sequence[int], taken: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """By seat: what the cards of its pile count in this table. (No card has number 0: the two
    zeros add nothing, and make it a tuple for any pile.)"""
    return tuple([sum(itemgetter(0, 0, *pile)(points)) for pile in taken])


def _shooter(rules: RuleSet, raw: Sequence[int], penalties: Sequence[int]) -> int | None:
    """The seat that shot the moon. Penalty cards are those with positive points, so a seat has
    one exactly if they sum to more than 0; the rest of `raw` is from bonus cards."""
    if penalties.count(0) != len(penalties) - 1 or rules.moon is Moon.OFF:
        return None
    shooter = penalties.index(max(penalties))
    if rules.moon_needs is MoonNeeds.PENALTIES_AND_BONUS:
        for seat, points in enumerate(raw):
            if seat != shooter and points:
                return None
    return shooter


def _charged(
    rules: RuleSet,
    table: CardPoints,
    raw: tuple[int, ...],
    taken: Sequence[Sequence[int]],
    offender: int,
) -> tuple[int, ...]:
    """The points after the offender is charged the hearts, or all penalty cards, of the deal."""
    which = table.hearts if rules.renege_charge is RenegeCharge.HEARTS else table.penalties
    moved = _sums(which, taken)
    charged = [points - part for points, part in zip(raw, moved, strict=True)]
    charged[offender] += sum(moved)
    return tuple(charged)


def deal_points(
    rules: RuleSet,
    counted: Tally,
    taken: Sequence[Sequence[int]],
    choice: MoonChoice | None = None,
) -> tuple[int, ...]:
    """The points of a deal by seat; `choice` says how a moon scores and is needed for one."""
    shooter = counted.shooter
    if shooter is None:
        if not rules.no_trick_bonus:
            return counted.base
        return tuple(
            [
                points if pile else points - rules.no_trick_bonus
                for points, pile in zip(counted.base, taken, strict=True)
            ]
        )
    points = list(counted.base)
    if choice is MoonChoice.SELF:
        points[shooter] -= counted.moon_points
    else:
        points = [value + counted.moon_points for value in points]
        points[shooter] -= counted.moon_points
    return tuple(points)


class Standing(NamedTuple):
    """How the game stands after a deal."""

    totals: tuple[int, ...]
    #: Why the game is over, or None when it goes on.
    end: MatchEnd | None
    #: The seats whose total landed on the winning score.
    winners: tuple[int, ...] = ()

    @property
    def places(self) -> tuple[int, ...]:
        """By seat, 1 is best, the lowest total; equals share a number. Winners come first."""
        return places(
            [-inf if seat in self.winners else total for seat, total in enumerate(self.totals)]
        )


def settle(
    rules: RuleSet, totals: Sequence[int], points: Sequence[int], deals_done: int
) -> Standing:
    """The game after a deal with these points; `deals_done` counts that deal.

    The end test is made anew after each deal, also while a tie is played on.
    """
    after = [*map(add, totals, points)]
    if rules.score_floor is not None:
        after = [max(total, rules.score_floor) for total in after]
    winners: tuple[int, ...] = ()
    if rules.exact is not None:
        score, becomes = rules.exact.score, rules.exact.becomes
        if becomes is None:
            winners = tuple(seat for seat, total in enumerate(after) if total == score)
        else:
            after = [becomes if total == score else total for total in after]
    end = MatchEnd.EXACT if winners else _end(rules, after, deals_done)
    return Standing(tuple(after), end, winners)


def _end(rules: RuleSet, totals: Sequence[int], deals_done: int) -> MatchEnd | None:
    last = rules.max_deals is not None and deals_done >= rules.max_deals
    if rules.target is not None:
        beyond = max(totals) - rules.target
        if beyond > 0 or (beyond == 0 and rules.end is End.REACH):
            tied = rules.tie is Tie.PLAY_ON and totals.count(min(totals)) > 1
            if not tied:
                return MatchEnd.TARGET
    return MatchEnd.DEALS if last else None


def places(totals: Sequence[float]) -> tuple[int, ...]:
    """The place of each seat: 1 is best, the lowest total; equals share a number."""
    return tuple(1 + sum(other < total for other in totals) for total in totals)


_FIXED: Final = {Moon.OTHERS: MoonChoice.OTHERS, Moon.SELF: MoonChoice.SELF}
_DEFAULTS: Final = {
    MoonChoiceDefault.OTHERS: MoonChoice.OTHERS,
    MoonChoiceDefault.SELF: MoonChoice.SELF,
}


def fixed_choice(rules: RuleSet) -> MoonChoice | None:
    """The way every moon scores; None when it depends on the game or is asked."""
    return _FIXED.get(rules.moon)


def default_choice(rules: RuleSet) -> MoonChoice | None:
    """The answer for a silent shooter; None for auto."""
    return _DEFAULTS.get(rules.moon_choice_default)


def auto_choice(if_others: Standing, shooter: int) -> MoonChoice:
    """Others, unless that would end the game with the shooter not (even jointly) first."""
    loses = if_others.end is not None and if_others.places[shooter] != 1
    return MoonChoice.SELF if loses else MoonChoice.OTHERS
