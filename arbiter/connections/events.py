"""A table's news as one seat may know it, written into a frame.

The allow-list of what leaves the arbiter: every field sent to a bot is set in this file, from
the seat's own cards and from what the whole table has seen. Cards go out sorted, except a trick,
which goes out in the order played.
"""

# The numbers of cards, phases, rules and verdicts are the wire's own; its stubs want their enums.
# mypy: disable-error-code="arg-type, assignment"

from __future__ import annotations

from typing import TYPE_CHECKING

from hearts.deal import NOBODY, Phase
from hearts.record import DealRecord, tricks_of
from hearts.v1 import play_pb2
from hearts.view import leftover_seen
from hearts.wire import limits_to_wire, rules_to_wire

if TYPE_CHECKING:
    from arbiter.tables.effects import DealEnded, FellBack, Refuse
    from arbiter.tables.table import Table
    from hearts.deal import Deal

PLAY = int(Phase.PLAY)


def match_start(event: play_pb2.Event, table: Table, seat: int, epoch: int) -> None:
    """The seat, the rules in force and the limits; the deal in progress for one that comes back."""
    start = event.match_start
    setup = table.setup
    start.tag = setup.tag
    start.seat = seat
    start.rules.CopyFrom(rules_to_wire(table.game.rules))
    start.limits.CopyFrom(limits_to_wire(setup.limits))
    start.epoch = epoch


def resume(event: play_pb2.Event, table: Table, seat: int) -> None:
    """All that the seat may know of the deal in progress, into a MatchStart."""
    deal = table.game.deal
    known = event.match_start.resume
    _deal_start(known.deal, deal, seat)
    if deal.pass_offset and deal.phase is not Phase.PASS:
        _passed(known.passed, deal, seat)
    played = DealRecord.of(deal)
    for trick in tricks_of(deal.rules, played)[: deal.trick_number - 1]:
        known.tricks.add(leader=trick.leader, cards=trick.cards)
    if deal.leftover_taker != NOBODY:
        _leftover_taken(known.leftover, deal, seat)


def deal_start(event: play_pb2.Event, deal: Deal, seat: int) -> None:
    """The seat's own cards."""
    _deal_start(event.deal_start, deal, seat)


def _deal_start(start: play_pb2.DealStart, deal: Deal, seat: int) -> None:
    start.deal = deal.number
    start.dealer = deal.dealer
    start.pass_offset = deal.pass_offset
    start.hand.extend(deal.dealt[seat])
    start.totals.extend(deal.totals_before)
    start.redeals = deal.redeals


def leftover_taken(event: play_pb2.Event, deal: Deal, seat: int) -> None:
    """Who took the leftover cards, and the cards for those who may see them."""
    _leftover_taken(event.leftover_taken, deal, seat)


def _leftover_taken(message: play_pb2.LeftoverTaken, deal: Deal, seat: int) -> None:
    message.seat = deal.leftover_taker
    message.cards.extend(leftover_seen(deal, seat))


def passed(event: play_pb2.Event, deal: Deal, seat: int) -> None:
    """What the seat gave and received, and its hand after it."""
    _passed(event.passed, deal, seat)


def _passed(message: play_pb2.Passed, deal: Deal, seat: int) -> None:
    message.gave.extend(deal.gave[seat])
    message.received.extend(deal.received[seat])
    message.hand.extend(_hand_after_pass(deal, seat))


def _hand_after_pass(deal: Deal, seat: int) -> list[int]:
    hand = deal.dealt[seat] + deal.received[seat]
    for card in deal.gave[seat]:
        hand.remove(card)
    return sorted(hand)


def turn(event: play_pb2.Event, table: Table, seat: int, now: float) -> None:
    """The seat's open decision."""
    state = table.seats[seat]
    deal = table.game.deal
    turn = event.turn
    turn.decision = state.open
    budget = table.budget
    fresh = state.asked_at < 0
    turn.time_left_ms = budget.decision_ms if fresh else state.time_left_ms(now, budget)
    if state.bank:
        turn.bank_left_ms = int(state.bank * 1000)
    turn.hand.extend(deal.hand(seat))
    turn.totals.extend(deal.totals_before)
    phase = deal.phase
    if phase == PLAY:
        turn.phase = PLAY
        turn.legal.extend(deal.legal())
        turn.leader = deal.leader
        turn.trick.extend(deal.trick)
        number = turn.trick_number = deal.trick_number
        if number > 1:
            turn.last_leader = deal.last_leader
            turn.last_trick.extend(deal.last_trick)
        turn.hearts_broken = deal.hearts_broken
        turn.seed = table.setup.board.turn_seed(seat, deal.number, phase, number)
        return
    turn.phase = phase
    turn.seed = table.setup.board.turn_seed(seat, deal.number, phase, 0)
    if phase is Phase.PASS:
        turn.pass_count = table.setup.rules.pass_count
        turn.pass_offset = deal.pass_offset
    else:
        others, own = deal.moon_totals()
        turn.totals_if_others.extend(others)
        turn.totals_if_self.extend(own)


def refusal(event: play_pb2.Event, effect: Refuse) -> None:
    """An answer changed nothing."""
    message = event.refusal
    message.decision = effect.decision
    message.rule = effect.rule
    message.legal.extend(effect.legal)
    message.time_left_ms = effect.time_left_ms
    message.message = effect.message


def fallback(event: play_pb2.Event, effect: FellBack) -> None:
    """The referee decided for the seat."""
    message = event.fallback
    message.decision = effect.decision
    message.verdict = effect.verdict
    message.phase = effect.phase
    message.cards.extend(effect.cards)
    message.moon_choice = effect.moon_choice
    message.strikes = effect.strikes
    message.retired = effect.retired


def deal_over(event: play_pb2.Event, effect: DealEnded) -> None:
    """The deal's score."""
    deal = effect.deal
    message = event.deal_over
    message.deal = deal.number
    message.points.extend(deal.points)
    message.totals.extend(deal.totals_after)
    message.moon.extend(deal.moon)
    message.last_trick.leader = deal.last_leader
    message.last_trick.cards.extend(deal.last_trick)


def match_over(event: play_pb2.Event, table: Table, reason: int) -> None:
    """The match's score. Nothing follows at this table."""
    message = event.match_over
    message.reason = reason
    message.totals.extend(table.game.totals)
    message.places.extend(table.places)
