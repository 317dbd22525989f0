"""One run: the whole platform plays all cups, struck or not, and says what came of it."""

from __future__ import annotations

import asyncio
import hashlib
import os
import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import redis.asyncio
from chaos_blows import Blow, Striker
from chaos_cups import Size, create, cups

from arbiter.matches import payloads
from arbiter.store import MatchState, Store, StoreError
from client_sdk.bots import HOUSE
from client_sdk.cli.errors import CliError
from hearts.record import MatchRecord, replay
from hearts.wire import record_from_wire
from workers.cli import child
from workers.cli.folder import DataFolder
from workers.cli.platform import Platform, Wanted
from workers.cli.supervisor import Service

LEASE_S = 2.0
BOTS = ("careful-1", "careful-2", "duck-1", "duck-2", "random-1", "random-2")
"""They dial in; each is a process of its own and plays by its decisions' seeds alone."""


@dataclass(slots=True)
class Outcome:
    """What must be the same in every run, and what it took."""

    standings: dict[str, bytes] = field(default_factory=dict)
    moves: dict[str, str] = field(default_factory=dict)
    ratings: dict[str, bytes] = field(default_factory=dict)
    faults: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    blows: list[str] = field(default_factory=list)
    redeliveries: int = 0
    failed: int = 0
    stale: int = 0

    @property
    def same(self) -> tuple[object, ...]:
        return self.standings, self.moves, self.ratings


async def run(
    folder: Path,
    size: Size,
    workers: int,
    blows: list[Blow] | None = None,
    hosted: tuple[str, ...] = (),
    limit_s: float = 900.0,
) -> Outcome:
    """Play it all. ``hosted``: house bots that the workers host, beside those that dial in.

    Raises AssertionError when something is lost, doubled or left behind, TimeoutError when it is
    not over in time.
    """
    os.environ["HEARTS_LEASE_SECONDS"] = str(LEASE_S)  # the children have it from here
    os.makedirs(folder, exist_ok=True)
    found = Outcome()
    wanted = cups(size, BOTS + hosted)
    over = asyncio.Event()
    say = (folder / "chaos.log").open("a", encoding="utf-8")
    with say, DataFolder(folder) as data:
        heard = lambda line: print(line, file=say, flush=True)  # noqa: E731
        async with Platform(data, Wanted("127.0.0.1", 0, workers), heard) as platform:
            await _start_bots(platform)
            store = platform._store
            assert store is not None
            begun = time.monotonic()
            await create(store, wanted)
            striker = Striker(blows or [], platform.supervisor.pids, BOTS, LEASE_S + 1.0)
            striking = asyncio.create_task(striker.strike(over))
            try:
                async with asyncio.timeout(limit_s):
                    await _until_over(store, list(wanted))
            finally:
                found.seconds = time.monotonic() - begun
                over.set()
                await striking
            found.blows = striker.struck
            async with asyncio.timeout(60):
                await _collect(platform, store, list(wanted), found)
            await _check(platform, store, list(wanted), found)
    return found


async def _start_bots(platform: Platform) -> None:
    services = []
    async with platform.client() as client:
        for name in BOTS:
            kind = name.rpartition("-")[0]
            _, token = await client.create_bot(
                name, HOUSE[kind].summary, house=True, request_id=f"chaos-{name}"
            )
            services.append(_bot(platform, kind, name, token))
        await platform.supervisor.add(*services)


def _bot(platform: Platform, kind: str, name: str, token: str) -> Service:
    log = platform.folder.log(name)
    command = (sys.executable, "-m", "client_sdk.bots", kind, "--name", name)
    environment = platform.environment | {
        "HEARTS_SERVER": platform.address,
        "HEARTS_TOKEN": token,
    }
    return Service(name, lambda: child.start(command, environment, log), log)


async def _until_over(store: Store, ids: list[str]) -> None:
    while ids:
        await asyncio.sleep(0.25)
        try:
            row = await store.tournaments.get(ids[0])
        except StoreError:
            continue  # Redis is the one that is struck
        assert row is not None
        if row.over:
            ids = ids[1:]


async def _collect(platform: Platform, store: Store, ids: list[str], found: Outcome) -> None:
    """Standings as everybody gets them, moves of all records, ratings."""
    while True:
        try:
            pools = await store.ratings.pools()
            for pool in pools:
                if await store.ratings.fitted(pool) < await store.ratings.length(pool):
                    raise StoreError("not fitted yet")
                found.ratings[pool] = await store.ratings.load(pool) or b""
            async with platform.client() as client:
                for id_ in ids:
                    reply = await client.get_standings(id_)
                    found.standings[id_] = b"".join(
                        row.SerializeToString(deterministic=True) for row in reply.standings
                    )
            return
        except (StoreError, CliError):
            await asyncio.sleep(0.25)


async def _check(platform: Platform, store: Store, ids: list[str], found: Outcome) -> None:
    """Each planned match has its one result and its one record, and no key is left leased."""
    log = [entry.plan.id for pool in await store.ratings.pools()
           for entry in await store.ratings.log(pool)]  # fmt: skip
    assert len(log) == len(set(log)), "a result is in the rating log twice"
    for id_ in ids:
        planned = await store.matches.ids(id_)
        rows = await store.matches.load(planned)
        assert {row.state for row in rows} == {MatchState.DONE}, Counter(r.state for r in rows)
        results = await store.matches.results(id_)
        assert [plan.id for plan, _ in results] == list(planned)
        cup = await store.tournaments.get(id_)
        assert cup is not None
        assert (cup.done, cup.running, cup.failed) == (len(planned), 0, 0)
        assert not cup.rated or {row.plan.id for row in rows} <= set(log)
        deals = 0
        for row in rows:
            packed = await store.matches.record(row.plan.id)
            assert packed is not None, f"{row.plan.id} has a result and no record"
            record = record_from_wire(payloads.read_record(packed))
            replay(record)
            deals += len(record.deals)
            found.moves[row.plan.id] = moves(record)
            found.faults.update(verdicts(record))
            found.redeliveries += row.attempts - 1 - row.failures
            found.failed += row.failures
        assert cup.deals_done == deals, "deals are counted twice, or not at all"
        found.stale += cup.stale
    await _nothing_is_left(store, platform)
    assert len(found.moves) == len({*found.moves})


async def _nothing_is_left(store: Store, platform: Platform) -> None:
    async with redis.asyncio.Redis.from_url(_url(store)) as client:
        assert await client.zcard("hearts:leases") == 0
        async for key in client.scan_iter("hearts:playing:*"):
            raise AssertionError(f"{key} is left")
        async for key in client.scan_iter("hearts:match:*", count=1000):
            assert not await client.hexists(key, "lease_ms"), f"{key} is left under a lease"
    assert not list((platform.folder.path / "spool").rglob("*.commit"))


def _url(store: Store) -> str:
    options = store._link._pool.connection_kwargs
    return f"redis://:{options['password']}@{options['host']}:{options['port']}/0"


def differences(one: Outcome, other: Outcome) -> list[str]:
    """What is not the same in two runs, by name."""
    found = []
    for kind in ("standings", "moves", "ratings"):
        ours, theirs = getattr(one, kind), getattr(other, kind)
        names = sorted(n for n in {*ours, *theirs} if ours.get(n) != theirs.get(n))
        if names:
            more = f" and {len(names) - 3} more" if len(names) > 3 else ""
            found.append(f"{kind} of {', '.join(names[:3])}{more}")
    return found


def moves(record: MatchRecord) -> str:
    """All that was done at the table, and nothing of how long it took."""
    digest = hashlib.sha256()
    for deal in record.deals:
        for part in (deal.hands, deal.passes, deal.plays, deal.moon_choice, deal.points):
            digest.update(repr(part).encode())
    digest.update(repr((record.seats, record.end, record.totals, record.places)).encode())
    return digest.hexdigest()


def verdicts(record: MatchRecord) -> list[str]:
    """What a seat was blamed for."""
    return [found.verdict.name for found in record.all_incidents() if found.verdict]


def told(runs: Mapping[str, Outcome]) -> str:
    """What a person wants to know of the runs; the first is the one that was struck."""
    struck = next(iter(runs.values()))
    calm = [one.seconds for one in list(runs.values())[1:]]
    lines = [*struck.blows, f"{len(struck.blows)} blows, {len(struck.moves)} matches"]
    lines.append(
        f"redeliveries {struck.redeliveries} · failed attempts {struck.failed} · "
        f"stale results refused {struck.stale} · verdicts {dict(struck.faults) or 'none'}"
    )
    if calm:
        lines.append(f"seconds lost: {struck.seconds - min(calm):.0f}")
    lines += [f"  {name}: {one.seconds:.0f} s" for name, one in runs.items()]
    return "\n".join(lines)
