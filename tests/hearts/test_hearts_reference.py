"""The engine against the slow reference model, on random and stacked deals of random rule sets.

HEARTS_DEEP=1 plays 100,000 deals; otherwise a seeded sample of them. Every rare rule must have
come up, or the comparison says nothing about it.
"""

import os
import random

import pytest
import reference
from random_rules import random_rules
from reference import FIRED, Reference, in_order

from hearts.cards import code
from hearts.deal import Deal
from hearts.decisions import Phase, Refused, Rule
from hearts.game import deal_out
from hearts.plan import plan_for
from hearts.rules import PRESETS, RuleSet, preset
from hearts.scoring import MoonChoice

DEALS = 100_000 if os.environ.get("HEARTS_DEEP") else 2_500

RARE = """
no club in any hand · a joker opens · two seats hold the opening card
a penalty card is barred from the first trick
nothing but barred cards, any · nothing but barred cards, hearts · nothing but barred cards, queen
nothing but barred cards, redeal · a redeal · three redeals
an eldest opener may not lead a penalty card
only hearts to lead · a forced heart lead breaks · a penalty card that is no heart breaks
hearts and the queen to lead, only_hearts · hearts and the queen to lead, only_penalty
hearts and the queen to lead, neither broken · the queen may not be led
nobody follows · the highest cards cancel each other · two jokers of one pack
equal highest cards, first · equal highest cards, last
a trick is cancelled as a whole · two cancelled tricks in a row
the last trick is cancelled, leader · the last trick is cancelled, highest_pair_second
the last trick is cancelled, split_pair · the last trick is cancelled, nobody
leftover taken, first_trick · leftover taken, first_heart · leftover taken, first_penalty
leftover never taken · a moon, others · a moon, self · a moon, choose · a moon, auto
auto takes others · auto takes self · a moon with a bonus card elsewhere
no moon without the bonus card · a moon with two packs · a moon with dead penalty cards
the no-trick bonus · a renege stands · a second renege
a renege is charged, hearts · a renege is charged, all
the floor holds a total · exact becomes · exact wins · two totals are exact at once
a total stands on the target, reach · a total stands on the target, exceed
a tie at the end, share · a tie at the end, play_on · a tie at the last deal is shared
"""


def _rules(rng: random.Random) -> RuleSet:
    return preset(rng.choice(PRESETS)) if rng.random() < 0.25 else random_rules(rng)


def _stack(rules: RuleSet, rng: random.Random) -> list[int]:
    """A pack in dealing order: shuffled, or arranged so that something rare comes up."""
    pack = rules.pack()
    rng.shuffle(pack)
    kinds = ["plain", "moon", "penalties", "suits"]
    kinds += ["pairs"] * (1 if rules.decks == 1 else 3) + ["hole"] * (rules.leftover_size > 0)
    kind = rng.choice(kinds)
    at = rng.randrange(rules.players) * rules.hand_size
    if kind == "moon":  # one hand has the highest cards
        best = sorted(pack, key=lambda c: (code(c)[0] in "AKQJ", rng.random()))
        chosen = best[-rules.hand_size :]
        rest = _without(pack, chosen)
        return rest[:at] + chosen + rest[at:]
    if kind == "penalties":  # one hand has nothing else
        chosen = sorted(pack, key=lambda c: (rules.points_of(c) > 0, rng.random()))
        chosen = chosen[-rules.hand_size :]
        rest = _without(pack, chosen)
        return rest[:at] + chosen + rest[at:]
    if kind == "pairs":  # equal cards at neighbouring seats
        pack.sort()
        return [c for seat in range(rules.players) for c in pack[seat :: rules.players]]
    if kind == "hole":  # the clubs are undealt, as far as they fit
        pack.sort(key=lambda c: (code(c)[1] == "C", rng.random()))
    if kind == "suits":  # long suits, so voids and forced leads
        pack.sort(key=lambda c: (code(c)[1], rng.random()))
    return pack


def _without(pack: list[int], chosen: list[int]) -> list[int]:
    rest = pack.copy()
    for each in chosen:
        rest.remove(each)
    return rest


def _totals(rules: RuleSet, rng: random.Random) -> list[int]:
    """Totals before the deal: often close to where something happens."""
    marks = [rules.target or 100]
    if rules.exact:
        marks.append(rules.exact.score)
    near = [mark - rng.randint(0, 30) for mark in marks for _ in range(2)]
    return [rng.choice([*near, 0, rng.randint(-30, 120)]) for _ in range(rules.players)]


class Match:
    """One deal, in both models."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        self.rules = rules = _rules(rng)
        self.options = rules.to_options()
        self.packs = [_stack(rules, rng)]
        self.start = {
            "number": rng.choice([0, 0, (rules.max_deals or 5) - 1]),
            "dealer": rng.randrange(rules.players),
            "totals": _totals(rules, rng),
        }
        self.offset = rng.choice(rules.pass_cycle)
        self.deal = Deal(
            plan_for(rules),
            pass_offset=self.offset,
            deck=deal_out(rules, self.packs[0]),
            redeal=lambda number: deal_out(rules, self._another(number)),
            **self.start,  # type: ignore[arg-type]
        )
        self.model = self._model()
        self.habit = rng.choice(["random", "random", "high", "low"])

    def _another(self, number: int) -> list[int]:
        assert number == len(self.packs)
        self.packs.append(_stack(self.rules, self.rng))
        return self.packs[-1]

    def _model(self) -> Reference:
        """A reference deal from the latest pack."""
        hands, leftover = deal_out(self.rules, self.packs[-1])
        texts = [[code(c) for c in hand] for hand in hands]
        return Reference(
            self.options, texts, in_order([code(c) for c in leftover]),
            self.start["dealer"], self.offset, self.start["totals"], self.start["number"],
        )  # type: ignore[arg-type]  # fmt: skip

    def play(self) -> None:
        self._settle_hands()
        while self.deal.phase is Phase.PLAY:
            self._one_play()
        assert self.model.over
        self._compare_score()

    def _settle_hands(self) -> None:
        """Passes until no hand asks for a redeal (three times at most)."""
        redeals = 0
        if not self.offset:  # the engine has dealt anew by itself; follow it pack by pack
            everything, self.packs = self.packs, []
            for number, pack in enumerate(everything):
                self.packs.append(pack)
                self.model = self._model()
                wants = self.model.wants_redeal()
                assert wants or number == len(everything) - 1
                redeals = number
            assert not (wants and redeals < 3)
        while self.deal.phase is Phase.PASS:
            given = []
            for seat in range(self.rules.players):
                given.append(self.rng.sample(self.deal.hand(seat), self.rules.pass_count))
            for seat in self.rng.sample(range(self.rules.players), self.rules.players):
                self.deal.choose_pass(seat, given[seat])
            self.model.exchange([[code(c) for c in cards] for cards in given])
            wants = self.model.wants_redeal()
            assert (self.deal.phase is Phase.PASS) == (wants and redeals < 3)
            if self.deal.phase is Phase.PASS:
                redeals += 1
                self.model = self._model()
        assert self.deal.redeals == redeals
        FIRED["a redeal"] += redeals > 0
        FIRED["three redeals"] += redeals == 3
        self.model.open()
        assert self.deal.opener == self.model.leader

    def _one_play(self) -> None:
        deal, model = self.deal, self.model
        assert deal.turn == model.seat
        assert deal.trick_number == model.tricks_begun
        assert deal.hearts_broken == model.broken
        assert [code(c) for c in deal.legal()] == model.legal()
        for seat in range(self.rules.players):
            assert [code(c) for c in deal.hand(seat)] == in_order(model.hands[seat])
        choice = self._pick()
        if choice not in deal.legal():
            with_warning(deal, choice)
        else:
            deal.play(deal.turn, choice)
        model.play(code(choice))
        if not deal.trick:
            piles = [in_order([code(c) for c in pile]) for pile in deal.taken]
            assert piles == [in_order(pile) for pile in model.taken]
            assert [code(c) for c in deal.carried] == model.waiting + model.dead
            taker = -1 if model.leftover_taker is None else model.leftover_taker
            assert deal.leftover_taker == taker

    def _pick(self) -> int:
        legal = self.deal.legal()
        hand = self.deal.hand(self.deal.turn)
        if self.rules.renege == "penalise" and self.deal.trick and self.rng.random() < 0.1:
            led = code(self.deal.trick[0])[1]
            if any(code(c)[1] == led for c in hand):
                return self.rng.choice(hand)
        if self.habit == "random":
            return self.rng.choice(legal)
        by_rank = sorted(legal, key=lambda c: (reference.rank(code(c)), c))
        return by_rank[-1] if self.habit == "high" else by_rank[0]

    def _compare_score(self) -> None:
        deal, model = self.deal, self.model
        assert deal.raw_points == model.raw()
        assert deal.offender == model.offender
        shooter = model.shooter()
        assert deal.moon == ([] if shooter is None else [shooter])
        choice = "others"
        if shooter is not None:
            FIRED[f"a moon, {self.rules.moon.value}"] += 1
            choice = self._moon_choice()
        if deal.leftover and deal.leftover_taker < 0:
            FIRED["leftover never taken"] += 1
        assert deal.phase is Phase.DONE
        assert deal.points == model.points(choice)
        totals, end, places = model.outcome(choice)
        assert deal.standing is not None
        assert deal.totals_after == totals
        assert (deal.standing.end.name if deal.standing.end else None) == end
        assert list(deal.standing.places) == places

    def _moon_choice(self) -> str:
        """How the moon scores; answers the question where it is asked."""
        kind = self.rules.moon.value
        if kind == "auto":
            return self.model.automatic()
        if kind != "choose":
            return kind
        default = self.rules.moon_choice_default.value
        default = self.model.automatic() if default == "auto" else default
        answer = self.deal.fallback(self.deal.turn)
        assert isinstance(answer, MoonChoice)
        assert answer.name.lower() == default
        totals = [self.model.outcome(way)[0] for way in ("others", "self")]
        assert list(self.deal.moon_totals()) == totals
        chosen = self.rng.choice(list(MoonChoice))
        self.deal.choose_moon(chosen)
        return chosen.name.lower()


def with_warning(deal: Deal, choice: int) -> None:
    """A renege: warned about once, then it stands."""
    with pytest.raises(Refused) as refused:
        deal.play(deal.turn, choice)
    assert refused.value.rule is Rule.RENEGE_WARNING
    deal.play(deal.turn, choice)


def test_the_engine_agrees_with_the_reference_and_every_rare_rule_came_up() -> None:
    """IM04. The failing seed is named, so that the deal can be looked at alone."""
    FIRED.clear()
    for seed in range(DEALS):
        try:
            Match(seed).play()
        except AssertionError as error:
            raise AssertionError(f"the models part in deal {seed}: {error}") from error
    names = [name.strip() for line in RARE.strip().splitlines() for name in line.split("·")]
    never = [name for name in names if not FIRED[name]]
    assert not never, f"never came up: {never}"
    unknown = set(FIRED) - set(names)
    assert not unknown, f"not in the list: {unknown}"


def test_the_comparison_can_fail() -> None:
    """A model with one rule changed parts from the engine at once."""
    parted = 0
    for seed in range(60):
        match = Match(seed)
        match.model.may_follow = lambda hand: hand  # type: ignore[method-assign]
        try:
            match.play()
        except AssertionError:
            parted += 1
    assert parted > 30
