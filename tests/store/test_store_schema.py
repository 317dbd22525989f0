"""The stamp of a store: who wrote its data, and who may read it."""

import asyncio

import pytest
import redis.asyncio
from store_kit import claim, tournament

from arbiter.store import Store, WrongServer
from arbiter.store.keys import Keys
from arbiter.store.link import Link
from arbiter.store.schema import VERSION, stamp


async def test_a_store_has_one_id_whoever_opens_it_first(redis_url: str) -> None:
    stores = await asyncio.gather(*(Store.open(redis_url) for _ in range(4)))
    assert len({store.id for store in stores}) == 1
    assert len(stores[0].id) == 16
    for store in stores:
        await store.close()


async def test_data_from_before_the_stamp_is_taken_over(store: Store, redis_url: str) -> None:
    await tournament(store, matches=2)
    async with redis.asyncio.Redis.from_url(redis_url) as client:
        await client.delete("hearts:store")
        again = await Store.open(redis_url)
        assert int(await client.hget("hearts:store", "version")) == VERSION
    assert len(await claim(again, 2)) == 2
    await again.close()


async def test_data_of_a_newer_version_is_refused_and_left_as_it_is(redis_url: str) -> None:
    async with redis.asyncio.Redis.from_url(redis_url) as client:
        await client.hset("hearts:store", "version", VERSION + 1)
        with pytest.raises(WrongServer, match=f"form {VERSION + 1}.*upgrade this installation"):
            await Store.open(redis_url)
        assert await client.hgetall("hearts:store") == {b"version": b"%d" % (VERSION + 1)}


async def test_older_data_goes_through_every_step_in_order_and_a_dead_one_is_repeated(
    redis_url: str,
) -> None:
    link = Link(redis_url, Keys("hearts:"))
    taken: list[int] = []

    async def first(_link: Link) -> None:
        taken.append(0)

    async def second(_link: Link) -> None:
        taken.append(1)
        if len(taken) == 2:
            raise ConnectionError("killed")

    steps = {0: first, 1: second}
    with pytest.raises(ConnectionError):
        await stamp(link, 2, steps)
    found = await stamp(link, 2, steps)
    assert (found.version, taken) == (2, [0, 1, 0, 1])
    assert await stamp(link, 2, steps) == found
    assert len(taken) == 4
    await link.close()
