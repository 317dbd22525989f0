"""Which results count: complete blocks in which nobody forfeited."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from arbiter.ratings.deals import Deal


@dataclass(frozen=True, slots=True)
class Outcome:
    """One rated result. `block` is shared by all `rotations` matches of a board at one table;
    `deals` holds the points of each deal, by seat; `void` when a seat forfeited."""

    block: str
    rotations: int
    bots: tuple[str, ...]
    deals: tuple[tuple[int, ...], ...]
    void: bool = False


def evidence(outcomes: Iterable[Outcome]) -> list[Deal]:
    """The deals of all complete, non-void blocks. What is missing from a block, because it is not
    played yet or was given up, keeps the whole block out: half a block is not a fair sample."""
    blocks: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        blocks[outcome.block].append(outcome)
    return [
        Deal(block, outcome.bots, points)
        for block, parts in blocks.items()
        if len(parts) == parts[0].rotations and not any(part.void for part in parts)
        for outcome in parts
        for points in outcome.deals
    ]
