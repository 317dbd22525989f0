"""Owners of bots: who they are, and what they have used of what they may."""

from dataclasses import dataclass

from arbiter.store.errors import LooksAlike, NameTaken
from arbiter.store.link import Link, Script, number, text
from arbiter.store.versions import DAY_MS
from arbiter.tournaments.names import skeleton


@dataclass(frozen=True, slots=True)
class OwnerRow:
    """One owner. ``bots``: how many it has; ``versions`` and ``bytes``: submitted within the last
    24 hours."""

    name: str
    label: str = ""
    create_ms: int = 0
    bots: int = 0
    versions: int = 0
    bytes: int = 0


# Race: two registrations of one name, or of two that look alike, at once; the second sees the
# first. Bots and owners may share a name.
_CREATE = Script("""
local name, label, skeleton = ARGV[1], ARGV[2], key.skeleton('owner ' .. ARGV[3])
if redis.call('EXISTS', key.owner(name)) == 1 then return '=' end
local other = redis.call('GET', skeleton)
if other then return '~' .. other end
redis.call('HSET', key.owner(name), 'label', label, 'create_ms', string.format('%d', now_ms()))
redis.call('ZADD', key.owners(), 0, name)
redis.call('SET', skeleton, name)
return ''
""")

_READ = Script(
    """
local name, day = ARGV[1], tonumber(ARGV[2])
local found = redis.call('HMGET', key.owner(name), 'label', 'create_ms')
if not found[2] then return {} end
local recent = redis.call('ZRANGE', key.submitted(name), now_ms() - day, '+inf', 'BYSCORE')
local bytes = 0
for _, one in ipairs(recent) do bytes = bytes + tonumber(string.match(one, ' (%d+)$')) end
return {found[1], found[2], redis.call('SCARD', key.owned(name)), #recent, bytes}
""",
    flags="no-writes",
)


class Owners:
    """``store.owners``."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def create(self, name: str, label: str = "") -> OwnerRow:
        """Register an owner. Raises NameTaken, or LooksAlike."""
        answer = text(await self._link.run(_CREATE, name, label, skeleton(name)))
        if answer == "=":
            raise NameTaken(name)
        row = await self.get(name)
        if answer or row is None:
            raise LooksAlike(name, answer[1:])
        return row

    async def get(self, name: str) -> OwnerRow | None:
        """One owner; None when there is none."""
        found = await self._link.run(_READ, name, DAY_MS)
        if not found:
            return None
        label, create_ms, *counts = found
        return OwnerRow(name, text(label), number(create_ms), *(int(count) for count in counts))

    async def list(self, after: str = "", limit: int = 100) -> list[OwnerRow]:
        """Up to ``limit`` owners in order of name, those after the name ``after``."""
        low = f"({after}" if after else "-"
        names = await self._link.call(
            "ZRANGE", self._link.key("owners"), low, "+", "BYLEX", "LIMIT", 0, limit
        )
        rows = [await self.get(name.decode()) for name in names]
        return [row for row in rows if row is not None]
