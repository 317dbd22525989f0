"""A real arbiter on a free loopback port, over a real store."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import grpc.aio
import pytest
from services_kit import Api

from arbiter.server import Arbiter
from arbiter.settings import Settings
from arbiter.store import Role, Store


@pytest.fixture
async def arbiter(store: Store, tmp_path: Path) -> AsyncIterator[Arbiter]:
    settings = Settings(listen="127.0.0.1:0", arbiter_id="test", data_dir=tmp_path / "data")
    arbiter = Arbiter(store, settings)
    await arbiter.start()
    yield arbiter
    await arbiter.stop(grace_s=0)


@pytest.fixture
async def channel(arbiter: Arbiter) -> AsyncIterator[grpc.aio.Channel]:
    async with grpc.aio.insecure_channel(arbiter.address) as channel:
        yield channel


@pytest.fixture
async def admin(channel: grpc.aio.Channel, store: Store) -> Api:
    return Api(channel, await store.tokens.create(Role.ADMIN))


@pytest.fixture
async def worker(channel: grpc.aio.Channel, store: Store) -> Api:
    return Api(channel, await store.tokens.create(Role.WORKER))


@pytest.fixture
async def bot(channel: grpc.aio.Channel, store: Store) -> Api:
    return Api(channel, await store.tokens.create(Role.BOT, "anna"))


@pytest.fixture
async def kim(channel: grpc.aio.Channel, store: Store) -> Api:
    """An owner of bots."""
    await store.owners.create("kim")
    return Api(channel, await store.tokens.create(Role.OWNER, "kim"))


@pytest.fixture
async def lee(channel: grpc.aio.Channel, store: Store) -> Api:
    """Another owner."""
    await store.owners.create("lee")
    return Api(channel, await store.tokens.create(Role.OWNER, "lee"))
