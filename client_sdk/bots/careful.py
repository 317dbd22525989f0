"""The advice of the strategy guides, as one figure: what does this card cost me?"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from client_sdk.bot import Bot
from hearts.cards import HEARTS, LAST, QUEEN_OF_SPADES, SPADES, SUIT
from hearts.tricks import Winner, winner

if TYPE_CHECKING:
    from client_sdk.match import Match
    from client_sdk.turn import Turn
    from hearts.rules import RuleSet

# The weights below are points a deal. Each was chosen by playing 1,000 boards, seats mirrored,
# against `duck`; the result is flat around them.
GUARDS = 3
"""With so many lower spades the high ones are safe to hold."""
THREAT = 0.6
"""A seat that alone has taken this share of the penalty points may shoot the moon."""
RELIEF = 0.25
"""How much of a card's burden is worth a point taken now."""
IN_THE_LEAD = 0.5
"""What it costs to have to lead the next trick."""


class Rules:
    """What a match's rules mean for the choice of a card."""

    def __init__(self, rules: RuleSet) -> None:
        self.cost = [0, *map(rules.points_of, range(1, LAST + 1))]
        self.penalty = [max(points, 0) for points in self.cost]
        self.pack = rules.pack()
        self.winner: Winner = winner(rules)
        self.penalties = sum(self.penalty[card] for card in self.pack)
        self.moon = rules.moon != "off"


class Table:
    """What the seat knows when it is asked: who took what, what is still out, who is void."""

    def __init__(self, turn: Turn, rules: Rules) -> None:
        self.rules = rules
        self.seat = turn.seat
        self.players = turn.players
        self.trick = turn.trick
        self.hand = turn.hand
        self.taken = [0] * turn.players
        self.void: list[set[int]] = [set() for _ in range(turn.players)]
        for trick in turn.tricks:
            won = self._look(trick.leader, trick.cards)
            self.taken[won] += sum(map(rules.penalty.__getitem__, trick.cards))
        self._look(turn.leader, turn.trick)
        seen = [0] * (LAST + 1)
        for card in (*self.hand, *turn.played):
            seen[card] += 1
        self.out: list[list[int]] = [[], [], [], []]
        for card in rules.pack:  # each copy stands there by itself
            if seen[card]:
                seen[card] -= 1
            else:
                self.out[SUIT[card]].append(card)
        self.queen_out = QUEEN_OF_SPADES in self.out[SPADES]
        at = rules.winner(turn.trick) if turn.trick else -1
        self.winning = turn.trick[at] if at >= 0 else 0
        self.winning_seat = (turn.leader + at) % turn.players if at >= 0 else -1
        self.on_table = sum(rules.cost[card] for card in turn.trick)
        behind = turn.players - 1 - len(turn.trick)
        self.behind = [(turn.seat + 1 + step) % turn.players for step in range(behind)]
        sole = [seat for seat, points in enumerate(self.taken) if points]
        self.threat = -1
        if rules.moon and len(sole) == 1 and sole[0] != turn.seat:
            most = self.taken[sole[0]]
            self.threat = sole[0] if most >= THREAT * rules.penalties else -1

    def _look(self, leader: int, cards: list[int] | tuple[int, ...]) -> int:
        """Note who did not follow suit; the seat that won (the leader when nobody did)."""
        led = SUIT[cards[0]] if cards else 0
        for step, card in enumerate(cards):
            if SUIT[card] != led:
                self.void[(leader + step) % self.players].add(led)
        at = self.rules.winner(cards) if cards else 0
        return (leader + max(at, 0)) % self.players

    def wins(self, card: int) -> float:
        """How likely the card takes the trick, 0 to 1."""
        suit = SUIT[card]
        if self.trick and (suit != SUIT[self.trick[0]] or card <= self.winning):
            return 0.0
        lower = bisect_right(self.out[suit], card)
        higher = len(self.out[suit]) - lower
        if not higher:
            return 1.0
        followers = [seat for seat in self.behind if suit not in self.void[seat]]
        # One who can stay below does; only one with nothing but higher cards must beat it.
        stays = lower / (lower + higher)
        return float((0.3 + 0.7 * stays) ** len(followers)) if followers else 1.0

    def to_come(self, suit: int) -> float:
        """Points that those behind are likely to throw on a trick of this suit."""
        points = 0.0
        cards = len(self.out[suit]) / max(1, self.players - 1)
        for seat in self.behind:
            cannot = 1.0 if suit in self.void[seat] else max(0.0, 1 - cards / 2)
            points += cannot * (1.0 + (5.0 if self.queen_out and suit != SPADES else 0.0))
        if suit == HEARTS:
            points += 0.8 * len(self.behind)
        if suit == SPADES and self.queen_out and self.behind:
            points += 13 * len(self.behind) / (self.players - 1) / max(1.0, cards)
        return points


def burden(card: int, hand: list[int], cost: list[int], out: list[list[int]]) -> float:
    """How glad the hand is to be rid of a card, in points."""
    suit = SUIT[card]
    own = [other for other in hand if SUIT[other] == suit]
    lower = sum(other < card for other in own)
    if suit == SPADES and QUEEN_OF_SPADES in (*hand, *out[SPADES]):
        guards = sum(other < QUEEN_OF_SPADES for other in own)
        if card == QUEEN_OF_SPADES:
            return 9.0 if guards < GUARDS else 1.0
        if card > QUEEN_OF_SPADES:
            return 6.0 if guards < GUARDS else 1.0
        return -0.5 if guards <= GUARDS else 0.0  # low spades are what protects
    beaten = bisect_left(out[suit], card)
    rest = len(out[suit])
    heavy = beaten / rest if rest else 0.0  # 1: nothing that is still out is higher
    short = max(0.0, 2.5 - 0.7 * len(own)) if suit != HEARTS else 0.0
    bonus = cost[card] if cost[card] < 0 else 0.0
    return (7.0 - 0.4 * lower) * heavy + 0.3 * short + bonus


class Careful(Bot):
    """Weighs for each legal card what taking the trick costs against what holding it costs."""

    name = "careful"

    def on_match_start(self, match: Match) -> None:
        """Once for each match: the rules, as they matter here."""
        match.memo = Rules(match.rules)

    def pass_cards(self, turn: Turn) -> list[int]:
        """The heaviest cards, one by one: each that goes makes its suit shorter."""
        rules: Rules = turn.match.memo
        return self._give(turn, rules, Table(turn, rules))

    def _give(self, turn: Turn, rules: Rules, table: Table) -> list[int]:
        hand = turn.hand
        given = []
        for _ in range(turn.pass_count):
            worst = max(hand, key=lambda card: (burden(card, hand, rules.cost, table.out), card))
            hand.remove(worst)
            given.append(worst)
        return given

    def play(self, turn: Turn) -> int:
        """The cheapest legal card."""
        legal = turn.legal
        if len(legal) == 1:
            return legal[0]
        table = Table(turn, turn.match.memo)
        return min(legal, key=lambda card: (self._price(card, table, turn), -card))

    def _price(self, card: int, table: Table, turn: Turn) -> float:
        """Expected points for playing the card now, less the relief of being rid of it."""
        cost = table.rules.cost
        suit = SUIT[table.trick[0]] if table.trick else SUIT[card]
        wins = table.wins(card)
        taken = table.on_table + cost[card] + table.to_come(suit)
        price = wins * (taken + IN_THE_LEAD)
        price -= RELIEF * burden(card, table.hand, cost, table.out)
        if not table.trick:
            price += self._lead(card, table)
        elif wins == 0.0 and cost[card] > 0:
            price += self._gift(card, table, turn)
        if table.threat >= 0:
            price += self._stop(card, wins, table)
        return price

    def _lead(self, card: int, table: Table) -> float:
        """Smoke out the queen: low spades, while one's own high ones are not in danger."""
        if SUIT[card] == SPADES and table.queen_out:
            high = any(other > QUEEN_OF_SPADES for other in table.hand)
            return 4.0 if high or card > QUEEN_OF_SPADES else -3.0
        return 0.0

    def _gift(self, card: int, table: Table, turn: Turn) -> float:
        """Points go to whoever leads the game (low is good), rather than to the last."""
        if table.winning_seat < 0 or len(table.behind) > 1:
            return 0.0
        totals = turn.totals
        ahead = sum(total > totals[table.winning_seat] for total in totals)
        return -0.1 * table.rules.cost[card] * ahead / table.players

    def _stop(self, card: int, wins: float, table: Table) -> float:
        """Give nothing to one who may shoot the moon; a point on oneself stops it."""
        cost = table.rules.cost[card]
        stake = 0.5 * table.rules.penalties
        if table.winning_seat == table.threat and wins < 0.5:
            return stake if cost > 0 else 0.0
        taken = max(table.on_table + cost, 0)
        return -stake * wins if 0 < taken <= stake else 0.0
