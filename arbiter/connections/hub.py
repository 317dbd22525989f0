"""All streams of this arbiter: who is here, who may sit down."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING

from arbiter.connections.errors import PlayRefused
from arbiter.connections.session import Pulse, Session
from arbiter.tournaments.names import SESSION, bot_of
from hearts.v1 import errors_pb2, play_pb2

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from arbiter.connections.session import Stream

log = logging.getLogger(__name__)

PROTOCOL_MIN = 1
PROTOCOL_MAX = 1
MAX_TABLES = 10_000
HELLO_SECONDS = 10.0
"""How long a new stream may keep us waiting for its Hello."""
MAX_TEXT = 64
CUT_RETRY_MS = 5000
"""When a stream that was cut off for its conduct may come back."""


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """A connected bot: its SDK, how many tables it takes and how many it has."""

    sdk: str
    max_tables: int
    tables: int


class Hub:
    """The connected bots by name. One stream each: a newer one replaces the older."""

    def __init__(self, version: str = "", max_sessions: int = 2000) -> None:
        self.sessions: dict[str, Session] = {}
        self.version = version
        self.max_sessions = max_sessions
        self.on_joined: Callable[[Session], None] = lambda _session: None
        """Called when a bot can sit down (or sit down again)."""
        self.on_presence: Callable[[], None] = lambda: None
        """Called when a bot has come or gone."""
        self.on_wanted: Callable[[str], None] = lambda _bot: None
        """Called, often, with each bot that a match needs: it may have to be dialled."""
        self._closing: str | None = None
        self._pulse = Pulse()

    def online(self) -> dict[str, SessionInfo]:
        """Who is here now."""
        return {
            bot: SessionInfo(s.sdk, s.max_tables, len(s.links)) for bot, s in self.sessions.items()
        }

    def session(self, bot: str) -> Session | None:
        """The bot's stream, if it has one that is not about to end."""
        session = self.sessions.get(bot)
        return None if session is None or session.closing else session

    async def serve(
        self,
        bot: str,
        frames: AsyncIterator[play_pb2.PlayRequest],
        stream: Stream,
        greeted: Callable[[play_pb2.Hello], None] = lambda _hello: None,
    ) -> int:
        """Run one bot's stream to its end; returns at how many tables it sat then.

        `bot` is whom its token names. `greeted` may refuse a Hello that is right in itself.
        Raises PlayRefused when the handshake fails or a newer stream takes over.
        """
        if self._closing:
            raise PlayRefused(
                errors_pb2.ERROR_REASON_SHUTTING_DOWN, self._closing, retry_after_ms=1000
            )
        session = await self._handshake(bot, frames, greeted)
        older = self.sessions.get(bot)
        if older is not None:
            older.close("a newer connection of this bot took over")
            older.lost(monotonic())
        elif len(self.sessions) >= self.max_sessions:
            raise PlayRefused(
                errors_pb2.ERROR_REASON_LIMIT_REACHED,
                f"this arbiter serves {self.max_sessions} bots already",
                retry_after_ms=5000,
            )
        self.sessions[bot] = session
        self.on_presence()
        log.info("bot %s joined: %s, up to %d tables", bot, session.sdk, session.max_tables)
        try:
            await self._run(session, frames, stream)
        finally:
            if self.sessions.get(bot) is session:
                del self.sessions[bot]
                self.on_presence()
            tables = len(session.links)
            session.lost(monotonic())
            log.info("bot %s left with %d tables: %s", bot, tables, session.closing or "closed")
        if session.cut is not None:
            raise PlayRefused(
                errors_pb2.ERROR_REASON_LIMIT_REACHED, session.cut, retry_after_ms=CUT_RETRY_MS
            )
        if self.sessions.get(bot) is not None:
            raise PlayRefused(
                errors_pb2.ERROR_REASON_REPLACED, "a newer connection of this bot took over"
            )
        return tables

    async def _run(
        self, session: Session, frames: AsyncIterator[play_pb2.PlayRequest], stream: Stream
    ) -> None:
        """Read, write and watch side by side; the first to end ends all."""
        tasks = [
            asyncio.ensure_future(self._read(session, frames)),
            asyncio.ensure_future(session.write(stream)),
            asyncio.ensure_future(session.watch()),
        ]
        self.on_joined(session)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
        for outcome in ended:
            # A stream that broke is an ordinary end: the seats are told, nobody else cares.
            if isinstance(outcome, Exception):
                log.info("bot %s: stream ended: %s", session.bot, type(outcome).__name__)

    @staticmethod
    async def _read(session: Session, frames: AsyncIterator[play_pb2.PlayRequest]) -> None:
        async for request in frames:
            session.receive(request.frame, monotonic())
            if session.cut is not None:
                return

    async def _handshake(
        self,
        bot: str,
        frames: AsyncIterator[play_pb2.PlayRequest],
        greeted: Callable[[play_pb2.Hello], None],
    ) -> Session:
        try:
            first = await asyncio.wait_for(anext(frames, None), HELLO_SECONDS)
        except TimeoutError:
            raise _bad_hello("hello", f"no Hello within {HELLO_SECONDS:.0f} s") from None
        if first is None or not first.frame.HasField("hello"):
            raise _bad_hello("hello", "the first frame must hold a Hello")
        hello = first.frame.hello
        # A version of a bot may call itself by the bot's name: its author writes one name. A hosted
        # process may call itself what it likes: the platform has started it.
        if SESSION not in bot and hello.bot not in (f"bots/{bot}", f"bots/{bot_of(bot)}"):
            raise PlayRefused(
                errors_pb2.ERROR_REASON_PERMISSION_DENIED,
                "this token plays for another bot",
                subject="hello.bot",
                value=hello.bot[:MAX_TEXT],
            )
        if hello.protocol_min > PROTOCOL_MAX or hello.protocol_max < PROTOCOL_MIN:
            raise PlayRefused(
                errors_pb2.ERROR_REASON_NO_COMMON_PROTOCOL,
                f"you speak protocol {hello.protocol_min} to {hello.protocol_max}, "
                f"this arbiter {PROTOCOL_MIN} to {PROTOCOL_MAX}",
                subject="hello.protocol_max",
                value=str(hello.protocol_max),
                allowed=tuple(str(v) for v in range(PROTOCOL_MIN, PROTOCOL_MAX + 1)),
            )
        if not 1 <= hello.max_tables <= MAX_TABLES:
            raise _bad_hello(
                "hello.max_tables", f"max_tables is 1 to {MAX_TABLES}, not {hello.max_tables}"
            )
        greeted(hello)
        session = Session(bot, _sdk(hello), hello.max_tables, self._pulse)
        session.hello(
            play_pb2.Hello(
                protocol_min=PROTOCOL_MIN,
                protocol_max=PROTOCOL_MAX,
                sdk_name="hearts-arbiter",
                sdk_version=self.version,
                max_tables=hello.max_tables,
            )
        )
        return session

    async def close(self, reason: str, retry_after_ms: int) -> None:
        """Say goodbye to every bot and take no new ones."""
        self._closing = reason
        for session in list(self.sessions.values()):
            session.close(reason, retry_after_ms)


def _bad_hello(subject: str, message: str) -> PlayRefused:
    return PlayRefused(errors_pb2.ERROR_REASON_BAD_HELLO, message, subject=subject)


def _sdk(hello: play_pb2.Hello) -> str:
    """The SDK's name and version as shown: printable, short."""
    text = f"{hello.sdk_name} {hello.sdk_version}".strip()
    return "".join(c for c in text if c.isprintable())[:MAX_TEXT]
