"""Ladder: goes on until it is stopped. Everybody plays in each round but the few who sit out in
turn, so nobody starves (SP05); neighbours in the ranking meet, where a table tells most. Bots may
come and go between rounds."""

from __future__ import annotations

from arbiter.tournaments import swiss
from arbiter.tournaments.stage import Over, Round, Situation

# A pair that met longer ago may meet again: else the top would never play each other twice.
MEMORY = 2


def next_round(situation: Situation) -> Round | Over:
    """One more round; the ranking is that of all results."""
    rounds = situation.stage.rounds
    if rounds and len(situation.rounds) >= rounds:
        return Over()
    return swiss.neighbours(situation, MEMORY)


def ranking(situation: Situation) -> list[str]:
    """By strength."""
    return situation.by_strength()
