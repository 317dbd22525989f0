"""A simple bot that is not bad: it stays out of trouble, card by card."""

from client_sdk.bot import Bot
from client_sdk.match import Match
from client_sdk.turn import Turn
from hearts.cards import LAST, QUEEN_OF_SPADES, SPADES, SUIT, rank
from hearts.tricks import winner

GUARDS = 4
"""With so many spades below the queen, the high spades are safe to keep."""


class Duck(Bot):
    """Never takes a trick it can avoid. Looks at nothing but its hand and the trick."""

    name = "duck"

    def on_match_start(self, match: Match) -> None:
        """What each card costs under this match's rules, and who wins a trick."""
        rules = match.rules
        match.memo = [0, *map(rules.points_of, range(1, LAST + 1))], winner(rules)

    def pass_cards(self, turn: Turn) -> list[int]:
        """The most dangerous cards."""
        cost, _ = turn.match.memo
        danger = dangers(turn.hand, cost)
        return sorted(turn.hand, key=danger.__getitem__)[-turn.pass_count :]

    def play(self, turn: Turn) -> int:
        """Low when leading, just below the winning card when following, else the worst."""
        legal, trick = turn.legal, turn.trick
        cost, find = turn.match.memo
        if not trick:
            return min(legal, key=lambda card: rank(card) + 3 * max(cost[card], 0))
        if SUIT[legal[0]] != SUIT[trick[0]]:
            danger = dangers(turn.hand, cost)
            return max(legal, key=danger.__getitem__)
        at = find(trick)
        winning = trick[at] if at >= 0 else 0  # with two packs equal cards may cancel each other
        under = [card for card in legal if card < winning]
        if under:  # the dearest of them, e.g. the queen under the king; else the highest
            return max(under, key=lambda card: (cost[card], card))
        if len(trick) == turn.players - 1:  # it is ours anyway: a high card, if it costs nothing
            return max(legal, key=lambda card: (-cost[card], card))
        return min(legal, key=lambda card: (max(cost[card], 0), card))


def dangers(hand: list[int], cost: list[int]) -> dict[int, int]:
    """How much one wants to be rid of each card of the hand."""
    danger = {card: rank(card) + 3 * cost[card] for card in hand}
    low = sum(SUIT[card] == SPADES and card < QUEEN_OF_SPADES for card in hand)
    for card in range(QUEEN_OF_SPADES, LAST + 1):
        if card in danger:
            danger[card] = 0 if low >= GUARDS else danger[card] + 10
    return danger
