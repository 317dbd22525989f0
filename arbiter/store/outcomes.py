"""Stored results as the ratings read them."""

from __future__ import annotations

from google.protobuf.message import DecodeError

from arbiter.ratings.evidence import Outcome, Seat
from arbiter.tournaments.matchplan import MatchPlan
from arbiter.tournaments.spec import Spec
from hearts.v1 import matches_pb2


def outcome(plan: MatchPlan, result: bytes, spec: Spec) -> Outcome:
    """The outcome of a match from its stored MatchResult. The board's number is the first index
    into the rule set's cycle of passes."""
    message = matches_pb2.MatchResult.FromString(result)
    return Outcome(
        block=plan.block,
        rotations=spec.rotations,
        bots=plan.seats,
        deals=tuple(tuple(deal.points) for deal in message.deals),
        void=message.void_block,
        passes=tuple(
            spec.rules.passes(plan.board + at) % spec.rules.players
            for at in range(len(message.deals))
        ),
        seats=tuple(
            Seat(
                place=seat.place_times_two / 2,
                moons=seat.moons,
                timeouts=seat.timeouts,
                illegal=seat.illegal + seat.malformed,
                decisions=seat.decisions,
            )
            for seat in message.seats
        ),
    )


def lateness(result: bytes) -> tuple[int, int]:
    """Of a stored MatchResult: decisions lost to the clock, and decisions asked. What is no such
    message has none."""
    try:
        seats = matches_pb2.MatchResult.FromString(result).seats
    except DecodeError:
        return 0, 0
    return sum(seat.timeouts for seat in seats), sum(seat.decisions for seat in seats)
