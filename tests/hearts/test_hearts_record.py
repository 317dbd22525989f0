"""Records: both notations, the wire, the replay that checks them, and results."""

import dataclasses
import json
import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path

import pytest
from hearts_kit import play_match

from hearts import wire
from hearts.cards import card
from hearts.deal import Deal
from hearts.decisions import Phase, Rule
from hearts.limits import Limits
from hearts.record import (
    DealRecord,
    Incident,
    IncidentKind,
    MatchRecord,
    RecordError,
    Verdict,
    from_json,
    from_text,
    replay,
    to_json,
    to_text,
    tricks_of,
)
from hearts.result import places_times_two, summarise
from hearts.rules import PRESETS, preset
from hearts.scoring import MatchEnd, MoonChoice

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "record.md"


def trouble(deal: Deal) -> Mapping[str, object]:
    """Incidents of every kind, and times."""
    last = len(deal.plays) - 1
    incidents = [
        Incident(1, IncidentKind.REFUSED, 3, Phase.PLAY, 0, Rule.MALFORMED, message="it's  empty"),
        Incident(2, IncidentKind.LATE, 4, Phase.PLAY, 2, Rule.TOO_LATE, cards=(2,), elapsed_us=9),
        Incident(
            0, IncidentKind.VERDICT, 9, Phase.PLAY, last, None, Verdict.TIMEOUT, (deal.plays[-1],)
        ),
        Incident(0, IncidentKind.RETIRED, 9, verdict=Verdict.TIMEOUT),
        Incident(3, IncidentKind.LOST),
        Incident(3, IncidentKind.BACK),
        Incident(0, IncidentKind.VERDICT, 9, Phase.MOON_CHOICE, moon_choice=MoonChoice.SELF),
    ]
    return {
        "incidents": incidents,
        "decision_seats": [0, 1],
        "wait_us": [1200, 7],
        "think_us": [800, 0],
    }


@pytest.mark.parametrize("name", PRESETS)
def test_a_match_reads_back_and_replays_to_the_same_states(name: str) -> None:
    """LR04: two packs and ten players included."""
    played: list[str] = []
    record = play_match(
        preset(name), seed=len(name), deals=3, watch=lambda d: played.append(d.state_hash()),
        decorate=trouble,
    )  # fmt: skip
    in_text, in_json = from_text(to_text(record)), from_json(to_json(record))
    on_wire = wire.record_from_wire(wire.record_to_wire(record))
    assert in_json == on_wire == record
    assert to_text(in_text) == to_text(record)  # spaces in a message are not kept
    for copy in (in_text, in_json):
        replayed: list[str] = []
        replay(copy, lambda d, seen=replayed: seen.append(d.state_hash()))  # type: ignore[misc]
        assert replayed == played


@pytest.fixture(scope="module")
def record() -> MatchRecord:
    return play_match(preset("standard"), deals=3, decorate=trouble)


def changed(record: MatchRecord, index: int, /, **fields: object) -> MatchRecord:
    deals = list(record.deals)
    deals[index] = dataclasses.replace(deals[index], **fields)  # type: ignore[arg-type]
    return dataclasses.replace(record, deals=tuple(deals))


def swapped(deal: DealRecord, a: int, b: int) -> tuple[int, ...]:
    plays = list(deal.plays)
    plays[a], plays[b] = plays[b], plays[a]
    return tuple(plays)


FORGERIES: list[tuple[Callable[[MatchRecord], MatchRecord], str]] = [
    (lambda r: changed(r, 1, plays=swapped(r.deals[1], 0, 4)), r"deal 1, play 1 by seat \d"),
    (lambda r: changed(r, 2, plays=r.deals[2].plays[:-1]), "deal 2: not finished after 51 plays"),
    (lambda r: changed(r, 2, plays=(*r.deals[2].plays, 2)), "deal 2, play 53"),
    (lambda r: changed(r, 1, opener=(r.deals[1].opener + 1) % 4), "deal 1: seat . opens"),
    (lambda r: changed(r, 0, points=(0, 0, 0, 26)), "deal 0: points are"),
    (lambda r: changed(r, 0, raw_points=(0, 0, 0, 26)), "deal 0: raw points are"),
    (lambda r: changed(r, 1, totals=(0, 0, 0, 1)), "deal 1: totals are"),
    (lambda r: changed(r, 1, moon=(2,)), "deal 1: moon are"),
    (lambda r: changed(r, 1, moon_choice=MoonChoice.SELF), "deal 1: a moon choice"),
    (lambda r: changed(r, 0, passes=()), "deal 0: 0 passes"),
    (lambda r: changed(r, 0, passes=(r.deals[0].passes[1],) * 4), "deal 0: pass of seat 0"),
    (lambda r: changed(r, 1, hands=(r.deals[1].hands[0],) * 4), "deal 1: the hands"),
    (lambda r: changed(r, 1, hands=r.deals[1].hands[:3]), "deal 1: 3 hands for 4 seats"),
    (lambda r: changed(r, 1, deal=5), "deal 5: deal 1 was expected"),
    (lambda r: dataclasses.replace(r, totals=(1, 2, 3, 4)), "end: totals"),
    (lambda r: dataclasses.replace(r, places=(9, 9, 9, 9)), "end: places"),
    (lambda r: dataclasses.replace(r, end=MatchEnd.TARGET), "end: the deals do not end"),
    (lambda r: dataclasses.replace(r, deals=r.deals[:2]), "end: the deals do not end"),
    (lambda r: dataclasses.replace(r, deals=(*r.deals, dataclasses.replace(r.deals[2], deal=3))),
     "deal 2: the game was over"),
]  # fmt: skip


@pytest.mark.parametrize(("forge", "words"), FORGERIES)
def test_a_forged_record_does_not_replay(
    record: MatchRecord, forge: Callable[[MatchRecord], MatchRecord], words: str
) -> None:
    """LR04: and the error says in which deal and play."""
    replay(record)
    with pytest.raises(RecordError, match=words):
        replay(forge(record))


def test_a_record_whose_first_play_was_refused_is_accepted(record: MatchRecord) -> None:
    """IM02: refused plays are incidents, and must have been illegal."""
    first = record.deals[0]
    illegal = next(c for c in first.hands[first.opener] if c != card("2C"))

    def refused(number: int) -> MatchRecord:
        incident = Incident(
            first.opener, IncidentKind.REFUSED, 1, Phase.PLAY, 0, Rule.MUST_OPEN, None, (number,)
        )
        return changed(record, 0, incidents=(incident,))

    replay(refused(illegal))
    with pytest.raises(RecordError, match=r"play 1 by seat .: 2C was refused, but is legal"):
        replay(refused(card("2C")))


def test_a_fallback_that_was_not_played_is_found(record: MatchRecord) -> None:
    last = record.deals[0]
    wrong = Incident(
        last.opener, IncidentKind.VERDICT, 1, Phase.PLAY, 0, None, Verdict.TIMEOUT, (card("3C"),)
    )
    with pytest.raises(RecordError, match="the referee played 3C"):
        replay(changed(record, 0, incidents=(wrong,)))


def test_a_renege_replays() -> None:
    import random

    from hearts.decisions import Refused
    from hearts.game import Game
    from hearts.shuffle import Board

    game = Game(preset("swedish_renege"), Board(bytes(32), 3), deals=1)
    deal, rng = game.deal, random.Random(4)
    while deal.phase is Phase.PLAY:
        seat, hand = deal.turn, deal.hand(deal.turn)
        choice = rng.choice(hand)
        try:
            deal.play(seat, choice)
        except Refused as refusal:
            if refusal.rule is Rule.RENEGE_WARNING:
                deal.play(seat, choice)
    assert deal.offender is not None
    record = MatchRecord(
        "m", "t", game.rules, ("a", "b", "c", "d"), 3, 0, (DealRecord.of(deal),),
        MatchEnd.DEALS, tuple(game.totals), tuple(game.places()),
    )  # fmt: skip
    assert replay(from_text(to_text(record)))[0].offender == deal.offender


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda t: "", "line 1"),
        (lambda t: t.replace("hearts record 1", "hearts record 2"), "line 1"),
        (lambda t: t.replace("\nseat 0 ", "\nchair 0 "), "line .*unknown word 'chair'"),
        (lambda t: t.replace("\nseat 0 ", "\nseat 1 "), "seat 0 is expected"),
        (lambda t: t.replace("\nhand 2 ", "\nhand 2 XX "), "'XX' is no card"),
        (lambda t: t.replace("\nend deals", "\nend sometime"), "'sometime' is no MatchEnd"),
        (lambda t: t.replace("\nend deals", ""), "not complete"),
        (lambda t: t.replace("board 0 ", "board x "), "line 4"),
        (lambda t: t.replace("rule malformed", "rule unkind"), "'unkind' is no Rule"),
        (lambda t: t.replace("option max_deals 3", "option max_deals 0"), "max_deals"),
        (lambda t: re.sub(r"trick 2 from \d", "trick 2 from 9", t, count=1), "trick 2: seat"),
        (lambda t: t.replace("limit bank_ms 0", "limit bank_ms -1"), "bank_ms"),
    ],
)
def test_text_that_is_no_record_is_refused(
    record: MatchRecord, edit: Callable[[str], str], words: str
) -> None:
    with pytest.raises(RecordError, match=words):
        from_text(edit(to_text(record)))


@pytest.mark.parametrize(
    "edit",
    [
        lambda d: d.clear(),
        lambda d: d.update(format=2),
        lambda d: d.update(colour="red"),
        lambda d: d.update(end="sometime"),
        lambda d: d["rules"].update(moon="cheese"),
        lambda d: d["rules"].update(players="4"),
        lambda d: d["deals"][0].update(plays=["XX"]),
        lambda d: d["deals"][0].update(plays=7),
        lambda d: d["deals"][0].update(opener="first"),
        lambda d: d["deals"][0].update(points=[1, 2, 3, 4.5]),
        lambda d: d.update(deals=[7]),
        lambda d: d.pop("seats"),
        lambda d: d["limits"].update(bank_ms="much"),
    ],
)
def test_json_that_is_no_record_is_refused(
    record: MatchRecord, edit: Callable[[dict[str, object]], None]
) -> None:
    data = json.loads(to_json(record))
    edit(data)
    with pytest.raises(RecordError):
        from_json(json.dumps(data))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "3"])
def test_other_json_is_refused(text: str) -> None:
    with pytest.raises(RecordError):
        from_json(text)


def test_tricks_of_a_deal(record: MatchRecord) -> None:
    deal = record.deals[0]
    tricks = tricks_of(record.rules, deal)
    assert len(tricks) == 13
    assert [c for trick in tricks for c in trick.cards] == list(deal.plays)
    assert tricks[0].leader == deal.opener
    assert all(now.winner == then.leader for now, then in pairwise(tricks))


def test_the_result_counts_what_happened(record: MatchRecord) -> None:
    result = summarise(record)
    assert result.end is MatchEnd.DEALS
    assert result.deals == tuple(deal.points for deal in record.deals)
    assert tuple(seat.points for seat in result.seats) == record.totals
    first = result.seats[0]
    assert (first.bot, first.timeouts, first.verdict) == ("bots/b0", 3, Verdict.TIMEOUT)
    assert first.fallbacks == 6
    assert (result.seats[1].malformed, result.seats[1].illegal) == (3, 0)
    assert (result.seats[2].malformed, result.seats[2].illegal) == (0, 0)  # late is not refused
    assert first.decisions == 3
    assert wire.result_from_wire(wire.result_to_wire(result)) == result


def test_from_raw_points_to_the_input_of_ratings() -> None:
    """RU10: points (low wins) and places are separate all the way."""
    record = play_match(preset("new_moon"), seed=5, deals=400)
    result = summarise(record)
    assert any(deal.moon for deal in record.deals)
    totals = [0, 0, 0, 0]
    for deal, points in zip(record.deals, result.deals, strict=True):
        expected = list(deal.raw_points)
        for shooter in deal.moon:
            assert deal.raw_points[shooter] == 26
            expected[shooter] = -26
        assert points == tuple(expected)
        totals = [total + more for total, more in zip(totals, points, strict=True)]
    assert tuple(totals) == record.totals
    order = sorted(range(4), key=lambda seat: totals[seat])
    assert [result.seats[seat].place_times_two for seat in order] == [2, 4, 6, 8]
    assert result.seats[order[0]].points == min(totals)


@pytest.mark.parametrize(
    ("places", "doubled"),
    [
        ((1, 2, 3, 4), (2, 4, 6, 8)),
        ((1, 1, 3, 4), (3, 3, 6, 8)),
        ((1, 1, 1, 1), (5, 5, 5, 5)),
        ((2, 1, 2, 4), (5, 2, 5, 8)),
        ((1, 2, 2, 2), (2, 6, 6, 6)),
    ],
)
def test_shared_places_split(places: tuple[int, ...], doubled: tuple[int, ...]) -> None:
    """RU07."""
    assert places_times_two(places) == doubled


def test_a_forfeit_voids_the_block(record: MatchRecord) -> None:
    absent = Incident(2, IncidentKind.VERDICT, verdict=Verdict.NO_SHOW)
    forfeit = dataclasses.replace(
        record, deals=(), end=MatchEnd.FORFEIT, totals=(0, 0, 26, 0), places=(1, 1, 4, 1),
        incidents=(absent,),
    )  # fmt: skip
    result = summarise(forfeit)
    assert result.void_block
    assert [seat.verdict for seat in result.seats] == [None, None, Verdict.NO_SHOW, None]
    assert [seat.fallbacks for seat in result.seats] == [0, 0, 0, 0]
    assert [seat.place_times_two for seat in result.seats] == [4, 4, 8, 4]
    replay(forfeit)
    assert from_text(to_text(forfeit)) == from_json(to_json(forfeit)) == forfeit


def test_limits_cross_the_wire_and_refuse_nonsense() -> None:
    limits = Limits(decision_ms=250, bank_ms=5000)
    assert wire.limits_from_wire(wire.limits_to_wire(limits)) == limits
    with pytest.raises(ValueError, match="decision_ms"):
        Limits(decision_ms=-1)


def test_the_worked_deal_of_the_document() -> None:
    """DX06: the document's record reads, replays, and writes back as it stands."""
    blocks = re.findall(r"```text\n(hearts record 1\n.*?)```", DOCUMENT.read_text(), re.DOTALL)
    assert len(blocks) == 1
    record = from_text(blocks[0])
    replay(record)
    assert _without_limits(to_text(record)) == _without_limits(blocks[0])
    (as_json,) = re.findall(r"```json\n(\{.*?\n\})\n```", DOCUMENT.read_text(), re.DOTALL)
    assert from_json(as_json) == record


def _without_limits(text: str) -> list[str]:
    """A new limit is no reason to rewrite the document."""
    return [line for line in text.splitlines() if not line.startswith("limit ")]
