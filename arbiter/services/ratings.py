"""RatingsService."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import grpc.aio

from arbiter.ratings import mirrored, sequential
from arbiter.ratings.deals import Deal
from arbiter.ratings.evidence import Outcome, lines
from arbiter.ratings.sequential import Hypotheses
from arbiter.ratings.suspects import Played
from arbiter.ratings.wire import decode, decode_gaps, tested, turned
from arbiter.services import reviews
from arbiter.services.refusals import Refusal, bad_value, missing, not_found
from arbiter.store import LogEntry, Store
from arbiter.store.outcomes import outcome
from arbiter.tournaments.spec import Spec
from arbiter.tournaments.wire import decode as decode_spec
from hearts.v1 import ratings_pb2, ratings_pb2_grpc

Context = grpc.aio.ServicerContext[Any, Any]
_POOL = re.compile(r"[a-z0-9_-]{1,64}(\.[0-9]{1,4})?")
EXPORT_PAGE = 1000
# Reading a pool's whole log is the dearest call there is: one at a time.
_READERS = 1


class Ratings(ratings_pb2_grpc.RatingsServiceServicer):
    """Ratings, as last fitted, and what is computed from the results on demand."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._reading = asyncio.Semaphore(_READERS)

    async def ListRatings(  # noqa: N802 - the name in the proto
        self, request: ratings_pb2.ListRatingsRequest, _context: Context
    ) -> ratings_pb2.ListRatingsResponse:
        """All pools, or one with its separate groups ("standard-4", "standard-4.2")."""
        wanted, group = "", ""
        if request.pool:
            wanted, group = await self._known(request.pool)
        found: list[ratings_pb2.Pool] = []
        for pool in [wanted] if wanted else await self._store.ratings.pools():
            fit = await self._store.ratings.load(pool)
            # Results are there, but not their first fit: the pool exists and is empty.
            found += [ratings_pb2.Pool(id=pool)] if fit is None else decode(fit)
        if group:
            found = [pool for pool in found if pool.id == request.pool]
            if not found:
                raise not_found(request.pool)
        return ratings_pb2.ListRatingsResponse(pools=found)

    async def ListGaps(  # noqa: N802
        self, request: ratings_pb2.ListGapsRequest, _context: Context
    ) -> ratings_pb2.ListGapsResponse:
        """All gaps of a pool, one bot's, or the one of two bots."""
        pool, _ = await self._known(request.pool)
        reply = decode_gaps(await self._store.ratings.load_part(pool, "gaps"))
        if request.other and not request.bot:
            raise missing("bot")
        known = {name for gap in reply.gaps for name in (gap.bot, gap.other)}
        for name in (request.bot, request.other):
            if name and name not in known:
                raise not_found(name, f"A bot with rated deals in {pool}.")
        if not request.bot:
            return reply
        ours = [
            gap if gap.bot == request.bot else turned(gap)
            for gap in reply.gaps
            if request.bot in (gap.bot, gap.other)
        ]
        if request.other:
            ours = [gap for gap in ours if gap.other == request.other]
            if not ours:
                raise not_found(
                    f"gap between {request.bot} and {request.other}",
                    "They never met, directly or through others: there is no common order.",
                )
        return ratings_pb2.ListGapsResponse(gaps=ours, snapshot=reply.snapshot)

    async def ListRatingHistory(  # noqa: N802
        self, request: ratings_pb2.ListRatingHistoryRequest, _context: Context
    ) -> ratings_pb2.ListRatingHistoryResponse:
        """The rating over time of a pool or of one bot."""
        pool, _ = await self._known(request.pool)
        data = await self._store.ratings.load_part(pool, "history")
        reply = ratings_pb2.ListRatingHistoryResponse.FromString(data or b"")
        points = [point for point in reply.points if request.bot in ("", point.bot)]
        return ratings_pb2.ListRatingHistoryResponse(points=points)

    async def TestBots(  # noqa: N802
        self, request: ratings_pb2.TestBotsRequest, _context: Context
    ) -> ratings_pb2.TestBotsResponse:
        """A sequential test on all results of two bots, computed on a thread."""
        pool, _ = await self._known(request.pool)
        hypotheses = _hypotheses(request)
        baseline, candidate = (name.removeprefix("bots/") for name in _both(request))
        outcomes = await self._outcomes(pool)
        known = {bot for _, one in outcomes for bot in one.bots}
        for name in (baseline, candidate):
            if name not in known:
                raise not_found(f"bots/{name}", f"A bot with rated deals in {pool}.")
        return await asyncio.to_thread(_test, outcomes, baseline, candidate, hypotheses)

    async def ExportResults(  # noqa: N802
        self, request: ratings_pb2.ExportResultsRequest, context: Context
    ) -> None:
        """The deals of all complete blocks, in canonical order."""
        pool, _ = await self._known(request.pool)
        found = await asyncio.to_thread(lines, await self._outcomes(pool))
        for start in range(0, len(found), EXPORT_PAGE):
            deals = [_exported(*line) for line in found[start : start + EXPORT_PAGE]]
            await context.write(ratings_pb2.ExportResultsResponse(deals=deals))

    async def RebuildRatings(  # noqa: N802
        self, request: ratings_pb2.RebuildRatingsRequest, _context: Context
    ) -> ratings_pb2.RebuildRatingsResponse:
        """Have a worker fit the pool from nothing; the sweep sees to it."""
        pool, _ = await self._known(request.pool)
        fit = await self._store.ratings.load(pool)
        pools = decode(fit) if fit is not None else []
        results = await self._store.ratings.rebuild(pool)
        snapshot = pools[0].snapshot if pools else ""
        return ratings_pb2.RebuildRatingsResponse(results=results, snapshot=snapshot)

    async def SuggestTables(  # noqa: N802
        self, request: ratings_pb2.SuggestTablesRequest, _context: Context
    ) -> ratings_pb2.SuggestTablesResponse:
        """Which tables to play next."""
        pool, _ = await self._known(request.pool)
        return await reviews.suggest(request, pool, self._played)

    async def ListSuspects(  # noqa: N802
        self, request: ratings_pb2.ListSuspectsRequest, _context: Context
    ) -> ratings_pb2.ListSuspectsResponse:
        """What a human should look at."""
        pool, _ = await self._known(request.pool)
        return await reviews.list_suspects(request, pool, self._played)

    async def ListHeldResults(  # noqa: N802
        self, request: ratings_pb2.ListHeldResultsRequest, _context: Context
    ) -> ratings_pb2.ListHeldResultsResponse:
        """Results that are held back, and all corrections."""
        return await reviews.list_held(request, self._store)

    async def HoldResults(  # noqa: N802
        self, request: ratings_pb2.HoldResultsRequest, _context: Context
    ) -> ratings_pb2.HoldResultsResponse:
        """Hold results of the last round, to be played again."""
        return await reviews.hold(request, self._store)

    async def ReleaseResult(  # noqa: N802
        self, request: ratings_pb2.ReleaseResultRequest, _context: Context
    ) -> ratings_pb2.ReleaseResultResponse:
        """Let a held result count."""
        return await reviews.release(request, self._store)

    async def _known(self, name: str) -> tuple[str, str]:
        """The pool and the number of its group, "" for none. Raises a Refusal for what is no
        pool."""
        if not name:
            raise missing("pool", ["NAME-SEATS"])
        if not _POOL.fullmatch(name):
            raise bad_value("pool", name, "is no pool's id", ["NAME-SEATS", "empty: all"])
        known = await self._store.ratings.pools()
        pool, _, group = name.partition(".")
        if pool not in known:
            raise not_found(name, f"Pools with rated results: {', '.join(known) or 'none'}")
        return pool, group

    async def _outcomes(self, pool: str) -> list[tuple[str, Outcome]]:
        """All results of a pool, by match id."""
        return [(one.key, one.outcome) for one in await self._played(pool)]

    async def _played(self, pool: str) -> list[Played]:
        """All results of a pool, with who played them."""
        async with self._reading:
            entries = await self._store.ratings.log(pool)
            specs: dict[str, Spec] = {}
            for tournament in {entry.plan.tournament for entry in entries}:
                row = await self._store.tournaments.get(tournament)
                if row is not None:
                    specs[tournament] = decode_spec(row.spec)
            return await asyncio.to_thread(_read, entries, specs)


def _read(entries: list[LogEntry], specs: dict[str, Spec]) -> list[Played]:
    return [
        Played(
            entry.plan.id,
            outcome(entry.plan, entry.result, specs[entry.plan.tournament]),
            entry.worker,
            entry.arbiter,
        )
        for entry in entries
    ]


def _both(request: ratings_pb2.TestBotsRequest) -> tuple[str, str]:
    for field in ("baseline", "candidate"):
        if not getattr(request, field):
            raise missing(field)
    if request.baseline == request.candidate:
        raise bad_value("candidate", request.candidate, "is the baseline too")
    return request.baseline, request.candidate


def _hypotheses(request: ratings_pb2.TestBotsRequest) -> Hypotheses:
    errors = Hypotheses()
    try:
        return Hypotheses(
            request.h0, request.h1, request.alpha or errors.alpha, request.beta or errors.beta
        )
    except ValueError as error:
        text = str(error)
        raise _bad_hypotheses(text) from None


def _bad_hypotheses(text: str) -> Refusal:
    field, _, reason = text.partition(" ")
    return bad_value(field, "", reason, ["h0 < h1", "alpha and beta 0.0001 to 0.3"])


def _test(
    outcomes: list[tuple[str, Outcome]], baseline: str, candidate: str, hypotheses: Hypotheses
) -> ratings_pb2.TestBotsResponse:
    evidence = mirrored.evidence(_played(outcomes), baseline, candidate)
    message = tested(sequential.run(evidence.differences, hypotheses))
    message.waiting, message.left = evidence.waiting, evidence.left
    message.mirrored = evidence.mirrored
    return message


def _played(outcomes: list[tuple[str, Outcome]]) -> list[tuple[Deal, bool]]:
    """Every deal with whether it is void, incomplete blocks included: they end the prefix."""
    return [
        (Deal(one.block, one.bots, points), one.void)
        for _, one in outcomes
        # A forfeit may have no deal at all, and voids its block all the same.
        for points in one.deals or ((0,) * len(one.bots),) * one.void
    ]


def _exported(deal: Deal, void: bool) -> ratings_pb2.ExportedDeal:
    return ratings_pb2.ExportedDeal(
        block=deal.block,
        bots=[f"bots/{bot}" for bot in deal.bots],
        points=[int(points) for points in deal.points],
        void=void,
    )
