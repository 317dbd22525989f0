"""One test or table for each option of play and scoring: what a player would see."""

import random

import pytest
from hearts_kit import SECRET, deal_of, fill, legal, play, play_out, rules, tiny
from test_hearts_positions import MOON_PLAYS, cancelled, moon_deal

from hearts import view
from hearts.cards import cards, codes
from hearts.deal import Deal, Deck
from hearts.decisions import NOBODY, Phase, Refused, Rule
from hearts.game import Game
from hearts.rules import RuleSet, preset
from hearts.scoring import MatchEnd, settle
from hearts.shuffle import Board

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


# Two packs and jokers.


@pytest.mark.parametrize(("duplicate", "taker"), [("cancel", 2), ("first", 3), ("last", 0)])
def test_two_equal_cards_in_one_trick(duplicate: str, taker: int) -> None:
    hands = ("KC 2D", "2C 3D", "QC 4D", "KC 5D")
    deal = cancelled("2C QC KC KC", *hands, duplicate=duplicate)
    assert deal.leader == taker


def test_two_jokers_of_one_pack_the_first_ranks_higher() -> None:
    pack = rules(players=6, jokers=2).pack()
    keep = cards("0C 0C 2D 3D 4D 5D 6D 7D 8D 9D TD JD")
    for each in keep:
        pack.remove(each)
    small = rules(
        players=6, jokers=2, remove=codes(pack).split(), points={}, pass_cycle=[0], pass_count=1,
        joker_points=1,
    )  # fmt: skip
    deal = deal_of(small, "2D 3D", "0C 4D", "5D 6D", "0C 7D", "8D 9D", "TD JD")
    play(deal, "0C 5D 0C 8D TD 2D")
    assert deal.leader == 1


# Leftover cards.


def hole(option: str, leftover: str = "9H", **options: object) -> Deal:
    """Three seats, three cards each, one over; seat 0 has eldest hand and the clubs."""
    pack = "2C 3C 4C 2D 3D 4D 2H 3H QS 9H"
    rule_set = tiny(pack, players=3, leftover=option, **options)
    return deal_of(rule_set, "2C 4D 2H", "3C 3D QS", "4C 2D 3H", dealer=2, leftover=leftover)


@pytest.mark.parametrize(
    ("option", "takers"),
    [
        ("dead", [NOBODY, NOBODY, NOBODY]),
        ("first_trick", [2, 2, 2]),
        ("first_heart", [NOBODY, NOBODY, 2]),
        ("first_penalty", [NOBODY, NOBODY, 2]),
    ],
)
def test_who_gets_the_leftover_cards(option: str, takers: list[int]) -> None:
    deal = hole(option)
    seen = []
    for trick in ("2C 3C 4C", "2D 4D 3D", "2H QS 3H"):
        assert not deal.hearts_broken  # a heart in the hole breaks nothing
        play(deal, trick)
        seen.append(deal.leftover_taker)
    assert seen == takers
    assert sum(deal.raw_points) == (15 if option == "dead" else 16)


@pytest.mark.parametrize(
    ("visible", "seen"), [("taker", [0, 0, 1, 0]), ("never", [0, 0, 0, 0]), ("all", [1, 1, 1, 1])]
)
def test_who_sees_the_leftover_cards(visible: str, seen: list[int]) -> None:
    deal = hole("first_trick", leftover_visible=visible)
    everybody = (0, 1, 2, None)
    assert [len(view.leftover_seen(deal, seat)) for seat in everybody] == [0, 0, 0, 0]
    play(deal, "2C 3C 4C")
    assert [len(view.leftover_seen(deal, seat)) for seat in everybody] == seen


def test_the_leftover_goes_with_a_cancelled_trick_to_its_taker() -> None:
    pack = cards("2C 2C 3C 3C 2D 3D 4D 5D 9H")
    rest = rules(decks=2).pack()
    for each in pack:
        rest.remove(each)
    rule_set = rules(
        decks=2, remove=codes(rest).split(), leftover="first_trick", points={}, pass_cycle=[0],
        pass_count=1,
    )  # fmt: skip
    deal = deal_of(rule_set, "2C 2D", "2C 3D", "3C 4D", "3C 5D", leftover="9H")
    play(deal, "2C 2C 3C 3C")
    assert deal.leftover_taker == NOBODY
    play(deal, "2D 3D 4D 5D")
    assert deal.leftover_taker == 3
    assert deal.raw_points == [0, 0, 0, 1]


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


# Redeal.


def nothing_but_hearts(rule_set: RuleSet) -> Deck:
    return fill(rule_set, "2C", "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH")


def test_a_hand_of_nothing_but_barred_cards_is_dealt_anew() -> None:
    redeal = rules(first_trick_forced="redeal")
    asked: list[int] = []

    def cards_of(number: int) -> Deck:
        asked.append(number)
        return nothing_but_hearts(redeal) if number == 1 else fill(redeal, "2C", "3C", "4C", "5C")

    deal = deal_of(redeal, "2C", "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH", redeal=cards_of)
    assert asked == [1, 2]
    assert deal.redeals == 2
    assert (deal.number, deal.dealer, deal.opener) == (0, 3, 0)


def test_the_redeal_is_checked_after_the_pass_and_passes_again() -> None:
    redeal = rules(first_trick_forced="redeal")
    hearts = "2C 3C 4C 2H 3H 4H 5H 6H 7H 8H 9H TH JH"
    deal = deal_of(
        redeal,
        *("2D 3D 4D", hearts, "QH KH AH"),
        offset=1,
        redeal=lambda _: fill(redeal, "2C", "3C", "4C", "5C"),
    )
    deal.choose_pass(0, cards("2D 3D 4D"))
    deal.choose_pass(1, cards("2C 3C 4C"))
    deal.choose_pass(2, cards("QH KH AH"))
    assert deal.redeals == 0
    deal.choose_pass(3, deal.hand(3)[:3])
    # Seat 1 got three diamonds, so its hand is no reason; nothing is dealt anew.
    assert (deal.redeals, deal.phase) == (0, Phase.PLAY)

    deal = deal_of(
        redeal,
        *("QH KH AH 5C", hearts, "2D 3D 4D"),
        offset=1,
        redeal=lambda _: fill(redeal, "2C", "3C", "4C", "5C"),
    )
    deal.choose_pass(0, cards("QH KH AH"))
    deal.choose_pass(1, cards("2C 3C 4C"))
    deal.choose_pass(2, cards("2D 3D 4D"))
    deal.choose_pass(3, deal.hand(3)[:3])
    assert (deal.redeals, deal.phase, deal.to_pass) == (1, Phase.PASS, {0, 1, 2, 3})
    assert deal.gave == deal.received == [[], [], [], []]


def test_after_three_redeals_the_hand_plays_any_card() -> None:
    redeal = rules(first_trick_forced="redeal")
    hearts = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
    deal = deal_of(redeal, "2C", hearts, redeal=lambda _: nothing_but_hearts(redeal))
    assert deal.redeals == 3
    assert legal(play(deal, "2C")) == hearts


# The moon, the points and the end.


@pytest.mark.parametrize(
    ("options", "points"),
    [
        ({"moon": "others"}, [0, 15, 15, 15]),
        ({"moon": "self"}, [-15, 0, 0, 0]),
        ({"moon": "off"}, [15, 0, 0, 0]),
        ({"moon": "auto"}, [0, 15, 15, 15]),
        ({"moon_points": 26}, [0, 26, 26, 26]),
        ({"moon": "self", "moon_points": 50}, [-50, 0, 0, 0]),
        ({"heart_points": "rank"}, [0, 18, 18, 18]),
    ],
)
def test_what_a_moon_scores(options: dict[str, object], points: list[int]) -> None:
    """RU06."""
    deal = play(moon_deal(**options), MOON_PLAYS)
    assert deal.points == points
    assert deal.moon == ([] if options.get("moon") == "off" else [0])


@pytest.mark.parametrize(
    ("hand", "plays", "moon"),
    [
        ("AC AS 2D", "2C 3C 4C AC AS QS 2H 3H 2D JD 3D 4D", []),
        ("AC AS KD", "2C 3C 4C AC AS QS 2H 3H KD JD 3D 4D", [0]),
    ],
)
def test_a_moon_that_needs_the_bonus_card_too(hand: str, plays: str, moon: list[int]) -> None:
    pack = f"2C 3C 4C AC QS AS 2H 3H 3D 4D JD {hand.split()[2]}"
    options: dict[str, object] = {
        "points": {"QS": 13, "JD": -10},
        "moon_needs": "penalties_and_bonus",
    }
    deal = deal_of(tiny(pack, **options), hand, "2C QS JD", "3C 2H 3D", "4C 3H 4D")
    play(deal, plays)
    assert deal.moon == moon
    assert deal.points == ([-10, 15, 15, 15] if moon else [15, -10, 0, 0])


STANDARD_200 = {"max_deals": 200}


@pytest.mark.parametrize(
    ("options", "totals", "points", "after", "end", "places"),
    [
        ({}, [90, 1, 2, 3], [10, 0, 16, 0], [100, 1, 18, 3], MatchEnd.TARGET, (4, 1, 3, 2)),
        ({"end": "exceed"}, [90, 1, 2, 3], [10, 0, 16, 0], [100, 1, 18, 3], None, (4, 1, 3, 2)),
        ({"end": "exceed"}, [90, 1, 2, 3], [11, 0, 15, 0], [101, 1, 17, 3], MatchEnd.TARGET,
         (4, 1, 3, 2)),
        ({"max_deals": 1}, [0, 0, 0, 0], [13, 13, 0, 0], [13, 13, 0, 0], MatchEnd.DEALS,
         (3, 3, 1, 1)),
        ({"target": None, "max_deals": 2}, [990, 0, 0, 0], [13, 13, 0, 0], [1003, 13, 0, 0], None,
         (4, 3, 1, 1)),
        ({"exact": {"score": 100, "becomes": 50}}, [90, 95, 0, 0], [10, 5, 11, 0], [50, 50, 11, 0],
         None, (3, 3, 2, 1)),
        ({"exact": {"score": 50, "becomes": 100}}, [40, 0, 0, 0], [10, 0, 0, 16], [100, 0, 0, 16],
         MatchEnd.TARGET, (4, 1, 1, 3)),
        ({"exact": {"score": 100, "wins": True}}, [90, 95, 0, 99], [10, 5, 11, 2],
         [100, 100, 11, 101], MatchEnd.EXACT, (1, 1, 3, 4)),
        ({"score_floor": 0}, [5, 0, 0, 0], [-10, 26, 0, 0], [0, 26, 0, 0], None, (1, 4, 1, 1)),
        # The floor comes before the exact rule.
        ({"score_floor": 0, "exact": {"score": 0, "becomes": 7}}, [5, 9, 9, 9], [-10, 0, 0, 0],
         [7, 9, 9, 9], None, (1, 2, 2, 2)),
        ({"tie": "play_on"}, [100, 5, 5, 9], [1, 0, 0, 0], [101, 5, 5, 9], None, (4, 1, 1, 3)),
        ({"tie": "play_on"}, [100, 5, 5, 9], [0, 1, 0, 0], [100, 6, 5, 9], MatchEnd.TARGET,
         (4, 2, 1, 3)),
        ({"tie": "play_on", "max_deals": 1}, [100, 5, 5, 9], [1, 0, 0, 0], [101, 5, 5, 9],
         MatchEnd.DEALS, (4, 1, 1, 3)),
    ],
)  # fmt: skip
def test_the_order_at_the_end_of_a_deal(
    options: dict[str, object],
    totals: list[int],
    points: list[int],
    after: list[int],
    end: MatchEnd | None,
    places: tuple[int, ...],
) -> None:
    """RU06, RU07."""
    standing = settle(rules(**options), totals, points, deals_done=1)
    assert list(standing.totals) == after
    assert standing.end is end
    assert standing.places == places


def test_auto_projects_the_exact_rule_too() -> None:
    """With the others' 15 seat 3 lands on 100 and falls to 0: nothing ends, so others it is."""
    exact = {"score": 100, "becomes": 0}
    deal = play(moon_deal(moon="auto", exact=exact, totals=[50, 20, 10, 85]), MOON_PLAYS)
    assert deal.totals_after == [50, 35, 25, 0]


def test_auto_knows_the_last_deal() -> None:
    """It ends the game whatever the totals are."""
    deal = moon_deal(moon="auto", max_deals=3, number=2, totals=[50, 20, 10, 30])
    assert play(deal, MOON_PLAYS).totals_after == [35, 20, 10, 30]


# Games.


def test_a_game_deals_to_the_left_and_passes_by_the_cycle() -> None:
    game = Game(preset("standard"), Board(SECRET, 2))
    first = game.deal.dealer
    seen = []
    rng = random.Random(1)
    while True:
        seen.append((game.deal.dealer, game.deal.pass_offset))
        play_out(game.deal, rng)
        if game.over or len(seen) == 5:
            break
        game.next_deal()
    offsets = [2, 0, 1, -1, 2]  # board 2 begins at the third pass of the cycle
    assert seen == [((first + k) % 4, offsets[k]) for k in range(len(seen))]


def test_a_fixed_number_of_deals_ends_after_them_whatever_the_totals() -> None:
    """RU07."""
    game = Game(preset("standard"), Board(SECRET, 0), deals=12)
    rng = random.Random(2)
    for number in range(12):
        assert not game.over
        assert game.deals_done == number
        play_out(game.deal, rng)
        if number < 11:
            game.next_deal()
    assert game.over
    assert game.end is MatchEnd.DEALS
    assert sum(game.totals) in range(12 * 26, 12 * 78 + 1)
    with pytest.raises(ValueError, match="over"):
        game.next_deal()


def test_a_deal_must_be_done_before_the_next() -> None:
    with pytest.raises(ValueError, match="not done"):
        Game(preset("standard"), Board(SECRET, 0)).next_deal()


def test_a_resumed_game_goes_on_as_if_nothing_had_happened() -> None:
    whole = Game(preset("standard"), Board(SECRET, 5), deals=4)
    for number in range(4):
        again = Game.resume(preset("standard"), Board(SECRET, 5), 4, whole.totals, number)
        assert again.deal.state_hash() == whole.deal.state_hash()
        assert again.totals == whole.totals
        play_out(whole.deal, random.Random(number))
        play_out(again.deal, random.Random(number))
        assert again.totals == whole.totals
        assert again.end is whole.end
        assert again.places() == whole.places()
        if number < 3:
            whole.next_deal()


def test_points_and_places_are_different_things() -> None:
    """RU10: fewer points are better; place 1 has the lowest total."""
    deal = play(moon_deal(totals=[0, 90, 0, 5]), MOON_PLAYS)
    assert deal.points == [0, 15, 15, 15]
    assert deal.totals_after == [0, 105, 15, 20]
    assert deal.standing is not None
    assert deal.standing.places == (1, 4, 2, 3)
