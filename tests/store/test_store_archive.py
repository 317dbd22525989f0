"""The whole store in one file, and back."""

import asyncio
import json
import zipfile
from pathlib import Path

import pytest
import redis.asyncio
from store_kit import claim, results_and_records, tournament

from arbiter.store import Role, Store, WrongServer, archive
from arbiter.store.archive import ArchiveError, Vault, check, load, save
from arbiter.store.schema import VERSION
from workers import redis_server


async def _filled(store: Store) -> list[str]:
    """A tournament half played, a token, something that expires, bytes that are no text."""
    planned = await tournament(store, matches=6)
    for held in (await claim(store, 4))[:3]:
        await store.matches.commit(held.match, held.lease, b"\xff\x00", b"R\n\x80", 2, "pool")
    await store.tokens.create(Role.BOT, "anna")
    await store.bots.set_online("anna", "north", "", 60)
    return [plan.id for plan in planned]


async def _all(url: str) -> dict[bytes, bytes]:
    async with redis.asyncio.Redis.from_url(url) as client:
        return {key: await client.dump(key) async for key in client.scan_iter("*")}


async def test_an_archive_holds_all_that_lasts_and_another_store_continues_from_it(
    store: Store, redis_url: str, redis_data: Path, tmp_path: Path
) -> None:
    ids = await _filled(store)
    blobs = tmp_path / "blobs"
    (blobs / "ab").mkdir(parents=True)
    (blobs / "ab" / "abcd").write_bytes(b"a bot")
    made = save(Vault(redis_url), tmp_path / "a.zip", blobs)
    assert (made.matches, made.schema, made.store, made.blobs) == (3, VERSION, store.id, 1)
    assert check(tmp_path / "a.zip") == made
    with redis_server.start(redis_data) as server:
        # A store that was opened and never used is empty too.
        await (await Store.open(server.url)).close()
        assert load(Vault(server.url), tmp_path / "a.zip", tmp_path / "new") == made
        assert (tmp_path / "new" / "ab" / "abcd").read_bytes() == b"a bot"
        again = await Store.open(server.url)
        assert again.id == store.id
        cup = await again.tournaments.get("cup")
        assert cup is not None
        assert (cup.planned, cup.done, cup.running, cup.deals_done) == (6, 3, 1, 6)
        assert await results_and_records(server.url, ids) == (3, 3)
        assert [c.match for c in await again.matches.claim(9, 1000)] == ids[4:]
        with pytest.raises(ArchiveError, match="restore into an empty one"):
            load(Vault(server.url), tmp_path / "a.zip")
        await again.close()


async def test_what_is_written_meanwhile_waits_and_the_copy_is_of_one_moment(
    store: Store, redis_url: str, tmp_path: Path
) -> None:
    """Counters, results and records agree although commits go on all the time."""
    await tournament(store, matches=300)
    held = await claim(store, 300)
    taken = 0

    async def commit() -> None:
        nonlocal taken
        for one in held:
            await store.matches.commit(one.match, one.lease, b"r" * 50, b"R" * 500, 1, "pool")
            taken += 1

    going = asyncio.create_task(commit())
    while taken < 10:  # noqa: ASYNC110 - the commits themselves are watched
        await asyncio.sleep(0.001)
    made = await asyncio.to_thread(save, Vault(redis_url), tmp_path / "a.zip")
    await going
    assert 10 <= made.matches <= 300
    with zipfile.ZipFile(tmp_path / "a.zip") as file:
        lines = [json.loads(line) for line in file.read("keys.jsonl").splitlines()]
    found = {line["k"]: line["v"] for line in lines}
    cup = dict(zip(found[" tournament:cup"][::2], found[" tournament:cup"][1::2], strict=True))
    assert int(cup[" deals_done"]) == made.matches
    assert len(found[" log:pool"]) == len(found[" done:cup"]) // 2 == made.matches


@pytest.mark.parametrize("where", [0.02, 0.3, 0.5, 0.8, 0.999])
async def test_a_damaged_archive_is_refused_before_anything_is_written(
    store: Store, redis_url: str, tmp_path: Path, where: float
) -> None:
    await _filled(store)
    path = tmp_path / "a.zip"
    save(Vault(redis_url), path)
    data = bytearray(path.read_bytes())
    data[int(where * len(data))] ^= 0x10
    path.write_bytes(data)
    async with redis.asyncio.Redis.from_url(redis_url) as client:
        await client.flushall()
    with pytest.raises(ArchiveError, match=r"damaged|no archive"):
        load(Vault(redis_url), path)
    assert await _all(redis_url) == {}


async def test_a_newer_archive_and_a_half_filled_store_are_refused(
    store: Store, redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _filled(store)
    path = tmp_path / "a.zip"
    save(Vault(redis_url), path)
    newer = tmp_path / "newer.zip"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(newer, "w") as file:
        manifest = json.loads(old.read("manifest.json")) | {"schema": VERSION + 1}
        file.writestr("keys.jsonl", old.read("keys.jsonl"))
        file.writestr("manifest.json", json.dumps(manifest))
    sealed = newer.read_bytes()
    monkeypatch.setattr(archive, "_seal", lambda _whole: sealed)
    with pytest.raises(ArchiveError, match="upgrade this installation"):
        check(newer)
    monkeypatch.undo()
    async with redis.asyncio.Redis.from_url(redis_url) as client:
        await client.flushall()
    vault = Vault(redis_url)

    def dying():  # type: ignore[no-untyped-def]
        with zipfile.ZipFile(path) as file, file.open("keys.jsonl") as lines:
            for number, line in enumerate(lines):
                if number == 8:
                    raise OSError("killed")
                yield json.loads(line)

    with pytest.raises(OSError, match="killed"):
        vault.fill(dying())
    with pytest.raises(WrongServer):
        await Store.open(redis_url)
