"""WatchMatch: one spectator's stream, from the table, the store, or both one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import grpc.aio

from arbiter.matches import payloads
from arbiter.matches.runner import Runner
from arbiter.matches.spectators import End, Event, Teller
from arbiter.services import mapping
from arbiter.services.refusals import Refusal, not_found
from arbiter.store import MatchRow, MatchState, Store
from arbiter.tables.setup import Stage
from arbiter.tables.table import Table
from arbiter.tournaments.matchplan import siblings
from hearts.rules import RuleSet
from hearts.v1 import errors_pb2, matches_pb2
from hearts.wire import record_from_wire

Context = grpc.aio.ServicerContext[Any, Any]

LOOK_SECONDS = 0.05
"""How often a running table is looked at: what happens in between comes together."""
POLL_SECONDS = 0.5
"""How often the store is looked at for a match that does not run here."""
WRITE_SECONDS = 30.0
"""A spectator that takes nothing for so long is cut off."""
CHUNK = 64
"""Events in one response."""
MAX_SPECTATORS = 256
_RETRY_MS = 5000

OPEN = (MatchState.READY, MatchState.RUNNING)


async def open_siblings(store: Store, row: MatchRow) -> list[str]:
    """The matches of the row's board (itself too) that are not over: as long as there are any,
    the board's cards are a secret to those who have still to play them."""
    tournament = await store.tournaments.get(row.plan.tournament)
    if tournament is None or tournament.over:
        return []
    ids = siblings(row.plan.id, len(row.plan.seats))
    return [m.plan.id for m in await store.matches.load(ids) if m.state in OPEN]


class Gallery:
    """All spectators of this arbiter."""

    def __init__(self, store: Store, runner: Runner) -> None:
        self._store = store
        self._runner = runner
        self._watching = 0

    async def watch(
        self, match: str, request: matches_pb2.WatchMatchRequest, context: Context
    ) -> None:
        """Tell one spectator everything to the end of the match. Raises Refusal."""
        if self._watching >= MAX_SPECTATORS:
            raise _limit(f"{MAX_SPECTATORS} spectators are here already")
        self._watching += 1
        try:
            await _Spectator(self._store, self._runner, match, request, context).watch()
        finally:
            self._watching -= 1


def _limit(message: str) -> Refusal:
    return Refusal(errors_pb2.ERROR_REASON_LIMIT_REACHED, message, retry_after_ms=_RETRY_MS)


class _Spectator:
    """One stream. It pulls: nothing is queued for one who reads slowly."""

    def __init__(
        self,
        store: Store,
        runner: Runner,
        match: str,
        request: matches_pb2.WatchMatchRequest,
        context: Context,
    ) -> None:
        self._store = store
        self._runner = runner
        self._match = match
        self._request = request
        self._context = context
        self._attempt = -1
        self._teller: Teller
        self._rules: RuleSet | None = None

    async def watch(self) -> None:
        row = await self._row()
        await self._write(row.attempts, [], row.state, held=await self._held(row))
        while await self._held(row):
            await asyncio.sleep(POLL_SECONDS)
            row = await self._row()
        while True:
            here = self._runner.table(self._match)
            if here is not None and here[1].stage is not Stage.OVER:
                await self._follow(*here)
            elif await self._tell(row):
                return
            else:
                await asyncio.sleep(LOOK_SECONDS if here is not None else POLL_SECONDS)
            row = await self._row()

    async def _follow(self, attempt: int, table: Table) -> None:
        """A table of this arbiter, to its end."""
        self._begin(attempt, table.setup.rules)
        while True:
            over = table.stage is Stage.OVER
            playing = table.game.deal if table.stage is Stage.PLAYING else None
            end = None
            if table.end is not None:
                end = End(table.end, tuple(table.game.totals), table.places)
            news = self._teller.news(table.ledger.deals, playing, end)
            await self._write(attempt, news, MatchState.RUNNING)
            if over:
                return
            await asyncio.sleep(LOOK_SECONDS)

    async def _tell(self, row: MatchRow) -> bool:
        """What the store knows; True when that is the end."""
        done = row.state is MatchState.DONE
        record = await self._store.matches.record(self._match) if done else None
        if record is not None:
            told = record_from_wire(payloads.read_record(record))
            self._begin(row.attempts, told.rules)
            news = self._teller.news(told.deals, None, End.of(told))
        else:
            self._begin(row.attempts, await self._read_rules(row))
            memory = payloads.memory(row.checkpoint)
            news = self._teller.news(memory.deals if memory else ())
        over = row.state not in OPEN
        await self._write(row.attempts, news, row.state, last=over)
        return over

    def _begin(self, attempt: int, rules: RuleSet) -> None:
        if attempt != self._attempt:
            self._attempt, self._teller = attempt, Teller(rules)

    async def _write(
        self,
        attempt: int,
        news: Sequence[Event],
        state: MatchState,
        *,
        held: bool = False,
        last: bool = False,
    ) -> None:
        """Send the news in responses of bounded size; without any, only a first and a last one."""
        if attempt == self._request.attempt:
            news = [event for event in news if event.sequence > self._request.after]
        first = self._attempt < 0
        for start in range(0, len(news) or (first or last), CHUNK):
            response = matches_pb2.WatchMatchResponse(
                attempt=attempt,
                events=news[start : start + CHUNK],
                held_back=held,
                state=mapping.match_state(state),
            )
            try:
                async with asyncio.timeout(WRITE_SECONDS):
                    await self._context.write(response)
            except TimeoutError:
                raise _limit(f"you took nothing for {WRITE_SECONDS:.0f} s") from None

    async def _held(self, row: MatchRow) -> bool:
        """Whether the board is still to be played in another rotation."""
        return bool(set(await open_siblings(self._store, row)) - {row.plan.id})

    async def _row(self) -> MatchRow:
        row = await self._store.matches.get(self._match)
        if row is None:
            raise not_found(f"matches/{self._match}")
        return row

    async def _read_rules(self, row: MatchRow) -> RuleSet:
        if self._rules is None:
            tournament = await self._store.tournaments.get(row.plan.tournament)
            if tournament is None:
                raise not_found(f"tournaments/{row.plan.tournament}")
            self._rules = payloads.setup(row, tournament).rules
        return self._rules
