"""Connect a bot and keep it connected."""

from __future__ import annotations

import asyncio
import logging
import re
import signal
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from time import monotonic
from typing import TYPE_CHECKING, Any

import grpc.aio

from client_sdk import channel as channels
from client_sdk.backoff import Backoff
from client_sdk.ending import Ending
from client_sdk.errors import (
    ConfigError,
    HeartsError,
    ServerError,
    ServerUnreachable,
    is_final,
)
from client_sdk.session import CALLBACKS, Session, Stopped
from client_sdk.throttle import Throttle
from hearts.v1 import play_pb2

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator
    from types import FrameType

    from client_sdk.bot import Bot

logger = logging.getLogger("hearts.sdk")

HELLO_S = 10.0
"""Seconds for a connection and the arbiter's Hello; beyond it the try has failed."""
GOING_S = 1.0
"""Seconds that closing the channel may take at the end."""
MAX_TABLES = 10_000
_METHOD = "/hearts.v1.PlayService/Play"
_NAME = re.compile(r"[a-z][a-z0-9-]{1,31}")


@dataclass(frozen=True, slots=True)
class Options:
    """How to connect.

    server           "HOST:PORT", "unix:PATH" or "https://HOST"; None: HEARTS_SERVER, else local
    token            None: HEARTS_TOKEN, or the file that HEARTS_TOKEN_FILE names
    max_tables       tables played together, 1 to 10000. All share one process: the slowest
                     decision times the tables asked at once should fit the time per decision
    matches          leave after so many finished matches; None: stay
    first_connect_s  give up when the server has not been reached for the first time in so
                     many seconds (None: never). A server once reached is waited for.
    """

    server: str | None = None
    token: str | None = None
    max_tables: int = 64
    matches: int | None = None
    first_connect_s: float | None = 60.0


def connect(
    bot: Bot,
    server: str | None = None,
    token: str | None = None,
    *,
    max_tables: int = 64,
    matches: int | None = None,
    first_connect_s: float | None = 60.0,
) -> None:
    """Play until the process is told to stop (Ctrl-C, SIGTERM) or `matches` are over.

    The parameters are explained at Options. Blocks. A first signal leaves at once, even in
    the middle of a decision; a second one kills. Raises ConfigError before anything is sent,
    ServerUnreachable, and the final ServerErrors: NotAuthenticated, PermissionDenied,
    NoCommonProtocol, BadHello, Replaced, NotAnArbiter.
    """
    until_told(play(bot, Options(server, token, max_tables, matches, first_connect_s)), bot.name)


def until_told(work: Coroutine[None, None, None], name: str) -> None:
    """Run to the end, or until SIGINT or SIGTERM; a second signal kills."""
    told: list[int] = []

    async def main() -> None:
        task = asyncio.current_task()
        with _signals(asyncio.get_running_loop(), task, told):
            await work

    try:
        asyncio.run(main())
    except (asyncio.CancelledError, Stopped):
        if not told:
            raise
        logger.info("%s: stopped by signal %d", name, told[0])


async def play_async(
    bot: Bot,
    server: str | None = None,
    token: str | None = None,
    *,
    max_tables: int = 64,
    matches: int | None = None,
    first_connect_s: float | None = 60.0,
) -> None:
    """`connect` for a program that has its own event loop. Cancel it to stop."""
    await play(bot, Options(server, token, max_tables, matches, first_connect_s))


async def play(bot: Bot, options: Options) -> None:
    """Connect, play, connect again, as `options` say. Raises as `connect` does."""
    server, token = _checked(bot, options)
    backoff = Backoff()
    throttle = Throttle()
    started = monotonic()
    reached = False
    left = options.matches
    while True:
        began = monotonic()
        link = _Link(bot, server, token, options.max_tables, left, throttle)
        why: HeartsError | None = None
        try:
            await link.run()
        except ServerError as error:
            if is_final(error):
                raise
            why = error
        except HeartsError as error:
            why = error
        reached = reached or link.reached
        if left is not None:
            left -= link.over
            if left <= 0:
                return
        backoff.lasted(monotonic() - began if link.reached else 0.0)
        wait = backoff.wait(link.hint_ms(why))
        waited = monotonic() - started
        patience = None if reached else options.first_connect_s
        if patience is not None and waited + wait >= patience:
            raise ServerUnreachable(f"no arbiter at {server} in {waited:.0f} s: {why}") from why
        logger.warning(
            "%s: %s; connecting again in %.1f s", bot.name, why or "the arbiter closed", wait
        )
        await asyncio.sleep(wait)


class _Link:
    """One connection, from the channel to its end."""

    def __init__(
        self,
        bot: Bot,
        server: str,
        token: str,
        max_tables: int,
        matches: int | None,
        throttle: Throttle,
    ) -> None:
        self._bot = bot
        self._server = server
        self._token = token
        self._max_tables = max_tables
        self._matches = matches
        self._throttle = throttle
        self._session: Session | None = None
        self.reached = False

    @property
    def over(self) -> int:
        """Matches finished on this connection."""
        return self._session.over if self._session is not None else 0

    def hint_ms(self, why: HeartsError | None) -> int:
        """When the arbiter wants this bot back, in milliseconds; 0: it did not say."""
        if isinstance(why, ServerError) and why.retry_after_ms:
            return why.retry_after_ms
        goodbye = self._session.goodbye if self._session is not None else None
        return goodbye.retry_after_ms if goodbye is not None else 0

    async def run(self) -> None:
        """Connect and play to the end of the stream.

        Raises ServerError, ProtocolError, or ServerUnreachable when nothing answers.
        """
        channel = channels.open_channel(self._server)
        try:
            method: grpc.aio.StreamStreamMultiCallable[
                play_pb2.PlayRequest, play_pb2.PlayResponse
            ] = channel.stream_stream(
                _METHOD,
                request_serializer=play_pb2.PlayRequest.SerializeToString,
                response_deserializer=play_pb2.PlayResponse.FromString,
            )
            call = method(metadata=channels.bearer(self._token))
            ending = Ending(call)
            session = Session(self._bot, call, self._matches, self._throttle)
            self._session = session
            try:
                await self._greet(session)
                await session.run()
            except ServerError as error:
                why = await ending.of(error)
                if why is not None:
                    raise why from error
            finally:
                call.cancel()  # to the arbiter it looks like any closed stream
        finally:
            with suppress(TimeoutError):
                async with asyncio.timeout(GOING_S):
                    await channel.close()

    async def _greet(self, session: Session) -> None:
        try:
            async with asyncio.timeout(HELLO_S):
                hello = await session.hello(self._bot.name, sdk_version(), self._max_tables)
        except TimeoutError:
            raise ServerUnreachable(
                f"{self._server} did not answer within {HELLO_S:.0f} s"
            ) from None
        except ServerError as error:
            if error.code is grpc.StatusCode.UNAVAILABLE and error.detail is None:
                raise ServerUnreachable(f"cannot reach {self._server}: {error}") from error
            raise
        self.reached = True
        logger.info(
            "%s: connected to %s (%s %s), up to %d tables",
            self._bot.name,
            self._server,
            hello.sdk_name,
            hello.sdk_version,
            hello.max_tables,
        )


def _checked(bot: Bot, options: Options) -> tuple[str, str]:
    """Server and token; raises ConfigError for what no server could accept."""
    check_options(bot, options.max_tables, options.matches)
    return channels.server_address(options.server), channels.read_token(options.token)


def check_options(bot: Bot, max_tables: int, matches: int | None) -> None:
    """Raises ConfigError for what no server could accept."""
    if not _NAME.fullmatch(bot.name):
        raise ConfigError(
            f"{bot.name!r} is no bot name: 2 to 32 of a-z, 0-9 and '-', a letter first"
        )
    if not 1 <= max_tables <= MAX_TABLES:
        raise ConfigError(f"max_tables is 1 to {MAX_TABLES}, not {max_tables}")
    if matches is not None and matches < 1:
        raise ConfigError(f"matches is 1 or more, not {matches}")


def sdk_version() -> str:
    try:
        return version("hearts-arena")
    except PackageNotFoundError:  # run from a source tree
        return "source"


@contextmanager
def _signals(
    loop: asyncio.AbstractEventLoop, task: asyncio.Task[Any] | None, told: list[int]
) -> Iterator[None]:
    """SIGINT and SIGTERM cancel `task`, out of a bot's method if need be."""
    if threading.current_thread() is not threading.main_thread() or task is None:
        yield  # only the main thread may set handlers; its owner stops us by cancelling
        return

    def handler(number: int, frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)  # the next one kills, whatever hangs
        told.append(number)
        loop.call_soon_threadsafe(task.cancel)
        while frame is not None:
            if frame.f_code in CALLBACKS:
                raise Stopped  # the loop would only run when the bot has finished thinking
            frame = frame.f_back

    before = {n: signal.signal(n, handler) for n in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
