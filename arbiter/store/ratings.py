"""The log of rated results, and the fits made from it."""

from collections.abc import Sequence
from dataclasses import dataclass

from arbiter.store import plans
from arbiter.store.link import Link, Script, number
from arbiter.tournaments.matchplan import MatchPlan

PAGE = 1000


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A rated result, and which worker and arbiter played it ("" when that is not known)."""

    plan: MatchPlan
    result: bytes
    worker: str = ""
    arbiter: str = ""


@dataclass(frozen=True, slots=True)
class LogPart:
    """A part of the log: its results that count now, so many `lines`, and whether any of them
    corrects what may stand in lines before."""

    entries: list[LogEntry]
    lines: int
    corrects: bool


# Race: a slower fit of an older state of the log ends after a newer one.
_SAVE = Script("""
local pool, fit, length = ARGV[1], ARGV[2], tonumber(ARGV[3])
if length < tonumber(redis.call('HGET', key.fit(pool), 'length') or '0') then return 0 end
redis.call('HSET', key.fit(pool), 'fit', fit, 'length', length)
for i = 4, #ARGV, 2 do redis.call('HSET', key.fit(pool), ARGV[i], ARGV[i + 1]) end
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


# Race: a fit of before ends after the request; it is of the same results, and the next sweep makes
# the new one all the same because the length says that nothing is fitted.
_REBUILD = Script("""
local pool = ARGV[1]
redis.call('HSET', key.fit(pool), 'length', 0, 'asked_ms', 0)
redis.call('HDEL', key.fit(pool), 'history')
redis.call('HINCRBY', key.fit(pool), 'generation', 1)
return redis.call('LLEN', key.log(pool))
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
        return (await self.part(pool, start)).entries

    async def part(self, pool: str, start: int = 0) -> LogPart:
        """The log from line ``start`` on, in order of commit. Of each match its last line counts; a
        result that is held back has none."""
        last: dict[str, list[str]] = {}
        lines, corrects = 0, False
        while page := await self._link.call(
            "LRANGE", self._link.key("log", pool), start + lines, start + lines + PAGE - 1
        ):
            lines += len(page)
            for line in page:
                words = line.decode().split(" ")
                corrects |= words[1] in last or words[2:3] == ["-"]
                # In order of the last lines.
                last.pop(words[1], None)
                last[words[1]] = words
        replayed = [words for words in last.values() if words[2:3] != ["-"]]
        entries = []
        for at in range(0, len(replayed), PAGE):
            entries += await self._entries(replayed[at : at + PAGE])
        return LogPart(entries, lines, corrects)

    async def _entries(self, page: Sequence[Sequence[str]]) -> list[LogEntry]:
        """The entries of lines (tournament, match, worker, arbiter), in order; two reads a
        tournament."""
        found: dict[str, LogEntry] = {}
        who = {words[1]: words[2:4] for words in page}
        for tournament in {words[0] for words in page}:
            ids = [words[1] for words in page if words[0] == tournament]
            planned = await plans.read_plans(self._link, tournament, ids)
            results = await self._link.call("HMGET", self._link.key("results", tournament), *ids)
            for plan, result in zip(planned, results, strict=True):
                # None: held a moment ago. The line that says so is read next time.
                if result is not None:
                    found[plan.id] = LogEntry(plan, result, *who[plan.id])
        return [found[words[1]] for words in page if words[1] in found]

    async def save(self, pool: str, fit: bytes, length: int = 0, **parts: bytes) -> bool:
        """Keep a fit of the first ``length`` results, and parts that belong to it. False: a newer
        fit is there."""
        more = [item for pair in parts.items() for item in pair]
        return bool(await self._link.run(_SAVE, pool, fit, length, *more))

    async def load_part(self, pool: str, part: str) -> bytes | None:
        """A part that was saved with the last fit."""
        found: bytes | None = await self._link.call("HGET", self._link.key("fit", pool), part)
        return found

    async def rebuild(self, pool: str) -> int:
        """Have the fit made anew from the whole log, which has so many results. The last one is
        served until then."""
        return int(await self._link.run(_REBUILD, pool))

    async def generation(self, pool: str) -> int:
        """How often a rebuild was asked for: what was kept before that is not to be trusted."""
        found = await self._link.call("HGET", self._link.key("fit", pool), "generation")
        return number(found)

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
