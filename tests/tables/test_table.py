"""The referee without sockets: clocks, refusals, fallbacks, strikes, absences, endings."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from puppets import Answer, Stage4

from arbiter.tables.effects import DealBegan, DealEnded, Invite, MatchEnded, PassDone
from arbiter.tables.setup import Stage
from arbiter.tables.table import MAX_REFUSALS, Table
from hearts.cards import card
from hearts.deal import Phase, Rule
from hearts.limits import Limits
from hearts.record import IncidentKind, MatchEnd, Verdict
from hearts.record import replay as replay_record

PASSING = 0  # a board whose first deal passes to the left


def incidents(play: Stage4, kind: IncidentKind) -> list:
    found = [*play.table.ledger.incidents, *play.table.ledger.early]
    for deal in play.table.ledger.deals:
        found += deal.incidents
    return [i for i in found if i.kind is kind]


# ---- a plain match ---------------------------------------------------------------------------


@pytest.mark.parametrize("deals", [1, 4, None])
def test_a_match_of_good_bots_ends_with_a_reason_and_a_record_that_replays(deals):
    play = Stage4(deals=deals, board=PASSING).begin().play_on()
    record = play.table.record()
    assert record.end is (MatchEnd.TARGET if deals is None else MatchEnd.DEALS)
    assert sum(record.totals) == 26 * len(record.deals) or any(d.moon for d in record.deals)
    replay_record(record)
    assert not play.refusals()
    assert not play.fallbacks()
    assert all(len(d.plays) == 52 for d in record.deals)


def test_a_deal_begins_passes_and_ends_once():
    play = Stage4(deals=2, board=PASSING).begin().play_on()
    kinds = [type(e) for e in play.effects]
    assert kinds.count(Invite) == 4
    assert kinds.count(DealBegan) == kinds.count(DealEnded) == kinds.count(PassDone) == 2
    assert kinds.count(MatchEnded) == 1
    assert kinds[-1] is MatchEnded


def test_record_is_refused_while_the_match_is_played():
    with pytest.raises(ValueError, match="not over"):
        Stage4().begin().table.record()


def test_as_many_bots_as_seats():
    setup = replace(Stage4().table.setup, seats=("a", "b", "c"))
    with pytest.raises(ValueError, match="3 bots for 4 seats"):
        Table(setup)


# ---- clocks --------------------------------------------------------------------------------


def test_tc02_a_silent_bot_times_out_by_itself_and_the_deal_goes_on():
    play = Stage4().begin()
    seat, decision = play.to_move, play.open(play.to_move)
    assert not play.pass_time(1.0)  # the limit, but not the lag allowance
    happened = play.pass_time(0.11)
    (fell,) = play.fallbacks()
    assert (fell.seat, fell.decision, fell.verdict) == (seat, decision, Verdict.TIMEOUT)
    assert len(play.table.game.deal.plays) == 1
    assert happened
    assert play.to_move != seat


def test_tc01_a_late_answer_is_late_and_never_the_next_one():
    """The late card would also be legal later on; it must not be taken for that."""
    play = Stage4().begin()
    play.play_on(4)
    seat, decision = play.to_move, play.open(play.to_move)
    late = Answer(decision, card=play.table.game.deal.legal()[-1])
    play.pass_time(1.2)
    play.play_on(until=lambda: play.to_move == seat)
    before = play.state()
    play.say(seat, late)
    assert play.state() == before
    assert play.refusals()[-1].rule is Rule.TOO_LATE
    (noted,) = incidents(play, IncidentKind.LATE)
    assert noted.decision == decision
    (verdict,) = incidents(play, IncidentKind.VERDICT)
    assert verdict.verdict is Verdict.TIMEOUT


def test_an_answer_counts_until_the_time_out_is_declared():
    """The arbiter declares one only after reading all that had arrived."""
    play = Stage4().begin()
    seat = play.to_move
    play.now += 1.11
    play.say(seat, play.good(seat))
    assert not play.fallbacks()


def test_tc07_a_deadline_that_we_slept_through_is_extended_and_costs_nobody_a_verdict():
    play = Stage4().begin()
    seat = play.to_move
    play.now += 3.0
    assert play.table.held_up(play.now)
    assert not play.table.expire(play.now)
    play.say(seat, play.good(seat))
    assert not play.fallbacks()
    assert play.table.seats[seat].strikes == 0


def test_tc07_a_mute_bot_times_out_all_the_same_once_we_are_awake():
    play = Stage4().begin()
    play.now += 1.5
    assert play.table.held_up(play.now)
    play.pass_time(0.5)
    assert play.fallbacks()[0].verdict is Verdict.TIMEOUT


def test_tc07_held_up_again_and_again_the_attempt_is_worth_nothing():
    play = Stage4().begin()
    for _ in range(3):
        play.now = play.table.deadline + 0.5
        assert play.table.held_up(play.now)
    play.now = play.table.deadline + 0.5
    assert not play.table.held_up(play.now)


def test_lr09_a_timeout_is_recorded_with_at_least_the_limit():
    play = Stage4().begin()
    play.pass_time(1.2)
    (verdict,) = incidents(play, IncidentKind.VERDICT)
    assert verdict.elapsed_us >= 1_000_000


def test_tc08_in_the_pass_only_those_who_still_choose_are_on_the_clock():
    play = Stage4(board=PASSING, limits=Limits(decision_ms=10_000)).begin()
    play.say(2, play.good(2))
    play.pass_time(9.9)
    for seat in (0, 1, 3):
        play.say(seat, play.good(seat))
    assert play.table.game.deal.phase is Phase.PLAY
    assert not play.fallbacks()


def test_the_clock_starts_when_the_request_is_written_not_before():
    """TC05: a delay before the write is ours."""
    play = Stage4().begin()
    seat = play.to_move
    answer = play.good(seat)
    effects = play.table.reply(seat, answer, play.now)  # the next request waits in a queue
    play.now += 5.0
    assert not play.table.expire(play.now)
    play.take(effects)
    play.now += 0.8
    play.say(play.to_move, play.good(play.to_move))
    assert not play.fallbacks()


def test_a_decision_is_not_given_a_second_clock_by_a_second_write():
    play = Stage4().begin()
    seat = play.to_move
    play.now += 0.9
    play.table.written(seat, play.open(seat), play.now)
    play.pass_time(0.21)
    assert play.fallbacks()


@given(
    bank=st.integers(0, 3000),
    increment=st.integers(0, 500),
    lag=st.integers(0, 300),
    waits=st.lists(st.floats(0, 2), min_size=1, max_size=12),
)
def test_tc04_time_left_and_bank_are_never_negative(bank, increment, lag, waits):
    limits = Limits(bank_ms=bank, increment_ms=increment, lag_ms=lag, max_strikes=0)
    play = Stage4(limits=limits).begin()
    for wait in waits:
        seat = play.to_move
        play.pass_time(wait)
        for state in play.table.seats:
            assert state.bank >= 0
            assert state.time_left_ms(play.now, play.table.budget) >= 0
        if play.to_move == seat and play.open(seat):
            play.say(seat, play.good(seat))


def test_the_bank_is_drawn_on_and_spent():
    play = Stage4(limits=Limits(bank_ms=500)).begin()
    seat = play.to_move
    play.pass_time(1.4)
    play.say(seat, play.good(seat))
    assert not play.fallbacks()
    assert play.table.seats[seat].bank == pytest.approx(0.2)


# ---- refused answers -----------------------------------------------------------------------

RUBBISH = {
    "empty": ({}, Rule.MALFORMED),
    "unknown card": ({"card": 60}, Rule.UNKNOWN_CARD),
    "two answers at once": ({"card": 5, "cards": [5, 6]}, Rule.MALFORMED),
    "cards of a pass": ({"cards": [2, 3, 4]}, Rule.MALFORMED),
    "a moon choice": ({"moon_choice": 1}, Rule.MALFORMED),
    "another seat's card": ("theirs", Rule.NOT_IN_HAND),
    "a card already played": ("played", Rule.NOT_IN_HAND),
}


@pytest.mark.parametrize("name", RUBBISH)
def test_im03_rubbish_is_refused_with_its_rule_and_ends_as_a_verdict(name):
    """IM01, IM03, IM07: nothing changes, the match goes on, the verdict is the seat's."""
    fields, rule = RUBBISH[name]
    play = Stage4().begin().play_on(4)
    seat = play.to_move
    deal = play.table.game.deal
    if fields == "theirs":
        fields = {"card": deal.hand((seat + 1) % 4)[0]}
    elif fields == "played":
        fields = {"card": deal.plays[0]}
    before = play.state()
    play.say(seat, Answer(play.open(seat), **fields))
    refusal = play.refusals()[-1]
    assert refusal.rule is rule
    assert list(refusal.legal) == deal.legal()
    assert play.state() == before
    play.pass_time(1.2)
    expected = Verdict.MALFORMED if rule is Rule.MALFORMED else Verdict.ILLEGAL
    assert play.fallbacks()[-1].verdict is expected
    play.play_on()
    assert play.table.end is MatchEnd.DEALS
    replay_record(play.table.record())


def test_a_wrong_card_names_the_rule_and_the_legal_cards():
    play = Stage4().begin()
    seat = play.to_move
    other = next(c for c in play.table.game.deal.hand(seat) if c != card("2C"))
    play.now += 0.25
    play.say(seat, Answer(play.open(seat), card=other))
    (refusal,) = play.refusals()
    assert refusal.rule is Rule.MUST_OPEN
    assert refusal.legal == (card("2C"),)
    assert refusal.time_left_ms == 750


def test_im06_a_refused_answer_may_be_corrected_but_the_deadline_stands():
    play = Stage4().begin()
    seat = play.to_move
    play.now += 0.6
    play.say(seat, Answer(play.open(seat)))
    play.now += 0.3
    good = play.good(seat)
    play.say(seat, good)
    assert not play.fallbacks()
    assert play.table.game.deal.plays

    play = Stage4().begin()
    seat = play.to_move
    play.now += 0.6
    play.say(seat, Answer(play.open(seat)))
    play.pass_time(0.51)
    assert play.fallbacks()[0].verdict is Verdict.MALFORMED


def test_a_flood_of_refused_answers_ends_the_decision_at_once():
    play = Stage4().begin()
    seat = play.to_move
    for _ in range(MAX_REFUSALS):
        play.say(seat, Answer(play.open(seat), card=60))
    assert play.fallbacks()[0].verdict is Verdict.ILLEGAL


def test_im09_an_answer_out_of_turn_changes_nothing_and_costs_nothing():
    play = Stage4().begin()
    seat = (play.to_move + 1) % 4
    before = play.state()
    play.say(seat, Answer(99, card=play.table.game.deal.hand(seat)[0]))
    assert play.refusals()[-1].rule is Rule.OUT_OF_TURN
    assert play.state() == before
    assert play.table.seats[seat].strikes == 0


def test_a_wrong_pass_is_refused_whole():
    play = Stage4(board=PASSING).begin()
    hand = play.table.game.deal.hand(1)
    for cards, rule in (
        (hand[:2], Rule.WRONG_COUNT),
        (hand[:4], Rule.WRONG_COUNT),
        ([hand[0], hand[0], hand[1]], Rule.DUPLICATE_CARD),
        ([hand[0], hand[1], play.table.game.deal.hand(2)[0]], Rule.NOT_IN_HAND),
    ):
        before = play.state()
        play.say(1, Answer(play.open(1), cards=cards))
        assert play.refusals()[-1].rule is rule
        assert play.state() == before


# ---- fallbacks, strikes, retirement ----------------------------------------------------------


def test_im05_the_fallback_is_legal_and_always_the_same():
    """Four mute bots: every card is the referee's, the record replays, twice the same."""
    first, second = (Stage4(board=PASSING, limits=Limits(max_strikes=0)).begin() for _ in range(2))
    for play in (first, second):
        play.pass_time(200)
        assert play.table.stage is Stage.OVER
        replay_record(play.table.record())
    assert first.table.record() == second.table.record()
    assert len(first.fallbacks()) == 4 + 52


def test_after_three_strikes_the_seat_is_retired_and_nobody_waits():
    play = Stage4(deals=2).begin()
    mute = play.to_move

    def others() -> None:
        play.play_on(until=lambda: play.open(mute) != 0)

    for strike in (1, 2, 3):
        others()
        play.pass_time(1.11)
        assert play.fallbacks()[-1].strikes == strike
    assert play.fallbacks()[-1].retired
    before = play.now
    play.play_on()
    assert play.now == before
    assert play.table.end is MatchEnd.DEALS
    (retired,) = incidents(play, IncidentKind.RETIRED)
    assert (retired.seat, retired.verdict) == (mute, Verdict.TIMEOUT)


# ---- absences --------------------------------------------------------------------------------


@pytest.mark.parametrize("decision_ms", [1_000, 3_600_000])
def test_ch02_a_closed_stream_resolves_the_open_decision_in_two_seconds(decision_ms):
    play = Stage4(limits=Limits(decision_ms=decision_ms)).begin()
    seat = play.to_move
    play.take(play.table.lost(seat, play.now))
    play.pass_time(2.0)
    (fell,) = play.fallbacks()
    assert (fell.seat, fell.verdict) == (seat, Verdict.LEFT)
    play.play_on()
    assert play.table.end is MatchEnd.DEALS
    assert play.table.seats[seat].strikes == 1


def test_a_bot_that_comes_back_in_time_plays_on_with_the_time_it_had():
    play = Stage4(limits=Limits(decision_ms=5_000)).begin()
    seat, decision = play.to_move, play.open(play.to_move)
    play.pass_time(1.0)
    play.take(play.table.lost(seat, play.now))
    play.pass_time(1.5)
    play.take(play.table.back(seat))
    assert play.open(seat) == decision
    left = play.table.seats[seat].time_left_ms(play.now, play.table.budget)
    assert left == pytest.approx(2500, abs=2)
    play.say(seat, play.good(seat))
    assert not play.fallbacks()


def test_a_bot_that_comes_back_too_late_is_asked_again_from_then_on():
    play = Stage4(deals=2).begin()
    seat = play.to_move
    play.take(play.table.lost(seat, play.now))
    play.pass_time(2.0)
    play.play_on(10)
    assert len(play.fallbacks()) > 1
    play.take(play.table.back(seat))
    count = len(play.fallbacks())
    play.play_on()
    assert len(play.fallbacks()) == count
    assert play.table.seats[seat].strikes == 1
    assert len(incidents(play, IncidentKind.LOST)) == len(incidents(play, IncidentKind.BACK)) == 1


def test_all_four_gone_still_ends_with_a_reason():
    play = Stage4(deals=2).begin()
    for seat in range(4):
        play.take(play.table.lost(seat, play.now))
    play.pass_time(10)
    assert play.table.end is MatchEnd.DEALS


# ---- endings ---------------------------------------------------------------------------------


def test_tc03_a_seat_that_is_never_ready_forfeits_and_no_card_is_dealt():
    play = Stage4()
    play.take(play.table.begin(play.now))
    for seat in (0, 1, 3):
        play.take(play.table.ready(seat, play.now))
    play.pass_time(10.0)
    record = play.table.record()
    assert record.end is MatchEnd.FORFEIT
    assert record.deals == ()
    assert record.places == (1, 1, 4, 1)
    assert [(i.seat, i.verdict) for i in record.incidents] == [(2, Verdict.NO_START)]


def test_tc03_a_slow_start_costs_no_decision():
    play = Stage4()
    play.take(play.table.begin(play.now))
    for seat in (0, 1, 3):
        play.take(play.table.ready(seat, play.now))
    play.pass_time(9.0)
    play.take(play.table.ready(2, play.now))
    play.play_on()
    assert not play.fallbacks()


def test_sp04_the_match_limit_adjudicates_after_the_deal():
    play = Stage4(deals=None, limits=Limits(match_ms=60_000, max_strikes=0)).begin()
    play.pass_time(60.1)
    record = play.table.record()
    assert record.end is MatchEnd.ADJUDICATED
    assert len(record.deals) >= 1
    assert record.places


def test_a_checkpoint_continues_with_the_same_cards():
    whole = Stage4(deals=4, board=PASSING).begin().play_on()
    half = Stage4(deals=4, board=PASSING).begin()
    half.play_on(until=lambda: len(half.table.ledger.deals) == 2)
    rest = Stage4(deals=4, board=PASSING, memory=half.table.memory()).begin().play_on()
    moves = [[d.plays for d in p.table.record().deals] for p in (whole, rest)]
    assert moves[0] == moves[1]
    assert whole.table.record().totals == rest.table.record().totals
    replay_record(rest.table.record())


def test_a_checkpoint_keeps_strikes_and_retired_seats():
    play = Stage4(deals=2, limits=Limits(max_strikes=1)).begin()
    mute = play.to_move
    play.pass_time(1.11)
    play.play_on(until=lambda: len(play.table.ledger.deals) == 1)
    rest = Stage4(deals=2, limits=Limits(max_strikes=1), memory=play.table.memory()).begin()
    rest.play_on()
    assert rest.table.end is MatchEnd.DEALS
    assert {f.seat for f in rest.fallbacks()} == {mute}
