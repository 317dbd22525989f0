"""Deals are made bytes of once, and the messages are those that the slow way makes."""

from __future__ import annotations

from dataclasses import replace

from arbiter.matches import payloads
from arbiter.tables.setup import Memory, SeatMemory
from hearts.game import Game
from hearts.limits import DEFAULT_LIMITS
from hearts.match_record import DealRecord, MatchRecord
from hearts.rules import preset
from hearts.scoring import MatchEnd
from hearts.shuffle import Board


def _record(deals: int) -> MatchRecord:
    rules = preset("standard").for_deals(deals)
    dealt = [
        replace(
            DealRecord.of(Game.resume(rules, Board(bytes(32), 1), deals, [0] * 4, number).deal),
            opener=number % 4,
        )
        for number in range(deals)
    ]
    return MatchRecord(
        "matches/m", "tournaments/t", rules, ("bots/a",) * 4, 1, 0, tuple(dealt),
        MatchEnd.DEALS, (0,) * 4, (1,) * 4, DEFAULT_LIMITS,
    )  # fmt: skip


def test_checkpoints_and_record_are_the_same_messages_either_way() -> None:
    record = _record(5)
    seats = (SeatMemory(5, 1, None),) * 4
    packed = payloads.PackedDeals()
    for count in (1, 2, 5):
        memory = Memory(record.deals[:count], seats)
        assert payloads.memory(payloads.checkpoint(memory, packed)) == memory
    assert payloads.read_record(payloads.record(record, packed)) == payloads.read_record(
        payloads.record(record)
    )


def test_a_deal_that_is_another_one_is_made_anew() -> None:
    record = _record(3)
    packed = payloads.PackedDeals()
    payloads.record(record, packed)
    other = replace(record.deals[1], opener=(record.deals[1].opener + 1) % 4)
    changed = replace(record, deals=(record.deals[0], other, record.deals[2]))
    assert payloads.read_record(payloads.record(changed, packed)) == payloads.read_record(
        payloads.record(changed)
    )
