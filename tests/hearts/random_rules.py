"""Random valid rule sets, weighted towards small packs, where rare rules come up often."""

import random

from hearts.cards import code, pack
from hearts.rules import InvalidRules, RuleSet


def random_rules(rng: random.Random, short: bool = False) -> RuleSet:
    """A valid rule set; `short` makes games end within a few deals."""
    while True:
        options = _options(rng)
        if short:
            options |= {"target": rng.choice([20, 40, 60]), "max_deals": rng.randint(1, 12)}
        try:
            return RuleSet.from_options(options)
        except InvalidRules:
            continue


def _options(rng: random.Random) -> dict[str, object]:
    players = rng.choice([3, 4, 4, 5, 6, 7, 8, 10])
    decks = rng.choice([1, 1, 2])
    jokers = rng.choice([0, 0, 0, 1, 2])
    options: dict[str, object] = {
        "players": players,
        "decks": decks,
        "jokers": jokers,
        "joker_points": rng.choice([0, 3, -2]) if jokers else 0,
        "leftover": rng.choice(["forbid", "dead", "first_trick", "first_heart", "first_penalty"]),
        "leftover_visible": rng.choice(["taker", "never", "all"]),
        "first_dealer": rng.choice(["random", "low_card", "seat0"]),
        "pass_count": rng.choice([1, 2, 3]),
        "opening": rng.choice(["low_club", "any_club", "eldest"]),
        "first_trick_penalty": rng.choice(["barred", "free", "queen_barred"]),
        "first_trick_forced": rng.choice(["any", "hearts", "queen", "redeal"]),
        "hearts_lead": rng.choice(["broken", "broken", "free"]),
        "break_on": rng.choice(["heart", "heart_or_queen", "any_penalty"]),
        "lead_exception": rng.choice(["only_hearts", "only_penalty"]),
        "queen_lead": rng.choice(["free", "broken"]),
        "duplicate": rng.choice(["cancel", "cancel", "first", "last"]),
        "cancelled_last": rng.choice(["leader", "highest_pair_second", "split_pair", "nobody"]),
        "renege": rng.choice(["reject", "reject", "penalise"]),
        "renege_charge": rng.choice(["hearts", "all"]),
        "points": rng.choice(
            [{"QS": 13}, {"QS": 13}, {"QS": 13, "JD": -10}, {"QS": 13, "KS": 10, "AS": 7}, {}]
        ),
        "heart_points": rng.choice(["flat", "flat", "rank", "face"]),
        "no_trick_bonus": rng.choice([0, 5]),
        "moon": rng.choice(["others", "self", "choose", "auto", "off"]),
        "moon_choice_default": rng.choice(["auto", "others", "self"]),
        "moon_points": rng.choice(["in_play", "in_play", 26, 0]),
        "moon_needs": rng.choice(["penalties", "penalties_and_bonus"]),
        "target": rng.choice([20, 50, 100, None]),
        "end": rng.choice(["reach", "exceed"]),
        "exact": rng.choice(
            [
                None,
                {"score": 20, "becomes": 5},
                {"score": 50, "wins": True},
                {"score": 13, "becomes": 0},
            ]
        ),
        "tie": rng.choice(["share", "play_on"]),
        "max_deals": rng.choice([1, 5, 200]),
        "score_floor": rng.choice([None, 0, -20]),
    }
    if rng.random() < 0.7:
        options["remove"] = _small_pack(rng, players, decks, jokers, options)
    return options


def _small_pack(
    rng: random.Random, players: int, decks: int, jokers: int, options: dict[str, object]
) -> list[str]:
    """Cards to take out so that few are left: mostly hearts, the queen and low clubs stay."""
    everything = pack(decks, jokers)
    rng.shuffle(everything)
    points = options["points"]
    assert isinstance(points, dict)
    size = players * rng.randint(2, 5)
    if options["leftover"] != "forbid":
        size += rng.randrange(players)
    keep = [card for card in everything if code(card) in points or card == 1]
    favoured = [card for card in everything if code(card)[1] in "HC" and card not in keep]
    rest = [card for card in everything if card not in keep and card not in favoured]
    if rng.random() < 0.5:
        keep += (favoured + rest)[: max(0, size - len(keep))]
    else:
        others = favoured + rest
        rng.shuffle(others)
        keep += others[: max(0, size - len(keep))]
    for card in keep:
        everything.remove(card)
    return [code(card) for card in everything]
