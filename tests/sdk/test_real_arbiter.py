"""The SDK against a real arbiter: who may play, who is replaced, who comes back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from real_arbiter import Platform, platform

import client_sdk
from arbiter.store import Store
from client_sdk import Bot, Match, Turn, play_async
from client_sdk.bots import HOUSE
from client_sdk.match import MatchResult
from hearts.v1 import arbiter_pb2, play_pb2

OTHERS = ("bert", "cleo", "dora")


class Anna(Bot):
    """Plays by the seed, a little slowly, and notes what she knew when she came back."""

    def __init__(self, name: str = "anna", pause: float = 0.0) -> None:
        self.name = name
        self.pause = pause
        self.resumed: list[tuple[int, int]] = []
        self.decided = asyncio.Event()
        self.over: list[int] = []

    async def play(self, turn: Turn) -> int:
        """In the time that makes a match last long enough to break in."""
        self.decided.set()
        await asyncio.sleep(self.pause)
        assert len(turn.tricks) == turn.trick_number - 1
        known = sorted([*turn.match.dealt, *turn.received])
        for card in (*turn.gave, *(c for c in turn.played if c in known)):
            if card in known:
                known.remove(card)
        assert set(turn.hand) <= set(known)
        return turn.random.choice(turn.legal)

    def on_match_start(self, match: Match) -> None:
        if match.resumed:
            self.resumed.append((match.deal, match.finished))

    def on_match_over(self, match: Match, result: MatchResult) -> None:
        self.over.append(result.reason)


@asynccontextmanager
async def seated(there: Platform, *names: str) -> AsyncIterator[None]:
    """House bots on their streams."""
    tasks = []
    for name in names:
        bot = HOUSE["random"].make()
        bot.name = name
        token = await there.token(name)
        tasks.append(asyncio.create_task(play_async(bot, there.address, token)))
    yield
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_an_unknown_token_and_another_bots_token(store: Store) -> None:
    """SS09, as a bot's author sees it: an error that says what is wrong."""
    async with platform(store) as there:
        with pytest.raises(client_sdk.NotAuthenticated) as unknown:
            await play_async(Anna(), there.address, "hrt_unknown")
        assert unknown.value.reason == "UNAUTHENTICATED"
        with pytest.raises(client_sdk.PermissionDenied) as other:
            await play_async(Anna(), there.address, await there.token("bert"))
        assert other.value.reason == "PERMISSION_DENIED"


async def test_a_newer_connection_replaces_the_older_one(store: Store) -> None:
    """Two processes of one bot do not fight: the first ends, with the reason."""
    async with platform(store) as there:
        token = await there.token("anna")
        first = asyncio.create_task(play_async(Anna(), there.address, token))
        await there.online("anna")
        second = asyncio.create_task(play_async(Anna(), there.address, token))
        async with asyncio.timeout(10):
            with pytest.raises(client_sdk.Replaced, match="newer connection"):
                await first
        await there.online("anna")
        second.cancel()
        await asyncio.gather(second, return_exceptions=True)


async def test_a_restarted_bot_finishes_all_its_matches(store: Store) -> None:
    """DR01, DR06: eight open matches, an empty memory, no decision lost."""
    async with platform(store) as there:
        await there.tournament("anna", *OTHERS, deals=2, boards=8)
        token = await there.token("anna")
        async with seated(there, *OTHERS):
            first, second = Anna(pause=0.004), Anna()
            dying = asyncio.create_task(play_async(first, there.address, token, max_tables=8))
            playing = asyncio.create_task(there.play())
            await first.decided.wait()
            await asyncio.sleep(0.3)
            dying.cancel()
            await asyncio.gather(dying, return_exceptions=True)
            left = 8 - len(first.over)
            assert left > 0
            await play_async(second, there.address, token, max_tables=8, matches=left)
            outcomes = await playing
        assert {o.outcome for o in outcomes} == {arbiter_pb2.ATTEMPT_OUTCOME_COMMITTED}
        assert len(second.resumed) == left
        assert second.over == [play_pb2.MATCH_END_DEALS] * left
        for outcome in outcomes:
            seat = await there.seat(outcome.match, "anna")
            assert (seat.fallbacks, seat.timeouts, seat.illegal) == (0, 0, 0)


async def test_bots_come_back_to_a_restarted_arbiter_and_play(store: Store) -> None:
    """DR04: nobody does anything, and all four are there again."""
    names = ("anna", *OTHERS)
    async with platform(store) as there:
        async with seated(there, *names):
            await there.online(*names)
            await there.arbiter.stop(grace_s=0)
            async with platform(store, there.address) as again:
                await again.online(*names)
                await again.tournament(*names, deals=1, boards=4)
                outcomes = await again.play()
        assert len(outcomes) == 4


async def test_illegal_and_failing_bots_are_judged_and_the_tournament_goes_on(
    store: Store,
) -> None:
    """IM01: the SDK sends what the bot said; the referee says what it was."""

    class Cheat(Bot):
        name = "anna"

        def play(self, turn: Turn) -> int:
            return 51 if turn.trick_number % 2 else turn.legal[0]

    class Broken(Bot):
        name = "bert"

        def pass_cards(self, turn: Turn) -> list[int]:
            raise LookupError("no idea")

    async with platform(store) as there:
        await there.tournament(
            "anna",
            *OTHERS,
            deals=1,
            boards=2,
            clock=play_pb2.Limits(connect_ms=5000, ready_ms=5000, decision_ms=300, match_ms=60_000),
        )
        tasks = [
            asyncio.create_task(play_async(bot, there.address, await there.token(bot.name)))
            for bot in (Cheat(), Broken())
        ]
        async with seated(there, "cleo", "dora"):
            outcomes = await there.play()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert len(outcomes) == 2
        for outcome in outcomes:
            cheat = await there.seat(outcome.match, "anna")
            assert cheat.illegal > 0
            assert cheat.fallbacks == 0  # each was put right within its time
            broken = await there.seat(outcome.match, "bert")
            assert (broken.timeouts, broken.fallbacks) == (1, 1)  # its one pass
