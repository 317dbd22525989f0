"""Shuffles that anyone can recompute: construction 2, told in full in docs/rules.md.

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
from operator import lt, mod
from typing import Final, NamedTuple

from hearts import cards
from hearts.decisions import Phase
from hearts.rules import FirstDealer, RuleSet

#: Version of the construction; it stands in every text that is hashed.
VERSION: Final = 2
SECRET_BYTES: Final = 32

#: A SHA-512 digest as 32 words of 16 bits, big-endian.
_BLOCK_WORDS: Final = 32
_ALL_WORDS: Final = 1 << 16


def new_secret() -> bytes:
    """A fresh secret from the operating system's random source."""
    return secrets.token_bytes(SECRET_BYTES)


def commitment(secret: bytes) -> str:
    """What to publish before the first deal: the SHA-256 of the secret, in hex."""
    return hashlib.sha256(secret).hexdigest()


def permute(seed: bytes, items: Sequence[int]) -> list[int]:
    """The items in the order that the seed gives them.

    Fisher-Yates as cards are drawn: while n > 1 items are left, the next word mod n says which of
    them, counted from 0, is taken out and comes next; the last one comes last. Words are those of
    SHA-512(seed + block number as 4 bytes, big-endian), blocks 0, 1, ...; an attempt takes as many
    whole blocks as it needs. A word at or above the highest multiple of n would favour low places:
    then the attempt is given up, and the next one starts anew with the next blocks.
    """
    steps = _steps(len(items))
    for attempt in count():
        words = steps.unpack(_stream(seed, attempt * steps.blocks, steps.blocks))
        # Nearly always even the highest word is below the lowest limit.
        if max(words, default=0) < steps.lowest_limit or all(map(lt, words, steps.limits)):
            left = list(items)
            return [*map(left.pop, map(mod, words, steps.sizes)), *left]
    raise AssertionError("unreachable")


def _stream(seed: bytes, first: int, blocks: int) -> bytes:
    sha512 = hashlib.sha512
    numbers = range(first, first + blocks)
    return b"".join([sha512(seed + number.to_bytes(4, "big")).digest() for number in numbers])


class _Steps(NamedTuple):
    """What shuffling n items takes."""

    #: How many are left at each step: n, n - 1, ..., 2.
    sizes: tuple[int, ...]
    #: The highest multiple of each size that words can reach.
    limits: tuple[int, ...]
    lowest_limit: int
    #: Blocks of an attempt, and what reads one word a step from them.
    blocks: int
    unpack: Callable[[bytes], tuple[int, ...]]


@cache
def _steps(count: int) -> _Steps:
    sizes = tuple(range(count, 1, -1))
    limits = tuple(_ALL_WORDS - _ALL_WORDS % size for size in sizes)
    blocks = -(-len(sizes) // _BLOCK_WORDS)
    unused = 2 * (blocks * _BLOCK_WORDS - len(sizes))
    unpack = struct.Struct(f">{len(sizes)}H{unused}x").unpack
    return _Steps(sizes, limits, min(limits, default=0), blocks, unpack)


@lru_cache(maxsize=256)
def _pack(decks: int, jokers: int, remove: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(cards.pack(decks, jokers, remove))


@lru_cache(maxsize=64)
def _hmac_states(secret: bytes) -> tuple["hashlib._Hash", "hashlib._Hash"]:
    """SHA-256 after what every seed hashes first, inside and outside: copying halves the cost."""
    key = secret.ljust(64, b"\0")
    inner, outer = (hashlib.sha256(bytes(byte ^ pad for byte in key)) for pad in (0x36, 0x5C))
    inner.update(f"hearts/{VERSION}/".encode())
    return inner, outer


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
        """HMAC-SHA256 of "hearts/2/" + purpose under the secret."""
        inner, outer = _hmac_states(self.secret)
        inside = inner.copy()
        inside.update(purpose.encode())
        outside = outer.copy()
        outside.update(inside.digest())
        return outside.digest()

    def shuffle(self, rules: RuleSet, deal: int, redeal: int = 0) -> list[int]:
        """The whole pack in the order it is dealt, for a deal (from 0) and a redeal of it."""
        pack = _pack(rules.decks, rules.jokers, rules.remove)
        return permute(self.seed(f"shuffle/{self.number}/{deal}/{redeal}"), pack)

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
            fresh = _pack(rules.decks, rules.jokers, rules.remove)
            pack = permute(self.seed(f"cut/{self.number}/{cut}"), fresh)
            ranks = [cards.rank(card) for card in pack[: len(seats)]]
            lowest = min(ranks)
            seats = [seat for seat, rank in zip(seats, ranks, strict=True) if rank == lowest]
            cut += 1
        return seats[0]

    def first_pass_index(self, rules: RuleSet) -> int:
        """Where in the pass cycle its first deal stands."""
        return self.number % len(rules.pass_cycle)

    def turn_seed(self, seat: int, deal: int, phase: Phase, trick: int) -> int:
        """64 bits for a bot's own randomness at one decision; they tell nothing about the cards.

        `trick` counts from 1; it means nothing outside PLAY.
        """
        at = seed_offset(phase, trick)
        return int.from_bytes(self.turn_seeds(seat, deal)[at : at + _TURN_BYTES], "big")

    def turn_seeds(self, seat: int, deal: int) -> bytes:
        """The seeds of a seat's decisions in a deal, one after the other: see `seed_offset`."""
        return _stream(self.seed(f"turn/{self.number}/{seat}/{deal}"), 0, _TURN_BLOCKS)


def seed_offset(phase: Phase, trick: int) -> int:
    """Where a decision's 8 bytes stand in its seat's `turn_seeds`; `trick` is as in `turn_seed`."""
    return _TURN_BYTES * (1 + trick if phase == _PLAY else phase == _MOON_CHOICE)


#: Of a seat's stream in a deal: 8 bytes for the pass, 8 for the moon choice, then 8 a trick.
_TURN_BYTES: Final = 8
#: Enough for the 35 tricks of three players with two packs and jokers.
_TURN_BLOCKS: Final = 5
_PLAY: Final = Phase.PLAY
_MOON_CHOICE: Final = Phase.MOON_CHOICE
