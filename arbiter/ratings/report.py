"""All that is published about a pool: tables, gaps, splits, counts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arbiter.ratings import intervals, splits
from arbiter.ratings.deals import Deals, Floats, Ints, connected
from arbiter.ratings.evidence import FIGURES, Record
from arbiter.ratings.intervals import Gap, rounded
from arbiter.ratings.placings import plackett_luce
from arbiter.ratings.points import Estimate, least_squares, on_grid
from arbiter.ratings.splits import Split
from arbiter.ratings.tables import Measure, Rating, Table, table


class Inconsistent(Exception):
    """Figures that cannot be true: they are not published."""


@dataclass(frozen=True, slots=True)
class Line:
    """All about one bot; see `Rating` of ratings.proto."""

    rating: Rating
    placing: Rating
    matches: int
    mean_place: float
    wins: int
    moons: int
    timeouts: int
    illegal: int
    decisions: int
    by_seat: tuple[Split, ...]
    by_pass: tuple[Split, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two bots: the gap of their ratings, and how they did where they met."""

    bot: str
    other: str
    gap: Gap
    blocks: int
    met: float


@dataclass(frozen=True, slots=True)
class Part:
    """Bots that are connected by play, best first."""

    table: Table
    lines: tuple[Line, ...]
    pairs: tuple[Pair, ...]


def report(deals: Deals, record: Record) -> list[Part]:
    """Everything about a pool, one part for each group of connected bots, the one with most deals
    first. Raises Inconsistent for figures that cannot be true."""
    parts = connected(deals)
    # Passes go with the rows of the whole; a part of several gets along without.
    passes = record.passes if len(parts) == 1 else None
    made = [_part(part, record, passes) for part in parts]
    for part in made:
        _check(part)
    return made


def _part(deals: Deals, record: Record, passes: tuple[Ints, ...] | None) -> Part:
    found = least_squares(deals)
    lines = table(deals, found)
    placings = {r.bot: r for r in table(deals, plackett_luce(deals), Measure.PLACINGS).ratings}
    grid = on_grid(found.values, deals)
    seats = splits.by_seat(deals, grid)
    by_pass = splits.by_pass(deals, grid, passes) if passes else [[] for _ in deals.names]
    position = {bot: number for number, bot in enumerate(deals.names)}
    of_record = {bot: number for number, bot in enumerate(record.names)}

    def line(rating: Rating) -> Line:
        at = of_record[rating.bot]
        counts = dict(zip(FIGURES, record.figures[:, at].tolist(), strict=True))
        matches = int(record.matches[at])
        return Line(
            rating=rating,
            placing=placings[rating.bot],
            matches=matches,
            mean_place=rounded(counts["place"] / matches) if matches else 0.0,
            wins=int(counts["win"]),
            moons=int(counts["moons"]),
            timeouts=int(counts["timeouts"]),
            illegal=int(counts["illegal"]),
            decisions=int(counts["decisions"]),
            by_seat=tuple(seats[position[rating.bot]]),
            by_pass=tuple(by_pass[position[rating.bot]]),
        )

    return Part(lines, tuple(map(line, lines.ratings)), _pairs(deals, found, lines))


def _pairs(deals: Deals, found: Estimate, lines: Table) -> tuple[Pair, ...]:
    """Every pair of bots once, in order of rank."""
    blocks, met = _meetings(deals)
    position = {bot: number for number, bot in enumerate(deals.names)}
    order = [position[rating.bot] for rating in lines.ratings]
    made = []
    for at, a in enumerate(order):
        for b in order[at + 1 :]:
            gap = intervals.gap(found, a, b)
            if gap is not None:
                both = Pair(deals.names[a], deals.names[b], gap, int(blocks[a, b]), met[a, b])
                made.append(both)
    return tuple(made)


def _meetings(deals: Deals) -> tuple[Ints, Floats]:
    """By pair of bots: blocks in which they shared a table, and a's mean points less b's there."""
    count = len(deals.names)
    sums = np.zeros(count * count)
    number = np.zeros(count * count)
    keys = []
    for group in deals.groups:
        for a in range(group.size):
            for b in range(group.size):
                if a != b:
                    pair = group.bots[:, a] * count + group.bots[:, b]
                    excess = group.points[:, a] - group.points[:, b]
                    sums += np.bincount(pair, excess, count * count)
                    number += np.bincount(pair, minlength=count * count)
                if a < b:
                    low = np.minimum(group.bots[:, a], group.bots[:, b])
                    high = np.maximum(group.bots[:, a], group.bots[:, b])
                    keys.append(group.block * count * count + low * count + high)
    met = np.unique(np.concatenate(keys)) % (count * count)
    blocks = np.bincount(met, minlength=count * count).reshape(count, count)
    means = (sums / np.maximum(number, 1)).reshape(count, count)
    return blocks + blocks.T, np.vectorize(rounded, otypes=[float])(means)


def _check(part: Part) -> None:
    """What must hold whatever the results (RS10)."""
    total = sum(line.rating.strength for line in part.lines)
    if abs(total) > 1e-4 * len(part.lines):
        raise Inconsistent(f"strengths sum to {total}, not to 0")
    for line in part.lines:
        bot = line.rating.bot
        if line.timeouts > line.decisions:
            raise Inconsistent(f"{bot}: {line.timeouts} time-outs in {line.decisions} decisions")
        if line.wins > line.matches:
            raise Inconsistent(f"{bot}: {line.wins} wins in {line.matches} matches")
        if line.rating.blocks > line.rating.deals:
            raise Inconsistent(f"{bot}: {line.rating.blocks} blocks in {line.rating.deals} deals")
        if sum(split.deals for split in line.by_seat) < line.rating.deals:
            raise Inconsistent(f"{bot}: deals by seat are fewer than its deals")
