"""Who plays next: attempts wait until every bot is here and has a table free."""

from __future__ import annotations

import asyncio
from collections import Counter
from functools import partial
from math import inf
from time import monotonic
from typing import TYPE_CHECKING

from arbiter.tournaments.names import SESSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from arbiter.connections.hub import Hub
    from arbiter.connections.session import Session
    from arbiter.matches.attempt import Attempt
    from arbiter.matches.crews import Crew

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
        self._crews: dict[Attempt, Crew] = {}
        self._pending = False
        self._held = False
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

    def hold(self, held: bool) -> None:
        """While it is held no attempt begins, and nobody is judged for not being here."""
        self._held = held
        self._soon()

    def add(self, attempt: Attempt, crew: Crew | None = None) -> None:
        """Queue an attempt. It begins now if it can. `crew`: who hosts some of its bots."""
        self._waiting[attempt] = monotonic()
        if crew is not None and any(bot in crew.sessions for bot in attempt.setup.seats):
            self._crews[attempt] = crew
        for bot in self._names(attempt):
            self._want(bot)
        self._soon()

    def remove(self, attempt: Attempt) -> None:
        """The attempt is over or given up: its seats are free for others."""
        self._waiting.pop(attempt, None)
        names = self._names(attempt)
        crew = self._crews.pop(attempt, None)
        if self._playing.pop(attempt, inf) is None:
            if crew is not None:
                crew.playing -= 1
            for bot in set(names):
                left = self._by_bot[bot]
                left.pop(attempt, None)
                if not left and SESSION in bot:
                    del self._by_bot[bot]
        self._soon()

    def ended(self, name: str) -> None:
        """The process behind this session has ended; its crew says whether for good."""
        for attempt in list(self._by_bot.get(name, ())):
            seats = [s for s, bot in enumerate(self._names(attempt)) if bot == name]
            _safely(attempt, partial(attempt.crashed, seats))
        self._soon()

    def _names(self, attempt: Attempt) -> tuple[str, ...]:
        """By which name each seat's bot connects."""
        crew = self._crews.get(attempt)
        return attempt.setup.seats if crew is None else crew.names(attempt.setup.seats)

    def _want(self, bot: str) -> None:
        if SESSION not in bot:  # a hosted process comes by itself
            self._hub.on_wanted(bot)

    def _soon(self) -> None:
        """Look at the queue once this turn of the loop is done, however often it is asked."""
        if not self._pending and self._waiting:
            self._pending = True
            asyncio.get_running_loop().call_soon(self._fill)

    def _fill(self) -> None:
        self._pending = False
        if self._held:
            return
        full: set[str] = set()
        for attempt in list(self._waiting):
            seats, crew = self._names(attempt), self._crews.get(attempt)
            if any(bot in full for bot in seats) or (crew is not None and crew.full):
                continue
            sessions = self._seatable(seats, full)
            if sessions:
                del self._waiting[attempt]
                self._playing[attempt] = None
                if crew is not None:
                    crew.playing += 1
                for bot in set(seats):
                    self._by_bot.setdefault(bot, {})[attempt] = None
                _safely(attempt, partial(attempt.start, sessions))
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
            _safely(attempt, partial(attempt.bring_back, session, self._names(attempt)))
        self._soon()

    def _patience(self, attempt: Attempt) -> float:
        """Seconds for absent bots to appear: hosted ones have to be started first."""
        crew = self._crews.get(attempt)
        return max(attempt.setup.limits.connect_ms / 1000, 0.0 if crew is None else crew.start_s)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK_SECONDS)
            now = monotonic()
            if self._held:
                self._waiting = dict.fromkeys(self._waiting, now)
                continue
            for attempt, since in list(self._waiting.items()):
                names, crew = self._names(attempt), self._crews.get(attempt)
                missing = [s for s, bot in enumerate(names) if self._hub.session(bot) is None]
                if not missing:
                    # Whoever is away for a moment later has its whole budget again.
                    self._waiting[attempt] = now
                    continue
                for seat in missing:
                    self._want(names[seat])
                if now < self._expected_until and any(
                    names[seat] in self._expected for seat in missing
                ):
                    continue
                gone = [s for s in missing if crew is not None and names[s] in crew.gone]
                if gone or now - since >= self._patience(attempt):
                    del self._waiting[attempt]
                    _safely(attempt, partial(attempt.no_show, gone or missing))
            self._soon()


def _safely(attempt: Attempt, work: Callable[[], None]) -> None:
    """Our fault at one table ends its attempt, and neither the queue nor anybody's stream."""
    try:
        work()
    except Exception as fault:
        attempt.on_fault(fault)
