"""Planned matches: waves of them, written so that a wave is there as a whole or not at all."""

import asyncio
import hashlib
from collections.abc import Sequence
from itertools import islice

from arbiter.store.errors import UnknownTournament, WaveConflict
from arbiter.store.link import Link, Script, text
from arbiter.tournaments.matchplan import MatchPlan

CHUNK = 500
"""Matches written by one script: some 2 ms, in which Redis serves nobody else."""


_CHECK = """
local t, wave, digest = ARGV[1], ARGV[2], ARGV[3]
local state = redis.call('HGET', key.tournament(t), 'state')
if not state then return 'unknown' end
if state ~= 'running' then return 'over' end
local complete = redis.call('HGET', key.waves(t), wave)
if complete then return complete == digest and 'exists' or 'conflict' end
-- Race: a bot enters or withdraws while the wave is planned. The plan is out of date.
local roster = redis.call('HGET', key.tournament(t), 'roster') or '0'
if ARGV[4] ~= '' and ARGV[4] ~= roster then return 'changed' end
redis.call('HSET', key.tournament(t), 'writing_ms', string.format('%d', now_ms()))
"""

# A wave may have 100,000 matches, too many for one script. They are written in
# parts where nobody looks (staged), and become matches all at once when the
# last step marks the wave as complete. A writer that dies leaves parts that the
# next one, whose plan is the same, writes over.

# Race: two planners write one wave at once (SP09). They write the same; the
# first to complete it wins and the other's next step says 'exists'. If their
# plans differ, one of them is wrong: the later to begin goes on, the other is told.
_BEGIN = Script(
    _CHECK
    + """
if redis.call('HGET', key.writing(t), wave) ~= digest then
  redis.call('HSET', key.writing(t), wave, digest)
  redis.call('DEL', key.staged(t, wave))
end
return 'go'
"""
)

_WRITE = Script(
    _CHECK
    + """
if redis.call('HGET', key.writing(t), wave) ~= digest then return 'conflict' end
local ids, staged = {}, {}
for i = 5, #ARGV, 2 do
  ids[#ids + 1] = ARGV[i]
  staged[#staged + 1] = 0
  staged[#staged + 1] = ARGV[i]
end
for _, score in ipairs(redis.call('ZMSCORE', key.matches(t), unpack(ids))) do
  if score then return 'duplicate' end
end
for _, id in ipairs(ids) do
  local owner = redis.call('HGET', key.match(id), 't')
  if owner and owner ~= t then return 'duplicate' end
end
for _, id in ipairs(ids) do redis.call('HSET', key.match(id), 't', t, 'state', 'ready') end
redis.call('HSET', key.plans(t), unpack(ARGV, 5))
redis.call('ZADD', key.staged(t, wave), unpack(staged))
return 'go'
"""
)

_COMPLETE = Script(
    _CHECK
    + """
if redis.call('HGET', key.writing(t), wave) ~= digest then return 'conflict' end
local staged = key.staged(t, wave)
if redis.call('ZCARD', staged) ~= tonumber(ARGV[5]) then return 'incomplete' end
for _, set in ipairs({key.matches(t), key.ready(t)}) do
  redis.call('ZUNIONSTORE', set, 2, set, staged)
end
redis.call('HSET', key.waves(t), wave, digest)
redis.call('HSET', key.notes(t), wave, ARGV[6])
redis.call('HDEL', key.writing(t), wave)
redis.call('HSET', key.tournament(t), 'wave_ms', string.format('%d', now_ms()))
redis.call('HDEL', key.tournament(t), 'writing_ms')
redis.call('DEL', key.late(t))
redis.call('DEL', staged)
return 'added'
"""
)


async def add_wave(
    link: Link,
    tournament: str,
    wave: int,
    plans: Sequence[MatchPlan],
    note: bytes = b"",
    roster: int | None = None,
) -> bool:
    """See ``Matches.add_wave``."""
    head = (tournament, wave, _digest(tournament, wave, plans), "" if roster is None else roster)
    answer = await link.run(_BEGIN, *head)
    rest = iter(plans)
    writing: asyncio.Future[bytes] | None = None
    while answer == b"go" and (part := list(islice(rest, CHUNK))):
        pairs = [piece for plan in part for piece in (plan.id, encode(plan))]
        # The next part is made while Redis writes this one.
        if writing is not None:
            answer = await writing
        writing = asyncio.ensure_future(link.run(_WRITE, *head, *pairs))
        await asyncio.sleep(0)
    if writing is not None:
        answer = await writing
    if answer == b"go":
        answer = await link.run(_COMPLETE, *head, len(plans), note)
    match text(answer):
        case "added":
            return True
        case "exists" | "over" | "changed":
            return False
        case "unknown":
            raise UnknownTournament(f"there is no tournament {tournament!r}")
        case "duplicate":
            raise WaveConflict(f"wave {wave} of {tournament} repeats a match of another wave")
        case other:
            raise WaveConflict(f"wave {wave} of {tournament} was planned differently ({other})")


async def read_plans(link: Link, tournament: str, ids: Sequence[str]) -> list[MatchPlan]:
    """Plans in the order of the ids, all of which must be planned."""
    if not ids:
        return []
    found = await link.call("HMGET", link.key("plans", tournament), *ids)
    return [decode(id_, tournament, value) for id_, value in zip(ids, found, strict=True)]


def encode(plan: MatchPlan) -> str:
    """The stored form, without the ids, which are in its keys.

    ValueError for a bot's name with a comma, which no registered bot has.
    """
    seats = ",".join(plan.seats)
    if seats.count(",") != len(plan.seats) - 1:
        raise ValueError(f"match {plan.id} names a bot with a comma")
    return f"{plan.stage},{plan.round},{plan.table},{plan.board},{plan.rotation},{seats}"


def decode(id_: str, tournament: str, value: bytes) -> MatchPlan:
    """Inverse of ``encode``."""
    stage, round_, table, board, rotation, *seats = value.decode().split(",")
    return MatchPlan(
        id_,
        tournament,
        int(stage),
        int(round_),
        int(table),
        int(board),
        int(rotation),
        tuple(seats),
    )


def _digest(tournament: str, wave: int, plans: Sequence[MatchPlan]) -> str:
    """Of the whole wave, without ever holding it. Looks at each plan on the way."""
    digest = hashlib.sha256()
    last = ""
    for plan in plans:
        if plan.tournament != tournament:
            raise ValueError(f"wave {wave} of {tournament} has a match of another tournament")
        if plan.id <= last:
            raise ValueError(
                f"wave {wave} of {tournament} names {plan.id} twice or not in canonical order"
            )
        last = plan.id
        digest.update(f"{plan.id} {encode(plan)}\n".encode())
    return digest.hexdigest()
