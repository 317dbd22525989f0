"""The part of `hearts verify` that computes standings and ratings again, from public data alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from arbiter.matches.statistics import Ratings
from arbiter.ratings.deals import Deal
from arbiter.ratings.tables import fit
from arbiter.services import mapping
from arbiter.tournaments import wire
from arbiter.tournaments.history import Entry, History, Note
from arbiter.tournaments.matchplan import MatchPlan
from arbiter.tournaments.plan import final_order
from arbiter.tournaments.spec import Spec
from arbiter.tournaments.stage import Format, Score
from arbiter.tournaments.standings import standings
from client_sdk.cli.client import Client
from client_sdk.cli.errors import CliError
from client_sdk.cli.text import bare
from client_sdk.cli.verifying import Report
from hearts.record import Verdict
from hearts.result import MatchResult
from hearts.v1 import matches_pb2, ratings_pb2, tournaments_pb2

Found = Sequence[tuple[matches_pb2.Match, MatchResult]]

CLOSE = 2e-6
"""Ratings are published with six decimals."""
_FORFEITS = frozenset({Verdict.NO_SHOW, Verdict.NO_START})


async def check_tables(
    client: Client, tournament: tournaments_pb2.Tournament, found: Found, report: Report
) -> None:
    """Standings from the results as computed again, ratings from the log that the server exports,
    and that log against these results."""
    spec = wire.spec_from_wire(tournament.spec)
    plans = [_plan(match) for match, _ in found]
    results = [(plan, result) for plan, (_, result) in zip(plans, found, strict=True)]
    await _standings(client, tournament, spec, results, report)
    if tournament.rated:
        await _ratings(client, spec, results, report)


def _plan(match: matches_pb2.Match) -> MatchPlan:
    return MatchPlan(
        bare(match.name),
        bare(match.tournament),
        match.stage,
        match.round,
        match.table,
        match.board,
        match.rotation,
        tuple(bare(seat) for seat in match.seats),
    )


async def _standings(
    client: Client,
    tournament: tournaments_pb2.Tournament,
    spec: Spec,
    results: list[tuple[MatchPlan, MatchResult]],
    report: Report,
) -> None:
    reply = await client.get_standings(tournament.name)
    if reply.tournament.matches_done != len(results):
        report.open.append("the standings: not all results are public yet")
        return
    bots = sorted({bot for plan, _ in results for bot in plan.seats})
    entered = sorted(bare(entry) for entry in tournament.entries) or sorted(spec.entries)
    order = None
    if any(stage.format is not Format.ROUND_ROBIN for stage in spec.all_stages) and results:
        if set(bots) - set(entered) or tournament.matches_failed:
            report.open.append("the order of the standings: bots have withdrawn")
        else:
            rounds = (await client.list_rounds(tournament.name)).rounds
            order = final_order(spec, _history(rounds, results, entered), Ratings())
    again = [mapping.standing(line) for line in standings(spec, results, entered or None, order)]
    report.done["standings"] += len(again)
    served = {line.bot: line for line in reply.standings}
    for line in again:
        other = served.pop(line.bot, None)
        if other is None:
            report.problem("standings", f"{bare(line.bot)} is missing")
        elif line != other:
            report.problem("standings", f"{bare(line.bot)}: {_fields(line, other)}")
    for name in served:
        report.problem("standings", f"{bare(name)} has no result there")


def _fields(ours: tournaments_pb2.Standing, theirs: tournaments_pb2.Standing) -> str:
    names = [field.name for field in ours.DESCRIPTOR.fields]
    return ", ".join(
        f"{name} is {getattr(ours, name)}, not {getattr(theirs, name)}"
        for name in names
        if getattr(ours, name) != getattr(theirs, name)
    )


def _history(
    rounds: Sequence[tournaments_pb2.Round],
    results: list[tuple[MatchPlan, MatchResult]],
    entered: Sequence[str],
) -> History:
    return History(
        notes=tuple(
            Note(found.stage, found.round, tuple(bare(bot) for bot in found.sit_outs))
            for found in rounds
        ),
        planned=len(results),
        done=len(results),
        matches=[plan for plan, _ in results],
        scores={plan.id: _score(result) for plan, result in results},
        entries=[Entry(bot) for bot in entered],
    )


def _score(result: MatchResult) -> Score:
    return Score(
        deals=result.deals,
        places=tuple(seat.place_times_two for seat in result.seats),
        void=result.void_block,
        forfeits=tuple(i for i, seat in enumerate(result.seats) if seat.verdict in _FORFEITS),
    )


async def _ratings(
    client: Client, spec: Spec, results: list[tuple[MatchPlan, MatchResult]], report: Report
) -> None:
    try:
        exported = [deal async for deal in client.export_results(spec.pool)]
        pools = [
            pool
            for pool in await client.list_ratings("")
            if pool.id == spec.pool or pool.id.startswith(f"{spec.pool}.")
        ]
    except CliError as error:
        report.open.append(f"the ratings: {error}")
        return
    _check_log(exported, spec, results, report)
    deals = [_deal(found) for found in exported if not found.void]
    if sum(pool.deals for pool in pools) != len(deals):
        report.open.append("the ratings: results have come in since they were made; ask again")
        return
    again = {f"bots/{r.bot}": r for table in fit(deals) for r in table.ratings}
    for rating in (rating for pool in pools for rating in pool.ratings):
        report.done["ratings"] += 1
        ours = again.pop(rating.bot, None)
        if ours is None:
            report.problem("ratings", f"{bare(rating.bot)} has no deal in the log")
        elif abs(ours.strength - rating.strength) > CLOSE or ours.deals != rating.deals:
            report.problem(
                "ratings",
                f"{bare(rating.bot)}: {ours.strength:.6f} from {ours.deals} deals, "
                f"not {rating.strength:.6f} from {rating.deals}",
            )
    for name in again:
        report.problem("ratings", f"{bare(name)} is missing")


def _check_log(
    exported: Sequence[ratings_pb2.ExportedDeal],
    spec: Spec,
    results: list[tuple[MatchPlan, MatchResult]],
    report: Report,
) -> None:
    """What the ratings are made of holds each deal of a complete board of this tournament once."""
    blocks = {plan.block for plan, _ in results}
    logged = Counter(
        (deal.block, tuple(map(bare, deal.bots)), tuple(deal.points))
        for deal in exported
        if deal.block in blocks
    )
    sizes = Counter(plan.block for plan, _ in results)
    wanted = Counter(
        (plan.block, plan.seats, points)
        for plan, result in results
        if sizes[plan.block] == spec.rotations
        for points in result.deals
    )
    if missing := wanted - logged:
        block, bots, points = next(iter(missing))
        report.problem("rating log", f"block {block}: {bots} {points} is missing")
    if extra := logged - wanted:
        block, bots, points = next(iter(extra))
        report.problem("rating log", f"block {block}: {bots} {points} was not played")


def _deal(found: ratings_pb2.ExportedDeal) -> Deal:
    return Deal(found.block, tuple(map(bare, found.bots)), tuple(map(float, found.points)))
