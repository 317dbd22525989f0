"""One deal: the pass, the tricks, the moon, the points. No I/O, no clock, no randomness.

Every method that changes the deal either does so completely or raises `Refused` and changes
nothing. `legal` and `play` are the hot path of the referee: what a rule set adds to them is chosen
once, in its plan.
"""

import hashlib
from collections.abc import Callable, Sequence
from typing import Final

from hearts import refusals, scoring
from hearts.cards import SUIT
from hearts.decisions import NOBODY, Phase, Refused, Rule
from hearts.following import MAX_REDEALS, asks_redeal
from hearts.leading import anything, split
from hearts.options import Moon
from hearts.plan import Plan
from hearts.rules import RuleSet
from hearts.scoring import MoonChoice, Standing, Tally

__all__ = ["NOBODY", "Deal", "Deck", "MoonChoice", "Phase", "Refused", "Rule"]

#: Cards as dealt: the hand of each seat, and the leftover cards.
Deck = tuple[list[list[int]], list[int]]

_PASS, _PLAY, _MOON_CHOICE, _DONE = Phase


class Deal:
    """One deal in progress or finished.

    Seats are numbered clockwise from 0. Lists that are attributes are for reading only.
    `Game` makes deals; `hands` may also be given outright, to replay a record.
    """

    __slots__ = (
        "_breaks",
        "_hand",
        "_hand_size",
        "_last_to_play",
        "_lead_unbroken",
        "_left",
        "_options",
        "_plan",
        "_players",
        "_redeal",
        "_suits",
        "_tally",
        "_throw_first",
        "_warned",
        "_winner",
        "carried",
        "dealer",
        "dealt",
        "gave",
        "hearts_broken",
        "last_leader",
        "last_trick",
        "leader",
        "leftover",
        "leftover_taker",
        "moon",
        "moon_choice",
        "number",
        "offender",
        "opener",
        "pass_offset",
        "phase",
        "plays",
        "points",
        "raw_points",
        "received",
        "redeals",
        "rules",
        "standing",
        "taken",
        "to_pass",
        "totals_before",
        "trick",
        "trick_number",
        "turn",
    )

    def __init__(
        self,
        plan: Plan,
        *,
        number: int,
        dealer: int,
        pass_offset: int,
        deck: Deck,
        totals: Sequence[int],
        redeal: Callable[[int], Deck] | None = None,
        redeals: int = 0,
    ) -> None:
        """A deal as dealt. `redeal` gives the cards of redeal 1, 2, ... where the rules ask for
        one; without it the hands stand, as when a record (with its `redeals`) is replayed."""
        self._plan: Final = plan
        self.rules: Final[RuleSet] = plan.rules
        self._players: Final = plan.players
        self._left: Final = plan.left
        self._breaks: Final = plan.breaks
        self._winner: Final = plan.winner
        self._throw_first: Final = plan.throw_first
        self._lead_unbroken: Final = plan.lead_unbroken
        self._hand_size: Final = plan.hand_size
        self._redeal: Final = redeal if plan.redeals else None
        #: 0, 1, 2, ... within the game.
        self.number: Final = number
        self.dealer: Final = dealer
        #: To which seat cards are passed, counted to the left; 0: a hold deal.
        self.pass_offset: Final = pass_offset
        self.totals_before: Final[tuple[int, ...]] = tuple(totals)
        #: How often this deal was dealt anew.
        self.redeals = redeals
        self._begin(deck)

    def _begin(self, deck: Deck) -> None:
        """From the cards as dealt to the first decision."""
        hands, leftover = deck
        self.dealt: list[list[int]] = [sorted(hand) for hand in hands]
        self._suits: list[list[list[int]]] = [split(hand) for hand in self.dealt]
        self.leftover: list[int] = sorted(leftover)
        #: The seat that took the leftover cards; NOBODY as long as nobody has.
        self.leftover_taker = NOBODY
        #: Seats that have not chosen their pass.
        self.to_pass: set[int] = set()
        self.gave: list[list[int]] = [[]] * self._players
        self.received: list[list[int]] = [[]] * self._players
        #: The seat to move, or NOBODY (in the pass, and when the deal is done).
        self.turn = NOBODY
        self.opener = NOBODY
        self.leader = NOBODY
        #: The cards of the trick in progress, in the order played.
        self.trick: list[int] = []
        #: Number of the trick in progress, from 1.
        self.trick_number = 1
        self.last_leader = NOBODY
        self.last_trick: list[int] = []
        self.hearts_broken = self._plan.broken
        #: Every card played, in order.
        self.plays: list[int] = []
        #: Cards taken by each seat.
        self.taken: list[list[int]] = [[] for _ in hands]
        #: Cards of cancelled tricks that the next trick's winner takes.
        self.carried: list[int] = []
        #: The first seat whose renege stood, or None.
        self.offender: int | None = None
        self.raw_points: list[int] = []
        self.points: list[int] = []
        #: The seats that shot the moon: one at most.
        self.moon: list[int] = []
        #: What the shooter chose, where it is asked.
        self.moon_choice: MoonChoice | None = None
        #: How the game stands after the deal; None until it is done.
        self.standing: Standing | None = None
        self._tally: Tally | None = None
        self._warned: tuple[int, int] | None = None
        # Of the seat to move: its hand as four suits, and what it may play (None: all of it).
        self._hand: list[list[int]] = []
        self._options: list[int] | None = []
        self._last_to_play = NOBODY  # of the seats, to this trick
        if self.pass_offset:
            self.phase = _PASS
            self.to_pass.update(range(self._players))
        else:
            self._open()

    # Reading.

    def hand(self, seat: int) -> list[int]:
        """The cards a seat holds, sorted."""
        return anything(self._suits[seat])

    def legal(self) -> list[int]:
        """The cards the seat to move may play, sorted; a card held twice stands twice.

        Empty when nobody is to play a card, never otherwise.
        """
        return anything(self._hand) if self._options is None else self._options.copy()

    @property
    def totals_after(self) -> list[int]:
        """Totals with this deal, once it is done; those before it until then."""
        return list(self.standing.totals if self.standing else self.totals_before)

    def state_hash(self) -> str:
        """SHA-256 (hex) over everything that decides how the deal goes on."""
        state = (
            *(self.rules.name, self.number, self.redeals, self.dealer, self.pass_offset),
            *(int(self.phase), self._suits, self.leftover, self.leftover_taker),
            *(sorted(self.to_pass), self.gave, self.received, self.opener, self.leader),
            *(self.turn, self.trick, self.trick_number, self.hearts_broken, self.plays),
            *(self.legal(), self.taken, self.carried, self.offender, self.raw_points),
            *(self.points, self.moon, self.moon_choice and int(self.moon_choice)),
            *(self.totals_before, self.totals_after),
        )
        return hashlib.sha256(repr(state).encode()).hexdigest()

    # The pass.

    def choose_pass(self, seat: int, cards: Sequence[int]) -> None:
        """The seat gives away these cards, in any order. After the last seat all change hands."""
        if seat not in self.to_pass:
            raise Refused(Rule.OUT_OF_TURN, (), "no pass is asked of this seat")
        if refusal := refusals.bad_pass(self._plan, self.hand(seat), cards):
            raise refusal
        self.gave[seat] = sorted(cards)
        self.to_pass.remove(seat)
        if not self.to_pass:
            self._exchange()

    def _exchange(self) -> None:
        hands = [self.hand(seat) for seat in range(self._players)]
        for seat, cards in enumerate(self.gave):
            receiver = (seat + self.pass_offset) % self._players
            self.received[receiver] = cards.copy()
            hands[receiver] += cards
            for card in cards:
                hands[seat].remove(card)
        self._suits = [split(sorted(hand)) for hand in hands]
        self._open()

    def _open(self) -> None:
        """The hands are final: deals anew where the rules ask for it, or opens the first trick."""
        plan = self._plan
        if self._redeal and self.redeals < MAX_REDEALS and asks_redeal(self._suits, plan.barred):
            self.redeals += 1
            self._begin(self._redeal(self.redeals))
            return
        self.opener, self._options = plan.open(self._suits, self.dealer)
        self.leader = self.turn = self.opener
        self._last_to_play = self.opener - 1 if self.opener else self._players - 1
        self._hand = self._suits[self.opener]
        self.phase = _PLAY

    # The tricks.

    def play(self, seat: int, card: int) -> None:
        """The seat plays a card to the trick."""
        options = self._options
        try:
            suit = self._hand[SUIT[card]]
        except (IndexError, TypeError):  # no card, or no hand is to play
            suit = options = []
        if seat != self.turn or card not in (suit if options is None else options):
            self._refuse_unless_it_stands(seat, card)
        suit.remove(card)
        trick = self.trick
        trick.append(card)
        self.plays.append(card)
        if self._breaks[card]:
            self.hearts_broken = True
        if seat == self._last_to_play:
            self._end_trick(trick)
            return
        self.turn = seat = self._left[seat]
        self._hand = hand = self._suits[seat]
        self._options = hand[SUIT[trick[0]]] or (
            self._throw_first(hand) if self.trick_number == 1 else None
        )

    def _refuse_unless_it_stands(self, seat: int, card: int) -> None:
        """Raises Refused, except for a renege that is repeated after its warning."""
        if self.phase is not _PLAY or seat != self.turn:
            raise Refused(Rule.OUT_OF_TURN, (), "no card is asked of this seat")
        led = SUIT[self.trick[0]] if self.trick else None
        refusal = refusals.bad_play(
            self._plan, self._suits[seat], card, self.legal(), led, len(self.plays)
        )
        if refusal.rule is not Rule.MUST_FOLLOW_SUIT or not self._plan.reneges:
            raise refusal
        # The warning belongs to this decision; it is no part of the state of the deal.
        decision = (len(self.plays), card)
        if self._warned != decision:
            self._warned = decision
            raise Refused(
                Rule.RENEGE_WARNING,
                refusal.legal,
                f"{refusal.message}; the same card again stands and is charged",
            )
        if self.offender is None:
            self.offender = seat

    def _end_trick(self, trick: list[int]) -> None:
        position = self._winner(trick)
        self.last_leader = leader = self.leader
        self.last_trick = trick
        self.trick = []
        if position < 0:
            self.carried += trick
            taker = leader
        else:
            taker = (leader + position) % self._players
            if self.carried or self.leftover:
                self._take(taker, trick)
            else:
                self.taken[taker] += trick
        if self.trick_number == self._hand_size:
            self._end_play(trick)
            return
        self.leader = self.turn = taker
        self._last_to_play = taker - 1 if taker else self._players - 1
        self.trick_number += 1
        self._hand = hand = self._suits[taker]
        self._options = None if self.hearts_broken else self._lead_unbroken(hand)

    def _take(self, seat: int, cards: list[int]) -> None:
        """Cards won by a seat, with those carried over and, when they are due, the leftover."""
        pile = self.taken[seat]
        if self.carried:
            cards = self.carried + cards
            self.carried = []
        pile += cards
        if self.leftover and self.leftover_taker < 0 and self._plan.leftover_trigger(cards):
            self.leftover_taker = seat
            pile += self.leftover

    def _end_play(self, last_trick: list[int]) -> None:
        """All cards are played: counts them, and asks the shooter of a moon if it has a choice."""
        self.turn = NOBODY
        self._options = []
        if self.carried:
            self._take_cancelled_last(last_trick)
        counted = scoring.tally(self.rules, self._plan.points, self.taken, self.offender)
        self._tally = counted
        self.raw_points = list(counted.raw)
        if counted.shooter is None:
            self._close(None)
            return
        self.moon = [counted.shooter]
        if self.rules.moon is Moon.CHOOSE:
            self.phase = _MOON_CHOICE
            self.turn = counted.shooter
        else:
            self._close(scoring.fixed_choice(self.rules) or self._auto_choice(counted.shooter))

    def _take_cancelled_last(self, last_trick: list[int]) -> None:
        cards, self.carried = self.carried, []
        positions = self._plan.last_taker(last_trick, len(cards))
        if positions is None:
            self.carried = cards  # nobody's: dead
            return
        for position, card in zip(positions, cards, strict=True):
            self._take((self.last_leader + position) % self._players, [card])

    # The moon and the score.

    def choose_moon(self, choice: MoonChoice, seat: int | None = None) -> None:
        """The shooter says who scores. `seat` may name who answers, to be checked."""
        if self.phase is not _MOON_CHOICE or seat not in (None, self.turn):
            raise Refused(Rule.OUT_OF_TURN, (), "no choice is asked of this seat")
        if choice not in (MoonChoice.OTHERS, MoonChoice.SELF):
            raise Refused(Rule.MALFORMED, (), f"{choice!r}: choose OTHERS or SELF")
        self.moon_choice = MoonChoice(choice)
        self._close(self.moon_choice)

    def moon_totals(self) -> tuple[list[int], list[int]]:
        """Totals after the deal if the others score, and if the shooter's total falls.

        Raises ValueError unless a moon has been shot.
        """
        if not self.moon:
            raise ValueError("no moon has been shot in this deal")
        others, own = (self._outcome(choice)[1].totals for choice in MoonChoice)
        return list(others), list(own)

    def _auto_choice(self, shooter: int) -> MoonChoice:
        return scoring.auto_choice(self._outcome(MoonChoice.OTHERS)[1], shooter)

    def _outcome(self, choice: MoonChoice | None) -> tuple[tuple[int, ...], Standing]:
        assert self._tally is not None  # noqa: S101 - set when the last card is played
        points = scoring.deal_points(self.rules, self._tally, self.taken, choice)
        standing = scoring.settle(self.rules, self.totals_before, points, self.number + 1)
        return points, standing

    def _close(self, choice: MoonChoice | None) -> None:
        points, self.standing = self._outcome(choice)
        self.points = list(points)
        self.turn = NOBODY
        self.phase = _DONE

    # The referee's answer for a silent seat.

    def fallback(self, seat: int) -> list[int] | MoonChoice:
        """What is answered for a seat that does not: always legal, always the same.

        PASS: its lowest cards in hand order (clubs, diamonds, hearts, spades, each from below).
        PLAY: its lowest legal card in that order. MOON_CHOICE: as `moon_choice_default` says.
        Raises Refused when nothing is asked of the seat.
        """
        if seat in self.to_pass:
            return self.hand(seat)[: self.rules.pass_count]
        if seat != self.turn or seat == NOBODY:
            raise Refused(Rule.OUT_OF_TURN, (), "nothing is asked of this seat")
        if self.phase is _MOON_CHOICE:
            return scoring.default_choice(self.rules) or self._auto_choice(seat)
        return self.legal()[:1]
