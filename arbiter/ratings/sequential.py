"""Is the candidate better? A test that looks after every block and stops as soon as it knows.

Generalised sequential probability ratio test for the mean difference of a block, with unknown
variance: x_b the difference in block b, m and v mean and (maximum likelihood) variance of the first
N, h0 < h1 the two hypotheses in points per deal,

    LLR = (N/2) · ln[(v + (m − h0)²) / (v + (m − h1)²)]

(the form of fishtest's LLR_normalized, t = m/√v). It accepts H1 ("better by h1") at
ln((1 − beta)/alpha) and H0 ("better by no more than h0") at ln(beta/(1 − alpha)) (Wald 1945).
alpha is the probability of accepting H1 although h0 is true, beta that of the other error.

The formula takes the blocks for normal. Where they are skewed, a high mean comes with a low
variance or a high one, and the error is not alpha: .07 at a nominal .05 on real blocks of a weak
against a strong bot. So the test stops only when a second ratio agrees. It has t(1 + gt/3), g the
skewness (Johnson 1978), for each t = (m − h)/√v, and the bounds of errors 5 % smaller.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite, log

import numpy as np

from arbiter.ratings import stopping
from arbiter.ratings.deals import Floats
from arbiter.ratings.intervals import rounded

# A variance from fewer blocks is too uncertain to stop on.
FIRST_LOOK = 20
# The least standard deviation that is believed, as a part of h1 − h0: keeps constant differences
# from dividing by zero, and is far below any real one.
_LEAST_SPREAD = 0.25
_CAUTION = 0.95
# A sample's skewness is trusted so far, and so far it may change t.
_MOST_SKEW = 2.0
_MOST_CHANGE = 0.5
HISTORY = 200


class Verdict(StrEnum):
    """How a test stands."""

    H0 = "H0"
    H1 = "H1"
    CONTINUE = "continue"


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """What is tested, in points per deal by which the candidate is better, and at which errors."""

    h0: float = 0.0
    h1: float = 0.45
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (isfinite(self.h0) and isfinite(self.h1) and self.h0 < self.h1):
            raise ValueError(f"h0 must be below h1, but h0 is {self.h0:g} and h1 {self.h1:g}")
        for name, error in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0.0001 <= error <= 0.3:
                raise ValueError(f"{name} is {error:g}; allowed: 0.0001 to 0.3")

    @property
    def lower(self) -> float:
        """Accept H0 at or below this LLR."""
        return -_bound(self.beta, self.alpha)

    @property
    def upper(self) -> float:
        """Accept H1 at or above this LLR."""
        return _bound(self.alpha, self.beta)

    @property
    def cautious(self) -> stopping.Bounds:
        """The bounds of the second ratio, which are those that a test stops at."""
        alpha, beta = self.alpha * _CAUTION, self.beta * _CAUTION
        return stopping.Bounds(self.h0, self.h1, -_bound(beta, alpha), _bound(alpha, beta))


def _bound(error: float, other: float) -> float:
    return log((1 - other) / error)


@dataclass(frozen=True, slots=True)
class Result:
    """A test as it stands. `blocks` is how many it used: those up to its stop. `estimate`, `low`
    and `high` (95 %) say by how many points per deal the candidate is better, corrected for having
    stopped when it looked good or bad; None with fewer than two blocks. `elapsed` is the share of
    the way to the bound that the LLR heads for, 0 to 1. `history` holds (blocks, LLR)."""

    verdict: Verdict
    llr: float
    lower: float
    upper: float
    blocks: int
    estimate: float | None
    low: float | None
    high: float | None
    elapsed: float
    history: tuple[tuple[int, float], ...]


def run(differences: Sequence[float] | Floats, hypotheses: Hypotheses) -> Result:
    """Run the test over the differences in order and stop where it stops."""
    x = np.asarray(differences, dtype=np.float64)
    path, cautious = ratios(x, hypotheses)
    blocks = first_stop(path, cautious, hypotheses)
    stopped = blocks > 0
    blocks = blocks or len(x)
    llr = float(path[blocks - 1]) if blocks else 0.0
    verdict = Verdict.CONTINUE
    if stopped:
        verdict = Verdict.H1 if llr > 0 else Verdict.H0
    bound = hypotheses.upper if llr > 0 else hypotheses.lower
    found = stopping.estimate(x[:blocks], hypotheses.cautious, FIRST_LOOK, _least(hypotheses))
    return Result(
        verdict=verdict,
        llr=rounded(llr),
        lower=rounded(hypotheses.lower),
        upper=rounded(hypotheses.upper),
        blocks=blocks,
        estimate=None if found is None else rounded(found.middle),
        low=None if found is None else rounded(found.low),
        high=None if found is None else rounded(found.high),
        elapsed=1.0 if stopped else rounded(min(1.0, llr / bound)),
        history=_thinned(path[:blocks]),
    )


def _least(hypotheses: Hypotheses) -> float:
    """The least variance that is believed."""
    return (_LEAST_SPREAD * (hypotheses.h1 - hypotheses.h0)) ** 2


def first_stop(path: Floats, cautious: Floats, hypotheses: Hypotheses) -> int:
    """After how many blocks the test stops; 0 when it does not."""
    inner, outer = hypotheses, hypotheses.cautious
    low = (path <= inner.lower) & (cautious <= outer.lower)
    high = (path >= inner.upper) & (cautious >= outer.upper)
    outside = low | high
    outside[: FIRST_LOOK - 1] = False
    return int(np.argmax(outside)) + 1 if outside.any() else 0


def ratios(x: Floats, hypotheses: Hypotheses) -> tuple[Floats, Floats]:
    """The log-likelihood ratio after each block, and the second one, corrected for skewness."""
    counts = np.arange(1, len(x) + 1)
    # Differences from a value inside the data keep the moments from cancelling.
    shift = float(x[0]) if len(x) else 0.0
    away = x - shift
    means, squares, cubes = (np.cumsum(away**power) / counts for power in (1, 2, 3))
    variances = np.maximum(squares - means**2, _least(hypotheses))
    spreads = np.sqrt(variances)
    skew = (cubes - 3 * means * squares + 2 * means**3) / variances / spreads
    skew = np.clip(skew, -_MOST_SKEW, _MOST_SKEW)
    t0 = (means + shift - hypotheses.h0) / spreads
    t1 = (means + shift - hypotheses.h1) / spreads
    plain = counts / 2 * (np.log1p(t0**2) - np.log1p(t1**2))
    corrected = (
        counts / 2 * (np.log1p(_unskewed(t0, skew) ** 2) - np.log1p(_unskewed(t1, skew) ** 2))
    )
    return plain, corrected


def _unskewed(t: Floats, skew: Floats) -> Floats:
    return np.asarray(t * (1 + np.clip(skew * t / 3, -_MOST_CHANGE, _MOST_CHANGE)))


def _thinned(path: Floats) -> tuple[tuple[int, float], ...]:
    """At most HISTORY points of the path, the last one among them."""
    if not len(path):
        return ()
    places = np.unique(np.linspace(0, len(path) - 1, min(HISTORY, len(path))).round().astype(int))
    return tuple((int(place) + 1, rounded(path[place])) for place in places)
