"""All that the watchdogs find in a pool's results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arbiter.ratings.deals import Deal, Deals, collect, connected
from arbiter.ratings.evidence import Outcome
from arbiter.ratings.watchdogs import (
    Deviation,
    Lateness,
    Together,
    lateness,
    residuals,
    together,
)


@dataclass(frozen=True, slots=True)
class Played:
    """A result and who played it, "" where that is not known. `key` sorts results."""

    key: str
    outcome: Outcome
    worker: str = ""
    arbiter: str = ""


@dataclass(frozen=True, slots=True)
class Suspects:
    """Each list has the most suspicious first."""

    workers: tuple[Deviation, ...]
    late_workers: tuple[Lateness, ...]
    late_arbiters: tuple[Lateness, ...]
    pairs: tuple[Together, ...]


def suspects(results: Iterable[Played]) -> Suspects:
    """The order of the results does not matter. Residuals and pairs are of the blocks that count,
    time-outs of all results."""
    ordered = sorted(results, key=lambda one: one.key)
    deals, workers = _deals(ordered)
    deviations: list[Deviation] = []
    pairs: list[Together] = []
    for part in connected(deals):
        pairs += together(part)
        names = set(part.names)
        who = [
            [worker for bots, worker in rows if bots[0] in names]
            for size, rows in sorted(workers.items())
            if any(bots[0] in names for bots, _ in rows)
        ]
        if any(worker for rows in who for worker in rows):
            deviations += residuals(part, who)
    return Suspects(
        tuple(sorted((d for d in deviations if d.worker), key=lambda d: (d.p, d.worker))),
        tuple(lateness(_counts((one.worker, one.outcome) for one in ordered))),
        tuple(lateness(_counts((one.arbiter, one.outcome) for one in ordered))),
        tuple(sorted(pairs, key=lambda pair: (pair.z, pair.bot, pair.other))),
    )


def _deals(
    ordered: Sequence[Played],
) -> tuple[Deals, dict[int, list[tuple[tuple[str, ...], str]]]]:
    """The deals that count, and by table size, in the same order, bots and worker of each."""
    blocks: dict[str, list[Played]] = defaultdict(list)
    for one in ordered:
        blocks[one.outcome.block].append(one)
    deals: list[Deal] = []
    workers: dict[int, list[tuple[tuple[str, ...], str]]] = defaultdict(list)
    for block, parts in blocks.items():
        whole = len(parts) == parts[0].outcome.rotations
        if not whole or any(part.outcome.void for part in parts):
            continue
        for part in parts:
            for points in part.outcome.deals:
                deals.append(Deal(block, part.outcome.bots, points))
                workers[len(points)].append((part.outcome.bots, part.worker))
    return collect(deals), workers


def _counts(played: Iterable[tuple[str, Outcome]]) -> dict[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    for name, outcome in played:
        if name:
            late, asked = found.get(name, (0, 0))
            found[name] = (
                late + sum(seat.timeouts for seat in outcome.seats),
                asked + sum(seat.decisions for seat in outcome.seats),
            )
    return dict(sorted(found.items()))
