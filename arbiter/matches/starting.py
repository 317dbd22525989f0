"""Starts what is due: tournaments with a set time, those that wait for entries, and the
occurrences of schedules. All times are Redis's; due times are data, looked at each second, so
nothing depends on a message that has to wait (RC01)."""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import UTC, datetime

from arbiter.matches import entrants
from arbiter.store import IdTaken, Store, StoreError, TournamentRow, TournamentState
from arbiter.tournaments import wire
from arbiter.tournaments.draw import Draw
from arbiter.tournaments.spec import Spec, Start
from arbiter.tournaments.starting import occurrence
from hearts.shuffle import new_secret

log = logging.getLogger(__name__)


async def start_due(store: Store, now_ms: int | None = None) -> list[str]:
    """Start every tournament whose time has come; returns the ids of those that run now.

    Idempotent, and safe to run anywhere at once: each start is one step of the store, and each
    occurrence of a schedule has an id of its own. `now_ms`: another time than Redis's, for tests.
    """
    now = await store.tournaments.now_ms() if now_ms is None else now_ms
    started: list[str] = []
    for id_ in await store.tournaments.due(now):
        try:
            started += await _start_one(store, id_, now)
        except StoreError:
            raise
        except Exception:
            # Whatever is wrong with one schedule must not stop all others.
            log.exception("%s: cannot be started", id_)
    return started


async def start_if_ready(store: Store, row: TournamentRow, now_ms: int | None = None) -> bool:
    """Start a tournament that waits for a time and for entries, if both are there."""
    spec = wire.decode(row.spec)
    if row.state is not TournamentState.SCHEDULED or spec.start.cron:
        return False
    now = await store.tournaments.now_ms() if now_ms is None else now_ms
    if row.due_ms > now or row.entered < spec.start.entries:
        return False
    return await store.tournaments.start(row.id)


async def _start_one(store: Store, id_: str, now: int) -> list[str]:
    row = await store.tournaments.get(id_)
    if row is None or row.state is not TournamentState.SCHEDULED:
        return []
    spec = wire.decode(row.spec)
    if not spec.start.cron:
        return [id_] if await start_if_ready(store, row, now) else []
    due, following = occurrence(spec.start, row.due_ms, now)
    made = ""
    if due is None:
        log.warning("%s: an occurrence was missed and is left out", id_)
    elif row.entered < spec.start.entries:
        log.warning("%s: %d of %d bots, left out", id_, row.entered, spec.start.entries)
    else:
        made = await _occur(store, row, spec, due)
    # Only now: who dies in between finds the occurrence made, and makes no second one.
    await store.tournaments.postpone(id_, row.due_ms, following or 0)
    return [made] if made else []


async def _occur(store: Store, row: TournamentRow, spec: Spec, due_ms: int) -> str:
    """The tournament of one occurrence, whoever makes it; "" when it was there already."""
    moment = datetime.fromtimestamp(due_ms / 1000, UTC)
    names = [e.bot for e in await store.tournaments.entries(row.id) if e.left is None]
    found = await entrants.find(store, names)
    if absent := [f"{each.asked} {each.absent}" for each in found if each.absent]:
        log.warning("%s: played without %s", row.id, "; ".join(absent))
    found = [each for each in found if not each.absent]
    entries = entrants.entries(found)
    once = replace(
        entrants.rename(spec, {each.asked: each.plays for each in found}),
        entries=tuple(entry.bot for entry in entries),
        start=Start(),
        # Other pairings and seats each time, and still the same for the same file and time.
        seed=Draw(spec.seed, "occurrence", due_ms).below(2**64),
    )
    child = TournamentRow(
        id=f"{row.id}-{moment:%Y%m%dt%H%Mz}",
        spec=wire.encode(once),
        secret=new_secret(),
        rated=row.rated,
        series=row.id,
    )
    try:
        _, made = await store.tournaments.create(child, f"schedule {row.id} {due_ms}", entries)
    except IdTaken:
        return ""
    return child.id if made else ""
