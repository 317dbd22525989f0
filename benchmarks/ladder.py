"""The house bots, each against the one before it; `searcher` at 10 and at 30 ms are two rungs.

make bench ONLY=ladder                             a quick look
HEARTS_LADDER_BLOCKS=10 make bench ONLY=ladder     ten times as many blocks
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from benchmarks.duels import TOGETHER, Duel
from benchmarks.figures import Figure, Goal, On
from client_sdk import Bot
from client_sdk.bots import HOUSE
from client_sdk.bots.searcher import Budget, Searcher


@dataclass(frozen=True, slots=True)
class Rung:
    """A bot, and for how many blocks it plays the one below it in a quick run."""

    name: str
    make: Callable[[], Bot]
    blocks: int


RUNGS = (
    Rung("random", HOUSE["random"].make, 0),
    Rung("duck", HOUSE["duck"].make, 50),
    Rung("careful", HOUSE["careful"].make, 150),
    Rung("counter", HOUSE["counter"].make, 400),
    Rung("searcher 10 ms", lambda: Searcher(Budget(10)), 40),
    Rung("searcher 30 ms", lambda: Searcher(Budget(30)), 20),
)
DUCK_BLOCKS = 20


def run() -> list[Figure]:
    """The figures of `make bench ONLY=ladder`."""
    times = float(os.environ.get("HEARTS_LADDER_BLOCKS", "1"))
    pairs = [(below, above, above.blocks, 0.0) for below, above in pairwise(RUNGS)]
    pairs.append((RUNGS[1], RUNGS[-1], DUCK_BLOCKS, 3.9))
    figures = []
    for below, above, blocks, goal in pairs:
        duel = Duel(above.make, below.make, together=1 if "ms" in above.name else TOGETHER)
        duel.play(max(2, round(times * blocks)))
        figures += report(duel, above.name, below.name, goal)
    return figures


def report(duel: Duel, above: str, below: str, goal: float) -> list[Figure]:
    """Two lines: the gap's lower end with its goal, and the time."""
    gap, half = duel.gap()
    name = f"{above} beats {below} by {gap:.2f} ± {half:.2f} in {duel.blocks} blocks: at least"
    return [
        Figure(name, gap - half, "points a deal", goal=Goal(On.VALUE, at_least=goal)),
        Figure(f"{above}: time", duel.clocks["A"].ms, "ms a decision"),
    ]
