"""From the store's rows to messages. Ids become resource names here."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, cast

from google.protobuf import timestamp_pb2

from arbiter.matches import payloads
from arbiter.store import BotRow, MatchRow, MatchState, TournamentRow, TournamentState
from arbiter.tournaments.bracket import RoundView
from arbiter.tournaments.history import Entry
from arbiter.tournaments.standings import Standing
from arbiter.tournaments.wire import FORMATS_TO_WIRE
from hearts.v1 import bots_pb2, matches_pb2, records_pb2, tournaments_pb2

_TOURNAMENT_STATES = {
    TournamentState.SCHEDULED: tournaments_pb2.TOURNAMENT_STATE_SCHEDULED,
    TournamentState.PAUSED: tournaments_pb2.TOURNAMENT_STATE_PAUSED,
    TournamentState.RUNNING: tournaments_pb2.TOURNAMENT_STATE_RUNNING,
    TournamentState.FINISHED: tournaments_pb2.TOURNAMENT_STATE_FINISHED,
    TournamentState.CANCELLED: tournaments_pb2.TOURNAMENT_STATE_CANCELLED,
}
_MATCH_STATES = {
    MatchState.READY: matches_pb2.MATCH_STATE_READY,
    MatchState.RUNNING: matches_pb2.MATCH_STATE_RUNNING,
    MatchState.DONE: matches_pb2.MATCH_STATE_DONE,
    MatchState.FAILED_INFRA: matches_pb2.MATCH_STATE_FAILED_INFRA,
    MatchState.CANCELLED: matches_pb2.MATCH_STATE_CANCELLED,
}
MATCH_STATES_FROM_WIRE = {number: state for state, number in _MATCH_STATES.items()}


def bot(row: BotRow) -> bots_pb2.Bot:
    """A registered bot."""
    return bots_pb2.Bot(
        name=f"bots/{row.name}",
        house=row.house,
        description=row.description,
        create_time=time(row.create_ms),
        online=row.online,
        sdk=row.sdk,
    )


def tournament(
    row: TournamentRow, entries: Sequence[Entry] | None = None
) -> tournaments_pb2.Tournament:
    """A tournament; its secret only when nothing more can be dealt from it. `entries`: who is or
    was in it, where that is known."""
    return tournaments_pb2.Tournament(
        name=f"tournaments/{row.id}",
        spec=tournaments_pb2.TournamentSpec.FromString(row.spec),
        state=_TOURNAMENT_STATES[row.state],
        reason=row.reason,
        matches_planned=row.planned,
        matches_done=row.done,
        matches_failed=row.failed,
        matches_running=row.running,
        deals_done=row.deals_done,
        create_time=time(row.create_ms),
        finish_time=time(row.finish_ms),
        commitment=sha256(row.secret).hexdigest(),
        revealed_secret=row.secret.hex() if row.over else "",
        rated=row.rated,
        entries=[f"bots/{entry.bot}" for entry in entries or () if entry.left is None],
        entered=row.entered,
        start_time=time(row.due_ms),
        series=f"tournaments/{row.series}" if row.series else "",
        waves=row.waves,
        matches_dropped=row.dropped,
    )


def round_(view: RoundView) -> tournaments_pb2.Round:
    """A round with its tables."""
    return tournaments_pb2.Round(
        stage=view.stage,
        round=view.round,
        format=cast("Any", FORMATS_TO_WIRE[view.format]),
        tables=[
            tournaments_pb2.RoundTable(
                table=number,
                bots=[f"bots/{bot}" for bot in table.bots],
                points=table.points,
                matches=table.matches,
                matches_done=table.done,
                going_on=[f"bots/{bot}" for bot in table.going_on],
            )
            for number, table in enumerate(view.tables, start=1)
        ],
        sit_outs=[f"bots/{bot}" for bot in view.sit_outs],
    )


def match_state(state: MatchState) -> matches_pb2.MatchState:
    """A state on the wire."""
    return _MATCH_STATES[state]


def match(row: MatchRow, secret: bytes) -> matches_pb2.Match:
    """A match with its result, if it has one. `secret`: its tournament's."""
    plan = row.plan
    return matches_pb2.Match(
        name=f"matches/{plan.id}",
        tournament=f"tournaments/{plan.tournament}",
        stage=plan.stage,
        round=plan.round,
        table=plan.table,
        board=plan.board,
        rotation=plan.rotation,
        seats=[f"bots/{seat}" for seat in plan.seats],
        state=_MATCH_STATES[row.state],
        attempts=row.attempts,
        failed_attempts=row.failures,
        last_failure=row.last_failure,
        result=None if row.result is None else _result(row.result, plan.seats),
        finish_time=time(row.finish_ms),
        tag=payloads.match_tag(secret, plan.id),
    )


def record(data: bytes) -> records_pb2.MatchRecord:
    """A stored record; its match, tournament and bots by their resource names."""
    message = payloads.read_record(data)
    message.match = f"matches/{message.match}"
    message.tournament = f"tournaments/{message.tournament}"
    message.seats[:] = [f"bots/{bot_id}" for bot_id in message.seats]
    return message


def _result(data: bytes, seats: Sequence[str]) -> matches_pb2.MatchResult:
    """The stored result; its bots by their resource names, as everywhere on the wire."""
    message = matches_pb2.MatchResult.FromString(data)
    for seat, bot_id in zip(message.seats, seats, strict=True):
        seat.bot = f"bots/{bot_id}"
    return message


def standing(line: Standing) -> tournaments_pb2.Standing:
    """One line of the standings. Without a counted deal the figures are 0, as `deals` is."""
    return tournaments_pb2.Standing(
        place=line.place,
        bot=f"bots/{line.bot}",
        points_per_deal=line.points_per_deal or 0.0,
        standard_error=line.standard_error,
        deals=line.deals,
        matches=line.matches,
        mean_place=line.mean_place or 0.0,
        wins=line.wins,
        moons=line.moons,
        timeouts=line.timeouts,
        illegal=line.illegal,
        malformed=line.malformed,
        crashes=line.crashes,
        no_shows=line.no_shows,
        boards=line.boards,
    )


def time(milliseconds: int) -> timestamp_pb2.Timestamp | None:
    """A time of the store; None for not yet."""
    if not milliseconds:
        return None
    stamp = timestamp_pb2.Timestamp()
    stamp.FromMilliseconds(milliseconds)
    return stamp
