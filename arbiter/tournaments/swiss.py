"""Swiss: each round, bots of like strength meet, and nobody meets the same bot twice while that can
be avoided. Ranked by least squares, because opponents differ."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from math import ceil, log2

import numpy as np

from arbiter.tournaments.partition import Costs, pair_costs, partition
from arbiter.tournaments.stage import Over, Round, Situation, even_seats, sit_outs

MIN_ROUNDS = 3


def next_round(situation: Situation) -> Round | Over:
    """Tables of neighbours in the ranking so far."""
    rounds = situation.stage.rounds or max(MIN_ROUNDS, ceil(log2(len(situation.entrants))))
    if len(situation.rounds) >= rounds:
        return Over()
    return neighbours(situation)


def ranking(situation: Situation) -> list[str]:
    """By strength."""
    return situation.by_strength()


def neighbours(situation: Situation, memory: int = 0) -> Round:
    """One round in which bots of like strength meet. Who has met (in the last `memory` rounds; 0:
    ever) counts first, then the distance in the ranking."""
    playing = situation.playing
    if situation.rounds:
        playing = [bot for bot in situation.by_strength() if bot in situation.active]
    return even_round(situation, playing, near=bool(situation.rounds), memory=memory)


def even_round(
    situation: Situation, bots: Sequence[str], *, near: bool, memory: int = 0, boards: int = 0
) -> Round:
    """One round of these bots: as few repeated meetings as can be found, sit-outs in turn. `near`:
    between equals, those close to each other in the order of `bots` meet."""
    boards = boards or situation.boards
    resting = _resting(situation, bots, boards)
    playing = [bot for bot in bots if bot not in resting]
    distance: Costs | None = None
    if near:
        places = np.arange(len(playing), dtype=np.int64)
        distance = (places[:, None] - places[None, :]) ** 2
    costs = pair_costs(playing, situation.meetings(memory), situation.owners, distance)
    draw = situation.draw("round", len(situation.rounds))
    even = even_seats(situation, boards, playing)
    tables = partition(playing, situation.players, costs, draw, even)
    return Round(
        tuple(sorted(tuple(sorted(table)) for table in tables)), boards, tuple(sorted(resting))
    )


def _resting(situation: Situation, bots: Sequence[str], boards: int) -> list[str]:
    """Who sits out: between equals, so that the seats of the others can be even."""
    choices = sit_outs(situation, len(bots) % situation.players, bots)
    first = next(choices)
    for resting in chain([first], choices):
        playing = [bot for bot in bots if bot not in resting]
        even = even_seats(situation, boards, playing)
        if even is None or even.possible(playing):
            return resting
    return first
