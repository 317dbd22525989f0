"""Tables of ratings: one line for each bot, best first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from arbiter.ratings import intervals
from arbiter.ratings.deals import Deal, Deals, collect, connected
from arbiter.ratings.intervals import rounded
from arbiter.ratings.placings import plackett_luce
from arbiter.ratings.points import Estimate, least_squares

# An interval wider than this (points per deal, either way), or from fewer blocks, is provisional:
# with few blocks the clustered error itself is a guess, and mostly too small.
WIDE = 1.0
FEW_BLOCKS = 10


class Measure(StrEnum):
    """What a table is made of."""

    POINTS = "points"
    PLACINGS = "placings"


@dataclass(frozen=True, slots=True)
class Rating:
    """One line of a table. `strength` by points is in points per deal against the mean of the
    table's bots, lower is better; by placings it is a log-worth, higher is better. `se`, `low` and
    `high` (95 %) are None while nothing can be said about the error: with fewer than two blocks.
    `rank_low` to `rank_high` is the 95 % interval of the rank. `superiority` is the likelihood of
    being truly better than the next bot of the table; None for the last, and without an error."""

    rank: int
    bot: str
    strength: float
    se: float | None
    low: float | None
    high: float | None
    rank_low: int
    rank_high: int
    superiority: float | None
    deals: int
    blocks: int
    provisional: bool


@dataclass(frozen=True, slots=True)
class Table:
    """Bots that met, directly or through others, best first. Two tables have no common order."""

    ratings: tuple[Rating, ...]
    deals: int
    blocks: int


def fit(deals: Iterable[Deal] | Deals, measure: Measure = Measure.POINTS) -> list[Table]:
    """Rate all bots. One table for each group of bots connected by play, the one with most deals
    first. ValueError when a deal has fewer than two seats or not one figure for each."""
    held = deals if isinstance(deals, Deals) else collect(deals)
    return [table(part, estimate(part, measure), measure) for part in connected(held)]


def estimate(deals: Deals, measure: Measure) -> Estimate:
    """Fit connected bots."""
    return least_squares(deals) if measure is Measure.POINTS else plackett_luce(deals)


def table(deals: Deals, found: Estimate, measure: Measure = Measure.POINTS) -> Table:
    """The lines of connected bots."""
    played, in_blocks = counts(deals)
    errors, halves = intervals.errors(found), intervals.half_widths(found)
    values = [rounded(value) for value in found.values]
    up = 1 if measure is Measure.POINTS else -1
    # Ranks count from the better end.
    lowest, highest = intervals.ranks(
        found if up == 1 else Estimate(-found.values, found.covariance, found.freedom)
    )
    order = sorted(range(len(values)), key=lambda i: (up * values[i], deals.names[i]))
    lines: list[Rating] = []
    for position, i in enumerate(order, start=1):
        rank = lines[-1].rank if lines and lines[-1].strength == values[i] else position
        following = order[position] if position < len(order) else None
        provisional = halves is None or halves[i] > WIDE or in_blocks[i] < FEW_BLOCKS
        lines.append(
            Rating(
                rank=rank,
                bot=deals.names[i],
                strength=values[i],
                se=None if errors is None else rounded(errors[i]),
                low=None if halves is None else rounded(found.values[i] - halves[i]),
                high=None if halves is None else rounded(found.values[i] + halves[i]),
                rank_low=int(lowest[i]),
                rank_high=int(highest[i]),
                superiority=_superiority(found, i, following, up),
                deals=played[i],
                blocks=in_blocks[i],
                provisional=bool(provisional),
            )
        )
    return Table(tuple(lines), len(deals), deals.blocks)


def _superiority(found: Estimate, bot: int, following: int | None, up: int) -> float | None:
    if following is None:
        return None
    # Of the two the one with the lower value, or with the higher for placings.
    gap = intervals.gap(found, bot, following) if up == 1 else intervals.gap(found, following, bot)
    return None if gap is None else gap.superiority


def counts(deals: Deals) -> tuple[list[int], list[int]]:
    """Deals and blocks of each bot; two seats of one bot at one table are one deal."""
    count = len(deals.names)
    played = np.zeros(count, dtype=np.intp)
    seen = np.zeros(deals.blocks * count, dtype=bool)
    for group in deals.groups:
        ordered = np.sort(group.bots, axis=1)
        first = np.ones(ordered.shape, dtype=bool)
        first[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
        played += np.bincount(ordered[first], minlength=count)
        for seat in range(group.size):
            seen[group.block * count + group.bots[:, seat]] = True
    return played.tolist(), seen.reshape(deals.blocks, count).sum(0).tolist()
