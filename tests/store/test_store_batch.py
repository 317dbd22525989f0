"""Scripts that travel together: nobody waits for company, nobody suffers from it."""

import asyncio

import pytest
import redis.exceptions

from arbiter.store import Store, StoreUnavailable
from arbiter.store.batch import Batch
from arbiter.store.link import Script

ECHO = Script("return ARGV[1]", flags="no-writes")
FAULT = Script("return redis.call('NONSENSE')", flags="no-writes")
SLOW = Script("for i = 1, 2000000 do end return 'slow'", flags="no-writes")


@pytest.fixture
def sizes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many scripts each round trip carried."""
    found: list[int] = []
    round_trip = Batch._round_trip

    async def counted(self: Batch, sent: list[object]) -> None:
        found.append(len(sent))
        await round_trip(self, sent)  # type: ignore[arg-type]

    monkeypatch.setattr(Batch, "_round_trip", counted)
    return found


async def test_scripts_asked_for_at_once_share_round_trips(store: Store, sizes: list[int]) -> None:
    link = store._link
    answers = await asyncio.gather(*(link.run(ECHO, n) for n in range(300)))
    assert answers == [b"%d" % n for n in range(300)]
    assert sizes[:3] == [128, 128, 44]
    await link.run(ECHO, 1)
    assert sizes[-1] == 1


async def test_one_that_fails_is_the_only_one_that_fails(store: Store) -> None:
    link = store._link
    asked = [link.run(ECHO, 1), link.run(FAULT), link.run(ECHO, 2)]
    first, fault, second = await asyncio.gather(*asked, return_exceptions=True)
    assert (first, second) == (b"1", b"2")
    assert isinstance(fault, redis.exceptions.ResponseError)


async def test_one_that_is_cancelled_takes_nobody_along(store: Store) -> None:
    link = store._link
    leaving, staying = (asyncio.create_task(link.run(ECHO, n)) for n in range(2))
    await asyncio.sleep(0)
    leaving.cancel()
    assert await staying == b"1"
    assert await link.run(ECHO, 2) == b"2"


async def test_closing_ends_what_is_under_way(store: Store) -> None:
    link = store._link
    asked = [asyncio.create_task(link.run(script, 1)) for script in (SLOW, ECHO)]
    await asyncio.sleep(0.005)
    await store.close()
    for answer in await asyncio.gather(*asked, return_exceptions=True):
        assert isinstance(answer, (StoreUnavailable, bytes))
