"""What one seat may know, built by allow-list: each function names every fact it gives away.

All lists are sorted, or in the order everybody saw. Tuples are used so that two views can be
compared: a view must not change when cards that are hidden from the seat change places.
"""

from dataclasses import dataclass

from hearts.deal import Deal
from hearts.decisions import NOBODY, Phase
from hearts.match_record import DealRecord, Trick, tricks_of
from hearts.options import LeftoverVisible

__all__ = [
    "DealStart",
    "Passed",
    "SeatView",
    "SpectatorView",
    "TurnView",
    "deal_start",
    "leftover_seen",
    "passed",
    "seat_view",
    "spectator_view",
    "turn",
]


@dataclass(frozen=True, slots=True)
class DealStart:
    """A deal begins (or begins anew, when `redeals` has grown)."""

    deal: int
    dealer: int
    pass_offset: int
    redeals: int
    hand: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Passed:
    """The pass is complete."""

    gave: tuple[int, ...]
    received: tuple[int, ...]
    hand: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TurnView:
    """A decision that is asked of the seat. Empty where the phase has no use for it."""

    phase: Phase
    hand: tuple[int, ...]
    totals: tuple[int, ...]
    legal: tuple[int, ...] = ()
    leader: int = NOBODY
    trick: tuple[int, ...] = ()
    last_leader: int = NOBODY
    last_trick: tuple[int, ...] = ()
    trick_number: int = 0
    hearts_broken: bool = False
    totals_if_others: tuple[int, ...] = ()
    totals_if_self: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatView:
    """All that a seat knows of the deal in progress: enough to come back with an empty memory."""

    start: DealStart
    passed: Passed | None
    #: Complete tricks, in order.
    tricks: tuple[Trick, ...]
    #: Leftover cards shown to this seat, and who took them (known to all).
    leftover: tuple[int, ...]
    leftover_taker: int
    #: The decision asked of it, if one is.
    turn: TurnView | None


@dataclass(frozen=True, slots=True)
class SpectatorView:
    """What everybody at the table saw. No hand, no pass, no choice still to come."""

    deal: int
    dealer: int
    pass_offset: int
    redeals: int
    phase: Phase
    totals: tuple[int, ...]
    tricks: tuple[Trick, ...]
    leader: int
    trick: tuple[int, ...]
    turn: int
    hearts_broken: bool
    leftover: tuple[int, ...]
    leftover_taker: int
    #: Once the deal is done.
    points: tuple[int, ...]
    moon: tuple[int, ...]


def deal_start(deal: Deal, seat: int) -> DealStart:
    """The seat's own cards as dealt, and the totals before the deal."""
    return DealStart(
        deal=deal.number,
        dealer=deal.dealer,
        pass_offset=deal.pass_offset,
        redeals=deal.redeals,
        hand=tuple(deal.dealt[seat]),
        totals=deal.totals_before,
    )


def passed(deal: Deal, seat: int) -> Passed | None:
    """What the seat gave and received; None in a hold deal and before the pass is complete."""
    if not deal.pass_offset or deal.phase is Phase.PASS:
        return None
    hand = deal.dealt[seat] + deal.received[seat]
    for card in deal.gave[seat]:
        hand.remove(card)
    return Passed(tuple(deal.gave[seat]), tuple(deal.received[seat]), tuple(sorted(hand)))


def turn(deal: Deal, seat: int) -> TurnView | None:
    """The decision asked of the seat; None when none is."""
    hand = tuple(deal.hand(seat))
    if seat in deal.to_pass:
        return TurnView(Phase.PASS, hand, deal.totals_before)
    if seat != deal.turn:
        return None
    if deal.phase is Phase.MOON_CHOICE:
        others, own = deal.moon_totals()
        return TurnView(
            deal.phase,
            hand,
            deal.totals_before,
            totals_if_others=tuple(others),
            totals_if_self=tuple(own),
        )
    return TurnView(
        deal.phase,
        hand,
        deal.totals_before,
        legal=tuple(deal.legal()),
        leader=deal.leader,
        trick=tuple(deal.trick),
        last_leader=deal.last_leader,
        last_trick=tuple(deal.last_trick),
        trick_number=deal.trick_number,
        hearts_broken=deal.hearts_broken,
    )


def leftover_seen(deal: Deal, seat: int | None) -> list[int]:
    """The leftover cards that a seat has been shown (None: a spectator); nothing until taken."""
    if deal.leftover_taker == NOBODY:
        return []
    match deal.rules.leftover_visible:
        case LeftoverVisible.ALL:
            return deal.leftover.copy()
        case LeftoverVisible.TAKER:
            return deal.leftover.copy() if seat == deal.leftover_taker else []
        case LeftoverVisible.NEVER:
            return []


def seat_view(deal: Deal, seat: int) -> SeatView:
    """All that the seat knows of the deal."""
    return SeatView(
        start=deal_start(deal, seat),
        passed=passed(deal, seat),
        tricks=_complete_tricks(deal),
        leftover=tuple(leftover_seen(deal, seat)),
        leftover_taker=deal.leftover_taker,
        turn=turn(deal, seat),
    )


def spectator_view(deal: Deal) -> SpectatorView:
    """What everybody saw of the deal."""
    return SpectatorView(
        deal=deal.number,
        dealer=deal.dealer,
        pass_offset=deal.pass_offset,
        redeals=deal.redeals,
        phase=deal.phase,
        totals=deal.totals_before,
        tricks=_complete_tricks(deal),
        leader=deal.leader,
        trick=tuple(deal.trick),
        turn=deal.turn,
        hearts_broken=deal.hearts_broken,
        leftover=tuple(leftover_seen(deal, None)),
        leftover_taker=deal.leftover_taker,
        points=tuple(deal.points),
        moon=tuple(deal.moon),
    )


def _complete_tricks(deal: Deal) -> tuple[Trick, ...]:
    whole = len(deal.plays) - len(deal.trick)
    played = DealRecord(
        deal=deal.number,
        dealer=deal.dealer,
        pass_offset=deal.pass_offset,
        hands=(),
        opener=deal.opener,
        plays=tuple(deal.plays[:whole]),
    )
    return tuple(tricks_of(deal.rules, played))
