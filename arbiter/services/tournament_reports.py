"""What a tournament waits for, how it stands, and what it would be: read from the store, written
nowhere."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from arbiter.matches import entrants
from arbiter.matches.advance import read_history
from arbiter.matches.statistics import Ratings
from arbiter.matches.stuck import is_stuck
from arbiter.services import mapping
from arbiter.store import (
    MatchPlan,
    MatchRow,
    MatchState,
    Store,
    TournamentRow,
    TournamentState,
    VersionKind,
)
from arbiter.tournaments import wire
from arbiter.tournaments.bracket import RoundView, rounds
from arbiter.tournaments.history import Entry, History
from arbiter.tournaments.names import is_house
from arbiter.tournaments.plan import final_order, situation
from arbiter.tournaments.rehearsal import rehearse
from arbiter.tournaments.spec import Spec
from arbiter.tournaments.stage import Format
from arbiter.tournaments.standings import Standing, standings
from arbiter.tournaments.starting import next_due
from hearts.v1 import matches_pb2, tournaments_pb2
from hearts.wire import result_from_wire

MAX_BLOCKERS = 20
_RECENT = 10
_FEW_DEALS = 100


async def table(store: Store, row: TournamentRow) -> list[Standing]:
    """The standings from the results so far."""
    results = await store.matches.results(row.id)
    entries = await store.tournaments.entries(row.id)
    spec = wire.decode(row.spec)
    history = None
    if any(stage.format is not Format.ROUND_ROBIN for stage in spec.all_stages):
        history = await read_history(store, row, spec, entries)
    # Not on the loop that referees: it takes a second for 50,000 results.
    return await asyncio.to_thread(_table, spec, results, entries, history)


def _table(
    spec: Spec,
    results: list[tuple[MatchPlan, bytes]],
    entries: Sequence[Entry],
    history: History | None,
) -> list[Standing]:
    found = [
        (plan, result_from_wire(matches_pb2.MatchResult.FromString(data))) for plan, data in results
    ]
    order = final_order(spec, history, Ratings()) if history is not None and found else None
    bots = [entry.bot for entry in entries] or None
    return standings(spec, found, bots, order)


async def round_views(store: Store, row: TournamentRow) -> list[RoundView]:
    """The rounds so far."""
    spec = wire.decode(row.spec)
    entries = await store.tournaments.entries(row.id)
    history = await read_history(store, row, spec, entries, everything=True)
    return await asyncio.to_thread(rounds, spec, history, Ratings())


async def dry_run(store: Store, spec: Spec) -> tournaments_pb2.PlanTournamentResponse:
    """What would be played."""
    paper = await asyncio.to_thread(rehearse, spec)
    found = await entrants.find(store, spec.entries)
    now = await store.tournaments.now_ms()
    return tournaments_pb2.PlanTournamentResponse(
        spec=wire.spec_to_wire(spec),
        first_round=tournaments_pb2.Round(
            stage=1,
            round=1,
            format=wire.spec_to_wire(spec).format,
            tables=[
                tournaments_pb2.RoundTable(table=number, bots=[f"bots/{bot}" for bot in bots])
                for number, bots in enumerate(paper.tables, start=1)
            ],
            sit_outs=[f"bots/{bot}" for bot in paper.sit_outs],
        ),
        rounds=paper.rounds,
        matches=paper.matches,
        deals=paper.matches * spec.deals,
        exact=paper.exact,
        unknown=[f"bots/{each.asked}" for each in found if each.absent],
        start_time=mapping.time(next_due(spec.start, now) or 0),
        deals_per_second=await _speed(store),
    )


async def _speed(store: Store) -> float:
    """Deals a second in the fastest of the tournaments finished last; 0.0 for none."""
    speeds = [
        row.deals_done * 1000 / max(1, row.finish_ms - row.create_ms)
        for row in await store.tournaments.list(limit=_RECENT)
        if row.state is TournamentState.FINISHED and row.deals_done >= _FEW_DEALS
    ]
    return round(max(speeds, default=0.0), 1)


async def explain(
    store: Store, row: TournamentRow, entries: Sequence[Entry]
) -> tournaments_pb2.ExplainTournamentResponse:
    """What the next round or the end waits for (UX07, UX09)."""
    spec = wire.decode(row.spec)
    reply = tournaments_pb2.ExplainTournamentResponse(
        tournament=mapping.tournament(row, entries), waits_for=_waits_for(row, spec)
    )
    if row.active and not row.settled:
        running = await store.matches.list(row.id, state=MatchState.RUNNING, limit=MAX_BLOCKERS)
        ready = await store.matches.list(
            row.id, state=MatchState.READY, limit=MAX_BLOCKERS - len(running)
        )
        reply.blockers.extend(await _blockers(store, row, spec, [*running, *ready]))
        reply.blockers_total = row.planned - row.done - row.failed
        if ready and not running and not await store.arbiters.alive():
            reply.waits_for += "; no arbiter is up"
    if row.waves and any(stage.separate for stage in spec.all_stages):
        history = await read_history(store, row, spec, list(entries))
        reply.precision = await asyncio.to_thread(_precision, spec, history)
    return reply


def _waits_for(row: TournamentRow, spec: Spec) -> str:
    if row.over:
        return ""
    if row.state is TournamentState.PAUSED:
        return "paused: it goes on when it is resumed"
    if row.state is TournamentState.SCHEDULED:
        parts = []
        if spec.start.cron:
            parts.append(f"its next start: {spec.start.cron} in {spec.start.zone}")
        if spec.start.at:
            parts.append(f"its start at {spec.start.at} {spec.start.zone}".rstrip())
        if row.entered < spec.start.entries:
            parts.append(f"bots to enter: {row.entered} of {spec.start.entries} have")
        return "; ".join(parts) or "its start"
    missing = row.planned - row.done - row.failed
    if missing:
        return f"{missing} of {row.planned} matches planned so far"
    return "its next round, which is being drawn"


async def _blockers(
    store: Store, row: TournamentRow, spec: Spec, matches: Sequence[MatchRow]
) -> list[tournaments_pb2.Blocker]:
    bots = sorted({bot for match in matches for bot in match.plan.seats})
    away = await _away(store, bots)
    at = await _whereabouts(store, bots)
    now = await store.tournaments.now_ms()
    since = await store.matches.since([match.plan.id for match in matches], row.id)
    position = await store.matches.positions(row.id, [match.plan.id for match in matches])
    blockers = []
    for match, changed, place in zip(matches, since, position, strict=True):
        age = max(0, now - changed)
        running = match.state is MatchState.RUNNING
        words = (
            f"running for {age // 1000} s, attempt {match.attempts}"
            if running
            else f"queued for {age // 1000} s, position {place + 1}"
        )
        if not running and match.attempts:
            words += f", after {match.attempts} attempts"
        if match.last_failure:
            words += f"; last failure: {match.last_failure}"
        if absent := [bot for bot in match.plan.seats if bot in away]:
            words += f"; not connected: {', '.join(dict.fromkeys(absent))}"
        if not running and len({at[bot] for bot in match.plan.seats if bot in at}) > 1:
            apart = ", ".join(f"{bot} at {at[bot]}" for bot in match.plan.seats if bot in at)
            words += f"; its bots have dialled different arbiters: {apart}"
        stuck = is_stuck(row, spec, match, age)
        blockers.append(
            tournaments_pb2.Blocker(
                match=f"matches/{match.plan.id}",
                seats=[f"bots/{bot}" for bot in match.plan.seats],
                reason=f"STUCK: {words}" if stuck else words,
                stuck=stuck,
            )
        )
    return blockers


async def _whereabouts(store: Store, seats: Sequence[str]) -> dict[str, str]:
    """The arbiters that bots have dialled; any arbiter can play with those not named here."""
    found = await store.bots.get_many(seats)
    return {bot.name: bot.arbiter for bot in found if bot and bot.arbiter and not bot.endpoint}


async def _away(store: Store, seats: Sequence[str]) -> set[str]:
    """Who of those at the tables is not connected and should be: whom the platform hosts comes with
    the match."""
    others = [name for name in seats if not is_house(name)]
    here = await store.bots.present(others)
    versions = await store.versions.get_many(others)
    hosted = {row.name for row in versions if row and row.kind is VersionKind.BINARY}
    return set(others) - here - hosted


def _precision(spec: Spec, history: History) -> str:
    for number, stage in enumerate(spec.all_stages, start=1):
        if stage.separate:
            now = situation(spec, number, history, Ratings(), None)
            goal = Ratings().separation(now.deals(), stage.separate, stage.confidence)
            words = (
                f"{goal.reached} of the first {goal.wanted} places are separated from the next at "
                f"{stage.confidence:.0%}"
            )
            if goal.done or goal.growth is None:
                return words
            blocks = len({deal.block for deal in now.deals()})
            return f"{words}; about {round(blocks * goal.growth)} boards are needed, {blocks} done"
    return ""
