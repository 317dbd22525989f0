"""Complete random deals a second: from the shuffle to the score, the legal list at each decision.

The references are other engines driven in the same way, where they are installed (`open-spiel`,
`gym-hearts`). All engines take turns in short blocks, so that a busy machine slows them alike.
``python -m benchmarks.rules`` prints our own figure alone.
"""

from __future__ import annotations

import importlib
import random
import time
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr
from io import StringIO
from itertools import cycle, islice
from typing import Any

from benchmarks.figures import Figure, Goal, On
from hearts.deal import Deal
from hearts.game import deal_out
from hearts.plan import plan_for
from hearts.rules import RuleSet, preset
from hearts.shuffle import Board

SECONDS = 3.0
SECRET = bytes(range(32))
BLOCK_SECONDS = 0.1

#: Plays one random deal, the number-th.
PlayDeal = Callable[[int], object]

#: Drawn beforehand, so that drawing is no part of what is measured: decision after decision each
#: engine picks legal[number % len(legal)].
RANDOM_NUMBERS = [random.Random(1).getrandbits(24) for _ in range(9_973)]


def engine(rules: RuleSet) -> PlayDeal:
    """Our engine: hold deals, every card drawn from the legal list."""
    board = Board(SECRET, 0)
    plan = plan_for(rules)
    numbers = cycle(RANDOM_NUMBERS)
    plays = rules.hand_size * rules.players
    totals = [0] * rules.players

    def play_deal(number: int) -> Deal:
        deal = Deal(
            plan,
            number=number,
            dealer=number % rules.players,
            pass_offset=0,
            deck=deal_out(rules, board.shuffle(rules, number)),
            totals=totals,
        )
        for pick in islice(numbers, plays):
            legal = deal.legal()
            deal.play(deal.turn, legal[pick % len(legal)])
        return deal

    return play_deal


def open_spiel() -> PlayDeal:
    """OpenSpiel's engine in C++, driven from Python. Raises ImportError."""
    pyspiel = importlib.import_module("pyspiel")
    game = pyspiel.load_game("hearts", {"pass_cards": False})
    numbers = cycle(RANDOM_NUMBERS)

    def play_deal(_: int) -> object:
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[next(numbers) % len(legal)])
        return state.returns()

    return play_deal


def gym_hearts() -> PlayDeal:
    """gym-hearts 0.0.3, in Python, driven as its README does it. Raises ImportError."""
    # On import gym prints, to stderr, that it is no longer maintained.
    with warnings.catch_warnings(), redirect_stderr(StringIO()):
        warnings.simplefilter("ignore")
        environment = importlib.import_module("gymhearts.env").HeartsEnv
        strategy = importlib.import_module("gymhearts.strategy").IStrategy
    numbers = cycle(RANDOM_NUMBERS)

    class Anything(strategy):  # type: ignore[misc, valid-type]
        def move(self, observation: dict[str, list[int]]) -> int:
            legal = observation["valid_hand_cards"] or observation["hand_cards"]
            return legal[next(numbers) % len(legal)]

    def new_game() -> Any:
        table = environment()
        table.enable_shooting_the_moon()
        for _ in range(4):
            table.add_player(Anything())
        table.start()
        return table

    tables = [new_game()]

    def play_deal(_: int) -> object:
        while True:
            _, rewards, done, info = tables[0].step(tables[0].move())
            if done:
                tables[0] = new_game()
            if done or info["is_new_round"]:
                return rewards

    return play_deal


def race(engines: dict[str, PlayDeal], seconds: float) -> dict[str, float]:
    """Deals a second of each engine, in `seconds` for each, taken in turns."""
    done = dict.fromkeys(engines, 0)
    spent = dict.fromkeys(engines, 0.0)
    while min(spent.values()) < seconds:
        for name, play_deal in engines.items():
            begun = time.perf_counter()
            while (now := time.perf_counter()) - begun < BLOCK_SECONDS:
                for number in range(done[name], done[name] + 10):
                    play_deal(number)
                done[name] += 10
            spent[name] += now - begun
    return {name: done[name] / spent[name] for name in engines}


def measure(seconds: float = SECONDS, rules: RuleSet | None = None) -> float:
    """Complete random deals a second, seeded; standard rules unless others are given."""
    return race({"ours": engine(rules or preset("standard"))}, seconds)["ours"]


def run() -> list[Figure]:
    """The figures of `make bench ONLY=rules`."""
    engines = {"ours": engine(preset("standard"))}
    for name, build in (("OpenSpiel", open_spiel), ("gym-hearts", gym_hearts)):
        try:
            engines[name] = build()
        except ImportError:
            continue  # a reference only: it is measured where somebody has installed it
    speeds = race(engines, SECONDS)
    goals = {"OpenSpiel": 1.0, "gym-hearts": 7.0}
    name = "random deals, standard rules"
    if len(engines) == 1:
        return [Figure(name=name, value=speeds["ours"], unit="deals/s")]
    return [
        Figure(
            name=name,
            value=speeds["ours"],
            unit="deals/s",
            reference=speeds[other],
            reference_name=other,
            goal=Goal(On.RATIO, at_least=goals[other]),
        )
        for other in engines
        if other != "ours"
    ]


if __name__ == "__main__":
    print(f"{measure():,.0f} deals/s")
