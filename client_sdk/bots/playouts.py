"""Many deals played out at once, in plain Python: one bit of an integer for each of them.

A *lane* is one deal that is played out. Where a seat holds a card is one integer for all lanes:
bit i says whether it does in lane i. So one `&` decides something in a thousand deals, and a
thousand playouts take about as long as twenty would one by one.

Hands are kept by *position*: 0 leads the trick. After each trick the positions are turned in each
lane until its winner is 0. A card is a *slot*: its number, and with two packs that + 54 for the
second copy. Two slots that are no cards travel along with each hand: ME and TOOK.

The policy is that of `duck`, a little wiser: see `_lead`, `_follow` and `_discard`. Where rules are
odd the playouts are played by simpler ones: a cancelled card ranks like any other, leftover cards
count for nobody.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from hearts.cards import HEARTS, LAST, QUEEN_OF_SPADES, SPADES, SUIT, rank
from hearts.plan import plan_for

if TYPE_CHECKING:
    from hearts.rules import RuleSet

COPY = LAST + 1
"""What the second copy of a card adds to its slot."""
SLOTS = 2 * COPY
ME = 0
"""Slot: lanes in which the own seat sits in this position."""
TOOK = COPY
"""Slot: lanes in which the seat in this position has taken a penalty card."""

OWN_MOON = 1.0
"""What an own moon takes off, in parts of the penalty points. 2 would be right if the other seats
of a playout defended against it; they do not."""

Hand = list[int]
"""By slot: the lanes in which it is there."""


class Scene:
    """What the rules mean for playouts. Make one with `scene_for`."""

    def __init__(self, rules: RuleSet) -> None:
        plan = plan_for(rules)
        self.players = rules.players
        self.cost = [0] * SLOTS
        self.suits: list[list[int]] = [[], [], [], []]
        seen = [0] * COPY
        for card in rules.pack():
            slot = card + COPY * (seen[card] % 2)
            seen[card] += 1
            self.cost[slot] = plan.points.points[card]
            self.suits[SUIT[card]].append(slot)
        self.penalties = [slot for slot in range(SLOTS) if self.cost[slot] > 0]
        self.bonuses = [slot for slot in range(SLOTS) if self.cost[slot] < 0]
        self.total = sum(self.cost[slot] for slot in self.penalties)
        self.breaks = [slot for suit in self.suits for slot in suit if plan.breaks[slot % COPY]]
        self.broken = plan.broken
        self.late = plan.hand_size * 9 // 13
        self.barred = {slot for suit in self.suits for slot in suit if slot % COPY in plan.barred}
        self.moon = rules.moon != "off"
        self.discards = sorted(
            (slot for suit in self.suits for slot in suit), key=self._unwanted, reverse=True
        )
        self.leads = sorted(
            (slot for suit in self.suits for slot in suit),
            key=lambda slot: rank(slot % COPY) + 0.5 * (SUIT[slot % COPY] == HEARTS),
        )

    def _unwanted(self, slot: int) -> float:
        """How glad a hand is to throw the card where it cannot follow."""
        card = slot % COPY
        unwanted = rank(card) + 3.0 * self.cost[slot]
        if SUIT[card] == HEARTS and self.cost[slot]:
            unwanted = rank(card) + 5.0
        return unwanted


@lru_cache(maxsize=64)
def scene_for(rules: RuleSet) -> Scene:
    """The scene of a rule set."""
    return Scene(rules)


class Playout:
    """One batch of lanes: set the hands, then `start` the trick in progress and `run`."""

    def __init__(
        self, scene: Scene, lanes: int, hands: list[Hand], broken: bool, table: list[int]
    ) -> None:
        self.scene = scene
        self.full = (1 << lanes) - 1
        self.hands = hands
        self.broken = self.full if broken or scene.broken else 0
        self.got = [0] * SLOTS
        self.played = [0] * SLOTS
        self.won = [0] * scene.players
        self.led = [0] * 4
        self.late = scene.late
        self.clean = 0
        # Only cards that lie on the table or that somebody holds in some lane matter.
        self.suits = [
            [c for c in suit if c in table or any(hand[c] for hand in hands)]
            for suit in scene.suits
        ]
        self.falling = [suit[::-1] for suit in self.suits]
        alive = {slot for suit in self.suits for slot in suit}
        self.cards = [slot for suit in self.suits for slot in suit]
        self.discards = [slot for slot in scene.discards if slot in alive]
        self.leads = [slot for slot in scene.leads if slot in alive]
        self.penalties = [slot for slot in scene.penalties if slot in alive]
        self.breaks = [slot for slot in scene.breaks if slot in alive]
        self.dear = [
            sorted(
                (c for c in suit if scene.cost[c] > 0 and SUIT[c % COPY] != HEARTS),
                key=lambda slot: -scene.cost[slot],
            )
            for suit in self.suits
        ]
        self.bonus = [[c for c in suit if scene.cost[c] < 0] for suit in self.suits]
        self.cheap = [
            [c for c in suit if c not in dear]
            for suit, dear in zip(self.suits, self.dear, strict=True)
        ]
        self.queens = [
            c for c in self.suits[SPADES] if c % COPY == QUEEN_OF_SPADES and scene.cost[c] > 0
        ]
        self.high_spades = [c for c in self.suits[SPADES] if c % COPY >= QUEEN_OF_SPADES]
        self.low_spades = [c for c in self.falling[SPADES] if c % COPY < QUEEN_OF_SPADES]

    # ---- a trick --------------------------------------------------------------------------

    def put(self, position: int, slot: int, lanes: int) -> None:
        """The position plays the card in these lanes, if it holds it or not."""
        self.hands[position][slot] &= ~lanes
        suit = SUIT[slot % COPY]
        if position == 0:
            self.led[suit] |= lanes
            self.won[0] |= lanes
        else:
            above = 0
            for other in reversed(self.scene.suits[suit]):
                if other % COPY < slot % COPY:
                    break
                above |= self.played[other]
            over = self.led[suit] & lanes & ~above
            if over:
                self._take(position, over)
        self.played[slot] |= lanes

    def _take(self, position: int, lanes: int) -> None:
        won = self.won
        for before in range(position):
            won[before] &= ~lanes
        won[position] |= lanes

    def run(self, position: int, tricks: int, first: bool) -> None:
        """Play from this position of the trick in progress to the end of the deal."""
        last = self.scene.players - 1
        while True:
            if position == 0:
                self._lead()
                position = 1
            for at in range(position, last + 1):
                self._follow(at, at == last, tricks > self.late, first)
            self._end_trick()
            tricks -= 1
            if not tricks:
                return
            position = 0
            first = False
            self._turn()

    def _lead(self) -> None:
        """Smoke the queen out; else what is sure to lose; else the lowest card."""
        hand = self.hands[0]
        played, led = self.played, self.led
        need = self.full
        out = [0] * SLOTS
        rest = self.hands[1:]
        for card in self.cards:
            some = 0
            for other in rest:
                some |= other[card]
            out[card] = some
        hearts = self.broken
        if hearts != self.full:
            plain = 0
            for suit in (0, 1, 3):
                for card in self.suits[suit]:
                    plain |= hand[card]
            hearts |= ~plain & self.full
        queen = 0
        for card in self.queens:
            queen |= out[card]
        if queen:
            high = 0
            for card in self.high_spades:
                high |= hand[card]
            smoke = queen & ~high
            if smoke:
                for card in self.low_spades:
                    t = hand[card] & smoke & need
                    if t:
                        hand[card] ^= t
                        played[card] |= t
                        led[SPADES] |= t
                        need ^= t
        for suit in (HEARTS, 0, 1, 3) if need else ():
            may = need & hearts if suit == HEARTS else need
            some = 0
            for card in self.suits[suit]:
                some |= out[card]
            may &= some
            if not may:
                continue
            for card in self.suits[suit]:
                if suit == SPADES and card % COPY >= QUEEN_OF_SPADES and queen:
                    break
                t = hand[card] & may
                if t:
                    hand[card] ^= t
                    played[card] |= t
                    led[suit] |= t
                    need ^= t
                    may ^= t
                may &= ~out[card]
                if not may:
                    break
        if need:
            for card in self.leads:
                t = hand[card] & need
                if not t:
                    continue
                suit = SUIT[card % COPY]
                if suit == HEARTS:
                    t &= hearts
                elif suit == SPADES and card in self.high_spades:
                    t &= ~queen
                hand[card] ^= t
                played[card] |= t
                led[suit] |= t
                need ^= t
                if not need:
                    break
        if need:
            for card in self.leads:
                t = hand[card] & need
                suit = SUIT[card % COPY]
                if suit == HEARTS:
                    t &= hearts
                hand[card] ^= t
                played[card] |= t
                led[suit] |= t
                need ^= t
        self.won[0] = self.full

    def _follow(self, position: int, last: bool, early: bool, first: bool) -> None:
        """Under if there is an under, the dearest or highest; else over; else throw the worst."""
        hand = self.hands[position]
        played = self.played
        void = 0
        self.clean = self._clean()
        high = self.clean if last or early else 0
        for suit in range(4):
            need = self.led[suit]
            if not need:
                continue
            falling = self.falling[suit]
            if high & need and suit != HEARTS and (last or suit != SPADES):
                need ^= self._cash(position, suit, need & high)
            for dear in self.dear[suit]:
                t = hand[dear] & need
                if t:
                    above = 0
                    for card in falling:
                        if card % COPY <= dear % COPY:
                            break
                        above |= played[card]
                    t &= above
                    if t:
                        hand[dear] ^= t
                        played[dear] |= t
                        need ^= t
            has = above = 0
            for card in falling:
                h = hand[card]
                if h:
                    has |= h
                    t = h & above & need
                    if t:
                        hand[card] = h ^ t
                        played[card] |= t
                        need ^= t
                above |= played[card]
            over = need & has
            void |= need ^ over
            if over:
                self._take(position, over)
                if last:
                    self._over(hand, suit, over, True)
                elif suit < HEARTS and self.clean & over:
                    self._over(hand, suit, over & self.clean, True)
                    over &= ~self.clean
                    if over:
                        self._over(hand, suit, over, False)
                else:
                    self._over(hand, suit, over, False)
        if void:
            self._discard(hand, void, first)

    def _clean(self) -> int:
        """Lanes in which the trick has no penalty card so far."""
        dirty = 0
        for card in self.penalties:
            dirty |= self.played[card]
        return self.full & ~dirty

    def _cash(self, position: int, suit: int, lanes: int) -> int:
        """Take a trick that costs nothing, with the highest card; the lanes in which it could."""
        hand, played = self.hands[position], self.played
        above = over = 0
        for card in reversed(self.cheap[suit]):
            t = hand[card] & lanes & ~above
            if t:
                hand[card] ^= t
                played[card] |= t
                lanes ^= t
                over |= t
            above |= played[card]
        if over:
            self._take(position, over)
        return over

    def _over(self, hand: Hand, suit: int, over: int, last: bool) -> None:
        """Only higher cards: the highest when the trick is ours anyway, else the lowest."""
        played = self.played
        order = self.cheap[suit]
        for card in reversed(order) if last else order:
            t = hand[card] & over
            if t:
                hand[card] ^= t
                played[card] |= t
                over ^= t
                if not over:
                    return
        for card in reversed(self.dear[suit]):
            t = hand[card] & over
            hand[card] ^= t
            played[card] |= t
            over ^= t

    def _discard(self, hand: Hand, need: int, first: bool) -> None:
        played = self.played
        if first:
            barred = self.scene.barred
            order = [card for card in self.discards if card not in barred]
            order += [card for card in self.discards if card in barred]
        else:
            order = self.discards
        if self.queens:  # ace and king of spades, while the queen is out and not here
            queen = 0
            for card in self.queens:
                queen |= played[card] | hand[card]
                for other in self.hands:
                    queen |= other[card]
                queen &= ~played[card]
                queen &= ~hand[card]
            risky = need & queen
            if risky:
                for card in reversed(self.high_spades):
                    t = hand[card] & risky
                    if t:
                        hand[card] ^= t
                        played[card] |= t
                        need ^= t
                        risky ^= t
        for card in order:
            t = hand[card] & need
            if t:
                hand[card] ^= t
                played[card] |= t
                need ^= t
                if not need:
                    return

    def _end_trick(self) -> None:
        """Count what was taken."""
        scene, played, won, got = self.scene, self.played, self.won, self.got
        mine = 0
        for position, hand in enumerate(self.hands):
            mine |= won[position] & hand[ME]
        dirty = 0
        for card in self.penalties:
            lanes = played[card]
            if lanes:
                dirty |= lanes
                got[card] |= lanes & mine
        for card in scene.bonuses:
            got[card] |= played[card] & mine
        if dirty:
            for position, hand in enumerate(self.hands):
                hand[TOOK] |= won[position] & dirty
        if self.broken != self.full:
            for card in self.breaks:
                self.broken |= played[card]

    def _turn(self) -> None:
        """Turn the positions until each lane's winner leads; clear the table."""
        won = self.won
        if self.scene.players == 4:
            self._turn_four(won[1] | won[3], won[2] | won[3])
        else:
            self._turn_any()
        self.played = [0] * SLOTS
        self.won = [0] * self.scene.players
        self.led = [0] * 4

    def _turn_four(self, one: int, two: int) -> None:
        first, second, third, fourth = self.hands
        for slot in (ME, TOOK, *self.cards):
            a, b, c, d = first[slot], second[slot], third[slot], fourth[slot]
            t = (a ^ c) & two
            a ^= t
            c ^= t
            t = (b ^ d) & two
            b ^= t
            d ^= t
            x = a ^ b
            y = b ^ c
            z = c ^ d
            first[slot] = a ^ (x & one)
            second[slot] = b ^ (y & one)
            third[slot] = c ^ (z & one)
            fourth[slot] = d ^ ((x ^ y ^ z) & one)

    def _turn_any(self) -> None:
        players = self.scene.players
        step = 1
        while step < players:
            lanes = 0
            for position in range(players):
                if position & step:
                    lanes |= self.won[position]
            if lanes:
                for slot in (ME, TOOK, *self.cards):
                    old = [hand[slot] for hand in self.hands]
                    for position, hand in enumerate(self.hands):
                        here = old[position]
                        hand[slot] = here ^ ((here ^ old[(position + step) % players]) & lanes)
            step *= 2

    # ---- what came of it ------------------------------------------------------------------

    def values(self, worlds: int) -> list[float]:
        """By block of so many lanes: the sum over its lanes of the own points less the mean of the
        others', moons counted."""
        scene = self.scene
        blocks = self.full.bit_length() // worlds
        sums = [0.0] * blocks
        part = (1 << worlds) - 1
        ratio = scene.players / (scene.players - 1)
        for card in (*scene.penalties, *scene.bonuses):
            lanes = self.got[card]
            if lanes:
                worth = scene.cost[card] * ratio
                for block in range(blocks):
                    sums[block] += worth * (lanes >> (block * worlds) & part).bit_count()
        if not scene.moon:
            return sums
        some = two = mine = 0
        for hand in self.hands:
            two |= some & hand[TOOK]
            some |= hand[TOOK]
            mine |= hand[TOOK] & hand[ME]
        alone = some & ~two
        if alone:
            own, other = alone & mine, alone & ~mine
            gift = 2.0 * scene.total / (scene.players - 1)
            for block in range(blocks):
                shift = block * worlds
                sums[block] -= OWN_MOON * scene.total * (own >> shift & part).bit_count()
                sums[block] += gift * (other >> shift & part).bit_count()
        return sums
