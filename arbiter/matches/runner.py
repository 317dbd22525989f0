"""Plays batches of leased matches and commits each result itself."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from arbiter.matches import payloads
from arbiter.matches.attempt import Attempt
from arbiter.matches.delivery import RETRY_CAP_SECONDS, RETRY_SECONDS, Delivery
from arbiter.matches.presence import Presence
from arbiter.matches.seating import Seating
from arbiter.matches.spool import Finished
from arbiter.matches.timers import Timers
from arbiter.store import Commit, ConflictingResult, StoreError, StoreRefused, StoreUnavailable
from hearts.result import summarise
from hearts.v1 import arbiter_pb2

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence

    from arbiter.connections.hub import Hub
    from arbiter.matches.crews import Crew
    from arbiter.settings import Settings
    from arbiter.store import MatchRow, Store, TournamentRow
    from arbiter.tables.setup import Memory
    from arbiter.tables.table import Table

log = logging.getLogger(__name__)
T = TypeVar("T")

RETURN_SECONDS = 15.0
"""How long bots that were here before a restart may take to come back: more than the longest pause
that a bot makes between two tries."""
STOP_SECONDS = 5.0
"""How long a stopping arbiter waits for its last commits."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one attempt of a batch ended. outcome: an `arbiter_pb2.AttemptOutcome`."""

    match: str
    outcome: arbiter_pb2.AttemptOutcome
    reason: str = ""
    deals: int = 0
    duration_ms: int = 0


class _Leased:
    """An attempt under its lease, and where its outcome goes."""

    __slots__ = ("attempt", "deals", "done", "lease", "number", "packed", "pool", "writes")

    def __init__(
        self, lease: str, number: int, pool: str | None, done: asyncio.Queue[Outcome]
    ) -> None:
        self.lease = lease
        self.number = number
        self.pool = pool
        self.done = done
        self.attempt: Attempt
        self.deals = 0  # finished so far
        self.packed = payloads.PackedDeals()
        self.writes = asyncio.Lock()  # checkpoints and the commit go out in order


class Runner:
    """The arbiter's matches: leases in, results out.

    The worker that holds the leases asks; the arbiter keeps them alive, checkpoints each finished
    deal and commits. A lease lost to another attempt ends ours without a trace.
    """

    def __init__(self, hub: Hub, store: Store, settings: Settings) -> None:
        self._hub = hub
        self._store = store
        self._settings = settings
        self._timers = Timers()
        self._seating = Seating(hub)
        self._presence = Presence(hub, store, settings.arbiter_id)
        self._delivery = Delivery(store, settings.data_dir / "spool" / (store.id or "unnamed"))
        self._delivery.trouble.on_change = self._seating.hold
        self._leased: dict[str, _Leased] = {}
        self._crews: dict[Crew, None] = {}
        self._loops: list[asyncio.Task[None]] = []
        self._writes: set[asyncio.Task[None]] = set()
        self._draining: str | None = None
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def tables(self) -> int:
        """Matches in this arbiter's hands."""
        return len(self._leased)

    @property
    def trouble(self) -> str:
        """What is wrong with the store, and what waits for it; "" when all is well."""
        words = self._delivery.trouble.words
        if words and self._delivery.waiting:
            words += f"; {self._delivery.waiting} finished results wait on this arbiter's disk"
        return words

    def store_failed(self, error: StoreError | TimeoutError) -> None:
        """Somebody else has met a trouble of the store. No match begins until it is over."""
        self._delivery.met(error)

    def table(self, match: str) -> tuple[int, Table] | None:
        """The number of the attempt that runs here, and its table; None when none does."""
        leased = self._leased.get(match)
        return None if leased is None else (leased.number, leased.attempt.table)

    def expect(self, bots: Iterable[str]) -> None:
        """These bots were connected a moment ago, before this arbiter was started anew: they are
        on their way back, and nobody's connect budget runs out while they are."""
        self._seating.expect(bots, RETURN_SECONDS)

    def start(self) -> None:
        """Begin timers, heartbeats and presence on the current event loop."""
        self._timers.start()
        self._seating.start()
        self._presence.start()
        self._delivery.start()
        lease = self._settings.lease_seconds
        self._loops = [
            asyncio.create_task(self._every(lease / 3, self._heartbeat), name="heartbeat"),
        ]

    async def stop(self) -> None:
        """Give up what still runs, return its leases, end the tasks."""
        for leased in list(self._leased.values()):
            await self._release(leased, "the arbiter stops")
        if self._writes:
            await asyncio.wait(self._writes, timeout=STOP_SECONDS)
        tasks = [*self._loops, *self._writes]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._timers.stop()
        await self._seating.stop()
        await self._presence.stop()
        await self._delivery.stop()

    async def drain(self, grace_s: float) -> None:
        """Take no new matches, give back those that have not begun, and let each running one come
        to the end of its deal, for `grace_s` seconds at most: no bot sees half a deal twice."""
        self._draining = reason = "the arbiter is shutting down"
        for leased in list(self._leased.values()):
            if leased.attempt.started_at is None:
                await self._release(leased, reason)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._idle.wait(), grace_s)

    async def play_batch(
        self, worker: str, assignments: Sequence[tuple[str, str]], crew: Crew | None = None
    ) -> AsyncIterator[Outcome]:
        """Play the matches (id, lease), with the bots that the worker hosts; yields each outcome
        as it comes.

        Closing the iterator early gives up what still runs and returns the leases. Raises
        StoreUnavailable when the plans cannot be read.
        """
        done: asyncio.Queue[Outcome] = asyncio.Queue()
        mine: list[_Leased] = []
        if crew is not None:
            self._crews[crew] = None
        try:
            for outcome in await self._admit(worker, assignments, done, mine, crew):
                yield outcome
            log.info("worker %s: %d matches", worker, len(mine))
            for _ in range(len(mine)):
                yield await done.get()
        finally:
            for leased in mine:
                await self._release(leased, "the worker went away")
            if crew is not None:
                del self._crews[crew]

    def session_ended(self, name: str, *, gone: bool) -> bool:
        """The process behind a hosted session has ended, `gone`: for good. False: nobody's."""
        for crew in self._crews:
            if crew.hosts(name):
                if gone:
                    crew.gone.add(name)
                self._seating.ended(name)
                return True
        return False

    async def _admit(
        self,
        worker: str,
        assignments: Sequence[tuple[str, str]],
        done: asyncio.Queue[Outcome],
        mine: list[_Leased],
        crew: Crew | None = None,
    ) -> list[Outcome]:
        """Queue what can be played; returns the outcomes of what cannot."""
        if self._draining:
            return [await self._hand_back(m, lease, self._draining) for m, lease in assignments]
        leases = dict(assignments)
        await self._store.matches.admit(assignments, worker, self._settings.arbiter_id)
        rows = {row.plan.id: row for row in await self._store.matches.load(list(leases))}
        tournaments = await self._tournaments(rows.values())
        refused: list[Outcome] = []
        for match, lease in leases.items():
            row = rows.get(match)
            if row is None or row.lease != lease:
                refused.append(Outcome(match, arbiter_pb2.ATTEMPT_OUTCOME_STALE, "lease lost"))
                continue
            if match in self._leased:  # ours under an older lease, which is gone
                self._drop(self._leased[match], "a newer attempt took over")
            mine.append(self._queue(row, tournaments[row.plan.tournament], done, crew))
        return refused

    async def _tournaments(self, rows: Iterable[MatchRow]) -> dict[str, TournamentRow]:
        found = {}
        for tournament in {row.plan.tournament for row in rows}:
            row = await self._store.tournaments.get(tournament)
            if row is not None:
                found[tournament] = row
        return found

    def _queue(
        self,
        row: MatchRow,
        tournament: TournamentRow,
        done: asyncio.Queue[Outcome],
        crew: Crew | None,
    ) -> _Leased:
        setup = payloads.setup(row, tournament)
        leased = _Leased(row.lease, row.attempts, payloads.pool(tournament), done)
        leased.attempt = Attempt(
            setup,
            self._timers,
            payloads.memory(row.checkpoint),
            on_deal=lambda attempt: self._deal_over(leased, attempt),
            on_end=lambda attempt: self._spawn(self._commit(leased, attempt)),
            on_fault=lambda _attempt, reason: self._spawn(self._fail(leased, reason)),
        )
        self._leased[setup.match] = leased
        self._idle.clear()
        self._seating.add(leased.attempt, crew)
        return leased

    # ---- ends ---------------------------------------------------------------------------

    def _deal_over(self, leased: _Leased, attempt: Attempt) -> None:
        leased.deals += 1
        if not self._draining:
            self._spawn(self._checkpoint(leased, attempt))
            return
        memory = attempt.table.memory()
        self._seating.remove(attempt)
        attempt.give_up()
        self._spawn(self._leave(leased, memory, self._draining))

    async def _checkpoint(self, leased: _Leased, attempt: Attempt) -> None:
        memory, deals = attempt.table.memory(), leased.deals
        async with leased.writes:
            # A later checkpoint, or the result, is worth more than this one.
            kept = await self._keep(leased, memory, lambda: attempt.over or leased.deals > deals)
            if not kept and not attempt.over:
                self._drop(leased, "lease lost")

    async def _leave(self, leased: _Leased, memory: Memory, reason: str) -> None:
        """Keep what is played and return the lease: another arbiter goes on from here."""
        match = leased.attempt.setup.match
        async with leased.writes:
            if await self._keep(leased, memory):
                outcome = await self._hand_back(match, leased.lease, reason)
            else:
                outcome = Outcome(match, arbiter_pb2.ATTEMPT_OUTCOME_STALE, "lease lost")
        self._report(leased, outcome.outcome, outcome.reason)

    async def _keep(
        self, leased: _Leased, memory: Memory, useless: Callable[[], bool] = lambda: False
    ) -> bool:
        """Write a checkpoint, until it is written or useless; False when the lease is lost."""
        match = leased.attempt.setup.match
        if useless():
            return True
        data, deals = payloads.checkpoint(memory, leased.packed), len(memory.deals)
        kept = await self._persist(
            lambda: self._store.matches.checkpoint(match, leased.lease, deals, data), useless
        )
        return kept is not False

    async def _commit(self, leased: _Leased, attempt: Attempt) -> None:
        """Result and record in one step; the seats are free meanwhile."""
        self._seating.remove(attempt)
        match = attempt.setup.match
        try:
            record = attempt.table.record()
            result = payloads.result(summarise(record))
            packed = payloads.record(record, leased.packed)
        except (
            Exception
        ):  # whatever is wrong here is our fault, and must not leave the batch hanging
            log.exception("match %s has no record", match)
            await self._fail(leased, "the record could not be made")
            return
        finished = Finished(match, leased.lease, result, packed, len(record.deals), leased.pool)
        outcome, reason = arbiter_pb2.ATTEMPT_OUTCOME_COMMITTED, ""
        try:
            async with leased.writes:
                commit = await self._delivery.commit(finished)
            if commit is Commit.STALE:
                outcome, reason = arbiter_pb2.ATTEMPT_OUTCOME_STALE, "lease lost"
        except ConflictingResult as conflict:
            log.error("match %s: %s", match, conflict)
            outcome, reason = arbiter_pb2.ATTEMPT_OUTCOME_STALE, str(conflict)
        self._report(leased, outcome, reason, len(record.deals))

    async def _fail(self, leased: _Leased, reason: str) -> None:
        """A fault of ours ended the attempt: it counts as failed, no bot is blamed."""
        self._seating.remove(leased.attempt)
        match = leased.attempt.setup.match
        async with leased.writes:
            await self._persist(lambda: self._store.matches.fail(match, leased.lease, reason))
        self._report(leased, arbiter_pb2.ATTEMPT_OUTCOME_FAILED_INFRA, reason)

    def _report(
        self, leased: _Leased, outcome: arbiter_pb2.AttemptOutcome, reason: str, deals: int = 0
    ) -> None:
        attempt = leased.attempt
        match = attempt.setup.match
        if self._leased.get(match) is leased:
            del self._leased[match]
        if not self._leased:
            self._idle.set()
        took = monotonic() - attempt.started_at if attempt.started_at else 0.0
        leased.done.put_nowait(Outcome(match, outcome, reason, deals, int(took * 1000)))

    def _drop(self, leased: _Leased, reason: str) -> None:
        """End an attempt whose lease is no longer ours."""
        self._seating.remove(leased.attempt)
        leased.attempt.give_up()
        self._report(leased, arbiter_pb2.ATTEMPT_OUTCOME_STALE, reason)

    async def _release(self, leased: _Leased, reason: str) -> None:
        """Give up an attempt that still runs and return its lease, without blame."""
        attempt = leased.attempt
        if self._leased.get(attempt.setup.match) is not leased or attempt.over:
            return  # it has ended, or its commit is on the way
        self._seating.remove(attempt)
        attempt.give_up()
        outcome = await self._hand_back(attempt.setup.match, leased.lease, reason)
        self._report(leased, outcome.outcome, reason)

    async def _hand_back(self, match: str, lease: str, reason: str) -> Outcome:
        # Without a store the lease simply runs out.
        with contextlib.suppress(StoreUnavailable, StoreRefused):
            await self._store.matches.release(match, lease)
        return Outcome(match, arbiter_pb2.ATTEMPT_OUTCOME_RELEASED, reason)

    async def _persist(
        self,
        write: Callable[[], Coroutine[None, None, T]],
        useless: Callable[[], bool] = lambda: False,
    ) -> T | None:
        """Repeat a write until the store takes it; every one of ours may be repeated. None when it
        has become useless before that."""
        pause = RETRY_SECONDS
        while not useless():
            try:
                return await write()
            except (StoreUnavailable, StoreRefused) as trouble:
                self._delivery.met(trouble)
                await asyncio.sleep(pause)
                pause = min(pause * 2, RETRY_CAP_SECONDS)
        return None

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._writes.add(task)
        task.add_done_callback(self._written)

    def _written(self, task: asyncio.Task[None]) -> None:
        self._writes.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.critical("a write to the store failed", exc_info=task.exception())

    # ---- loops ----------------------------------------------------------------------------

    async def _every(self, seconds: float, work: Callable[[], Coroutine[None, None, None]]) -> None:
        while True:
            try:
                await work()
            except (StoreUnavailable, StoreRefused) as trouble:
                self._delivery.met(trouble)
                await asyncio.sleep(min(seconds, RETRY_CAP_SECONDS))
                continue
            await asyncio.sleep(seconds)

    async def _heartbeat(self) -> None:
        leases = [(match, leased.lease) for match, leased in self._leased.items()]
        leases += self._delivery.leases()
        if not leases:
            return
        lost = await self._store.matches.heartbeat(leases, int(self._settings.lease_seconds * 1000))
        for match in lost:
            leased = self._leased.get(match)
            # One that is over is committing: the commit itself will find out.
            if leased is not None and not leased.attempt.over:
                self._drop(leased, "lease lost")
