"""Results that are held back (RS06): kept whole, counted nowhere, until somebody releases them or
the match, played again, has another result.

The log of results is only ever added to. "T ID WORKER ARBITER" says that the match has the result
it has now, "T ID -" that it has none any more: the last line of a match counts. Who held, released
or replaced a result, and why, is in the tournament's corrections (LR08).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arbiter.store.link import Link, Script, number, text

PART = 500
"""Matches held by one script."""

# One line of the corrections, in the order of writing. In COMMIT too, for a replay's result.
CORRECT = """
local function correct(t, id, kind, actor, reason)
  redis.call('RPUSH', key.corrections(t), cjson.encode(
    {match = id, kind = kind, actor = actor, reason = reason, ms = now_ms()}))
end
"""

# Races: the wave that the results belong to is planned on meanwhile, or the tournament ends: then
# they have counted, and stay. A match is held once: what is played again stands. Two who hold at
# once: the second finds the match ready.
_HOLD = Script(
    CORRECT
    + """
local t, wave, actor, reason, held = ARGV[1], ARGV[2], ARGV[3], ARGV[4], 0
local state = redis.call('HGET', key.tournament(t), 'state')
if state ~= 'running' and state ~= 'paused' then return 0 end
if tostring(redis.call('HLEN', key.waves(t))) ~= wave then return 0 end
for i = 5, #ARGV do
  local id = ARGV[i]
  local match = key.match(id)
  local known = redis.call('HMGET', match, 'state', 'replays', 'digest', 'worker', 'arbiter',
    'pool', 'deals')
  if known[1] == 'done' and not known[2] then
    redis.call('HSET', key.original(id), 'result', redis.call('HGET', key.results(t), id),
      'record', redis.call('GET', key.record(id)), 'digest', known[3] or '',
      'worker', known[4] or '', 'arbiter', known[5] or '', 'deals', known[7] or '0')
    redis.call('HSET', key.held(t), id, reason)
    redis.call('HDEL', key.results(t), id)
    redis.call('ZREM', key.done(t), id)
    redis.call('HINCRBY', key.tournament(t), 'deals_done', -tonumber(known[7] or '0'))
    redis.call('HDEL', match, 'lease', 'digest', 'finish_ms', 'worker', 'arbiter',
      'checkpoint_deals')
    redis.call('HSET', match, 'state', 'ready', 'replays', 1,
      'since_ms', string.format('%d', now_ms()))
    redis.call('ZADD', key.ready(t), 0, id)
    correct(t, id, 'held', actor, reason)
    local pool = known[6] or ''
    if pool ~= '' then redis.call('RPUSH', key.log(pool), t .. ' ' .. id .. ' -') end
    held = held + 1
  end
end
if held > 0 then redis.call('DEL', key.late(t)) end
return held
"""
)

# Race: the replay commits at the same moment: before, it has replaced the result and nothing is
# held; after, its lease is gone and it is stale.
_RELEASE = Script(
    CORRECT
    + """
local id, actor, reason = ARGV[1], ARGV[2], ARGV[3]
local match = key.match(id)
local known = redis.call('HMGET', match, 't', 'pool')
local t, pool = known[1], known[2] or ''
if not t or redis.call('HDEL', key.held(t), id) == 0 then return 0 end
local kept = redis.call('HMGET', key.original(id), 'result', 'record', 'digest', 'worker',
  'arbiter', 'deals')
redis.call('ZREM', key.ready(t), id)
redis.call('ZREM', key.playing(t), id)
redis.call('ZREM', key.failed(t), id)
redis.call('ZREM', key.leases(), id)
redis.call('HDEL', match, 'lease', 'lease_ms', 'last_lease', 'checkpoint', 'checkpoint_deals',
  'strikes')
redis.call('HSET', match, 'state', 'done', 'digest', kept[3], 'worker', kept[4],
  'arbiter', kept[5], 'finish_ms', string.format('%d', now_ms()))
redis.call('HSET', key.results(t), id, kept[1])
redis.call('SET', key.record(id), kept[2])
redis.call('ZADD', key.done(t), 0, id)
redis.call('HINCRBY', key.tournament(t), 'deals_done', kept[6])
correct(t, id, 'released', actor, reason)
if pool ~= '' then
  redis.call('RPUSH', key.log(pool), t .. ' ' .. id .. ' ' .. kept[4] .. ' ' .. kept[5])
end
return 1
"""
)


@dataclass(frozen=True, slots=True)
class Correction:
    """What was done to a result. `kind`: "held", "released", "replaced" (by the result of the match
    played again). `actor`: who did it; `ms`: when, by Redis's clock."""

    match: str
    kind: str
    actor: str
    reason: str
    ms: int


@dataclass(frozen=True, slots=True)
class Original:
    """A result that was held, as it was; it stays readable when another has replaced it."""

    result: bytes
    record: bytes
    worker: str
    arbiter: str


class Holds:
    """``store.holds``."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def lateness(self, tournament: str) -> Mapping[str, Mapping[str, tuple[int, int]]]:
        """Of the results of the last wave: for "worker" and "arbiter", by name, how many of the
        decisions at its tables were lost to the clock, and how many were asked."""
        found: dict[str, dict[str, list[int]]] = {"worker": {}, "arbiter": {}}
        reply = await self._link.call("HGETALL", self._link.key("late", tournament))
        for field, value in reply.items():
            kind, count, name = field.decode().split(" ", 2)
            found[kind].setdefault(name, [0, 0])[count == "asked"] = int(value)
        return {
            kind: {name: (late, asked) for name, (late, asked) in sorted(counts.items())}
            for kind, counts in found.items()
        }

    async def played_by(self, ids: Sequence[str], kind: str, name: str) -> list[str]:
        """Those of the matches whose result comes from this worker or arbiter."""
        found: list[str] = []
        for start in range(0, len(ids), PART):
            part = ids[start : start + PART]
            who = await self._link.many(
                [("HGET", self._link.key("match", id_), kind) for id_ in part]
            )
            found += [id_ for id_, value in zip(part, who, strict=True) if text(value) == name]
        return found

    async def hold(
        self, tournament: str, wave: int, ids: Sequence[str], actor: str, reason: str
    ) -> int:
        """Hold the results of matches of its last wave, number `wave`, and have them played again.

        Returns how many were held: none when another wave was planned or it is over; none that was
        held before.
        """
        held = 0
        for start in range(0, len(ids), PART):
            part = ids[start : start + PART]
            held += await self._link.run(_HOLD, tournament, wave, actor, reason, *part)
        return held

    async def release(self, id: str, actor: str, reason: str) -> bool:
        """Let a held result count after all; its replay is given up. False: it is not held."""
        return bool(await self._link.run(_RELEASE, id, actor, reason))

    async def held(self, tournament: str) -> dict[str, str]:
        """The matches whose results are held, with the reason."""
        reply = await self._link.call("HGETALL", self._link.key("held", tournament))
        return dict(sorted((id_.decode(), reason.decode()) for id_, reason in reply.items()))

    async def corrections(self, tournament: str) -> list[Correction]:
        """Everything that was done to results, oldest first."""
        reply = await self._link.call("LRANGE", self._link.key("corrections", tournament), 0, -1)
        return [
            Correction(**{**(line := json.loads(data)), "ms": int(line["ms"])}) for data in reply
        ]

    async def original(self, id: str) -> Original | None:
        """The result that was held, and its record; None: none ever was."""
        names = ("result", "record", "worker", "arbiter")
        found = await self._link.call("HMGET", self._link.key("original", id), *names)
        if found[0] is None:
            return None
        return Original(found[0], found[1], text(found[2]), text(found[3]))

    async def replays(self, id: str) -> int:
        """How often a match was played again because its result was held."""
        return number(await self._link.call("HGET", self._link.key("match", id), "replays"))
