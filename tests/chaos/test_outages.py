"""The store is full, or refuses writes, while a tournament runs on the whole platform: matches in
progress finish, new ones wait, everybody can see why, and it goes on by itself."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from pathlib import Path

import pytest
from chaos_cups import SHORT, create, cups
from chaos_run import BOTS, LEASE_S, Outcome, _check, _collect, _start_bots, _until_over

from client_sdk.cli.errors import CliError
from workers.cli.folder import DataFolder
from workers.cli.platform import Platform, Wanted


async def _until(holds, within_s: float = 60) -> None:  # type: ignore[no-untyped-def]
    async with asyncio.timeout(within_s):
        while not await holds():  # noqa: ASYNC110 - other processes are waited for
            await asyncio.sleep(0.2)


async def _full(call, folder: Path) -> None:  # type: ignore[no-untyped-def]
    await call("CONFIG", "SET", "maxmemory", 1)


async def _misconf(call, folder: Path) -> None:  # type: ignore[no-untyped-def]
    os.mkdir(folder / "redis" / "dump.rdb")
    await call("CONFIG", "SET", "save", "1 1")
    await call("BGSAVE")


@pytest.mark.timeout(400)
@pytest.mark.parametrize(
    ("trouble", "words"),
    [(_full, "its memory is full"), (_misconf, "it cannot write its file")],
    ids=["full", "misconf"],
)
async def test_a_store_that_takes_no_writes_delays_a_tournament_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble, words: str
) -> None:
    """RC10, RC12: longer than a lease, with real workers and beat."""
    monkeypatch.setenv("HEARTS_LEASE_SECONDS", str(LEASE_S))
    robin = replace(cups(SHORT, BOTS)["chaos-robin"], boards=30, entries=BOTS[:4])
    said: list[str] = []
    with DataFolder(tmp_path / "data") as data:
        async with Platform(data, Wanted("127.0.0.1", 0, 1), said.append) as platform:
            await _start_bots(platform)
            store = platform._store
            assert store is not None
            await create(store, {"robin": robin})

            async def some() -> bool:
                row = await store.tournaments.get("robin")
                return row is not None and row.done > 3

            await _until(some)
            await trouble(store._link.call, data.path)

            async def seen() -> bool:
                async with platform.client() as client:
                    try:
                        reply = await client.explain_tournament("robin")
                        return words in reply.waits_for and not await client.healthy()
                    except CliError:
                        return False

            await _until(seen)
            await asyncio.sleep(2 * LEASE_S)
            row = await store.tournaments.get("robin")
            assert row is not None
            assert not row.over
            await store._link.call("CONFIG", "SET", "maxmemory", 0)
            await store._link.call("CONFIG", "SET", "save", "")
            await store._link.call("CONFIG", "SET", "stop-writes-on-bgsave-error", "no")
            async with asyncio.timeout(200):
                await _until_over(store, ["robin"])
            found = Outcome()
            await _collect(platform, store, ["robin"], found)
            await _check(platform, store, ["robin"], found)
            assert not found.faults
            assert len(found.moves) == 120
    assert not [line for line in said if "arbiter" in line], said
