"""Placings: who comes in before whom, by Plackett–Luce with ties.

A deal ranks its bots by points. The model draws the first place with probabilities in proportion to
the bots' worths w = exp(θ), then the second among the rest, and so on (Plackett 1975, Luce 1959).
Bots with equal points share a place; a group T of them, taken out of the field R, counts

    Π_{i in T} w_i  /  Π_{j=0}^{|T|-1} (S_R − (j/|T|) S_T)      S: sum of worths

(Efron 1977): symmetric in the tied bots, and the plain model without ties. The log-likelihood is
concave; Newton's method finds its maximum over all deals at once. Errors are the clustered sandwich
H⁻¹ (Σ_b u_b u_b') H⁻¹ · B/(B−1), u_b the gradient of block b.

Strengths are log-worths with sum 0 and higher is better: a bot that is 1 above another comes in
before it e = 2.7 times as often as after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from arbiter.ratings.deals import Deals, Floats, Group, Ints, canonical
from arbiter.ratings.points import Estimate, clustered, product

# So small that no estimate from real play moves by 1e-6, and a bot that always wins stays finite.
_RIDGE = 1e-7
_ITERATIONS = 80
# Newton's steps shrink quadratically: after one of this length the rest is beyond any rounding.
_CLOSE = 1e-6
_LONGEST_STEP = 2.0
_SAMPLE = 40_000


@dataclass(frozen=True, slots=True)
class _Pattern:
    """Deals of one size with the same pattern of ties: bots in order of place, and for each draw
    (row) the share with which each place (column) is still in the field."""

    bots: Ints
    field: Floats
    block: Ints
    # Whether each place but the first is shared with the one before it.
    tied: NDArray[np.bool_]

    def drawn(self, place: int) -> float:
        """1 for a place whose bot was drawn: each but a sole last one."""
        return float(place < len(self.tied) or self.tied[-1])


def plackett_luce(deals: Deals) -> Estimate:
    """Log-worths, higher is better. The bots must be connected. Without an error where a part of
    the field always came in before the rest: then no finite worth is the most likely."""
    count = len(deals.names)
    patterns = [part for group in canonical(deals).groups for part in _patterns(group)]
    values = np.zeros(count)
    total = sum(len(part.block) for part in patterns)
    if total > 4 * _SAMPLE:
        # A good start from a part saves passes over the whole.
        every = total // _SAMPLE
        values, _ = _newton([_thinned(part, every) for part in patterns], values)
    values, inverse = _newton(patterns, values)
    freedom = np.full(count, max(1.0, deals.blocks - 1.0))
    if deals.blocks < 2 or count < 2 or not _finite(patterns, count):
        return Estimate(values, None, freedom)
    meat = product(_scores(patterns, values, (deals.blocks, count)))
    covariance = inverse @ meat @ inverse * (deals.blocks / (deals.blocks - 1))
    return Estimate(values, covariance, freedom)


def _patterns(group: Group) -> Iterator[_Pattern]:
    order = np.argsort(group.points, axis=1, kind="stable")
    bots = np.take_along_axis(group.bots, order, 1)
    points = np.take_along_axis(group.points, order, 1)
    tied = points[:, 1:] == points[:, :-1]
    code = tied @ (1 << np.arange(group.size - 1))
    for value in np.unique(code):
        rows = code == value
        shared = tied[np.argmax(rows)]
        yield _Pattern(np.ascontiguousarray(bots[rows]), _field(shared), group.block[rows], shared)


def _field(tied: NDArray[np.bool_]) -> Floats:
    size = len(tied) + 1
    rows = []
    first = 0
    while first < size - 1:
        last = first + 1
        while last < size and tied[last - 1]:
            last += 1
        for taken in range(last - first):
            share = np.zeros(size)
            share[first:] = 1
            share[first:last] = 1 - taken / (last - first)
            rows.append(share)
        first = last
    return np.array(rows)


def _thinned(part: _Pattern, every: int) -> _Pattern:
    return _Pattern(part.bots[::every], part.field, part.block[::every], part.tied)


def _newton(patterns: Sequence[_Pattern], values: Floats) -> tuple[Floats, Floats]:
    """The maximum, and the inverse of minus the Hessian there."""
    for _ in range(_ITERATIONS):
        gradient, hessian = _derivatives(patterns, values)
        inverse = _inverse(hessian)
        step = inverse @ (gradient - _RIDGE * values)
        largest = float(np.abs(step).max())
        values = values + step * min(1.0, _LONGEST_STEP / max(largest, 1e-300))
        values -= values.mean()
        if largest < _CLOSE:
            break
    return values, inverse


def _inverse(hessian: Floats) -> Floats:
    """Pseudo-inverse of minus the Hessian; "all alike" is its null direction."""
    count = len(hessian)
    scale = max(1.0, float(np.trace(hessian)) / count)
    level = np.full((count, count), scale / count)
    ridge = _RIDGE * np.eye(count)
    return np.asarray(np.linalg.inv(hessian + ridge + level) - level / (scale * scale))


def _draws(part: _Pattern, values: Floats) -> tuple[list[Floats], list[Floats]]:
    """The worths by place, and one over the field's worth by draw."""
    worth = np.exp(values)
    by_place = [worth[part.bots[:, place]] for place in range(part.bots.shape[1])]
    return by_place, [1 / _weighted(share, by_place) for share in part.field]


def _weighted(weights: Floats, columns: Sequence[Floats]) -> Floats:
    """Σ weight · column, without the columns that weigh nothing."""
    total = np.zeros(len(columns[0]))
    for weight, column in zip(weights, columns, strict=True):
        if weight == 1:
            total += column
        elif weight:
            total += weight * column
    return total


def _expected(part: _Pattern, by_place: list[Floats], fields: list[Floats]) -> list[Floats]:
    """By place: how often its bot was to be drawn, the sum of its chances over the draws."""
    return [worth * _weighted(part.field[:, place], fields) for place, worth in enumerate(by_place)]


def _derivatives(patterns: Sequence[_Pattern], values: Floats) -> tuple[Floats, Floats]:
    """Gradient, and minus the Hessian, of the log-likelihood."""
    count = len(values)
    gradient = np.zeros(count)
    hessian = np.zeros(count * count)
    diagonal = np.zeros(count)
    for part in patterns:
        by_place, fields = _draws(part, values)
        expected = _expected(part, by_place, fields)
        squares = [field * field for field in fields]
        for a, chance in enumerate(expected):
            bots = part.bots[:, a]
            gradient += np.bincount(bots, part.drawn(a) - chance, count)
            diagonal += np.bincount(bots, chance, count)
            for b in range(a + 1):
                weights = part.field[:, a] * part.field[:, b]
                both = _weighted(weights, squares) * by_place[a] * by_place[b]
                both *= 0.5 if a == b else 1.0
                hessian -= np.bincount(bots * count + part.bots[:, b], both, count * count)
    square = hessian.reshape(count, count)
    return gradient, square + square.T + np.diag(diagonal)


def _scores(
    patterns: Sequence[_Pattern], values: Floats, shape: tuple[int, int]
) -> sparse.csr_array:
    data, blocks, bots = [], [], []
    for part in patterns:
        for place, chance in enumerate(_expected(part, *_draws(part, values))):
            data.append(part.drawn(place) - chance)
            blocks.append(part.block)
            bots.append(part.bots[:, place])
    return clustered(data, blocks, bots, shape)


def _finite(patterns: Sequence[_Pattern], count: int) -> bool:
    """Whether from every bot to every other there is a chain of "came in before or level with"
    (Hunter 2004): else the likelihood has no maximum."""
    beats = np.zeros((count, count), dtype=bool)
    for part in patterns:
        for place, shared in enumerate(part.tied):
            first, second = part.bots[:, place], part.bots[:, place + 1]
            beats[first, second] = True
            if shared:
                beats[second, first] = True
    number, _ = connected_components(sparse.csr_array(beats), connection="strong")
    return bool(number == 1)
