"""Shuffles that anyone can recompute: construction 1, told in full in docs/rules.md.

Everything random about a match follows from a secret of 32 bytes and the number of its board.
For each purpose a seed is the HMAC-SHA256 of a short text under the secret; a seed gives a stream
of bytes, and the stream a Fisher-Yates shuffle without modulo bias.
"""

import hashlib
import secrets
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import count
from typing import Final

from hearts import cards
from hearts.decisions import Phase
from hearts.rules import FirstDealer, RuleSet

#: Version of the construction; it stands in every text that is hashed.
VERSION: Final = 1
SECRET_BYTES: Final = 32

#: A SHA-256 digest as 16 words of 16 bits, big-endian.
_BLOCK_WORDS: Final = 16
_ALL_WORDS: Final = 1 << 16


def new_secret() -> bytes:
    """A fresh secret from the operating system's random source."""
    return secrets.token_bytes(SECRET_BYTES)


def commitment(secret: bytes) -> str:
    """What to publish before the first deal: the SHA-256 of the secret, in hex."""
    return hashlib.sha256(secret).hexdigest()


def permute(seed: bytes, items: Sequence[int]) -> list[int]:
    """The items in the order that the seed gives them.

    Fisher-Yates from the end: for i = n-1 down to 1 swap places i and j, where j is the next word
    mod (i + 1). Words are those of SHA-256(seed + block number as 4 bytes, big-endian), blocks 0,
    1, ...; an attempt takes as many whole blocks as it needs. A word at or above the highest
    multiple of i + 1 would favour low places: then the attempt is given up, and the next one
    starts from the items as given, with the next blocks.
    """
    steps, blocks, unpack = _steps(len(items))
    sha256 = hashlib.sha256
    for attempt in count():
        stream = [sha256(seed + number).digest() for number in _block_numbers(attempt, blocks)]
        result = list(items)
        for (i, size, limit), word in zip(steps, unpack(b"".join(stream)), strict=False):
            if word >= limit:
                break
            j = word % size
            result[i], result[j] = result[j], result[i]
        else:
            return result
    raise AssertionError("unreachable")


_Steps = tuple[list[tuple[int, int, int]], int, Callable[[bytes], tuple[int, ...]]]


@cache
def _steps(count: int) -> _Steps:
    """For n items: (i, i + 1, limit) of each step, blocks for an attempt, their reader."""
    steps = [(i, i + 1, _ALL_WORDS - _ALL_WORDS % (i + 1)) for i in range(count - 1, 0, -1)]
    blocks = -(-len(steps) // _BLOCK_WORDS)
    return steps, blocks, struct.Struct(f">{blocks * _BLOCK_WORDS}H").unpack


@lru_cache(maxsize=256)
def _block_numbers(attempt: int, blocks: int) -> list[bytes]:
    first = attempt * blocks
    return [number.to_bytes(4, "big") for number in range(first, first + blocks)]


@lru_cache(maxsize=256)
def _pack(rules: RuleSet) -> tuple[int, ...]:
    return tuple(rules.pack())


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
        return permute(self.seed(f"shuffle/{self.number}/{deal}/{redeal}"), _pack(rules))

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
            pack = permute(self.seed(f"cut/{self.number}/{cut}"), _pack(rules))
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
