"""The hostile kit: each attempt fails, and what is said about it is plain. SS01, SS04, CH04."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import time
from pathlib import Path

import pytest
from hostile_kit import SMALL, cage, commands, got

from workers.hosting.limits import MIB, Limits
from workers.redis_server import RedisServer


async def test_secrets_in_files_cannot_be_read(tmp_path: Path) -> None:
    """SS01: neither the system's nor the platform's nor another bot's."""
    here = cage(tmp_path)
    secret = tmp_path / "admin.token"
    secret.write_text("hrt_secret")
    other = here.job("flood").folder
    text, ending = await here.ran("read_secrets", str(secret), str(other), str(Path.home()))
    assert ending.code == 0, text
    assert [line for line in got(text) if "secret" in line or "token" in line] == []
    for place in ("/etc/shadow", str(secret), str(other), "/home"):
        assert f"refused: {place} No such file or directory" in text


async def test_no_environment_holds_a_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SS01."""
    monkeypatch.setenv("HEARTS_WORKER_TOKEN", "hrt_of-the-worker")
    monkeypatch.setenv("HEARTS_REDIS_URL", "redis://:password@127.0.0.1:1/0")
    text, ending = await cage(tmp_path).ran("read_environment")
    assert ending.code == 0, text
    assert "hrt_of" not in text
    assert "password" not in text
    assert "HOME=/tmp" in text


async def test_other_processes_are_neither_seen_nor_killed_nor_traced(tmp_path: Path) -> None:
    """SS04: with another bot running beside it."""
    here = cage(tmp_path)
    async with here.running("survive") as other:
        text, ending = await here.ran("see_processes")
        assert ending.code == 0, text
        assert "sees 2 processes, itself as 2" in text
        assert got(text) == []
        assert "refused: kill 1" in text
        assert "refused: trace Operation not permitted" in text
        assert not other.over


async def test_nothing_can_be_called_but_the_arbiter(
    tmp_path: Path, redis_server_: RedisServer
) -> None:
    """Redis, loopback, abstract sockets: all of them answer us and not the bot."""
    redis = redis_server_.url.rpartition("@")[2].partition("/")[0]
    name = f"hearts-test-{secrets.token_hex(4)}"
    with socket.socket(socket.AF_UNIX) as abstract, socket.create_server(("127.0.0.1", 0)) as tcp:
        abstract.bind(f"\0{name}")
        abstract.listen()
        host, port = tcp.getsockname()
        places = [redis, f"{host}:{port}", f"@{name}"]
        for place in places:
            await _answers(place)
        text, ending = await cage(tmp_path).ran("call_out", *places)
    assert ending.code == 0, text
    assert [f"refused: {place} Connection refused" for place in places] == text.splitlines()


async def _answers(place: str) -> None:
    """The test proves nothing about a place that answers nobody."""
    if place.startswith("@"):
        _, writer = await asyncio.open_unix_connection("\0" + place[1:])
    else:
        host, _, port = place.rpartition(":")
        _, writer = await asyncio.open_connection(host, int(port))
    writer.close()


async def test_a_fork_bomb_stays_small_and_ends(tmp_path: Path) -> None:
    here = cage(tmp_path)
    async with here.running("fork_bomb") as box:
        await asyncio.sleep(0.7)
        mine = [pid for pid, words in commands().items() if words.startswith("python -I -S bot")]
        # Beside a sandbox that is full another bot starts and ends as ever.
        text, ending = await here.ran("read_environment")
        assert (ending.code, len(mine) <= SMALL.processes) == (0, True), (text, mine)
        await box.wait()
        assert "refused: fork Resource temporarily unavailable" in box.output.text()


async def test_a_memory_bomb_is_named(tmp_path: Path) -> None:
    """LR02: out of memory, all its processes together, /tmp too."""
    here = cage(tmp_path)
    if here.host.groups is None:
        pytest.skip("no cgroups: memory is limited for each process alone")
    _, ending = await here.ran("memory_bomb")
    assert ending.memory == SMALL.memory
    assert "out of memory" in ending.words()
    assert "64 MiB" in ending.words()


async def test_the_disk_cannot_be_filled(tmp_path: Path) -> None:
    text, ending = await cage(tmp_path).ran("fill_disk")
    assert ending.code == 0, text
    assert got(text) == []
    assert "refused: /tmp after 4 MiB: No space left on device" in text
    assert "refused: /bot after 0 MiB: Read-only file system" in text
    assert int(text.rpartition("total ")[2]) <= 8


async def test_a_flood_of_output_costs_us_nothing(tmp_path: Path) -> None:
    """LR05, LR06: the end is kept, what is dropped is counted, and we do not read for ever."""
    here = cage(tmp_path)
    before = time.process_time()
    async with here.running("flood") as box:
        await asyncio.sleep(1.5)
    spent = time.process_time() - before
    text = box.output.text()
    assert len(text.encode()) < 66_000
    first = text.partition("\n")[0]
    assert first == f"[{box.output.dropped} bytes before this were dropped]" or "dropped" in first
    assert 0 < box.output.dropped < 32 * MIB
    assert spent < 1.0


async def test_nobody_survives_a_match(tmp_path: Path) -> None:
    """CH04: not a grandchild, nor one that has daemonised, nor one that ignores SIGTERM."""
    mark = f"mark-{secrets.token_hex(8)}"
    here = cage(tmp_path)
    async with here.running("survive", mark) as box:
        for _ in range(200):
            if "started" in box.output.text():
                break
            await asyncio.sleep(0.05)
        assert len([words for words in commands().values() if mark in words]) >= 2
        ending = await box.stop(grace_s=0.2)
    assert ending.words().startswith("stopped by the platform")
    assert [words for words in commands().values() if mark in words] == []
    assert here.host.groups is None or not _groups(here.host.groups.parents.values())


def _groups(parents: object) -> list[str]:
    mine = f"hearts-{os.getpid()}-"
    assert hasattr(parents, "__iter__")
    return [e.name for p in parents for e in Path(p).iterdir() if e.name.startswith(mine)]


async def test_a_worker_that_is_killed_takes_its_bots_with_it(tmp_path: Path) -> None:
    """CH04: kill -9 of the worker leaves no bot behind."""
    import subprocess
    import sys

    here = cage(tmp_path)
    mark = f"mark-{secrets.token_hex(8)}"
    folder = here.job("survive").folder
    program = (
        "import asyncio, pathlib\n"
        "from arbiter.settings import Settings\n"
        "from workers.hosting import box, host, jail, limits\n"
        "async def main():\n"
        f"    job = jail.Job(('python', '-I', '-S', 'bot.py', {mark!r}),"
        f" pathlib.Path({str(folder)!r}), limits.Limits())\n"
        "    await box.Box.start(host.look(Settings()), job)\n"
        "    await asyncio.sleep(600)\n"
        "asyncio.run(main())\n"
    )
    worker = subprocess.Popen([sys.executable, "-c", program])
    try:
        await _until(lambda: len([w for w in commands().values() if mark in w and "-S" in w]) >= 3)
    finally:
        worker.kill()
        worker.wait()
    await _until(lambda: not [w for w in commands().values() if f"bot.py {mark}" in w])


async def _until(holds: object, within: float = 30.0) -> None:
    assert callable(holds)
    deadline = time.monotonic() + within
    while not holds():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)


async def test_no_power_is_gained(tmp_path: Path) -> None:
    here = cage(tmp_path)
    text, ending = await here.ran("gain_power", limits=Limits())
    assert ending.code == 0, text
    assert got(text) == []
    assert "refused: become root Operation not permitted" in text
    assert "['0000000000000000']" in text
    if here.host.filter is not None:
        assert "refused: the kernel's keys Operation not permitted" in text
        assert "refused: a user namespace Operation not permitted" in text
