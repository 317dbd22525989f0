"""Matches: who may play one, what came of it. The heart of "nothing lost, nothing twice".

    planned -> ready -> running (under a lease) -> done | failed_infra
                 ^--------- release, fail, expire ------'

A lease is a token that only its holder knows. Each write of an attempt names
it; a write under another than the match's present lease is stale and refused,
however late it comes. So any process may die, stall or repeat itself at any
moment. All times are Redis's.
"""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from arbiter.store import leases, outcomes, plans
from arbiter.store.errors import ConflictingResult
from arbiter.store.link import Link, number, text
from arbiter.store.tournaments import TournamentState
from arbiter.tournaments.matchplan import MatchPlan

PAGE = 1000
"""Matches read in one round trip."""


class MatchState(StrEnum):
    """CANCELLED: its tournament ended before it was played."""

    READY = "ready"
    RUNNING = "running"
    DONE = "done"
    FAILED_INFRA = "failed_infra"
    CANCELLED = "cancelled"


class Commit(StrEnum):
    """What became of a commit. STALE: the lease was lost; the result is not counted."""

    COMMITTED = "committed"
    REPEATED = "repeated"
    STALE = "stale"


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to play one match until the lease ends."""

    match: str
    lease: str
    tournament: str


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match as it is now.

    ``attempts``: begun so far. ``failures``: of those, how many the platform
    spoilt. ``checkpoint``: where the next attempt goes on, after
    ``checkpoint_deals`` deals; None before the first and when it is over.
    ``result`` only when DONE. ``finish_ms``: 0 while it is not over.
    """

    plan: MatchPlan
    state: MatchState
    lease: str = ""
    attempts: int = 0
    failures: int = 0
    last_failure: str = ""
    checkpoint: bytes | None = None
    checkpoint_deals: int = 0
    result: bytes | None = None
    finish_ms: int = 0


class Matches:
    """``store.matches``."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def add_wave(
        self,
        tournament: str,
        wave: int,
        plans_: Sequence[MatchPlan],
        note: bytes = b"",
        roster: int | None = None,
    ) -> bool:
        """Make the matches of a wave, all or none of them visible to others, and keep ``note``.

        ``plans_``, in canonical order, is gone through twice and never held as a
        whole. False when the wave is already there, the tournament is over, or its
        ``roster`` is no longer this one. May be repeated after a failure, and run
        twice at once.

        Raises UnknownTournament; WaveConflict when the wave exists with other
        matches or repeats a match of another wave; ValueError for a plan that
        names a match twice.
        """
        return await plans.add_wave(self._link, tournament, wave, plans_, note, roster)

    async def notes(self, tournament: str) -> list[bytes]:
        """The notes of the complete waves, in order."""
        reply = await self._link.call("HGETALL", self._link.key("notes", tournament))
        return [note for _, note in sorted((int(wave), note) for wave, note in reply.items())]

    async def plans(self, tournament: str) -> list[MatchPlan]:
        """All planned matches, in canonical order."""
        found: list[MatchPlan] = []
        last = ""
        while ids := await self._ids("matches", tournament, last, PAGE):
            found.extend(await plans.read_plans(self._link, tournament, ids))
            last = ids[-1]
        return found

    async def since(self, ids: Sequence[str], tournament: str) -> list[int]:
        """Since when (ms) each match is in its state, as far as that is known: since it was
        claimed or given back, or since the tournament's last wave was planned."""
        key = self._link.key
        wave, *found = await self._link.many(
            [
                ("HGET", key("tournament", tournament), "wave_ms"),
                *(("HGET", key("match", id_), "since_ms") for id_ in ids),
            ]
        )
        return [number(value) or number(wave) for value in found]

    async def positions(self, tournament: str, ids: Sequence[str]) -> list[int]:
        """Places of matches in their tournament's queue, from 0; −1 for those not in it."""
        queue = self._link.key("ready", tournament)
        found = await self._link.many([("ZRANK", queue, id_) for id_ in ids])
        return [-1 if place is None else int(place) for place in found]

    async def drop(self, tournament: str, bot: str) -> int:
        """Give up the matches with this bot that nobody plays now; returns how many.

        One that is being played ends as it will.
        """
        dropped = 0
        last = ""
        while ids := await self._ids("matches", tournament, last, PAGE):
            last = ids[-1]
            found = await plans.read_plans(self._link, tournament, ids)
            chosen = [plan.id for plan in found if bot in plan.seats]
            if chosen:
                dropped += await self._link.run(leases.DROP, tournament, f"{bot} has left", *chosen)
        return dropped

    async def claim(
        self,
        limit: int,
        lease_ms: int,
        limits: Mapping[str, int] | None = None,
        *,
        hosts: bool = True,
        most_bots: int = 1000,
    ) -> list[Claim]:
        """Take up to ``limit`` ready matches of one running tournament, in canonical order.

        The tournament is the one served least recently that has any.
        ``limits``: another limit for some tournaments. ``hosts``: whether the
        caller can host submitted bots; it gets no matches with them otherwise.
        Of a board with hosted bots there is one rotation, and with the first
        match no more than ``most_bots`` different ones of them.
        """
        reply = await self._link.run(
            leases.CLAIM,
            limit,
            lease_ms,
            secrets.token_hex(4),
            int(hosts),
            most_bots,
            *(piece for pair in (limits or {}).items() for piece in pair),
        )
        if not reply:
            return []
        tournament, *pairs = (piece.decode() for piece in reply)
        return [
            Claim(match, lease, tournament)
            for match, lease in zip(pairs[::2], pairs[1::2], strict=True)
        ]

    async def admit(self, held: Sequence[tuple[str, str]], worker: str, arbiter: str) -> None:
        """Note who plays these matches (match, lease), for the log of results."""
        names = (_word(worker), _word(arbiter))
        for start in range(0, len(held), PAGE):
            pairs = [piece for pair in held[start : start + PAGE] for piece in pair]
            await self._link.run(leases.ADMIT, *names, *pairs)

    async def heartbeat(self, held: Sequence[tuple[str, str]], lease_ms: int) -> list[str]:
        """Extend leases (match, lease) to ``lease_ms`` from now; returns the matches lost."""
        lost: list[str] = []
        for start in range(0, len(held), PAGE):
            part = held[start : start + PAGE]
            pairs = [piece for pair in part for piece in pair]
            reply = await self._link.run(leases.HEARTBEAT, lease_ms, *pairs)
            lost.extend(piece.decode() for piece in reply)
        return lost

    async def checkpoint(self, id: str, lease: str, deals: int, data: bytes) -> bool:
        """Note where the next attempt may go on, after ``deals`` finished deals.

        Fewer deals than are noted already change nothing. False: the lease is lost.
        """
        return bool(await self._link.run(leases.CHECKPOINT, id, lease, deals, data))

    async def commit(
        self, id: str, lease: str, result: bytes, record: bytes, deals: int, pool: str | None
    ) -> Commit:
        """End a match with its result, in one step with its record, its
        tournament's counters and, when rated in ``pool``, the rating log.

        The lease is good until another has taken its place, even if its time
        has run out and it was taken back. Raises ConflictingResult for other bytes under the lease
        that has already won.
        """
        digest = _digest(result, record)
        counts = outcomes.lateness(result)
        answer = text(
            await self._link.run(
                leases.COMMIT, id, lease, result, record, deals, pool or "", digest, *counts
            )
        )
        if answer == "conflict":
            raise ConflictingResult(f"match {id} already has a different result from this attempt")
        return Commit(answer)

    async def fail(
        self, id: str, lease: str, reason: str, retry_ms: int = leases.RETRY_MS
    ) -> MatchState | None:
        """Give a match back because the platform failed, and count it.

        It is ready again after a delay (``retry_ms``, then twice that), or
        FAILED_INFRA after the third failure without a newly finished deal.
        None: the lease is lost, nothing was done.
        """
        answer = await self._link.run(leases.FAIL, id, lease, reason, leases.MAX_FAILURES, retry_ms)
        return MatchState(text(answer)) if answer else None

    async def release(self, id: str, lease: str, later_ms: int = 0) -> bool:
        """Give a match back without blame; ready at once, or, when it cannot be played now and
        nobody has begun, after ``later_ms``. False: the lease is lost."""
        return bool(await self._link.run(leases.RELEASE, id, lease, later_ms))

    async def expire(self) -> list[str]:
        """Make matches ready again whose lease has run out; returns them.

        Not a failure of the match. Takes nobody's lease until Redis has been
        up, and has taken writes, for that lease's length: before, nobody could
        extend one.
        """
        expired: list[str] = []
        while True:
            reply = await self._link.run(leases.EXPIRE, PAGE)
            expired.extend(piece.decode() for piece in reply)
            if len(reply) < PAGE:
                return expired

    async def swept(self) -> None:
        """Note that a sweep was made: ticks arrive."""
        await self._link.run(leases.SWEPT)

    async def ready_count(self) -> int:
        """How many matches could be claimed now, over all tournaments."""
        return int(await self._link.run(leases.READY_COUNT))

    async def get(self, id: str) -> MatchRow | None:
        """One match; None for an id that is not planned."""
        rows = await self.load([id])
        return rows[0] if rows else None

    async def load(self, ids: Sequence[str]) -> list[MatchRow]:
        """Matches in the order of the ids; ids that are not planned are left out."""
        key = self._link.key
        fields = await self._link.many([("HGETALL", key("match", id_)) for id_ in ids])
        commands: list[tuple[str, ...]] = []
        for id_, found in zip(ids, fields, strict=True):
            tournament = text(found.get(b"t"))
            commands += (
                ("HGET", key("tournament", tournament), "state"),
                ("ZSCORE", key("matches", tournament), id_),
                ("HGET", key("plans", tournament), id_),
                ("HGET", key("results", tournament), id_),
            )
        more = await self._link.many(commands)
        rows = [
            _row(id_, found, *more[4 * index : 4 * index + 4])
            for index, (id_, found) in enumerate(zip(ids, fields, strict=True))
        ]
        return [row for row in rows if row is not None]

    async def ids(self, tournament: str, state: MatchState | None = None) -> tuple[str, ...]:
        """Ids of all planned matches, or of those that are running, done or failed,
        in canonical order. ValueError for another state."""
        if state is not None and state not in _INDEX:
            raise ValueError(f"no list of matches that are {state}: take one of {list(_INDEX)}")
        index = _INDEX[state] if state else "matches"
        reply = await self._link.call("ZRANGE", self._link.key(index, tournament), 0, -1)
        return tuple(id_.decode() for id_ in reply)

    async def record(self, id: str) -> bytes | None:
        """The record of a finished match; None when there is none (yet)."""
        found: bytes | None = await self._link.call("GET", self._link.key("record", id))
        return found

    async def is_damaged(self, tournament: str, id: str) -> bool:
        """Whether a finished match's result or record is not what was committed."""
        key = self._link.key
        result, record, digest = await self._link.many(
            [
                ("HGET", key("results", tournament), id),
                ("GET", key("record", id)),
                ("HGET", key("match", id), "digest"),
            ]
        )
        return _digest(result or b"", record or b"") != text(digest)

    async def results(self, tournament: str) -> list[tuple[MatchPlan, bytes]]:
        """All results of a tournament so far, in canonical order."""
        key = self._link.key
        found: list[tuple[MatchPlan, bytes]] = []
        last = ""
        while ids := await self._ids("done", tournament, last, PAGE):
            rows = await plans.read_plans(self._link, tournament, ids)
            values = await self._link.call("HMGET", key("results", tournament), *ids)
            found.extend(zip(rows, values, strict=True))
            last = ids[-1]
        return found

    async def _ids(self, index: str, tournament: str, after: str, limit: int) -> list[str]:
        low = f"({after}" if after else "-"
        reply = await self._link.call(
            "ZRANGE", self._link.key(index, tournament), low, "+", "BYLEX", "LIMIT", 0, limit
        )
        return [id_.decode() for id_ in reply]

    async def _candidates(
        self, tournament: str, ids: Sequence[str], bot: str | None, state: MatchState | None
    ) -> Sequence[str]:
        """Of these matches the ones worth loading, found without loading them."""
        if bot is not None:
            found = await plans.read_plans(self._link, tournament, ids)
            ids = [plan.id for plan in found if bot in plan.seats]
        if state is not None and state not in _INDEX and ids:
            reply = await self._link.run(leases.WAITING, *ids)
            ids = [id_.decode() for id_ in reply]
        return ids

    async def list(
        self,
        tournament: str,
        bot: str | None = None,
        state: MatchState | None = None,
        after: str | None = None,
        limit: int = 100,
    ) -> list[MatchRow]:
        """Up to ``limit`` matches in canonical order, those after the id ``after``."""
        index = _INDEX.get(state, "matches") if state else "matches"
        page = PAGE if bot or state else limit
        rows: list[MatchRow] = []
        last = after or ""
        while len(rows) < limit and (ids := await self._ids(index, tournament, last, page)):
            last = ids[-1]
            wanted = await self._candidates(tournament, ids, bot, state)
            for start in range(0, len(wanted), limit):
                if len(rows) < limit:
                    found = await self.load(wanted[start : start + limit])
                    rows.extend(row for row in found if state is None or row.state is state)
        return rows[:limit]


def _digest(result: bytes, record: bytes) -> str:
    """Of all that an attempt commits."""
    return hashlib.sha256(hashlib.sha256(result).digest() + record).hexdigest()


_INDEX = {
    MatchState.RUNNING: "playing",
    MatchState.DONE: "done",
    MatchState.FAILED_INFRA: "failed",
}


def _row(
    id_: str,
    fields: dict[bytes, bytes],
    tournament_state: bytes | None,
    visible: bytes | None,
    plan: bytes | None,
    result: bytes | None,
) -> MatchRow | None:
    if not fields or visible is None or plan is None:
        return None
    state = MatchState(text(fields[b"state"]))
    over = text(tournament_state) in (TournamentState.FINISHED, TournamentState.CANCELLED)
    if over and state in (MatchState.READY, MatchState.RUNNING):
        # Derived, not written: a tournament may have 100,000 ready matches when
        # it is cancelled.
        state = MatchState.CANCELLED
    return MatchRow(
        plan=plans.decode(id_, text(fields[b"t"]), plan),
        state=state,
        lease=text(fields.get(b"lease")),
        attempts=number(fields.get(b"attempts")),
        failures=number(fields.get(b"failures")),
        last_failure=text(fields.get(b"last_failure")),
        checkpoint=fields.get(b"checkpoint"),
        checkpoint_deals=number(fields.get(b"checkpoint_deals")),
        result=result,
        finish_ms=number(fields.get(b"finish_ms")),
    )


def _word(name: str) -> str:
    """A name as one word of a line of the log."""
    return "_".join(name.split())[:200]
