"""Bearer tokens. Only their SHA-256 is stored, so a copy of the data lets nobody in."""

import hashlib
import secrets
from dataclasses import dataclass
from enum import StrEnum

from arbiter.store.link import Link, Script, text

PREFIX = "hrt_"
"""Marks a token as ours, so that scanners for leaked secrets can find it."""


class Role(StrEnum):
    """What a token's holder may do; services hold the table."""

    ADMIN = "admin"
    WORKER = "worker"
    BOT = "bot"


@dataclass(frozen=True, slots=True)
class Identity:
    """Who calls. ``subject``: the bot's name for role BOT, else empty."""

    role: Role
    subject: str


# Race: a token is looked up while it is revoked; it is either there or not,
# and none is ever in the index alone.
_CREATE = Script("""
local digest, role, subject = ARGV[1], ARGV[2], ARGV[3]
redis.call('HSET', key.token(digest), 'role', role, 'subject', subject)
redis.call('SADD', key.tokens(role, subject), digest)
""")

# Race: as above; the index of a ticket's own subject goes when the ticket does.
_TICKET = Script("""
local digest, role, subject, ttl = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
redis.call('HSET', key.token(digest), 'role', role, 'subject', subject)
redis.call('PEXPIRE', key.token(digest), ttl)
redis.call('SADD', key.tokens(role, subject), digest)
redis.call('PEXPIRE', key.tokens(role, subject), ttl)
""")

# Race: two calls that replace a bot's token at once must leave one, not two.
_REVOKE = Script("""
local role, subject, fresh = ARGV[1], ARGV[2], ARGV[3]
local index = key.tokens(role, subject)
local old = redis.call('SMEMBERS', index)
for _, digest in ipairs(old) do redis.call('DEL', key.token(digest)) end
redis.call('DEL', index)
if fresh ~= '' then
  redis.call('HSET', key.token(fresh), 'role', role, 'subject', subject)
  redis.call('SADD', index, fresh)
end
return #old
""")


class Tokens:
    """``store.tokens``."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def create(self, role: Role, subject: str = "") -> str:
        """A new token; this is the only time it is seen."""
        token = _draw()
        await self._link.run(_CREATE, _digest(token), role, subject)
        return token

    async def replace(self, role: Role, subject: str = "") -> str:
        """A new token; all older ones of this role and subject stop working."""
        token = _draw()
        await self._link.run(_REVOKE, role, subject, _digest(token))
        return token

    async def ticket(self, subject: str, ttl_s: float) -> str:
        """A token of role BOT for one hosted process, whose name ``subject`` is
        ("my-bot@2~b41f"). It stops working by itself after ``ttl_s`` seconds; end it before that
        with ``revoke_all(Role.BOT, subject)``."""
        token = _draw()
        await self._link.run(_TICKET, _digest(token), Role.BOT, subject, round(ttl_s * 1000))
        return token

    async def lookup(self, token: str) -> Identity | None:
        """Whose token this is; None for one that this server does not know."""
        role, subject = await self._link.call(
            "HMGET", self._link.key("token", _digest(token)), "role", "subject"
        )
        return Identity(Role(text(role)), text(subject)) if role else None

    async def keys(self, role: Role, subject: str = "") -> tuple[bytes, ...]:
        """SHA-256 of each token of this role and subject: what its holder knows too."""
        index = self._link.key("tokens", role, subject)
        return tuple(
            bytes.fromhex(text(d)) for d in sorted(await self._link.call("SMEMBERS", index))
        )

    async def revoke_all(self, role: Role, subject: str = "") -> int:
        """Make all tokens of this role and subject useless; returns how many there were."""
        return int(await self._link.run(_REVOKE, role, subject, ""))


def _draw() -> str:
    return PREFIX + secrets.token_urlsafe(32)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
