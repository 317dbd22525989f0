"""Matches that wait longer than their limits explain (UX09)."""

from __future__ import annotations

from collections.abc import Sequence

from arbiter.store import MatchRow, MatchState, Store, TournamentRow
from arbiter.tournaments.spec import Spec

STUCK_MS = 300_000
"""A match that waits so much longer than its own limits, while nothing else goes on, is stuck."""
LOOKED_AT = 20


def is_stuck(row: TournamentRow, spec: Spec, match: MatchRow, age_ms: int) -> bool:
    """Whether a match that has been in its state for so long needs somebody's help."""
    running = match.state is MatchState.RUNNING
    limit = spec.clock.match_ms if running else 0
    return age_ms > limit + STUCK_MS and (running or not row.running)


async def stuck(store: Store, row: TournamentRow, spec: Spec) -> list[tuple[MatchRow, int]]:
    """The first matches of a running tournament that are stuck, with their ages in ms."""
    if not row.active or row.settled:
        return []
    found: list[MatchRow] = []
    for state in (MatchState.RUNNING, MatchState.READY):
        found += await store.matches.list(row.id, state=state, limit=LOOKED_AT)
    ages = await _ages(store, row.id, found)
    return [pair for pair in zip(found, ages, strict=True) if is_stuck(row, spec, *pair)]


async def _ages(store: Store, tournament: str, matches: Sequence[MatchRow]) -> list[int]:
    now = await store.tournaments.now_ms()
    since = await store.matches.since([match.plan.id for match in matches], tournament)
    return [max(0, now - moment) for moment in since]
