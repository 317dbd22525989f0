"""docs/verdicts.md says what each verdict costs: its table is held to the referee. And
docs/clocks-and-verdicts.md names every limit."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest
from puppets import Answer, Stage4

from hearts.limits import Limits
from hearts.record import MatchEnd, Verdict
from hearts.v1 import play_pb2

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "verdicts.md").read_text()
CLOCKS = (DOCS / "clocks-and-verdicts.md").read_text()


def table() -> list[list[str]]:
    """The rows of the page's one table, without its head."""
    rows = [line for line in PAGE.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]


ROWS = {row[0].strip("`"): row for row in table()}


def mute(play: Stage4) -> int:
    seat = play.to_move
    play.pass_time(1.2)
    return seat


def illegal(play: Stage4) -> int:
    seat = play.to_move
    play.say(seat, Answer(play.open(seat), card=53))
    play.pass_time(1.2)
    return seat


def malformed(play: Stage4) -> int:
    seat = play.to_move
    play.say(seat, Answer(play.open(seat)))
    play.pass_time(1.2)
    return seat


def left(play: Stage4) -> int:
    seat = play.to_move
    play.take(play.table.lost(seat, play.now))
    play.pass_time(2.1)
    play.play_on(8)
    return seat


def crashed(play: Stage4) -> int:
    """A hosted process ends; that its stream closed may be told before."""
    seat = play.to_move
    play.take(play.table.lost(seat, play.now))
    play.take(play.table.crashed(seat, play.now))
    play.pass_time(2.1)
    play.play_on(8)
    return seat


OF_A_DECISION: dict[str, Callable[[Stage4], int]] = {
    "TIMEOUT": mute,
    "ILLEGAL": illegal,
    "MALFORMED": malformed,
    "LEFT": left,
    "CRASH": crashed,
}


def test_every_verdict_has_its_row_and_every_row_its_verdict():
    assert set(ROWS) == {verdict.name for verdict in Verdict}
    assert {f"VERDICT_{name}" for name in ROWS} | {"VERDICT_UNSPECIFIED"} == set(
        play_pb2.Verdict.keys()
    )


@pytest.mark.parametrize("name", OF_A_DECISION)
def test_a_verdict_of_a_decision_costs_a_strike_and_the_fallbacks_card(name):
    assert ROWS[name][3].startswith("1")
    assert "fallback's card" in ROWS[name][4]
    play = Stage4(limits=Limits(max_strikes=0)).begin()
    seat = OF_A_DECISION[name](play)
    assert play.fallbacks()[0].verdict is Verdict[name]
    assert play.table.seats[seat].strikes == 1
    play.play_on()
    assert play.table.end is MatchEnd.DEALS


@pytest.mark.parametrize("name", ["NO_SHOW", "NO_START"])
def test_a_seat_that_never_played_is_last_and_no_card_is_dealt(name):
    assert ROWS[name][3] == "–"
    play = Stage4()
    play.take(play.table.forfeit([1], Verdict[name]))
    record = play.table.record()
    assert record.places == (1, 4, 1, 1)
    assert record.end is MatchEnd.FORFEIT
    assert not record.deals


@pytest.mark.parametrize("name", ["FAILED_INFRA", "VOID"])
def test_the_platforms_own_failures_cost_nothing(name):
    assert ROWS[name][3] == "–"
    assert ROWS[name][4].startswith("nothing")


def test_tc09_every_limit_is_on_the_pages_and_no_other():
    named = set(re.findall(r"`(\w+_ms|max_strikes)`", CLOCKS + PAGE))
    assert named == {field.name for field in fields(Limits)}


@pytest.mark.parametrize("decision_ms", [300, 1_000, 60_000])
def test_tc09_the_limit_that_is_set_is_the_limit_that_is_enforced(decision_ms):
    play = Stage4(limits=Limits(decision_ms=decision_ms, lag_ms=40)).begin()
    play.pass_time(decision_ms / 1000 + 0.039)
    assert not play.fallbacks()
    play.pass_time(0.002)
    assert play.fallbacks()
