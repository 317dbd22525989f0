"""`python -m workers.health arbiter|worker|beat`: does it do its work, and not only live?

For the health checks of containers, on the same machine and with the same environment as what is
looked at. Exits 0 for yes, 1 for no with the reason on standard error.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import grpc
import redis
from grpc_health.v1 import health_pb2, health_pb2_grpc

from arbiter.settings import Settings
from arbiter.store.keys import Keys
from workers.dial import Tls

IDLE_S = 30.0
"""A worker that has taken nothing for so long, while messages wait, does not consume; a beat whose
ticks have not arrived for so long, while none wait, does not beat."""
TIMEOUT_S = 4.0
QUEUE = "hearts"


class Sick(Exception):
    """It does not do its work; the message says how that shows."""


def state_file() -> Path:
    """Where a worker notes when it last began or ended a task."""
    folder = os.environ.get("HEARTS_WORKER_STATE") or tempfile.gettempdir()
    return Path(folder) / f"hearts-worker-{os.getuid()}.json"


def note(*, running: bool) -> None:
    """A task begins, or has ended: called by the worker itself."""
    path = state_file()
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        fresh.write_text(json.dumps({"running": running, "at": time.time()}), "utf-8")
        fresh.replace(path)
    except OSError:
        return  # health is not worth a task


def arbiter(settings: Settings) -> None:
    """It serves, and its store takes results. Raises Sick."""
    host, _, port = settings.listen.rpartition(":")
    host = "127.0.0.1" if host.strip("[]") in ("0.0.0.0", "::") else host  # noqa: S104 - compared
    address = f"{host}:{port}"
    options = (("grpc.enable_http_proxy", 0),)
    if settings.tls_cert is None:
        channel = grpc.insecure_channel(address, options)
    else:
        tls = Tls(settings.tls_ca, settings.tls_client_cert, settings.tls_client_key)
        channel = grpc.secure_channel(address, tls.credentials(), options)
    with channel:
        try:
            stub: Any = health_pb2_grpc.HealthStub(channel)
            reply = stub.Check(health_pb2.HealthCheckRequest(), timeout=TIMEOUT_S)
        except grpc.RpcError as error:
            raise Sick(f"the arbiter at {address} does not answer: {error.code().name}") from None
    if reply.status != health_pb2.HealthCheckResponse.SERVING:
        raise Sick("the arbiter does not serve: its store is away, full, or refuses writes")


def worker(settings: Settings) -> None:
    """It takes messages while there are any. Raises Sick."""
    waiting = _waiting(settings)
    try:
        state = json.loads(state_file().read_text("utf-8"))
    except (OSError, ValueError):
        state = {"running": False, "at": 0.0}
    idle = time.time() - state["at"]
    if waiting and not state["running"] and idle > IDLE_S:
        raise Sick(f"{waiting} messages wait and nothing was taken for {idle:.0f} s")


def beat(settings: Settings) -> None:
    """Its ticks wait to be taken, or have been taken a moment ago. Raises Sick."""
    if _waiting(settings):
        return
    key = Keys(settings.namespace)("counter", "sweep_ms")
    client: Any
    with redis.Redis.from_url(settings.redis_url, socket_timeout=TIMEOUT_S) as client:
        seconds, micros = client.time()
        last = int(client.get(key) or 0) / 1000
    late = seconds + micros / 1e6 - last
    if late > IDLE_S:
        raise Sick(f"no tick has arrived for {late:.0f} s")


def _waiting(settings: Settings) -> int:
    with redis.Redis.from_url(settings.broker_url, socket_timeout=TIMEOUT_S) as client:
        found: Any = client.llen(QUEUE)
        return int(found)


CHECKS: Mapping[str, Callable[[Settings], None]] = {
    "arbiter": arbiter,
    "worker": worker,
    "beat": beat,
}


def main(arguments: list[str]) -> int:
    """Returns the exit code."""
    if len(arguments) != 1 or arguments[0] not in CHECKS:
        print(f"usage: python -m workers.health {'|'.join(CHECKS)}", file=sys.stderr)
        return 2
    try:
        CHECKS[arguments[0]](Settings())
    except Sick as reason:
        print(reason, file=sys.stderr)
        return 1
    except redis.RedisError as error:
        print(f"the broker or the store: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
