"""DR03, GR02: a link that swallows every packet and says nothing, in network namespaces."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import pytest
from real_arbiter import platform
from test_real_arbiter import OTHERS, seated

from arbiter.store import Store
from hearts.v1 import arbiter_pb2, play_pb2

SILENT_SECONDS = 40
KEEPALIVE_SECONDS = 35
"""The arbiter pings after 20 s of silence and waits 10 s for the answer; and some slack."""

BOT = """
import sys, time
from client_sdk import Bot, connect

class Anna(Bot):
    name = "anna"
    def play(self, turn):
        time.sleep(0.05)
        return turn.legal[0]
    def on_match_start(self, match):
        print("resumed" if match.resumed else "start", match.epoch, flush=True)
    def on_fallback(self, match, fallback):
        print("fallback", fallback.verdict_name, flush=True)

connect(Anna(), sys.argv[1], matches=1)
print("done", flush=True)
"""


def run(*words: str) -> None:
    subprocess.run(words, check=True, capture_output=True)


@contextmanager
def link(number: int) -> Iterator[tuple[str, str, str]]:
    """A namespace that reaches us over a link of its own: its name, our interface, our address."""
    namespace, ours, theirs = f"hearts{number}", f"hrt{number}a", f"hrt{number}b"
    net = f"10.211.{number % 250 + 1}"
    try:
        run("ip", "netns", "add", namespace)
        run("ip", "link", "add", ours, "type", "veth", "peer", "name", theirs)
        run("ip", "link", "set", theirs, "netns", namespace)
        run("ip", "addr", "add", f"{net}.1/30", "dev", ours)
        run("ip", "link", "set", ours, "up")
        inside = ("ip", "netns", "exec", namespace)
        run(*inside, "ip", "addr", "add", f"{net}.2/30", "dev", theirs)
        run(*inside, "ip", "link", "set", theirs, "up")
        yield namespace, ours, f"{net}.1"
    finally:
        subprocess.run(["ip", "netns", "del", namespace], capture_output=True)
        subprocess.run(["ip", "link", "del", ours], capture_output=True)


def can_have_a_link() -> bool:
    if os.geteuid() or not shutil.which("ip") or not shutil.which("tc"):
        return False
    try:
        with link(os.getpid()) as (namespace, ours, _):
            swallow(namespace, ours)
    except subprocess.CalledProcessError:
        return False
    return True


def swallow(namespace: str, ours: str) -> None:
    """Drop all that is sent from now on, in both directions: a bucket that no packet fits into."""
    bucket = ("root", "tbf", "rate", "8bit", "burst", "1", "latency", "1ms")
    run("tc", "qdisc", "add", "dev", ours, *bucket)
    theirs = ours[:-1] + "b"
    run("ip", "netns", "exec", namespace, "tc", "qdisc", "add", "dev", theirs, *bucket)


def heal(namespace: str, ours: str) -> None:
    run("tc", "qdisc", "del", "dev", ours, "root")
    theirs = ours[:-1] + "b"
    run("ip", "netns", "exec", namespace, "tc", "qdisc", "del", "dev", theirs, "root")


@pytest.mark.skipif(not can_have_a_link(), reason="needs root and network namespaces")
async def test_a_link_that_goes_silent_is_noticed_on_both_sides_and_the_match_goes_on(
    store: Store, tmp_path: Path
) -> None:
    """No FIN, no RST, for 40 s in the middle of a match. The arbiter counts the bot as gone, the
    bot comes back by itself, and no decision is lost: there was time for it."""
    (tmp_path / "anna.py").write_text(BOT)
    clock = play_pb2.Limits(
        connect_ms=20_000, decision_ms=90_000, rejoin_ms=90_000, match_ms=115_000
    )
    with link(os.getpid()) as (namespace, ours, address):
        async with platform(store, f"{address}:0") as there:
            await there.tournament("anna", *OTHERS, deals=1, boards=1, clock=clock)
            bot = await asyncio.create_subprocess_exec(
                *("ip", "netns", "exec", namespace, sys.executable, str(tmp_path / "anna.py")),
                there.address,
                env={"HEARTS_TOKEN": await there.token("anna"), "PATH": os.environ["PATH"]},
                cwd=Path(__file__).parents[2],
                stdout=asyncio.subprocess.PIPE,
            )
            try:
                async with seated(there, *OTHERS):
                    playing = asyncio.create_task(there.play(within=110))
                    assert bot.stdout is not None
                    assert await bot.stdout.readline() == b"start 1\n"
                    await asyncio.sleep(0.3)
                    swallow(namespace, ours)
                    began = monotonic()
                    while "anna" in there.arbiter.hub.online():
                        assert monotonic() - began < KEEPALIVE_SECONDS, "still counted as here"
                        await asyncio.sleep(0.1)
                    await asyncio.sleep(max(0.0, began + SILENT_SECONDS - monotonic()))
                    heal(namespace, ours)
                    [outcome] = await playing
                    said = (await bot.stdout.read()).decode().splitlines()
            finally:
                if bot.returncode is None:
                    bot.kill()
                await bot.wait()
            assert said == ["resumed 2", "done"]
            assert outcome.outcome == arbiter_pb2.ATTEMPT_OUTCOME_COMMITTED
            record = await there.record(outcome.match)
            kinds = [incident.kind for deal in record.deals for incident in deal.incidents]
            assert len(kinds) == 2, "lost, and back; no verdict"
