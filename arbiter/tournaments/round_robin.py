"""Round robin: every pair meets equally often.

While the field is small every set of bots that fits a table plays. A larger field plays an exact
design where one is known (every pair meets once), else rounds of all bots, each dividing them so
that the numbers of meetings stay as even as swaps can make them.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import ceil, comb, gcd

from arbiter.tournaments import designs, swiss
from arbiter.tournaments.stage import Over, Round, Situation

MAX_SETS = 1000
"""With more sets of bots than this the field is large."""
MORE_BOARDS = 10
"""A precision goal gives up after so many times the boards asked for, unless the file says."""


def next_round(situation: Situation) -> Round | Over:
    """The whole plan at once where it is fixed, else the next round; again and again while a
    precision goal is not reached."""
    stage, done = situation.stage, len(situation.rounds)
    planned = rounds(len(situation.entrants), situation.players, stage.rounds)
    if done < (planned or 1):
        return _round(situation)
    if not stage.separate:
        return Over()
    goal = situation.statistics.separation(situation.deals(), stage.separate, stage.confidence)
    if goal.done:
        return Over()
    most = stage.max_boards or MORE_BOARDS * situation.boards * (planned or 1)
    if done * situation.boards >= most:
        return Over(
            f"the first {stage.separate} are not all separated after {most} boards at each table"
        )
    return _round(situation)


def ranking(situation: Situation) -> list[str]:
    """By strength: the same order as by points while all have met the same opponents."""
    return situation.by_strength()


def rounds(bots: int, size: int, asked: int) -> int:
    """How many rounds of the whole field are played; 0: one fixed plan of all tables."""
    if asked:
        return asked
    if comb(bots, size) <= MAX_SETS or designs.design(bots, size):
        return 0
    return ceil((bots - 1) / (size - 1))


def tables(bots: int, size: int) -> int:
    """Tables of the fixed plan."""
    sets = comb(bots, size)
    return sets if sets <= MAX_SETS else len(designs.design(bots, size) or ())


def _round(situation: Situation) -> Round:
    bots = sorted(situation.playing)
    count, size = len(bots), situation.players
    if not rounds(len(situation.entrants), size, situation.stage.rounds):
        if comb(count, size) <= MAX_SETS:
            return Round(_sets(situation, bots), situation.boards)
        blocks = designs.design(count, size)
        if blocks:
            return _named(situation, bots, blocks)
    elif count == size * size and designs.design(count, size):
        return _parallel(situation, bots)
    return swiss.even_round(situation, bots, near=False)


def _sets(situation: Situation, bots: list[str]) -> tuple[tuple[str, ...], ...]:
    """Every set of bots that fits a table; without those that have two bots of one owner, if
    everybody plays then too (FS09)."""
    every = tuple(combinations(bots, situation.players))
    owner = {bot: situation.owners.get(bot) or f"/{bot}" for bot in bots}
    fair = tuple(table for table in every if len({owner[bot] for bot in table}) == len(table))
    return fair if {bot for table in fair for bot in table} == set(bots) else every


def _named(situation: Situation, bots: list[str], blocks: designs.Blocks) -> Round:
    """A design with its numbers given to the bots by the draw; one draw for the whole stage."""
    order = situation.draw("design").shuffled(bots)
    return Round(
        tuple(sorted(tuple(sorted(order[number] for number in block)) for block in blocks)),
        situation.boards,
    )


def _parallel(situation: Situation, bots: list[str]) -> Round:
    """One of the rounds of a design. Until its seats are even a bot moves on from seat to seat, and
    where it begins is told by its table in a round that is not played meanwhile: each of the tables
    of the others has one bot from each table of that."""
    done, size = len(situation.rounds), situation.players
    rounds = designs.parallel_rounds(size)
    made = _named(situation, bots, rounds[done % len(rounds)])
    games = made.boards % size
    if situation.rotations > 1 or not games:
        return made
    cycle = size // gcd(size, games)
    begun = done - done % cycle
    order = situation.draw("design").shuffled(bots)
    first = {
        order[number]: (seat + (done - begun) * games) % size
        for seat, block in enumerate(rounds[(begun + cycle) % len(rounds)])
        for number in block
    }
    return replace(made, first=first)
