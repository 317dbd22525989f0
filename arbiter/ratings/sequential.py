"""Is the candidate better? A test that looks after every block and stops as soon as it knows.

Generalised sequential probability ratio test for the mean difference of a block, with unknown
variance: x_b the difference in block b, m and v mean and (maximum likelihood) variance of the first
N, h0 < h1 the two hypotheses in points per deal,

    LLR = (N/2) · ln[(v + (m − h0)²) / (v + (m − h1)²)]

(the form of fishtest's LLR_normalized, t = m/√v). It accepts H1 ("better by h1") at
ln((1 − beta)/alpha) and H0 ("better by no more than h0") at ln(beta/(1 − alpha)) (Wald 1945).
alpha is the probability of accepting H1 although h0 is true, beta that of the other error.
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
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """Accept H1 at or above this LLR."""
        return log((1 - self.beta) / self.alpha)


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
    path = ratios(x, hypotheses)
    outside = (path <= hypotheses.lower) | (path >= hypotheses.upper)
    outside[: FIRST_LOOK - 1] = False
    stopped = bool(outside.any())
    blocks = int(np.argmax(outside)) + 1 if stopped else len(x)
    llr = float(path[blocks - 1]) if blocks else 0.0
    verdict = Verdict.CONTINUE
    if stopped:
        verdict = Verdict.H1 if llr > 0 else Verdict.H0
    bound = hypotheses.upper if llr > 0 else hypotheses.lower
    found = stopping.estimate(x[:blocks], hypotheses, FIRST_LOOK, _least(hypotheses))
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


def ratios(x: Floats, hypotheses: Hypotheses) -> Floats:
    """The log-likelihood ratio after each block."""
    counts = np.arange(1, len(x) + 1)
    # Differences from a value inside the data keep the variance from cancelling.
    shift = float(x[0]) if len(x) else 0.0
    means = np.cumsum(x - shift) / counts
    squares = np.cumsum((x - shift) ** 2) / counts
    variances = np.maximum(squares - means**2, _least(hypotheses))
    means += shift
    top = variances + (means - hypotheses.h0) ** 2
    bottom = variances + (means - hypotheses.h1) ** 2
    return np.asarray(counts / 2 * np.log(top / bottom), dtype=np.float64)


def _thinned(path: Floats) -> tuple[tuple[int, float], ...]:
    """At most HISTORY points of the path, the last one among them."""
    if not len(path):
        return ()
    places = np.unique(np.linspace(0, len(path) - 1, min(HISTORY, len(path))).round().astype(int))
    return tuple((int(place) + 1, rounded(path[place])) for place in places)
