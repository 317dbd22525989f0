"""The log of rated results, and the fits made from it."""

from dataclasses import dataclass

from arbiter.store import plans
from arbiter.store.link import Link, Script, number
from arbiter.tournaments.matchplan import MatchPlan

PAGE = 1000


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A rated result."""

    plan: MatchPlan
    result: bytes


# Race: a slower fit of an older state of the log ends after a newer one.
_SAVE = Script("""
local pool, fit, length = ARGV[1], ARGV[2], tonumber(ARGV[3])
if length < tonumber(redis.call('HGET', key.fit(pool), 'length') or '0') then return 0 end
redis.call('HSET', key.fit(pool), 'fit', fit, 'length', length)
return 1
""")

# Race: several sweeps see the same new results; one of them asks for the fit.
_DUE = Script("""
local pool, every_ms = ARGV[1], tonumber(ARGV[2])
local known = redis.call('HMGET', key.fit(pool), 'length', 'asked_ms')
local now = now_ms()
if redis.call('LLEN', key.log(pool)) <= tonumber(known[1] or '0') then return 0 end
if now < tonumber(known[2] or '0') + every_ms then return 0 end
redis.call('HSET', key.fit(pool), 'asked_ms', string.format('%d', now))
return 1
""")


class Ratings:
    """``store.ratings``."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def pools(self) -> list[str]:
        """Pools with rated results, in order of name."""
        found = await self._link.call("SMEMBERS", self._link.key("pools"))
        return sorted(pool.decode() for pool in found)

    async def log(self, pool: str, start: int = 0) -> list[LogEntry]:
        """The rated results from number ``start`` on, in order of commit.

        The order differs from run to run: sort by ``plan.id`` before use.
        """
        key = self._link.key
        entries: list[LogEntry] = []
        while ids := await self._link.call(
            "LRANGE", key("log", pool), start + len(entries), start + len(entries) + PAGE - 1
        ):
            names = [id_.decode() for id_ in ids]
            owners = await self._link.many([("HGET", key("match", id_), "t") for id_ in names])
            commands = []
            for id_, owner in zip(names, owners, strict=True):
                commands.append(("HGET", key("plans", owner.decode()), id_))
                commands.append(("HGET", key("results", owner.decode()), id_))
            replies = await self._link.many(commands)
            for index, (id_, owner) in enumerate(zip(names, owners, strict=True)):
                plan = plans.decode(id_, owner.decode(), replies[2 * index])
                entries.append(LogEntry(plan, replies[2 * index + 1]))
        return entries

    async def save(self, pool: str, fit: bytes, length: int = 0) -> bool:
        """Keep a fit of the first ``length`` results. False: a newer fit is there."""
        return bool(await self._link.run(_SAVE, pool, fit, length))

    async def load(self, pool: str) -> bytes | None:
        """The last fit; None when there is none yet."""
        found: bytes | None = await self._link.call("HGET", self._link.key("fit", pool), "fit")
        return found

    async def length(self, pool: str) -> int:
        """How many rated results the pool has."""
        return int(await self._link.call("LLEN", self._link.key("log", pool)))

    async def fitted(self, pool: str) -> int:
        """How many results the last fit covers."""
        return number(await self._link.call("HGET", self._link.key("fit", pool), "length"))

    async def due(self, pool: str, every_ms: int) -> bool:
        """Whether the caller should make a new fit: there are new results, and
        nobody has been told so within ``every_ms``."""
        return bool(await self._link.run(_DUE, pool, every_ms))
