"""ArbiterService: workers have batches of matches played."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, cast

import grpc.aio

from arbiter.matches import benching
from arbiter.matches.crews import Crew
from arbiter.matches.runner import Outcome, Runner
from arbiter.services import fields
from arbiter.services.refusals import bad_value, missing, not_found
from arbiter.store import Store, StoreError
from arbiter.tournaments.names import SESSION
from hearts.v1 import arbiter_pb2, arbiter_pb2_grpc

log = logging.getLogger(__name__)

Context = grpc.aio.ServicerContext[Any, Any]
MAX_BATCH = 4096
_MAX_WORKER = 200
_MAX_SESSION = 100


class Batches(arbiter_pb2_grpc.ArbiterServiceServicer):
    """For workers only."""

    def __init__(self, runner: Runner, store: Store, bench_after: int) -> None:
        self._runner = runner
        self._store = store
        self._bench_after = bench_after

    async def PlayBatch(  # noqa: N802 - the name in the proto
        self, request: arbiter_pb2.PlayBatchRequest, context: Context
    ) -> None:
        """Play leased matches; one response for each as it ends."""
        worker = fields.line("worker", request.worker, _MAX_WORKER)
        assignments = _assignments(request)
        outcomes = self._runner.play_batch(worker, assignments, _crew(request))
        # Closed here and now when the call is cancelled: what still runs is given up.
        async with aclosing(cast("AsyncGenerator[Outcome]", outcomes)):
            async for outcome in outcomes:
                if outcome.outcome == arbiter_pb2.ATTEMPT_OUTCOME_COMMITTED:
                    await self._count(outcome.match)
                await context.write(
                    arbiter_pb2.PlayBatchResponse(
                        match=f"matches/{outcome.match}",
                        outcome=outcome.outcome,
                        reason=outcome.reason,
                        deals=outcome.deals,
                        duration_ms=outcome.duration_ms,
                    )
                )

    async def _count(self, match: str) -> None:
        """Who failed again may have to be benched. The result is safe whatever comes of this."""
        try:
            await benching.count(self._store, match, self._bench_after)
        except StoreError as trouble:
            log.warning("match %s is not counted for benching: %s", match, trouble)

    async def EndSession(  # noqa: N802 - the name in the proto
        self, request: arbiter_pb2.EndSessionRequest, _context: Context
    ) -> arbiter_pb2.EndSessionResponse:
        """The process behind a hosted session has ended."""
        session = fields.line("session", request.session, _MAX_SESSION)
        if not self._runner.session_ended(session, gone=request.gone):
            raise not_found(session, "No batch that runs here has this session.")
        return arbiter_pb2.EndSessionResponse()


def _crew(request: arbiter_pb2.PlayBatchRequest) -> Crew | None:
    if not request.hosted:
        return None
    sessions = {}
    for index, item in enumerate(request.hosted):
        field = f"hosted[{index}]"
        bot = fields.line(f"{field}.bot", item.bot, _MAX_SESSION)
        session = fields.line(f"{field}.session", item.session, _MAX_SESSION)
        if not session.startswith(bot + SESSION):
            raise bad_value(
                f"{field}.session", session, "is no session of that bot", [f"{bot}{SESSION}…"]
            )
        sessions[bot] = session
    return Crew(sessions, request.start_ms / 1000, request.at_once)


def _assignments(request: arbiter_pb2.PlayBatchRequest) -> list[tuple[str, str]]:
    if not request.assignments:
        raise missing("assignments")
    if len(request.assignments) > MAX_BATCH:
        count = len(request.assignments)
        raise bad_value("assignments", count, f"{count} matches", [f"1 to {MAX_BATCH}"])
    pairs = []
    for index, item in enumerate(request.assignments):
        match = fields.match_id(f"assignments[{index}].match", item.match)
        if not item.lease:
            raise missing(f"assignments[{index}].lease")
        pairs.append((match, item.lease))
    return pairs
