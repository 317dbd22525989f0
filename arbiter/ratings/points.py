"""Points per deal: how much better or worse than its field each bot is.

Least squares on points demeaned within each deal; unknowns are the bots' strengths, with sum 0 over
the bots that are connected by play. The unit of evidence is the block (one shuffle in all its
rotations), so the covariance is the sandwich clustered by block:

    θ = A⁺ Σ D'ỹ     cov = A⁺ (Σ_b ũ_b ũ_b') A⁺     u_b = Σ_{deal in b} D'e

with ỹ the demeaned points, e the residuals, D the seats' bots demeaned within the deal. For B
blocks ũ_b = u_b √(B/(B−1)), or where blocks are few the correction of `leverage.py`.

No order can change a byte: points are whole numbers and the strengths are put on a binary grid
before residuals are taken, so that all sums within a block are exact; the blocks' contributions are
added in an order given by their own content. Points that are not whole are sorted first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, lcm, log2

import numpy as np
from scipy import sparse

from arbiter.ratings import leverage
from arbiter.ratings.deals import (
    Deals,
    Floats,
    Hashes,
    Ints,
    by_seat,
    canonical,
    mixed,
    pairs,
    whole,
)

# Bits of a double's fraction that sums of residuals may use.
_BITS = 52
_FINEST = 30
# Blocks of more bots than this are multiplied as sparse rows.
_MANY_BOTS = 16


@dataclass(frozen=True, slots=True)
class Estimate:
    """Values with sum 0, one for each bot; their covariance (None with fewer than two blocks) and
    degrees of freedom."""

    values: Floats
    covariance: Floats | None
    freedom: Floats


def least_squares(deals: Deals) -> Estimate:
    """Strengths in points per deal, lower is better, with their clustered covariance. The bots
    must be connected."""
    if not whole(deals):
        deals = canonical(deals)
    deals = by_seat(deals)
    count = len(deals.names)
    normal, target = _normal_equations(deals)
    # The pseudo-inverse: the only null direction of a connected field is "everybody alike".
    level = np.full((count, count), 1 / count)
    inverse = np.linalg.inv(normal + level) - level
    strengths = inverse @ target
    strengths -= strengths.mean()
    if deals.blocks < 2 or count < 2:
        return Estimate(strengths, None, np.ones(count))
    scores = _scores(deals, on_grid(strengths, deals))
    corrected, freedom = leverage.correct(scores, deals, inverse)
    return Estimate(strengths, inverse @ product(corrected) @ inverse, freedom)


def _normal_equations(deals: Deals) -> tuple[Floats, Floats]:
    """Σ D'D and Σ D'ỹ, from exact sums."""
    count = len(deals.names)
    normal = np.zeros((count, count))
    target = np.zeros(count)
    for group in deals.groups:
        flat = group.bots.T.ravel()
        seats = np.bincount(flat, minlength=count).astype(np.float64)
        normal += np.diag(seats) - pairs(group, count) / group.size
        sums = _row_sums(group.points)
        totals = np.zeros(count)
        for seat in range(group.size):
            totals += np.bincount(group.bots[:, seat], sums, minlength=count)
        target += np.bincount(flat, group.points.T.ravel(), minlength=count) - totals / group.size
    return normal, target


def _row_sums(values: Floats) -> Floats:
    # Column by column: several times faster than sum(axis=1) on short rows.
    total = values[:, 0].copy()
    for seat in range(1, values.shape[1]):
        total += values[:, seat]
    return total


def on_grid(strengths: Floats, deals: Deals) -> Floats:
    """The strengths, rounded to a multiple of a power of two so coarse that sums of residuals of a
    block are exact; 2^-30 in practice."""
    largest = max(float(np.abs(group.points).max()) for group in deals.groups)
    common = lcm(*(group.size for group in deals.groups))
    blocks = np.concatenate([group.block for group in deals.groups])
    reach = 4 * common * (largest + float(np.abs(strengths).max()) + 1) * np.bincount(blocks).max()
    bits = min(_FINEST, _BITS - ceil(log2(float(reach))))
    return np.asarray(np.ldexp(np.rint(np.ldexp(strengths, bits)), -bits), dtype=np.float64)


def _scores(deals: Deals, strengths: Floats) -> sparse.csr_array:
    """u: for each block (row) and bot of it the sum of residuals; zeros are kept."""
    common = lcm(*(group.size for group in deals.groups))
    data, blocks, bots = [], [], []
    for group in deals.groups:
        excess = group.points - strengths[group.bots]
        # Times the common multiple, so that everything up to the sum over the block is exact.
        excess *= common
        excess -= (_row_sums(excess) / group.size)[:, None]
        # Seat by seat, as they lie in memory.
        data.append(excess.T.ravel())
        blocks.append(np.tile(group.block, group.size))
        bots.append(group.bots.T.ravel())
    scores = clustered(data, blocks, bots, (deals.blocks, len(deals.names)))
    scores.data /= common
    return scores


def clustered(
    data: Sequence[Floats], blocks: Sequence[Ints], bots: Sequence[Ints], shape: tuple[int, int]
) -> sparse.csr_array:
    """A row for each block with the sums by bot, in order of bot."""
    where = (np.concatenate(blocks), np.concatenate(bots))
    scores = sparse.csr_array((np.concatenate(data), where), shape=shape)
    scores.sum_duplicates()
    return scores


def product(scores: sparse.csr_array) -> Floats:
    """Σ_b u_b u_b', added in an order given by the blocks' own content. `scores` as `clustered`
    makes them."""
    count = scores.shape[1]
    lengths = np.diff(scores.indptr)
    total = np.zeros(count * count)
    for length in np.unique(lengths[lengths > 0]):
        items = scores.indptr[:-1][lengths == length][:, None] + np.arange(length)
        bots, values = scores.indices[items].astype(np.intp), scores.data[items]
        order = np.argsort(_contents(bots, values), kind="stable")
        bots, values = np.asfortranarray(bots[order]), np.asfortranarray(values[order])
        if length > _MANY_BOTS:
            shape = (len(bots), count)
            rows = np.repeat(np.arange(len(bots)), length)
            part = sparse.csr_array((values.ravel(), (rows, bots.ravel())), shape=shape)
            # Halved like the rest: both triangles are added below.
            total += (part.T @ part).toarray().ravel() / 2
            continue
        for a in range(length):
            for b in range(a + 1):
                both = values[:, a] * values[:, b]
                both *= 0.5 if a == b else 1.0
                total += np.bincount(bots[:, a] * count + bots[:, b], both, count * count)
    square = total.reshape(count, count)
    return square + square.T


def _contents(bots: Ints, values: Floats) -> Hashes:
    digest = np.zeros(len(bots), dtype=np.uint64)
    for place in range(bots.shape[1]):
        # + 0.0: minus zero is zero.
        bits = np.ascontiguousarray(values[:, place] + 0.0).view(np.uint64)
        digest = mixed(digest + bits + mixed(bots[:, place].astype(np.uint64)))
    return digest
