"""The part of RatingsService that is about play to come and about results that need a look."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from arbiter.matches.review import hold_played_by
from arbiter.ratings import planning
from arbiter.ratings.deals import collect, connected
from arbiter.ratings.evidence import lines
from arbiter.ratings.planning import Goal
from arbiter.ratings.suspects import Played, suspects
from arbiter.ratings.watchdogs import Lateness
from arbiter.services import mapping
from arbiter.services.auth import caller
from arbiter.services.fields import entry_id, line, match_id, tournament_id
from arbiter.services.refusals import bad_value, missing, not_found, wrong_state
from arbiter.store import Store
from hearts.v1 import ratings_pb2

MAX_TABLES = 100
MAX_BOTS = 200
PAIRS = 20
MAX_REASON = 200

Results = Callable[[str], Awaitable[list[Played]]]


def seats_of(pool: str) -> int:
    """Seats at a table of the pool: "standard-4-fast" has 4."""
    return next(int(part) for part in reversed(pool.split("-")) if part.isdigit())


async def suggest(
    request: ratings_pb2.SuggestTablesRequest, pool: str, results: Results
) -> ratings_pb2.SuggestTablesResponse:
    """What to play next, computed on a thread."""
    goal = Goal(_goal("bot_goal", request.bot_goal), _goal("gap_goal", request.gap_goal))
    tables, seats = request.tables or 10, seats_of(pool)
    if tables > MAX_TABLES:
        raise bad_value("tables", tables, "are too many", [f"1 to {MAX_TABLES}"])
    entries = [entry_id(f"bots[{at}]", bot) for at, bot in enumerate(request.bots)]
    played = await results(pool)
    if not entries:
        entries = sorted({bot for one in played for bot in one.outcome.bots})
    if not seats <= len(set(entries)) <= MAX_BOTS:
        raise bad_value(
            "bots", len(set(entries)), "not so many bots", [f"{seats} to {MAX_BOTS} bots"]
        )
    advice = await asyncio.to_thread(_advise, played, entries, seats, tables, goal)
    return ratings_pb2.SuggestTablesResponse(
        tables=[
            ratings_pb2.SuggestedTable(bots=[f"bots/{bot}" for bot in table])
            for table in advice.tables
        ],
        deals_left=advice.deals_left,
        wide=advice.wide,
    )


def _goal(field: str, value: float) -> float:
    if not 0 <= value < float("inf"):
        raise bad_value(field, value, "is no width", ["above 0, in points a deal", "0: 0.5"])
    return value or 0.5


def _advise(
    played: Sequence[Played], entries: Sequence[str], seats: int, tables: int, goal: Goal
) -> planning.Advice:
    wanted = set(entries)
    deals = collect(
        deal
        for deal, void in lines((one.key, one.outcome) for one in played)
        if not void and wanted.issuperset(deal.bots)
    )
    # Bots that never met those have no place in their order: they are as good as new.
    parts = connected(deals)
    return planning.advise(parts[0] if parts else deals, entries, seats, tables, goal)


async def list_suspects(
    request: ratings_pb2.ListSuspectsRequest, pool: str, results: Results
) -> ratings_pb2.ListSuspectsResponse:
    """What the watchdogs say, computed on a thread."""
    found = await asyncio.to_thread(suspects, await results(pool))
    return ratings_pb2.ListSuspectsResponse(
        workers=[
            ratings_pb2.Deviation(
                worker=one.worker,
                blocks=one.blocks,
                bot=f"bots/{one.bot}",
                points=one.points,
                p=one.p,
                alarm=one.alarm,
            )
            for one in found.workers
        ],
        lateness=[
            *(_late("worker", one) for one in found.late_workers),
            *(_late("arbiter", one) for one in found.late_arbiters),
        ],
        pairs=[
            ratings_pb2.Together(
                bot=f"bots/{one.bot}",
                other=f"bots/{one.other}",
                blocks=one.blocks,
                points=one.points,
                z=one.z,
                alarm=one.alarm,
            )
            for one in found.pairs[: request.pairs or PAIRS]
        ],
    )


def _late(kind: str, one: Lateness) -> ratings_pb2.Lateness:
    return ratings_pb2.Lateness(
        kind=kind,
        name=one.worker,
        timeouts=one.timeouts,
        decisions=one.decisions,
        rate=one.rate,
        rest=one.rest,
        p=one.p,
        alarm=one.hold,
    )


async def list_held(
    request: ratings_pb2.ListHeldResultsRequest, store: Store
) -> ratings_pb2.ListHeldResultsResponse:
    """Held results and all corrections of a tournament."""
    tournament = await _tournament(store, request.tournament)
    held = []
    for match, reason in (await store.holds.held(tournament)).items():
        original = await store.holds.original(match)
        held.append(
            ratings_pb2.HeldResult(
                match=f"matches/{match}",
                reason=reason,
                worker=original.worker if original else "",
                arbiter=original.arbiter if original else "",
            )
        )
    corrections = [
        ratings_pb2.Correction(
            match=f"matches/{one.match}",
            kind=one.kind,
            actor=one.actor,
            reason=one.reason,
            time=mapping.time(one.ms),
        )
        for one in await store.holds.corrections(tournament)
    ]
    return ratings_pb2.ListHeldResultsResponse(held=held, corrections=corrections)


async def hold(
    request: ratings_pb2.HoldResultsRequest, store: Store
) -> ratings_pb2.HoldResultsResponse:
    """Hold what a worker or an arbiter played in the last round."""
    tournament = await _tournament(store, request.tournament)
    if bool(request.worker) == bool(request.arbiter):
        raise missing("worker", ["worker or arbiter, as the log of results names it"])
    kind, name = ("worker", request.worker) if request.worker else ("arbiter", request.arbiter)
    reason = _reason(request.reason)
    row = await store.tournaments.get(tournament)
    if row is None or row.over or not row.waves:
        raise wrong_state(
            request.tournament,
            "nothing of it can be held: it is over, or has not begun",
            "Results of a tournament that is over have counted already.",
        )
    held = await hold_played_by(store, row, kind, name, _actor(), reason)
    return ratings_pb2.HoldResultsResponse(held=held)


async def release(
    request: ratings_pb2.ReleaseResultRequest, store: Store
) -> ratings_pb2.ReleaseResultResponse:
    """Let a held result count."""
    match = match_id("match", request.match)
    reason = _reason(request.reason)
    if await store.matches.get(match) is None:
        raise not_found(request.match)
    if not await store.holds.release(match, _actor(), reason):
        raise wrong_state(
            request.match,
            f"the result of {match} is not held",
            "hearts ratings held TOURNAMENT lists those that are.",
        )
    return ratings_pb2.ReleaseResultResponse()


async def _tournament(store: Store, name: str) -> str:
    tournament = tournament_id("tournament", name)
    if await store.tournaments.get(tournament) is None:
        raise not_found(name)
    return tournament


def _reason(text: str) -> str:
    if not text:
        raise missing("reason", [f"1 to {MAX_REASON} printable characters, one line"])
    return line("reason", text, MAX_REASON)


def _actor() -> str:
    identity = caller()
    return f"{identity.role} {identity.subject}".strip()
