"""TournamentsService."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections import OrderedDict
from contextlib import aclosing, suppress
from typing import Any, cast

import grpc.aio

from arbiter.matches.advance import advance
from arbiter.services import fields, mapping
from arbiter.services.refusals import Refusal, missing, not_found, wrong_state
from arbiter.store import IdTaken, MatchPlan, Store, TournamentRow, TournamentState
from arbiter.tournaments import wire
from arbiter.tournaments.spec import Spec
from arbiter.tournaments.standings import Standing, standings
from hearts.shuffle import new_secret
from hearts.v1 import errors_pb2, matches_pb2, tournaments_pb2, tournaments_pb2_grpc
from hearts.wire import result_from_wire

Context = grpc.aio.ServicerContext[Any, Any]
MAX_REASON = 200
_SCOPE = "tournaments"
_SLUG = 24
_TABLES_KEPT = 16
_DRAWS = 5


class Tournaments(tournaments_pb2_grpc.TournamentsServiceServicer):
    """Plans, progress, standings."""

    def __init__(self, store: Store) -> None:
        self._store = store
        # Standings by tournament and number of results: a look at a large one costs a second.
        self._tables: OrderedDict[tuple[str, int], list[Standing]] = OrderedDict()

    async def CreateTournament(  # noqa: N802 - the name in the proto
        self, request: tournaments_pb2.CreateTournamentRequest, _context: Context
    ) -> tournaments_pb2.CreateTournamentResponse:
        """Check everything, write the tournament, plan its first matches."""
        request_id = fields.request_id(request.request_id)
        if not request.HasField("spec"):
            raise missing("spec")
        spec = wire.spec_from_wire(request.spec)
        spec.check()
        await self._check_entries(spec)
        row = await self._write(spec, request_id)
        # Also for a repeat: whoever made it may have died before its first wave.
        await advance(self._store, row.id)
        return tournaments_pb2.CreateTournamentResponse(tournament=await self._read(row.id))

    async def GetTournament(  # noqa: N802 - the name in the proto
        self, request: tournaments_pb2.GetTournamentRequest, _context: Context
    ) -> tournaments_pb2.GetTournamentResponse:
        """One tournament."""
        row = await self._row(request.name)
        return tournaments_pb2.GetTournamentResponse(tournament=mapping.tournament(row))

    async def ListTournaments(  # noqa: N802 - the name in the proto
        self, request: tournaments_pb2.ListTournamentsRequest, _context: Context
    ) -> tournaments_pb2.ListTournamentsResponse:
        """All tournaments, newest first."""
        size = fields.page_size(request.page_size)
        before = fields.page_cursor(_SCOPE, request.page_token)
        rows = await self._store.tournaments.list(before, size + 1)
        page = rows[:size]
        return tournaments_pb2.ListTournamentsResponse(
            tournaments=[mapping.tournament(row) for row in page],
            next_page_token=fields.page_token(_SCOPE, page[-1].id) if len(rows) > size else "",
        )

    async def GetStandings(  # noqa: N802 - the name in the proto
        self, request: tournaments_pb2.GetStandingsRequest, _context: Context
    ) -> tournaments_pb2.GetStandingsResponse:
        """The standings from the results so far."""
        row = await self._row(request.name)
        key = (row.id, row.done)
        table = self._tables.get(key)
        if table is None:
            results = await self._store.matches.results(row.id)
            # Not on the loop that referees: it takes a second for 50,000 results.
            table = await asyncio.to_thread(_standings, wire.decode(row.spec), results)
            self._tables[(row.id, len(results))] = table
            while len(self._tables) > _TABLES_KEPT:
                self._tables.popitem(last=False)
        return tournaments_pb2.GetStandingsResponse(
            tournament=mapping.tournament(row), standings=[mapping.standing(line) for line in table]
        )

    async def WatchTournament(  # noqa: N802 - the name in the proto
        self, request: tournaments_pb2.WatchTournamentRequest, context: Context
    ) -> None:
        """The state now and after each change."""
        row = await self._row(request.name)
        rows = self._store.tournaments.watch(row.id)
        async with aclosing(cast("Any", rows)):
            async for row in rows:
                await context.write(
                    tournaments_pb2.WatchTournamentResponse(tournament=mapping.tournament(row))
                )

    async def CancelTournament(  # noqa: N802 - the name in the proto
        self, request: tournaments_pb2.CancelTournamentRequest, _context: Context
    ) -> tournaments_pb2.CancelTournamentResponse:
        """Stop a tournament; finished matches stay."""
        reason = fields.line("reason", request.reason, MAX_REASON)
        row = await self._row(request.name)
        ended = await self._store.tournaments.cancel(row.id, reason or "cancelled")
        if ended is None:
            raise not_found(request.name)
        if ended.state is TournamentState.FINISHED:
            raise wrong_state(request.name, f"{request.name} is already finished")
        return tournaments_pb2.CancelTournamentResponse(tournament=mapping.tournament(ended))

    async def _check_entries(self, spec: Spec) -> None:
        rows = await self._store.bots.get_many(spec.entries)
        unknown = [name for name, row in zip(spec.entries, rows, strict=True) if row is None]
        if unknown:
            names = ", ".join(f"bots/{name}" for name in unknown)
            raise Refusal(
                errors_pb2.ERROR_REASON_NOT_FOUND,
                f"spec.entries: not registered: {names}",
                subject="spec.entries",
                value=names,
                hint="Register them first, or correct their names.",
            )
        spec.check_repeats(row.name for row in rows if row is not None and not row.house)

    async def _write(self, spec: Spec, request_id: str) -> TournamentRow:
        secret = bytes.fromhex(spec.secret) if spec.secret else new_secret()
        stored = wire.encode(spec)
        for _ in range(_DRAWS):
            row = TournamentRow(id=_id(spec.title), spec=stored, secret=secret, rated=spec.rated)
            # An id is taken once in 16 million: draw another.
            with suppress(IdTaken):
                return (await self._store.tournaments.create(row, request_id))[0]
        raise IdTaken(f"no free id for {spec.title!r}")

    async def _row(self, name: str) -> TournamentRow:
        row = await self._store.tournaments.get(fields.tournament_id("name", name))
        if row is None:
            raise not_found(name)
        return row

    async def _read(self, identifier: str) -> tournaments_pb2.Tournament:
        row = await self._store.tournaments.get(identifier)
        if row is None:
            raise not_found(f"tournaments/{identifier}")
        return mapping.tournament(row)


def _id(title: str) -> str:
    """A new id: a few words of the title, for people, and some chance."""
    words = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:_SLUG].strip("-")
    return f"{words or 'tournament'}-{secrets.token_hex(3)}"


def _standings(spec: Spec, results: list[tuple[MatchPlan, bytes]]) -> list[Standing]:
    return standings(
        spec,
        [
            (plan, result_from_wire(matches_pb2.MatchResult.FromString(data)))
            for plan, data in results
        ],
    )
