"""Simulated leagues with a known truth, as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arbiter.ratings.deals import Deals, Floats, Group

# What the cards alone give to a seat: skewed, as in Hearts.
LUCK = np.array([0, 0, 1, 2, 3, 5, 8, 13, 14, 19])
NOISE = 4.0
SPREAD = 1.0


@dataclass(frozen=True, slots=True)
class League:
    """Simulated results and the bots' true strengths, in points per deal with sum 0."""

    truth: Floats
    deals: Deals


def league(
    rng: np.random.Generator,
    bots: int,
    seats: int,
    blocks: int,
    spread: float = SPREAD,
    truth: Floats | None = None,
) -> League:
    """Every block seats a random table and rotates it through one shuffle: the seat's luck is the
    block's, the play around it is the deal's."""
    truth = rng.normal(0, spread, bots) if truth is None else truth
    truth = truth - truth.mean()
    table = np.argsort(rng.random((blocks, bots)), axis=1)[:, :seats]
    players = np.concatenate([np.roll(table, turn, axis=1) for turn in range(seats)])
    luck = np.tile(rng.choice(LUCK, (blocks, seats)), (seats, 1))
    points = np.rint(luck + truth[players] + rng.normal(0, NOISE, players.shape))
    block = np.tile(np.arange(blocks), seats)
    names = tuple(f"bot{number:03}" for number in range(bots))
    return League(truth, Deals(names, (Group(players, points, block),), blocks))


def shuffled(rng: np.random.Generator, deals: Deals) -> Deals:
    """The same deals, in another order of rows and seats and under other block numbers."""
    names = rng.permutation(deals.blocks)
    groups = []
    for group in deals.groups:
        rows = rng.permutation(len(group.block))
        seats = rng.permutation(group.size)
        chosen = np.ix_(rows, seats)
        groups.append(Group(group.bots[chosen], group.points[chosen], names[group.block[rows]]))
    return Deals(deals.names, tuple(groups), deals.blocks)
