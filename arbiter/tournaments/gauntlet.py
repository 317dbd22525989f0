"""Gauntlet: one bot, the challenger, sits at every table against groups of the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arbiter.tournaments.partition import pair_costs, partition
from arbiter.tournaments.stage import Over, Round, Situation, even_seats, sit_outs

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
    resting = next(sit_outs(situation, len(others) % size, others))
    playing = [bot for bot in others if bot not in resting]
    tables = sorted(tuple(sorted(table)) for table in _tables(situation, playing))
    return Round(tuple(tables), situation.boards, tuple(sorted(resting)))


def _tables(situation: Situation, playing: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The others in groups, with the challenger."""
    challenger, size = situation.stage.challenger, situation.players
    # It takes part as many bots, one a table, each with a first seat that keeps it even.
    hubs = [f"{challenger}/{table}" for table in range(len(playing) // (size - 1))]
    owners = {**situation.owners, **dict.fromkeys(hubs, challenger)}
    costs = pair_costs([*playing, *hubs], situation.meetings(), owners)
    even = even_seats(situation, situation.boards, playing, hubs)
    draw = situation.draw("round", len(situation.rounds))
    for table in partition([*playing, *hubs], size, costs, draw, even):
        yield tuple(challenger if bot in hubs else bot for bot in table)


def ranking(situation: Situation) -> list[str]:
    """By strength."""
    return situation.by_strength()
