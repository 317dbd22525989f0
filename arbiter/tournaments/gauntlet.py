"""Gauntlet: one bot, the challenger, sits at every table against groups of the others."""

from __future__ import annotations

from arbiter.tournaments.partition import pair_costs, partition
from arbiter.tournaments.stage import Over, Round, Situation, sit_outs

ROUNDS = 3


def next_round(situation: Situation) -> Round | Over:
    """Every opponent once, in groups that have not met; who does not fit sits out, in turn. One
    round when the opponents divide evenly, else three, unless the stage says otherwise."""
    challenger = situation.stage.challenger
    if challenger not in situation.active:
        return Over(f"the challenger {challenger} has withdrawn")
    others = [bot for bot in situation.playing if bot != challenger]
    size = situation.players - 1
    field = len(situation.entrants) - 1
    if len(situation.rounds) >= (situation.stage.rounds or (ROUNDS if field % size else 1)):
        return Over()
    resting = sit_outs(situation, len(others) % size, others)
    playing = [bot for bot in others if bot not in resting]
    costs = pair_costs(playing, situation.meetings(), situation.owners)
    groups = partition(playing, size, costs, situation.draw("round", len(situation.rounds)))
    tables = sorted(tuple(sorted((challenger, *group))) for group in groups)
    return Round(tuple(tables), situation.boards, tuple(sorted(resting)))


def ranking(situation: Situation) -> list[str]:
    """By strength."""
    return situation.by_strength()
