"""Arbiters that are up, so that workers find one."""

import json
from dataclasses import dataclass

from arbiter.store.link import Link, Script


@dataclass(frozen=True, slots=True)
class ArbiterRow:
    """An arbiter: where it serves gRPC ("host:port"), how many tables it plays now, and the path of
    the Unix socket on its own machine where it serves bots; "" when it has none."""

    id: str
    address: str
    tables: int
    socket: str = ""


GAP_MS = 5_000
"""Arbiters announce themselves each second. After so long without any, the store may have refused
writes (or there was no arbiter): leases then have their whole length again, see leases.EXPIRE."""

# Race: somebody looks while an arbiter comes or goes; it is there or not.
_ANNOUNCE = Script(
    """
local now = now_ms()
if now - tonumber(redis.call('GET', key.counter('announced_ms')) or now) > tonumber(ARGV[4]) then
  redis.call('SET', key.counter('gap_ms'), string.format('%d', now))
end
redis.call('SET', key.counter('announced_ms'), string.format('%d', now))
redis.call('SET', key.arbiter(ARGV[1]), ARGV[2], 'PX', ARGV[3])
redis.call('SADD', key.arbiters(), ARGV[1])
""",
    flags="allow-oom",  # a full memory must not make arbiters disappear
)
_WITHDRAW = Script(
    """
redis.call('DEL', key.arbiter(ARGV[1]))
redis.call('SREM', key.arbiters(), ARGV[1])
""",
    flags="allow-oom",
)


class Arbiters:
    """``store.arbiters``."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def announce(
        self, id: str, address: str, tables: int, ttl_s: float, socket: str = ""
    ) -> None:
        """Say that this arbiter is up; repeat before ``ttl_s`` has passed."""
        value = json.dumps([address, tables, socket])
        await self._link.run(_ANNOUNCE, id, value, round(ttl_s * 1000), GAP_MS)

    async def withdraw(self, id: str) -> None:
        """Say that this arbiter goes away."""
        await self._link.run(_WITHDRAW, id)

    async def alive(self) -> list[ArbiterRow]:
        """The arbiters that are up, the one with the fewest tables first."""
        key = self._link.key
        ids = sorted(id_.decode() for id_ in await self._link.call("SMEMBERS", key("arbiters")))
        if not ids:
            return []
        found = await self._link.call("MGET", *(key("arbiter", id_) for id_ in ids))
        rows = []
        for id_, value in zip(ids, found, strict=True):
            if value is None:
                # Race: it may announce itself again before the SREM; its next
                # announcement, a few seconds later, puts it back.
                await self._link.call("SREM", key("arbiters"), id_)
            else:
                rows.append(ArbiterRow(id_, *json.loads(value)))
        return sorted(rows, key=lambda row: (row.tables, row.id))
