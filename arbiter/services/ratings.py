"""RatingsService."""

from __future__ import annotations

import re
from typing import Any

import grpc.aio

from arbiter.ratings.wire import decode
from arbiter.services.refusals import bad_value, not_found
from arbiter.store import Store
from hearts.v1 import ratings_pb2, ratings_pb2_grpc

Context = grpc.aio.ServicerContext[Any, Any]
_POOL = re.compile(r"[a-z0-9_-]{1,64}(\.[0-9]{1,4})?")


class Ratings(ratings_pb2_grpc.RatingsServiceServicer):
    """Ratings, as last fitted."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def ListRatings(  # noqa: N802 - the name in the proto
        self, request: ratings_pb2.ListRatingsRequest, _context: Context
    ) -> ratings_pb2.ListRatingsResponse:
        """All pools, or one with its separate groups ("standard-4", "standard-4.2")."""
        if request.pool and not _POOL.fullmatch(request.pool):
            raise bad_value("pool", request.pool, "is no pool's id", ["NAME-SEATS", "empty: all"])
        known = await self._store.ratings.pools()
        wanted, _, group = request.pool.partition(".")
        if wanted and wanted not in known:
            raise not_found(request.pool, f"Pools with rated results: {', '.join(known) or 'none'}")
        found: list[ratings_pb2.Pool] = []
        for pool in [wanted] if wanted else known:
            fit = await self._store.ratings.load(pool)
            # Results are there, but not their first fit: the pool exists and is empty.
            found += [ratings_pb2.Pool(id=pool)] if fit is None else decode(fit)
        if group:
            found = [pool for pool in found if pool.id == request.pool]
            if not found:
                raise not_found(request.pool)
        return ratings_pb2.ListRatingsResponse(pools=found)
