"""A real Redis server for the tests that need one, started once and emptied for each."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import redis

from arbiter.store import Store
from workers import redis_server
from workers.redis_server import RedisServer


@pytest.fixture(scope="session")
def redis_server_(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """The session's server. Tests that stop or reconfigure one start their own."""
    with redis_server.start(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def redis_url(redis_server_: RedisServer) -> str:
    """URL of an empty store (database 0); Celery's broker (database 1) is empty too."""
    with redis.Redis.from_url(redis_server_.url) as client:
        client.flushall()
    return redis_server_.url


@pytest.fixture
async def store(redis_url: str) -> AsyncIterator[Store]:
    """An empty store."""
    store = await Store.open(redis_url)
    yield store
    await store.close()


@pytest.fixture
def redis_data(tmp_path: Path) -> Path:
    """A folder for a server of the test's own."""
    return tmp_path / "redis"
