"""Shuffles: the golden vectors, an independent reading of the construction, and fairness."""

import hashlib
import hmac
import os
from collections import Counter
from itertools import count

import pytest

from hearts.cards import codes, rank
from hearts.decisions import Phase
from hearts.game import deal_out
from hearts.rules import RuleSet, preset
from hearts.shuffle import Board, commitment, new_secret, permute

SECRET = bytes(range(32))
DEEP = bool(os.environ.get("HEARTS_DEEP"))


def reference_seed(secret: bytes, text: str) -> bytes:
    return hmac.new(secret, b"hearts/2/" + text.encode(), hashlib.sha256).digest()


def reference_block(seed: bytes, number: int) -> bytes:
    return hashlib.sha512(seed + number.to_bytes(4, "big")).digest()


def reference_shuffle(secret: bytes, text: str, pack: list[int]) -> list[int]:
    """The construction as docs/rules.md tells it, with nothing but the standard tools."""
    seed = reference_seed(secret, text)
    need = (len(pack) - 1 + 31) // 32
    for attempt in count():
        stream = b""
        for block in range(attempt * need, (attempt + 1) * need):
            stream += reference_block(seed, block)
        order: list[int] = []
        for k, left in enumerate(range(len(pack), 0, -1)):
            word = stream[2 * k] * 256 + stream[2 * k + 1] if left > 1 else 0
            if word >= 65536 // left * left:
                break
            rest = list(pack)
            for card in order:
                rest.remove(card)
            order.append(rest[word % left])
        else:
            return order
    raise AssertionError


#: (preset, board, deal, redeal) and the first cards of the shuffled pack. These never change: a
#: published secret must give the same deals for ever (LR03).
GOLDEN = [
    ("standard", 0, 0, 0, "KC 5C 2H QS JC 4C 4D 3C 5D AD 9D QD 4H"),
    ("standard", 0, 1, 0, "7H 9C 4H 7S 3S 2C 3H TS AH 9H 8C JH 2S"),
    ("standard", 7, 0, 2, "6C KD TH 9S QD 6H AH TD 2H JH 7C 2C 7D"),
    ("cancellation_10", 3, 4, 0, "7S 6D KH TH 4C AC TD TS TH KC 6S 9D 2H"),
    ("six_player_jokers", 1, 0, 0, "9S 2H AC TS KS 6D KC 3S QD KD 5S QH 5C"),
]


@pytest.mark.parametrize(("name", "board", "deal", "redeal", "first"), GOLDEN)
def test_golden_vectors(name: str, board: int, deal: int, redeal: int, first: str) -> None:
    """LR03."""
    pack = Board(SECRET, board).shuffle(preset(name), deal, redeal)
    assert codes(pack[:13]) == first


def test_golden_turn_seed_and_commitment() -> None:
    """LR03."""
    assert Board(SECRET, 5).turn_seed(2, 3, Phase.PASS, 0) == 0x646F1E1755E895DE
    assert Board(SECRET, 5).turn_seed(2, 3, Phase.MOON_CHOICE, 0) == 0xFAA750F03C6F6893
    assert Board(SECRET, 5).turn_seed(2, 3, Phase.PLAY, 7) == 0x3C389E97E04C2B8B
    assert commitment(SECRET) == hashlib.sha256(SECRET).hexdigest()


@pytest.mark.parametrize("name", ["standard", "five_player", "cancellation_8", "six_player_jokers"])
def test_the_construction_is_what_the_document_says(name: str) -> None:
    """LR03."""
    rules = preset(name)
    for deal in range(150):
        ours = Board(SECRET, 9).shuffle(rules, deal)
        assert ours == reference_shuffle(SECRET, f"shuffle/9/{deal}/0", rules.pack())


def test_attempts_that_are_given_up() -> None:
    """LR03, FS04: the construction holds for exactly the shuffles that need a second attempt."""
    pack = preset("standard").pack()
    second = 0
    for deal in range(1_000):
        seed = Board(SECRET, 9).seed(f"shuffle/9/{deal}/0")
        stream = reference_block(seed, 0) + reference_block(seed, 1)
        words = [int.from_bytes(stream[2 * k : 2 * k + 2], "big") for k in range(51)]
        if any(w >= 65536 - 65536 % n for w, n in zip(words, range(52, 1, -1), strict=True)):
            second += 1
            theirs = reference_shuffle(SECRET, f"shuffle/9/{deal}/0", pack)
            assert Board(SECRET, 9).shuffle(preset("standard"), deal) == theirs
    assert second > 3


def test_every_board_deal_and_redeal_is_another_shuffle() -> None:
    """FS05, FS06."""
    rules = preset("standard")
    seen = {
        tuple(Board(secret, board).shuffle(rules, deal, redeal))
        for secret in (SECRET, bytes(32))
        for board in range(20)
        for deal in range(20)
        for redeal in range(4)
    }
    assert len(seen) == 2 * 20 * 20 * 4


def test_the_cards_do_not_depend_on_options_of_play() -> None:
    one = Board(SECRET, 3).shuffle(preset("standard"), 0)
    assert one == Board(SECRET, 3).shuffle(preset("omnibus"), 0)


def test_secrets_have_256_bits_and_do_not_show() -> None:
    """FS01, FS06."""
    assert len(new_secret()) == 32
    assert new_secret() != new_secret()
    assert SECRET.hex() not in repr(Board(SECRET, 1))
    with pytest.raises(ValueError, match="32 bytes"):
        Board(b"short", 0)
    with pytest.raises(ValueError, match="numbered from 0"):
        Board(SECRET, -1)


#: What is asked of a seat in one deal of 35 tricks, the most there are.
DECISIONS = [(Phase.PASS, 0), (Phase.MOON_CHOICE, 0), *((Phase.PLAY, t) for t in range(1, 36))]


def test_turn_seeds_are_what_the_document_says() -> None:
    """LR03."""
    for board, seat, deal in ((0, 0, 0), (5, 2, 3), (12, 9, 199)):
        seed = reference_seed(SECRET, f"turn/{board}/{seat}/{deal}")
        stream = b"".join(reference_block(seed, number) for number in range(5))
        for place, (phase, trick) in enumerate(DECISIONS):
            theirs = int.from_bytes(stream[8 * place : 8 * place + 8], "big")
            assert Board(SECRET, board).turn_seed(seat, deal, phase, trick) == theirs


def test_turn_seeds_differ_by_every_argument_and_fit_64_bits() -> None:
    seeds = {
        Board(secret, board).turn_seed(seat, deal, phase, trick)
        for secret in (SECRET, bytes(32))
        for board in range(3)
        for seat in range(4)
        for deal in range(3)
        for phase, trick in DECISIONS
    }
    assert len(seeds) == 2 * 3 * 4 * 3 * len(DECISIONS)
    assert all(0 <= seed < 1 << 64 for seed in seeds)


def test_the_first_dealer() -> None:
    seat0 = RuleSet.from_options({"first_dealer": "seat0"})
    assert {Board(SECRET, b).first_dealer(seat0) for b in range(20)} == {0}
    for name in ("standard", "swedish", "three_player", "cancellation_10"):
        rules = preset(name)
        boards = 300 * rules.players
        dealers = Counter(Board(SECRET, b).first_dealer(rules) for b in range(boards))
        assert set(dealers) == set(range(rules.players))
        assert all(200 < times < 400 for times in dealers.values())


def test_low_card_deals_and_ties_cut_again() -> None:
    rules = preset("swedish")
    tied = 0
    for board in range(50):
        pack = reference_shuffle(SECRET, f"cut/{board}/0", rules.pack())
        ranks = [rank(card) for card in pack[:4]]
        lowest = [seat for seat in range(4) if ranks[seat] == min(ranks)]
        dealer = Board(SECRET, board).first_dealer(rules)
        assert dealer in lowest
        tied += len(lowest) > 1
    assert tied > 0


def test_the_first_pass_index_goes_round_the_cycle() -> None:
    rules = preset("five_player")
    assert [Board(SECRET, b).first_pass_index(rules) for b in range(7)] == [0, 1, 2, 3, 4, 0, 1]


def test_small_shuffles() -> None:
    assert permute(bytes(32), [5]) == [5]
    assert permute(bytes(32), []) == []
    orders = Counter(
        tuple(permute(bytes([n, m] + [0] * 30), [1, 2, 3])) for n in range(60) for m in range(100)
    )
    assert len(orders) == 6
    assert all(900 < times < 1100 for times in orders.values())


def test_every_card_comes_to_every_place_equally_often() -> None:
    """FS04: chi-square over card × place, and over card × seat."""
    rules = preset("standard")
    deals = 200_000 if DEEP else 5_000
    board = Board(SECRET, 0)
    place = Counter[tuple[int, int]]()
    seat = Counter[tuple[int, int]]()
    for deal in range(deals):
        pack = board.shuffle(rules, deal)
        place.update(enumerate(pack))
        for who, hand in enumerate(deal_out(rules, pack)[0]):
            seat.update((who, card) for card in hand)
    for table, cells, freedom in ((place, 52 * 52, 51 * 51), (seat, 4 * 52, 3 * 51)):
        expected = deals * 52 / cells
        assert len(table) == cells
        chi = sum((seen - expected) ** 2 / expected for seen in table.values())
        # Mean is the freedom, its standard deviation the root of twice that; 5 of them.
        assert abs(chi - freedom) < 5 * (2 * freedom) ** 0.5
