"""Frames put together from pieces are, byte for byte, what the generated code makes."""

from __future__ import annotations

import random

import pytest

from arbiter.connections import pieces
from arbiter.connections.turns import Turns
from arbiter.tables.setup import Setup
from arbiter.tables.table import Table
from hearts.deal import Phase
from hearts.limits import DEFAULT_LIMITS, Limits
from hearts.rules import PRESETS, preset
from hearts.scoring import MoonChoice
from hearts.shuffle import Board
from hearts.v1 import play_pb2

SECRET = bytes(range(32))


@pytest.mark.parametrize(
    "number", [0, 1, 127, 128, 300, 16_383, 16_384, 65_536, 2_000_000, 2**32 - 1]
)
def test_a_number_is_encoded_as_the_generated_code_does(number: int) -> None:
    made = pieces.field(pieces.key(play_pb2.Event, "table"), number)
    assert made == play_pb2.Event(table=number).SerializeToString()


def test_events_of_any_length_make_the_frame_they_should() -> None:
    expected = play_pb2.PlayResponse()
    gathered = []
    for table, sequence, text in ((1, 1, 0), (200, 65_540, 90), (9_999, 3, 200), (7, 8, 40_000)):
        body = play_pb2.Event(refusal=play_pb2.Refusal(decision=1, message="x" * text))
        gathered.append(pieces.event(pieces.to_table(table), sequence, body.SerializeToString()))
        body.table, body.sequence = table, sequence
        expected.frame.events.append(body)
    assert pieces.response(gathered) == expected.SerializeToString()


def expected_turn(table: Table, seat: int, now: float) -> play_pb2.Event:
    """The seat's open decision, field by field."""
    deal, state = table.game.deal, table.seats[seat]
    trick = deal.trick_number if deal.phase is Phase.PLAY else 0
    turn = play_pb2.Turn(
        decision=state.open,
        phase=deal.phase,  # type: ignore[arg-type]
        time_left_ms=state.time_left_ms(now, table.budget),
        bank_left_ms=int(state.bank * 1000),
        hand=deal.hand(seat),  # type: ignore[arg-type]
        totals=deal.totals_before,
        seed=table.setup.board.turn_seed(seat, deal.number, deal.phase, trick),
    )
    if deal.phase is Phase.PLAY:
        turn.legal.extend(deal.legal())  # type: ignore[arg-type]
        turn.leader, turn.trick_number = deal.leader, trick
        turn.trick.extend(deal.trick)  # type: ignore[arg-type]
        turn.last_leader = deal.last_leader if trick > 1 else 0
        turn.last_trick.extend(deal.last_trick)  # type: ignore[arg-type]
        turn.hearts_broken = deal.hearts_broken
    elif deal.phase is Phase.PASS:
        turn.pass_count, turn.pass_offset = deal.rules.pass_count, deal.pass_offset
    else:
        others, own = deal.moon_totals()
        turn.totals_if_others.extend(others)
        turn.totals_if_self.extend(own)
    return play_pb2.Event(turn=turn)


def answer(table: Table, seat: int, rng: random.Random) -> play_pb2.Reply:
    """Any legal answer to the seat's open decision."""
    deal, decision = table.game.deal, table.seats[seat].open
    if deal.phase is Phase.PASS:
        cards = rng.sample(deal.hand(seat), deal.rules.pass_count)
        return play_pb2.Reply(decision=decision, cards=cards)  # type: ignore[arg-type]
    if deal.phase is Phase.MOON_CHOICE:
        return play_pb2.Reply(decision=decision, moon_choice=MoonChoice.SELF)  # type: ignore[arg-type]
    return play_pb2.Reply(decision=decision, card=rng.choice(deal.legal()))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", PRESETS)
def test_every_turn_of_every_preset_has_the_bytes_of_the_generated_code(name: str) -> None:
    rng = random.Random(name)
    limits = Limits(bank_ms=2_500) if len(name) % 2 else DEFAULT_LIMITS
    rules = preset(name)
    bots = tuple(f"bot{seat}" for seat in range(rules.players))
    table = Table(Setup("m", "tag", "cup", rules, limits, Board(SECRET, 7), 0, 2, bots))
    table.begin(0.0)
    for seat in range(rules.players):
        table.ready(seat, 0.0)
    turns, now, checked = Turns(table), 0.0, 0
    while table.end is None:
        if turns.deal is not table.game.deal:
            turns = Turns(table)
        seat = rng.choice([seat for seat, state in enumerate(table.seats) if state.open])
        if rng.random() < 0.5:
            table.written(seat, table.seats[seat].open, now)
        now += rng.choice((0.0, 0.25, 2.0))
        assert turns.turn(seat, now) == expected_turn(table, seat, now).SerializeToString()
        table.reply(seat, answer(table, seat, rng), now)
        checked += 1
    assert checked > 50
