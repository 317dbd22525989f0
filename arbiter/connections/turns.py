"""Decisions as one seat may know them: the bodies of Turn events, as bytes.

With `events` the allow-list of what leaves the arbiter. Nearly all that is ever sent are PLAY
turns, so their bytes are put together (see `pieces`), and what turns share is encoded once a deal
or once a trick.
"""

# The numbers of cards and phases are the wire's own; its stubs want their enums.
# mypy: disable-error-code="arg-type, assignment"

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arbiter.connections.pieces import VARINT, Wire, cards, field, key
from hearts.deal import Phase
from hearts.shuffle import seed_offset
from hearts.v1 import play_pb2

if TYPE_CHECKING:
    from arbiter.tables.table import Table
    from hearts.deal import Deal

_PLAY: Final = Phase.PLAY
_TURN: Final = key(play_pb2.Event, "turn", Wire.LENGTH)
_DECISION: Final = key(play_pb2.Turn, "decision")
_PHASE_PLAY: Final = key(play_pb2.Turn, "phase") + VARINT[_PLAY]
_TIME_LEFT: Final = key(play_pb2.Turn, "time_left_ms")
_BANK_LEFT: Final = key(play_pb2.Turn, "bank_left_ms")
_HAND: Final = key(play_pb2.Turn, "hand", Wire.LENGTH)
_LEGAL: Final = key(play_pb2.Turn, "legal", Wire.LENGTH)
_LEADER: Final = key(play_pb2.Turn, "leader")
_TRICK: Final = key(play_pb2.Turn, "trick", Wire.LENGTH)
_LAST_TRICK: Final = key(play_pb2.Turn, "last_trick", Wire.LENGTH)
_LAST_LEADER: Final = key(play_pb2.Turn, "last_leader")
_NUMBER: Final = key(play_pb2.Turn, "trick_number")
_BROKEN: Final = key(play_pb2.Turn, "hearts_broken") + VARINT[1]
_SEED: Final = key(play_pb2.Turn, "seed", Wire.FIXED64)


class Turns:
    """Makes the turns of one deal, for any seat."""

    __slots__ = (
        "_end",
        "_fresh",
        "_last",
        "_leader",
        "_number",
        "_seed_at",
        "_seeds",
        "_table",
        "deal",
    )

    def __init__(self, table: Table) -> None:
        self._table = table
        self.deal = deal = table.game.deal
        board = table.setup.board
        self._seeds = [board.turn_seeds(seat, deal.number) for seat in range(len(table.seats))]
        self._end = play_pb2.Turn(totals=deal.totals_before).SerializeToString() + _SEED
        self._fresh = field(_TIME_LEFT, table.budget.decision_ms)
        self._number = self._seed_at = 0
        self._leader = self._last = b""

    def turn(self, seat: int, now: float) -> bytes:
        """The seat's open decision."""
        deal = self.deal
        if deal.phase is not _PLAY:
            return self._rare(seat, now)
        state = self._table.seats[seat]
        if deal.trick_number != self._number:
            self._next_trick(deal)
        hand = bytes(deal.hand(seat))
        legal = bytes(deal.legal())
        trick = deal.trick
        at = self._seed_at
        body = b"".join(
            (
                _DECISION,
                VARINT[state.open],
                _PHASE_PLAY,
                self._fresh
                if state.asked_at < 0
                else field(_TIME_LEFT, state.time_left_ms(now, self._table.budget)),
                field(_BANK_LEFT, int(state.bank * 1000)) if state.bank else b"",
                _HAND,
                VARINT[len(hand)],
                hand,
                _LEGAL,
                VARINT[len(legal)],
                legal,
                self._leader,
                cards(_TRICK, trick) if trick else b"",
                self._last,
                _BROKEN if deal.hearts_broken else b"",
                self._end,
                self._seeds[seat][at : at - 8 : -1],
            )
        )
        return b"".join((_TURN, VARINT[len(body)], body))

    def _next_trick(self, deal: Deal) -> None:
        """What all turns of a trick share."""
        self._number = number = deal.trick_number
        self._leader = field(_LEADER, deal.leader)
        self._last = field(_NUMBER, number)
        if number > 1:
            last = field(_LAST_LEADER, deal.last_leader) + cards(_LAST_TRICK, deal.last_trick)
            self._last = last + self._last
        # The document has the seed's first byte first, the wire its last.
        self._seed_at = seed_offset(_PLAY, number) + 7

    def _rare(self, seat: int, now: float) -> bytes:
        """What to pass, or who scores the moon."""
        table, deal = self._table, self.deal
        state = table.seats[seat]
        event = play_pb2.Event()
        turn = event.turn
        turn.decision = state.open
        turn.phase = deal.phase
        turn.time_left_ms = state.time_left_ms(now, table.budget)
        turn.bank_left_ms = int(state.bank * 1000)
        turn.hand.extend(deal.hand(seat))
        turn.totals.extend(deal.totals_before)
        at = seed_offset(deal.phase, 0)
        turn.seed = int.from_bytes(self._seeds[seat][at : at + 8], "big")
        if deal.phase is Phase.PASS:
            turn.pass_count = table.setup.rules.pass_count
            turn.pass_offset = deal.pass_offset
        else:
            others, own = deal.moon_totals()
            turn.totals_if_others.extend(others)
            turn.totals_if_self.extend(own)
        return event.SerializeToString()
