"""Tournaments: what was asked for, how far it is, how it ended."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from enum import StrEnum

from arbiter.store.errors import IdTaken
from arbiter.store.link import Link, Script, number, text


class TournamentState(StrEnum):
    """A tournament runs from its creation until it is finished or cancelled."""

    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """One tournament. To create one, give ``id``, ``spec``, ``secret`` and ``rated``;
    the store fills in the rest.

    ``planned`` counts matches of complete waves; each of them is in ``done`` or
    ``failed`` in the end, unless the tournament was cancelled. ``running`` are
    under a lease now. ``stale`` counts commits refused because their lease had
    been lost. Times are Unix milliseconds by Redis's clock, 0 for not yet.
    """

    id: str
    spec: bytes
    secret: bytes
    rated: bool
    state: TournamentState = TournamentState.RUNNING
    reason: str = ""
    create_ms: int = 0
    finish_ms: int = 0
    planned: int = 0
    running: int = 0
    done: int = 0
    failed: int = 0
    deals_done: int = 0
    waves: int = 0
    stale: int = 0

    @property
    def over(self) -> bool:
        """Finished or cancelled: no match of it is started or counted any more."""
        return self.state is not TournamentState.RUNNING

    @property
    def settled(self) -> bool:
        """Every match planned so far has ended: the next wave can be planned."""
        return self.done + self.failed == self.planned


# Race: a client that saw no answer sends its request again, perhaps while the
# first still runs; both get the one tournament.
_CREATE = Script("""
local id, request, spec, secret, rated = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
if request ~= '' then
  local first = redis.call('GET', key.request(request))
  if first then return {'repeated', first} end
end
if redis.call('EXISTS', key.tournament(id)) == 1 then return {'taken', id} end
redis.call('HSET', key.tournament(id), 'state', 'running', 'spec', spec, 'secret', secret,
  'rated', rated, 'create_ms', string.format('%d', now_ms()))
redis.call('ZADD', key.tournaments(), redis.call('INCR', key.counter('tournaments')), id)
redis.call('ZADD', key.running(), 0, id)
if request ~= '' then redis.call('SET', key.request(request), id) end
return {'created', id}
""")

# Races: an arbiter commits a match while its tournament is cancelled: either
# the result counts, or its lease is gone and the commit is stale. A worker
# claims at the same time: it claims before, and loses its lease here, or it
# finds nothing ready.
_END = Script(
    """
local id, state, reason = ARGV[1], ARGV[2], ARGV[3]
if redis.call('HGET', key.tournament(id), 'state') ~= 'running' then return 0 end
redis.call('HSET', key.tournament(id), 'state', state, 'reason', reason,
  'finish_ms', string.format('%d', now_ms()))
redis.call('ZREM', key.running(), id)
redis.call('UNLINK', key.ready(id))
for _, match in ipairs(redis.call('ZRANGE', key.playing(id), 0, -1)) do
  redis.call('HSET', key.match(match), 'state', 'ready')
  redis.call('HDEL', key.match(match), 'lease', 'lease_ms')
  redis.call('ZREM', key.leases(), match)
end
redis.call('DEL', key.playing(id))
return 1
"""
)

# Race: a match moves from playing to done between two reads, and is counted in
# neither or in both. (Not MULTI: Redis refuses that, even to read, when full.)
_READ = Script(
    """
local id = ARGV[1]
return {
  redis.call('HGETALL', key.tournament(id)), redis.call('ZCARD', key.matches(id)),
  redis.call('ZCARD', key.playing(id)), redis.call('ZCARD', key.done(id)),
  redis.call('ZCARD', key.failed(id)), redis.call('HLEN', key.waves(id)),
}
""",
    flags="no-writes",
)


class Tournaments:
    """``store.tournaments``."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def create(self, row: TournamentRow, request_id: str = "") -> tuple[TournamentRow, bool]:
        """Write a new tournament. Returns it and whether this call made it.

        A repeat of ``request_id`` returns the first one, whatever its spec.
        Raises IdTaken when another request has used the id.
        """
        outcome, id_ = await self._link.run(
            _CREATE, row.id, request_id, row.spec, row.secret, int(row.rated)
        )
        stored = await self.get(text(id_))
        if outcome == b"taken" or stored is None:
            raise IdTaken(f"there is already a tournament {row.id!r}")
        return stored, outcome == b"created"

    async def get(self, id: str) -> TournamentRow | None:
        """One tournament, its counters all of the same moment; None when there is none."""
        fields, *counts = await self._link.run(_READ, id)
        pairs = dict(zip(fields[::2], fields[1::2], strict=True))
        return _row(id, pairs, counts) if pairs else None

    async def finish(self, id: str, reason: str = "") -> TournamentRow | None:
        """End it for good. Matches not yet played are not played any more.

        A repeat, or finishing a cancelled one, changes nothing. Returns the row
        as it is now; None for an unknown tournament.
        """
        await self._link.run(_END, id, TournamentState.FINISHED, reason)
        return await self.get(id)

    async def cancel(self, id: str, reason: str) -> TournamentRow | None:
        """Stop it. Matches that run lose their leases; finished ones stay.

        A repeat, or cancelling a finished one, changes nothing: look at the
        state of the row that is returned. None for an unknown tournament.
        """
        await self._link.run(_END, id, TournamentState.CANCELLED, reason)
        return await self.get(id)

    async def running(self) -> tuple[str, ...]:
        """Ids of the running tournaments, the one served least recently first."""
        ids = await self._link.call("ZRANGE", self._link.key("running"), 0, -1)
        return tuple(id_.decode() for id_ in ids)

    async def watch(self, id: str, interval_s: float = 0.25) -> AsyncIterator[TournamentRow]:
        """The row now and after each change, looked at every ``interval_s``.

        Ends after the tournament has ended; yields nothing for an unknown one.
        Looking is robust where a subscription is not: it survives a restart of
        Redis without missing the last change.
        """
        last: TournamentRow | None = None
        while (row := await self.get(id)) is not None:
            if row != last:
                yield row
            if row.over:
                return
            last = row
            await asyncio.sleep(interval_s)

    async def list(self, before: str = "", limit: int = 100) -> list[TournamentRow]:
        """Up to ``limit`` tournaments, newest first, those made before the one named ``before``.

        An unknown ``before`` gives an empty list.
        """
        tournaments = self._link.key("tournaments")
        start = 0
        if before:
            rank = await self._link.call("ZREVRANK", tournaments, before)
            if rank is None:
                return []
            start = rank + 1
        ids = await self._link.call("ZRANGE", tournaments, start, start + limit - 1, "REV")
        rows = [await self.get(id_.decode()) for id_ in ids]
        return [row for row in rows if row is not None]


def _row(id_: str, fields: dict[bytes, bytes], counts: list[int]) -> TournamentRow:
    planned, running, done, failed, waves = counts
    return TournamentRow(
        id=id_,
        spec=fields[b"spec"],
        secret=fields[b"secret"],
        rated=fields[b"rated"] == b"1",
        state=TournamentState(text(fields[b"state"])),
        reason=text(fields.get(b"reason")),
        create_ms=number(fields[b"create_ms"]),
        finish_ms=number(fields.get(b"finish_ms")),
        planned=planned,
        running=running,
        done=done,
        failed=failed,
        deals_done=number(fields.get(b"deals_done")),
        waves=waves,
        stale=number(fields.get(b"stale")),
    )
