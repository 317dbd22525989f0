"""How long health and list calls take while 300 idle bots are connected to an arbiter.

The arbiter and its store run in a process of their own: ``python -m benchmarks.idle`` prints the
address, an administrator's token and the bots' tokens, as one line of JSON.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import subprocess
import sys
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from time import perf_counter
from typing import Any

import grpc.aio
from grpc_health.v1 import health_pb2, health_pb2_grpc

from arbiter.server import Arbiter
from arbiter.settings import Settings
from arbiter.store import Role, Store
from client_sdk.channel import OPTIONS
from hearts.v1 import bots_pb2, bots_pb2_grpc, play_pb2, play_pb2_grpc
from workers import redis_server

BOTS = 300
A_CONNECTION = 90
"""Streams on one connection; a server takes 100 of them."""
CALLS = 20


async def _serve(redis_url: str) -> None:
    store = await Store.open(redis_url)
    arbiter = Arbiter(store, Settings(redis_url=redis_url, listen="127.0.0.1:0"))
    await arbiter.start()
    bots = {}
    for number in range(BOTS):
        name = f"bot-{number}"
        await store.bots.create(name, False, "", name)
        bots[name] = await store.tokens.create(Role.BOT, name)
    admin = await store.tokens.create(Role.ADMIN)
    print(json.dumps({"address": arbiter.address, "admin": admin, "bots": bots}), flush=True)
    try:
        await asyncio.Event().wait()
    finally:
        await arbiter.stop(grace_s=0)
        await store.close()


async def _slowest(address: str, admin: str, bots: dict[str, str]) -> float:
    """Seconds of the slowest of some calls while every bot is connected."""
    async with AsyncExitStack() as stack:
        names = list(bots)
        calls = []
        for first in range(0, len(names), A_CONNECTION):
            channel = grpc.aio.insecure_channel(address, options=OPTIONS)
            play = play_pb2_grpc.PlayServiceStub(await stack.enter_async_context(channel))
            for name in names[first : first + A_CONNECTION]:
                call = play.Play(metadata=(("authorization", f"Bearer {bots[name]}"),))
                hello = play_pb2.Hello(
                    protocol_min=1, protocol_max=1, bot=f"bots/{name}", max_tables=1
                )
                await call.write(play_pb2.PlayRequest(frame=play_pb2.BotFrame(hello=hello)))
                calls.append(call)
        await asyncio.gather(*(call.read() for call in calls))
        channel = await stack.enter_async_context(grpc.aio.insecure_channel(address))
        health: Any = health_pb2_grpc.HealthStub(channel)  # it has no types
        metadata = (("authorization", f"Bearer {admin}"),)
        times = []
        for _ in range(CALLS):
            begun = perf_counter()
            await health.Check(health_pb2.HealthCheckRequest(), timeout=10)
            await bots_pb2_grpc.BotsServiceStub(channel).ListBots(
                bots_pb2.ListBotsRequest(), metadata=metadata, timeout=10
            )
            times.append(perf_counter() - begun)
        return max(times)


def slowest() -> float:
    """Seconds of the slowest pair of a health and a list call, of CALLS."""
    with subprocess.Popen(
        [sys.executable, "-m", "benchmarks.idle"], stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            told = json.loads(server.stdout.readline())
            return asyncio.run(_slowest(**told))
        finally:
            server.send_signal(signal.SIGINT)


if __name__ == "__main__":
    with (
        contextlib.suppress(KeyboardInterrupt),
        tempfile.TemporaryDirectory() as folder,
        redis_server.start(Path(folder)) as redis,
    ):
        asyncio.run(_serve(redis.url))
