"""Takes versions out of play that keep failing, so that their opponents are not held up (CH10), and
out of the tournaments they are in (SP10)."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from arbiter.matches import payloads
from arbiter.store import EntryAnswer, Store, VersionState
from hearts.record import Verdict
from hearts.wire import result_from_wire

log = logging.getLogger(__name__)

FAILURES = frozenset({Verdict.NO_SHOW, Verdict.NO_START, Verdict.CRASH})
"""Verdicts on a seat that make its match a failed one. Whoever is slow, or answers nonsense, is
there and loses for it."""

OUT = frozenset({VersionState.BENCHED, VersionState.RETIRED})
"""States in which a version is not paired any more, also where it was entered before."""


async def count(store: Store, match: str, most: int) -> list[str]:
    """Count a finished match for the versions that played it; returns those benched for it.

    Idempotent: a match counts once for each. `most`: failures in a row that bench; 0: never.
    """
    row = await store.matches.get(match)
    if row is None or row.result is None:
        return []
    result = result_from_wire(payloads.read_result(row.result))
    failed = {name: False for name in row.plan.seats if "@" in name}
    for name, seat in zip(row.plan.seats, result.seats, strict=True):
        if name in failed and seat.verdict in FAILURES:
            failed[name] = True
    benched = [
        name
        for name, bad in failed.items()
        if await store.versions.count_outcome(name, match, bad, most)
    ]
    for name in benched:
        log.warning("%s is benched after %s", name, match)
        await withdraw_everywhere(store, name)
    return benched


async def withdraw_everywhere(store: Store, name: str) -> None:
    """Take a version out of the tournaments that run. Those that wait or are paused see to it
    themselves before they pair anybody: `withdraw_unfit`."""
    for tournament in await store.tournaments.running():
        await _withdraw(store, tournament, [name])


async def withdraw_unfit(store: Store, tournament: str) -> bool:
    """Take out of a tournament whoever was benched or retired since it entered; whether there was
    anybody. To be called before its next matches are planned."""
    entries = await store.tournaments.entries(tournament)
    names = [entry.bot for entry in entries if entry.left is None and "@" in entry.bot]
    rows = await store.versions.get_many(names)
    return await _withdraw(
        store, tournament, [row.name for row in rows if row and row.state in OUT]
    )


async def _withdraw(store: Store, tournament: str, names: Iterable[str]) -> bool:
    gone = False
    for name in names:
        answer = await store.tournaments.withdraw(tournament, name)
        if answer in (EntryAnswer.WITHDRAWN, EntryAnswer.REPEATED):
            # Also for a repeat: whoever withdrew it may have died before this.
            await store.matches.drop(tournament, name)
            gone = gone or answer is EntryAnswer.WITHDRAWN
    return gone
