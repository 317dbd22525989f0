"""Registered bots, and which of them are connected."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from arbiter.store.errors import LooksAlike, NameTaken
from arbiter.store.link import Link, Script, number, text
from arbiter.tournaments.names import skeleton, version_name


@dataclass(frozen=True, slots=True)
class BotRow:
    """One bot. ``sdk``: as it last said Hello. ``arbiter``: where it is connected, or empty.
    ``endpoint``: where it is to be dialled, empty when it dials in. ``owner``: empty for the
    platform's. ``versions``: how many were submitted; a bot that has some plays by the ``active``
    one alone, 0: by none."""

    name: str
    house: bool
    description: str
    create_ms: int
    sdk: str
    arbiter: str
    endpoint: str = ""
    owner: str = ""
    active: int = 0
    versions: int = 0

    @property
    def online(self) -> bool:
        """Connected to some arbiter now."""
        return bool(self.arbiter)


# Race: two registrations of one name at once; the second sees the first. A
# repeat of the same request with the same bot is the same registration. A name
# that looks like another's is refused with that one's.
_CREATE = Script("""
local name, house, description, request, endpoint = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local owner, skeleton = ARGV[6], ARGV[7]
local bot = key.bot(name)
if redis.call('EXISTS', bot) == 1 then
  local known = redis.call('HMGET', bot, 'request', 'house', 'description', 'endpoint')
  if request ~= '' and known[1] == request and known[2] == house and known[3] == description
    and (known[4] or '') == endpoint then
    return 'repeated'
  end
  return 'taken'
end
local other = redis.call('GET', key.skeleton(skeleton))
if other then return '~' .. other end
redis.call('HSET', bot, 'house', house, 'description', description, 'request', request,
  'endpoint', endpoint, 'create_ms', string.format('%d', now_ms()), 'sdk', '',
  'owner', owner)
redis.call('ZADD', key.bots(), 0, name)
redis.call('SET', key.skeleton(skeleton), name)
if owner ~= '' then redis.call('SADD', key.owned(owner), name) end
return 'created'
""")

_ONLINE = Script("""
local name, arbiter, sdk, ttl = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
redis.call('SET', key.online(name), arbiter, 'PX', ttl)
local bot = key.bot(string.match(name, '^[^@~]*'))
if redis.call('EXISTS', bot) == 1 then redis.call('HSET', bot, 'sdk', sdk) end
""")

# Race: the bot has already come back at another arbiter; that one's mark stays.
_OFFLINE = Script("""
local name, arbiter = ARGV[1], ARGV[2]
if redis.call('GET', key.online(name)) == arbiter then
  redis.call('DEL', key.online(name))
end
""")


class Bots:
    """``store.bots``."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def create(
        self,
        name: str,
        house: bool,
        description: str,
        request_id: str,
        endpoint: str = "",
        owner: str = "",
    ) -> tuple[BotRow, bool]:
        """Register a bot without versions. Returns its row and whether this call made it (False: a
        repeat).

        Raises NameTaken when the name belongs to another registration, LooksAlike when it looks
        like that of another bot.
        """
        answer = await self._link.run(
            _CREATE, name, int(house), description, request_id, endpoint, owner, skeleton(name)
        )
        row = await self.get(name)
        if answer == b"taken":
            raise NameTaken(name)
        if row is None:
            raise LooksAlike(name, text(answer)[1:])
        return row, answer == b"created"

    async def get(self, name: str) -> BotRow | None:
        """One bot; None when there is none."""
        return (await self.get_many([name]))[0]

    async def get_many(self, names: Sequence[str]) -> list[BotRow | None]:
        """Bots in the order of the names; None for a name that is not registered."""
        commands: list[tuple[str, str]] = []
        for name in names:
            commands.append(("HGETALL", self._link.key("bot", name)))
            commands.append(("GET", self._link.key("online", name)))
        replies = await self._link.many(commands)
        rows = [
            _row(name, replies[2 * index], replies[2 * index + 1])
            for index, name in enumerate(names)
        ]
        # A bot that plays by its active version is where that one is.
        playing = [row for row in rows if row and row.active]
        marks = await self._link.many(
            [("GET", self._link.key("online", version_name(r.name, r.active))) for r in playing]
        )
        where = {row.name: text(mark) for row, mark in zip(playing, marks, strict=True)}
        return [replace(r, arbiter=where[r.name]) if r and r.name in where else r for r in rows]

    async def list(self, after: str = "", limit: int = 100) -> list[BotRow]:
        """Up to ``limit`` bots in order of name, those after the name ``after``."""
        low = f"({after}" if after else "-"
        names = await self._link.call(
            "ZRANGE", self._link.key("bots"), low, "+", "BYLEX", "LIMIT", 0, limit
        )
        rows = await self.get_many([name.decode() for name in names])
        return [row for row in rows if row is not None]

    async def online(self) -> set[str]:
        """The names of all bots and active versions that are connected to some arbiter, or were a
        moment ago."""
        bots = [n.decode() for n in await self._link.call("ZRANGE", self._link.key("bots"), 0, -1)]
        asked = [("HGET", self._link.key("bot", bot), "active") for bot in bots]
        numbers = await self._link.many(asked)
        names = [
            version_name(bot, number(active)) if active else bot
            for bot, active in zip(bots, numbers, strict=True)
        ]
        return await self.present(names)

    async def present(self, names: Sequence[str]) -> set[str]:
        """Those of these bots and versions that are connected to some arbiter under this name."""
        marks = await self._link.many([("GET", self._link.key("online", name)) for name in names])
        return {name for name, mark in zip(names, marks, strict=True) if mark}

    async def set_online(self, name: str, arbiter_id: str, sdk: str, ttl_s: float) -> None:
        """Say that the bot is connected to this arbiter; repeat before ``ttl_s`` has passed."""
        await self._link.run(_ONLINE, name, arbiter_id, sdk, round(ttl_s * 1000))

    async def set_offline(self, name: str, arbiter_id: str) -> None:
        """Say that the bot has left this arbiter."""
        await self._link.run(_OFFLINE, name, arbiter_id)


def _row(name: str, fields: dict[bytes, bytes], arbiter: bytes | None) -> BotRow | None:
    if not fields:
        return None
    return BotRow(
        name=name,
        house=fields[b"house"] == b"1",
        description=text(fields[b"description"]),
        create_ms=number(fields[b"create_ms"]),
        sdk=text(fields[b"sdk"]),
        arbiter=text(arbiter),
        endpoint=text(fields.get(b"endpoint")),
        owner=text(fields.get(b"owner")),
        active=number(fields.get(b"active")),
        versions=number(fields.get(b"versions")),
    )
