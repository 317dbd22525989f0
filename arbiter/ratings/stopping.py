"""What a stopped test says about the size of the difference.

The mean of the data is biased when the data decided when to stop: a test that stopped early for the
candidate did so because the candidate was lucky. The stage-wise ordering (Siegmund 1978) mends it.
Outcomes are ordered from worst to best for the candidate: left by the lower bound, the earlier the
worse; still inside, by the sum; left by the upper bound, the earlier the better. With P(δ) the
probability of an outcome at most as good as the one that came, if the true difference is δ, the
median-unbiased estimate is where P = ½ and the 95 % interval ends where P = .975 and .025.

P is computed by recursion over the blocks (Armitage, McPherson and Rowe 1969) for normal blocks of
the observed variance: the density of the sum among the tests still running is convolved with one
block's, and what falls outside the bounds has stopped. It is done once, at δ halfway between the
hypotheses; for any other δ each path's probability is tilted by exp(μs/v − nμ²/2v)
for a sum s after n blocks of variance v and a drift μ.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, pi, sqrt

import numpy as np
from scipy.optimize import brentq
from scipy.special import stdtrit

from arbiter.ratings.deals import Floats

# The recursion's grid, in steps of one look's standard deviation.
_PER_SPREAD = 5
# More looks than this are taken several blocks at a time.
_MOST_LOOKS = 1500
_WIDEST = 0.5
# A test of the sum that stopped before this share of the blocks does not describe the test.
_LATE = 0.7
_TAIL = 8.0

# Blocks so far, sums on the grid, their density.
_Stopped = tuple[int, Floats, Floats]


@dataclass(frozen=True, slots=True)
class Bounds:
    """The hypotheses, and where the log-likelihood ratio stops the test."""

    h0: float
    h1: float
    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class Found:
    """Median-unbiased estimate and 95 % interval, in the unit of the differences."""

    middle: float
    low: float
    high: float


def estimate(x: Floats, bounds: Bounds, first_look: int, least: float) -> Found | None:
    """The estimate after a test of these differences that looked after each block from
    `first_look` on and stopped after the last of them, or still runs. None for fewer than two."""
    count = len(x)
    if count < 2:
        return None
    mean = float(x.mean())
    variance = max(float(x.var(ddof=1)), least)
    if count <= first_look:
        return _fixed(mean, variance, count)
    # In units of the likelihood ratio: S = scale · Σ (x − halfway), one block's variance spread².
    scale = (bounds.h1 - bounds.h0) / variance
    halfway = (bounds.h0 + bounds.h1) / 2
    spread = scale * sqrt(variance)
    sums = scale * np.cumsum(x - halfway)
    end = float(sums[-1])
    early = sums[first_look - 1 : int(_LATE * count)]
    if ((early < bounds.lower) | (early > bounds.upper)).any():
        # So lopsided that the test went on where a test of the sum would long have stopped (its
        # ratio grows slowly far from both hypotheses): then it is not luck that it stopped here.
        return _fixed(mean, variance, count)
    at_most = _outcomes(end, bounds, count, first_look, spread)

    guess = scale * (mean - halfway)
    reach = 10 * spread / sqrt(first_look)
    ends: list[float] = []
    for share in (0.5, 0.975, 0.025):
        # From the fixed-sample answer, as far out as it may take.
        drift = _root(at_most, share, guess - reach, guess + reach)
        if drift is None:
            # An outcome that normal blocks hardly ever have, such as one that never varies.
            return _fixed(mean, variance, count)
        ends.append(drift / scale + halfway)
    return Found(*ends)


def _fixed(mean: float, variance: float, count: int) -> Found:
    """The usual interval: the number of blocks was not the data's choice."""
    reach = float(stdtrit(count - 1, 0.975)) * sqrt(variance / count)
    return Found(mean, mean - reach, mean + reach)


def _root(
    function: Callable[[float], float], share: float, low: float, high: float
) -> float | None:
    """Where a falling function has this value; None when that is not between the ends."""
    if not function(low) > share > function(high):
        return None
    return float(brentq(lambda value: function(value) - share, low, high, xtol=1e-10))


def _outcomes(
    end: float, bounds: Bounds, count: int, first_look: int, spread: float
) -> Callable[[float], float]:
    """P(outcome at most as good as this one) as a function of the drift of one block."""
    together = ceil((count - first_look) / _MOST_LOOKS)
    looks = [*range(first_look, count, together), count]
    step = min(spread * sqrt(together), _WIDEST) / _PER_SPREAD
    points = ceil((bounds.upper - bounds.lower) / step) + 1
    step = (bounds.upper - bounds.lower) / (points - 1)
    # Before the first look everybody is at 0; the zeros end on the grid's points.
    sums, density = _normal(spread * sqrt(first_look), bounds.lower, step)
    stopped: list[_Stopped] = []
    for before, now in pairwise(looks):
        first = round((bounds.lower - sums[0]) / step)
        running = density[first : first + points].copy()
        leaving = density[: first + 1].copy()
        # The grid's points on the bounds belong to both sides.
        leaving[-1] /= 2
        running[[0, -1]] /= 2
        stopped.append((before, sums[: first + 1], leaving))
        offsets, kernel = _normal(spread * sqrt(now - before), 0.0, step)
        density = np.convolve(running, kernel) * step
        sums = bounds.lower + offsets[0] + step * np.arange(len(density))
    return _probability(stopped, (count, sums, density), end, spread, step)


def _normal(deviation: float, anchor: float, step: float) -> tuple[Floats, Floats]:
    """A grid through `anchor` over all of a normal distribution with mean 0, and its density."""
    first = floor((-_TAIL * deviation - max(0.0, -anchor) - anchor) / step)
    last = ceil((_TAIL * deviation + max(0.0, -anchor) * 2 - anchor) / step)
    grid: Floats = anchor + step * np.arange(first, last + 1, dtype=np.float64)
    density: Floats = np.exp(-0.5 * (grid / deviation) ** 2) / (deviation * sqrt(2 * pi))
    return grid, density


def _probability(
    stopped: list[_Stopped], last: _Stopped, end: float, spread: float, step: float
) -> _Tilted:
    count, sums, density = last
    # Left by the lower bound before, or at or below the end now.
    here = density * np.clip((end - sums) / step + 0.5, 0, 1)
    parts = [*stopped, (count, sums, here)]
    return _Tilted(
        np.concatenate([s for _, s, _ in parts]),
        np.concatenate([np.full(len(s), float(n)) for n, s, _ in parts]),
        np.concatenate([w for _, _, w in parts]) * step,
        spread,
    )


@dataclass(frozen=True, slots=True)
class _Tilted:
    sums: Floats
    blocks: Floats
    weights: Floats
    spread: float

    def __call__(self, drift: float) -> float:
        variance = self.spread**2
        tilt = drift * self.sums / variance - self.blocks * drift**2 / (2 * variance)
        return float(np.sum(self.weights * np.exp(np.minimum(tilt, 700))))
