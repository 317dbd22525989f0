"""Points per deal: how much better or worse than its field each bot is, with honest intervals.

Least squares on points demeaned within each deal; unknowns are the bots' strengths, with sum 0 over
the bots that are connected by play. The unit of evidence is the block (one shuffle in all its
rotations), so the covariance is the sandwich clustered by block:

    θ = A⁺ Σ D'ỹ     cov = A⁺ (Σ_b u_b u_b') A⁺ · B/(B−1)     u_b = Σ_{deal in b} D'e

with ỹ the demeaned points, e the residuals, D the seats' bots demeaned within the deal, B the
number of blocks. Intervals use Student's t with B − 1 degrees of freedom.

Nothing depends on the order or the names of the deals and blocks: they are sorted by what they hold
before any floating-point sum, and the published figures are rounded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import stdtrit

DECIMALS = 4
CONFIDENCE = 0.95
# An interval wider than this (points per deal, either way), or from fewer blocks, is provisional:
# with few blocks the clustered error itself is a guess, and mostly too small.
WIDE = 1.0
FEW_BLOCKS = 10

Floats = NDArray[np.float64]
Seats = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """One finished deal: the block it belongs to, and bots and points by seat. Low is good; 0 is
    the best result there is, and a real one."""

    block: str
    bots: tuple[str, ...]
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rating:
    """One line of a table. `strength` is in points per deal against the mean of the table's bots,
    lower is better; `se`, `low` and `high` are None while there are fewer than two blocks."""

    rank: int
    bot: str
    strength: float
    se: float | None
    low: float | None
    high: float | None
    deals: int
    blocks: int
    provisional: bool


@dataclass(frozen=True, slots=True)
class Table:
    """Bots that met, directly or through others, best first. Two tables have no common order."""

    ratings: tuple[Rating, ...]
    deals: int
    blocks: int


def fit(deals: Iterable[Deal]) -> list[Table]:
    """Rate all bots. One table for each group of bots connected by play, the one with most deals
    first. ValueError when a deal has fewer than two seats or not one figure for each."""
    blocks: dict[str, list[Seats]] = defaultdict(list)
    for deal in deals:
        if len(deal.bots) != len(deal.points) or len(deal.bots) < 2:
            raise ValueError(f"a deal of block {deal.block!r} does not have a figure for each seat")
        # Seats do not matter here: sorted, so that their order cannot change a byte.
        blocks[deal.block].append(tuple(sorted(zip(deal.bots, deal.points, strict=True))))
    for content in blocks.values():
        content.sort()
    ordered = sorted(blocks.values())
    tables = [_table(bots, own) for bots, own in _components(ordered)]
    return sorted(tables, key=lambda table: (-table.deals, min(r.bot for r in table.ratings)))


def _components(blocks: Sequence[list[Seats]]) -> list[tuple[list[str], list[list[Seats]]]]:
    """The bots connected by deals, with their blocks. A block may fall into several groups when
    different bots play the same shuffle at different tables."""
    parent: dict[str, str] = {}

    def root(bot: str) -> str:
        parent.setdefault(bot, bot)
        while parent[bot] != bot:
            parent[bot] = parent[parent[bot]]
            bot = parent[bot]
        return bot

    for block in blocks:
        for seats in block:
            first = root(seats[0][0])
            for bot, _ in seats[1:]:
                parent[root(bot)] = first
    members: dict[str, list[str]] = defaultdict(list)
    for bot in sorted(parent):
        members[root(bot)].append(bot)
    evidence: dict[str, list[list[Seats]]] = defaultdict(list)
    for block in blocks:
        split: dict[str, list[Seats]] = defaultdict(list)
        for seats in block:
            split[root(seats[0][0])].append(seats)
        for key, own in split.items():
            evidence[key].append(own)
    return [(bots, evidence[key]) for key, bots in members.items()]


@dataclass(frozen=True, slots=True)
class _Arrays:
    """Deals as flat arrays: one item for each seat of each deal, in canonical order."""

    bots: NDArray[np.intp]
    points: Floats
    # For each item, the number of its deal and of its block.
    deal: NDArray[np.intp]
    block: NDArray[np.intp]
    # Seats of each deal.
    seats: Floats


def _arrays(bots: Sequence[str], blocks: Sequence[list[Seats]]) -> _Arrays:
    index = {bot: number for number, bot in enumerate(bots)}
    flat = [
        (index[bot], points, deal, block)
        for deal, (block, seats) in enumerate(
            (number, seats) for number, block in enumerate(blocks) for seats in block
        )
        for bot, points in seats
    ]
    columns = np.array(flat, dtype=np.int64).T
    return _Arrays(
        bots=columns[0].astype(np.intp),
        points=columns[1].astype(np.float64),
        deal=columns[2].astype(np.intp),
        block=columns[3].astype(np.intp),
        seats=np.bincount(columns[2]).astype(np.float64),
    )


def _demeaned(values: Floats, data: _Arrays) -> Floats:
    means = np.bincount(data.deal, values) / data.seats
    return np.asarray(values - means[data.deal], dtype=np.float64)


def least_squares(
    bots: Sequence[str], blocks: Sequence[list[Seats]]
) -> tuple[Floats, Floats | None]:
    """Strengths (sum 0) and their clustered covariance; None for fewer than two blocks. The bots
    must be connected; `blocks` holds the (bot, points) pairs of each deal."""
    data = _arrays(bots, blocks)
    count = len(bots)
    at_table = sparse.csr_matrix(
        (np.ones(len(data.bots)), (data.deal, data.bots)), shape=(len(data.seats), count)
    )
    shared = (at_table.T @ sparse.diags_array(1 / data.seats) @ at_table).toarray()
    normal = np.diag(np.bincount(data.bots, minlength=count).astype(np.float64)) - shared
    # The pseudo-inverse: the only null direction of a connected field is "everybody alike".
    level = np.full((count, count), 1 / count)
    inverse = np.linalg.inv(normal + level) - level
    demeaned = _demeaned(data.points, data)
    strengths = inverse @ np.bincount(data.bots, demeaned, minlength=count)
    strengths -= strengths.mean()
    if len(blocks) < 2:
        return strengths, None
    residuals = demeaned - _demeaned(strengths[data.bots], data)
    scores = sparse.csr_matrix((residuals, (data.block, data.bots)), shape=(len(blocks), count))
    meat = (scores.T @ scores).toarray()
    return strengths, inverse @ meat @ inverse * (len(blocks) / (len(blocks) - 1))


def _table(bots: Sequence[str], blocks: Sequence[list[Seats]]) -> Table:
    vector, covariance = least_squares(bots, blocks)
    strengths: list[float] = vector.tolist()
    played: dict[str, int] = defaultdict(int)
    in_blocks: dict[str, int] = defaultdict(int)
    for block in blocks:
        for bot in {bot for seats in block for bot, _ in seats}:
            in_blocks[bot] += 1
        for seats in block:
            for bot in {bot for bot, _ in seats}:
                played[bot] += 1
    quantile = float(stdtrit(len(blocks) - 1, (1 + CONFIDENCE) / 2)) if len(blocks) > 1 else 0.0
    lines: list[Rating] = []
    order = sorted(range(len(bots)), key=lambda i: (_rounded(strengths[i]), bots[i]))
    for position, i in enumerate(order, start=1):
        strength = _rounded(strengths[i])
        rank = lines[-1].rank if lines and lines[-1].strength == strength else position
        variance = None if covariance is None else max(0.0, float(covariance[i, i]))
        error = None if variance is None else sqrt(variance)
        wide = error is None or error * quantile > WIDE
        lines.append(
            Rating(
                rank=rank,
                bot=bots[i],
                strength=strength,
                se=None if error is None else _rounded(error),
                low=None if error is None else _rounded(strengths[i] - quantile * error),
                high=None if error is None else _rounded(strengths[i] + quantile * error),
                deals=played[bots[i]],
                blocks=in_blocks[bots[i]],
                provisional=wide or in_blocks[bots[i]] < FEW_BLOCKS,
            )
        )
    return Table(tuple(lines), sum(len(block) for block in blocks), len(blocks))


def _rounded(value: float) -> float:
    # Adding 0.0 turns -0.0 into 0.0.
    return round(value, DECIMALS) + 0.0
