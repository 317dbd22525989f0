"""Versus: two versions of a bot on mirrored duplicate blocks (A A B B and B B A A on the same
cards), stopped by a sequential test."""

from __future__ import annotations

from arbiter.tournaments.stage import Over, Played, Round, Situation
from arbiter.tournaments.statistics import Verdict

MAX_BOARDS = 20_000
ROTATIONS = 2


def next_round(situation: Situation) -> Round | Over:
    """`boards` more blocks, until the test decides or `max_boards` are played."""
    stage = situation.stage
    if len(situation.playing) < len(situation.entrants):
        return Over("one of the two has withdrawn")
    values = differences(situation)
    verdict = situation.statistics.sequential(values, stage.h0, stage.h1, stage.alpha, stage.beta)
    challenger, other = stage.challenger, baseline(situation)
    if verdict is Verdict.BETTER:
        return Over(f"{challenger} is better than {other}: decided after {len(values)} boards")
    if verdict is Verdict.NOT_BETTER:
        return Over(f"{challenger} is not better than {other}: decided after {len(values)} boards")
    played = sum(len(table.blocks) for past in situation.rounds for table in past.tables)
    left = (stage.max_boards or MAX_BOARDS) - played
    if left <= 0:
        return Over(f"not decided after {played} boards")
    return Round((tuple(sorted(situation.entrants)),), min(left, situation.boards), mirrored=True)


def ranking(situation: Situation) -> list[str]:
    """By mean difference."""
    values = differences(situation)
    challenger, other = situation.stage.challenger, baseline(situation)
    return [challenger, other] if sum(values) > 0 else [other, challenger]


def baseline(situation: Situation) -> str:
    """The one that is not the challenger."""
    return next(bot for bot in situation.entrants if bot != situation.stage.challenger)


def differences(situation: Situation) -> list[float]:
    """Of each block that counts, in the order of boards: the mean of baseline − challenger in
    points per deal and seat. Positive: the challenger is better."""
    return [
        _difference(block, situation.stage.challenger)
        for past in situation.rounds
        for table in past.tables
        for block in table.counted(situation.rotations)
    ]


def _difference(block: tuple[Played, ...], challenger: str) -> float:
    sums = {True: 0, False: 0}
    counts = {True: 0, False: 0}
    for match in block:
        for points in match.score.deals if match.score is not None else ():
            for bot, value in zip(match.seats, points, strict=True):
                sums[bot == challenger] += value
                counts[bot == challenger] += 1
    if not counts[True] or not counts[False]:
        return 0.0
    return sums[False] / counts[False] - sums[True] / counts[True]


def seatings(first: str, second: str, players: int, turn: int) -> tuple[tuple[str, ...], ...]:
    """The two seatings of a board. `turn` (from 0) goes through the ways to place the two around
    the table, so that neither always sits at the other's left."""
    half = players // 2
    patterns = [
        [first if seat // width % 2 == 0 else second for seat in range(players)]
        for width in sorted({1, half})
    ]
    pattern = patterns[turn % len(patterns)]
    shift = turn // len(patterns) % players
    one = tuple(pattern[shift:] + pattern[:shift])
    swap = {first: second, second: first}
    return one, tuple(swap[bot] for bot in one)
