"""Results as arrays: what the fits read.

A `Deals` holds every deal of a pool, grouped by table size. Order and names carry no meaning:
`canonical` sorts by content alone, so that sums over it are the same bytes from any log.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Hashes = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Deal:
    """One finished deal: the block it belongs to, and bots and points by seat. Low is good; 0 is
    the best result there is, and a real one."""

    block: str
    bots: tuple[str, ...]
    points: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """The deals of one table size: a row for each deal, a column for each seat."""

    bots: Ints
    points: Floats
    block: Ints

    @property
    def size(self) -> int:
        """Seats at the table."""
        return int(self.bots.shape[1])


@dataclass(frozen=True, slots=True)
class Deals:
    """Deals of the bots `names` (sorted; `Group.bots` are their positions) in `blocks` blocks,
    numbered from 0, each of which has at least one deal."""

    names: tuple[str, ...]
    groups: tuple[Group, ...]
    blocks: int

    def __len__(self) -> int:
        return sum(len(group.block) for group in self.groups)


def collect(deals: Iterable[Deal]) -> Deals:
    """Arrays of these deals. ValueError when a deal has fewer than two seats or not one figure for
    each."""
    sizes: dict[int, tuple[list[tuple[str, ...]], list[tuple[float, ...]], list[int]]] = (
        defaultdict(lambda: ([], [], []))
    )
    blocks: dict[str, int] = {}
    for deal in deals:
        if len(deal.bots) != len(deal.points) or len(deal.bots) < 2:
            raise ValueError(f"a deal of block {deal.block!r} does not have a figure for each seat")
        bots, points, block = sizes[len(deal.bots)]
        bots.append(deal.bots)
        points.append(deal.points)
        block.append(blocks.setdefault(deal.block, len(blocks)))
    names = tuple(sorted({bot for bots, _, _ in sizes.values() for row in bots for bot in row}))
    index = {bot: number for number, bot in enumerate(names)}
    groups = tuple(
        Group(
            np.array([[index[bot] for bot in row] for row in bots], dtype=np.intp),
            np.array(points, dtype=np.float64),
            np.array(block, dtype=np.intp),
        )
        for _, (bots, points, block) in sorted(sizes.items())
    )
    return Deals(names, groups, len(blocks))


def connected(deals: Deals) -> list[Deals]:
    """The deals of each set of bots connected by play, the one with most deals first. A block is
    split when different bots play one shuffle at different tables."""
    count = len(deals.names)
    if not count:
        return []
    meetings = sum((pairs(group, count) for group in deals.groups), np.zeros((count, count)))
    number, label = connected_components(sparse.csr_matrix(meetings), directed=False)
    if number == 1:
        return [deals]
    parts = [_part(deals, label == part) for part in range(number)]
    return sorted(parts, key=lambda part: (-len(part), part.names))


def _part(deals: Deals, chosen: NDArray[np.bool_]) -> Deals:
    """The deals of the chosen bots, which play among themselves only."""
    position = np.cumsum(chosen) - 1
    kept = [(group, chosen[group.bots[:, 0]]) for group in deals.groups]
    present = np.zeros(deals.blocks, dtype=bool)
    for group, rows in kept:
        present[group.block[rows]] = True
    number = np.cumsum(present) - 1
    groups = tuple(
        Group(position[group.bots[rows]], group.points[rows], number[group.block[rows]])
        for group, rows in kept
        if rows.any()
    )
    names = tuple(name for name, ours in zip(deals.names, chosen, strict=True) if ours)
    return Deals(names, groups, int(present.sum()))


def pairs(group: Group, count: int) -> Floats:
    """How often bots i and j sit at one table, in pairs of seats; a seat pairs with itself too."""
    total = np.zeros(count * count)
    for a in range(group.size):
        for b in range(a):
            key = group.bots[:, a] * count + group.bots[:, b]
            total += np.bincount(key, minlength=count * count)
    square = total.reshape(count, count)
    seats = np.bincount(group.bots.ravel(), minlength=count).astype(np.float64)
    return np.asarray(square + square.T + np.diag(seats))


def whole(deals: Deals) -> bool:
    """Whether all points are whole numbers, as the rules of Hearts make them: then sums of them
    are exact and no order can matter."""
    return all(bool((group.points == np.rint(group.points)).all()) for group in deals.groups)


def by_seat(deals: Deals) -> Deals:
    """The same deals, laid out in memory seat by seat: columns are read twice as fast."""
    groups = (
        Group(np.asfortranarray(group.bots), np.asfortranarray(group.points), group.block)
        for group in deals.groups
    )
    return Deals(deals.names, tuple(groups), deals.blocks)


def canonical(deals: Deals) -> Deals:
    """The same deals in an order that depends on nothing but their content: seats by bot, rows and
    blocks by hash. Equal rows are interchangeable, so it does not matter which is first."""
    seated = [_seated(group) for group in deals.groups]
    digests = [_row_hashes(bots, points) for bots, points in seated]
    content = np.zeros(deals.blocks, dtype=np.uint64)
    for group, digest in zip(deals.groups, digests, strict=True):
        content += _block_sums(mixed(digest), group.block, deals.blocks)
    rank = np.empty(deals.blocks, dtype=np.intp)
    rank[np.argsort(content, kind="stable")] = np.arange(deals.blocks)
    groups = []
    for group, (bots, points), digest in zip(deals.groups, seated, digests, strict=True):
        block = rank[group.block]
        order = _by_block(block, digest)
        groups.append(Group(bots[order], points[order], block[order]))
    return Deals(deals.names, tuple(groups), deals.blocks)


def _by_block(block: Ints, digest: Hashes) -> Ints:
    bits = 24
    if block.size and int(block.max()) >> bits:
        return np.lexsort((digest, block))
    # One sort of 64 bits; 40 bits of the hash tell the rows of one block apart.
    key = (block.astype(np.uint64) << np.uint64(64 - bits)) | (digest >> np.uint64(bits))
    return np.argsort(key, kind="stable")


def _seated(group: Group) -> tuple[Ints, Floats]:
    """Seats in order of bot, clones in order of points."""
    order = np.argsort(group.bots, axis=1, kind="stable")
    bots = np.take_along_axis(group.bots, order, 1)
    if (bots[:, 1:] == bots[:, :-1]).any():
        order = np.lexsort((group.points, group.bots), axis=1)
    return bots, np.take_along_axis(group.points, order, 1)


def _row_hashes(bots: Ints, points: Floats) -> Hashes:
    digest = np.zeros(len(bots), dtype=np.uint64)
    for seat in range(bots.shape[1]):
        # + 0.0: minus zero is zero.
        bits = np.ascontiguousarray(points[:, seat] + 0.0).view(np.uint64)
        digest = mixed(digest + bits + (bots[:, seat] + 1).astype(np.uint64) * _ODD)
    return digest


def _block_sums(digest: Hashes, block: Ints, blocks: int) -> Hashes:
    """Sums modulo 2^64, made of exact floating-point sums of 32-bit halves."""
    low = np.bincount(block, (digest & _HALF).astype(np.float64), minlength=blocks)
    high = np.bincount(block, (digest >> np.uint64(32)).astype(np.float64), minlength=blocks)
    return low.astype(np.uint64) + (high.astype(np.uint64) << np.uint64(32))


_HALF = np.uint64(0xFFFFFFFF)
_ODD = np.uint64(0x9E3779B97F4A7C15)


def mixed(value: Hashes) -> Hashes:
    """Stafford's variant 13 of the 64-bit finaliser of MurmurHash3: every bit depends on all."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(value ^ (value >> np.uint64(31)), dtype=np.uint64)
