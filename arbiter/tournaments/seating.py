"""Who sits where: every bot in every seat equally often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

Seating = tuple[str, ...]


def rotated(seats: Sequence[str], rotation: int) -> Seating:
    """Everybody moves `rotation` seats to the left (clockwise)."""
    shift = rotation % len(seats)
    return tuple(seats[len(seats) - shift :]) + tuple(seats[: len(seats) - shift])


def balanced(seatings: Sequence[Seating]) -> list[Seating]:
    """The same tables with seats exchanged so that, for every bot, the numbers of times it sits in
    any two seats differ by at most 1.

    Such seats always exist (they are a balanced edge colouring of the bipartite graph of bots and
    matches). For each pair of seats, read every match as an edge between the two bots in them and
    orient the edges along Euler circuits: then each bot is in either seat equally often, or once
    more. Repeating over all pairs lowers the sum of squares each time something was unbalanced, so
    it ends. Deterministic.
    """
    tables = [list(seats) for seats in seatings]
    if not tables:
        return []
    pairs = list(combinations(range(len(tables[0])), 2))
    unbalanced = True
    while unbalanced:
        unbalanced = False
        for left, right in pairs:
            if not _is_balanced(tables, left, right):
                unbalanced = True
                _orient(tables, left, right)
    return [tuple(seats) for seats in tables]


def _is_balanced(tables: list[list[str]], left: int, right: int) -> bool:
    surplus: Counter[str] = Counter()
    for seats in tables:
        surplus[seats[left]] += 1
        surplus[seats[right]] -= 1
    return all(-1 <= count <= 1 for count in surplus.values())


def _orient(tables: list[list[str]], left: int, right: int) -> None:
    """Exchange the two seats at some tables so that every bot's counts differ by at most 1."""
    edges: dict[str, list[tuple[int, str]]] = {}
    for index, seats in enumerate(tables):
        edges.setdefault(seats[left], []).append((index, seats[right]))
        edges.setdefault(seats[right], []).append((index, seats[left]))
    used = [False] * len(tables)
    pair = (left, right)
    # A walk from a bot with an odd number of open edges ends at another such bot. When none is
    # left, every walk is a circuit.
    for start in sorted(edges):
        if sum(not used[index] for index, _ in edges[start]) % 2:
            _walk(start, edges, used, tables, pair)
    for start in sorted(edges):
        while _walk(start, edges, used, tables, pair):
            pass


def _walk(
    start: str,
    edges: dict[str, list[tuple[int, str]]],
    used: list[bool],
    tables: list[list[str]],
    pair: tuple[int, int],
) -> bool:
    """Follow unused edges from `start` until none is left, seating each bot met in the left seat
    of the edge by which the walk leaves it. Returns whether there was any."""
    left, right = pair
    bot, moved = start, False
    while True:
        open_edges = edges[bot]
        while open_edges and used[open_edges[-1][0]]:
            open_edges.pop()
        if not open_edges:
            return moved
        index, other = open_edges.pop()
        used[index], moved = True, True
        tables[index][left], tables[index][right] = bot, other
        bot = other
