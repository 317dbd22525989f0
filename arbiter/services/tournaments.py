"""TournamentsService."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import Any, cast

import grpc.aio

from arbiter.matches import entrants
from arbiter.matches.advance import AdvanceResult, advance
from arbiter.matches.entrants import Entrant
from arbiter.matches.starting import start_if_ready
from arbiter.services import auth, fields, mapping
from arbiter.services import tournament_reports as reports
from arbiter.services.refusals import Refusal, missing, not_found, wrong_state
from arbiter.store import EntryAnswer, IdTaken, Store, TournamentRow, TournamentState
from arbiter.tournaments import wire
from arbiter.tournaments.history import Entry
from arbiter.tournaments.names import bot_of
from arbiter.tournaments.plan import OPEN
from arbiter.tournaments.spec import MAX_ENTRIES, Spec
from arbiter.tournaments.standings import Standing
from arbiter.tournaments.starting import next_due
from hearts.shuffle import new_secret
from hearts.v1 import errors_pb2, tournaments_pb2, tournaments_pb2_grpc

Context = grpc.aio.ServicerContext[Any, Any]
MAX_REASON = 200
_SCOPE = "tournaments"
_SLUG = 24
_TABLES_KEPT = 16
_DRAWS = 5
# Plans of up to some 30,000 matches are made within it.
_PATIENCE_S = 3.0

log = logging.getLogger(__name__)


class Tournaments(tournaments_pb2_grpc.TournamentsServiceServicer):
    """Plans, progress, standings."""

    def __init__(self, store: Store, trouble: Callable[[], str] = str) -> None:
        """`trouble`: what is wrong with the store, in words; "" when all is well."""
        self._store = store
        self._trouble = trouble
        # Standings by tournament and number of results: a look at a large one costs a second.
        self._planning: set[asyncio.Task[AdvanceResult]] = set()
        self._tables: OrderedDict[tuple[str, int, int, int], list[Standing]] = OrderedDict()

    async def CreateTournament(  # noqa: N802 - the name in the proto
        self, request: tournaments_pb2.CreateTournamentRequest, _context: Context
    ) -> tournaments_pb2.CreateTournamentResponse:
        """Check everything, write the tournament, plan its first matches."""
        request_id = fields.request_id(request.request_id)
        if not request.HasField("spec"):
            raise missing("spec")
        spec = wire.spec_from_wire(request.spec)
        spec.check()
        found = await self._entrants(spec)
        if not spec.start.cron:
            # Who plays is settled now; of a schedule, anew at each occurrence.
            spec = entrants.resolved(spec, found)
            spec.check()  # of "anna" and "anna@2" there may have become one
        row = await self._write(spec, request_id, found)
        # Also for a repeat: whoever made it may have died before its first wave.
        await start_if_ready(self._store, row)
        await self._advance(row.id)
        return tournaments_pb2.CreateTournamentResponse(tournament=await self._read(row.id))

    async def GetTournament(  # noqa: N802 - the name in the proto
        self, request: tournaments_pb2.GetTournamentRequest, _context: Context
    ) -> tournaments_pb2.GetTournamentResponse:
        """One tournament."""
        row = await self._row(request.name)
        return tournaments_pb2.GetTournamentResponse(tournament=await self._read(row.id))

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
        key = (row.id, row.done, row.waves, row.roster)
        table = self._tables.get(key)
        if table is None:
            table = await reports.table(self._store, row)
            self._tables[key] = table
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

    async def PlanTournament(  # noqa: N802 - the name in the proto
        self, request: tournaments_pb2.PlanTournamentRequest, _context: Context
    ) -> tournaments_pb2.PlanTournamentResponse:
        """A dry run."""
        if not request.HasField("spec"):
            raise missing("spec")
        spec = wire.spec_from_wire(request.spec)
        spec.check()
        return await reports.dry_run(self._store, spec)

    async def ExplainTournament(  # noqa: N802 - the name in the proto
        self, request: tournaments_pb2.ExplainTournamentRequest, _context: Context
    ) -> tournaments_pb2.ExplainTournamentResponse:
        """What it waits for."""
        row = await self._row(request.name)
        entries = await self._store.tournaments.entries(row.id)
        reply = await reports.explain(self._store, row, entries)
        if not row.over and (trouble := self._trouble()):
            reply.waits_for = "; ".join(filter(None, (reply.waits_for, trouble)))
        return reply

    async def ListRounds(  # noqa: N802 - the name in the proto
        self, request: tournaments_pb2.ListRoundsRequest, _context: Context
    ) -> tournaments_pb2.ListRoundsResponse:
        """The rounds so far."""
        row = await self._row(request.name)
        views = await reports.round_views(self._store, row)
        return tournaments_pb2.ListRoundsResponse(
            tournament=await self._read(row.id), rounds=[mapping.round_(view) for view in views]
        )

    async def PauseTournament(  # noqa: N802 - the name in the proto
        self, request: tournaments_pb2.PauseTournamentRequest, _context: Context
    ) -> tournaments_pb2.PauseTournamentResponse:
        """Begin no further matches."""
        row = await self._open_row(request.name)
        await self._store.tournaments.pause(row.id)
        return tournaments_pb2.PauseTournamentResponse(tournament=await self._read(row.id))

    async def ResumeTournament(  # noqa: N802 - the name in the proto
        self, request: tournaments_pb2.ResumeTournamentRequest, _context: Context
    ) -> tournaments_pb2.ResumeTournamentResponse:
        """Go on."""
        row = await self._open_row(request.name)
        if await self._store.tournaments.resume(row.id):
            await advance(self._store, row.id)
        return tournaments_pb2.ResumeTournamentResponse(tournament=await self._read(row.id))

    async def EnterTournament(  # noqa: N802 - the name in the proto
        self, request: tournaments_pb2.EnterTournamentRequest, _context: Context
    ) -> tournaments_pb2.EnterTournamentResponse:
        """Enter a bot; start the tournament when it was the last one waited for."""
        row = await self._open_row(request.name)
        [found] = await entrants.find(self._store, [fields.entry_id("bot", request.bot)])
        if not found.known:
            hint = "Register the bot first, or correct its name."
            raise not_found(f"bots/{found.asked}", hint)
        auth.require_owner(found.owner, request.bot)
        if found.absent:
            raise wrong_state(request.bot, f"{request.bot} {found.absent}", _NOT_FIT)
        spec = wire.decode(row.spec)
        if not found.hosted:
            spec.check_repeats([found.plays])
        late = spec.all_stages[0].format in OPEN
        bot = found.asked if spec.start.cron else found.plays
        bot = _entered(await self._store.tournaments.entries(row.id), bot) or bot
        answer = await self._store.tournaments.enter(
            row.id, bot, found.owner, late=late, most=_most(spec)
        )
        if reason := _NOT_ENTERED.get(answer):
            raise wrong_state(request.name, f"{request.name} {reason}")
        entered = await self._store.tournaments.get(row.id)
        if entered is not None and await start_if_ready(self._store, entered):
            await advance(self._store, row.id)
        return tournaments_pb2.EnterTournamentResponse(
            tournament=await self._read(row.id), entered=answer is EntryAnswer.ENTERED
        )

    async def WithdrawFromTournament(  # noqa: N802 - the name in the proto
        self, request: tournaments_pb2.WithdrawFromTournamentRequest, _context: Context
    ) -> tournaments_pb2.WithdrawFromTournamentResponse:
        """Take a bot out from the next round on."""
        row = await self._open_row(request.name)
        bot = fields.entry_id("bot", request.bot)
        known = await self._store.bots.get(bot_of(bot))
        auth.require_owner(known.owner if known else "", request.bot)
        bot = _entered(await self._store.tournaments.entries(row.id), bot) or bot
        answer = await self._store.tournaments.withdraw(row.id, bot)
        if answer is EntryAnswer.OVER:
            raise wrong_state(request.name, f"{request.name} is over")
        dropped = 0
        if answer in (EntryAnswer.WITHDRAWN, EntryAnswer.REPEATED):
            # Also for a repeat: whoever withdrew it may have died before this.
            dropped = await self._store.matches.drop(row.id, bot)
            await advance(self._store, row.id)
        return tournaments_pb2.WithdrawFromTournamentResponse(
            tournament=await self._read(row.id),
            withdrawn=answer is EntryAnswer.WITHDRAWN,
            matches_dropped=dropped,
        )

    async def _advance(self, identifier: str) -> None:
        """Plan what is next; a large plan goes on while the caller has its answer."""
        task = asyncio.create_task(advance(self._store, identifier))
        self._planning.add(task)
        task.add_done_callback(self._planned)
        await asyncio.wait({task}, timeout=_PATIENCE_S)
        if task.done():
            task.result()

    def _planned(self, task: asyncio.Task[AdvanceResult]) -> None:
        self._planning.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.warning("a plan is left to the sweep: %s", error)

    async def _open_row(self, name: str) -> TournamentRow:
        """One that is not over; raises a Refusal otherwise."""
        row = await self._row(name)
        if row.over:
            raise wrong_state(name, f"{name} is over: {row.state}")
        return row

    async def _entrants(self, spec: Spec) -> list[Entrant]:
        """Who plays for the spec's entries. Raises a Refusal when some cannot."""
        found = await entrants.find(self._store, spec.entries)
        if unknown := [f"bots/{each.asked}" for each in found if not each.known]:
            names = ", ".join(unknown)
            raise Refusal(
                errors_pb2.ERROR_REASON_NOT_FOUND,
                f"spec.entries: not registered: {names}",
                subject="spec.entries",
                value=names,
                hint="Register them first, or correct their names.",
            )
        if absent := [f"bots/{each.asked} {each.absent}" for each in found if each.absent]:
            raise wrong_state("spec.entries", f"spec.entries: {'; '.join(absent)}", _NOT_FIT)
        spec.check_repeats(each.plays for each in found if not each.hosted)
        return found

    async def _write(self, spec: Spec, request_id: str, found: Sequence[Entrant]) -> TournamentRow:
        secret = bytes.fromhex(spec.secret) if spec.secret else new_secret()
        now = await self._store.tournaments.now_ms()
        row = TournamentRow(
            id="",
            spec=wire.encode(spec),
            secret=secret,
            rated=spec.rated,
            state=TournamentState.SCHEDULED if spec.start.given else TournamentState.RUNNING,
            due_ms=next_due(spec.start, now) or 0,
        )
        if spec.start.cron:
            entries = [Entry(each.asked, each.owner) for each in found]
        else:
            entries = entrants.entries(found)
        for _ in range(_DRAWS):
            row = replace(row, id=_id(spec.title))
            # An id is taken once in 16 million: draw another.
            with suppress(IdTaken):
                return (await self._store.tournaments.create(row, request_id, entries))[0]
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
        return mapping.tournament(row, await self._store.tournaments.entries(identifier))


_NOT_ENTERED = {
    EntryAnswer.OVER: "is over",
    EntryAnswer.CLOSED: "has begun and takes no entries any more",
    EntryAnswer.FULL: "has all the bots it may have",
    EntryAnswer.WITHDRAWN: "is one that this bot has withdrawn from, for good",
}


_NOT_FIT = "`hearts bots versions NAME` shows which versions there are, and why."


def _entered(entries: Sequence[Entry], bot: str) -> str:
    """Under which name a bot is in it already, whatever version of it was asked for; "" if not."""
    own = [entry for entry in entries if entry.bot == bot]
    of_bot = [entry for entry in entries if bot_of(entry.bot) == bot_of(bot)]
    ranked = sorted((*own, *of_bot), key=lambda entry: entry.left is not None)
    return ranked[0].bot if ranked else ""


def _most(spec: Spec) -> int:
    """How many bots may be entered."""
    return 2 if spec.is_versus else MAX_ENTRIES


def _id(title: str) -> str:
    """A new id: a few words of the title, for people, and some chance."""
    words = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:_SLUG].strip("-")
    return f"{words or 'tournament'}-{secrets.token_hex(3)}"
