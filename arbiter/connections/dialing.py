"""Streams to bots that serve at an address of their own: dialled when a match needs them.

From the Hello on such a stream is like any other: the hub cannot tell who dialled whom.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any, cast

import grpc
import grpc.aio

from arbiter.connections import addresses
from arbiter.connections.addresses import BadEndpoint, Endpoint
from arbiter.connections.errors import PlayRefused
from arbiter.connections.hub import Hub
from hearts.endpoint import Challenge, Side
from hearts.v1 import errors_pb2, play_pb2

if TYPE_CHECKING:
    from collections.abc import Sequence

    Call = grpc.aio.StreamStreamCall[bytes, play_pb2.PlayRequest]

log = logging.getLogger(__name__)

METHOD = "/hearts.v1.BotEndpointService/Serve"
CONNECT_SECONDS = 3.0
"""For a connection to one address to come about."""
MAX_ADDRESSES = 3
"""Of a host's addresses so many are tried."""
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 4.0
WANTED_SECONDS = 2.0
"""Seating repeats four times a second what it wants: after this silence nobody does."""
LOST_SECONDS = 60.0
"""How long a bot is called again that was at a table when its stream ended."""
IDLE_SECONDS = 45.0
"""A stream that no match has needed for so long is closed."""
NO_ENDPOINT_SECONDS = 5.0
"""How long it is remembered that a bot has no endpoint."""
END_SECONDS = 1.0
"""How long a bot may take to end the call after our goodbye."""

OPTIONS: tuple[tuple[str, int], ...] = (
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.max_receive_message_length", 1 << 20),
    # Nothing but the address that was checked may be dialled: no proxy, no configuration that
    # comes from a name server, no shared connection, no gRPC retries.
    ("grpc.enable_http_proxy", 0),
    ("grpc.service_config_disable_resolution", 1),
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.enable_retries", 0),
)


@dataclass(frozen=True, slots=True)
class Contact:
    """How to reach a bot, and what both sides know: see `hearts.endpoint`."""

    endpoint: str
    keys: tuple[bytes, ...]


class NoAnswer(Exception):
    """Nobody answers at the endpoint; the message says what was tried."""


class Dialer:
    """Calls bots with an endpoint when the hub wants them. One stream for each bot.

    `lookup` tells how to reach a bot, None when it dials in by itself. `allow_private`: endpoints
    in our own networks are fine (LAN events). `authorities`, PEM, may sign the certificates of
    endpoints with TLS; None: the system's.
    """

    def __init__(
        self,
        hub: Hub,
        lookup: Callable[[str], Awaitable[Contact | None]],
        *,
        allow_private: bool = False,
        resolve: addresses.Resolver | None = None,
    ) -> None:
        self._hub = hub
        self._lookup = lookup
        self._allow_private = allow_private
        self._resolve = resolve
        self.authorities: bytes | None = None
        self._calls: dict[str, asyncio.Task[None]] = {}
        self._wanted: dict[str, float] = {}
        self._without: dict[str, float] = {}
        self._housekeeping: asyncio.Task[None] | None = None
        self._stopping = False

    def start(self) -> None:
        """Begin on the current event loop."""
        self._housekeeping = asyncio.create_task(self._close_idle(), name="endpoints")
        self._hub.on_wanted = self.want

    async def stop(self, grace_s: float = 0.5) -> None:
        """End all calls, those that have been said goodbye to (Hub.close) in their own time."""
        self._stopping = True
        self._hub.on_wanted = lambda _bot: None
        if self._calls:
            await asyncio.wait(self._calls.values(), timeout=grace_s)
        tasks = [*self._calls.values(), *filter(None, [self._housekeeping])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def want(self, bot: str) -> None:
        """A match needs this bot: see to it that there is a stream. Cheap, and may be repeated."""
        now = monotonic()
        self._wanted[bot] = now
        if bot in self._calls or self._without.get(bot, 0.0) > now:
            return
        if self._hub.session(bot) is None:
            task = self._calls[bot] = asyncio.create_task(self._attend(bot), name=f"call {bot}")
            task.add_done_callback(lambda _task: self._calls.pop(bot, None))

    # ---- one bot ------------------------------------------------------------------------

    async def _attend(self, bot: str) -> None:
        """Call the bot, again and again, while it is needed and not here by itself."""
        pause, lost_at = FIRST_PAUSE, -LOST_SECONDS
        while self._hub.session(bot) is None:
            try:
                contact = await self._lookup(bot)
            except Exception as trouble:  # the store is away; the next want comes in 0.25 s
                log.warning("bot %s: its endpoint cannot be looked up: %s", bot, trouble)
                return
            if contact is None:
                self._without[bot] = monotonic() + NO_ENDPOINT_SECONDS
                return
            began = monotonic()
            try:
                if await self._call(bot, contact):
                    lost_at = monotonic()
                if monotonic() - began > LONGEST_PAUSE:
                    pause = FIRST_PAUSE
            except (BadEndpoint, NoAnswer, PlayRefused) as trouble:
                log.info("bot %s at %s: %s", bot, contact.endpoint, trouble)
            if self._stopping:
                return
            await asyncio.sleep(pause * random.uniform(0.8, 1.0))
            pause = min(2 * pause, LONGEST_PAUSE)
            now = monotonic()
            if now - self._wanted[bot] > WANTED_SECONDS and now - lost_at > LOST_SECONDS:
                return

    async def _call(self, bot: str, contact: Contact) -> bool:
        """One stream to its end; returns whether tables were left. Raises BadEndpoint, NoAnswer
        and PlayRefused."""
        endpoint = Endpoint.parse(contact.endpoint)
        found = await addresses.where(endpoint, self._allow_private, self._resolve)
        channel = await connected(endpoint, found[:MAX_ADDRESSES], self.authorities)
        try:
            challenge = Challenge.fresh(f"bots/{bot}", time.time())
            call = _open(channel, challenge, contact.keys)
            try:
                return await self._serve(bot, contact, challenge, call)
            finally:
                call.cancel()
        finally:
            await channel.close()

    async def _serve(self, bot: str, contact: Contact, challenge: Challenge, call: Call) -> bool:
        def greeted(hello: play_pb2.Hello) -> None:
            if not challenge.proven(contact.keys, Side.BOT, [hello.proof]):
                raise PlayRefused(
                    errors_pb2.ERROR_REASON_UNAUTHENTICATED,
                    "the Hello does not prove that this is the bot",
                    subject="hello.proof",
                )

        try:
            tables = await self._hub.serve(bot, _frames(call), call, greeted)
        except PlayRefused as refused:
            # A call has no status from its caller: the reason goes into a goodbye.
            frame = play_pb2.ArbiterFrame(goodbye=play_pb2.Goodbye(reason=refused.message))
            last = play_pb2.PlayResponse(frame=frame)
            with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
                await call.write(last.SerializeToString())
            await _end(call)
            raise
        await _end(call)
        return tables > 0

    async def _close_idle(self) -> None:
        while True:
            await asyncio.sleep(IDLE_SECONDS / 10)
            now = monotonic()
            for bot in list(self._calls):
                session = self._hub.session(bot)
                if session is not None and session.links:
                    self._wanted[bot] = now
                elif session is not None and now - self._wanted[bot] > IDLE_SECONDS:
                    session.close("no match needs you now")


async def connected(
    endpoint: Endpoint, checked: Sequence[str], authorities: bytes | None = None
) -> grpc.aio.Channel:
    """A connection to the first of the checked addresses that takes one. Raises NoAnswer."""
    for address in checked:
        channel = _channel(endpoint, address, authorities)
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                while (state := channel.get_state(try_to_connect=True)) is not _READY:
                    if state is _FAILED:
                        break
                    await channel.wait_for_state_change(state)
                else:
                    return channel
        except TimeoutError:
            pass
        except BaseException:
            await channel.close()
            raise
        await channel.close()
    raise NoAnswer(f"no connection to {', '.join(checked)}, port {endpoint.port}")


_READY = grpc.ChannelConnectivity.READY
_FAILED = grpc.ChannelConnectivity.TRANSIENT_FAILURE


def _channel(endpoint: Endpoint, address: str, authorities: bytes | None) -> grpc.aio.Channel:
    """To this address and no other: a literal, which nobody resolves again."""
    six = ":" in address
    target = f"ipv6:[{address}]:{endpoint.port}" if six else f"ipv4:{address}:{endpoint.port}"
    if not endpoint.tls:
        return grpc.aio.insecure_channel(target, options=OPTIONS)
    named: tuple[tuple[str, Any], ...] = (
        # The certificate has to be the host's, whatever address it has now.
        ("grpc.ssl_target_name_override", endpoint.host),
        ("grpc.default_authority", f"{endpoint.host}:{endpoint.port}"),
    )
    credentials = grpc.ssl_channel_credentials(authorities)
    return grpc.aio.secure_channel(target, credentials, options=(*OPTIONS, *named))


def _open(channel: grpc.aio.Channel, challenge: Challenge, keys: Sequence[bytes]) -> Call:
    # A ServeRequest has the bytes of a PlayResponse, a ServeResponse those of a PlayRequest: the
    # hub's own messages go out and come in as they are.
    method: Any = channel.stream_stream(
        METHOD,
        request_serializer=None,
        response_deserializer=play_pb2.PlayRequest.FromString,
    )
    metadata = [
        ("hearts-bot", challenge.bot),
        ("hearts-time", str(challenge.time)),
        ("hearts-nonce", challenge.nonce),
    ]
    metadata += [("hearts-proof", challenge.proof(key, Side.ARBITER)) for key in keys]
    return cast("Call", method(metadata=tuple(metadata)))


async def _frames(call: Call) -> AsyncIterator[play_pb2.PlayRequest]:
    """What the bot sends, to the end of the call, however it ends."""
    while True:
        try:
            message = await call.read()
        except grpc.aio.AioRpcError as error:
            code, details = error.code().name, (error.details() or "")[:200]
            log.info("a call to an endpoint ended: %s: %r", code, details)
            return
        if not isinstance(message, play_pb2.PlayRequest):
            return
        yield message


async def _end(call: Call) -> None:
    """Close our side and give the bot a moment to read what was sent."""
    with contextlib.suppress(TimeoutError, grpc.aio.AioRpcError, asyncio.InvalidStateError):
        async with asyncio.timeout(END_SECONDS):
            await call.done_writing()
            await call.code()
