"""`careful` with a memory: counts cards, remembers its pass, stops moons early, shoots them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from client_sdk.bots import careful
from client_sdk.bots.careful import Careful
from client_sdk.bots.memory import Memory
from hearts.cards import HEARTS, QUEEN_OF_SPADES, SPADES, SUIT

if TYPE_CHECKING:
    from client_sdk.match import Match
    from client_sdk.turn import Turn

THREAT = 0.6
"""Who alone has taken this share of the penalty points is given none, where it can be helped."""
PULLED = 0.6
"""The share of the other seats that is expected to follow when a suit is led from the top."""
LOSERS = 1
"""So many cards that lose a trick are let pass when it decides to shoot the moon."""


class Table(careful.Table):
    """What `careful` looks at, read from the memory instead of from the whole deal again."""

    def __init__(self, turn: Turn, memory: Memory, rules: careful.Rules) -> None:
        self.rules = rules
        self.memory = memory
        self.seat = turn.seat
        self.players = players = turn.players
        self.trick = trick = turn.trick
        self.hand = turn.hand
        self.taken = memory.taken
        self.void = memory.void
        self.out = memory.out(self.hand, trick)
        self.queen_out = QUEEN_OF_SPADES in self.out[SPADES]
        leader = turn.leader
        at = rules.winner(trick) if trick else -1
        self.winning = trick[at] if at >= 0 else 0
        self.winning_seat = (leader + at) % players if at >= 0 else -1
        self.on_table = sum(map(rules.cost.__getitem__, trick))
        behind = players - 1 - len(trick)
        self.behind = [(self.seat + 1 + step) % players for step in range(behind)]
        # The queen comes only from somebody who may have it.
        self.queen_behind = self.queen_out and bool(behind)
        if QUEEN_OF_SPADES in memory.given:
            self.queen_behind = memory.given_to in self.behind
        elif self.queen_behind:
            self.queen_behind = any(SPADES not in self.void[seat] for seat in self.behind)
        self.threat = -1
        if rules.moon:
            sole = [seat for seat, points in enumerate(self.taken) if points]
            most = max(self.taken)
            if len(sole) == 1 and sole[0] != self.seat and most >= THREAT * rules.penalties:
                self.threat = sole[0]

    def to_come(self, suit: int) -> float:
        """Points that those behind are likely to throw on a trick of this suit."""
        points = 0.0
        cards = len(self.out[suit]) / max(1, self.players - 1)
        queen = 5.0 if self.queen_behind and suit != SPADES else 0.0
        for seat in self.behind:
            cannot = 1.0 if suit in self.void[seat] else max(0.0, 1 - cards / 2)
            points += cannot * (1.0 + queen)
        if suit == HEARTS:
            points += 0.8 * len(self.behind)
        if suit == SPADES and self.queen_behind:
            points += 13 * len(self.behind) / (self.players - 1) / max(1.0, cards)
        return points

    def losers(self) -> int:
        """Cards of the hand that would lose a trick, were each suit led from the top."""
        losers = 0
        for suit in range(4):
            own = [card for card in self.hand if SUIT[card] == suit]
            if not own:
                continue
            out = self.out[suit]
            top = out[-1] if out else 0
            boss = sum(card > top for card in own)
            if boss * PULLED * (self.players - 1) < len(out):
                losers += len(own) - boss
        return losers


class Counter(Careful):
    """Plays as `careful` does, by what it remembers; and for the moon when it is in reach."""

    name = "counter"

    def on_match_start(self, match: Match) -> None:
        """Once for each match: the rules, as they matter here, and an empty memory."""
        match.memo = careful.Rules(match.rules), Memory(match)

    def pass_cards(self, turn: Turn) -> list[int]:
        """As `careful`."""
        rules, memory = turn.match.memo
        memory.update(turn)
        return self._give(turn, rules, Table(turn, memory, rules))

    def play(self, turn: Turn) -> int:
        """The cheapest legal card, or the best one for the moon."""
        legal = turn.legal
        if len(legal) == 1:
            return legal[0]
        rules, memory = turn.match.memo
        memory.update(turn)
        table = Table(turn, memory, rules)
        if self._shoots(table):
            return self._for_the_moon(legal, table)
        return min(legal, key=lambda card: (self._price(card, table, turn), -card))

    def _shoots(self, table: Table) -> bool:
        """Nobody else has points, and the hand takes nearly all the rest by itself."""
        if not table.rules.moon or table.taken[table.seat] < sum(table.taken):
            return False
        if table.trick and table.on_table > 0:
            led = SUIT[table.trick[0]]
            if max((card for card in table.hand if SUIT[card] == led), default=0) < table.winning:
                return False
        return table.losers() <= LOSERS

    def _for_the_moon(self, legal: list[int], table: Table) -> int:
        """Lead from the top of the longest suit; take what is led; throw what would lose."""
        out = table.out
        if not table.trick:
            return max(legal, key=lambda card: (_tops(card, out), -len(out[SUIT[card]]), card))
        if SUIT[legal[0]] == SUIT[table.trick[0]]:
            return legal[-1]
        plain = [card for card in legal if table.rules.cost[card] <= 0] or legal
        return min(plain, key=lambda card: (_tops(card, out), card))


def _tops(card: int, out: list[list[int]]) -> bool:
    """Whether nothing that is still out beats the card."""
    higher = out[SUIT[card]]
    return not higher or card > higher[-1]
