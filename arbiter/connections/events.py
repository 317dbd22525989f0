"""A table's news as one seat may know it: the bodies of events, as bytes.

The allow-list of what leaves the arbiter: every field sent to a bot is set in this file and in
`turns`, from the seat's own cards and from what the whole table has seen. Cards go out sorted,
except a trick, which goes out in the order played. A body is an Event without table and sequence
number, which the seat's link adds.
"""

# The numbers of cards, phases, rules and verdicts are the wire's own; its stubs want their enums.
# mypy: disable-error-code="arg-type, assignment"

from __future__ import annotations

from typing import TYPE_CHECKING

from arbiter.tables.setup import Stage
from hearts.deal import NOBODY, Phase
from hearts.record import DealRecord, tricks_of
from hearts.v1 import play_pb2
from hearts.view import leftover_seen
from hearts.wire import limits_to_wire, rules_to_wire

if TYPE_CHECKING:
    from arbiter.tables.effects import DealEnded, FellBack, Refuse
    from arbiter.tables.table import Table
    from hearts.deal import Deal


def match_start(table: Table, seat: int, epoch: int) -> bytes:
    """The seat, the rules in force and the limits; the deal in progress for one that comes back."""
    event = play_pb2.Event()
    start = event.match_start
    setup = table.setup
    start.tag = setup.tag
    start.seat = seat
    start.rules.CopyFrom(rules_to_wire(table.game.rules))
    start.limits.CopyFrom(limits_to_wire(setup.limits))
    start.epoch = epoch
    if table.stage is Stage.PLAYING:
        _resume(start.resume, table.game.deal, seat)
    return event.SerializeToString()


def _resume(known: play_pb2.Resume, deal: Deal, seat: int) -> None:
    """All that the seat may know of the deal in progress."""
    _deal_start(known.deal, deal, seat)
    if deal.pass_offset and deal.phase is not Phase.PASS:
        _passed(known.passed, deal, seat)
    played = DealRecord.of(deal)
    for trick in tricks_of(deal.rules, played)[: deal.trick_number - 1]:
        known.tricks.add(leader=trick.leader, cards=trick.cards)
    if deal.leftover_taker != NOBODY:
        _leftover_taken(known.leftover, deal, seat)


def deal_start(deal: Deal, seat: int) -> bytes:
    """The seat's own cards."""
    event = play_pb2.Event()
    _deal_start(event.deal_start, deal, seat)
    return event.SerializeToString()


def _deal_start(start: play_pb2.DealStart, deal: Deal, seat: int) -> None:
    start.deal = deal.number
    start.dealer = deal.dealer
    start.pass_offset = deal.pass_offset
    start.hand.extend(deal.dealt[seat])
    start.totals.extend(deal.totals_before)
    start.redeals = deal.redeals


def leftover_taken(deal: Deal, seat: int) -> bytes:
    """Who took the leftover cards, and the cards for those who may see them."""
    event = play_pb2.Event()
    _leftover_taken(event.leftover_taken, deal, seat)
    return event.SerializeToString()


def _leftover_taken(message: play_pb2.LeftoverTaken, deal: Deal, seat: int) -> None:
    message.seat = deal.leftover_taker
    message.cards.extend(leftover_seen(deal, seat))


def passed(deal: Deal, seat: int) -> bytes:
    """What the seat gave and received, and its hand after it."""
    event = play_pb2.Event()
    _passed(event.passed, deal, seat)
    return event.SerializeToString()


def _passed(message: play_pb2.Passed, deal: Deal, seat: int) -> None:
    message.gave.extend(deal.gave[seat])
    message.received.extend(deal.received[seat])
    message.hand.extend(_hand_after_pass(deal, seat))


def _hand_after_pass(deal: Deal, seat: int) -> list[int]:
    hand = deal.dealt[seat] + deal.received[seat]
    for card in deal.gave[seat]:
        hand.remove(card)
    return sorted(hand)


def refusal(effect: Refuse) -> bytes:
    """An answer changed nothing."""
    event = play_pb2.Event()
    message = event.refusal
    message.decision = effect.decision
    message.rule = effect.rule
    message.legal.extend(effect.legal)
    message.time_left_ms = effect.time_left_ms
    message.message = effect.message
    return event.SerializeToString()


def fallback(effect: FellBack) -> bytes:
    """The referee decided for the seat."""
    event = play_pb2.Event()
    message = event.fallback
    message.decision = effect.decision
    message.verdict = effect.verdict
    message.phase = effect.phase
    message.cards.extend(effect.cards)
    message.moon_choice = effect.moon_choice
    message.strikes = effect.strikes
    message.retired = effect.retired
    return event.SerializeToString()


def deal_over(effect: DealEnded) -> bytes:
    """The deal's score."""
    event = play_pb2.Event()
    deal = effect.deal
    message = event.deal_over
    message.deal = deal.number
    message.points.extend(deal.points)
    message.totals.extend(deal.totals_after)
    message.moon.extend(deal.moon)
    message.last_trick.leader = deal.last_leader
    message.last_trick.cards.extend(deal.last_trick)
    return event.SerializeToString()


def match_over(table: Table, reason: int) -> bytes:
    """The match's score. Nothing follows at this table."""
    event = play_pb2.Event()
    message = event.match_over
    message.reason = reason
    message.totals.extend(table.game.totals)
    message.places.extend(table.places)
    return event.SerializeToString()
