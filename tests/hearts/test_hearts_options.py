"""One test or table for each option of leading, following and discarding: what a player sees."""

import pytest
from hearts_kit import deal_of, legal, play, rules, tiny
from test_hearts_positions import MOON_PLAYS, moon_deal

from hearts.cards import cards, codes
from hearts.deal import Deal
from hearts.decisions import Phase, Refused, Rule

# Openings.


@pytest.mark.parametrize(
    ("options", "hands", "dealer", "opener", "expected"),
    [
        ({}, ("3C", "2C"), 3, 1, "2C"),
        (
            {"opening": "any_club"},
            ("3C", "2C 5C AC 2D 3D 4D 5D 6D 7D 8D 9D TD JD"),
            3,
            1,
            "2C 5C AC",
        ),
        ({"opening": "eldest"}, ("3C", "2C"), 0, 1, None),
        # A joker is the lowest club, whoever holds the two; of two the first from dealer's left.
        ({"players": 6, "jokers": 2}, ("2C", "0C", "3C", "0C"), 3, 1, "0C"),
        ({"players": 6, "jokers": 2}, ("2C", "0C", "3C", "0C"), 1, 3, "0C"),
        ({"players": 8, "decks": 2, "pass_cycle": [0]}, ("2C", "3C", "2C"), 0, 2, "2C"),
        # The lowest club is in the hole.
        ({"players": 3, "leftover": "dead"}, (), 2, 0, "3C"),
    ],
)
def test_who_opens_with_what(
    options: dict[str, object],
    hands: tuple[str, ...],
    dealer: int,
    opener: int,
    expected: str | None,
) -> None:
    rule_set = rules(**options)
    if rule_set.leftover_size:
        pack = rule_set.pack()
        size = rule_set.hand_size
        hands = tuple(codes(pack[1 + s * size : 1 + (s + 1) * size]) for s in range(3))
        deal = deal_of(rule_set, *hands, dealer=dealer, leftover="2C")
    else:
        deal = deal_of(rule_set, *hands, dealer=dealer)
    assert (deal.opener, deal.turn, deal.leader) == (opener, opener, opener)
    if expected:
        assert legal(deal) == expected


@pytest.mark.parametrize(
    ("options", "hand", "expected"),
    [
        # barred: penalty cards only when there is nothing else; hearts are not broken either.
        ({}, "2D 3H QS", "2D"),
        ({}, "2H 3H QS", "QS"),
        ({"lead_exception": "only_penalty"}, "2H 3H QS", "2H 3H QS"),
        ({"first_trick_penalty": "queen_barred"}, "2D 3H QS", "2D"),
        ({"first_trick_penalty": "queen_barred"}, "2S 3H QS", "2S"),
        ({"first_trick_penalty": "free"}, "2D 3H QS", "2D QS"),
        ({"first_trick_penalty": "free", "hearts_lead": "free"}, "2D 3H QS", "2D 3H QS"),
        ({"first_trick_penalty": "free", "queen_lead": "broken"}, "2D 3H QS", "2D"),
        # She is barred for a hand that holds others, and then the others are only hearts.
        ({"first_trick_penalty": "queen_barred"}, "2H 3H QS", "2H 3H"),
    ],
)
def test_what_an_eldest_opener_may_lead(
    options: dict[str, object], hand: str, expected: str
) -> None:
    pack = "2C 3C 4C 2D 3D 2S 3S 4S 2H 3H QS 5S"
    deal = deal_of(tiny(pack, opening="eldest", **options), hand, dealer=3)
    assert legal(deal) == expected


def test_a_scoring_joker_is_barred_but_one_that_must_open_may() -> None:
    six = rules(players=6, jokers=2, joker_points=5)
    joker_opens = deal_of(six, "0C", "0C 2D")
    assert legal(joker_opens) == "0C"
    play(joker_opens, "0C")
    assert legal(joker_opens).startswith("0C")  # to follow suit it may, too


# Discards on the first trick.


@pytest.mark.parametrize(
    ("option", "expected"),
    [("barred", "2D KS"), ("queen_barred", "2D 2H KS"), ("free", "2D 2H QS KS")],
)
def test_what_a_void_hand_may_throw_on_the_first_trick(option: str, expected: str) -> None:
    deal = deal_of(
        tiny("2C 3C 4C 5C 2H QS 2D KS 3D 4D 5D 6D 7D 8D 9D TD", first_trick_penalty=option),
        "2C",
        "2H QS 2D KS",
    )
    assert legal(play(deal, "2C")) == expected


# Breaking and leading.


@pytest.mark.parametrize(
    ("option", "thrown", "broken"),
    [
        ("heart", "2H", True),
        ("heart", "QS", False),
        ("heart", "KS", False),
        ("heart_or_queen", "QS", True),
        ("heart_or_queen", "KS", False),
        ("any_penalty", "QS", True),
        ("any_penalty", "KS", True),
        ("any_penalty", "JD", False),
    ],
)
def test_what_breaks_hearts(option: str, thrown: str, broken: bool) -> None:
    """RU05."""
    points = {"QS": 13, "KS": 10, "JD": -10}
    deal = deal_of(
        tiny(
            "2C 3C 4C AC 2H QS KS JD 2S 3S 4S 5S 6S 7S 8S 9S",
            points=points,
            break_on=option,
            first_trick_penalty="free",
        ),
        "2C",
        "2H QS KS JD",
    )
    play(deal, "2C")
    assert not deal.hearts_broken
    assert play(deal, thrown).hearts_broken is broken


@pytest.mark.parametrize(("option", "expected"), [("free", "2D 2S QS"), ("broken", "2D 2S")])
def test_when_the_queen_may_be_led(option: str, expected: str) -> None:
    pack = "2C 3C 4C AC 2D 2S QS 2H 3D 3S 4S 3H 4D 5S 6S 4H 5D 7S 8S 5H"
    deal = deal_of(tiny(pack, queen_lead=option), "AC 2D 2S QS 2H", "2C", "3C", "4C")
    assert legal(play(deal, "2C 3C 4C AC")) == expected
    if option == "broken":
        with pytest.raises(Refused) as refused:
            play(deal, "QS")
        assert refused.value.rule is Rule.QUEEN_NOT_BROKEN


# Refusals name the rule that was broken (IM08) and change nothing (IM07).


def refusal(deal: Deal, text: str) -> Rule:
    """The rule named when the seat to move plays this; the deal must stay as it is."""
    before = deal.state_hash()
    answers = deal.legal()
    with pytest.raises(Refused) as refused:
        play(deal, text)
    assert deal.state_hash() == before
    assert refused.value.legal == answers == deal.legal()
    assert refused.value.message
    return refused.value.rule


def test_each_illegal_card_is_refused_by_the_name_of_its_rule() -> None:
    """IM07, IM08."""
    deal = deal_of(
        rules(),
        "2C KC 2D 3D 4D 5D 6D 2H 3H 4H 5H 6H QS",
        "3C 4C 5C 6C 7C 8C 9C TC JC QC 7D 8D 9D",
        "AC TD JD QD KD AD 2S 3S 4S 5S 7H 8H 9H",
        "6S 7S 8S 9S TS JS KS AS TH JH QH KH AH",
    )
    assert refusal(deal, "KC") is Rule.MUST_OPEN
    assert refusal(deal, "AC") is Rule.NOT_IN_HAND
    assert refusal(deal, "0C") is Rule.UNKNOWN_CARD
    play(deal, "2C")
    assert refusal(deal, "7D") is Rule.MUST_FOLLOW_SUIT
    assert refusal(deal, "2C") is Rule.NOT_IN_HAND
    play(deal, "3C AC")
    assert refusal(deal, "TH") is Rule.PENALTY_ON_FIRST_TRICK
    play(deal, "6S")
    assert deal.turn == 2
    assert refusal(deal, "7H") is Rule.HEARTS_NOT_BROKEN


def test_any_club_must_be_a_club() -> None:
    deal = deal_of(rules(opening="any_club"), "2C 2D")
    assert refusal(deal, "2D") is Rule.MUST_OPEN


def test_an_eldest_opener_is_told_of_the_first_trick() -> None:
    pack = "2C 3C 4C 2D 3D 2S 3S 4S 2H 3H QS 5S"
    deal = deal_of(tiny(pack, opening="eldest"), "2D 3H QS")
    assert refusal(deal, "QS") is Rule.PENALTY_ON_FIRST_TRICK
    assert refusal(deal, "3H") is Rule.PENALTY_ON_FIRST_TRICK


def test_hearts_and_the_queen_must_lead_the_queen() -> None:
    pack = "2C 3C 4C AC QS 2H 3H 4H 5H 2D 3D 4D"
    deal = deal_of(tiny(pack), "2C 5H 2D", "AC 2H QS", "3C 3H 3D", "4C 4H 4D")
    assert refusal(play(deal, "2C AC 3C 4C"), "2H") is Rule.MUST_LEAD_QUEEN


@pytest.mark.parametrize("seat", [-1, 1, 2, 3, 4, 99])
def test_only_the_seat_to_move_can_play(seat: int) -> None:
    """IM09."""
    deal = deal_of(rules(), "2C")
    before = deal.state_hash()
    with pytest.raises(Refused) as refused:
        deal.play(seat, 2)
    assert refused.value.rule is Rule.OUT_OF_TURN
    assert refused.value.legal == []
    assert deal.state_hash() == before


def test_no_answer_fits_another_phase() -> None:
    passing = deal_of(rules(), "2C", offset=1)
    with pytest.raises(Refused):
        passing.play(0, 2)
    with pytest.raises(Refused):
        passing.choose_moon(1)  # type: ignore[arg-type]
    passing.choose_pass(0, passing.hand(0)[:3])
    with pytest.raises(Refused) as twice:
        passing.choose_pass(0, passing.hand(0)[:3])
    assert twice.value.rule is Rule.OUT_OF_TURN
    choosing = play(moon_deal(moon="choose"), MOON_PLAYS)
    before = choosing.state_hash()
    for wrong in (0, 3, None):
        with pytest.raises(Refused) as refused:
            choosing.choose_moon(wrong)  # type: ignore[arg-type]
        assert refused.value.rule is Rule.MALFORMED
    with pytest.raises(Refused):
        choosing.choose_moon(1, seat=2)  # type: ignore[arg-type]
    assert choosing.state_hash() == before
    choosing.choose_moon(1)  # type: ignore[arg-type]
    assert choosing.phase is Phase.DONE
    for seat in range(4):
        with pytest.raises(Refused):
            choosing.fallback(seat)


# Renege.


def renege_deal(charge: str, **options: object) -> Deal:
    pack = "2C 3C 4C AC QS AS 2H 3H 2D 3D 4D 5D"
    rule_set = tiny(pack, renege="penalise", renege_charge=charge, **options)
    return deal_of(rule_set, "AC AS 2D", "2C QS 3D", "3C 2H 4D", "4C 3H 5D")


@pytest.mark.parametrize(("charge", "points"), [("hearts", [13, 0, 2, 0]), ("all", [0, 0, 15, 0])])
def test_a_renege_is_warned_about_then_stands_and_is_charged(
    charge: str, points: list[int]
) -> None:
    deal = renege_deal(charge)
    play(deal, "2C")
    assert refusal(deal, "2H") is Rule.RENEGE_WARNING
    assert refusal(deal, "4D") is Rule.RENEGE_WARNING  # another card is another warning
    assert refusal(deal, "2H") is Rule.RENEGE_WARNING
    play(deal, "2H")
    assert deal.offender == 2
    assert deal.hearts_broken
    play(deal, "4C AC AS QS 3C 3H")
    assert deal.turn == 0
    play(deal, "2D 3D 4D 5D")
    # Seat 0 took every penalty card, but a renege leaves no moon.
    assert deal.raw_points == [15, 0, 0, 0]
    assert deal.moon == []
    assert deal.points == points


@pytest.mark.parametrize(
    ("charge", "points"), [("hearts", [13, -5, -3, 0]), ("all", [0, -5, 10, 0])]
)
def test_a_renege_deal_is_no_moon_deal_and_gives_the_no_trick_bonus(
    charge: str, points: list[int]
) -> None:
    """docs/rules.md, "Where the rules leave a choice": the offender may have it, too."""
    deal = renege_deal(charge, no_trick_bonus=5)
    play(deal, "2C")
    with pytest.raises(Refused):
        play(deal, "2H")
    play(deal, "2H 4C AC AS QS 3C 3H 2D 3D 4D 5D")
    assert (deal.offender, deal.moon) == (2, [])
    assert deal.points == points


def test_the_second_offender_is_not_charged() -> None:
    deal = renege_deal("all")
    play(deal, "2C")
    for card, seat in ((cards("2H")[0], 2), (cards("3H")[0], 3)):
        with pytest.raises(Refused):
            deal.play(seat, card)
        deal.play(seat, card)
    assert deal.offender == 2


def test_other_illegal_cards_are_refused_as_ever() -> None:
    deal = renege_deal("all")
    assert refusal(deal, "QS") is Rule.MUST_OPEN
    assert refusal(deal, "QS") is Rule.MUST_OPEN


def test_the_fallback_never_reneges() -> None:
    deal = renege_deal("all")
    play(deal, "2C")
    assert deal.fallback(2) == cards("3C")


def test_without_the_option_a_renege_stays_refused() -> None:
    deal = deal_of(rules(), "2C", "3C 2D")
    play(deal, "2C")
    for _ in range(3):
        assert refusal(deal, "2D") is Rule.MUST_FOLLOW_SUIT
