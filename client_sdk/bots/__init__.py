"""The house bots: opponents to measure against, and examples to read."""

from collections.abc import Callable

from client_sdk.bot import Bot
from client_sdk.bots.careful import Careful
from client_sdk.bots.duck import Duck
from client_sdk.bots.random import Random

HOUSE: dict[str, tuple[Callable[[], Bot], str]] = {
    "random": (Random, "Plays any legal card, by the decision's seed alone."),
    "duck": (Duck, "Never takes a trick it can avoid; passes its most dangerous cards."),
    "careful": (Careful, "Follows the strategy guides: voids, smoking out the queen, no moons."),
}
"""The house bots by name: how to make one, and one line about it."""
