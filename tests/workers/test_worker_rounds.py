"""Formats that adapt, over a real store: whatever is killed, repeated or late, the pairings are
those of a quiet run."""

import asyncio
import hashlib
import random

import pytest

from arbiter.matches.advance import PATIENCE_MS, Advance, advance
from arbiter.store import MatchPlan, MatchState, Store, TournamentRow
from arbiter.store.link import Link
from arbiter.tournaments import wire
from arbiter.tournaments.history import Entry
from arbiter.tournaments.spec import Spec
from arbiter.tournaments.stage import Format, Stage
from hearts.rules import preset
from hearts.v1 import matches_pb2

BOTS = tuple(f"bot-{number:02}" for number in range(11))
STAGES = (
    Stage(Format.SWISS, rounds=3, advance=9),
    Stage(Format.KNOCKOUT, double_elimination=True),
)


def result(match: str) -> bytes:
    """Depends on nothing but the match."""
    digest = hashlib.sha256(match.encode()).digest()
    points = [byte % 27 for byte in digest[:4]]
    seats = [
        matches_pb2.SeatResult(points=value, place_times_two=2 * sorted(points).index(value) + 2)
        for value in points
    ]
    message = matches_pb2.MatchResult(
        end=2, seats=seats, deals=[matches_pb2.DealPoints(points=points)]
    )
    return message.SerializeToString(deterministic=True)


async def create(store: Store) -> None:
    spec = Spec("Cup", preset("standard"), 3, BOTS, stages=STAGES, deals=1, seed=5)
    row = TournamentRow("cup", wire.encode(spec), b"secret", True)
    await store.tournaments.create(row, entries=[Entry(bot) for bot in BOTS])


async def play_some(store: Store, chance: random.Random) -> None:
    """Claim a few, and end them in any order; some attempts are lost."""
    claims = await store.matches.claim(chance.randint(1, 9), 30_000)
    chance.shuffle(claims)
    for held in claims:
        if chance.random() < 0.2:
            await store.matches.release(held.match, held.lease)
        else:
            data = result(held.match)
            await store.matches.commit(held.match, held.lease, data, b"R", 1, None)


async def quiet(store: Store) -> list[MatchPlan]:
    await create(store)
    while (await advance(store, "cup")).outcome is not Advance.FINISHED:
        for held in await store.matches.claim(999, 30_000):
            await store.matches.commit(held.match, held.lease, result(held.match), b"R", 1, None)
    return await store.matches.plans("cup")


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_sp01_pairings_do_not_depend_on_who_dies_and_who_is_first(
    redis_url: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planners that die at any step, several at once, attempts that are lost, any order of
    results: the random draw of the knockout is what it would have been, and every planned match
    has exactly one result."""
    calm = await Store.open(redis_url, "calm:")
    wild = await Store.open(redis_url, "wild:")
    try:
        expected = await quiet(calm)
        chance = random.Random(seed)
        run = Link.run

        async def dying(self: Link, *arguments: object) -> object:
            if chance.random() < 0.1:
                raise ConnectionError("killed")
            return await run(self, *arguments)  # type: ignore[arg-type]

        await create(wild)
        for _ in range(2000):
            with monkeypatch.context() as patch:
                patch.setattr(Link, "run", dying)
                await asyncio.gather(
                    *(advance(wild, "cup") for _ in range(3)), return_exceptions=True
                )
            row = await wild.tournaments.get("cup")
            assert row is not None
            if row.over:
                break
            await play_some(wild, chance)
        assert await wild.matches.plans("cup") == expected
        assert row.reason == ""
        assert len(await wild.matches.ids("cup", MatchState.DONE)) == len(expected)
        assert await wild.matches.notes("cup") == await calm.matches.notes("cup")
    finally:
        await calm.close()
        await wild.close()


async def test_a_wave_that_is_being_written_is_left_to_its_writer_unless_that_is_dead(
    store: Store,
) -> None:
    await create(store)
    now = await store.tournaments.now_ms()
    await store._link.call("HSET", "hearts:tournament:cup", "writing_ms", now)
    assert (await advance(store, "cup", patient=True)).outcome is Advance.WAITING
    assert await store.matches.ids("cup") == ()
    await store._link.call("HSET", "hearts:tournament:cup", "writing_ms", now - PATIENCE_MS)
    assert (await advance(store, "cup", patient=True)).outcome is Advance.PLANNED
    row = await store.tournaments.get("cup")
    assert row is not None
    assert row.writing_ms == 0
