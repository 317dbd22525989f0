"""A bot to talk with, and conversations of one match."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from fake_arbiter import FakeArbiter, Link, Script

from client_sdk import Bot, Match, Turn, play_async
from client_sdk.match import DealResult, MatchResult


class Anna(Bot):
    """Plays the lowest legal card and writes down what it is told."""

    name = "anna"

    def __init__(self) -> None:
        self.told: list[Any] = []

    def play(self, turn: Turn) -> Any:
        self.told.append(("play", turn.decision))
        return turn.legal[0]

    def on_match_start(self, match: Match) -> None:
        self.told.append(("start", match.name))

    def on_deal_start(self, match: Match) -> None:
        self.told.append(("deal", match.deal, match.dealt))

    def on_passed(self, match: Match) -> None:
        self.told.append(("passed", match.gave, match.received))

    def on_deal_over(self, match: Match, result: DealResult) -> None:
        self.told.append(("deal over", result.points))

    def on_match_over(self, match: Match, result: MatchResult) -> None:
        self.told.append(("over", result.places))


async def converse(script: Script, bot: Bot | None = None, **options: Any) -> FakeArbiter:
    """Play one match (by default) against the script."""
    async with FakeArbiter(script) as arbiter:
        async with asyncio.timeout(10):
            await play_async(
                bot or Anna(), arbiter.address, "hrt_test", **{"matches": 1, **options}
            )
    return arbiter


async def to_end(link: Link, tables: int = 1) -> None:
    """End all matches and check that the bot leaves as the protocol says."""
    await link.send(*(link.over(table) for table in range(1, tables + 1)))
    assert (await link.recv()).leaving
    with pytest.raises(EOFError):
        await link.recv()


async def converse_until_silent(script: Script, bot: Bot) -> None:
    """Run a script after whose end the bot would connect again."""
    ended = asyncio.Event()

    async def once(link: Link) -> None:
        await script(link)
        ended.set()
        await asyncio.sleep(10)

    async with FakeArbiter(once) as arbiter:
        playing = asyncio.create_task(play_async(bot, arbiter.address, "hrt_test"))
        waiting = asyncio.create_task(ended.wait())
        await asyncio.wait({playing, waiting}, timeout=10, return_when=asyncio.FIRST_COMPLETED)
        playing.cancel()
        waiting.cancel()
        await asyncio.gather(playing, waiting, return_exceptions=True)
        assert ended.is_set() or arbiter.failures
