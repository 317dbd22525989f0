"""Channels to arbiters, and which of them to leave alone for a while."""

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
from grpc import ChannelConnectivity as Connectivity

from arbiter.store import ArbiterRow
from hearts.v1 import arbiter_pb2_grpc

CONNECT_S = 3.0
"""For a connection to come about; beyond it the arbiter counts as unreachable."""

FIRST_DELAY_S = 0.5
LONGEST_DELAY_S = 10.0
"""How long an arbiter is left alone after its first failure, doubled for each further one."""

# Dead peers are found by pings: a batch may be silent for minutes while bots
# think. The arbiter allows a ping each 5 s.
OPTIONS = (
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 3_000),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    # A machine's HTTP proxy is for the internet, not for the next process.
    ("grpc.enable_http_proxy", 0),
)


class Unreachable(Exception):
    """No connection to this address."""


@dataclass(frozen=True, slots=True)
class Tls:
    """What is trusted, and shown, where an arbiter's address begins with https://. PEM files;
    without `ca` the system's authorities are trusted."""

    ca: Path | None = None
    cert: Path | None = None
    key: Path | None = None

    def credentials(self) -> grpc.ChannelCredentials:
        """As gRPC wants them. Raises OSError for a file that cannot be read."""
        parts = [path.read_bytes() if path else None for path in (self.ca, self.key, self.cert)]
        return grpc.ssl_channel_credentials(*parts)


@dataclass(slots=True)
class _Trouble:
    failures: int
    until: float


@dataclass(slots=True)
class Dialer:
    """The channels of one process; belongs to its event loop."""

    token: str
    tls: Tls = field(default_factory=lambda: Tls())
    clock: Callable[[], float] = time.monotonic
    _channels: dict[str, grpc.aio.Channel] = field(default_factory=dict)
    _troubles: dict[str, _Trouble] = field(default_factory=dict)

    @property
    def quiet(self) -> bool:
        """Whether ``failed("")`` (no arbiter at all) was said a short while ago."""
        return "" in self._troubles and self._troubles[""].until > self.clock()

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """For each call."""
        return (("authorization", f"Bearer {self.token}"),)

    def free(self, alive: Iterable[ArbiterRow]) -> list[ArbiterRow]:
        """The arbiters that are not left alone now."""
        now = self.clock()
        return [
            row
            for row in alive
            if row.address not in self._troubles or self._troubles[row.address].until <= now
        ]

    def choose(self, alive: Iterable[ArbiterRow]) -> ArbiterRow | None:
        """The least loaded arbiter that is not left alone now; None when there is none."""
        return min(self.free(alive), key=lambda row: (row.tables, row.id), default=None)

    def failed(self, address: str) -> float:
        """Leave this arbiter alone for a while; returns for how long, in seconds."""
        failures = self._troubles[address].failures if address in self._troubles else 0
        delay = min(FIRST_DELAY_S * 2.0**failures, LONGEST_DELAY_S)
        self._troubles[address] = _Trouble(failures + 1, self.clock() + delay)
        return delay

    def worked(self, address: str) -> None:
        """This arbiter is well."""
        self._troubles.pop(address, None)

    async def reach(self, address: str) -> Any:
        """The stub of ArbiterService at this address, connected.

        Raises Unreachable when the connection is refused, or after CONNECT_S.
        """
        channel = self._channels.get(address)
        if channel is None:
            channel = self._open(address)
            self._channels[address] = channel
        try:
            async with asyncio.timeout(CONNECT_S):
                await _ready(channel)
        except (TimeoutError, Unreachable):
            # The next try begins afresh, without this channel's own waiting.
            await self._channels.pop(address).close()
            raise Unreachable(address) from None
        return arbiter_pb2_grpc.ArbiterServiceStub(channel)

    def _open(self, address: str) -> grpc.aio.Channel:
        if not address.startswith("https://"):
            return grpc.aio.insecure_channel(address, OPTIONS)
        try:
            credentials = self.tls.credentials()
        except OSError as trouble:
            raise Unreachable(f"{address}: {trouble}") from None
        return grpc.aio.secure_channel(address.removeprefix("https://"), credentials, OPTIONS)

    async def keep(self, addresses: Sequence[str]) -> None:
        """Close the channels to other addresses: arbiters come and go."""
        for address in set(self._channels) - set(addresses):
            await self._channels.pop(address).close()

    async def close(self) -> None:
        """Close all channels."""
        await self.keep([])


async def _ready(channel: grpc.aio.Channel) -> None:
    while (state := channel.get_state(try_to_connect=True)) is not Connectivity.READY:
        if state is Connectivity.TRANSIENT_FAILURE:
            raise Unreachable
        await channel.wait_for_state_change(state)
