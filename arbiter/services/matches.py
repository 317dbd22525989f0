"""MatchesService."""

from __future__ import annotations

from typing import Any

import grpc.aio

from arbiter.matches.runner import Runner
from arbiter.services import fields, mapping
from arbiter.services.refusals import Refusal, bad_value, not_found, wrong_state
from arbiter.services.spectators import Gallery, open_siblings
from arbiter.store import MatchRow, MatchState, Store, TournamentRow
from hearts import fairness
from hearts.v1 import errors_pb2, matches_pb2, matches_pb2_grpc
from hearts.wire import record_from_wire

Context = grpc.aio.ServicerContext[Any, Any]
_RETRY_MS = 1000


class Matches(matches_pb2_grpc.MatchesServiceServicer):
    """Matches, finished and running."""

    def __init__(self, store: Store, runner: Runner) -> None:
        self._store = store
        self._gallery = Gallery(store, runner)

    async def GetMatch(  # noqa: N802 - the name in the proto
        self, request: matches_pb2.GetMatchRequest, _context: Context
    ) -> matches_pb2.GetMatchResponse:
        """One match."""
        row = await self._row(request.name)
        tournament = await self._tournament(row.plan.tournament)
        return matches_pb2.GetMatchResponse(match=mapping.match(row, tournament.secret))

    async def ListMatches(  # noqa: N802 - the name in the proto
        self, request: matches_pb2.ListMatchesRequest, _context: Context
    ) -> matches_pb2.ListMatchesResponse:
        """A tournament's matches, in canonical order."""
        tournament = fields.tournament_id("tournament", request.tournament)
        bot = fields.entry_id("bot", request.bot) if request.bot else None
        state = _state(request.state)
        size = fields.page_size(request.page_size)
        scope = f"matches/{tournament}/{bot or ''}/{state or ''}"
        after = fields.page_cursor(scope, request.page_token)
        secret = (await self._tournament(tournament)).secret
        rows = await self._store.matches.list(
            tournament, bot=bot, state=state, after=after or None, limit=size + 1
        )
        page = rows[:size]
        more = len(rows) > size
        return matches_pb2.ListMatchesResponse(
            matches=[mapping.match(row, secret) for row in page],
            next_page_token=fields.page_token(scope, page[-1].plan.id) if more else "",
        )

    async def GetMatchRecord(  # noqa: N802 - the name in the proto
        self, request: matches_pb2.GetMatchRecordRequest, _context: Context
    ) -> matches_pb2.GetMatchRecordResponse:
        """A match as it was played, once nobody can profit from it."""
        row = await self._row(request.name)
        record = await self._store.matches.record(row.plan.id)
        if record is None:
            raise not_found(request.name, f"The match is {row.state}: it has no record (yet).")
        await self._check_block_is_over(row)
        if await self._store.matches.is_damaged(row.plan.tournament, row.plan.id):
            raise Refusal(
                errors_pb2.ERROR_REASON_INTERNAL,
                "the store's result and record are not what was committed",
                subject=f"matches/{row.plan.id}",
                hint="The data was altered from outside: restore a backup.",
            )
        tournament = await self._tournament(row.plan.tournament)
        made = mapping.record(record)
        seeds = fairness.seeds_of(record_from_wire(made), tournament.secret)
        return matches_pb2.GetMatchRecordResponse(
            record=made,
            seeds=[matches_pb2.BoardSeed(purpose=p, seed=seed) for p, seed in seeds.items()],
        )

    async def WatchMatch(  # noqa: N802 - the name in the proto
        self, request: matches_pb2.WatchMatchRequest, context: Context
    ) -> None:
        """A match as the whole table sees it, to its end."""
        await self._gallery.watch(fields.match_id("name", request.name), request, context)

    async def _row(self, name: str) -> MatchRow:
        row = await self._store.matches.get(fields.match_id("name", name))
        if row is None:
            raise not_found(name)
        return row

    async def _tournament(self, tournament_id: str) -> TournamentRow:
        row = await self._store.tournaments.get(tournament_id)
        if row is None:
            raise not_found(f"tournaments/{tournament_id}")
        return row

    async def _check_block_is_over(self, row: MatchRow) -> None:
        """Refuse while the board is still to be played in another rotation: the record shows every
        hand of it."""
        still_open = await open_siblings(self._store, row)
        if still_open:
            raise wrong_state(
                f"matches/{row.plan.id}",
                "the record shows a board that is still to be played in other rotations: "
                f"{len(still_open)} of {len(row.plan.seats)} are not over",
                "Ask again when all rotations of this board are over, or the tournament is.",
                _RETRY_MS,
            )


def _state(number: matches_pb2.MatchState) -> MatchState | None:
    if not number:
        return None
    state = mapping.MATCH_STATES_FROM_WIRE.get(number)
    if state is None:
        raise bad_value("state", number, "there is no such state", [s.value for s in MatchState])
    return state
