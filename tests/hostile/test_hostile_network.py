"""A host outside, which is a network namespace that the test makes: we reach it, a bot does not."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from hostile_kit import cage, got

from tests.hosting.hosting_kit import missing

OURS, THEIRS = "10.231.77.1", "10.231.77.2"
LISTENER = """
import socket
with socket.create_server(("0.0.0.0", 7799)) as server:
    print("listening", flush=True)
    while True:
        server.accept()[0].close()
"""


@dataclass
class Outside:
    """Where it listens."""

    place: str


@pytest.fixture
def outside() -> Iterator[Outside]:
    """A host with one listener, at the other end of a cable from this one."""
    if os.geteuid() != 0 or shutil.which("ip") is None:
        missing("needs root and ip (iproute2) to make a network namespace")
    name = f"hearts-{secrets.token_hex(3)}"
    here, there = f"hh{name[-6:]}", f"ht{name[-6:]}"

    def ip(*words: str) -> None:
        subprocess.run(["ip", *words], check=True, capture_output=True)

    listener = None
    try:
        try:
            ip("netns", "add", name)
            ip("link", "add", here, "type", "veth", "peer", "name", there, "netns", name)
            ip("addr", "add", f"{OURS}/30", "dev", here)
            ip("link", "set", here, "up")
            ip("-n", name, "addr", "add", f"{THEIRS}/30", "dev", there)
            ip("-n", name, "link", "set", there, "up")
        except subprocess.CalledProcessError as error:
            missing(f"no network namespace here: {error.stderr.decode().strip()}")
        listener = subprocess.Popen(
            ["ip", "netns", "exec", name, sys.executable, "-I", "-S", "-c", LISTENER],
            stdout=subprocess.PIPE,
        )
        assert listener.stdout is not None
        assert listener.stdout.readline() == b"listening\n"
        yield Outside(f"{THEIRS}:7799")
    finally:
        if listener is not None:
            listener.kill()
            listener.wait()
            if listener.stdout is not None:
                listener.stdout.close()
        for words in (["link", "del", here], ["netns", "del", name]):
            with suppress(subprocess.CalledProcessError):
                ip(*words)


async def test_no_host_outside_can_be_reached(tmp_path: Path, outside: Outside) -> None:
    """SS01: neither by TCP nor by UDP, and we can."""
    host, _, port = outside.place.rpartition(":")
    socket.create_connection((host, int(port)), 5).close()
    text, ending = await cage(tmp_path).ran("call_out", outside.place, f"udp:{outside.place}")
    assert ending.code == 0, text
    assert got(text) == []
    assert f"refused: {outside.place} Network is unreachable" in text
    assert f"refused: udp:{outside.place} Network is unreachable" in text
