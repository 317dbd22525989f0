"""Blocks as evidence for one bot against another.

The difference in a block is the mean of the baseline's points less that of the candidate's: above 0
the candidate is the better one. A block is mirrored when each of the two bots sat in every seat
equally often, so that neither had the better cards: A A B B and B B A A, or four rotations of
A B C D. Only mirrored blocks count, and of them only the contiguous first ones: a test that could
pick which blocks are in could pick its verdict.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from arbiter.ratings.deals import Deal

_NUMBERED = re.compile(r"(.*?)(\d{1,15})$", re.DOTALL)
# Block names count as numbered when they fill at least this share of the numbers they span.
_DENSE = 0.5


@dataclass(frozen=True, slots=True)
class Evidence:
    """The differences of the blocks that count, in order, in points per deal, and their deals.
    `waiting` is the block that ends the prefix because it is not complete, "" for none; `left`
    counts the blocks after it. `mirrored` is False when no block is, so that single deals on fresh
    boards had to do."""

    differences: tuple[float, ...]
    deals: int
    waiting: str
    left: int
    mirrored: bool


@dataclass(slots=True)
class _Block:
    baseline: list[tuple[int, float]]
    candidate: list[tuple[int, float]]
    seats: int = 0
    deals: int = 0
    void: bool = False


def evidence(deals: Iterable[tuple[Deal, bool]], baseline: str, candidate: str) -> Evidence:
    """The contiguous complete prefix of the blocks in which both bots play; (deal, void) pairs in
    any order. A void block is passed over. ValueError when the bots are one."""
    if baseline == candidate:
        raise ValueError("a bot cannot be tested against itself")
    blocks: dict[str, _Block] = defaultdict(lambda: _Block([], []))
    for deal, void in deals:
        block = blocks[deal.block]
        block.void |= void
        block.deals += 1
        block.seats = max(block.seats, len(deal.bots))
        for seat, (bot, points) in enumerate(zip(deal.bots, deal.points, strict=True)):
            if bot == baseline:
                block.baseline.append((seat, points))
            elif bot == candidate:
                block.candidate.append((seat, points))
    return _prefix(dict(blocks))


def _prefix(blocks: dict[str, _Block]) -> Evidence:
    order = sorted(blocks, key=natural)
    ours = {name for name in order if blocks[name].baseline or blocks[name].candidate}
    mirrored = any(_is_mirrored(blocks[name]) for name in ours)
    fullest = max((blocks[name].deals for name in ours), default=0)
    missing = _first_missing(order)
    differences: list[float] = []
    deals = 0
    waiting = ""
    for name in order:
        block = blocks[name]
        if missing and natural(missing) < natural(name):
            waiting = missing
            break
        if name not in ours or block.void:
            continue
        complete = _is_mirrored(block) if mirrored else block.deals == fullest
        if not (complete and block.baseline and block.candidate):
            waiting = name
            break
        differences.append(_mean(block.baseline) - _mean(block.candidate))
        deals += block.deals
    left = sum(natural(name) > natural(waiting) for name in ours) if waiting else 0
    return Evidence(tuple(differences), deals, waiting, left, mirrored)


def _mean(seats: list[tuple[int, float]]) -> float:
    return sum(sorted(points for _, points in seats)) / len(seats)


def _is_mirrored(block: _Block) -> bool:
    return all(
        len(counts := Counter(seat for seat, _ in side)) == block.seats
        and len(set(counts.values())) == 1
        for side in (block.baseline, block.candidate)
    )


def natural(name: str) -> tuple[str, int, str]:
    """The order of blocks: by name, and by number where names end in one ("b9" before "b10")."""
    found = _NUMBERED.match(name)
    return (found[1], int(found[2]), name) if found else (name, -1, name)


def _first_missing(order: list[str]) -> str:
    """The first number that no block has, where the names are one series of numbers: a block that
    has no result yet. "" for none."""
    found = [_NUMBERED.match(name) for name in order]
    stems = {match[1] for match in found if match}
    if not order or not all(found) or len(stems) > 1:
        return ""
    numbers = sorted({int(match[2]) for match in found if match})
    if len(numbers) < _DENSE * (numbers[-1] - numbers[0] + 1):
        return ""
    for before, after in pairwise(numbers):
        if after != before + 1:
            first = next(match for match in found if match and int(match[2]) == before)
            return f"{first[1]}{before + 1:0{len(first[2])}}"
    return ""
