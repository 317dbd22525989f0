"""A fit as it is stored and served: the messages themselves, so that every view shows the same
figures."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from arbiter.ratings.tables import Rating, Table
from hearts.v1 import ratings_pb2


def encode(pool: str, tables: Sequence[Table]) -> bytes:
    """The fit of a pool. Bots that never met, directly or through others, have no common order:
    each further table is a pool of its own, "standard-4.2". A table has no lines while one block is
    all there is, because nothing can be said about the error then.

    The snapshot id is a digest of the figures: the same results give the same bytes.
    """
    pools = [
        ratings_pb2.Pool(
            id=pool if number == 1 else f"{pool}.{number}",
            deals=table.deals,
            blocks=table.blocks,
            ratings=[line for rating in table.ratings if (line := _rating(rating)) is not None],
        )
        for number, table in enumerate(tables, start=1)
    ]
    message = ratings_pb2.ListRatingsResponse(pools=pools)
    snapshot = hashlib.sha256(message.SerializeToString(deterministic=True)).hexdigest()[:12]
    for item in message.pools:
        item.snapshot = snapshot
    return message.SerializeToString(deterministic=True)


def decode(data: bytes) -> list[ratings_pb2.Pool]:
    """The pools of a stored fit."""
    return list(ratings_pb2.ListRatingsResponse.FromString(data).pools)


def _rating(rating: Rating) -> ratings_pb2.Rating | None:
    if rating.se is None or rating.low is None or rating.high is None:
        return None
    return ratings_pb2.Rating(
        rank=rating.rank,
        bot=f"bots/{rating.bot}",
        strength=rating.strength,
        standard_error=rating.se,
        low=rating.low,
        high=rating.high,
        deals=rating.deals,
        blocks=rating.blocks,
        provisional=rating.provisional,
    )
