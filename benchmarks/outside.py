"""House bots against OpenSpiel's IS-MCTS, one against three, each deal in four rotations.

    make bench ONLY=outside                             a quick look
    HEARTS_OUTSIDE_BLOCKS=10 make bench ONLY=outside    ten times as many blocks

IS-MCTS gets what a seat of ours knows and nothing else: its own cards, the play so far, and hidden
hands drawn to fit, which it draws anew itself. It does not know what it passed; it passes by
`duck`'s rule, as OpenSpiel's own way crashes there.
"""

from __future__ import annotations

import importlib
import os
from random import Random
from typing import Any

from benchmarks.duels import ROTATIONS, Duel
from benchmarks.figures import Figure
from benchmarks.ladder import report
from client_sdk import Turn
from client_sdk.bots import HOUSE
from client_sdk.bots.duck import Duck
from client_sdk.bots.memory import Memory
from client_sdk.bots.searcher import Budget, Position, Searcher
from client_sdk.bots.worlds import Worlds
from hearts.cards import BOTTOM, SUIT, rank

SIMULATIONS = 1000
EXPLORATION = 15.0
"""UCT's constant: about half of the range of a deal's points, which its returns are in."""
BLOCKS = 4
RULES = {"pass_cards": False, "qs_breaks_hearts": False}


class IsMcts(Duck):
    """OpenSpiel's IS-MCTS in the seat of a bot. Raises ImportError without OpenSpiel."""

    name = "is-mcts"

    def __init__(self, simulations: int = SIMULATIONS) -> None:
        self.spiel = importlib.import_module("pyspiel")
        self.game = self.spiel.load_game("hearts", RULES)
        self.simulations = simulations

    def play(self, turn: Turn) -> int:
        """Build OpenSpiel's state from the seat's view, and ask."""
        if len(turn.legal) == 1:
            return turn.legal[0]
        seed = turn.seed % 2**31
        evaluator = self.spiel.RandomRolloutEvaluator(1, seed)
        bot = self.spiel.ISMCTSBot(seed, evaluator, EXPLORATION, self.simulations)
        return _card(bot.step(self.state(turn)))

    def state(self, turn: Turn) -> Any:
        """The deal so far, its hidden cards drawn at random to fit."""
        memory = Memory(turn.match)
        memory.update(turn)
        at = Position(turn, memory)
        drawn = Worlds(at.unseen, at.room, at.void, {}, 1, Random(turn.seed))
        drawn.mix(10)
        hands: list[list[int]] = [[] for _ in range(turn.players)]
        hands[turn.seat] += turn.hand
        for holder, seat in enumerate(at.others):
            hands[seat] += [slot for slot, lanes in drawn.held[holder].items() if lanes]
        plays = []
        for leader, cards in (*turn.tricks, (turn.leader, tuple(turn.trick))):
            for step, card in enumerate(cards):
                hands[(leader + step) % turn.players].append(card)
                plays.append(card)
        state = self.game.new_initial_state()
        state.apply_action(0)  # its first chance node: the direction of no pass
        for row in zip(*hands, strict=True):  # it deals one card to each seat in turn
            for card in row:
                state.apply_action(_action(card))
        for card in plays:
            state.apply_action(_action(card))
        return state


def _action(card: int) -> int:
    """OpenSpiel's number of a card: by rank, then suit."""
    return (rank(card) - 2) * 4 + SUIT[card]


def _card(action: int) -> int:
    """Our number of its card."""
    place, suit = divmod(action, 4)
    return BOTTOM[suit] + place + (suit == 0)


def run() -> list[Figure]:
    """The figures of `make bench ONLY=outside`; none without OpenSpiel."""
    try:
        IsMcts()
    except ImportError:
        return []
    times = float(os.environ.get("HEARTS_OUTSIDE_BLOCKS", "1"))
    figures = []
    for name, make in (
        ("duck", HOUSE["duck"].make),
        ("counter", HOUSE["counter"].make),
        ("searcher 30 ms", lambda: Searcher(Budget(30))),
    ):
        duel = Duel(make, IsMcts, ROTATIONS, together=1)
        duel.play(max(2, round(times * BLOCKS)))
        figures += report(duel, name, f"IS-MCTS {SIMULATIONS}", 0.0)
        figures.append(Figure("IS-MCTS: time", duel.clocks["B"].ms, "ms a decision"))
    return figures
