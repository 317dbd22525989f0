"""Serve a bot at an address of its own: arbiters call it when a match needs it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc
import grpc.aio

from client_sdk.channel import read_token
from client_sdk.connect import HELLO_S, check_options, sdk_version, until_told
from client_sdk.errors import ConfigError, HeartsError
from client_sdk.session import Session, Stopped
from client_sdk.throttle import Throttle
from hearts.endpoint import CLOCK_SECONDS, NONCE_DIGITS, Challenge, Side, key_of
from hearts.v1 import play_pb2

if TYPE_CHECKING:
    from client_sdk.bot import Bot

    Context = grpc.aio.ServicerContext[Any, Any]

logger = logging.getLogger("hearts.sdk")

SERVICE = "hearts.v1.BotEndpointService"
MAX_CALLS = 16
"""Calls at once: one for each arbiter that needs the bot, and what strangers try."""
MAX_PROOFS = 8

_OPTIONS: tuple[tuple[str, int], ...] = (
    # A second server on the same port must fail, not share it.
    ("grpc.so_reuseport", 0),
    # The arbiter pings a stream that is quiet; a default server would send it away for that.
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 5_000),
    ("grpc.http2.max_ping_strikes", 0),
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.max_receive_message_length", 1 << 20),
)


@dataclass(frozen=True, slots=True)
class Options:
    """How to serve.

    listen           "HOST:PORT"; port 0: any free one. The bot is registered with the address
                     under which arbiters reach it, which may be another
    token            None: HEARTS_TOKEN, or the file that HEARTS_TOKEN_FILE names. It is never
                     sent: both sides prove that they know it
    max_tables       tables played together, 1 to 10000
    matches          end after so many finished matches; None: stay
    tls_cert, tls_key  PEM files: serve https
    """

    listen: str
    token: str | None = None
    max_tables: int = 64
    matches: int | None = None
    tls_cert: str | None = None
    tls_key: str | None = None


def serve(
    bot: Bot,
    listen: str,
    token: str | None = None,
    *,
    max_tables: int = 64,
    matches: int | None = None,
    tls_cert: str | None = None,
    tls_key: str | None = None,
) -> None:
    """Serve until the process is told to stop (Ctrl-C, SIGTERM) or `matches` are over.

    The parameters are explained at Options. Blocks. Raises ConfigError for wrong options, and
    when it cannot listen.
    """
    options = Options(listen, token, max_tables, matches, tls_cert, tls_key)
    until_told(_serve(bot, options), bot.name)


async def _serve(bot: Bot, options: Options) -> None:
    async with serving(bot, options) as endpoint:
        await endpoint.done.wait()


@asynccontextmanager
async def serving(bot: Bot, options: Options) -> AsyncIterator[Endpoint]:
    """`serve` for a program that has its own event loop: serves inside the block."""
    check_options(bot, options.max_tables, options.matches)
    endpoint = Endpoint(bot, options, key_of(read_token(options.token)))
    server = grpc.aio.server(options=_OPTIONS, maximum_concurrent_rpcs=MAX_CALLS)
    # A ServeRequest has the bytes of a PlayResponse, a ServeResponse those of a PlayRequest: the
    # session is the same, whoever called whom.
    method = grpc.stream_stream_rpc_method_handler(
        endpoint.call,
        request_deserializer=play_pb2.PlayResponse.FromString,
        response_serializer=play_pb2.PlayRequest.SerializeToString,
    )
    handlers = grpc.method_handlers_generic_handler(SERVICE, {"Serve": method})
    server.add_generic_rpc_handlers((handlers,))
    endpoint.address = _bind(server, options)
    await server.start()
    logger.info("%s: serving on %s", bot.name, endpoint.address)
    try:
        yield endpoint
    finally:
        await server.stop(grace=0.5 if endpoint.done.is_set() else None)


def _bind(server: grpc.aio.Server, options: Options) -> str:
    """Listen; returns where. Raises ConfigError."""
    host, _, port = options.listen.rpartition(":")
    if not host or not port.isdecimal():
        raise ConfigError(f"cannot listen on {options.listen!r}: HOST:PORT is wanted")
    try:
        if options.tls_cert or options.tls_key:
            pair = (
                Path(options.tls_key or "").read_bytes(),
                Path(options.tls_cert or "").read_bytes(),
            )
            bound = server.add_secure_port(options.listen, grpc.ssl_server_credentials([pair]))
        else:
            bound = server.add_insecure_port(options.listen)
    except (RuntimeError, OSError) as trouble:
        raise ConfigError(f"cannot listen on {options.listen}: {trouble}") from None
    return f"{host}:{bound}"


class _Stream:
    """A call that came in, as a session wants it."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._over = False

    async def read(self) -> object:
        return grpc.aio.EOF if self._over else await self._context.read()

    async def write(self, request: play_pb2.PlayRequest) -> None:
        await self._context.write(request)

    async def done_writing(self) -> None:
        # A server's side closes when the call returns, so it does not wait for the other's.
        self._over = True


@dataclass(slots=True, eq=False)
class Endpoint:
    """What is served: `address` is where, `over` counts finished matches, `done` is set once all
    wanted ones are."""

    bot: Bot
    options: Options
    key: bytes
    address: str = ""
    over: int = 0
    done: asyncio.Event = field(default_factory=asyncio.Event)
    _throttle: Throttle = field(default_factory=Throttle)
    _nonces: dict[str, float] = field(default_factory=dict)

    async def call(self, _requests: object, context: Context) -> None:
        """One call of an arbiter, from its proof to its end."""
        challenge = self._challenge(context)
        if challenge is None:
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "this is not my arbiter")
        proof = challenge.proof(self.key, Side.BOT)
        left = None if self.options.matches is None else self.options.matches - self.over
        session = Session(self.bot, _Stream(context), left, self._throttle)
        try:
            async with asyncio.timeout(HELLO_S):
                await session.hello(self.bot.name, sdk_version(), self.options.max_tables, proof)
            logger.info("%s: an arbiter called", self.bot.name)
            await session.run()
        except (HeartsError, TimeoutError) as trouble:
            logger.warning("%s: a call ended: %s", self.bot.name, trouble or "no Hello")
        except Stopped:
            pass  # a signal in the middle of a decision: whoever waits for us is told too
        finally:
            self.over += session.over
            if self.options.matches is not None and self.over >= self.options.matches:
                self.done.set()

    def _challenge(self, context: Context) -> Challenge | None:
        """What the caller proves that it is an arbiter with; None when it does not."""
        metadata: dict[str, list[str]] = {}
        for name, value in context.invocation_metadata() or ():
            if name.startswith("hearts-") and isinstance(value, str):
                metadata.setdefault(name, []).append(value)
        try:
            [bot], [stamp], [nonce] = (
                metadata[f"hearts-{name}"] for name in ("bot", "time", "nonce")
            )
            challenge = Challenge(bot, int(stamp), nonce)
        except (KeyError, ValueError):
            return None
        proofs = metadata.get("hearts-proof", [])[:MAX_PROOFS]
        now = time.time()
        # "bots/anna@2" is a version of "bots/anna"; the proof is for the whole name.
        mine = bot.partition("@")[0] == f"bots/{self.bot.name}" and len(nonce) == NONCE_DIGITS
        timely = abs(now - challenge.time) <= CLOCK_SECONDS
        if not (mine and timely and challenge.proven([self.key], Side.ARBITER, proofs)):
            if self._throttle.admit():
                why = "" if timely else ": the clocks differ by more than two minutes"
                logger.error("%s: a caller is not my arbiter%s", self.bot.name, why)
            return None
        # Each proof opens one call: what somebody has overheard is of no use to him.
        self._nonces = {n: until for n, until in self._nonces.items() if until > now}
        if nonce in self._nonces:
            return None
        self._nonces[nonce] = now + 2 * CLOCK_SECONDS
        return challenge
