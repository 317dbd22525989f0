"""The calls about play to come and about results that need a look; part of `Client`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from client_sdk.cli.text import named
from hearts.v1 import ratings_pb2


class ReviewsCalls:
    """Mixed into `Client`, which has the channel."""

    _ratings: Any

    async def _call(self, method: Callable[..., Awaitable[Any]], request: object) -> Any:
        raise NotImplementedError

    async def suggest_tables(
        self, pool: str, bots: Sequence[str], tables: int, bot_goal: float, gap_goal: float
    ) -> ratings_pb2.SuggestTablesResponse:
        """Which tables of a pool to play next."""
        request = ratings_pb2.SuggestTablesRequest(
            pool=pool,
            bots=[named("bots", bot) for bot in bots],
            tables=tables,
            bot_goal=bot_goal,
            gap_goal=gap_goal,
        )
        reply: ratings_pb2.SuggestTablesResponse = await self._call(
            self._ratings.SuggestTables, request
        )
        return reply

    async def list_suspects(self, pool: str, pairs: int) -> ratings_pb2.ListSuspectsResponse:
        """What stands out in the results of a pool."""
        request = ratings_pb2.ListSuspectsRequest(pool=pool, pairs=pairs)
        reply: ratings_pb2.ListSuspectsResponse = await self._call(
            self._ratings.ListSuspects, request
        )
        return reply

    async def list_held_results(self, tournament: str) -> ratings_pb2.ListHeldResultsResponse:
        """Held results of a tournament, and all corrections."""
        request = ratings_pb2.ListHeldResultsRequest(tournament=named("tournaments", tournament))
        reply: ratings_pb2.ListHeldResultsResponse = await self._call(
            self._ratings.ListHeldResults, request
        )
        return reply

    async def hold_results(
        self, tournament: str, worker: str, arbiter: str, reason: str
    ) -> ratings_pb2.HoldResultsResponse:
        """Holds what a worker or an arbiter played in the last round."""
        request = ratings_pb2.HoldResultsRequest(
            tournament=named("tournaments", tournament),
            worker=worker,
            arbiter=arbiter,
            reason=reason,
        )
        reply: ratings_pb2.HoldResultsResponse = await self._call(
            self._ratings.HoldResults, request
        )
        return reply

    async def release_result(self, match: str, reason: str) -> ratings_pb2.ReleaseResultResponse:
        """Lets a held result count."""
        request = ratings_pb2.ReleaseResultRequest(match=named("matches", match), reason=reason)
        reply: ratings_pb2.ReleaseResultResponse = await self._call(
            self._ratings.ReleaseResult, request
        )
        return reply
