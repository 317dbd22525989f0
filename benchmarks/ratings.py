"""Ratings: speed against `openskill` in the same run, and what the figures are worth."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import choix
import numpy as np
from openskill.models import PlackettLuce

from arbiter.ratings import intervals, sequential, wire
from arbiter.ratings.deals import Deals, Floats, Group
from arbiter.ratings.evidence import Log, Outcome
from arbiter.ratings.placings import plackett_luce
from arbiter.ratings.points import least_squares
from arbiter.ratings.report import report
from arbiter.ratings.sequential import Hypotheses
from arbiter.ratings.tables import Measure, fit
from benchmarks.figures import Figure, Goal, On
from benchmarks.leagues import league, shuffled

MILLION = 1_000_000
BOTS = 50
REPEATS = 3
OPENSKILL_DEALS = 4000
COVERAGE = ((10, 4, 100), (50, 4, 300), (10, 3, 100), (10, 6, 100))
RUNS = 400
TESTS = 3000
WORKERS = 8
MOST_BLOCKS = 5000
BLOCKS = Path(__file__).parents[1] / "tests" / "data" / "blocks"


def run() -> list[Figure]:
    """The figures of `make bench ONLY=ratings`."""
    rng = np.random.default_rng(2026)
    big = shuffled(rng, league(rng, BOTS, 4, MILLION // 4).deals)
    return [*_speed(big), *_truth(rng), *agreement(rng), *_coverage(rng), *_errors(rng)]


def _seconds(work: Callable[[], object]) -> float:
    """Processor time, the best of a few runs: what else the machine does is not ours. The fits use
    one thread, so on an idle machine this is the time they take."""
    taken = []
    for _ in range(REPEATS):
        begun = time.process_time()
        work()
        taken.append(time.process_time() - begun)
    return min(taken)


def _speed(deals: Deals) -> list[Figure]:
    reference = _openskill(deals)
    return [
        Figure(
            name=f"{len(deals):,} deals, {BOTS} bots: {name}",
            value=value,
            unit="CPU s",
            reference=reference,
            reference_name="openskill, from a part",
            goal=goal,
        )
        for name, value, goals in (
            (
                "points",
                _seconds(lambda: least_squares(deals)),
                (Goal(On.VALUE, at_most=1.0), Goal(On.RATIO, at_most=1 / 20)),
            ),
            (
                "placings",
                _seconds(lambda: plackett_luce(deals)),
                (Goal(On.VALUE, at_most=5.0), None),
            ),
        )
        for goal in goals
        if goal is not None
    ]


def _openskill(deals: Deals) -> float:
    """Seconds that openskill would take for all deals, from a part of them."""
    model = PlackettLuce()
    ratings = [model.rating() for _ in deals.names]
    [group] = deals.groups
    begun = time.process_time()
    for bots, points in zip(
        group.bots[:OPENSKILL_DEALS].tolist(), group.points[:OPENSKILL_DEALS].tolist(), strict=True
    ):
        ranks = [float(sorted(points).index(own)) for own in points]
        found = model.rate([[ratings[bot]] for bot in bots], ranks=ranks)
        for bot, [rating] in zip(bots, found, strict=True):
            ratings[bot] = rating
    return (time.process_time() - begun) * len(deals) / OPENSKILL_DEALS


def _truth(rng: np.random.Generator) -> list[Figure]:
    made = league(rng, BOTS, 4, 25_000, spread=0.5)
    found = least_squares(made.deals).values
    changed = 0
    for measure in Measure:
        first = repr(fit(made.deals, measure))
        changed += sum(repr(fit(shuffled(rng, made.deals), measure)) != first for _ in range(2))
    return [
        Figure(
            name=f"rank correlation with the truth, {BOTS} bots, 100,000 deals",
            value=float(np.corrcoef(_ranks(made.truth), _ranks(found))[0, 1]),
            unit="",
            goal=Goal(On.VALUE, at_least=0.95),
        ),
        Figure(
            name="tables changed by shuffling the log",
            value=changed,
            unit="",
            goal=Goal(On.VALUE, at_most=0),
        ),
        Figure(
            name="fits changed by eight workers that commit in any order",
            value=_changed_by_workers(rng),
            unit="",
            goal=Goal(On.VALUE, at_most=0),
        ),
    ]


def _changed_by_workers(rng: np.random.Generator) -> int:
    """Fits whose stored bytes are not those of the log in canonical order."""
    made = league(rng, 12, 4, 500).deals
    [group] = made.groups
    outcomes = [
        Outcome(f"b{block}", 4, tuple(made.names[bot] for bot in bots), (tuple(map(int, points)),))
        for block, bots, points in zip(
            group.block.tolist(), group.bots.tolist(), group.points.tolist(), strict=True
        )
    ]

    def stored(parts: Iterable[Sequence[Outcome]]) -> bytes:
        log = Log()
        for part in parts:
            log.append(part)
        return wire.encode("bench-4", report(*log.snapshot())).fit

    expected = stored([outcomes])
    changed = 0
    for _ in range(4):
        worker = rng.integers(0, WORKERS, len(outcomes))
        queues = [
            [o for o, w in zip(outcomes, worker, strict=True) if w == n] for n in range(WORKERS)
        ]
        turns = rng.permutation(worker)
        taken = [iter(queue) for queue in queues]
        changed += stored([next(taken[turn])] for turn in turns) != expected
    return changed


def agreement(rng: np.random.Generator) -> list[Figure]:
    """By how much the fits differ from those of libraries that do nothing else."""
    deals = league(rng, 20, 4, 500).deals
    [group] = deals.groups
    count, rows = len(deals.names), len(group.block)
    design = np.zeros((rows, 4, count))
    at, seat = np.indices(group.bots.shape)
    design[at, seat, group.bots] = 1
    design -= design.mean(1, keepdims=True)
    demeaned = group.points - group.points.mean(1, keepdims=True)
    plain = np.linalg.lstsq(design.reshape(-1, count), demeaned.ravel(), rcond=None)[0]
    # Without ties, which choix does not know.
    parts = rng.permuted(np.tile(np.arange(4) / 8, (rows, 1)), axis=1)
    apart = Group(group.bots, group.points + parts, group.block)
    order = np.take_along_axis(apart.bots, np.argsort(apart.points, axis=1), 1).tolist()
    known = choix.ilsr_rankings(count, order, max_iter=1000, tol=1e-9)
    placed = plackett_luce(Deals(deals.names, (apart,), deals.blocks)).values
    return [
        Figure(name, float(np.abs(one - (other - other.mean())).max()), "", goal=goal)
        for name, one, other, goal in (
            ("points against numpy.linalg.lstsq, largest difference",
             least_squares(deals).values, plain, Goal(On.VALUE, at_most=1e-6)),
            ("placings against choix, largest difference",
             placed, known, Goal(On.VALUE, at_most=1e-6)),
        )
    ]  # fmt: skip


def _ranks(values: Floats) -> Floats:
    return np.argsort(np.argsort(values)).astype(np.float64)


def _coverage(rng: np.random.Generator) -> list[Figure]:
    figures = []
    for bots, seats, blocks in COVERAGE:
        covered = 0
        for _ in range(RUNS):
            made = league(rng, bots, seats, blocks)
            found = least_squares(made.deals)
            halves = intervals.half_widths(found)
            assert halves is not None
            covered += int((np.abs(found.values - made.truth) <= halves).sum())
        figures.append(
            Figure(
                name=f"coverage of the 95 % interval: {bots} bots, {seats} seats, {blocks} blocks",
                value=covered / (RUNS * bots),
                unit="",
                goal=Goal(On.VALUE, at_least=0.94, at_most=0.96),
            )
        )
    return figures


def _errors(rng: np.random.Generator) -> list[Figure]:
    figures = []
    for path in sorted(BLOCKS.glob("*.json")):
        data = json.loads(path.read_text())
        blocks = np.array(data["differences"], dtype=np.float64) / data["seats"]
        name = f"{data['baseline']} against {data['candidate']}"
        figures += _errors_of(rng, blocks - blocks.mean(), name)
    return figures


def _errors_of(rng: np.random.Generator, blocks: Floats, name: str) -> list[Figure]:
    bounds = Hypotheses(h0=0.0, h1=0.45)
    figures = []
    for kind, truth in (("I", bounds.h0), ("II", bounds.h1)):
        errors = used = 0
        for _ in range(TESTS):
            drawn = np.asarray(rng.choice(blocks, MOST_BLOCKS) + truth, dtype=np.float64)
            path, cautious = sequential.ratios(drawn, bounds)
            stop = sequential.first_stop(path, cautious, bounds) or MOST_BLOCKS
            errors += bool(path[stop - 1] > 0) is (kind == "I")
            used += stop
        figures.append(
            Figure(
                name=f"type {kind} error of the test at nominal .05, blocks of {name}",
                value=errors / TESTS,
                unit="",
                goal=Goal(On.VALUE, at_most=0.055),
            )
        )
    # Two deals a block. The goal is for two settings of one searcher.
    settings = name.count("searcher") == 2
    figures.append(
        Figure(
            name=f"deals to accept +0.45 points a deal, blocks of {name}",
            value=2 * used / TESTS,
            unit="deals",
            goal=Goal(On.VALUE, at_most=1400) if settings else None,
        )
    )
    return figures
