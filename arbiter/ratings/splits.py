"""Strength by seat and by pass direction: the same fit, looked at in parts.

For each bot and part: its strength plus the mean of its residuals in that part, so that opponents
are allowed for. The error is clustered by block.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm

import numpy as np

from arbiter.ratings.deals import Deals, Floats, Group, Ints
from arbiter.ratings.intervals import rounded


@dataclass(frozen=True, slots=True)
class Split:
    """One part: the seat from 0, or by how many seats to the left cards were passed. `strength` in
    points per deal as in the table; `se` 0 with fewer than two blocks."""

    key: int
    strength: float
    se: float
    deals: int


def by_seat(deals: Deals, strengths: Floats) -> list[list[Split]]:
    """For each bot its parts by seat; `strengths` on the grid of `points.on_grid`."""
    keys = [np.broadcast_to(np.arange(g.size), g.bots.shape) for g in deals.groups]
    return _split(deals, strengths, keys)


def by_pass(deals: Deals, strengths: Floats, passes: tuple[Ints, ...]) -> list[list[Split]]:
    """For each bot its parts by pass direction; `passes` goes with the groups of the deals."""
    keys = [
        np.broadcast_to(own[:, None], g.bots.shape)
        for own, g in zip(passes, deals.groups, strict=True)
    ]
    return _split(deals, strengths, keys)


def _split(deals: Deals, strengths: Floats, keys: list[Ints]) -> list[list[Split]]:
    count = len(deals.names)
    bots = np.concatenate([group.bots.ravel() for group in deals.groups])
    parts = np.concatenate([key.ravel() for key in keys])
    blocks = np.concatenate([np.repeat(group.block, group.size) for group in deals.groups])
    common = lcm(*(group.size for group in deals.groups))
    # Times the common multiple all sums are exact, whatever the order of the deals.
    values = np.concatenate([_excess(g, strengths, common) for g in deals.groups])
    width = int(parts.max()) + 1
    cells = count * width
    cell = bots * width + parts
    pair, inverse = np.unique(cell * deals.blocks + blocks, return_inverse=True)
    of_cell = pair // deals.blocks
    number, in_block = np.bincount(cell, minlength=cells), np.bincount(inverse)
    means = np.bincount(cell, values, cells) / np.maximum(number, 1)
    apart = (np.bincount(inverse, values) - in_block * means[of_cell]) ** 2
    order = np.lexsort((apart, of_cell))
    squares = np.bincount(of_cell[order], apart[order], cells)
    held = np.bincount(of_cell, minlength=cells)
    errors = np.sqrt(squares * held / np.maximum(held - 1, 1)) / np.maximum(number, 1)
    errors[held < 2] = 0
    return [
        [
            Split(
                key=at - bot * width,
                strength=rounded(strengths[bot] + means[at] / common),
                se=rounded(errors[at] / common),
                deals=int(number[at]),
            )
            for at in range(bot * width, (bot + 1) * width)
            if number[at]
        ]
        for bot in range(count)
    ]


def _excess(group: Group, strengths: Floats, common: int) -> Floats:
    """The residuals by deal and seat."""
    excess = (group.points - strengths[group.bots]) * common
    return np.asarray((excess - excess.sum(1, keepdims=True) / group.size).ravel())
