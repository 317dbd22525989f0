"""The twenty positions that implementations get wrong, by their number in the rules document."""

import pytest
from hearts_kit import deal_of, legal, play, rules, tiny

from hearts import view
from hearts.cards import card, cards, codes
from hearts.deal import Deal
from hearts.decisions import Phase, Refused, Rule
from hearts.game import Game
from hearts.rules import RuleSet, preset
from hearts.scoring import MatchEnd, MoonChoice
from hearts.shuffle import Board

ALL_HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
TWELVE_AND_QUEEN = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH QS"
SECRET = bytes(32)

#: Four cards of eight: seat 0 wins the clubs, cashes the ace of spades and takes everything.
MOON_PACK = "2C 3C 4C AC QS AS 2H 3H"
MOON_HANDS = ("AC AS", "2C QS", "3C 2H", "4C 3H")
MOON_PLAYS = "2C 3C 4C AC AS QS 2H 3H"


def moon_deal(**options: object) -> Deal:
    totals = options.pop("totals", None)
    number = options.pop("number", 0)
    return deal_of(tiny(MOON_PACK, **options), *MOON_HANDS, totals=totals, number=number)  # type: ignore[arg-type]


@pytest.mark.parametrize("hand", [ALL_HEARTS, TWELVE_AND_QUEEN])
@pytest.mark.parametrize(
    ("forced", "expected"),
    [("any", None), ("hearts", "hearts"), ("queen", "queen"), ("redeal", None)],
)
def test_01_first_trick_with_nothing_but_penalty_cards_has_legal_cards(
    hand: str, forced: str, expected: str | None
) -> None:
    """RU01: and each value of first_trick_forced says which."""
    deal = play(deal_of(rules(first_trick_forced=forced), "2C", hand), "2C")
    hearts = codes(c for c in cards(hand) if c != card("QS"))
    queen = "QS" if "QS" in hand else hand
    assert legal(deal) == {"hearts": hearts, "queen": queen, None: hand}[expected]


def test_01_first_trick_bars_penalty_cards_from_a_hand_that_holds_others() -> None:
    """RU01."""
    deal = play(deal_of(rules(), "2C", "2D 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH QS"), "2C")
    assert legal(deal) == "2D"
    with pytest.raises(Refused) as refused:
        play(deal, "QS")
    assert refused.value.rule is Rule.PENALTY_ON_FIRST_TRICK
    assert codes(refused.value.legal) == "2D"


def test_02_leader_with_only_hearts_may_lead_one_and_breaks() -> None:
    """RU08."""
    deal = deal_of(tiny("2C 3C 4C AC 2H 3H 4H 5H", points={}), "2C 5H", "AC 2H", "3C 3H", "4C 4H")
    play(deal, "2C AC 3C 4C")
    assert not deal.hearts_broken
    assert legal(deal) == "2H"
    assert play(deal, "2H").hearts_broken


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"lead_exception": "only_hearts"}, "QS"),
        ({"lead_exception": "only_penalty"}, "2H QS"),
        ({"lead_exception": "only_hearts", "queen_lead": "broken"}, "QS"),
        ({"lead_exception": "only_penalty", "queen_lead": "broken"}, "2H QS"),
        ({"hearts_lead": "free"}, "2H QS"),
    ],
)
def test_03_leader_with_hearts_and_the_queen(options: dict[str, object], expected: str) -> None:
    """RU08."""
    pack = "2C 3C 4C AC QS 2H 3H 4H 5H 2D 3D 4D"
    deal = deal_of(tiny(pack, **options), "2C 5H 2D", "AC 2H QS", "3C 3H 3D", "4C 4H 4D")
    assert legal(play(deal, "2C AC 3C 4C")) == expected


def test_03_the_queen_as_the_only_card_left_may_be_led() -> None:
    deal = deal_of(tiny("2C 3C 4C AC QS 2D 3D 4D", queen_lead="broken"), "2C 2D", "AC QS", "3C 3D")
    assert legal(play(deal, "2C AC 3C 4C")) == "QS"


@pytest.mark.parametrize("offset", [0, 1, -1, 2])
def test_04_the_two_of_clubs_leads_after_whatever_pass(offset: int) -> None:
    """RU03."""
    deal = deal_of(rules(), "2C", offset=offset)
    for seat in sorted(deal.to_pass):
        hand = deal.hand(seat)
        deal.choose_pass(seat, hand[:3])
    holder = offset % 4  # seat 0 passed its lowest clubs
    assert deal.opener == deal.turn == holder
    assert legal(deal) == "2C"


def test_05_five_players_open_with_the_three_of_clubs() -> None:
    deal = deal_of(preset("five_player"), "4C", "5C", "3C")
    assert (deal.turn, legal(deal)) == (2, "3C")


@pytest.mark.parametrize(
    ("players", "cycle"), [(3, (1, -1, 0)), (4, (1, -1, 2, 0)), (5, (1, -1, 2, -2, 0))]
)
def test_06_pass_cycles_know_no_across_at_odd_tables(players: int, cycle: tuple[int, ...]) -> None:
    assert RuleSet.from_options({"players": players}).pass_cycle == cycle


def test_06_standard_passes_go_left_right_across_and_hold() -> None:
    """RU04: by deal number, over two cycles."""
    standard = preset("standard")
    assert [standard.passes(deal) for deal in range(8)] == [1, -1, 2, 0] * 2


def test_06_a_hold_deal_asks_nobody_to_pass() -> None:
    deal = deal_of(rules(), offset=0)
    assert not deal.to_pass
    assert deal.phase is Phase.PLAY
    with pytest.raises(Refused) as refused:
        deal.choose_pass(0, deal.hand(0)[:3])
    assert refused.value.rule is Rule.OUT_OF_TURN


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ("", Rule.WRONG_COUNT),
        ("2C 3C", Rule.WRONG_COUNT),
        ("2C 3C 4C 5C", Rule.WRONG_COUNT),
        ("2C 3C AS", Rule.NOT_IN_HAND),
        ("2C 2C 3C", Rule.DUPLICATE_CARD),
        ("2C 3C 0C", Rule.UNKNOWN_CARD),
    ],
)
def test_07_a_bad_pass_is_refused_and_changes_nothing(given: str, rule: Rule) -> None:
    """IM07, IM08."""
    deal = deal_of(rules(), "2C 3C 4C 5C", offset=1)
    before = deal.state_hash()
    with pytest.raises(Refused) as refused:
        deal.choose_pass(0, cards(given))
    assert refused.value.rule is rule
    assert deal.state_hash() == before
    deal.choose_pass(0, cards("2C 3C 4C"))


def test_07_with_two_packs_both_copies_may_be_passed_but_not_three() -> None:
    eight = RuleSet.from_options({"preset": "cancellation_8_pass"})
    deal = deal_of(eight, "2C 2C 3C", offset=1)
    with pytest.raises(Refused) as refused:
        deal.choose_pass(0, cards("2C 2C 2C"))
    assert refused.value.rule is Rule.DUPLICATE_CARD
    deal.choose_pass(0, cards("2C 2C 3C"))
    assert deal.gave[0] == cards("2C 2C 3C")


def test_08_sixteen_points_are_no_moon() -> None:
    """RU02: 26 less the jack's ten."""
    pack = "2C 3C 4C AC QS AS 2H 3H 2D 3D 4D JD"
    deal = deal_of(
        tiny(pack, points={"QS": 13, "JD": -10}), "AC AS JD", "2C QS 2D", "3C 2H 3D", "4C 3H 4D"
    )
    play(deal, "2C 3C 4C AC JD 2D 3D 4D AS QS 2H 3H")
    assert deal.raw_points == [5, 0, 0, 0]
    assert deal.moon == [0]
    assert deal.points == [-10, 15, 15, 15]


def test_08_one_heart_elsewhere_is_no_moon() -> None:
    pack = "2C 3C 4C AC QS AS 2H 3H 2D 3D 4D 5H"
    deal = deal_of(tiny(pack), "AC AS 2D", "2C QS 3D", "3C 2H 4D", "4C 3H 5H")
    play(deal, "2C 3C 4C AC AS QS 2H 3H 2D 3D 4D 5H")
    assert (deal.raw_points, deal.moon) == ([15, 0, 1, 0], [])


def test_08_with_two_packs_one_of_two_queens_is_no_moon() -> None:
    """And both with every heart are: all penalty cards, not 26 points."""
    eight = preset("cancellation_8_pass")
    from hearts.scoring import card_points, tally

    everything = [c for c in eight.pack() if eight.points_of(c)]
    table = card_points(eight)
    taken = [everything, *([] for _ in range(7))]
    assert tally(eight, table, taken).shooter == 0
    assert tally(eight, table, taken).moon_points == 52
    taken = [everything[:-1], everything[-1:], *([] for _ in range(6))]
    assert tally(eight, table, taken).shooter is None


def test_08_dead_leftover_cards_shrink_the_moon() -> None:
    deal = deal_of(tiny("2C 3C 4C AC QS AS 2H 3H 4H", leftover="dead"), *MOON_HANDS, leftover="4H")
    play(deal, MOON_PLAYS)
    assert deal.moon == [0]
    assert deal.points == [0, 15, 15, 15]


def test_09_the_jack_stays_with_whoever_took_it() -> None:
    pack = "2C 3C 4C AC QS AS 2H 3H 2D 3D 4D JD"
    deal = deal_of(
        tiny(pack, points={"QS": 13, "JD": -10}), "AC AS 2D", "2C QS JD", "3C 2H 3D", "4C 3H 4D"
    )
    play(deal, "2C 3C 4C AC AS QS 2H 3H 2D JD 3D 4D")
    assert deal.points == [0, 15 - 10, 15, 15]


def test_10_the_moon_comes_before_the_exact_rule_and_the_end_test() -> None:
    deal = moon_deal(exact={"score": 100, "becomes": 50}, totals=[99, 85, 85, 30])
    play(deal, MOON_PLAYS)
    assert deal.totals_after == [99, 50, 50, 45]  # two seats stand on 100 in one deal
    assert deal.standing is not None
    assert deal.standing.end is None


def test_10_several_seats_on_the_winning_score_share_the_first_place() -> None:
    deal = moon_deal(exact={"score": 100, "wins": True}, totals=[10, 85, 85, 90])
    play(deal, MOON_PLAYS)
    assert deal.standing is not None
    assert deal.standing.end is MatchEnd.EXACT
    assert deal.standing.places == (3, 1, 1, 4)


@pytest.mark.parametrize(
    ("moon", "expected"),
    [
        ("others", [50, 35, 25, 105]),
        ("auto", [35, 20, 10, 90]),
        ("self", [35, 20, 10, 90]),
    ],
)
def test_11_auto_saves_a_shooter_whom_the_end_would_not_make_first(
    moon: str, expected: list[int]
) -> None:
    deal = moon_deal(moon=moon, totals=[50, 20, 10, 90])
    assert play(deal, MOON_PLAYS).totals_after == expected


def test_11_a_shooter_who_wins_by_it_takes_the_others() -> None:
    deal = moon_deal(moon="auto", totals=[10, 20, 10, 90])
    assert play(deal, MOON_PLAYS).totals_after == [10, 35, 25, 105]


@pytest.mark.parametrize(
    ("default", "totals"),
    [("auto", [35, 20, 10, 90]), ("others", [50, 35, 25, 105]), ("self", [35, 20, 10, 90])],
)
def test_11_choose_asks_the_shooter_with_both_totals(default: str, totals: list[int]) -> None:
    deal = moon_deal(moon="choose", moon_choice_default=default, totals=[50, 20, 10, 90])
    play(deal, MOON_PLAYS)
    assert (deal.phase, deal.turn) == (Phase.MOON_CHOICE, 0)
    assert deal.moon_totals() == ([50, 35, 25, 105], [35, 20, 10, 90])
    answer = deal.fallback(0)
    assert isinstance(answer, MoonChoice)
    deal.choose_moon(answer)
    assert deal.totals_after == totals


def test_12_negative_totals_are_kept() -> None:
    deal = moon_deal(moon="self")
    assert play(deal, MOON_PLAYS).totals_after == [-15, 0, 0, 0]


def test_12_unless_there_is_a_floor() -> None:
    deal = moon_deal(moon="self", score_floor=0, totals=[10, 0, 0, 0])
    assert play(deal, MOON_PLAYS).totals_after == [0, 0, 0, 0]


def test_13_a_tie_for_the_lowest_shares_the_place() -> None:
    """RU07."""
    deal = moon_deal(totals=[100, 20, 20, 30])
    play(deal, MOON_PLAYS)
    assert deal.standing is not None
    assert deal.standing.end is MatchEnd.TARGET
    assert deal.standing.places == (4, 1, 1, 3)


@pytest.mark.parametrize(("number", "end"), [(0, None), (3, None), (4, MatchEnd.DEALS)])
def test_13_play_on_goes_on_until_max_deals(number: int, end: MatchEnd | None) -> None:
    """RU07: then the place is shared."""
    deal = moon_deal(tie="play_on", max_deals=5, totals=[100, 20, 20, 30], number=number)
    play(deal, MOON_PLAYS)
    assert deal.standing is not None
    assert deal.standing.end is end
    assert deal.standing.places == (4, 1, 1, 3)


def two_packs(**options: object) -> RuleSet:
    return rules(decks=2, players=4, pass_cycle=[0], **options)


def test_14_two_queens_in_one_trick_cancel_and_go_to_the_next_best_card() -> None:
    from hearts.tricks import highest_uncancelled

    assert highest_uncancelled(cards("2S QS JS QS")) == 2
    pack = "2C 2C 3C 4C 2S JS QS QS"
    out = [c for c in rules(decks=2).pack() if c not in cards(pack)]
    keep: list[str] = pack.split()
    for text in set(keep):
        if keep.count(text) == 1:
            out.append(card(text))
    deal = deal_of(
        two_packs(remove=codes(out).split(), pass_count=1), "2C 2S", "4C QS", "3C JS", "2C QS"
    )
    play(deal, "2C 4C 3C 2C")  # the twos cancel, which does not matter
    assert deal.leader == 1
    play(deal, "QS JS QS 2S")
    assert deal.taken == [[], cards("2C 4C 3C 2C"), cards("QS JS QS 2S"), []]
    assert deal.points == [0, 0, 26, 0] or deal.moon == [2]


def cancelled(plays: str, *hands: str, **options: object) -> Deal:
    """A deal with two packs, cut down to these hands."""
    pack = sorted(c for hand in hands for c in cards(hand))
    rest = two_packs().pack()
    for each in pack:
        rest.remove(each)
    rule_set = two_packs(remove=codes(rest).split(), pass_count=1, points={}, **options)
    return play(deal_of(rule_set, *hands), plays)


def test_15_two_tricks_in_a_row_are_cancelled_and_the_third_takes_all() -> None:
    deal = cancelled(
        "2C 2C 3C 3C 4D 4D 5D 5D",
        *("2C 4D 2D", "2C 4D 7D", "3C 5D 8H", "3C 5D 6D"),
    )
    assert deal.leader == deal.turn == 0
    assert deal.trick_number == 3
    assert deal.carried == cards("2C 2C 3C 3C 4D 4D 5D 5D")
    play(deal, "2D 7D 8H 6D")
    assert len(deal.taken[1]) == 12
    assert deal.raw_points == [0, 1, 0, 0]


def test_15_a_heart_thrown_to_a_cancelled_trick_has_broken() -> None:
    deal = cancelled(
        "2C 2C 3C 3C 4D 4D 8H 9H",
        *("2C 4D 2D", "2C 4D 7D", "3C 8H 8S", "3C 9H 6S"),
    )
    assert deal.hearts_broken
    assert deal.carried[-2:] == cards("8H 9H")


@pytest.mark.parametrize(
    ("who", "points"),
    [
        ("leader", [4, 0, 0, 0]),
        ("highest_pair_second", [0, 0, 0, 4]),
        ("split_pair", [0, 0, 2, 2]),
        ("nobody", [0, 0, 0, 0]),
    ],
)
def test_15_the_last_trick_cancelled_as_a_whole(who: str, points: list[int]) -> None:
    hands = ("2C 4H AS", "2C 4H TD", "3C 5H 9C", "3C 5H 9D")
    deal = cancelled("2C 2C 3C 3C AS TD 9C 9D", *hands, cancelled_last=who, moon="off")
    play(deal, "4H 4H 5H 5H")
    assert deal.phase is Phase.DONE
    assert deal.points == points
    assert deal.carried == (cards("4H 4H 5H 5H") if who == "nobody" else [])


def test_15_split_pair_goes_on_through_all_carried_tricks() -> None:
    """The pair's players take alternately in the order played, the earlier player first."""
    hands = ("4C 3H 2C", "4C 3H 2C", "2D 2D 5C", "7S 8S 5C")
    options = {"cancelled_last": "split_pair", "moon": "off", "hearts_lead": "free"}
    deal = cancelled("2C 2C 5C 5C 3H 3H 2D 7S", *hands, **options)
    play(deal, "4C 4C 2D 8S")
    assert deal.taken[0] == cards("2C 5C 3H 2D 4C 2D")
    assert deal.taken[1] == cards("2C 5C 3H 7S 4C 8S")


def test_16_leftover_cards_go_to_the_taker_who_alone_sees_them() -> None:
    three = RuleSet.from_options({"preset": "three_player_hole"})
    hands = (
        "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC 2H 3H 4H 5H 6H",
        "AC 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD 7H 8H 9H",
        "2S 3S 4S 5S 6S 7S 8S 9S TS JS KS AS TH JH QH KH QS",
    )
    deal = deal_of(three, *hands, leftover="AH")
    play(deal, "2C AC 2S")
    assert deal.leftover_taker == -1
    play(deal, "AD 3S 3C")
    play(deal, "2D TH 4C")  # the first heart
    assert deal.leftover_taker == 1
    assert card("AH") in deal.taken[1]
    assert [view.leftover_seen(deal, seat) for seat in (0, 1, 2, None)] == [
        [],
        [card("AH")],
        [],
        [],
    ]
    rest = deal.fallback
    while deal.phase is Phase.PLAY:
        answer = rest(deal.turn)
        assert isinstance(answer, list)
        deal.play(deal.turn, answer[0])
    assert sum(deal.raw_points) == 26


def test_17_no_list_shows_the_order_in_which_cards_were_passed() -> None:
    deal = deal_of(rules(), "2C 3C 4C", offset=1)
    other = deal_of(rules(), "2C 3C 4C", offset=1)
    deal.choose_pass(0, cards("4C 2C 3C"))
    other.choose_pass(0, cards("2C 3C 4C"))
    for seat in (3, 1, 2):
        for one in (deal, other):
            one.choose_pass(seat, one.hand(seat)[:3])
    assert deal.received[1] == cards("2C 3C 4C")
    assert deal.state_hash() == other.state_hash()
    for seat in range(4):
        assert deal.hand(seat) == sorted(deal.hand(seat))
        assert view.seat_view(deal, seat) == view.seat_view(other, seat)
    assert deal.legal() == sorted(deal.legal())


def test_18_the_no_trick_bonus_is_not_given_in_a_moon_deal() -> None:
    assert play(moon_deal(no_trick_bonus=5), MOON_PLAYS).points == [0, 15, 15, 15]
    assert play(moon_deal(no_trick_bonus=5, moon="off"), MOON_PLAYS).points == [15, -5, -5, -5]


def test_19_when_nobody_follows_the_leader_wins() -> None:
    deal = deal_of(tiny("2C 3C 4C 5C 2D KS AS QS"), "2C QS", "5C 2D", "3C AS", "4C KS")
    play(deal, "2C 5C 3C 4C")
    play(deal, "2D AS KS QS")
    assert deal.taken[1] == cards("2C 5C 3C 4C 2D AS KS QS")


def test_20_one_legal_card_and_the_thirteenth_trick() -> None:
    """RU09."""
    game = Game(preset("standard"), Board(SECRET, 3))  # board 3 begins with a hold deal
    deal = game.deal
    while deal.trick_number < 13:
        deal.play(deal.turn, deal.legal()[0])
    for _ in range(4):
        assert len(deal.legal()) == 1
        assert deal.legal() == deal.hand(deal.turn)
        deal.play(deal.turn, deal.legal()[0])
    assert deal.phase is Phase.DONE
    assert deal.legal() == []
