"""Short ways to fill a store and to look at it from behind."""

from collections.abc import Sequence

import redis.asyncio

from arbiter.store import Claim, MatchPlan, Store, TournamentRow
from arbiter.tournaments.matchplan import match_id

LEASE_MS = 30_000


def plans(tournament: str, count: int, stage: int = 1) -> list[MatchPlan]:
    """``count`` matches of one table, in canonical order."""
    return [
        MatchPlan(
            id=match_id(tournament, stage, 1, 1, board, 0),
            tournament=tournament,
            stage=stage,
            round=1,
            table=1,
            board=board,
            rotation=0,
            seats=("anna", "bert", "cleo", "dora"),
        )
        for board in range(count)
    ]


async def tournament(store: Store, id: str = "cup", matches: int = 4) -> list[MatchPlan]:
    """A running tournament with its matches planned."""
    await store.tournaments.create(TournamentRow(id, b"spec", b"secret", True))
    planned = plans(id, matches)
    if matches:
        assert await store.matches.add_wave(id, 1, planned)
    return planned


async def claim(store: Store, limit: int = 1, lease_ms: int = LEASE_MS) -> list[Claim]:
    """Claim, and insist on getting that many."""
    claims = await store.matches.claim(limit, lease_ms)
    assert len(claims) == limit
    return claims


async def counts(store: Store, id: str = "cup") -> tuple[int, int, int, int]:
    """(planned, running, done, failed)"""
    row = await store.tournaments.get(id)
    assert row is not None
    return row.planned, row.running, row.done, row.failed


async def results_and_records(url: str, ids: Sequence[str], id: str = "cup") -> tuple[int, int]:
    """How many results and how many records there are, counted key by key."""
    async with redis.asyncio.Redis.from_url(url) as client:
        results = await client.hlen(f"hearts:results:{id}")
        records = await client.exists(*(f"hearts:record:{match}" for match in ids))
    return results, records
