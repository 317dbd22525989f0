"""A second opinion: the rules document written down again, slowly and plainly.

It shares no code with the engine, not even the numbers of cards: a card is its text, a rule set
the mapping of options as in a file. Nothing here is clever, and nothing is fast.
"""

from collections import Counter
from typing import Any

RANKS = "023456789TJQKA"  # the joker is the zero of clubs
SUITS = "CDHS"
QUEEN = "QS"

FIRED: Counter[str] = Counter()


def rank(card: str) -> int:
    return RANKS.index(card[0])


def order(card: str) -> tuple[int, int]:
    return SUITS.index(card[1]), rank(card)


def in_order(cards: list[str]) -> list[str]:
    return sorted(cards, key=order)


def whole_pack(options: dict[str, Any]) -> list[str]:
    cards = [r + s for s in SUITS for r in RANKS[1:]] * options["decks"]
    cards += ["0C"] * options["jokers"]
    for card in options["remove"]:
        cards.remove(card)
    return in_order(cards)


def worth(options: dict[str, Any], card: str) -> int:
    """The points of a card."""
    if card == "0C":
        return int(options["joker_points"])
    if card[1] == "H":
        if options["heart_points"] == "flat":
            return 1
        if options["heart_points"] == "rank":
            return rank(card) + 1
        return {"J": 2, "Q": 3, "K": 4, "A": 5}.get(card[0], 1)
    return int(options["points"].get(card, 0))


class Reference:
    """One deal. Every card list in it is in hand order or in the order of play."""

    def __init__(
        self,
        options: dict[str, Any],
        hands: list[list[str]],
        leftover: list[str],
        dealer: int,
        offset: int,
        totals: list[int],
        number: int,
    ) -> None:
        self.options = options
        self.players = options["players"]
        self.hands = [list(hand) for hand in hands]
        self.leftover = list(leftover)
        self.leftover_taker: int | None = None
        self.dealer = dealer
        self.offset = offset
        self.totals = list(totals)
        self.number = number
        self.broken = options["hearts_lead"] == "free"
        self.tricks_begun = 0
        self.trick: list[tuple[int, str]] = []
        self.waiting: list[str] = []
        self.dead: list[str] = []
        self.taken: list[list[str]] = [[] for _ in hands]
        self.offender: int | None = None
        self.leader = -1
        self.seat = -1

    # The pass and the opening.

    def exchange(self, given: list[list[str]]) -> None:
        for seat, cards in enumerate(given):
            for card in cards:
                self.hands[seat].remove(card)
        for seat, cards in enumerate(given):
            self.hands[(seat + self.offset) % self.players] += cards

    def is_barred(self, card: str) -> bool:
        rule = self.options["first_trick_penalty"]
        if rule == "barred":
            return worth(self.options, card) > 0
        return bool(rule == "queen_barred" and card == QUEEN)

    def wants_redeal(self) -> bool:
        if self.options["first_trick_forced"] != "redeal":
            return False
        return any(all(self.is_barred(card) for card in hand) for hand in self.hands)

    def lowest_club(self) -> str | None:
        clubs = [card for hand in self.hands for card in hand if card[1] == "C"]
        return min(clubs, key=rank) if clubs else None

    def open(self) -> None:
        self.leader = (self.dealer + 1) % self.players
        lowest = self.lowest_club()
        if self.options["opening"] != "eldest":
            if lowest is None:
                FIRED["no club in any hand"] += 1
            else:
                while lowest not in self.hands[self.leader]:
                    self.leader = (self.leader + 1) % self.players
                if lowest == "0C":
                    FIRED["a joker opens"] += 1
                if sum(lowest in hand for hand in self.hands) > 1:
                    FIRED["two seats hold the opening card"] += 1
        self.seat = self.leader
        self.tricks_begun = 1

    # What may be played.

    def legal(self) -> list[str]:
        hand = self.hands[self.seat]
        cards = self.may_lead(hand) if not self.trick else self.may_follow(hand)
        return in_order(cards)

    def may_follow(self, hand: list[str]) -> list[str]:
        led = self.trick[0][1][1]
        same = [card for card in hand if card[1] == led]
        if same:
            return same
        if self.tricks_begun == 1:
            allowed = [card for card in hand if not self.is_barred(card)]
            if allowed:
                if len(allowed) < len(hand):
                    FIRED["a penalty card is barred from the first trick"] += 1
                return allowed
            forced = self.options["first_trick_forced"]
            FIRED[f"nothing but barred cards, {forced}"] += 1
            if forced == "hearts":
                return [card for card in hand if card[1] == "H"] or hand
            if forced == "queen":
                return [card for card in hand if card == QUEEN] or hand
        return hand

    def may_lead(self, hand: list[str]) -> list[str]:
        if self.tricks_begun == 1:
            opening = self.options["opening"]
            lowest = self.lowest_club()
            if opening == "low_club" and lowest is not None:
                return [lowest]
            if opening == "any_club" and lowest is not None:
                return [card for card in hand if card[1] == "C"]
            others = [card for card in hand if not self.is_barred(card)]
            if others:
                if len(others) < len(hand):
                    FIRED["an eldest opener may not lead a penalty card"] += 1
                hand = others
        if self.broken:
            return hand
        suits = {card[1] for card in hand}
        if suits == {"H"}:
            FIRED["only hearts to lead"] += 1
            return hand
        if all(card[1] == "H" or card == QUEEN for card in hand):
            if "H" not in suits:
                return hand
            exception = self.options["lead_exception"]
            FIRED[f"hearts and the queen to lead, {exception}"] += 1
            if self.options["queen_lead"] == "broken":
                FIRED["hearts and the queen to lead, neither broken"] += 1
            if exception == "only_hearts":
                return [card for card in hand if card == QUEEN]
            return hand
        cards = [card for card in hand if card[1] != "H"]
        if self.options["queen_lead"] == "broken" and QUEEN in cards:
            FIRED["the queen may not be led"] += 1
            cards = [card for card in cards if card != QUEEN]
        return cards

    # Playing.

    def play(self, card: str) -> None:
        hand = self.hands[self.seat]
        if self.trick:
            led = self.trick[0][1][1]
            if card[1] != led and any(held[1] == led for held in hand):
                FIRED["a renege stands"] += 1
                if self.offender is None:
                    self.offender = self.seat
                else:
                    FIRED["a second renege"] += 1
        elif card[1] == "H" and not self.broken:
            FIRED["a forced heart lead breaks"] += 1
        hand.remove(card)
        self.trick.append((self.seat, card))
        rule = self.options["break_on"]
        if card[1] == "H" or (rule == "heart_or_queen" and card == QUEEN):
            self.broken = True
        if rule == "any_penalty" and worth(self.options, card) > 0:
            if card[1] != "H" and not self.broken:
                FIRED["a penalty card that is no heart breaks"] += 1
            self.broken = True
        if len(self.trick) < self.players:
            self.seat = (self.seat + 1) % self.players
        else:
            self.finish_trick()

    def winner(self) -> int | None:
        """The seat that wins the trick; None when every card of the led suit is cancelled."""
        led = self.trick[0][1][1]
        in_suit = [(seat, card) for seat, card in self.trick if card[1] == led]
        if len(in_suit) == 1:
            FIRED["nobody follows"] += 1
        rule = self.options["duplicate"] if self.options["decks"] == 2 else "first"
        if rule == "cancel":
            left = [
                (seat, card)
                for seat, card in in_suit
                if [other for _, other in in_suit].count(card) == 1
            ]
            if not left:
                return None
            if max(rank(c) for _, c in left) < max(rank(c) for _, c in in_suit):
                FIRED["the highest cards cancel each other"] += 1
            in_suit = left
        best = max(rank(card) for _, card in in_suit)
        seats = [seat for seat, card in in_suit if rank(card) == best]
        if len(seats) > 1:
            FIRED[f"equal highest cards, {rule}"] += 1
            if self.options["decks"] == 1:
                FIRED["two jokers of one pack"] += 1
        return seats[-1] if rule == "last" else seats[0]

    def finish_trick(self) -> None:
        taker = self.winner()
        cards = [card for _, card in self.trick]
        last = not any(self.hands)
        if taker is not None:
            self.take(taker, self.waiting + cards)
            self.waiting = []
            self.leader = taker
        else:
            FIRED["a trick is cancelled as a whole"] += 1
            if self.waiting:
                FIRED["two cancelled tricks in a row"] += 1
            self.waiting += cards
            if last:
                self.last_cancelled()
        self.trick = []
        self.seat = self.leader
        self.tricks_begun += 1

    def last_cancelled(self) -> None:
        rule = self.options["cancelled_last"]
        FIRED[f"the last trick is cancelled, {rule}"] += 1
        cards, self.waiting = self.waiting, []
        led = self.trick[0][1][1]
        best = max(rank(card) for _, card in self.trick if card[1] == led)
        pair = [seat for seat, card in self.trick if card[1] == led and rank(card) == best]
        if rule == "leader":
            self.take(self.leader, cards)
        elif rule == "highest_pair_second":
            self.take(pair[1], cards)
        elif rule == "split_pair":
            for turn, card in enumerate(cards):
                self.take(pair[turn % 2], [card])
        else:
            self.dead += cards

    def take(self, seat: int, cards: list[str]) -> None:
        self.taken[seat] += cards
        if not self.leftover or self.leftover_taker is not None:
            return
        rule = self.options["leftover"]
        due = (
            rule == "first_trick"
            or (rule == "first_heart" and any(card[1] == "H" for card in cards))
            or (rule == "first_penalty" and any(worth(self.options, card) > 0 for card in cards))
        )
        if due:
            FIRED[f"leftover taken, {rule}"] += 1
            self.leftover_taker = seat
            self.taken[seat] += self.leftover

    @property
    def over(self) -> bool:
        return not any(self.hands) and not self.trick

    # Scoring.

    def raw(self) -> list[int]:
        return [sum(worth(self.options, card) for card in pile) for pile in self.taken]

    def shooter(self) -> int | None:
        if self.options["moon"] == "off" or self.offender is not None:
            return None
        in_play = [card for pile in self.taken for card in pile]
        penalties = [card for card in in_play if worth(self.options, card) > 0]
        bonuses = [card for card in in_play if worth(self.options, card) < 0]
        if not penalties:
            return None
        for seat, pile in enumerate(self.taken):
            if not Counter(penalties) - Counter(pile):
                if Counter(bonuses) - Counter(pile):
                    FIRED["a moon with a bonus card elsewhere"] += 1
                    if self.options["moon_needs"] == "penalties_and_bonus":
                        FIRED["no moon without the bonus card"] += 1
                        return None
                if self.options["decks"] == 2:
                    FIRED["a moon with two packs"] += 1
                if len(penalties) < sum(
                    worth(self.options, card) > 0 for card in whole_pack(self.options)
                ):
                    FIRED["a moon with dead penalty cards"] += 1
                return seat
        return None

    def moon_points(self) -> int:
        if self.options["moon_points"] != "in_play":
            return int(self.options["moon_points"])
        in_play = [card for pile in self.taken for card in pile]
        return sum(max(0, worth(self.options, card)) for card in in_play)

    def points(self, choice: str) -> list[int]:
        """The points of the deal when a moon, if there is one, is scored this way."""
        shooter = self.shooter()
        result = self.raw()
        if self.offender is not None:
            result = self.charged()
        if shooter is not None:
            for seat, pile in enumerate(self.taken):
                result[seat] = sum(min(0, worth(self.options, card)) for card in pile)
                if choice == "others" and seat != shooter:
                    result[seat] += self.moon_points()
                if choice == "self" and seat == shooter:
                    result[seat] -= self.moon_points()
        elif self.options["no_trick_bonus"]:
            for seat, pile in enumerate(self.taken):
                if not pile:
                    FIRED["the no-trick bonus"] += 1
                    result[seat] -= self.options["no_trick_bonus"]
        return result

    def charged(self) -> list[int]:
        assert self.offender is not None
        FIRED[f"a renege is charged, {self.options['renege_charge']}"] += 1
        result = self.raw()
        for seat, pile in enumerate(self.taken):
            for card in pile:
                points = worth(self.options, card)
                all_of_them = self.options["renege_charge"] == "all" and points > 0
                if card[1] == "H" or all_of_them:
                    result[seat] -= points
                    result[self.offender] += points
        return result

    def outcome(self, choice: str) -> tuple[list[int], str | None, list[int]]:
        """Totals after the deal, why the game ends (or None), places."""
        options = self.options
        totals = [a + b for a, b in zip(self.totals, self.points(choice), strict=True)]
        floor = options["score_floor"]
        if floor is not None:
            if min(totals) < floor:
                FIRED["the floor holds a total"] += 1
            totals = [max(floor, total) for total in totals]
        winners: list[int] = []
        exact = options["exact"]
        if exact is not None:
            hit = [seat for seat, total in enumerate(totals) if total == exact["score"]]
            if hit:
                FIRED["exact becomes" if "becomes" in exact else "exact wins"] += 1
            if len(hit) > 1:
                FIRED["two totals are exact at once"] += 1
            if "becomes" in exact:
                for seat in hit:
                    totals[seat] = exact["becomes"]
            else:
                winners = hit
        return totals, self.why_over(totals, winners), self.places(totals, winners)

    def why_over(self, totals: list[int], winners: list[int]) -> str | None:
        options = self.options
        if winners:
            return "EXACT"
        last = options["max_deals"] is not None and self.number + 1 >= options["max_deals"]
        target = options["target"]
        if target is not None:
            high = max(totals)
            if high == target:
                FIRED[f"a total stands on the target, {options['end']}"] += 1
            if high > target or (high == target and options["end"] == "reach"):
                tied = totals.count(min(totals)) > 1
                if tied:
                    FIRED[f"a tie at the end, {options['tie']}"] += 1
                    if last and options["tie"] == "play_on":
                        FIRED["a tie at the last deal is shared"] += 1
                if not tied or options["tie"] == "share":
                    return "TARGET"
        return "DEALS" if last else None

    def places(self, totals: list[int], winners: list[int]) -> list[int]:
        def better(a: int, b: int) -> bool:
            if (a in winners) != (b in winners):
                return a in winners
            return a not in winners and totals[a] < totals[b]

        seats = range(self.players)
        return [1 + sum(better(other, seat) for other in seats) for seat in seats]

    def automatic(self) -> str:
        """The way `auto` scores the moon that was shot."""
        shooter = self.shooter()
        assert shooter is not None
        _, end, places = self.outcome("others")
        choice = "self" if end is not None and places[shooter] != 1 else "others"
        FIRED[f"auto takes {choice}"] += 1
        return choice
