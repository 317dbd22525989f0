"""Two bots against each other in duplicate play: our referee, our statistics, one process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from arbiter.ratings import intervals
from arbiter.ratings.deals import Deal, collect
from arbiter.ratings.points import least_squares
from client_sdk import Bot, Turn
from hearts.rules import preset
from hearts.shuffle import Board
from tests.sdk.local_table import play_matches

MIRRORED = ("AABB", "BBAA")
ROTATIONS = ("ABBB", "BABB", "BBAB", "BBBA")
TOGETHER = 10
"""Matches played at once. One by one where a bot thinks for long: 100 s are all that they get."""


@dataclass(slots=True)
class Clock:
    """Processor seconds that one side used, and for how many decisions."""

    seconds: float = 0.0
    decisions: int = 0

    def timed(self, bot: Bot) -> Bot:
        """The bot, its decisions counted here."""
        vars(bot)["play"] = partial(self._measure, bot.play)
        vars(bot)["pass_cards"] = partial(self._measure, bot.pass_cards)
        return bot

    def _measure(self, method: Callable[[Turn], Any], turn: Turn) -> Any:
        begun = time.thread_time()
        answer = method(turn)
        self.seconds += time.thread_time() - begun
        self.decisions += 1
        return answer

    @property
    def ms(self) -> float:
        """Milliseconds a decision."""
        return 1000 * self.seconds / max(1, self.decisions)


@dataclass(slots=True)
class Duel:
    """Bot A against bot B, block by block. `gap` is by how many points a deal A takes fewer."""

    a: Callable[[], Bot]
    b: Callable[[], Bot]
    patterns: Sequence[str] = MIRRORED
    together: int = TOGETHER
    deals: list[Deal] = field(default_factory=list)
    blocks: int = 0
    clocks: dict[str, Clock] = field(default_factory=lambda: {"A": Clock(), "B": Clock()})

    def play(self, blocks: int) -> None:
        """So many more blocks: each a shuffle in every pattern of seats."""
        last = self.blocks + blocks
        while self.blocks < last:
            some = min(self.together, last - self.blocks)
            make_board = partial(_board, self.blocks.to_bytes(32, "big"))
            for pattern in self.patterns:
                records, _ = asyncio.run(
                    play_matches(
                        self._seated(pattern),
                        preset("standard"),
                        matches=some,
                        make_board=make_board,
                    )
                )
                self.deals += [
                    Deal(f"b{self.blocks + number}", tuple(pattern), tuple(record.deals[0].points))
                    for number, record in enumerate(records)
                ]
            self.blocks += some

    def _seated(self, pattern: str) -> list[Bot]:
        bots = []
        for seat, side in enumerate(pattern):
            bot = self.clocks[side].timed(self.a() if side == "A" else self.b())
            bot.name = f"{side.lower()}-{seat}"
            bots.append(bot)
        return bots

    def gap(self) -> tuple[float, float]:
        """The gap in points a deal, and half the width of its 95 % interval."""
        found = least_squares(collect(self.deals))
        halves = intervals.half_widths(found)
        assert halves is not None
        # Two bots: one stands as far above the mean as the other below.
        return float(found.values[1] - found.values[0]), float(2 * halves[0])


def _board(secret: bytes, _: bytes, number: int) -> Board:
    return Board(secret, number)
