"""Which tables to play next, and how many deals are left: precision where it matters.

What matters is each bot's interval while it is wider than the goal, and the gap of neighbours in
the order while it is not decided. A block at table T adds k·P_T to the information A of the fit (k
rotations, P_T what is left of T's bots without their mean), which takes from the variances

    A⁺L (I/k + L'A⁺L)⁻¹ L'A⁺        L: an orthonormal basis of P_T

(Woodbury). Tables are grown greedily: the pair that takes most, then the bots that add most to it.
Predictions use the luck seen so far; before there is any, a usual one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt

import numpy as np

from arbiter.ratings.deals import Deals, Floats, pairs
from arbiter.ratings.intervals import half_widths
from arbiter.ratings.points import Estimate, least_squares

# Variance of a deal's residuals in Hearts, in points², where nothing was measured yet.
USUAL_VARIANCE = 40.0
# Prior information of every bot, in deals: one that never played has a wide interval, not none.
_PRIOR = 0.05
_NORMAL = 1.96
_STEPS = 400
# Each step of the prediction plays this share of what was played before it.
_GROWTH = 0.05


@dataclass(frozen=True, slots=True)
class Goal:
    """Half widths of 95 % intervals that are narrow enough, in points a deal: a bot's, and that of
    the gap between neighbours, unless the gap is decided before."""

    bot: float = 0.5
    gap: float = 0.5


@dataclass(frozen=True, slots=True)
class Advice:
    """The next tables, best first, one block each (every board in all rotations); how many deals
    are left until the goal, 0 when it is reached; how many intervals are still too wide."""

    tables: tuple[tuple[str, ...], ...]
    deals_left: int
    wide: int


def advise(deals: Deals, entries: Sequence[str], seats: int, tables: int, goal: Goal) -> Advice:
    """What to play next. `entries` may hold bots without a deal yet; bots of `deals` that are not
    entered are left out. ValueError with fewer entries than seats."""
    names = sorted(set(entries))
    if len(names) < seats:
        raise ValueError(f"{len(names)} bots cannot fill a table of {seats}")
    known = _Known.of(deals, names)
    chosen: list[tuple[str, ...]] = []
    information = known.information.copy()
    wide = known.matter(_inverse(information), goal)
    for _ in range(tables if wide.any() else 0):
        table = _best(_inverse(information), wide, seats)
        information += seats * _seated(len(names), table)
        chosen.append(tuple(names[bot] for bot in table))
    return Advice(tuple(chosen), _left(known, seats, goal), len(wide))


@dataclass(frozen=True, slots=True)
class _Known:
    """What the results say about the entries: Σ D'D, strengths, variance of a deal."""

    information: Floats
    values: Floats
    variance: float

    @classmethod
    def of(cls, deals: Deals, names: Sequence[str]) -> _Known:
        count = len(names)
        information = np.zeros((count, count))
        values = np.zeros(count)
        ours = [(at, names.index(bot)) for at, bot in enumerate(deals.names) if bot in set(names)]
        if not ours or not len(deals):
            return cls(information, values, USUAL_VARIANCE)
        theirs, mine = (np.array(side, dtype=np.intp) for side in zip(*ours, strict=True))
        normal = np.zeros((len(deals.names), len(deals.names)))
        for group in deals.groups:
            seats = np.bincount(group.bots.ravel(), minlength=len(deals.names))
            normal += np.diag(seats.astype(np.float64)) - pairs(group, len(seats)) / group.size
        information[np.ix_(mine, mine)] = normal[np.ix_(theirs, theirs)]
        found = least_squares(deals)
        values[mine] = found.values[theirs]
        return cls(information, values, _variance(found, _inverse(normal)))

    def matter(self, inverse: Floats, goal: Goal) -> Floats:
        """The contrasts that are not known well enough, one a row."""
        count = len(self.values)
        order = np.argsort(self.values, kind="stable")
        rows = []
        for bot in range(count):
            row = np.full(count, -1 / count)
            row[bot] += 1
            if self._reach(row, inverse) > goal.bot:
                rows.append(row)
        for better, worse in pairwise(order):
            row = np.zeros(count)
            row[[worse, better]] = 1, -1
            reach = self._reach(row, inverse)
            if reach > goal.gap and reach > self.values[worse] - self.values[better]:
                rows.append(row)
        return np.array(rows).reshape(-1, count)

    def _reach(self, row: Floats, inverse: Floats) -> float:
        return _NORMAL * sqrt(self.variance * max(0.0, float(row @ inverse @ row)))


def _variance(found: Estimate, inverse: Floats) -> float:
    """What the clustered errors say a deal's variance is worth."""
    if found.covariance is None or half_widths(found) is None:
        return USUAL_VARIANCE
    # Without the direction "all alike", of which nothing but the prior is known.
    known = float(np.trace(inverse)) - 1 / _PRIOR
    ratio = float(np.trace(found.covariance)) / known
    return ratio if ratio > 0 else USUAL_VARIANCE


def _inverse(information: Floats) -> Floats:
    return np.asarray(np.linalg.inv(information + _PRIOR * np.eye(len(information))))


def _seated(count: int, table: Sequence[int]) -> Floats:
    """P_T."""
    made = np.zeros((count, count))
    made[np.ix_(table, table)] = np.eye(len(table)) - 1 / len(table)
    return made


def _best(inverse: Floats, wide: Floats, seats: int) -> list[int]:
    """The table that takes most from the variances of the contrasts."""
    reach = wide @ inverse
    taken = (reach[:, :, None] - reach[:, None, :]) ** 2
    spread = np.diag(inverse)[:, None] + np.diag(inverse) - 2 * inverse
    gains = taken.sum(0) / (2 / seats + spread)
    table = [int(bot) for bot in np.unravel_index(int(np.argmax(gains)), gains.shape)]
    while len(table) < seats:
        others = [bot for bot in range(len(inverse)) if bot not in table]
        gain = [_gain(inverse, reach, [*table, bot], seats) for bot in others]
        table.append(others[int(np.argmax(gain))])
    return sorted(table)


def _gain(inverse: Floats, reach: Floats, table: list[int], seats: int) -> float:
    size = len(table)
    basis = np.linalg.qr(np.eye(size)[:, 1:] - 1 / size)[0]
    local = basis.T @ inverse[np.ix_(table, table)] @ basis
    taken = reach[:, table] @ basis
    return float(np.trace(taken @ np.linalg.inv(np.eye(size - 1) / seats + local) @ taken.T))


def _left(known: _Known, seats: int, goal: Goal) -> int:
    """Deals until nothing is too wide, playing the best table again and again."""
    information = known.information.copy()
    count = len(known.values)
    deals = 0
    for _ in range(_STEPS):
        inverse = _inverse(information)
        wide = known.matter(inverse, goal)
        if not len(wide):
            break
        played = np.trace(information) / (seats - 1)
        blocks = max(1, round(_GROWTH * played / seats / max(1, count / seats)))
        information += blocks * seats * _seated(count, _best(inverse, wide, seats))
        deals += blocks * seats
    return deals
