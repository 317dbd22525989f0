"""Successive halving on the rating: at each level everybody left plays some rounds, then the weaker
half goes. Boards double from level to level, so the work goes where it decides: the best format
for finding the champion."""

from __future__ import annotations

from arbiter.tournaments import swiss
from arbiter.tournaments.stage import Over, PlayedRound, Round, Situation

ROUNDS = 3


def next_round(situation: Situation) -> Round | Over:
    """The next round of this level, or the first of the next one."""
    each = situation.stage.rounds or ROUNDS
    level, inside = divmod(len(situation.rounds), each)
    if not situation.rounds:
        left = list(situation.entrants)
    else:
        left = _field(situation.rounds[-1])
        if inside == 0:
            goal = max(situation.players, situation.stage.advance)
            if len(left) <= goal:
                return Over()
            keep = max(goal, -(-len(left) // 2))
            left = [bot for bot in situation.by_strength() if bot in set(left)][:keep]
    return swiss.even_round(
        situation, _filled(situation, left), near=False, boards=situation.boards << level
    )


def ranking(situation: Situation) -> list[str]:
    """By the level reached, then by strength."""
    each = situation.stage.rounds or ROUNDS
    reached = {
        bot: index // each for index, past in enumerate(situation.rounds) for bot in _field(past)
    }
    return sorted(situation.by_strength(), key=lambda bot: -reached.get(bot, 0))


def _field(past: PlayedRound) -> list[str]:
    return sorted([*past.bots, *past.sit_outs])


def _filled(situation: Situation, left: list[str]) -> list[str]:
    """Those left who are still here; the best of those who had gone fill up a table."""
    here = [bot for bot in left if bot in situation.active]
    if len(here) < situation.players:
        spare = [b for b in situation.by_strength() if b in situation.active and b not in here]
        here += spare[: situation.players - len(here)]
    return sorted(here)
