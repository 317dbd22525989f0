"""Seats that stay even from round to round.

What was played cannot be changed, so the seats of a round are chosen given those that its bots had
before. A bot is even while the numbers of times it sat in any two seats differ by at most 1: that
is when the sum of their squares is as low as it can be, and what it is above that is its debt.

Of the boards of a table only those that fill no cycle matter. A bot sits in one seat after the
other there, clockwise from its first: so who sits in which seat first says all, and a table is even
when its bots have different first seats that leave none of them a debt.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import linear_sum_assignment
from scipy.sparse.csgraph import maximum_bipartite_matching

from arbiter.tournaments.draw import Draw
from arbiter.tournaments.seating import Seating, balanced

Seats = Mapping[str, Counter[int]]
Ints = NDArray[np.int64]

TRIES = 6
# Ties between assignments are broken by noise of our own, so that one optimum is the best and the
# outcome does not depend on how a library goes through them. Costs stay below 2^20 units, the noise
# of a table below one.
_UNIT = 1 << 32
_NOISE = 1 << 20
_MOST = 1 << 18
_DEBT = 16


@dataclass(frozen=True, slots=True)
class Evenness:
    """What keeps the seats of a round even: for each bot the first seats that leave it no debt, as
    the bits of a number."""

    players: int
    free: Mapping[str, int]

    def owed(self, table: Iterable[str]) -> int:
        """How many bots of a table cannot have one of these seats to themselves."""
        masks = tuple(sorted(self.free[bot] for bot in table))
        return len(masks) - sum(seat >= 0 for seat in _matched(masks))

    def possible(self, bots: Sequence[str]) -> bool:
        """Whether these bots can all be even, at tables that suit them."""
        slots = np.array(
            [[self.free[bot] >> seat & 1 for seat in range(self.players)] for bot in bots]
        )
        grid = sparse.csr_array(np.repeat(slots, len(bots) // self.players, axis=1))
        return bool((maximum_bipartite_matching(grid, perm_type="column") >= 0).all())

    def first_seats(self, bots: Sequence[str], table_of: Ints, draw: Draw) -> Ints | None:
        """A first seat for each bot, each seat for as many bots, so that all are even: that of
        their present tables where it can be. None: there is no such choice."""
        count = len(bots)
        wanted = np.full(count, -1, dtype=np.int64)
        for table in range(count // self.players):
            members = np.flatnonzero(table_of == table).tolist()
            wanted[members] = _matched(tuple(self.free[bots[bot]] for bot in members))
        seats = np.arange(self.players)
        costs = np.array([[draw.below(_NOISE) for _ in seats] for _ in bots], dtype=np.int64)
        costs += _UNIT * (wanted[:, None] != seats)
        allowed = np.array(
            [[self.free[bot] >> seat & 1 for seat in range(self.players)] for bot in bots]
        )
        costs += _UNIT * (count + 1) * (1 - allowed)
        found = linear_sum_assignment(np.repeat(costs, count // self.players, axis=1))[1]
        chosen = np.asarray(found // (count // self.players), dtype=np.int64)
        return chosen if allowed[np.arange(count), chosen].all() else None


def evenness(
    bots: Iterable[str], past: Seats, players: int, games: int, *, far: bool = False
) -> Evenness:
    """Of a round in which these bots play `games` matches that fill no cycle. `far`: with an eye to
    the next rounds too, which are easier to seat while the seats that a bot still has to take lie
    side by side."""
    free = {}
    for bot in bots:
        costs = _costs(_row(past, bot, players), games)
        if not far:
            costs = tuple(cost // _DEBT for cost in costs)
        free[bot] = sum(1 << seat for seat, cost in enumerate(costs) if cost == min(costs))
    return Evenness(players, free)


def evened(tables: Sequence[Sequence[str]], games: int, past: Seats, draw: Draw) -> list[Seating]:
    """The seats of `games` matches at each of the tables, one table after the other, so that the
    bots' seats, with those of the `past`, are as even as can be: the best for tables that have no
    bot in common, else the best of a few tries."""
    made: list[list[Seating]] = [[]] * len(tables)
    if not games:
        return []
    for part in _parts(tables):
        found = _seated([tables[at] for at in part], games, past, draw)
        for at, seatings in zip(part, found, strict=True):
            made[at] = seatings
    return [seats for seatings in made for seats in seatings]


def first_seats(bot: str, tables: int, games: int, past: Seats, players: int) -> list[int]:
    """The first seats that keep a bot even that plays so many matches at each of some tables."""
    own = {bot: Counter(past.get(bot, ()))}
    found = []
    for _ in range(tables):
        costs = _costs(_row(own, bot, players), games)
        found.append(costs.index(min(costs)))
        own[bot].update((found[-1] + game) % players for game in range(games))
    return found


def _seated(
    tables: Sequence[Sequence[str]], games: int, past: Seats, draw: Draw
) -> list[list[Seating]]:
    """Tables that belong together."""
    if len(tables) == 1:
        return [_in_turn(tables[0], games, past, draw)]
    often = Counter(bot for bots in tables for bot in bots)
    (hub, most), (_, more) = often.most_common(2)
    if most == len(tables) and more == 1:
        return _around(hub, tables, games, past, draw)
    return _together(tables, games, past, draw)


def _around(
    hub: str, tables: Sequence[Sequence[str]], games: int, past: Seats, draw: Draw
) -> list[list[Seating]]:
    """One bot sits at all tables: in each of its seats where the others can best be even."""
    players = len(tables[0])
    first = first_seats(hub, len(tables), games, past, players)
    others = [[bot for bot in bots if bot != hub] for bots in tables]
    found = [
        {seat: _best(bots, games, past, players, seat, draw) for seat in set(first)}
        for bots in others
    ]
    costs = np.array([[own[seat][0] for seat in first] for own in found], dtype=np.int64)
    made = []
    for own, column in zip(found, _assigned(costs, draw), strict=True):
        made.append(turned({**own[first[column]][1], hub: first[column]}, games))
    return made


def _in_turn(bots: Sequence[str], games: int, past: Seats, draw: Draw) -> list[Seating]:
    return turned(_best(bots, games, past, len(bots), None, draw)[1], games)


def _best(
    bots: Sequence[str], games: int, past: Seats, players: int, taken: int | None, draw: Draw
) -> tuple[int, dict[str, int]]:
    """First seats for the bots of a table, but for the one that is taken, and what they cost."""
    rows = np.array([_costs(_row(past, bot, players), games) for bot in bots], dtype=np.int64)
    seats = [seat for seat in range(players) if seat != taken]
    chosen = _assigned(rows[:, seats], draw)
    cost = int(rows[:, seats][np.arange(len(bots)), chosen].sum())
    return cost, {bot: seats[at] for bot, at in zip(bots, chosen, strict=True)}


def turned(first: Mapping[str, int], games: int) -> list[Seating]:
    """The seats of so many games, in each of which everybody sits one seat on, from the first."""
    seats = sorted(first, key=first.__getitem__)
    return [tuple(seats[-turn:] + seats[:-turn]) for turn in range(games)]


def _together(
    tables: Sequence[Sequence[str]], games: int, past: Seats, draw: Draw
) -> list[list[Seating]]:
    best: list[Seating] = []
    least = -1
    for attempt in range(TRIES):
        found = [tuple(draw.shuffled(bots)) for bots in tables for _ in range(games)]
        if attempt == 0:
            # Enough where nothing was played before.
            found = balanced(found)
        left = _owed(found, past)
        if left:
            found = _settled(found, past, draw)
            left = _owed(found, past)
        if least < 0 or left < least:
            best, least = found, left
        if not left:
            break
    return [best[at : at + games] for at in range(0, len(best), games)]


def _owed(seatings: Sequence[Seating], past: Seats) -> int:
    counts = _counted(seatings, past)
    return sum(_debt(_row(counts, bot, len(seatings[0]))) for bot in counts)


def _settled(seatings: Sequence[Seating], past: Seats, draw: Draw) -> list[Seating]:
    """Each match in turn gets its best seats, given all others, until none can be better."""
    tables = list(seatings)
    players = len(tables[0])
    counts = _counted(tables, past)
    improved = True
    while improved:
        improved = False
        for at, seats in enumerate(tables):
            for seat, bot in enumerate(seats):
                counts[bot][seat] -= 1
            # One more in a seat raises the sum of squares by twice its count, and 1.
            rows = np.array([_row(counts, bot, players) for bot in seats], dtype=np.int64)
            order = _assigned(rows, draw)
            if rows[np.arange(players), order].sum() < rows.trace():
                improved = True
                moved = dict(zip(order, seats, strict=True))
                tables[at] = tuple(moved[seat] for seat in range(players))
            for seat, bot in enumerate(tables[at]):
                counts[bot][seat] += 1
    return tables


def _assigned(costs: Ints, draw: Draw) -> list[int]:
    """The column of each row."""
    noise = np.array([[draw.below(_NOISE) for _ in row] for row in costs], dtype=np.int64)
    found = linear_sum_assignment(np.minimum(costs, _MOST) * _UNIT + noise)[1]
    return [int(column) for column in found]


def _row(counts: Seats, bot: str, players: int) -> tuple[int, ...]:
    """By how much more often than in its rarest seat a bot has sat in each."""
    own = counts.get(bot)
    if own is None:
        return (0,) * players
    row = [own[seat] for seat in range(players)]
    least = min(row)
    return tuple(count - least for count in row)


@lru_cache(maxsize=1 << 16)
def _costs(row: tuple[int, ...], games: int) -> tuple[int, ...]:
    """By first seat: the debt of a bot after so many games in one seat after the other, and less
    than that, in how many stretches the seats lie that it has taken more often."""
    found = []
    for first in range(len(row)):
        after = list(row)
        for game in range(games):
            after[(first + game) % len(row)] += 1
        least = min(after)
        stretches = sum(after[at] > least == after[at - 1] for at in range(len(row)))
        # One match alone may be anywhere.
        found.append(_DEBT * _debt(after) + stretches * (games > 1))
    return tuple(found)


def _debt(row: Sequence[int]) -> int:
    whole, more = divmod(sum(row), len(row))
    lowest = (len(row) - more) * whole**2 + more * (whole + 1) ** 2
    return sum(count**2 for count in row) - lowest


@lru_cache(maxsize=1 << 16)
def _matched(masks: tuple[int, ...]) -> tuple[int, ...]:
    """A seat of its own for as many as can be, of those whose bits it has; −1 for none (augmenting
    paths)."""
    holder: dict[int, int] = {}

    def seat(who: int, tried: set[int]) -> bool:
        for place in range(masks[who].bit_length()):
            if masks[who] >> place & 1 and place not in tried:
                tried.add(place)
                if place not in holder or seat(holder[place], tried):
                    holder[place] = who
                    return True
        return False

    for who in range(len(masks)):
        seat(who, set())
    places = {who: place for place, who in holder.items()}
    return tuple(places.get(who, -1) for who in range(len(masks)))


def _parts(tables: Sequence[Sequence[str]]) -> list[list[int]]:
    """The tables in sets that have no bot in common, each in order."""
    root = list(range(len(tables)))

    def find(at: int) -> int:
        while root[at] != at:
            root[at] = at = root[root[at]]
        return at

    first: dict[str, int] = {}
    for at, bots in enumerate(tables):
        for bot in bots:
            one, other = find(first.setdefault(bot, at)), find(at)
            root[max(one, other)] = min(one, other)
    parts: dict[int, list[int]] = defaultdict(list)
    for at in range(len(tables)):
        parts[find(at)].append(at)
    return list(parts.values())


def _counted(seatings: Sequence[Seating], past: Seats) -> dict[str, Counter[int]]:
    counts = {bot: Counter(past.get(bot, ())) for seats in seatings for bot in seats}
    for seats in seatings:
        for seat, bot in enumerate(seats):
            counts[bot][seat] += 1
    return counts
