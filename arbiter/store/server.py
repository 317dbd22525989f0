"""Is this Redis server fit to be the store of record?"""

from arbiter.store.errors import StoreRefused, StoreUnavailable, WrongServer
from arbiter.store.link import Link, Script, translated

OLDEST = (7, 0)
"""Scripts that Redis refuses as a whole when memory is full came with 7.0."""


async def check_server(link: Link, allow_insecure: bool = False) -> None:
    """Refuse a server that could lose data or let strangers in.

    ``allow_insecure`` excuses a missing password and a missing append-only
    file, never eviction: an evicting server loses results without a word (RC10).

    Raises WrongServer naming everything that is wrong and what to set;
    StoreUnavailable, StoreRefused.
    """
    info = await link.call("INFO")
    faults = []
    if (version := _version(info)) < OLDEST:
        faults.append(f"it is version {version[0]}.{version[1]}: 7.0 or newer is needed")
    policy = info.get("maxmemory_policy", "unknown")
    if policy != "noeviction":
        faults.append(
            f"maxmemory-policy is {policy}, so results could vanish: "
            "set 'maxmemory-policy noeviction'"
        )
    if not allow_insecure:
        if not int(info.get("aof_enabled", 0)):
            faults.append("appendonly is off, so a crash could lose results: set 'appendonly yes'")
        if await _open_to_all(link):
            faults.append("it asks for no password: set 'requirepass' and put it in the URL")
    if faults:
        raise WrongServer("this Redis server cannot be used: " + "; ".join(faults))


async def ping(link: Link) -> None:
    """Raises StoreUnavailable or StoreRefused when the server does not answer well."""
    await link.call("PING")


_WRITABLE = Script("return 1")
"""Redis refuses it when it refuses writes: its memory is full, its disk fails, it is a replica."""


async def check_writable(link: Link) -> None:
    """Raises StoreUnavailable or StoreRefused when a result could not be written now."""
    await link.run(_WRITABLE)


def _version(info: dict[str, object]) -> tuple[int, int]:
    # Valkey reports the Redis version that it is compatible with.
    major, minor, *_ = str(info.get("redis_version", "0.0")).split(".")
    return int(major), int(minor)


async def _open_to_all(link: Link) -> bool:
    """Whether a client that does not log in is served."""
    stranger = link.without_password()
    try:
        with translated():
            await stranger.ping()
    except StoreRefused:
        return False
    except StoreUnavailable:
        raise
    finally:
        await stranger.aclose()
    return True
