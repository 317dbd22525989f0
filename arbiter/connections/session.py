"""One stream of one bot: its seats, its outgoing frames and their one writer."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from arbiter.connections.conduct import SPARE_ITEMS, Conduct
from hearts.v1 import play_pb2

if TYPE_CHECKING:
    from grpc.aio import ServicerContext

    from arbiter.tables.setup import Answer

log = logging.getLogger(__name__)

FRAME_EVENTS = 256
"""Events in one frame at most: about 40 kB of turns."""
HOLD_SECONDS = 0.002
"""The longest that a busy arbiter goes on reading before it writes."""
QUEUED_FRAMES = 64
"""Full frames that wait for a slow reader; beyond them it is cut off."""
WRITE_SECONDS = 10.0
"""A frame that cannot be written for this long ends the stream."""


class SeatClient(Protocol):
    """What sits behind a seat: the attempt that plays the match."""

    def on_reply(self, seat: int, answer: Answer, now: float) -> None: ...
    def on_ready(self, seat: int, now: float) -> None: ...
    def on_written(self, seat: int, decision: int, now: float) -> None: ...
    def on_lost(self, seat: int, now: float) -> None: ...
    def on_fault(self, fault: Exception) -> None: ...


class Link:
    """One seat's place on one stream."""

    __slots__ = ("client", "number", "seat", "sequence", "session")

    def __init__(self, session: Session, number: int, client: SeatClient, seat: int) -> None:
        self.session = session
        self.number = number
        self.client = client
        self.seat = seat
        self.sequence = 0

    def event(self) -> play_pb2.Event:
        """A fresh event in the outgoing frame, numbered; the caller fills it."""
        event = self.session.event()
        event.table = self.number
        sequence = self.sequence + 1
        self.sequence = event.sequence = sequence
        return event

    def asked(self, decision: int) -> None:
        """The event just made holds a decision: its clock starts when the frame is written."""
        self.session.asks.append((self, decision))

    def close(self) -> None:
        """The match no longer uses this seat."""
        self.session.links.pop(self.number, None)


class Pulse:
    """Decides when what is ready goes out: after a pass of the loop that read nothing new.

    A busy arbiter so reads all that has arrived before it writes, and its frames fill; an idle
    one writes in the next pass. Nothing waits longer than HOLD_SECONDS.
    """

    def __init__(self) -> None:
        self.frames_read = 0
        self._waiting: list[Session] = []
        self._seen = 0
        self._since = 0.0

    def ready(self, session: Session) -> None:
        """The session has something to write."""
        if not self._waiting:
            self._since = monotonic()
            self._seen = self.frames_read
            asyncio.get_running_loop().call_soon(self._beat)
        self._waiting.append(session)

    def _beat(self) -> None:
        if self._seen != self.frames_read and monotonic() - self._since < HOLD_SECONDS:
            self._seen = self.frames_read
            asyncio.get_running_loop().call_soon(self._beat)
            return
        sessions, self._waiting = self._waiting, []
        for session in sessions:
            session.flush()


class Session:
    """A bot's stream, from its Hello to its end."""

    def __init__(self, bot: str, sdk: str, max_tables: int, pulse: Pulse) -> None:
        self._pulse = pulse
        self.bot = bot
        self.sdk = sdk
        self.max_tables = max_tables
        self.links: dict[int, Link] = {}
        self.asks: list[tuple[Link, int]] = []
        self.closing: str | None = None
        self.leaving = False
        self._numbers = 0
        self._message = play_pb2.PlayResponse()
        self._events = self._message.frame.events
        self._count = 0
        self._full: deque[tuple[play_pb2.PlayResponse, list[tuple[Link, int]]]] = deque()
        self._wake = asyncio.Event()
        self._writing_since = 0.0
        self._conduct = Conduct(monotonic())
        self.cut: str | None = None
        """Why the stream ends at once, without a goodbye."""

    @property
    def free(self) -> int:
        """Tables it would still sit at."""
        return 0 if self.leaving or self.closing else self.max_tables - len(self.links)

    def sit(self, client: SeatClient, seat: int) -> Link:
        """Give it a seat under a number never used before on this stream."""
        self._numbers += 1
        link = self.links[self._numbers] = Link(self, self._numbers, client, seat)
        return link

    # ---- out --------------------------------------------------------------------------

    def event(self) -> play_pb2.Event:
        """A fresh event in the outgoing frame."""
        if self._count >= FRAME_EVENTS:
            self._turn_over()
        self._count += 1
        if self._count == 1:
            self._pulse.ready(self)
        return self._events.add()

    def flush(self) -> None:
        """Let the writer send what is ready."""
        self._wake.set()

    def hello(self, hello: play_pb2.Hello) -> None:
        """Answer the bot's Hello, ahead of everything else."""
        self._message.frame.hello.CopyFrom(hello)
        self._wake.set()

    def close(self, reason: str, retry_after_ms: int = 0) -> None:
        """Say goodbye and end the stream once that is written."""
        if self.closing is None:
            self._message.frame.goodbye.reason = reason
            self._message.frame.goodbye.retry_after_ms = retry_after_ms
            self.closing = reason
            self._wake.set()

    def _turn_over(self) -> None:
        self._full.append((self._message, self.asks))
        self._message = play_pb2.PlayResponse()
        self._events = self._message.frame.events
        self.asks = []
        self._count = 0
        if len(self._full) > QUEUED_FRAMES and self.closing is None:
            log.warning("bot %s does not read: %d frames wait", self.bot, len(self._full))
            self._full.clear()
            self.close("you do not read your frames")

    async def write(
        self, context: ServicerContext[play_pb2.PlayRequest, play_pb2.PlayResponse]
    ) -> None:
        """The stream's one writer: sends what is ready until the stream is closed."""
        while True:
            await self._wake.wait()
            if self._full:
                message, asks = self._full.popleft()
            else:
                self._wake.clear()
                message, asks = self._message, self.asks
                self._message = play_pb2.PlayResponse()
                self._events = self._message.frame.events
                self.asks = []
                self._count = 0
            now = monotonic()
            for link, decision in asks:
                link.client.on_written(link.seat, decision, now)
            self._writing_since = now
            await context.write(message)
            self._writing_since = 0.0
            if self.closing is not None and not self._full and not self._wake.is_set():
                return

    async def watch(self) -> None:
        """Return when a write has waited for WRITE_SECONDS: the other side takes nothing."""
        while True:
            await asyncio.sleep(WRITE_SECONDS / 4)
            if 0.0 < self._writing_since < monotonic() - WRITE_SECONDS:
                break
        self.closing = "it took no frame for too long"

    # ---- in ---------------------------------------------------------------------------

    def receive(self, frame: play_pb2.BotFrame, now: float) -> None:
        """Hand every answer to its table; a table it does not sit at is none of its business."""
        self._pulse.frames_read += 1
        links = self.links
        replies, ready = frame.replies, frame.ready
        items = len(replies) + len(ready)
        if items > 2 * len(links) + SPARE_ITEMS:
            self.useless(now, items)
            if self.cut is not None:
                return
        strays = 0 if items else 1
        for reply in replies:
            link = links.get(reply.table)
            if link is None:
                strays += 1
                continue
            try:
                link.client.on_reply(link.seat, reply, now)
            except Exception as fault:  # a fault at one table must not end the bot's stream
                link.client.on_fault(fault)
        for number in ready:
            link = links.get(number)
            if link is None:
                strays += 1
                continue
            try:
                link.client.on_ready(link.seat, now)
            except Exception as fault:  # as above
                link.client.on_fault(fault)
        if frame.leaving:
            self.leaving = True
        elif strays:
            self.useless(now, strays)

    def useless(self, now: float, count: int = 1) -> None:
        """Note messages that nobody asked for; too many end the stream."""
        if self.cut is None and not self._conduct.useless(now, count):
            self.cut = "too many useless messages"
            log.warning("bot %s: %s", self.bot, self.cut)

    def lost(self, now: float) -> None:
        """The stream ended: tell every table."""
        links, self.links = list(self.links.values()), {}
        for link in links:
            link.client.on_lost(link.seat, now)
