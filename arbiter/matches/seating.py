"""Who plays next: attempts wait until every bot is here and has a table free."""

from __future__ import annotations

import asyncio
from collections import Counter
from math import inf
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from arbiter.connections.hub import Hub
    from arbiter.connections.session import Session
    from arbiter.matches.attempt import Attempt

TICK_SECONDS = 0.25
"""How often absent bots are looked at; the connect budget is exact to this."""


class Seating:
    """Starts attempts in the order they came, as soon as their bots can sit down.

    An attempt whose bot is not connected does not hold up others. When a bot has been away for
    the match's connect budget, counted from when the match was ready for it or from when all were
    last here together, its seats are NO_SHOW. A bot that is here but fully seated is waited for
    without a limit.
    """

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._waiting: dict[Attempt, float] = {}
        self._playing: dict[Attempt, None] = {}
        self._by_bot: dict[str, dict[Attempt, None]] = {}
        self._pending = False
        self._ticker: asyncio.Task[None] | None = None
        self._expected: frozenset[str] = frozenset()
        self._expected_until = 0.0
        hub.on_joined = self._joined

    @property
    def playing(self) -> int:
        """Tables in play."""
        return len(self._playing)

    def expect(self, bots: Iterable[str], seconds: float) -> None:
        """Judge none of these bots as absent for that long: our own restart sent them away."""
        self._expected = frozenset(bots)
        self._expected_until = monotonic() + seconds

    def start(self) -> None:
        """Begin to look after absent bots on the current event loop."""
        self._ticker = asyncio.get_running_loop().create_task(self._tick(), name="seating")

    async def stop(self) -> None:
        """End the task."""
        if self._ticker:
            self._ticker.cancel()
            await asyncio.gather(self._ticker, return_exceptions=True)
            self._ticker = None

    def add(self, attempt: Attempt) -> None:
        """Queue an attempt. It begins now if it can."""
        self._waiting[attempt] = monotonic()
        for bot in attempt.setup.seats:
            self._hub.on_wanted(bot)
        self._soon()

    def remove(self, attempt: Attempt) -> None:
        """The attempt is over or given up: its seats are free for others."""
        self._waiting.pop(attempt, None)
        if self._playing.pop(attempt, inf) is None:
            for bot in set(attempt.setup.seats):
                self._by_bot[bot].pop(attempt, None)
        self._soon()

    def _soon(self) -> None:
        """Look at the queue once this turn of the loop is done, however often it is asked."""
        if not self._pending and self._waiting:
            self._pending = True
            asyncio.get_running_loop().call_soon(self._fill)

    def _fill(self) -> None:
        self._pending = False
        full: set[str] = set()
        for attempt in list(self._waiting):
            seats = attempt.setup.seats
            if any(bot in full for bot in seats):
                continue
            sessions = self._seatable(seats, full)
            if sessions:
                del self._waiting[attempt]
                self._playing[attempt] = None
                for bot in set(seats):
                    self._by_bot.setdefault(bot, {})[attempt] = None
                attempt.start(sessions)
            elif len(full) >= len(self._hub.sessions):
                break

    def _seatable(self, seats: tuple[str, ...], full: set[str]) -> list[Session] | None:
        """The seats' streams if all can sit down now; notes those that cannot in `full`."""
        sessions = [self._hub.session(bot) for bot in seats]
        wanted = Counter(seats)
        for bot, session in zip(seats, sessions, strict=True):
            if session is not None and session.free < wanted[bot]:
                full.add(bot)
        here = [s for s in sessions if s is not None]
        if len(here) < len(seats) or any(bot in full for bot in seats):
            return None
        return here

    def _joined(self, session: Session) -> None:
        for attempt in list(self._by_bot.get(session.bot, ())):
            attempt.bring_back(session)
        self._soon()

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK_SECONDS)
            now = monotonic()
            for attempt, since in list(self._waiting.items()):
                missing = [
                    seat
                    for seat, bot in enumerate(attempt.setup.seats)
                    if self._hub.session(bot) is None
                ]
                if not missing:
                    # Whoever is away for a moment later has its whole budget again.
                    self._waiting[attempt] = now
                    continue
                for seat in missing:
                    self._hub.on_wanted(attempt.setup.seats[seat])
                if now < self._expected_until and any(
                    attempt.setup.seats[seat] in self._expected for seat in missing
                ):
                    continue
                if now - since >= attempt.setup.limits.connect_ms / 1000:
                    del self._waiting[attempt]
                    attempt.no_show(missing)
            self._soon()
