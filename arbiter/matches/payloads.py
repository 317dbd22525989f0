"""What an attempt reads from the store and writes to it, as bytes."""

from __future__ import annotations

import hmac
import zlib
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from arbiter.tables.setup import Memory, SeatMemory, Setup
from arbiter.tournaments import wire as tournament_wire
from hearts import wire
from hearts.record import Verdict
from hearts.shuffle import Board
from hearts.v1 import arbiter_pb2, matches_pb2, play_pb2, records_pb2

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arbiter.store import MatchRow, TournamentRow
    from arbiter.tournaments.spec import Spec
    from hearts.record import DealRecord, MatchRecord
    from hearts.result import MatchResult


_CHECKPOINT_DEALS = arbiter_pb2.Checkpoint.DESCRIPTOR.fields_by_name["deals"].number
_RECORD_DEALS = records_pb2.MatchRecord.DESCRIPTOR.fields_by_name["deals"].number


@lru_cache(maxsize=64)
def _spec(data: bytes) -> Spec:
    return tournament_wire.decode(data)


def setup(row: MatchRow, tournament: TournamentRow) -> Setup:
    """All that defines the match."""
    spec = _spec(tournament.spec)
    plan = row.plan
    return Setup(
        match=plan.id,
        tag=match_tag(tournament.secret, plan.id),
        tournament=plan.tournament,
        rules=spec.rules,
        limits=spec.clock,
        board=Board(tournament.secret, plan.board),
        rotation=plan.rotation,
        deals=spec.deals or None,
        seats=plan.seats,
    )


def match_tag(secret: bytes, match: str) -> str:
    """The name under which a bot is told of the match: it gives away neither board nor rotation,
    and whoever may see the match may look it up."""
    return hmac.digest(secret, f"match {match}".encode(), "sha256").hex()[:16]


def pool(tournament: TournamentRow) -> str | None:
    """The rating pool the match counts for; None: unrated."""
    return _spec(tournament.spec).pool if tournament.rated else None


class PackedDeals:
    """The finished deals of one attempt as bytes, each made once: it stands in every checkpoint
    after it, and in the record."""

    __slots__ = ("_made",)

    def __init__(self) -> None:
        self._made: list[tuple[DealRecord, bytes]] = []

    def field(self, number: int, deals: Sequence[DealRecord]) -> bytes:
        """These deals as the field of that number of any message."""
        made = self._made
        for at, deal in enumerate(deals):
            if at == len(made) or made[at][0] is not deal:
                data = wire.deal_to_wire(deal).SerializeToString(deterministic=True)
                made[at:] = [(deal, _varint(len(data)) + data)]
        tag = bytes((number << 3 | 2,))
        return b"".join([tag + data for _, data in made[: len(deals)]])


def _varint(value: int) -> bytes:
    """As protobuf writes lengths."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def record(match: MatchRecord, packed: PackedDeals | None = None) -> bytes:
    """The record, packed: a MatchRecord message, deflated. `packed`: the attempt's deals."""
    if packed is None:
        return zlib.compress(wire.record_to_wire(match).SerializeToString(deterministic=True), 6)
    frame = wire.record_to_wire(replace(match, deals=())).SerializeToString(deterministic=True)
    return zlib.compress(frame + packed.field(_RECORD_DEALS, match.deals), 6)


def read_record(data: bytes) -> records_pb2.MatchRecord:
    """The message in a packed record."""
    return records_pb2.MatchRecord.FromString(zlib.decompress(data))


def result(match: MatchResult) -> bytes:
    """The result, as a MatchResult message."""
    return wire.result_to_wire(match).SerializeToString(deterministic=True)


def read_result(data: bytes) -> matches_pb2.MatchResult:
    """The message in a stored result."""
    return matches_pb2.MatchResult.FromString(data)


def checkpoint(memory: Memory, packed: PackedDeals | None = None) -> bytes:
    """A checkpoint: a Checkpoint message, deflated. `packed`: the attempt's deals."""
    message = arbiter_pb2.Checkpoint(
        seats=[
            arbiter_pb2.SeatCheckpoint(
                bank_ms=seat.bank_ms,
                strikes=seat.strikes,
                retired=play_pb2.Verdict.Name(seat.retired or 0),
            )
            for seat in memory.seats
        ],
    )
    deals = (packed or PackedDeals()).field(_CHECKPOINT_DEALS, memory.deals)
    return zlib.compress(deals + message.SerializeToString(deterministic=True), 6)


def memory(data: bytes | None) -> Memory | None:
    """Where the next attempt continues; None: from the beginning."""
    if not data:
        return None
    message = arbiter_pb2.Checkpoint.FromString(zlib.decompress(data))
    return Memory(
        tuple(wire.deal_from_wire(deal) for deal in message.deals),
        tuple(
            SeatMemory(seat.bank_ms, seat.strikes, Verdict(seat.retired) if seat.retired else None)
            for seat in message.seats
        ),
    )
