"""What few blocks do to an interval, and how it is mended.

A fit follows the blocks it is made from, so their residuals are too small, the more so the larger
the share (leverage) of a block in what is known about its bots. The bias-reduced sandwich (Bell and
McCaffrey 2002, "CR2") divides by the root of what is left over:

    ũ_b = (I − A_b A⁺)^(-1/2) u_b      A_b = Σ_{deal in b} D'D

The root is taken as a power series, cut off: a block that alone holds two parts of the field
together has leverage 1 and no finite correction. And a variance that is made of few blocks is
itself uncertain: the degrees of freedom of a bot's interval are those of Satterthwaite's
approximation, with w_b the share of block b in the variance of the bot's strength if every seat's
luck were alike:  (Σ w_b)² / Σ w_b² − 1.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from arbiter.ratings.deals import Deals, Floats, Ints

Bools = NDArray[np.bool_]

# Below so many bots for each block both corrections are under 0.1 % of an error.
NEGLIGIBLE = 0.002
# (1 − x)^(-1/2) = Σ c_i x^i; at leverage 1 the sum is 3.3.
_SERIES = 8
_CHUNK = 2_000_000
# Block × bot entries up to which every block's share is counted, not the bot's own blocks' alone.
_SHARES = 3_000_000


def correct(
    scores: sparse.csr_array, deals: Deals, inverse: Floats
) -> tuple[sparse.csr_array, Floats]:
    """The corrected scores, and the degrees of freedom of each bot's strength. Where the correction
    is negligible its usual stand-in, √(B/(B−1)), takes its place."""
    count = len(deals.names)
    if count < NEGLIGIBLE * deals.blocks:
        return scores * (deals.blocks / (deals.blocks - 1)) ** 0.5, np.full(
            count, deals.blocks - 1.0
        )
    corrected = scores.copy()
    shares = np.zeros((2, count))
    for first, last, bots, filled, designs in _chunks(scores, deals):
        local = inverse[bots[:, :, None], bots[:, None, :]]
        local *= filled[:, :, None] & filled[:, None, :]
        window = slice(scores.indptr[first], scores.indptr[last])
        padded = np.zeros(bots.shape)
        padded[filled] = scores.data[window]
        corrected.data[window] = _rooted(padded, designs, local)[filled]
        shares += _shares(bots, filled, designs, local, inverse, deals.blocks)
    effective = shares[0] ** 2 / np.maximum(shares[1], 1e-300)
    return corrected, np.clip(effective - 1, 1, max(1, deals.blocks - 1))


def _rooted(scores: Floats, designs: Floats, local: Floats) -> Floats:
    """(I − A_b A⁺)^(-1/2) u_b for each block."""
    term = scores
    total = scores.copy()
    factor = 1.0
    for power in range(1, _SERIES + 1):
        term = np.einsum("bij,bj->bi", designs, np.einsum("bij,bj->bi", local, term))
        factor *= (2 * power - 1) / (2 * power)
        total += factor * term
    return total


def _shares(
    bots: Ints, filled: Bools, designs: Floats, local: Floats, inverse: Floats, blocks: int
) -> Floats:
    """Σ w_b and Σ w_b² by bot, of these blocks."""
    count = len(inverse)
    if count * blocks <= _SHARES:
        reach = inverse[bots] * filled[:, :, None]
        # One table of four: (blocks, 4, bots), the most that is held at a time.
        weights = np.einsum("bdn,bdn->bn", np.einsum("bde,ben->bdn", designs, reach), reach)
        return np.stack([weights.sum(0), (weights**2).sum(0)])
    own = np.einsum("bid,bde,bei->bi", local, designs, local)
    return np.stack([np.bincount(bots.ravel(), part.ravel(), count) for part in (own, own**2)])


def _chunks(
    scores: sparse.csr_array, deals: Deals
) -> Iterator[tuple[int, int, Ints, Bools, Floats]]:
    """Runs of blocks: first, last + 1, their bots (blocks × most bots of a block), which of these
    places are filled, and A_b over them."""
    lengths = np.diff(scores.indptr)
    width = int(lengths.max())
    step = max(1, _CHUNK // (width * max(width, len(deals.names) // 4)))
    count = len(deals.names)
    keys = np.repeat(np.arange(deals.blocks), lengths) * count + scores.indices
    sorted_groups = [
        (group.bots[order], group.block[order])
        for group in deals.groups
        for order in [np.argsort(group.block, kind="stable")]
    ]
    for first in range(0, deals.blocks, step):
        last = min(deals.blocks, first + step)
        filled = np.arange(width) < lengths[first:last, None]
        bots = np.zeros(filled.shape, dtype=np.intp)
        bots[filled] = scores.indices[scores.indptr[first] : scores.indptr[last]]
        designs = np.zeros((last - first) * width * width)
        for players, block in sorted_groups:
            rows = slice(*np.searchsorted(block, [first, last]))
            place = np.searchsorted(keys, block[rows, None] * count + players[rows])
            place -= scores.indptr[block[rows]][:, None]
            _add_designs(designs, place, block[rows] - first, width)
        yield first, last, bots, filled, designs.reshape(-1, width, width)


def _add_designs(designs: Floats, place: Ints, block: Ints, width: int) -> None:
    seats = place.shape[1]
    for a in range(seats):
        row = (block * width + place[:, a]) * width
        designs += np.bincount(row + place[:, a], minlength=designs.size)
        for b in range(seats):
            designs -= np.bincount(row + place[:, b], minlength=designs.size) / seats
