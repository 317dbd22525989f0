"""Hidden hands that fit what a seat knows, drawn for many lanes at once.

Every lane starts from one deal that fits. Then pairs of cards change places, each in a random half
of the lanes, where neither would come to a seat that cannot hold it. Such a walk forgets where it
began, and every deal that fits becomes equally likely; one step takes a microsecond for all lanes.
"""

from __future__ import annotations

from random import Random

from client_sdk.bots.playouts import COPY
from hearts.cards import SUIT


class Worlds:
    """The unseen cards by holder: the other seats, and perhaps the cards that nobody was dealt.

    `room` is how many cards each holder has, `void` the suits it cannot hold, `fixed` the cards
    that are known to be there. `held[holder][slot]` are the lanes in which it has the card.
    """

    def __init__(
        self,
        unseen: list[int],
        room: list[int],
        void: list[set[int]],
        fixed: dict[int, int],
        lanes: int,
        chance: Random,
    ) -> None:
        self.full = (1 << lanes) - 1
        self.lanes = lanes
        self.chance = chance
        self.free = [slot for slot in unseen if slot not in fixed]
        self.held: list[dict[int, int]] = [dict.fromkeys(unseen, 0) for _ in room]
        self.holders = range(len(room))
        left = list(room)
        for slot, holder in fixed.items():
            self.held[holder][slot] = self.full
            left[holder] -= 1
        for slot, holder in _place(self.free, left, void, chance).items():
            self.held[holder][slot] = self.full
        # By suit: the holders that cannot have it.
        self.without = [[h for h in self.holders if suit in void[h]] for suit in range(4)]

    def mix(self, rounds: int) -> None:
        """So many rounds of swaps: each card meets another one in each of them."""
        free = self.free
        for _ in range(rounds):
            self.chance.shuffle(free)
            for at in range(0, len(free) - 1, 2):
                self._swap(free[at], free[at + 1])

    def _swap(self, one: int, two: int) -> None:
        lanes = self.chance.getrandbits(self.lanes)
        held = self.held
        first, second = SUIT[one % COPY], SUIT[two % COPY]
        if first != second:
            wrong = 0
            for holder in self.without[first]:
                wrong |= held[holder][two]
            for holder in self.without[second]:
                wrong |= held[holder][one]
            if wrong:
                lanes &= ~wrong
        for hand in held:
            a, b = hand[one], hand[two]
            t = (a ^ b) & lanes
            if t:
                hand[one] = a ^ t
                hand[two] = b ^ t


def _place(
    cards: list[int], left: list[int], void: list[set[int]], chance: Random
) -> dict[int, int]:
    """One way to give each card a holder with room that may have it (Kuhn's algorithm).

    What cannot be placed, because the seat was told wrong, goes where there is room."""
    at: dict[int, int] = {}
    order = list(range(len(left)))

    def give(card: int, tried: set[int]) -> bool:
        for holder in order:
            if holder in tried or SUIT[card % COPY] in void[holder]:
                continue
            tried.add(holder)
            if left[holder] > 0:
                left[holder] -= 1
                at[card] = holder
                return True
            for other in [c for c, h in at.items() if h == holder]:
                if give(other, tried):
                    at[card] = holder
                    return True
        return False

    choices = [sum(suit not in seat for seat in void) for suit in range(4)]
    for card in sorted(cards, key=lambda card: choices[SUIT[card % COPY]]):
        chance.shuffle(order)
        if not give(card, set()):
            for holder in order:
                if left[holder] > 0:
                    left[holder] -= 1
                    at[card] = holder
                    break
    return at
