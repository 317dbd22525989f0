"""One test or table for each option of the pack, the score and the game: what a player sees."""

import random

import pytest
from hearts_kit import SECRET, deal_of, fill, legal, play, play_out, rules, tiny
from test_hearts_positions import MOON_PLAYS, cancelled, moon_deal

from hearts import view
from hearts.cards import cards, codes
from hearts.deal import Deal, Deck
from hearts.decisions import NOBODY, Phase
from hearts.game import Game
from hearts.rules import RuleSet, preset
from hearts.scoring import MatchEnd, settle
from hearts.shuffle import Board

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
