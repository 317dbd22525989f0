"""The first start of a new store leaves one admin's token, in a file and nowhere else."""

from __future__ import annotations

import asyncio
import stat
from pathlib import Path

import arbiter_process

from arbiter.first_start import first_admin
from arbiter.settings import Settings
from arbiter.store import Role, Store


def left(folder: Path) -> list[Path]:
    return list(folder.glob("*/*"))


async def test_one_admin_whoever_starts_first(store: Store, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in "abc"]
    made = await asyncio.gather(
        *(first_admin(store, Settings(data_dir=folder)) for folder in folders)
    )
    [path] = [each for each in made if each]
    assert left(tmp_path) == [path]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    identity = await store.tokens.lookup(path.read_text().strip())
    assert identity is not None
    assert identity.role is Role.ADMIN
    assert await first_admin(store, Settings(data_dir=tmp_path)) is None


async def test_a_token_of_another_store_is_left_alone(store: Store, tmp_path: Path) -> None:
    (tmp_path / "admin.token").write_text("of another store")
    path = await first_admin(store, Settings(data_dir=tmp_path))
    assert path is not None
    assert path != tmp_path / "admin.token"
    assert (tmp_path / "admin.token").read_text() == "of another store"


async def test_ss08_the_arbiter_says_where_it_is_and_not_what_it_is(
    redis_url: str, store: Store, tmp_path: Path
) -> None:
    settings = {"listen": "127.0.0.1:0", "data_dir": str(tmp_path)}
    async with arbiter_process.process(redis_url, **settings) as started:
        await arbiter_process.ready(started)
        assert started.stdout is not None
        line = (await asyncio.wait_for(started.stdout.readline(), 20)).decode()
        path = tmp_path / "admin.token"
        assert line == f"first start: the admin's token is in {path}\n"
        token = path.read_text().strip()
        assert await store.tokens.lookup(token)
        started.terminate()
        code, errors = await arbiter_process.ended(started)
        assert code == 0
        assert token not in errors
