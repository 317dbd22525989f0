"""The store's one way to Redis: commands, pipelines and scripts, errors translated."""

import hashlib
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import redis.asyncio
from redis import exceptions
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff, NoBackoff

from arbiter.store.batch import Argument, Batch
from arbiter.store.errors import StoreRefused, StoreUnavailable
from arbiter.store.keys import Keys

TIMEOUT_S = 5.0
"""For one command, and for connecting."""

CONNECTIONS = 16
"""At most, for one process."""

_REFUSALS = ("OOM", "MISCONF", "READONLY", "NOAUTH", "WRONGPASS", "NOPERM", "NOREPLICAS")

# In every script: the namespace's keys, and Redis's own clock. Workers' clocks
# may differ by minutes; a lease must mean the same to all.
_PRELUDE = """
local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
"""


@dataclass(frozen=True, slots=True)
class Script:
    """A Lua script, run as one indivisible step.

    The header line makes Redis refuse the whole script before its first write
    when memory is full or the disk fails, so that it is never half done.
    ``flags``: "no-writes" for one that reads, "allow-oom" for one that must run
    when memory is full and needs no more of it.
    """

    body: str
    flags: str = ""


@contextmanager
def translated() -> Iterator[None]:
    """Redis's exceptions as the store's, never with the password in the text."""
    try:
        yield
    except exceptions.AuthenticationError as error:
        raise StoreRefused(f"Redis refuses our password: {error}") from error
    except (exceptions.ConnectionError, exceptions.TimeoutError, OSError) as error:
        raise StoreUnavailable(f"Redis cannot be reached: {error}") from error
    except exceptions.ResponseError as error:
        if isinstance(error, (exceptions.OutOfMemoryError, exceptions.ReadOnlyError)) or any(
            word in str(error)[:60] for word in _REFUSALS
        ):
            raise StoreRefused(f"Redis refuses: {error}") from error
        raise


class Link:
    """A connection pool, the key maker and the scripts. Belongs to one event loop."""

    def __init__(self, url: str, keys: Keys) -> None:
        self.key = keys
        # Blocking: a burst of commits waits for a connection, it does not fail.
        self._pool = redis.asyncio.BlockingConnectionPool.from_url(
            url,
            max_connections=CONNECTIONS,
            timeout=TIMEOUT_S,
            protocol=2,
            socket_timeout=TIMEOUT_S,
            socket_connect_timeout=TIMEOUT_S,
            # Every write of the store may be repeated, so a broken connection
            # is simply tried again.
            retry=Retry(ExponentialBackoff(cap=0.5, base=0.05), 3),
            health_check_interval=15,
        )
        self._redis = redis.asyncio.Redis.from_pool(self._pool)
        self._execute: Callable[..., Awaitable[Any]] = self._redis.execute_command
        self._batch = Batch(self._redis)
        self._prelude = keys.lua() + _PRELUDE
        self._prepared: dict[Script, tuple[str, str]] = {}

    async def close(self) -> None:
        """Close all connections; what is under way fails as StoreUnavailable."""
        await self._batch.close()
        await self._redis.aclose()

    async def call(self, *command: Argument) -> Any:
        """Run one command."""
        with translated():
            return await self._execute(*command)

    async def many(self, commands: Sequence[Sequence[Argument]]) -> list[Any]:
        """Run commands in one round trip; others may come in between."""
        if not commands:
            return []
        with translated():
            async with self._redis.pipeline(transaction=False) as pipe:
                for command in commands:
                    pipe.execute_command(*command)
                return list(await pipe.execute())

    async def run(self, script: Script, *arguments: Argument) -> Any:
        """Run a script with ARGV = arguments.

        Scripts that are asked for while others are under way go out together
        next: measured on 64 commits at once, a seventh of the processor time.
        """
        with translated():
            try:
                return await self._batch.run(self._prepare(script)[1], arguments)
            except exceptions.NoScriptError:  # the server is new or was restarted
                return await self._execute("EVAL", self._prepare(script)[0], 0, *arguments)

    def without_password(self) -> redis.asyncio.Redis:
        """A client of the same server that does not log in; the caller closes it."""
        pool = self._pool
        options = {
            name: value
            for name, value in pool.connection_kwargs.items()
            if name not in ("username", "password", "credential_provider")
        }
        options["retry"] = Retry(NoBackoff(), 0)  # being refused is what it is for
        bare = redis.asyncio.ConnectionPool(connection_class=pool.connection_class, **options)
        return redis.asyncio.Redis.from_pool(bare)

    def _prepare(self, script: Script) -> tuple[str, str]:
        """The script's whole text and the name under which Redis keeps it."""
        if script in self._prepared:
            return self._prepared[script]
        header = f"#!lua flags={script.flags}\n" if script.flags else "#!lua\n"
        text = header + self._prelude + script.body
        # Redis names scripts by SHA-1; nothing secret depends on it.
        sha = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()
        self._prepared[script] = (text, sha)
        return text, sha


def text(value: bytes | None) -> str:
    """A reply as text; nothing is the empty text."""
    return "" if value is None else value.decode()


def number(value: bytes | None) -> int:
    """A reply as a whole number; nothing is 0."""
    return 0 if value is None else int(value)
