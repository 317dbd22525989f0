"""Hidden hands drawn by the searcher fit all that is known, and are all equally likely."""

from __future__ import annotations

from collections import Counter
from random import Random

from client_sdk.bots.worlds import Worlds
from hearts.cards import CLUBS, SPADES, SUIT, cards

UNSEEN = cards("2C 3C 4C 5C 2D 3D 4D 2H 3H 4H 2S 3S QS KS AS")


def drawn(worlds: Worlds, lane: int) -> tuple[frozenset[int], ...]:
    return tuple(
        frozenset(slot for slot, lanes in hand.items() if lanes >> lane & 1) for hand in worlds.held
    )


def test_shown_voids_passed_cards_and_hand_sizes_are_kept_in_every_lane() -> None:
    queen = cards("QS")[0]
    void: list[set[int]] = [{SPADES}, set(), {CLUBS}]
    worlds = Worlds(UNSEEN, [4, 6, 5], void, {queen: 2}, 300, Random(1))
    worlds.mix(10)
    for lane in range(300):
        hands = drawn(worlds, lane)
        assert [len(hand) for hand in hands] == [4, 6, 5]
        assert frozenset().union(*hands) == frozenset(UNSEEN)
        assert queen in hands[2]
        assert all(SUIT[slot] not in void[h] for h, hand in enumerate(hands) for slot in hand)


def test_every_deal_that_fits_is_drawn_equally_often() -> None:
    """Two seats of two cards, one of them void in spades: three deals fit."""
    worlds = Worlds(cards("2C 3C 2D AS"), [2, 2], [{SPADES}, set()], {}, 6000, Random(7))
    worlds.mix(10)
    found = Counter(drawn(worlds, lane)[0] for lane in range(6000))
    assert len(found) == 3
    assert all(1850 < count < 2150 for count in found.values())


def test_the_seed_decides_the_hands() -> None:
    def made(seed: int) -> list[dict[int, int]]:
        worlds = Worlds(UNSEEN, [5, 5, 5], [set(), set(), set()], {}, 50, Random(seed))
        worlds.mix(10)
        return worlds.held

    assert made(1) == made(1)
    assert made(1) != made(2)
