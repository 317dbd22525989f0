"""Which form the store's data has, and the steps from an older form to this one.

The store is stamped with the number of its form and with an id of its own. A
store from before there were stamps has form 0.
"""

import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from arbiter.store.errors import WrongServer
from arbiter.store.link import Link, Script, number, text

VERSION = 1
"""The form that this code reads and writes."""

Step = Callable[[Link], Awaitable[None]]


async def _nothing(_link: Link) -> None:
    """The stamp is all that is new."""


STEPS: Mapping[int, Step] = {0: _nothing}
"""Form n to form n + 1. Each step may be repeated, and run twice at once: the stamp is written
only after it, and whoever dies in between leaves the old stamp."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """``id``: 16 hex digits, drawn when the store was first used; a backup keeps it."""

    version: int
    id: str


# Race: two processes open a new store at once: the second finds the first's stamp, and its id.
_STAMP = Script("""
local version, id = tonumber(ARGV[1]), ARGV[2]
local known = tonumber(redis.call('HGET', key.store(), 'version') or '0')
if known < version then redis.call('HSET', key.store(), 'version', version) end
redis.call('HSETNX', key.store(), 'id', id)
return redis.call('HMGET', key.store(), 'version', 'id')
""")


async def stamp(link: Link, version: int = VERSION, steps: Mapping[int, Step] = STEPS) -> Stamp:
    """The stamp of this store, after its data has been brought to form ``version``.

    A store that is stamped already is only read. Raises WrongServer for data of
    a newer form, which is left as it is; StoreUnavailable, StoreRefused.
    """
    found = Stamp(*_read(await link.call("HMGET", link.key("store"), "version", "id")))
    if found.version > version:
        raise WrongServer(
            f"its data has form {found.version}, written by a newer version of Hearts; this one "
            f"reads forms up to {version}: upgrade this installation, or restore a backup of then"
        )
    if found.version == version and found.id:
        return found
    for step in range(found.version, version):
        await steps[step](link)
    return Stamp(*_read(await link.run(_STAMP, version, secrets.token_hex(8))))


def _read(reply: list[bytes | None]) -> tuple[int, str]:
    return number(reply[0]), text(reply[1])
