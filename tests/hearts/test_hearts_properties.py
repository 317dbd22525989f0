"""What must hold in every deal of every rule set, tried on many."""

import random
from collections import Counter

import pytest
from hearts_kit import SECRET, play_match, play_out, random_deal, random_pass
from hypothesis import given, settings
from hypothesis import strategies as st
from random_rules import random_rules

from hearts.cards import LAST
from hearts.deal import Deal
from hearts.decisions import Phase, Refused, Rule
from hearts.game import Game
from hearts.record import from_json, from_text, replay, to_json, to_text
from hearts.rules import PRESETS, RuleSet, preset
from hearts.scoring import MoonChoice
from hearts.shuffle import Board

QUICK = settings(max_examples=60, deadline=None)
seeds = st.integers(min_value=0, max_value=2**32)


def a_deal(seed: int) -> tuple[Deal, random.Random]:
    """A deal of a random valid rule set, or of a preset."""
    rng = random.Random(seed)
    rules = preset(rng.choice(PRESETS)) if seed % 3 == 0 else random_rules(rng)
    offset = rng.choice(rules.pass_cycle)
    return random_deal(rules, rng, offset), rng


def where_the_cards_are(deal: Deal) -> list[int]:
    """Every card there is, wherever it lies."""
    taken = [card for pile in deal.taken for card in pile]
    hands = [card for seat in range(deal.rules.players) for card in deal.hand(seat)]
    hole = deal.leftover if deal.leftover_taker < 0 else []
    return sorted(taken + hands + hole + deal.trick + deal.carried)


@given(seeds)
@QUICK
def test_cards_are_conserved_and_somebody_can_always_play(seed: int) -> None:
    deal, rng = a_deal(seed)
    pack = deal.rules.pack()
    assert where_the_cards_are(deal) == pack

    def check(now: Deal) -> None:
        assert where_the_cards_are(now) == pack
        if now.phase is Phase.PLAY:
            legal, hand = now.legal(), now.hand(now.turn)
            assert legal
            assert legal == sorted(legal)
            assert not Counter(legal) - Counter(hand)
        else:
            assert now.legal() == []

    play_out(deal, rng, check)
    assert deal.phase is Phase.DONE


@given(seeds)
@QUICK
def test_points_taken_are_the_points_in_play(seed: int) -> None:
    deal, rng = a_deal(seed)
    play_out(deal, rng)
    dead = list(deal.carried)
    if deal.leftover_taker < 0:
        dead += deal.leftover
    in_play = Counter(deal.rules.pack())
    in_play.subtract(dead)
    expected = sum(deal.rules.points_of(card) * copies for card, copies in in_play.items())
    assert sum(deal.raw_points) == expected


@given(seeds)
@QUICK
def test_a_refused_answer_leaves_the_state_as_it_was(seed: int) -> None:
    """IM07: any card, any seat, in any phase."""
    deal, rng = a_deal(seed)

    def attack(now: Deal) -> None:
        before = now.state_hash()
        seat = rng.randrange(-1, now.rules.players + 1)
        answer = rng.randrange(-1, LAST + 3)
        allowed = now.legal() if seat == now.turn else []
        if answer not in allowed:
            with pytest.raises(Refused) as refused:
                now.play(seat, answer)
            assert refused.value.legal in (allowed, [])
            assert refused.value.message
        cards = [rng.randrange(LAST + 3) for _ in range(rng.randrange(5))]
        if seat not in now.to_pass or Counter(cards) - Counter(now.hand(seat)):
            with pytest.raises(Refused):
                now.choose_pass(seat, cards)
        if now.phase is not Phase.MOON_CHOICE:
            with pytest.raises(Refused):
                now.choose_moon(MoonChoice.SELF)
        assert now.state_hash() == before

    attack(deal)
    play_out(deal, rng, attack)


@given(seeds)
@QUICK
def test_every_card_that_is_not_legal_is_refused_by_a_rule_of_play(seed: int) -> None:
    """IM08."""
    deal, rng = a_deal(seed)
    names = {
        Rule.MUST_FOLLOW_SUIT,
        Rule.MUST_OPEN,
        Rule.PENALTY_ON_FIRST_TRICK,
        Rule.HEARTS_NOT_BROKEN,
        Rule.QUEEN_NOT_BROKEN,
        Rule.MUST_LEAD_QUEEN,
        Rule.RENEGE_WARNING,
    }

    def try_all(now: Deal) -> None:
        if now.phase is not Phase.PLAY:
            return
        legal = set(now.legal())
        for card in set(now.hand(now.turn)) - legal:
            with pytest.raises(Refused) as refused:
                now.play(now.turn, card)
            assert refused.value.rule in names

    play_out(deal, rng, try_all)


@given(seeds)
@QUICK
def test_the_fallback_is_legal_and_always_the_same(seed: int) -> None:
    """IM05: in every phase; a deal played by nothing else comes to its end."""
    deal, _ = a_deal(seed)
    while deal.phase is not Phase.DONE:
        if deal.phase is Phase.PASS:
            seat = min(deal.to_pass)
            cards = deal.fallback(seat)
            assert isinstance(cards, list)
            assert cards == deal.fallback(seat)
            assert len(cards) == deal.rules.pass_count
            deal.choose_pass(seat, cards)
        elif deal.phase is Phase.PLAY:
            answer = deal.fallback(deal.turn)
            assert isinstance(answer, list)
            assert answer == deal.fallback(deal.turn)
            assert len(answer) == 1
            assert answer[0] == min(deal.legal())
            deal.play(deal.turn, answer[0])
        else:
            choice = deal.fallback(deal.turn)
            assert isinstance(choice, MoonChoice)
            deal.choose_moon(choice)


@given(seeds)
@settings(max_examples=25, deadline=None)
def test_records_round_trip_and_replay(seed: int) -> None:
    rng = random.Random(seed)
    rules = random_rules(rng)
    states: list[str] = []
    record = play_match(
        rules, seed, deals=rng.randint(1, 3), watch=lambda deal: states.append(deal.state_hash())
    )
    assert from_text(to_text(record)) == from_json(to_json(record)) == record
    again: list[str] = []
    replay(record, lambda deal: again.append(deal.state_hash()))
    assert again == states


@given(seeds)
@settings(max_examples=25, deadline=None)
def test_every_game_ends(seed: int) -> None:
    rng = random.Random(seed)
    record = play_match(random_rules(rng, short=True), seed)
    assert record.deals
    replay(record)


@given(seeds)
@QUICK
def test_options_of_a_random_rule_set_read_back(seed: int) -> None:
    rules = random_rules(random.Random(seed))
    assert RuleSet.from_options(rules.to_options()) == rules
    assert RuleSet.from_options(rules.differences()) == rules


def test_a_pass_moves_cards_and_keeps_every_hand_full() -> None:
    for name in PRESETS:
        rules = preset(name)
        for index in range(len(rules.pass_cycle)):
            rng = random.Random(index)
            deal = random_deal(rules, rng, rules.passes(index))
            random_pass(deal, rng)
            for seat in range(rules.players):
                assert len(deal.hand(seat)) == rules.hand_size
                receiver = (seat + deal.pass_offset) % rules.players
                assert deal.received[receiver] == deal.gave[seat]


def test_four_equal_bots_score_alike_from_every_seat() -> None:
    """FS04: deal, pass and turn order favour no seat."""
    deals = 1200
    sums = [0] * 4
    squares = 0
    rng = random.Random(3)
    game = Game(preset("standard"), Board(SECRET, 1), deals)
    while True:
        play_out(game.deal, rng)
        for seat, points in enumerate(game.deal.points):
            sums[seat] += points
            squares += points * points
        if game.over:
            break
        game.next_deal()
    mean = sum(sums) / 4 / deals
    error = ((squares / 4 / deals - mean**2) / deals) ** 0.5
    assert all(abs(total / deals - mean) < 4 * error for total in sums)
