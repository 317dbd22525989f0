"""A tournament file with a mistake is refused, naming the field, its value and what would do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arbiter.tournaments.spec import (
    DuplicateEntry,
    MissingField,
    RepeatsNotTrusted,
    Spec,
    SpecError,
    TooFewBots,
    pool_id,
)
from hearts.limits import DEFAULT_LIMITS, Limits
from hearts.rules import RuleSet, preset

BOTS = ("anna", "bert", "cleo", "dora")


def spec(**changes: object) -> Spec:
    base = Spec(title="Demo", rules=preset("standard"), boards=4, entries=BOTS)
    return replace(base, **changes)  # type: ignore[arg-type]


def clock(**changes: int) -> object:
    return replace(DEFAULT_LIMITS, **changes)


WRONG = {
    "no title": ({"title": ""}, "title", "1 to 60"),
    "long title": ({"title": "x" * 61}, "title", "1 to 60"),
    "two lines": ({"title": "a\nb"}, "title", "one line"),
    "terminal escape": ({"title": "\x1b[31mred"}, "title", "printable"),
    "right to left mark": ({"title": "abc\u202edef"}, "title", "printable"),
    "zero width": ({"title": "ab\u200bc"}, "title", "printable"),
    "blank": ({"title": "  "}, "title", "printable"),
    "too many deals": ({"deals": 1001}, "deals", "0 to 1000"),
    "no boards": ({"boards": 0}, "boards", "1 to 100000"),
    "too many boards": ({"boards": 100_001}, "boards", "1 to 100000"),
    "plan too large": ({"boards": 25_001, "duplicate": True}, "boards", "1 to 25000"),
    "no target": ({"deals": 0, "rules": RuleSet(target=None, max_deals=9)}, "deals", "1 to 1000"),
    "three bots": ({"entries": BOTS[:3]}, "entries", "at least 4 bots"),
    "twice": ({"entries": (*BOTS, "anna")}, "entries", "each bot once"),
    "bad name": ({"entries": (*BOTS, "Eve")}, "entries[4]", "a-z"),
    "negative seed": ({"seed": -1}, "seed", "0 to"),
    "large seed": ({"seed": 2**64}, "seed", "0 to"),
    "short secret": ({"secret": "ab"}, "secret", "64 hex digits"),
    "no clock": ({"clock": clock(decision_ms=9)}, "clock.decision_ms", "10 to 3600000"),
    "long wait": ({"clock": clock(connect_ms=600_001)}, "clock.connect_ms", "100 to 600000"),
    "strikes": ({"clock": clock(max_strikes=1001)}, "clock.max_strikes", "0 to 1000"),
    "redeal": (
        {"duplicate": True, "rules": replace(preset("standard"), first_trick_forced="redeal")},
        "rules.first_trick_forced",
        "duplicate = false",
    ),
}


@pytest.mark.parametrize(("changes", "field", "allowed"), WRONG.values(), ids=WRONG)
def test_wrong_values(changes: dict[str, object], field: str, allowed: str) -> None:
    with pytest.raises(SpecError) as caught:
        spec(**changes).check()
    assert caught.value.field == field
    assert any(allowed in text for text in caught.value.allowed)
    assert str(caught.value).startswith(field)


RIGHT = {
    "as it is": {},
    "60 characters": {"title": "x" * 60},
    "other letters": {"title": "Hjärter på måndag: 心 №1 <b>"},
    "to the target": {"deals": 0},
    "most deals": {"deals": 1000},
    "duplicate": {"duplicate": True, "boards": 25_000},
    "secret": {"secret": "0f" * 32},
    "seed": {"seed": 2**64 - 1},
    "three seats": {"rules": preset("three_player"), "entries": BOTS[:3]},
}


@pytest.mark.parametrize("changes", RIGHT.values(), ids=RIGHT)
def test_right_values(changes: dict[str, object]) -> None:
    spec(**changes).check()


def test_kinds_of_refusals() -> None:
    for changes, kind in [
        ({"title": ""}, MissingField),
        ({"entries": BOTS[:3]}, TooFewBots),
        ({"entries": (*BOTS, "anna")}, DuplicateEntry),
    ]:
        with pytest.raises(kind):
            spec(**changes).check()


def test_a_mistyped_secret_is_not_repeated() -> None:
    wrong = "f" * 63 + "g"
    with pytest.raises(SpecError) as caught:
        spec(secret=wrong).check()
    assert wrong not in f"{caught.value}{caught.value.value}{caught.value.allowed}"
    assert wrong not in repr(spec(secret=wrong))


def test_repeated_boards_need_house_bots_or_trust() -> None:
    with pytest.raises(RepeatsNotTrusted, match="anna, bert"):
        spec(duplicate=True).check_repeats(["bert", "anna"])
    spec(duplicate=True).check_repeats([])
    spec(duplicate=True, trust_repeats=True).check_repeats(["anna"])
    spec().check_repeats(["anna"])


def test_only_unsupplied_secrets_are_rated() -> None:
    assert spec().rated
    assert not spec(unrated=True).rated
    assert not spec(secret="0f" * 32).rated


def test_pools() -> None:
    assert pool_id(preset("standard")) == "standard-4"
    assert pool_id(preset("three_player")) == "three_player-3"
    liar = replace(preset("standard"), moon="self", max_deals=50)
    assert pool_id(liar).startswith("custom-")
    assert pool_id(liar) == pool_id(replace(liar, name="", max_deals=7, target=None))
    assert pool_id(replace(preset("standard"), target=50)) == "standard-4"
    assert pool_id(liar) != pool_id(replace(liar, score_floor=0))


@pytest.mark.parametrize(
    ("clock", "pool"),
    [
        (Limits(), "standard-4"),
        (Limits(decision_ms=100), "standard-4-fast"),
        (Limits(decision_ms=100, bank_ms=10_000), "standard-4"),
        (Limits(decision_ms=4_999), "standard-4"),
        (Limits(decision_ms=5_000), "standard-4-slow"),
        (Limits(decision_ms=1_000, increment_ms=4_000), "standard-4-slow"),
    ],
)
def test_each_class_of_clock_has_its_own_pool(clock: Limits, pool: str) -> None:
    assert pool_id(preset("standard"), clock) == pool
