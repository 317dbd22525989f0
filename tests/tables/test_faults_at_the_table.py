"""The referee without sockets: faults by their number that no other file of this folder names."""

from __future__ import annotations

import pytest
from puppets import Answer, Stage4

from arbiter.tables.setup import Stage
from hearts.cards import LAST
from hearts.decisions import Rule
from hearts.limits import Limits
from hearts.record import IncidentKind, MatchEnd, Verdict, replay
from hearts.result import summarise
from hearts.rules import RuleSet


def test_im02_a_refused_first_play_is_beside_the_plays_and_the_record_replays():
    play = Stage4().begin()
    seat = play.to_move
    [only] = play.table.game.deal.legal()
    wrong = next(card for card in play.table.game.deal.hand(seat) if card != only)
    play.say(seat, Answer(play.open(seat), card=wrong))
    play.play_on()
    record = play.table.record()
    [incident] = record.deals[0].incidents
    assert (incident.kind, incident.after_plays) == (IncidentKind.REFUSED, 0)
    assert incident.cards == (wrong,)
    assert record.deals[0].plays[0] == only
    replay(record)


def test_im08_what_is_out_of_range_is_refused_and_never_made_to_fit():
    """Every number that a card field can hold, for one decision after the other."""
    play = Stage4(limits=Limits(max_strikes=0, decision_ms=60_000)).begin()
    while play.table.stage is not Stage.OVER:
        seat = play.to_move
        deal = play.table.game.deal
        legal, plays = deal.legal(), list(deal.plays)
        out_of_range = (1, LAST + 1, 255, 2**31, 2**32 - 1)  # 1 is a joker: not in this game
        others = [card for card in range(2, LAST + 1) if card not in legal]
        step = 5 * len(plays) % len(others)
        for number in (*out_of_range[len(plays) % 5 :][:2], *(others * 2)[step : step + 4]):
            before = play.state()
            play.say(seat, Answer(play.open(seat), card=number))
            refusal = play.refusals()[-1]
            assert (refusal.rule is Rule.UNKNOWN_CARD) == (number in out_of_range)
            assert list(refusal.legal) == legal
            assert play.state() == before
        play.say(seat, Answer(play.open(seat), card=legal[-1]))
        assert deal.plays == [*plays, legal[-1]]
    assert not play.fallbacks()


def test_im09_only_the_seat_to_move_has_an_open_request():
    play = Stage4().begin()
    while play.table.stage is not Stage.OVER:
        seat = play.to_move
        assert [s for s in range(4) if play.open(s)] == [seat]
        for other in range(4):
            if other != seat:
                bank = play.table.seats[other].bank
                card = (play.table.game.deal.hand(other) or [2])[0]
                play.say(other, Answer(play.open(seat), card=card))
                assert play.refusals()[-1].rule in (Rule.OUT_OF_TURN, Rule.TOO_LATE)
                assert play.table.seats[other].bank == bank
        play.say(seat, play.good(seat))
    assert not play.fallbacks()


@pytest.mark.parametrize("verdict", [Verdict.NO_SHOW, Verdict.NO_START])
@pytest.mark.parametrize("absent", [(0,), (1, 3), (0, 1, 2, 3)])
def test_ch09_no_card_is_never_a_normal_result_and_never_a_tie(
    verdict: Verdict, absent: tuple[int, ...]
):
    """CH06 too: whoever was there is not blamed, whoever reports first."""
    play = Stage4()
    play.take(play.table.begin(play.now))
    play.take(play.table.forfeit(absent, verdict))
    record = play.table.record()
    assert record.end is MatchEnd.FORFEIT
    assert record.deals == ()
    result = summarise(record)
    assert result.void_block
    for seat, place in enumerate(record.places):
        assert result.seats[seat].verdict is (verdict if seat in absent else None)
        if 0 < len(absent) < 4:
            assert (place > 1) == (seat in absent)
    assert replay(record) == []


ENDINGS = {
    MatchEnd.DEALS: ({}, 2, Limits()),
    MatchEnd.TARGET: ({"target": 30}, None, Limits()),
    MatchEnd.EXACT: ({"exact": {"score": 26, "wins": True}, "target": 500}, None, Limits()),
    MatchEnd.ADJUDICATED: ({}, 50, Limits(match_ms=60_000, max_strikes=0)),
}


@pytest.mark.parametrize("end", ENDINGS)
def test_ch09_every_ending_has_its_reason_and_its_places(end: MatchEnd):
    options, deals, limits = ENDINGS[end]
    play = Stage4(rules=RuleSet.from_options(options), deals=deals, limits=limits, board=0).begin()
    if end is MatchEnd.ADJUDICATED:
        play.pass_time(60.5)
    else:
        play.play_on()
    record = play.table.record()
    assert record.end is end
    assert record.deals
    assert len(record.places) == 4
    assert 1 in record.places
    replay(record)


def test_ch06_a_seat_lost_before_it_was_ready_is_the_only_one_to_blame():
    """The others were ready or still had time; the stream that broke is the proof."""
    play = Stage4(limits=Limits(ready_ms=5_000))
    play.take(play.table.begin(play.now))
    for seat in (0, 2, 3):
        play.take(play.table.ready(seat, play.now))
    play.take(play.table.lost(1, play.now))
    play.take(play.table.lost(3, play.now))
    play.pass_time(4.9)
    assert play.table.stage is Stage.READY
    play.take(play.table.back(3))
    play.pass_time(0.2)
    record = play.table.record()
    verdicts = [(i.seat, i.verdict) for i in record.incidents if i.verdict]
    assert verdicts == [(1, Verdict.NO_START)]


def test_dr02_no_silence_is_an_absence_while_the_stream_is_open():
    """A long decision, and not a sign of life before its answer."""
    play = Stage4(limits=Limits(decision_ms=60_000, rejoin_ms=100, match_ms=0)).begin()
    while play.table.stage is not Stage.OVER:
        play.pass_time(30.0)
        play.say(play.to_move, play.good(play.to_move))
    assert not play.fallbacks()
    assert not play.table.record().deals[0].incidents


@pytest.mark.parametrize("decision_ms", [1_000, 3_600_000])
def test_ch02_the_exit_of_a_hosted_process_resolves_its_open_decision_in_two_seconds(decision_ms):
    """However long it might have thought, and whether it is to move then or later."""
    limits = Limits(decision_ms=decision_ms, rejoin_ms=2_000, match_ms=0)
    for ahead in (0, 1):
        play = Stage4(limits=limits).begin()
        seat = (play.to_move + ahead) % 4
        play.take(play.table.crashed(seat, play.now))
        play.pass_time(0.5)
        play.play_on(until=lambda play=play, seat=seat: play.open(seat) != 0)
        play.pass_time(1.5)
        assert [(f.seat, f.verdict) for f in play.fallbacks()] == [(seat, Verdict.CRASH)]
        play.play_on()
        assert play.table.end is MatchEnd.DEALS
        assert play.table.seats[seat].strikes == 1


def test_a_hosted_process_that_is_started_again_in_time_plays_on_unblamed():
    play = Stage4(limits=Limits(decision_ms=5_000, rejoin_ms=2_000)).begin()
    seat = play.to_move
    play.take(play.table.crashed(seat, play.now))
    play.pass_time(1.0)
    play.take(play.table.back(seat))
    play.play_on(4)
    play.take(play.table.lost(seat, play.now))
    play.play_on(until=lambda: play.open(seat) != 0)
    play.pass_time(2.1)
    assert {f.verdict for f in play.fallbacks()} == {Verdict.LEFT}, "the crash is long over"


def test_dr10_a_newer_stream_keeps_the_open_decision_and_what_is_left_of_its_time():
    """The older one is lost and the newer one there in the same moment."""
    play = Stage4(limits=Limits(decision_ms=5_000, lag_ms=0, max_strikes=0)).begin()
    seat, decision = play.to_move, play.open(play.to_move)
    play.pass_time(3.0)
    play.take(play.table.lost(seat, play.now))
    play.take(play.table.back(seat))
    assert play.open(seat) == decision
    assert play.table.seats[seat].time_left_ms(play.now, play.table.budget) == 2_000
    play.pass_time(1.9)
    assert not play.fallbacks()
    play.pass_time(0.2)
    assert [f.verdict for f in play.fallbacks()] == [Verdict.TIMEOUT]


def test_tc04_exactly_the_margin_is_used_and_nothing_is_negative():
    """An answer at the last moment of decision, lag and bank together."""
    limits = Limits(decision_ms=1_000, lag_ms=100, bank_ms=400, increment_ms=0)
    play = Stage4(limits=limits).begin()
    seat = play.to_move
    play.now += 1.5
    wrong = Answer(play.open(seat), card=LAST)
    play.say(seat, wrong)
    assert play.refusals()[-1].time_left_ms == 0
    play.say(seat, play.good(seat))
    assert play.table.seats[seat].bank == pytest.approx(0.0, abs=1e-9)
    assert play.table.seats[seat].bank >= 0
    assert not play.fallbacks()


def test_tc07_held_up_past_a_start_or_the_end_of_a_match_moves_that_deadline_too():
    """Whatever deadline we slept through: once told of it, the table wants to hear later, not now
    again, or the clocks of all tables would stand still."""
    starting = Stage4(limits=Limits(ready_ms=1_000))
    starting.take(starting.table.begin(starting.now))
    limits = Limits(decision_ms=60_000, match_ms=1_000)
    playing = Stage4(deals=50, limits=limits).begin()
    for play in (starting, playing):
        late = play.table.deadline + 0.5
        assert play.table.held_up(late)
        assert play.table.deadline > late
    starting.now = starting.table.deadline - 0.01
    for seat in range(4):
        starting.take(starting.table.ready(seat, starting.now))
    starting.play_on()
    assert starting.table.end is MatchEnd.DEALS
    playing.pass_time(2.0)
    assert playing.table.end is MatchEnd.ADJUDICATED
