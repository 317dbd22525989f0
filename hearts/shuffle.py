"""Shuffles that anyone can recompute: construction 1, told in full in docs/rules.md.

Everything random about a match follows from a secret of 32 bytes and the number of its board.
For each purpose a seed is the HMAC-SHA256 of a short text under the secret; a seed gives a stream
of bytes, and the stream a Fisher-Yates shuffle without modulo bias.
"""

import hashlib
import secrets
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from hearts import cards
from hearts.decisions import Phase
from hearts.rules import FirstDealer, RuleSet

#: Version of the construction; it stands in every text that is hashed.
VERSION: Final = 1
SECRET_BYTES: Final = 32

_WORDS: Final = struct.Struct(">16H")
_ALL_WORDS: Final = 1 << 16


def new_secret() -> bytes:
    """A fresh secret from the operating system's random source."""
    return secrets.token_bytes(SECRET_BYTES)


def commitment(secret: bytes) -> str:
    """What to publish before the first deal: the SHA-256 of the secret, in hex."""
    return hashlib.sha256(secret).hexdigest()


def permute(seed: bytes, items: Sequence[int]) -> list[int]:
    """The items in the order that the seed gives them.

    Fisher-Yates from the end: for i = n-1 down to 1 swap places i and j, j uniform in 0..i. Words
    of 16 bits (big-endian) come from SHA-256(seed + counter as 4 bytes), counter 0, 1, 2, ...;
    j is word mod (i + 1), and a word at or above the highest multiple of i + 1 is skipped.
    """
    result = list(items)
    words = _stream(seed)
    for i in range(len(result) - 1, 0, -1):
        size = i + 1
        word = next(words)
        while word >= _ALL_WORDS - _ALL_WORDS % size:
            word = next(words)
        j = word % size
        result[i], result[j] = result[j], result[i]
    return result


def _stream(seed: bytes) -> Iterator[int]:
    counter = 0
    while True:
        yield from _WORDS.unpack(hashlib.sha256(seed + counter.to_bytes(4, "big")).digest())
        counter += 1


@lru_cache(maxsize=64)
def _hmac_pads(secret: bytes) -> tuple["hashlib._Hash", "hashlib._Hash"]:
    """SHA-256 states after the two key blocks of HMAC: copying them halves the cost of a seed."""
    key = secret.ljust(64, b"\0")
    inner, outer = (bytes(byte ^ pad for byte in key) for pad in (0x36, 0x5C))
    return hashlib.sha256(inner), hashlib.sha256(outer)


@dataclass(frozen=True, slots=True)
class Board:
    """A shuffle that may be replayed with the seats rotated: one secret, one number (from 0).

    The secret never shows in `repr`. Raises ValueError for a secret of another length.
    """

    secret: bytes
    number: int

    def __post_init__(self) -> None:
        if len(self.secret) != SECRET_BYTES:
            raise ValueError(f"a secret has {SECRET_BYTES} bytes, not {len(self.secret)}")
        if self.number < 0:
            raise ValueError(f"board {self.number}: boards are numbered from 0")

    def __repr__(self) -> str:
        return f"Board(number={self.number})"

    def seed(self, purpose: str) -> bytes:
        """HMAC-SHA256 of "hearts/1/" + purpose under the secret."""
        inner, outer = _hmac_pads(self.secret)
        inside = inner.copy()
        inside.update(f"hearts/{VERSION}/{purpose}".encode())
        outside = outer.copy()
        outside.update(inside.digest())
        return outside.digest()

    def shuffle(self, rules: RuleSet, deal: int, redeal: int = 0) -> list[int]:
        """The whole pack in the order it is dealt, for a deal (from 0) and a redeal of it."""
        return permute(self.seed(f"shuffle/{self.number}/{deal}/{redeal}"), rules.pack())

    def first_dealer(self, rules: RuleSet) -> int:
        """The seat that deals the first deal."""
        match rules.first_dealer:
            case FirstDealer.SEAT0:
                return 0
            case FirstDealer.RANDOM:
                return permute(self.seed(f"dealer/{self.number}"), range(rules.players))[0]
            case FirstDealer.LOW_CARD:
                return self._cut(rules)

    def _cut(self, rules: RuleSet) -> int:
        """Each seat cuts one card of a fresh shuffle; the lowest rank deals, ties cut again."""
        seats = list(range(rules.players))
        cut = 0
        while len(seats) > 1:
            pack = permute(self.seed(f"cut/{self.number}/{cut}"), rules.pack())
            ranks = [cards.rank(card) for card in pack[: len(seats)]]
            lowest = min(ranks)
            seats = [seat for seat, rank in zip(seats, ranks, strict=True) if rank == lowest]
            cut += 1
        return seats[0]

    def first_pass_index(self, rules: RuleSet) -> int:
        """Where in the pass cycle its first deal stands."""
        return self.number % len(rules.pass_cycle)

    def turn_seed(self, seat: int, deal: int, phase: Phase, trick: int) -> int:
        """64 bits for a bot's own randomness at one decision; they tell nothing about the cards."""
        purpose = f"turn/{self.number}/{seat}/{deal}/{phase:d}/{trick}"
        return int.from_bytes(self.seed(purpose)[:8], "big")
