"""The server itself: what is refused, what the messages say, what a crash leaves."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import redis

from arbiter.store import Store, StoreError, StoreRefused, StoreUnavailable, WrongServer
from workers import redis_server
from workers.redis_server import RedisServer, RedisServerError


async def test_the_bundled_server_passes_the_check(store: Store) -> None:
    await store.check_server()


@pytest.mark.parametrize(
    ("setting", "value", "advice", "excusable"),
    [
        ("maxmemory-policy", "allkeys-lru", "set 'maxmemory-policy noeviction'", False),
        ("appendonly", "no", "set 'appendonly yes'", True),
        ("requirepass", "", "set 'requirepass'", True),
    ],
)
async def test_a_server_that_could_lose_data_is_refused_with_the_cure(
    redis_data: Path, setting: str, value: str, advice: str, excusable: bool
) -> None:
    """RC10, SS06."""
    with redis_server.start(redis_data) as server:
        store = await Store.open(server.url)
        await store._link.call("CONFIG", "SET", setting, value)
        with pytest.raises(WrongServer, match=advice):
            await store.check_server()
        if excusable:
            await store.check_server(allow_insecure=True)
        else:
            with pytest.raises(WrongServer, match=advice):
                await store.check_server(allow_insecure=True)
        await store.close()


async def test_a_server_that_is_not_there_is_unavailable() -> None:
    start = time.monotonic()
    with pytest.raises(StoreUnavailable, match="cannot be reached"):
        await Store.open("redis://127.0.0.1:1/0")
    assert time.monotonic() - start < 5


async def test_a_wrong_password_is_refused_and_not_repeated(redis_url: str) -> None:
    """SS08"""
    wrong = redis_url.replace(redis_url.split(":")[2].split("@")[0], "hunter2")
    with pytest.raises(StoreRefused) as caught:
        await Store.open(wrong)
    assert "hunter2" not in str(caught.value)


async def test_the_store_goes_on_after_a_restart(redis_data: Path) -> None:
    with redis_server.start(redis_data) as server:
        store = await Store.open(server.url)
        await store.bots.create("anna", False, "", "")
        redis_server.kill(server)
        with pytest.raises(StoreError):
            await store.bots.get("anna")
        with redis_server.start(redis_data, server.port):
            row = await store.bots.get("anna")
            assert row is not None
            await store.matches.claim(1, 1000)  # scripts are there again, too
        await store.close()


def test_the_server_is_private(redis_server_: RedisServer) -> None:
    """SS06, SS08: loopback only, a password, and neither in the process list nor readable."""
    password = redis_server_.url.split(":")[2].split("@")[0]
    listed = Path(f"/proc/{redis_server_.process.pid}/cmdline").read_bytes()
    assert password.encode() not in listed
    assert b"127.0.0.1" in listed or b"redis.conf" in listed
    with (
        redis.Redis(port=redis_server_.port, retry=None) as stranger,
        pytest.raises(redis.AuthenticationError),
    ):
        stranger.ping()
    with redis.Redis.from_url(redis_server_.url) as client:
        assert client.config_get("bind") == {"bind": "127.0.0.1"}
        folder = Path(client.config_get("dir")["dir"])
    for name in ("redis.conf", "redis.password"):
        assert (folder / name).stat().st_mode & 0o777 == 0o600


def test_a_taken_port_is_a_clear_error(redis_server_: RedisServer, redis_data: Path) -> None:
    with pytest.raises(RedisServerError, match=f"port {redis_server_.port} is taken"):
        redis_server.start(redis_data, redis_server_.port)


def test_a_folder_has_one_server(redis_data: Path) -> None:
    """Two servers that append to one file would destroy it."""
    with (
        redis_server.start(redis_data),
        pytest.raises(RedisServerError, match="already uses the folder"),
    ):
        redis_server.start(redis_data)
    redis_server.start(redis_data).stop()


_PARENT = """
import sys, time
from pathlib import Path
from workers import redis_server
print(redis_server.start(Path(sys.argv[1])).process.pid, flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's end")
def test_the_server_does_not_outlive_its_parent(redis_data: Path) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", _PARENT, str(redis_data)], stdout=subprocess.PIPE
    )
    assert parent.stdout is not None
    with parent.stdout:
        child = int(parent.stdout.readline())
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    deadline = time.monotonic() + 10
    while _runs(child):
        assert time.monotonic() < deadline, "an orphan was left"
        time.sleep(0.02)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # Where nobody reaps orphans, a dead process still has an entry.
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
