"""Who takes a trick, and what becomes of cards that nobody wins."""

from collections.abc import Callable, Sequence
from typing import Final

from hearts.cards import HEARTS, SUIT, TOP_OF
from hearts.options import CancelledLast, Duplicate, Leftover
from hearts.rules import RuleSet

#: From the cards of a trick to the position (0 is the leader) that wins it; -1: nobody.
Winner = Callable[[Sequence[int]], int]


def highest(trick: Sequence[int]) -> int:
    """The highest card of the led suit; of equal ones the first."""
    best = trick[0]
    top = TOP_OF[best]
    for card in trick:
        if best < card <= top:
            best = card
    return trick.index(best)


def highest_last(trick: Sequence[int]) -> int:
    """The highest card of the led suit; of equal ones the last."""
    return len(trick) - 1 - trick[::-1].index(trick[highest(trick)])


def highest_uncancelled(trick: Sequence[int]) -> int:
    """The highest card of the led suit that has no equal in the trick; -1 when all have."""
    led = SUIT[trick[0]]
    alone = [card for card in trick if SUIT[card] == led and trick.count(card) == 1]
    return trick.index(max(alone)) if alone else -1


_WINNERS: Final[dict[Duplicate, Winner]] = {
    Duplicate.CANCEL: highest_uncancelled,
    Duplicate.FIRST: highest,
    Duplicate.LAST: highest_last,
}


def winner(rules: RuleSet) -> Winner:
    """The rule that finds the winner. Two jokers of one pack never cancel: the first is higher."""
    return highest if rules.decks == 1 else _WINNERS[rules.duplicate]


#: From the last trick, which nobody won, and every card to be taken with it (earlier cancelled
#: tricks first, in the order played) to the positions that take them, one for each card.
#: None: nobody.
LastTaker = Callable[[Sequence[int], int], list[int] | None]


def _highest_pair(trick: Sequence[int]) -> tuple[int, int]:
    """The positions of the two highest cards of the led suit, which are equal."""
    first = highest(trick)
    return first, first + 1 + trick[first + 1 :].index(trick[first])


def _leader(trick: Sequence[int], count: int) -> list[int]:
    del trick
    return [0] * count


def _pair_second(trick: Sequence[int], count: int) -> list[int]:
    return [_highest_pair(trick)[1]] * count


def _split_pair(trick: Sequence[int], count: int) -> list[int]:
    pair = _highest_pair(trick)
    return [pair[turn % 2] for turn in range(count)]


def _nobody(trick: Sequence[int], count: int) -> None:
    del trick, count


_LAST_TAKERS: Final[dict[CancelledLast, LastTaker]] = {
    CancelledLast.LEADER: _leader,
    CancelledLast.HIGHEST_PAIR_SECOND: _pair_second,
    CancelledLast.SPLIT_PAIR: _split_pair,
    CancelledLast.NOBODY: _nobody,
}


def last_taker(rules: RuleSet) -> LastTaker:
    """The rule for a last trick that is cancelled as a whole."""
    return _LAST_TAKERS[rules.cancelled_last]


#: Whether taking these cards brings the leftover cards with it.
Trigger = Callable[[Sequence[int]], bool]


def _always(taken: Sequence[int]) -> bool:
    del taken
    return True


def _never(taken: Sequence[int]) -> bool:
    del taken
    return False


def _a_heart(taken: Sequence[int]) -> bool:
    return any(SUIT[card] == HEARTS for card in taken)


def leftover_trigger(rules: RuleSet) -> Trigger:
    """The rule that gives the leftover cards to a taker."""

    def a_penalty(taken: Sequence[int]) -> bool:
        return any(rules.points_of(card) > 0 for card in taken)

    return {
        Leftover.FORBID: _never,
        Leftover.DEAD: _never,
        Leftover.FIRST_TRICK: _always,
        Leftover.FIRST_HEART: _a_heart,
        Leftover.FIRST_PENALTY: a_penalty,
    }[rules.leftover]
