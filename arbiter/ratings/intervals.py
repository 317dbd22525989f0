"""From an estimate to what is said about it: intervals, gaps, ranks, who is better.

All of it uses Student's t with the degrees of freedom of the estimate (see `leverage.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.special import stdtr, stdtrit

from arbiter.ratings.deals import Floats, Ints
from arbiter.ratings.points import Estimate

CONFIDENCE = 0.95
DECIMALS = 6


def rounded(value: float) -> float:
    """A published figure. The first rounding settles figures that lie half way between two, whose
    last bits are noise; adding 0.0 turns -0.0 into 0.0."""
    return round(round(float(value), DECIMALS + 4), DECIMALS) + 0.0


def errors(estimate: Estimate) -> Floats | None:
    """Standard errors by bot; None with fewer than two blocks."""
    if estimate.covariance is None:
        return None
    return np.sqrt(np.maximum(np.diag(estimate.covariance), 0))


def half_widths(estimate: Estimate) -> Floats | None:
    """How far the 95 % interval reaches to either side, by bot."""
    error = errors(estimate)
    return None if error is None else error * stdtrit(estimate.freedom, (1 + CONFIDENCE) / 2)


@dataclass(frozen=True, slots=True)
class Gap:
    """How far one bot is above another (a − b), with its 95 % interval. `superiority` is the
    likelihood that the smaller value is truly the smaller one for a: P(a < b)."""

    gap: float
    se: float
    low: float
    high: float
    superiority: float


def gap(estimate: Estimate, a: int, b: int) -> Gap | None:
    """The gap between two bots; None with fewer than two blocks."""
    if estimate.covariance is None:
        return None
    distance = float(estimate.values[a] - estimate.values[b])
    cov = estimate.covariance
    error = sqrt(max(0.0, float(cov[a, a] + cov[b, b] - 2 * cov[a, b])))
    freedom = float(min(estimate.freedom[a], estimate.freedom[b]))
    reach = error * float(stdtrit(freedom, (1 + CONFIDENCE) / 2))
    return Gap(
        gap=rounded(distance),
        se=rounded(error),
        low=rounded(distance - reach),
        high=rounded(distance + reach),
        superiority=rounded(likelihood(-distance, error, freedom)),
    )


def likelihood(distance: float, error: float, freedom: float) -> float:
    """The probability that a distance with this error is truly positive."""
    if error == 0:
        return 0.5 + 0.5 * float(np.sign(distance))
    return float(stdtr(freedom, distance / error))


def ranks(estimate: Estimate) -> tuple[Ints, Ints]:
    """The interval of each bot's rank, 1 for the lowest value: it counts the bots that are
    significantly lower and those significantly higher. Each bot is compared with all others, so
    each comparison is held to a level that keeps the whole at 95 % (Šidák)."""
    count = len(estimate.values)
    if estimate.covariance is None:
        return np.ones(count, dtype=np.intp), np.full(count, count, dtype=np.intp)
    variance = np.diag(estimate.covariance)
    spread = np.sqrt(np.maximum(variance[:, None] + variance - 2 * estimate.covariance, 0))
    freedom = np.minimum(estimate.freedom[:, None], estimate.freedom)
    level = CONFIDENCE ** (1 / max(1, count - 1))
    reach = spread * stdtrit(freedom, (1 + level) / 2)
    distance = estimate.values[:, None] - estimate.values
    # The tolerance keeps what is equal but for the last bits from being told apart.
    below = (distance > reach + 1e-9).sum(1)
    above = (-distance > reach + 1e-9).sum(1)
    return 1 + below, count - above
