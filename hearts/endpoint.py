"""How the two sides of an endpoint's stream prove who they are, without sending a secret.

Both know SHA-256 of the bot's token: the bot has the token, the arbiter keeps that hash. Each side
sends an HMAC over what is new in this call, so whoever answers at the address, or listens on the
way, learns nothing that can be used again. docs/protocol.md has the same in words.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

CLOCK_SECONDS = 120
"""How far the clocks of the two sides may differ."""
NONCE_DIGITS = 32


class Side(StrEnum):
    """Who proves itself."""

    ARBITER = "arbiter"
    BOT = "bot"


@dataclass(frozen=True, slots=True)
class Challenge:
    """What is new in a call. `bot`: "bots/NAME"; `time`: seconds since 1970."""

    bot: str
    time: int
    nonce: str

    @classmethod
    def fresh(cls, bot: str, now: float) -> Challenge:
        """One for a call that begins now (seconds since 1970)."""
        return cls(bot, int(now), secrets.token_hex(NONCE_DIGITS // 2))

    def proof(self, key: bytes, side: Side) -> str:
        """What that side sends, as 64 hexadecimal digits."""
        text = f"hearts-endpoint-1\n{side}\n{self.bot}\n{self.time}\n{self.nonce}"
        return hmac.digest(key, text.encode(), "sha256").hex()

    def proven(self, keys: Iterable[bytes], side: Side, proofs: Iterable[str]) -> bool:
        """Whether one of the proofs was made with one of the keys."""
        given = [proof.encode("utf-8", "replace") for proof in proofs]
        right = [self.proof(key, side).encode() for key in keys]
        return any(hmac.compare_digest(one, other) for one in given for other in right)


def key_of(token: str) -> bytes:
    """The key that both sides know."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
