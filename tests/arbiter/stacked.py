"""Cards in an order that a test has chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hearts.rules import RuleSet
from hearts.shuffle import Board


@dataclass(frozen=True, slots=True)
class StackedBoard(Board):
    """A board whose packs come from `pack`; all else follows from the secret and the number."""

    pack: Callable[[RuleSet, int, int], list[int]]

    def shuffle(self, rules: RuleSet, deal: int, redeal: int = 0) -> list[int]:
        return self.pack(rules, deal, redeal)


def by_suits(rules: RuleSet, deal: int, redeal: int) -> list[int]:
    """The sorted pack: at a table of four, seat 0 holds all clubs and takes every trick."""
    return rules.pack()
