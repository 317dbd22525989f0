"""What a seat can know of a deal: cards seen, shown voids, who took what, cards it passed on."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from hearts.cards import LAST, SUIT
from hearts.tricks import winner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from client_sdk.match import Match
    from client_sdk.turn import Turn
    from hearts.rules import RuleSet


class Rules:
    """What a match's rules mean for the choice of a card. Make one with `rules_for`."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.cost = [0, *map(rules.points_of, range(1, LAST + 1))]
        self.pack = rules.pack()
        self.counts = [self.pack.count(card) for card in range(LAST + 1)]
        self.suits = [
            [card for card in range(1, LAST + 1) if SUIT[card] == suit and self.counts[card]]
            for suit in range(4)
        ]
        self.single = max(self.counts) == 1
        for card, count in enumerate(self.counts):
            self.cost[card] *= bool(count)
        self.penalty = [max(points, 0) for points in self.cost]
        self.total = sum(self.penalty[card] for card in self.pack)
        self.winner = winner(rules)
        self.moon = rules.moon != "off"


@lru_cache(maxsize=64)
def rules_for(rules: RuleSet) -> Rules:
    """The tables of a rule set."""
    return Rules(rules)


class Memory:
    """The deal in progress. Call `update` at each decision: it reads only what is new."""

    def __init__(self, match: Match) -> None:
        self.rules = rules_for(match.rules)
        self.seat = match.seat
        self.players = match.players
        self._deal = (-1, -1)
        self._read = 0
        self.begin(match)

    def begin(self, match: Match) -> None:
        """A new deal: nothing is known but the own cards."""
        self._deal = (match.deal, match.redeals)
        self._read = 0
        #: The cards of finished tricks.
        self.seen: list[int] = []
        #: By seat: penalty points, and all points, that it took.
        self.taken = [0] * self.players
        self.points = [0] * self.players
        #: By seat: suits it has shown not to have.
        self.void: list[set[int]] = [set() for _ in range(self.players)]
        #: Cards that were passed on and not played since, and the seat that holds them.
        self.given: list[int] = list(match.gave)
        self.given_to = (self.seat + match.pass_offset) % self.players

    def update(self, turn: Turn) -> None:
        """Read the tricks since the last decision, and the one in progress."""
        match = turn.match
        if self._deal != (match.deal, match.redeals) or match.finished < self._read:
            self.begin(match)
        if not self._read:
            self.given = list(match.gave)
            self.given_to = (self.seat + match.pass_offset) % self.players
        rules = self.rules
        tricks = match.tricks
        for trick in tricks[self._read :]:
            self._see(trick.leader, trick.cards)
            at = max(rules.winner(trick.cards), 0)
            won = (trick.leader + at) % self.players
            self.seen += trick.cards
            for card in trick.cards:
                if points := rules.cost[card]:
                    self.points[won] += points
                    self.taken[won] += rules.penalty[card]
        self._read = len(tricks)
        self._see(turn.leader, turn.trick)

    def _see(self, leader: int, cards: Sequence[int]) -> None:
        """Note who did not follow suit, and which passed cards are gone."""
        led = SUIT[cards[0]] if cards else 0
        for step, card in enumerate(cards):
            if SUIT[card] != led:
                self.void[(leader + step) % self.players].add(led)
            if card in self.given and (leader + step) % self.players == self.given_to:
                self.given.remove(card)

    def out(self, hand: list[int], trick: list[int]) -> list[list[int]]:
        """By suit, sorted: the cards that others may still hold."""
        left = self.rules.counts.copy()
        for card in self.seen:
            left[card] -= 1
        for card in hand:
            left[card] -= 1
        for card in trick:
            left[card] -= 1
        if self.rules.single:
            return [[card for card in suit if left[card]] for suit in self.rules.suits]
        return [[c for c in suit for _ in range(left[c])] for suit in self.rules.suits]

    def unseen(self, turn: Turn) -> list[int]:
        """The cards that the own seat has neither held back, seen played nor been shown."""
        out = self.out(turn.hand, turn.trick)
        cards = [card for suit in out for card in suit]
        for card in turn.match.leftover:
            cards.remove(card)
        return cards
