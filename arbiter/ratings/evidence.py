"""The log of results as arrays that only grow: new results are appended, the whole is fitted.

Which results count: complete blocks in which nobody forfeited. What is missing from a block,
because it is not played yet or was given up, keeps the whole block out: half a block is not a fair
sample.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from arbiter.ratings.deals import Deal, Deals, Floats, Group, Ints


@dataclass(frozen=True, slots=True)
class Seat:
    """How one seat fared in a match. `place` is 1 for the first, shared places averaged."""

    place: float = 0.0
    moons: int = 0
    timeouts: int = 0
    illegal: int = 0
    decisions: int = 0


FIGURES = ("place", "win", "moons", "timeouts", "illegal", "decisions")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One rated result. `block` is shared by all `rotations` matches of a board at one table;
    `deals` holds the points of each deal, by seat; `passes` by how many seats to the left its cards
    were passed; `void` when a seat forfeited. `seats` may be left out."""

    block: str
    rotations: int
    bots: tuple[str, ...]
    deals: tuple[tuple[int, ...], ...]
    void: bool = False
    passes: tuple[int, ...] = ()
    seats: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """What the matches of a snapshot add to its deals. `passes` goes with the rows of each group of
    the deals. `figures` holds a row for each of FIGURES and a column for each bot of `names`: the
    first three over the matches that count (`matches`), the others over all."""

    names: tuple[str, ...]
    passes: tuple[Ints, ...]
    matches: Ints
    figures: Floats


@dataclass(slots=True)
class _Columns:
    """Results of one table size: deals and matches, each with the number of its match."""

    bots: Ints
    points: Floats
    passes: Ints
    match: Ints
    # By match.
    seats: Ints
    figures: Floats
    block: Ints
    number: Ints


@dataclass(slots=True)
class Log:
    """All results of a pool so far, in order of arrival."""

    length: int = 0
    _bots: dict[str, int] = field(default_factory=dict)
    _blocks: dict[str, int] = field(default_factory=dict)
    _rotations: list[int] = field(default_factory=list)
    _void: list[bool] = field(default_factory=list)
    _sizes: dict[int, _Columns] = field(default_factory=dict)

    def append(self, outcomes: Iterable[Outcome]) -> None:
        """Add further results, in order of arrival. ValueError when a deal has not one figure for
        each seat."""
        by_size: dict[int, list[tuple[int, Outcome]]] = defaultdict(list)
        for outcome in outcomes:
            if any(len(points) != len(outcome.bots) for points in outcome.deals):
                raise ValueError(f"a deal of block {outcome.block!r} lacks a figure for a seat")
            block = self._blocks.setdefault(outcome.block, len(self._blocks))
            if block == len(self._rotations):
                self._rotations.append(outcome.rotations)
                self._void.append(False)
            self._void[block] |= outcome.void
            by_size[len(outcome.bots)].append((self.length, outcome))
            self.length += 1
        for size, part in sorted(by_size.items()):
            self._extend(size, part)

    def _extend(self, size: int, part: Sequence[tuple[int, Outcome]]) -> None:
        known = self._sizes.get(size)
        first = len(known.block) if known else 0
        new = self._columns(size, part, first)
        if known is None:
            self._sizes[size] = new
            return
        for name in _Columns.__slots__:
            setattr(known, name, np.concatenate([getattr(known, name), getattr(new, name)]))

    def _columns(self, size: int, part: Sequence[tuple[int, Outcome]], first: int) -> _Columns:
        seats = np.array(
            [[self._bots.setdefault(b, len(self._bots)) for b in o.bots] for _, o in part], np.intp
        )
        counts = np.array([len(outcome.deals) for _, outcome in part], dtype=np.intp)
        rows = np.repeat(np.arange(len(part)), counts)
        points = [points for _, outcome in part for points in outcome.deals]
        passes = [
            outcome.passes[deal] if deal < len(outcome.passes) else 0
            for _, outcome in part
            for deal in range(len(outcome.deals))
        ]
        figures = [_figures(outcome, size) for _, outcome in part]
        return _Columns(
            bots=seats[rows],
            points=np.array(points, dtype=np.float64).reshape(-1, size),
            passes=np.array(passes, dtype=np.intp),
            match=rows + first,
            seats=seats,
            figures=np.array(figures, dtype=np.float64),
            block=np.array([self._blocks[outcome.block] for _, outcome in part], dtype=np.intp),
            number=np.array([number for number, _ in part], dtype=np.intp),
        )

    def snapshot(self, length: int | None = None) -> tuple[Deals, Record]:
        """The deals that count among the first `length` results (all unless told), and what else is
        known about their bots."""
        until = self.length if length is None else length
        blocks = np.zeros(len(self._blocks), dtype=np.intp)
        for columns in self._sizes.values():
            blocks += np.bincount(columns.block[columns.number < until], minlength=len(blocks))
        counted = (blocks == np.array(self._rotations, dtype=np.intp)) & ~np.array(
            self._void, dtype=bool
        )
        return self._deals(counted), self._record(counted, until)

    def _deals(self, counted: NDArray[np.bool_]) -> Deals:
        number = np.cumsum(counted) - 1
        chosen = [(c, counted[c.block[c.match]]) for _, c in sorted(self._sizes.items())]
        present = np.zeros(len(self._bots), dtype=bool)
        for columns, rows in chosen:
            present[columns.bots[rows]] = True
        names, position = self._named(present)
        groups = tuple(
            Group(
                position[columns.bots[rows]],
                columns.points[rows],
                number[columns.block[columns.match[rows]]],
            )
            for columns, rows in chosen
            if rows.any()
        )
        return _dense(Deals(names, groups, int(counted.sum())))

    def _named(self, present: NDArray[np.bool_]) -> tuple[tuple[str, ...], Ints]:
        """The names of these bots, sorted, and by number of arrival the place in them."""
        numbers = [number for _, number in sorted(self._bots.items()) if present[number]]
        position = np.zeros(len(self._bots), dtype=np.intp)
        position[numbers] = np.arange(len(numbers))
        return tuple(sorted(name for name, at in self._bots.items() if present[at])), position

    def _record(self, counted: NDArray[np.bool_], until: int) -> Record:
        count = len(self._bots)
        figures = np.zeros((len(FIGURES), count))
        matches = np.zeros(count, dtype=np.intp)
        passes = []
        for _, columns in sorted(self._sizes.items()):
            rows = counted[columns.block[columns.match]]
            if rows.any():
                passes.append(columns.passes[rows])
            known = columns.number < until
            counts = counted[columns.block] & known
            matches += np.bincount(columns.seats[counts].ravel(), minlength=count)
            for at in range(len(FIGURES)):
                chosen = counts if at < 3 else known
                weights = columns.figures[chosen, at].ravel()
                figures[at] += np.bincount(columns.seats[chosen].ravel(), weights, count)
        names, position = self._named(np.ones(count, dtype=bool))
        order = np.argsort(position)
        return Record(names, tuple(passes), matches[order], figures[:, order])


def _figures(outcome: Outcome, size: int) -> list[list[float]]:
    """A row for each of FIGURES, a column for each seat."""
    seats = outcome.seats or (Seat(),) * size
    return [
        [seat.place for seat in seats],
        [float(seat.place == 1) for seat in seats],
        [seat.moons for seat in seats],
        [seat.timeouts for seat in seats],
        [seat.illegal for seat in seats],
        [seat.decisions for seat in seats],
    ]


def _dense(deals: Deals) -> Deals:
    """The same with blocks that have no deal left out of the numbering."""
    present = np.zeros(deals.blocks, dtype=bool)
    for group in deals.groups:
        present[group.block] = True
    if present.all():
        return deals
    number = np.cumsum(present) - 1
    groups = tuple(Group(g.bots, g.points, number[g.block]) for g in deals.groups)
    return Deals(deals.names, groups, int(present.sum()))


def lines(outcomes: Iterable[tuple[str, Outcome]]) -> list[tuple[Deal, bool]]:
    """The deals of complete blocks with whether they are void, in order of (key, outcome)."""
    ordered = [outcome for _, outcome in sorted(outcomes, key=lambda pair: pair[0])]
    blocks: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in ordered:
        blocks[outcome.block].append(outcome)
    return [
        (Deal(block, outcome.bots, points), any(part.void for part in parts))
        for block, parts in blocks.items()
        if len(parts) == parts[0].rotations
        for outcome in parts
        for points in outcome.deals
    ]
