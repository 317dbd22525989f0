"""Plays each legal card out in thousands of deals that fit what it knows, and takes the best one.

Every card is tried in the same hidden hands, so luck of the cards cancels; cards that are clearly
worse are dropped after each round, so the rest get more of the budget.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from time import perf_counter, thread_time
from typing import TYPE_CHECKING

from client_sdk.bots.counter import Counter
from client_sdk.bots.playouts import COPY, ME, SLOTS, TOOK, Hand, Playout, scene_for
from client_sdk.bots.worlds import Worlds

if TYPE_CHECKING:
    from client_sdk.bots.memory import Memory
    from client_sdk.turn import Turn

LANES = 1024
"""Playouts in a round, over all cards. Twice as many take about a third longer."""
MIX = 10
"""Rounds of swaps after which hidden hands have forgotten where they began."""
MARGIN = 14.0
"""A card is dropped when it is worse by this over the root of the hidden hands tried: two standard
errors, as the points of two cards in one deal differ by some 7."""
SHARE = 0.5
"""The part of the time on the clock that a decision uses at most. A budget of processor time means
the same on a busy machine, but the referee's clock runs on."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What a decision may cost: milliseconds of processor time, or playouts if that is not 0. With
    playouts, equal seeds give equal cards on any machine."""

    ms: float = 30.0
    playouts: int = 0


class Searcher(Counter):
    """Passes as `counter` does, and searches for every card."""

    name = "searcher"

    def __init__(self, budget: Budget | None = None) -> None:
        self.budget = budget or Budget()

    def play(self, turn: Turn) -> int:
        """The card with which the own points, less those of the others, are fewest."""
        legal = sorted(set(turn.legal))
        if len(legal) == 1:
            return legal[0]
        _, memory = turn.match.memo
        memory.update(turn)
        return self._search(Position(turn, memory), legal, SHARE * turn.time_left_ms / 1000)

    def _search(self, position: Position, legal: list[int], longest: float) -> int:
        playouts = self.budget.playouts
        sums = dict.fromkeys(legal, 0.0)
        worlds = done = rounds = 0
        work, clock = thread_time(), perf_counter()
        while True:
            each = max(1, (min(LANES, playouts) if playouts else LANES) // len(legal))
            for card, value in zip(legal, position.round(legal, each), strict=True):
                sums[card] += value
            worlds += each
            done += each * len(legal)
            most = min(map(sums.__getitem__, legal)) + MARGIN * worlds**0.5
            legal = [card for card in legal if sums[card] <= most]
            rounds += 1
            if playouts:
                spent = done >= playouts
            else:  # whether another round would go beyond
                more = (rounds + 1) / rounds
                spent = (thread_time() - work) * more > self.budget.ms / 1000
                spent = spent or (perf_counter() - clock) * more > longest
            if spent or len(legal) == 1:
                return min(legal, key=sums.__getitem__)


class Position:
    """One decision, as far as the seat knows it."""

    def __init__(self, turn: Turn, memory: Memory) -> None:
        self.scene = scene_for(turn.rules)
        self.chance = Random(turn.seed)
        self.hand, self.trick, self.leader = turn.hand, turn.trick, turn.leader
        self.broken, self.first = turn.hearts_broken, turn.trick_number == 1
        self.seat, self.players = turn.seat, turn.players
        self.took = [points > 0 for points in memory.taken]
        self.others = [seat for seat in range(self.players) if seat != self.seat]
        self.unseen = self._slots(memory.unseen(turn))
        played = {(self.leader + step) % self.players for step in range(len(self.trick))}
        self.room = [len(self.hand) - (seat in played) for seat in self.others]
        self.void = [memory.void[seat] for seat in self.others]
        undealt = len(self.unseen) - sum(self.room)
        if undealt > 0:  # leftover cards: as if another seat held them
            self.room.append(undealt)
            self.void.append(set())
        self.fixed = self._passed_on(memory)

    def _slots(self, cards: list[int]) -> list[int]:
        """Each copy of a card has a slot of its own; the first one that is seen has the first."""
        slots = []
        seen = [*self.hand, *self.trick]
        for card in cards:
            slots.append(card + COPY if card in seen else card)
            seen.append(card)
        return slots

    def _passed_on(self, memory: Memory) -> dict[int, int]:
        fixed: dict[int, int] = {}
        for card in memory.given:
            for slot in (card, card + COPY):
                if slot in self.unseen and slot not in fixed:
                    fixed[slot] = self.others.index(memory.given_to)
                    break
        return fixed

    def round(self, legal: list[int], each: int) -> list[float]:
        """What each card costs, summed over so many newly drawn hidden hands."""
        worlds = Worlds(self.unseen, self.room, self.void, self.fixed, each, self.chance)
        worlds.mix(MIX)
        lanes = each * len(legal)
        hands = [
            self._hand((self.leader + step) % self.players, worlds, each, len(legal))
            for step in range(self.players)
        ]
        playout = Playout(self.scene, lanes, hands, self.broken, self.trick)
        for step, card in enumerate(self.trick):
            playout.put(step, card, playout.full)
        own = len(self.trick)
        for block, card in enumerate(legal):
            playout.put(own, card, ((1 << each) - 1) << (each * block))
        playout.run(own + 1, len(self.hand), self.first)
        return playout.values(each)

    def _hand(self, seat: int, worlds: Worlds, each: int, blocks: int) -> Hand:
        """A seat's cards in all lanes: the same hidden hands in each block."""
        hand = [0] * SLOTS
        full = (1 << (each * blocks)) - 1
        if self.took[seat]:
            hand[TOOK] = full
        if seat == self.seat:
            hand[ME] = full
            for card in self.hand:
                hand[card + COPY if hand[card] else card] = full
            return hand
        repeat = full // ((1 << each) - 1)
        for slot, lanes in worlds.held[self.others.index(seat)].items():
            hand[slot] = lanes * repeat
        return hand
