"""A seat's view changes by nothing that is hidden from it (FS02)."""

import random
from collections import Counter
from dataclasses import dataclass

import pytest
from hearts_kit import deal_of, play, random_deal, rules
from random_rules import random_rules

from hearts import view
from hearts.cards import cards
from hearts.deal import Deal
from hearts.decisions import NOBODY, Phase, Refused
from hearts.plan import plan_for
from hearts.rules import PRESETS, RuleSet, preset


@dataclass
class Script:
    """A deal from its cards to some point: enough to build it again with two cards changed."""

    rules: RuleSet
    dealer: int
    offset: int
    hands: list[list[int]]
    leftover: list[int]
    passes: dict[int, list[int]]
    plays: list[int]

    def with_swapped(self, a: int, b: int) -> "Script":
        def other(cards: list[int]) -> list[int]:
            return [{a: b, b: a}.get(card, card) for card in cards]

        return Script(
            self.rules,
            self.dealer,
            self.offset,
            [other(hand) for hand in self.hands],
            other(self.leftover),
            {seat: other(given) for seat, given in self.passes.items()},
            self.plays,
        )

    def run(self, seat: int) -> tuple[list[object], Deal]:
        """All that the seat and a spectator see on the way, and the deal at its end."""
        deal = Deal(
            plan_for(self.rules),
            number=0,
            dealer=self.dealer,
            pass_offset=self.offset,
            deck=(self.hands, self.leftover),
            totals=[0] * self.rules.players,
        )
        seen: list[object] = [everything_seen(deal, seat)]
        for giver, given in self.passes.items():
            deal.choose_pass(giver, given)
            seen.append(everything_seen(deal, seat))
        for card in self.plays:
            deal.play(deal.turn, card)
            seen.append(everything_seen(deal, seat))
        return seen, deal


def everything_seen(deal: Deal, seat: int) -> object:
    return view.seat_view(deal, seat), view.spectator_view(deal), refusals(deal, seat)


def refusals(deal: Deal, seat: int) -> list[object]:
    """What the seat is told when it answers with a wrong card."""
    told: list[object] = []
    if deal.phase is Phase.PLAY and deal.turn == seat:
        wrong = set(deal.hand(seat)) - set(deal.legal())
        for card in {0, *deal.trick[:1], *wrong} - set(deal.legal()):
            with pytest.raises(Refused) as refused:
                deal.play(seat, card)
            told.append((refused.value.rule, refused.value.legal, refused.value.message))
    return told


def a_script(rule_set: RuleSet, rng: random.Random) -> tuple[Script, Deal]:
    """A random deal, stopped at a random point."""
    offset = rng.choice(rule_set.pass_cycle)
    deal = random_deal(rule_set, rng, offset)
    script = Script(rule_set, deal.dealer, offset, deal.dealt, deal.leftover, {}, [])
    stop = rng.randrange(rule_set.hand_size * rule_set.players)
    if deal.phase is Phase.PASS:
        seats = rng.sample(range(rule_set.players), rule_set.players)
        for seat in seats if rng.random() < 0.8 else seats[:-1]:
            script.passes[seat] = rng.sample(deal.hand(seat), rule_set.pass_count)
            deal.choose_pass(seat, script.passes[seat])
    while deal.phase is Phase.PLAY and len(script.plays) < stop:
        card = rng.choice(deal.legal())
        script.plays.append(card)
        deal.play(deal.turn, card)
    return script, deal


def hidden_from(deal: Deal, seat: int) -> list[int]:
    """Cards the seat has not seen: in other hands or the hole, and not given away by it."""
    hidden = [c for s in range(deal.rules.players) if s != seat for c in deal.hand(s)]
    if not view.leftover_seen(deal, seat):
        hidden += deal.leftover
    # With two packs the seat may know the other copy; then a swap would show.
    known = {*deal.gave[seat], *deal.received[seat], *deal.dealt[seat], *deal.plays}
    known.update(view.leftover_seen(deal, seat))
    return [card for card in hidden if card not in known]


@pytest.mark.parametrize("name", [*PRESETS, *(f"random {n}" for n in range(30))])
def test_a_view_does_not_change_with_cards_hidden_from_the_seat(name: str) -> None:
    """FS02: in turns, refusals, snapshots and spectators' views, in every phase."""
    rng = random.Random(name)
    compared = 0
    for _ in range(8):
        rule_set = preset(name) if name in PRESETS else random_rules(rng)
        script, deal = a_script(rule_set, rng)
        seat = rng.randrange(rule_set.players)
        hidden = hidden_from(deal, seat)
        before, _ = script.run(seat)
        for _ in range(4):
            if len(set(hidden)) < 2:
                break
            a, b = rng.sample(hidden, 2)
            try:
                after, _ = script.with_swapped(a, b).run(seat)
            except (Refused, ValueError):
                continue  # with these cards the others could not have played like this
            if opener_of(before) != opener_of(after):
                continue  # nor would the same seat have opened
            assert after == before
            compared += 1
    assert compared > 0


def opener_of(seen: list[object]) -> int:
    last = seen[-1]
    assert isinstance(last, tuple)
    spectator = last[1]
    return spectator.tricks[0].leader if spectator.tricks else spectator.leader


def test_the_comparison_can_fail() -> None:
    """A view with another's hand in it would be found."""
    rng = random.Random(1)
    found = Counter[bool]()
    for _ in range(30):
        script, deal = a_script(preset("standard"), rng)
        hidden = hidden_from(deal, 0)
        if len(hidden) < 2:
            continue
        a, b = rng.sample(hidden, 2)
        _, one = script.run(0)
        try:
            _, two = script.with_swapped(a, b).run(0)
        except Refused:
            continue
        found[one.hand(1) != two.hand(1)] += 1
    assert found[True] > 3


def test_a_view_is_enough_to_come_back_with() -> None:
    """DR06: hand, cards passed and received, tricks, the decision."""
    deal = deal_of(rules(), "2C 3C 4C 5C", offset=1)
    for seat in range(4):
        deal.choose_pass(seat, deal.hand(seat)[:3])
    play(deal, "2C")
    seen = view.seat_view(deal, deal.turn)
    assert seen.start.hand == tuple(deal.dealt[deal.turn])
    assert seen.passed is not None
    assert seen.passed.hand == tuple(deal.hand(deal.turn))
    assert seen.turn is not None
    assert seen.turn.trick == tuple(cards("2C"))
    assert seen.turn.legal == tuple(deal.legal())
    assert view.turn(deal, deal.leader) is None


def test_a_seat_that_chose_its_pass_is_told_nothing_more_until_all_have() -> None:
    deal = deal_of(rules(), "2C 3C 4C 5C", offset=1)
    deal.choose_pass(0, cards("2C 3C 4C"))
    assert view.passed(deal, 1) is None
    assert view.turn(deal, 0) is None
    pending = view.turn(deal, 1)
    assert pending is not None
    assert pending.phase is Phase.PASS
    assert pending.leader == NOBODY
