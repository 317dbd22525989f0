"""Tournaments: what was asked for, how far it is, how it ended."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from arbiter.store.errors import IdTaken
from arbiter.store.link import Link, Script, number, text
from arbiter.tournaments.history import Entry


class TournamentState(StrEnum):
    """SCHEDULED: waits for its start, or starts others by a schedule. PAUSED: no match is begun
    and nothing is planned until it is resumed."""

    SCHEDULED = "scheduled"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    CANCELLED = "cancelled"


class EntryAnswer(StrEnum):
    """What became of an entry or a withdrawal."""

    ENTERED = "entered"
    WITHDRAWN = "withdrawn"
    # It was so already.
    REPEATED = "repeated"
    # The bot is not in it.
    UNKNOWN = "unknown"
    # The tournament is over, takes no entries any more, or has as many as it may.
    OVER = "over"
    CLOSED = "closed"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """One tournament. To create one, give ``id``, ``spec``, ``secret`` and ``rated``, and
    for one that does not start at once ``state``, ``due_ms`` and ``series``; the store
    fills in the rest.

    ``planned`` counts matches of complete waves; each of them is in ``done`` or
    ``failed`` in the end, unless the tournament was cancelled; of those ``dropped`` were
    given up because a bot withdrew, not for a fault. ``running`` are
    under a lease now. ``stale`` counts commits refused because their lease had
    been lost. ``entered``: bots in it now. ``roster`` grows with each change of its
    entries. ``writing_ms``: when a planner last wrote matches of an incomplete wave.
    ``due_ms``: when it starts, 0 for no set time. ``series``: the schedule that
    made it, or empty. Times are Unix milliseconds by Redis's clock, 0 for not yet.
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
    dropped: int = 0
    entered: int = 0
    roster: int = 0
    due_ms: int = 0
    writing_ms: int = 0
    series: str = ""

    @property
    def active(self) -> bool:
        """Its matches are played and its next ones planned."""
        return self.state is TournamentState.RUNNING

    @property
    def over(self) -> bool:
        """Finished or cancelled: no match of it is started or counted any more."""
        return self.state in (TournamentState.FINISHED, TournamentState.CANCELLED)

    @property
    def settled(self) -> bool:
        """Every match planned so far has ended: the next wave can be planned."""
        return self.done + self.failed == self.planned


# Race: a client that saw no answer sends its request again, perhaps while the
# first still runs; both get the one tournament.
_CREATE = Script("""
local id, request, spec, secret, rated = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local state, due, series = ARGV[6], tonumber(ARGV[7]), ARGV[8]
if request ~= '' then
  local first = redis.call('GET', key.request(request))
  if first then return {'repeated', first} end
end
if redis.call('EXISTS', key.tournament(id)) == 1 then return {'taken', id} end
redis.call('HSET', key.tournament(id), 'state', state, 'spec', spec, 'secret', secret,
  'rated', rated, 'create_ms', string.format('%d', now_ms()), 'due_ms', ARGV[7], 'series', series)
redis.call('ZADD', key.tournaments(), redis.call('INCR', key.counter('tournaments')), id)
if state == 'running' then redis.call('ZADD', key.running(), 0, id) end
if due > 0 then redis.call('ZADD', key.due(), due, id) end
for i = 9, #ARGV, 2 do redis.call('HSET', key.entries(id), ARGV[i], ARGV[i + 1]) end
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
local now = redis.call('HGET', key.tournament(id), 'state')
if not now or now == 'finished' or now == 'cancelled' then return 0 end
-- Race: another planner has added a wave, or a bot has entered or left, since somebody found that
-- nothing is left to play.
if ARGV[4] ~= '' then
  if redis.call('HLEN', key.waves(id)) ~= tonumber(ARGV[4]) then return 0 end
  if (redis.call('HGET', key.tournament(id), 'roster') or '0') ~= ARGV[5] then return 0 end
end
redis.call('HSET', key.tournament(id), 'state', state, 'reason', reason,
  'finish_ms', string.format('%d', now_ms()))
redis.call('ZREM', key.running(), id)
redis.call('ZREM', key.due(), id)
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

# Races: two schedulers start it at once; it is paused or cancelled at the same
# moment. From which state to which; what does not fit changes nothing.
_TURN = Script(
    """
local id, from, to = ARGV[1], ARGV[2], ARGV[3]
local t = key.tournament(id)
local state = redis.call('HGET', t, 'state')
if to == 'paused' and (state == 'running' or state == 'scheduled') then
  redis.call('HSET', t, 'state', to, 'was', state)
  redis.call('ZREM', key.running(), id)
  redis.call('ZREM', key.due(), id)
  return 1
end
if state ~= from then return 0 end
if from == 'paused' then to = redis.call('HGET', t, 'was') end
redis.call('HSET', t, 'state', to)
redis.call('ZREM', key.due(), id)
if to == 'running' then redis.call('ZADD', key.running(), 0, id) end
local due = tonumber(redis.call('HGET', t, 'due_ms'))
if to == 'scheduled' and due > 0 then redis.call('ZADD', key.due(), due, id) end
return 1
"""
)

# Race: two schedulers see the same occurrence; the second finds another time.
_POSTPONE = Script(
    """
local id, from, to = ARGV[1], ARGV[2], ARGV[3]
if redis.call('HGET', key.tournament(id), 'due_ms') ~= from then return 0 end
redis.call('HSET', key.tournament(id), 'due_ms', to)
if redis.call('ZREM', key.due(), id) == 1 and tonumber(to) > 0 then
  redis.call('ZADD', key.due(), to, id)
end
return 1
"""
)

# Races: two registrations of one bot give one entry (SP07); a wave is planned
# while a bot enters or withdraws: the wave's writer finds another roster. An
# entry is "joined,left,owner", both in waves planned by then.
_ENTER = Script(
    """
local id, bot, owner, late, most = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local t, entries = key.tournament(id), key.entries(id)
local state = redis.call('HGET', t, 'state')
if not state or state == 'finished' or state == 'cancelled' then return 'over' end
local known = redis.call('HGET', entries, bot)
if known then return string.match(known, '^%d+,,') and 'repeated' or 'withdrawn' end
local waves = redis.call('HLEN', key.waves(id))
if late ~= '1' and waves + redis.call('HLEN', key.writing(id)) > 0 then return 'closed' end
if redis.call('HLEN', entries) >= most then return 'full' end
redis.call('HSET', entries, bot, waves .. ',,' .. owner)
redis.call('HINCRBY', t, 'roster', 1)
return 'entered'
"""
)

_WITHDRAW = Script(
    """
local id, bot = ARGV[1], ARGV[2]
local t, entries = key.tournament(id), key.entries(id)
local state = redis.call('HGET', t, 'state')
if not state or state == 'finished' or state == 'cancelled' then return 'over' end
local known = redis.call('HGET', entries, bot)
if not known then return 'unknown' end
local joined, left, owner = string.match(known, '^(%d+),(%d*),(.*)$')
if left ~= '' then return 'repeated' end
local waves = redis.call('HLEN', key.waves(id))
if waves == 0 and redis.call('HLEN', key.writing(id)) == 0 then
  redis.call('HDEL', entries, bot)
else
  redis.call('HSET', entries, bot, joined .. ',' .. waves .. ',' .. owner)
end
redis.call('HINCRBY', t, 'roster', 1)
return 'withdrawn'
"""
)

# Race: a match moves from playing to done between two reads, and is counted in
# neither or in both. (Not MULTI: Redis refuses that, even to read, when full.)
_READ = Script(
    """
local function entered(id)
  local count = 0
  for _, entry in ipairs(redis.call('HVALS', key.entries(id))) do
    if string.match(entry, '^%d+,,') then count = count + 1 end
  end
  return count
end
local id = ARGV[1]
return {
  redis.call('HGETALL', key.tournament(id)), redis.call('ZCARD', key.matches(id)),
  redis.call('ZCARD', key.playing(id)), redis.call('ZCARD', key.done(id)),
  redis.call('ZCARD', key.failed(id)), redis.call('HLEN', key.waves(id)), entered(id),
}
""",
    flags="no-writes",
)


class Tournaments:
    """``store.tournaments``."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def create(
        self, row: TournamentRow, request_id: str = "", entries: Sequence[Entry] = ()
    ) -> tuple[TournamentRow, bool]:
        """Write a new tournament with its entries. Returns it and whether this call made it.

        A repeat of ``request_id`` returns the first one, whatever its spec.
        Raises IdTaken when another request has used the id.
        """
        outcome, id_ = await self._link.run(
            _CREATE,
            row.id,
            request_id,
            row.spec,
            row.secret,
            int(row.rated),
            row.state,
            row.due_ms,
            row.series,
            *(piece for entry in entries for piece in (entry.bot, f"0,,{entry.owner}")),
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

    async def finish(
        self, id: str, reason: str = "", *, seen: TournamentRow | None = None
    ) -> TournamentRow | None:
        """End it for good. Matches not yet played are not played any more.

        ``seen``: only if no wave was added and no entry changed since. A repeat, or
        finishing a cancelled one, changes nothing. Returns the row as it is now; None
        for an unknown tournament.
        """
        guard = ("", "") if seen is None else (seen.waves, seen.roster)
        await self._link.run(_END, id, TournamentState.FINISHED, reason, *guard)
        return await self.get(id)

    async def cancel(self, id: str, reason: str) -> TournamentRow | None:
        """Stop it. Matches that run lose their leases; finished ones stay.

        A repeat, or cancelling a finished one, changes nothing: look at the
        state of the row that is returned. None for an unknown tournament.
        """
        await self._link.run(_END, id, TournamentState.CANCELLED, reason, "", "")
        return await self.get(id)

    async def start(self, id: str) -> bool:
        """Let one that is scheduled run. False: it was not scheduled (any more)."""
        return bool(await self._link.run(_TURN, id, "scheduled", "running"))

    async def pause(self, id: str) -> bool:
        """Begin no more matches; those that run end. False: it neither ran nor was scheduled."""
        return bool(await self._link.run(_TURN, id, "", "paused"))

    async def resume(self, id: str) -> bool:
        """Go on as before the pause. False: it was not paused."""
        return bool(await self._link.run(_TURN, id, "paused", ""))

    async def due(self, now_ms: int) -> tuple[str, ...]:
        """Ids of the scheduled tournaments whose time has come."""
        ids = await self._link.call("ZRANGE", self._link.key("due"), "-inf", now_ms, "BYSCORE")
        return tuple(id_.decode() for id_ in ids)

    async def postpone(self, id: str, due_ms: int, next_ms: int) -> bool:
        """Set the next time of one that was due at ``due_ms``; 0: none. False: another did."""
        return bool(await self._link.run(_POSTPONE, id, due_ms, next_ms))

    async def now_ms(self) -> int:
        """Redis's clock."""
        seconds, micros = await self._link.call("TIME")
        return int(seconds) * 1000 + int(micros) // 1000

    async def enter(self, id: str, bot: str, owner: str, *, late: bool, most: int) -> EntryAnswer:
        """Enter a bot. ``late``: also after the first matches are planned; ``most``: entries that
        there may be. A repeat changes nothing."""
        answer = await self._link.run(_ENTER, id, bot, owner, int(late), most)
        return EntryAnswer(text(answer))

    async def withdraw(self, id: str, bot: str) -> EntryAnswer:
        """Take a bot out from the next wave on, for good once matches are planned."""
        return EntryAnswer(text(await self._link.run(_WITHDRAW, id, bot)))

    async def entries(self, id: str) -> list[Entry]:
        """All bots that are or were in it, in order of name."""
        reply = await self._link.call("HGETALL", self._link.key("entries", id))
        found = []
        for bot, value in reply.items():
            joined, left, owner = value.decode().split(",", 2)
            found.append(Entry(bot.decode(), owner, int(joined), int(left) if left else None))
        return sorted(found, key=lambda entry: entry.bot)

    async def running(self) -> tuple[str, ...]:
        """Ids of the running tournaments, the one served least recently first."""
        ids = await self._link.call("ZRANGE", self._link.key("running"), 0, -1)
        return tuple(id_.decode() for id_ in ids)

    async def look_due(self, id: str, every_ms: int) -> bool:
        """Whether the caller should look for stuck matches: nobody has within ``every_ms``."""
        return await self._first(id, "look", every_ms)

    async def alert_due(self, id: str, every_ms: int) -> bool:
        """Whether the caller should alert: nobody has within ``every_ms``."""
        return await self._first(id, "alert", every_ms)

    async def _first(self, id: str, what: str, every_ms: int) -> bool:
        key = self._link.key("told", id, what)
        return await self._link.call("SET", key, 1, "NX", "PX", every_ms) is not None

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
    planned, running, done, failed, waves, entered = counts
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
        dropped=number(fields.get(b"dropped")),
        entered=entered,
        roster=number(fields.get(b"roster")),
        due_ms=number(fields.get(b"due_ms")),
        writing_ms=number(fields.get(b"writing_ms")),
        series=text(fields.get(b"series")),
    )
