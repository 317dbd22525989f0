"""Random and mutated frames against a live arbiter: no fault, no stuck table, a reason each time.

6,000 frames in the ordinary run; `make test-deep` (HEARTS_DEEP=1) sends 200,000.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random

import grpc.aio
import pytest
from arena import Arena, RawBot, arena

from arbiter.connections import conduct
from hearts.limits import Limits
from hearts.record import MatchEnd, replay
from hearts.rules import preset
from hearts.v1 import play_pb2

FRAMES = 200_000 if os.environ.get("HEARTS_DEEP") else 6_000
SECONDS = 1_800 if os.environ.get("HEARTS_DEEP") else 200
NUMBERS = (0, 1, 2, 3, 26, 53, 54, 255, 2**31, 2**32 - 1)
RULES = ("standard", "vietnamese_house", "malay_jack", "omnibus")
LIMITS = Limits(connect_ms=60_000, ready_ms=2_000, decision_ms=150, lag_ms=0, rejoin_ms=100)


class Fuzzer:
    """One bad bot: answers well now and then, and between that sends whatever comes to mind."""

    def __init__(self, here: Arena, name: str, seed: int) -> None:
        self.here = here
        self.name = name
        self.random = random.Random(seed)
        self.sent = 0

    async def answer(self, bot: RawBot, event: play_pb2.Event) -> None:
        """Some mutations of the right answer, then perhaps the right answer."""
        for _ in range(self.random.choice((0, 1, 2, 5))):
            await self.send(bot, self.mutated(event))
        if self.random.random() < 0.7:
            turn = event.turn
            cards = turn.hand[: turn.pass_count]
            card = turn.legal[0] if turn.legal else 0
            choice = int(turn.phase == play_pb2.PHASE_MOON_CHOICE)
            reply = play_pb2.Reply(
                table=event.table,
                decision=turn.decision,
                card=card,
                cards=cards,
                moon_choice=choice,
            )
            await self.send(bot, play_pb2.BotFrame(replies=[reply]))

    def mutated(self, event: play_pb2.Event) -> play_pb2.BotFrame:
        """A frame near the right one."""
        pick = self.random.choice
        frame = play_pb2.BotFrame()
        for _ in range(pick((0, 1, 1, 1, 3, 20))):
            frame.replies.add(
                table=pick((event.table, event.table, pick(NUMBERS))),
                decision=pick((event.turn.decision, event.turn.decision, pick(NUMBERS))),
                card=pick((0, 0, pick(NUMBERS[:8]), pick(event.turn.hand or [2]))),
                cards=[pick(NUMBERS[:8]) for _ in range(pick((0, 0, 0, 1, 3, 30)))],
                moon_choice=pick((0, 0, 0, 1, 2, 9)),
                think_us=pick(NUMBERS),
            )
        if self.random.random() < 0.1:
            frame.ready.extend(pick(NUMBERS) for _ in range(pick((1, 5))))
        if self.random.random() < 0.02:
            frame.hello.bot = "bots/\x00someone"
        return self.scrambled(frame)

    def scrambled(self, frame: play_pb2.BotFrame) -> play_pb2.BotFrame:
        """The frame with a byte changed, where it still can be read."""
        if self.random.random() < 0.7 or not (data := bytearray(frame.SerializeToString())):
            return frame
        data[self.random.randrange(len(data))] = self.random.randrange(256)
        with contextlib.suppress(Exception):
            return play_pb2.BotFrame.FromString(bytes(data))
        return frame

    async def send(self, bot: RawBot, frame: play_pb2.BotFrame) -> None:
        self.sent += 1
        await bot.send(frame)

    async def run(self) -> None:
        """Connect, misbehave, break off, come back."""
        while True:
            with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError, TimeoutError):
                bot = await self.here.bot(self.name, self.answer)
                await asyncio.wait({bot._task}, timeout=self.random.uniform(0.5, 4))
                await bot.close()


async def a_round(here: Arena, first: int) -> int:
    """A dozen matches at once, each of which must end with a reason and replay."""
    matches = [
        here.match(first + n, limits=LIMITS, rules=preset(RULES[n % len(RULES)]), deals=2)
        for n in range(12)
    ]
    for record in await asyncio.gather(*matches):
        assert isinstance(record.end, MatchEnd)
        assert bool(record.deals) == (record.end is not MatchEnd.FORFEIT)
        replay(record)
    return len(matches)


@pytest.mark.timeout(SECONDS + 120)
async def test_random_frames_do_no_harm(monkeypatch):
    monkeypatch.setattr(conduct, "CREDIT", 1e9)  # here nobody is to be cut off for it
    async with arena() as here:
        await here.bot("anna")
        fuzzers = [Fuzzer(here, name, seed) for seed, name in enumerate(("bert", "cleo", "dora"))]
        tasks = [asyncio.ensure_future(fuzzer.run()) for fuzzer in fuzzers]
        ended = 0
        try:
            async with asyncio.timeout(SECONDS):
                while sum(f.sent for f in fuzzers) < FRAMES:
                    ended += await a_round(here, ended)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        assert here.seating.playing == 0
        assert "anna" in here.hub.sessions
        assert not here.hub.sessions["anna"].links
        print(f"{sum(f.sent for f in fuzzers)} frames, {ended} matches")
