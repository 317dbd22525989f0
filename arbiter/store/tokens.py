"""Bearer tokens. Only their SHA-256 is stored, so a copy of the data lets nobody in."""

import hashlib
import secrets
from dataclasses import dataclass
from enum import StrEnum

from arbiter.store.link import Link, Script, number, text

PREFIX = "hrt_"
"""Marks a token as ours, so that scanners for leaked secrets can find it."""


class Role(StrEnum):
    """What a token's holder may do; services hold the table."""

    ADMIN = "admin"
    OWNER = "owner"
    WORKER = "worker"
    SPECTATOR = "spectator"
    BOT = "bot"


@dataclass(frozen=True, slots=True)
class Identity:
    """Who calls. ``subject``: the name of the owner or of what plays ("anna", "anna@2",
    "anna@2~b41f") for the roles OWNER and BOT, else empty."""

    role: Role
    subject: str


@dataclass(frozen=True, slots=True)
class TokenRow:
    """What may be told about a token: how it begins, whose it is, what it was made for and when
    (Unix ms). ``prefix`` is "" for one made without a name."""

    prefix: str
    role: Role
    subject: str
    label: str
    create_ms: int


# Race: a token is looked up while it is revoked; it is either there or not,
# and none is ever in the index alone.
_CREATE = Script("""
local digest, role, subject, prefix, label = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
redis.call('HSET', key.token(digest), 'role', role, 'subject', subject, 'prefix', prefix,
  'label', label, 'create_ms', string.format('%d', now_ms()))
redis.call('SADD', key.tokens(role, subject), digest)
redis.call('SET', key.prefix(prefix), digest)
""")

# Race: two arbiters see a new store at once; it gets one first token.
_CREATE_FIRST = Script("""
local digest, role, prefix, label = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
if redis.call('SCARD', key.tokens(role, '')) > 0 then return 0 end
redis.call('HSET', key.token(digest), 'role', role, 'subject', '', 'prefix', prefix,
  'label', label, 'create_ms', string.format('%d', now_ms()))
redis.call('SADD', key.tokens(role, ''), digest)
redis.call('SET', key.prefix(prefix), digest)
return 1
""")

# Race: it is revoked twice at once; the second finds nothing.
_REVOKE_ONE = Script("""
local prefix = ARGV[1]
local digest = redis.call('GET', key.prefix(prefix))
if not digest then return 0 end
local found = redis.call('HMGET', key.token(digest), 'role', 'subject')
redis.call('DEL', key.token(digest), key.prefix(prefix))
if found[1] then redis.call('SREM', key.tokens(found[1], found[2]), digest) end
return found[1] and 1 or 0
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
for _, digest in ipairs(old) do
  local prefix = redis.call('HGET', key.token(digest), 'prefix')
  if prefix then redis.call('DEL', key.prefix(prefix)) end
  redis.call('DEL', key.token(digest))
end
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

    async def create(self, role: Role, subject: str = "", label: str = "") -> str:
        """A new token; this is the only time it is seen. ``label``: what it is for."""
        token = draw()
        prefix = prefix_of(token)
        await self._link.run(_CREATE, _digest(token), role, subject, prefix, label)
        return token

    async def create_first(self, role: Role, token: str, label: str) -> bool:
        """Make a drawn token known, if its role has none yet; whether it was."""
        prefix = prefix_of(token)
        return bool(await self._link.run(_CREATE_FIRST, _digest(token), role, prefix, label))

    async def list(self, role: Role, subject: str = "") -> list[TokenRow]:
        """The tokens of a role and subject, the oldest first."""
        digests = await self._link.call("SMEMBERS", self._link.key("tokens", role, subject))
        rows = [await self._row(text(digest)) for digest in digests]
        return sorted((r for r in rows if r), key=lambda row: (row.create_ms, row.prefix))

    async def find(self, prefix: str) -> TokenRow | None:
        """The token that begins like this."""
        digest = await self._link.call("GET", self._link.key("prefix", prefix))
        return await self._row(text(digest)) if digest else None

    async def revoke(self, prefix: str) -> bool:
        """Make the token that begins like this useless; False when there is none."""
        return bool(await self._link.run(_REVOKE_ONE, prefix))

    async def _row(self, digest: str) -> TokenRow | None:
        found = await self._link.call("HGETALL", self._link.key("token", digest))
        if not found:  # race: revoked, or run out, since it was listed
            return None
        return TokenRow(
            text(found.get(b"prefix")),
            Role(text(found[b"role"])),
            text(found[b"subject"]),
            text(found.get(b"label")),
            number(found.get(b"create_ms")),
        )

    async def replace(self, role: Role, subject: str = "") -> str:
        """A new token; all older ones of this role and subject stop working."""
        token = draw()
        await self._link.run(_REVOKE, role, subject, _digest(token))
        return token

    async def ticket(self, subject: str, ttl_s: float) -> str:
        """A token of role BOT for one hosted process, whose name ``subject`` is
        ("my-bot@2~b41f"). It stops working by itself after ``ttl_s`` seconds; end it before that
        with ``revoke_all(Role.BOT, subject)``."""
        token = draw()
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


def prefix_of(token: str) -> str:
    """How a token begins: enough to tell it from others, of no use to anybody else."""
    return token[: len(PREFIX) + 8]


def draw() -> str:
    """A new token, which nobody knows yet: 256 bits of chance."""
    return PREFIX + secrets.token_urlsafe(32)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
