"""Tokens, bots, tournaments, arbiters, ratings; the keys; how long things live."""

import asyncio
import re

import pytest
import redis.asyncio
from store_kit import claim, tournament

from arbiter.store import (
    ArbiterRow,
    Identity,
    IdTaken,
    NameTaken,
    Role,
    Store,
    TournamentRow,
    TournamentState,
)
from arbiter.store import keys as key_table
from arbiter.store.keys import Keys


async def test_a_token_is_known_until_it_is_replaced(store: Store) -> None:
    first = await store.tokens.create(Role.BOT, "anna")
    admin = await store.tokens.create(Role.ADMIN)
    assert re.fullmatch(r"hrt_[\w-]{43}", first)
    assert await store.tokens.lookup(first) == Identity(Role.BOT, "anna")
    assert await store.tokens.lookup("hrt_guess") is None
    assert await store.tokens.lookup("\udcff") is None
    second, third = await asyncio.gather(*(store.tokens.replace(Role.BOT, "anna") for _ in "ab"))
    alive = [await store.tokens.lookup(token) is not None for token in (first, second, third)]
    assert alive[0] is False
    assert sorted(alive[1:]) == [False, True]
    assert await store.tokens.revoke_all(Role.BOT, "anna") == 1
    assert await store.tokens.lookup(admin) == Identity(Role.ADMIN, "")


async def test_no_token_is_stored_in_clear(store: Store, redis_url: str) -> None:
    """SS08: a copy of the data lets nobody in."""
    token = await store.tokens.create(Role.WORKER)
    async with redis.asyncio.Redis.from_url(redis_url) as client:
        async for name in client.scan_iter():
            dump = await client.dump(name)
            assert token[4:].encode() not in name + dump


async def test_a_bots_name_is_its_own(store: Store) -> None:
    row, created = await store.bots.create("anna", True, "ducks", "request-1")
    assert (row.name, row.house, row.description, row.online, created) == (
        "anna",
        True,
        "ducks",
        False,
        True,
    )
    assert await store.bots.create("anna", True, "ducks", "request-1") == (row, False)
    for other in (("anna", True, "ducks", "request-2"), ("anna", False, "ducks", "request-1")):
        with pytest.raises(NameTaken, match="anna"):
            await store.bots.create(*other)
    assert await store.bots.get("bert") is None


async def test_two_registrations_of_a_name_at_once_make_one_bot(store: Store) -> None:
    made = await asyncio.gather(
        *(store.bots.create("anna", False, "", f"request-{n}") for n in range(5)),
        return_exceptions=True,
    )
    assert sum(not isinstance(one, NameTaken) for one in made) == 1


async def test_bots_are_listed_by_name_in_pages(store: Store) -> None:
    for name in ("dora", "anna", "cleo", "bert"):
        await store.bots.create(name, False, "", "")
    first = await store.bots.list(limit=3)
    rest = await store.bots.list(after=first[-1].name, limit=3)
    assert [row.name for row in first + rest] == ["anna", "bert", "cleo", "dora"]
    found = await store.bots.get_many(["cleo", "nobody"])
    assert [row and row.name for row in found] == ["cleo", None]


async def test_a_bot_is_online_while_its_arbiter_says_so(store: Store) -> None:
    await store.bots.create("anna", False, "", "")

    async def where() -> str:
        row = await store.bots.get("anna")
        assert row is not None
        return row.arbiter

    await store.bots.set_online("anna", "north", "hearts-python 0.1.0", 0.05)
    assert await where() == "north"
    await asyncio.sleep(0.06)
    assert await where() == ""
    await store.bots.set_online("anna", "south", "hearts-js 1.0", 60)
    await store.bots.set_offline("anna", "north")  # late: it has moved on
    assert await where() == "south"
    await store.bots.set_offline("anna", "south")
    row = await store.bots.get("anna")
    assert row is not None
    assert (row.online, row.sdk) == (False, "hearts-js 1.0")


async def test_a_repeated_request_makes_one_tournament(store: Store) -> None:
    rows = [TournamentRow(f"cup-{n}", b"spec", b"secret", True) for n in range(5)]
    made = await asyncio.gather(*(store.tournaments.create(row, "request") for row in rows))
    assert sum(created for _, created in made) == 1
    assert len({row.id for row, _ in made}) == 1
    assert len(await store.tournaments.list()) == 1
    with pytest.raises(IdTaken):
        await store.tournaments.create(made[0][0], "other request")


async def test_tournaments_are_listed_newest_first(store: Store) -> None:
    for n in range(5):
        await store.tournaments.create(TournamentRow(f"cup-{n}", b"", b"", False))
    first = await store.tournaments.list(limit=3)
    rest = await store.tournaments.list(before=first[-1].id, limit=3)
    assert [row.id for row in first + rest] == ["cup-4", "cup-3", "cup-2", "cup-1", "cup-0"]
    assert await store.tournaments.list(before="nothing") == []


async def test_a_tournament_ends_once(store: Store) -> None:
    await tournament(store)
    assert await store.tournaments.running() == ("cup",)
    ended = await store.tournaments.finish("cup", "all played")
    again = await store.tournaments.finish("cup", "another reason")
    assert ended is not None
    assert ended == again
    assert (ended.state, ended.reason) == (TournamentState.FINISHED, "all played")
    assert ended.finish_ms >= ended.create_ms > 0
    assert await store.tournaments.running() == ()


async def test_a_watcher_sees_each_change_and_the_end(store: Store) -> None:
    await tournament(store, matches=1)
    (held,) = await claim(store)
    seen = []
    async for row in store.tournaments.watch("cup", interval_s=0.01):
        seen.append((row.state.value, row.done))
        if len(seen) == 1:
            await store.matches.commit(held.match, held.lease, b"r", b"R", 1, None)
        if len(seen) == 2:
            await store.tournaments.finish("cup")
    assert seen == [("running", 0), ("running", 1), ("finished", 1)]
    assert [row async for row in store.tournaments.watch("nothing")] == []


async def test_arbiters_are_known_while_they_announce_themselves(store: Store) -> None:
    await store.arbiters.announce("a", "127.0.0.1:1", 5, 60)
    await store.arbiters.announce("b", "127.0.0.1:2", 2, 60)
    await store.arbiters.announce("c", "127.0.0.1:3", 0, 0.02)
    await asyncio.sleep(0.03)
    rows = [ArbiterRow("b", "127.0.0.1:2", 2), ArbiterRow("a", "127.0.0.1:1", 5)]
    assert await store.arbiters.alive() == rows
    await store.arbiters.withdraw("b")
    assert await store.arbiters.alive() == rows[1:]


async def test_a_fit_is_due_when_there_are_new_results_and_asked_for_once(store: Store) -> None:
    await tournament(store, matches=2)
    pool = "standard-4"
    assert not await store.ratings.due(pool, 0)
    for n, held in enumerate(await claim(store, 2), start=1):
        await store.matches.commit(held.match, held.lease, b"r%d" % n, b"R", 1, pool)
        if n == 1:
            asked = await asyncio.gather(*(store.ratings.due(pool, 60_000) for _ in range(4)))
            assert sorted(asked) == [False, False, False, True]
    assert [entry.result for entry in await store.ratings.log(pool, start=1)] == [b"r2"]
    assert await store.ratings.save(pool, b"fit of two", 2)
    assert not await store.ratings.save(pool, b"slower fit of one", 1)
    assert await store.ratings.load(pool) == b"fit of two"
    assert not await store.ratings.due(pool, 0)
    assert await store.ratings.pools() == [pool]
    assert await store.ratings.load("nothing") is None


async def test_unknown_names_are_nothing(store: Store) -> None:
    """RC09: never a default, never "pending"."""
    assert await store.tournaments.get("nothing") is None
    assert await store.tournaments.cancel("nothing", "") is None
    assert await store.matches.get("nothing") is None
    assert await store.matches.load(["nothing"]) == []
    assert await store.matches.record("nothing") is None
    assert await store.matches.results("nothing") == []
    assert await store.matches.list("nothing") == []


async def test_only_presence_and_announcements_ever_expire(store: Store, redis_url: str) -> None:
    """RC09: results are still there with the clock thirty days on."""
    await tournament(store, matches=2)
    for held in await claim(store, 2):
        await store.matches.checkpoint(held.match, held.lease, 1, b"c")
        await store.matches.commit(held.match, held.lease, b"r", b"R", 1, "standard-4")
    await store.ratings.save("standard-4", b"fit", 2)
    await store.tokens.create(Role.ADMIN)
    await store.bots.create("anna", False, "", "r")
    await store.bots.set_online("anna", "north", "", 60)
    await store.arbiters.announce("north", "x:1", 0, 60)
    expiring = set()
    async with redis.asyncio.Redis.from_url(redis_url) as client:
        names = [name.decode() async for name in client.scan_iter()]
        for name in names:
            if await client.ttl(name) != -1:
                expiring.add(name)
    assert expiring == {"hearts:online:anna", "hearts:arbiter:north"}
    assert all(name.startswith("hearts:") for name in names)


async def test_lua_and_python_make_the_same_keys(store: Store) -> None:
    keys = Keys("some.where:")
    for noun in key_table.NOUNS:
        for parts in ((), ("a-1",), ("a-1", "b:2")):
            try:
                expected = keys(noun, *parts)
            except IndexError:
                continue
            arguments = ", ".join(f"'{part}'" for part in parts)
            text = f"{keys.lua()} return key.{noun}({arguments})"
            assert await store._link.call("EVAL", text, 0) == expected.encode()
            break


def test_a_strange_namespace_is_refused() -> None:
    with pytest.raises(ValueError, match="letters"):
        Keys("a' .. b")


async def test_two_namespaces_share_a_server_without_meeting(store: Store, redis_url: str) -> None:
    other = await Store.open(redis_url, "other:")
    await tournament(store)
    assert await other.tournaments.list() == []
    assert await other.matches.claim(1, 1000) == []
    await other.close()
