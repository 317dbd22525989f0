"""Complete random deals a second: from the shuffle to the score, the legal list at each decision.

``python -m benchmarks.rules`` prints the figure alone.
"""

from __future__ import annotations

import random
import time

from benchmarks.figures import Figure
from hearts.deal import Deal
from hearts.game import deal_out
from hearts.plan import plan_for
from hearts.rules import RuleSet, preset
from hearts.shuffle import Board

SECONDS = 3.0
SECRET = bytes(range(32))
#: Deals between two looks at the clock.
BLOCK = 100


def play_random_deal(rules: RuleSet, board: Board, number: int, pick: random.Random) -> Deal:
    """One hold deal of these rules, every card drawn from the legal list."""
    deal = Deal(
        plan_for(rules),
        number=number,
        dealer=number % rules.players,
        pass_offset=0,
        deck=deal_out(rules, board.shuffle(rules, number)),
        totals=[0] * rules.players,
    )
    fraction = pick.random
    for _ in range(rules.hand_size * rules.players):
        legal = deal.legal()
        deal.play(deal.turn, legal[int(fraction() * len(legal))])
    return deal


def measure(seconds: float = SECONDS, rules: RuleSet | None = None) -> float:
    """Complete random deals a second, seeded; standard rules unless others are given."""
    rules = rules or preset("standard")
    board = Board(SECRET, 0)
    pick = random.Random(1)
    begun = time.perf_counter()
    done = 0
    while (taken := time.perf_counter() - begun) < seconds:
        for number in range(done, done + BLOCK):
            play_random_deal(rules, board, number, pick)
        done += BLOCK
    return done / taken


def run() -> list[Figure]:
    """The figures of `make bench ONLY=rules`."""
    return [Figure(name="random deals, standard rules", value=measure(), unit="deals/s")]


if __name__ == "__main__":
    print(f"{measure():,.0f} deals/s")
