"""Dividing bots into tables so that the sum of a cost over all pairs at a table is small.

Swaps of two bots between tables, the best ones first, until none helps; then the same from a few
other beginnings, and the cheapest outcome wins. Where the bots of a table could not all sit in a
seat that keeps them even, every bot gets a first seat for the round, and only bots with the same
one are swapped. All figures are whole numbers: the same everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arbiter.tournaments.draw import Draw
from arbiter.tournaments.evening import Evenness

Costs = NDArray[np.int64]

# (most bots, beginnings tried, and tried while somebody still meets again). A large field has many
# good partitions, and each try costs more.
_TRIES = ((24, 24, 150), (64, 8, 60), (10**9, 2, 6))


@dataclass(frozen=True, slots=True)
class PairCosts:
    """What each pair costs at a table: symmetric, the diagonal 0. A partition that costs less than
    `enough` has no two bots that have met or have one owner."""

    values: Costs
    enough: int


def partition(
    bots: Sequence[str],
    size: int,
    costs: PairCosts,
    draw: Draw,
    even: Evenness | None = None,
) -> list[tuple[str, ...]]:
    """The bots in tables of `size`, which must divide their number. The first beginning is the
    order of the bots, the others come from `draw`. `even`: what keeps their seats even, which
    counts before the costs."""
    count = len(bots)
    if count == size:
        return [tuple(bots)]
    best = np.zeros(count, dtype=np.intp)
    lowest = -1
    few, many = next(tries for most, *tries in _TRIES if count <= most)
    for attempt in range(many):
        if attempt >= few and lowest < costs.enough:
            break
        order = range(count) if attempt == 0 else draw.shuffled(range(count))
        table_of = np.empty(count, dtype=np.intp)
        table_of[np.array(order, dtype=np.intp)] = np.arange(count, dtype=np.intp) // size
        total = _improve(table_of, costs.values)
        if even is not None and any(even.owed(table) for table in _tables(bots, table_of)):
            total = _mend(bots, table_of, costs.values, even, draw, total)
        if lowest < 0 or total < lowest:
            best, lowest = table_of, total
        if lowest == 0:
            break
    return _tables(bots, best)


def _tables(bots: Sequence[str], table_of: NDArray[np.intp]) -> list[tuple[str, ...]]:
    tables: list[list[str]] = [[] for _ in range(int(table_of.max()) + 1)]
    for bot, table in zip(bots, table_of.tolist(), strict=True):
        tables[table].append(bot)
    return [tuple(table) for table in tables]


def _mend(
    bots: Sequence[str],
    table_of: NDArray[np.intp],
    costs: Costs,
    even: Evenness,
    draw: Draw,
    total: int,
) -> int:
    """Tables with a bot for each first seat, close to those there are, in place; returns the cost.
    Nothing changes when the bots cannot all be even."""
    first = even.first_seats(bots, table_of, draw)
    if first is None:
        return total
    for seat in range(even.players):
        ours = np.flatnonzero(first == seat)
        table_of[ours[np.argsort(table_of[ours], kind="stable")]] = np.arange(len(ours))
    return _improve(table_of, costs, first)


def pair_costs(
    bots: Sequence[str],
    meetings: Mapping[tuple[str, str], int],
    owners: Mapping[str, str],
    distance: Costs | None = None,
) -> PairCosts:
    """Two bots of one owner cost most, then each time two have met, then their distance.

    The square of meetings counts: two pairs that meet a second time are better than one that meets
    a third time.
    """
    count = len(bots)
    index = {bot: number for number, bot in enumerate(bots)}
    costs = np.zeros((count, count), dtype=np.int64)
    for (one, other), times in meetings.items():
        if one in index and other in index:
            i, j = index[one], index[other]
            costs[i, j] = costs[j, i] = 2 * times
    near = np.zeros_like(costs) if distance is None else distance
    # One unit of a higher kind outweighs all of the lower kinds together, over a whole round.
    enough = int(near.sum()) + 1
    costs = costs * enough + near
    owned = np.array([owners.get(bot) or f"/{bot}" for bot in bots])
    same = owned[:, None] == owned[None, :]
    np.fill_diagonal(same, False)
    if same.any():
        costs = costs + same * (int(costs.sum()) + 1)
    return PairCosts(costs, enough)


def _improve(
    table_of: NDArray[np.intp], costs: Costs, kinds: NDArray[np.int64] | None = None
) -> int:
    """Swap until nothing helps, in place, only bots of one kind if there are kinds; returns the
    cost.

    Each pass takes the best swaps between tables that no better swap of the pass has touched:
    those do not change each other's gain.
    """
    count, tables = len(table_of), int(table_of.max()) + 1
    rows = np.arange(count)
    other_kind = None if kinds is None else kinds[:, None] != kinds[None, :]
    seats = np.zeros((count, tables), dtype=np.int64)
    seats[rows, table_of] = 1
    to_table = costs @ seats
    twice = 2 * costs
    while True:
        own = to_table[rows, table_of]
        across = to_table[:, table_of] - own[:, None]
        gain = across + across.T - twice
        gain[table_of[:, None] == table_of[None, :]] = 0
        if other_kind is not None:
            gain[other_kind] = 0
        partners = gain.argmin(axis=1)
        best = gain[rows, partners]
        if best.min() >= 0:
            return sum(own.tolist())
        touched: set[int] = set()
        for one in np.argsort(best, kind="stable").tolist():
            if best[one] >= 0:
                break
            other = int(partners[one])
            here, there = int(table_of[one]), int(table_of[other])
            if here in touched or there in touched:
                continue
            touched |= {here, there}
            change = costs[:, other] - costs[:, one]
            to_table[:, here] += change
            to_table[:, there] -= change
            table_of[one], table_of[other] = there, here
