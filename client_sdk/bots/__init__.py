"""The house bots: opponents to measure against, and examples to read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from client_sdk.bot import Bot
from client_sdk.bots.careful import Careful
from client_sdk.bots.counter import Counter
from client_sdk.bots.duck import Duck
from client_sdk.bots.random import Random
from client_sdk.bots.searcher import Searcher


@dataclass(frozen=True, slots=True)
class HouseBot:
    """One of the platform's own bots: its name, one line about it, and how to make one."""

    name: str
    summary: str
    make: Callable[[], Bot]


HOUSE: Mapping[str, HouseBot] = {
    house.name: house
    for house in (
        HouseBot("random", "Plays any legal card, by the decision's seed alone.", Random),
        HouseBot(
            "duck", "Never takes a trick it can avoid; passes its most dangerous cards.", Duck
        ),
        HouseBot(
            "careful",
            "Follows the strategy guides: voids, smoking out the queen, no moons.",
            Careful,
        ),
        HouseBot(
            "counter", "Counts cards, remembers its pass, stops moons and shoots them.", Counter
        ),
        HouseBot(
            "searcher",
            "Plays thousands of deals out for each decision, in 30 ms.",
            Searcher,
        ),
    )
}
"""The house bots by name, from the weakest to the strongest."""
