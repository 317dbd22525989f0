"""What a human should look at: workers whose results or time-outs stand out, bots that help each
other. Nothing here changes a rating; each finding carries its evidence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import bdtrc, fdtrc, ndtr

from arbiter.ratings.deals import Deals, Floats, Ints, by_seat
from arbiter.ratings.points import clustered, least_squares

# The probability of a false alarm in one look at all workers or all pairs.
ALARM = 0.001
# A worker's rate of time-outs may be this many times that of the rest before anybody asks.
_LENIENT = 2.0
_RARE = 1e-4
_FEWEST = 5


@dataclass(frozen=True, slots=True)
class Deviation:
    """Results of one worker that deviate from what the ratings expect. `points` is by how many
    points a deal its most deviating bot is off there; `p` the probability of so much by luck."""

    worker: str
    blocks: int
    bot: str
    points: float
    p: float
    alarm: bool


def residuals(deals: Deals, workers: Sequence[Sequence[str]]) -> list[Deviation]:
    """One line for each worker with enough blocks to tell, the most deviating first. `workers`
    names for each deal of each group who played it. Hotelling's test on the sums by block of the
    residuals; the bots must be connected."""
    strengths = least_squares(deals).values
    names = sorted({worker for part in workers for worker in part})
    index = {worker: number for number, worker in enumerate(names)}
    labels = [np.array([index[worker] for worker in part], dtype=np.intp) for part in workers]
    found = []
    for worker, name in enumerate(names):
        line = _deviation(deals, strengths, [part == worker for part in labels], name)
        if line is not None:
            found.append(line)
    alarm = ALARM / max(1, len(found))
    lines = [Deviation(*line, alarm=line[-1] < alarm) for line in found]
    return sorted(lines, key=lambda line: (line.p, line.worker))


def _deviation(
    deals: Deals, strengths: Floats, chosen: Sequence[Ints], name: str
) -> tuple[str, int, str, float, float] | None:
    data, blocks, bots = [], [], []
    for group, rows in zip(deals.groups, chosen, strict=True):
        data.append(_excess(group.points[rows], strengths[group.bots[rows]]).ravel())
        blocks.append(np.repeat(group.block[rows], group.size))
        bots.append(group.bots[rows].ravel())
    count = len(deals.names)
    scores = clustered(data, blocks, bots, (deals.blocks, count)).toarray()
    number = len(np.unique(np.concatenate(blocks)))
    sums = scores.sum(0)
    meat = scores.T @ scores
    rank = int(np.linalg.matrix_rank(meat, tol=1e-9 * max(1.0, float(np.trace(meat)))))
    if not rank or number < 2 * rank + 10:
        return None
    statistic = float(sums @ np.linalg.pinv(meat, rcond=1e-9) @ sums)
    # Σ u u' is not centred: the part that the mean explains is taken out of it.
    hotelling = statistic * (number - 1) / max(number - statistic, 1e-9)
    p = float(fdtrc(rank, number - rank, hotelling * (number - rank) / (rank * (number - 1))))
    seats = np.bincount(np.concatenate(bots), minlength=count)
    off = sums / np.maximum(seats, 1)
    worst = int(np.argmax(np.abs(off)))
    return name, number, deals.names[worst], round(float(off[worst]), 6) + 0.0, p


def _excess(points: Floats, strengths: Floats) -> Floats:
    excess = points - strengths
    return np.asarray(excess - excess.mean(1, keepdims=True))


@dataclass(frozen=True, slots=True)
class Lateness:
    """Time-outs of one worker (or arbiter) against those of all others. `hold`: so many cannot be
    the bots' doing; its batch should be held and played again before it counts."""

    worker: str
    timeouts: int
    decisions: int
    rate: float
    rest: float
    p: float
    hold: bool


def lateness(counts: Mapping[str, tuple[int, int]]) -> list[Lateness]:
    """One line for each worker from its (time-outs, decisions), the most suspicious first. Rates
    are shares in [0, 1] (RS10). ValueError for more time-outs than decisions."""
    lines = []
    late, asked = (sum(pair[at] for pair in counts.values()) for at in (0, 1))
    for worker, (timeouts, decisions) in counts.items():
        if not 0 <= timeouts <= decisions:
            raise ValueError(f"{worker}: {timeouts} time-outs in {decisions} decisions")
        others = asked - decisions
        rest = (late - timeouts) / others if others else 0.0
        allowed = min(1.0, _LENIENT * rest + _RARE)
        p = float(bdtrc(timeouts - 1, decisions, allowed)) if timeouts else 1.0
        rate = timeouts / decisions if decisions else 0.0
        hold = bool(others) and timeouts >= _FEWEST and p < ALARM / len(counts)
        lines.append(Lateness(worker, timeouts, decisions, rate, rest, p, hold))
    return sorted(lines, key=lambda line: (line.p, line.worker))


@dataclass(frozen=True, slots=True)
class Together:
    """Two bots at one table. `points` is by how many points a deal the two together do better (−)
    or worse (+) there than their ratings say; `z` that in standard errors."""

    bot: str
    other: str
    blocks: int
    points: float
    z: float
    alarm: bool


def together(deals: Deals, fewest_blocks: int = 30) -> list[Together]:
    """Every pair that met in enough blocks, those that seem to help each other most first."""
    strengths = least_squares(deals).values
    count = len(deals.names)
    keys, values = [], []
    for group in by_seat(deals).groups:
        excess = _excess(group.points, strengths[group.bots])
        for a in range(group.size):
            for b in range(a):
                low = np.minimum(group.bots[:, a], group.bots[:, b])
                high = np.maximum(group.bots[:, a], group.bots[:, b])
                apart = low != high
                keys.append(((low * count + high) * deals.blocks + group.block)[apart])
                values.append((excess[:, a] + excess[:, b])[apart])
    if not keys:
        return []
    cell, inverse, deals_of = np.unique(
        np.concatenate(keys), return_inverse=True, return_counts=True
    )
    sums = np.bincount(inverse, np.concatenate(values))
    pair = cell // deals.blocks
    total = np.bincount(pair, sums, count * count)
    spread = np.sqrt(np.bincount(pair, sums**2, count * count))
    blocks = np.bincount(pair, minlength=count * count)
    seen = np.bincount(pair, deals_of, count * count)
    able = np.flatnonzero((blocks >= fewest_blocks) & (spread > 0))
    lines = []
    for at in able:
        z = float(total[at] / spread[at])
        alarm = float(ndtr(z)) < ALARM / len(able)
        bot, other = deals.names[at // count], deals.names[at % count]
        points = round(float(total[at] / seen[at]), 6) + 0.0
        lines.append(Together(bot, other, int(blocks[at]), points, round(z, 6), alarm))
    return sorted(lines, key=lambda line: (line.z, line.bot, line.other))
