"""The supervisor: ordered start, restarts, ordered stop, and no process that outlives it."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from workers.cli import child
from workers.cli.supervisor import LONGEST_DELAY_S, Service, ServiceFailed, Supervisor, backoff

SLEEP = [sys.executable, "-c", "import time; time.sleep(60)"]
DEAF = [
    sys.executable,
    "-c",
    "import signal, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
    "print('deaf', flush=True); time.sleep(60)",
]


def service(
    folder: Path,
    command: list[str],
    name: str = "one",
    ready: Callable[[], Awaitable[bool]] | None = None,
    *,
    ready_s: float = 5.0,
    stop_s: float = 5.0,
) -> Service:
    log = folder / f"{name}.log"
    return Service(name, lambda: child.start(command, {}, log), log, ready, ready_s, stop_s)


async def eventually(condition: Callable[[], bool], within_s: float = 10.0) -> None:
    deadline = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        await asyncio.sleep(0.02)


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


async def test_a_service_that_is_killed_runs_again(tmp_path: Path) -> None:
    said: list[str] = []
    supervisor = Supervisor(said.append)
    try:
        await supervisor.add(service(tmp_path, SLEEP))
        first = supervisor.pids()["one"]
        os.kill(first, signal.SIGKILL)
        await eventually(lambda: supervisor.pids().get("one", first) != first)
        assert said[0].startswith("one: ended by SIGKILL, starting again in")
    finally:
        await supervisor.stop()
    assert supervisor.pids() == {}


async def test_the_last_started_is_stopped_first(tmp_path: Path) -> None:
    supervisor = Supervisor(print)
    speak = "import signal,sys,time\nsignal.signal(15, lambda *_: sys.exit({code}))\ntime.sleep(60)"
    order: list[str] = []
    for code, name in enumerate(("redis", "arbiter", "worker")):
        command = [sys.executable, "-c", speak.format(code=code)]
        await supervisor.add(service(tmp_path, command, name))
    pids = supervisor.pids()

    async def watch() -> None:
        while pids:
            for name in [n for n, pid in pids.items() if not alive(pid)]:
                order.append(name)
                del pids[name]
            await asyncio.sleep(0.005)

    watching = asyncio.create_task(watch())
    await asyncio.sleep(0.3)
    await supervisor.stop()
    await asyncio.wait_for(watching, 5)
    assert order == ["worker", "arbiter", "redis"]


async def test_a_service_deaf_to_sigterm_is_killed_after_its_patience(tmp_path: Path) -> None:
    supervisor = Supervisor(print)
    await supervisor.add(service(tmp_path, DEAF, stop_s=0.3))
    pid = supervisor.pids()["one"]
    await eventually(lambda: "deaf" in (tmp_path / "one.log").read_text())
    begun = time.monotonic()
    await supervisor.stop()
    assert time.monotonic() - begun < 3
    assert not alive(pid)


async def test_an_early_end_is_told_with_its_last_words(tmp_path: Path) -> None:
    supervisor = Supervisor(print)
    command = [sys.executable, "-c", "print('port 7700 is taken'); raise SystemExit(4)"]

    async def never() -> bool:
        return False

    with pytest.raises(ServiceFailed, match="one ended with exit code 4") as failed:
        await supervisor.add(service(tmp_path, command, ready=never))
    await supervisor.stop()
    assert failed.value.code == 4
    assert failed.value.said == "port 7700 is taken"


async def test_a_service_that_is_never_ready_is_given_up_and_stopped(tmp_path: Path) -> None:
    supervisor = Supervisor(print)

    async def never() -> bool:
        return False

    with pytest.raises(ServiceFailed, match=r"was not ready within 0\.3 s"):
        await supervisor.add(service(tmp_path, SLEEP, ready=never, ready_s=0.3))
    await supervisor.stop()
    assert supervisor.pids() == {}


async def test_a_log_is_bounded_while_its_writer_goes_on(tmp_path: Path) -> None:
    """LR05: a child that talks for weeks fills no disk."""
    log = tmp_path / "one.log"
    # One write a line: what print writes apart may be cut apart.
    talk = (
        "import sys, time\n"
        "for n in range(10**6): sys.stdout.write(f'line {n}\\n'); sys.stdout.flush(); "
        "time.sleep(0.002)"
    )
    process = child.start([sys.executable, "-c", talk], {}, log)
    try:
        await eventually(lambda: log.stat().st_size > 200)
        child.bound(log, limit_bytes=100)
        old = log.with_name("one.log.1").read_text()
        assert old.startswith("line 0\n")
        await eventually(lambda: log.stat().st_size > 0)
        assert log.read_bytes().startswith(b"line "), "no hole before what is written next"
    finally:
        child.signal_group(process, signal.SIGKILL)
        process.wait()


def test_backoff_doubles_up_to_a_cap() -> None:
    middle = [backoff(failures, lambda: 0.5) for failures in range(8)]
    assert middle == [0.0, 0.5, 1, 2, 4, 8, LONGEST_DELAY_S, LONGEST_DELAY_S]
    assert backoff(1, lambda: 0.0) < backoff(1, lambda: 1.0)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's end")
async def test_no_child_outlives_a_supervisor_that_is_killed(tmp_path: Path) -> None:
    program = (
        "import sys, time; from pathlib import Path; from workers.cli import child\n"
        "p = child.start(['sleep', '60'], {}, Path(sys.argv[1]))\n"
        "print(p.pid, flush=True); time.sleep(60)"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "log")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as parent:
        assert parent.stdout
        pid = int(parent.stdout.readline())
        await eventually(lambda: Path(f"/proc/{pid}/comm").read_text() == "sleep\n")
        parent.kill()
    await eventually(lambda: not alive(pid), within_s=3)
