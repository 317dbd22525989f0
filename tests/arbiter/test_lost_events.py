"""DR08: events that come twice, or never, on the way to bots on the SDK."""

from __future__ import annotations

import asyncio
import random
import sys
from collections import Counter
from functools import partial

import pytest
from arena import NAMES, Arena, arena

from client_sdk import Bot, Turn, play_async
from client_sdk import session as session_module
from client_sdk.backoff import Backoff
from hearts.deal import Deal
from hearts.limits import Limits
from hearts.record import IncidentKind, MatchEnd, replay
from hearts.v1 import play_pb2

dial = sys.modules["client_sdk.connect"]
TWICE = 0.05
"""Share of all events that come twice."""
NEVER = 0.3
"""Share, of those that another event of their table follows in their frame, that never come. What
nothing follows cannot be missed: the stream itself does not lose what it has begun to deliver."""


class Recorder(Bot):
    """Compares, at each decision, what it knows with what the arbiter knows."""

    def __init__(self, name: str, here: Arena) -> None:
        self.name = name
        self.here = here
        self.compared = 0
        self.differences: list[object] = []

    def _deal(self, turn: Turn) -> tuple[Deal, int]:
        for attempt in self.here.seating._playing:
            if attempt.setup.tag == turn.match.name:
                return attempt.table.game.deal, attempt.setup.seats.index(self.name)
        raise AssertionError(turn.match.name)

    def _compare(self, turn: Turn) -> None:
        deal, seat = self._deal(turn)
        seen = [card for trick in turn.tricks for card in trick.cards] + list(turn.trick)
        ours = (list(turn.hand), seen, sorted(turn.gave), sorted(turn.received), turn.match.seat)
        theirs = (deal.hand(seat), deal.plays, deal.gave[seat], deal.received[seat], seat)
        if ours != theirs:
            self.differences.append((ours, theirs))
        self.compared += 1

    def pass_cards(self, turn: Turn) -> list[int]:
        return turn.hand[: turn.pass_count]

    def play(self, turn: Turn) -> int:
        self._compare(turn)
        return turn.legal[0]


async def test_dr08_repeated_and_lost_events_end_in_the_same_states(
    monkeypatch: pytest.MonkeyPatch,
):
    """A repeat is ignored, after a gap the bot asks for everything; nobody is the worse for it."""
    rng = random.Random(8)
    did: Counter[str] = Counter()
    read = session_module.Session._read

    async def bad_line(self: session_module.Session) -> play_pb2.ArbiterFrame | None:
        frame = await read(self)
        if frame is None:
            return None
        events = list(frame.events)
        del frame.events[:]
        for place, event in enumerate(events):
            followed = any(later.table == event.table for later in events[place + 1 :])
            if followed and rng.random() < NEVER:
                did["lost"] += 1
                continue
            frame.events.append(event)
            if rng.random() < TWICE:
                did["twice"] += 1
                frame.events.append(event)
        return frame

    monkeypatch.setattr(session_module.Session, "_read", bad_line)
    monkeypatch.setattr(dial, "Backoff", partial(Backoff, uniform=lambda _low, _high: 0.01))
    async with arena() as here:
        bots = [Recorder(name, here) for name in NAMES]
        address = f"127.0.0.1:{here.port}"
        playing = [asyncio.create_task(play_async(bot, address, bot.name)) for bot in bots]
        limits = Limits(
            connect_ms=20_000, ready_ms=20_000, decision_ms=20_000, rejoin_ms=20_000, match_ms=0
        )
        matches = [here.match(number, limits=limits, deals=2) for number in range(3)]
        records = await asyncio.wait_for(asyncio.gather(*matches), 60)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    assert did["lost"] > 10
    assert did["twice"] > 10
    for record in records:
        assert record.end is MatchEnd.DEALS
        kinds = {incident.kind for incident in record.all_incidents()}
        assert kinds <= {IncidentKind.LOST, IncidentKind.BACK}
        replay(record)
    assert not [bot.differences for bot in bots if bot.differences]
    assert sum(bot.compared for bot in bots) >= 3 * 2 * 52
