"""One stream of one bot: its seats, its outgoing frames and their one writer."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from time import monotonic
from typing import Protocol

from arbiter.connections import pieces
from arbiter.connections.conduct import SPARE_ITEMS, Conduct
from hearts.v1 import play_pb2

log = logging.getLogger(__name__)

FRAME_EVENTS = 256
"""Events in one frame at most: about 40 kB of turns."""
HOLD_SECONDS = 0.01
"""The longest that a busy arbiter goes on reading before it writes. No clock runs meanwhile, and a
frame costs as much as some ten turns in it: docs/performance.md."""
QUEUED_FRAMES = 64
"""Full frames that wait for a slow reader; beyond them it is cut off."""
WRITE_SECONDS = 10.0
"""A frame that cannot be written for this long ends the stream."""


class SeatClient(Protocol):
    """What sits behind a seat: the attempt that plays the match."""

    def on_reply(self, seat: int, answer: play_pb2.Reply, now: float) -> None: ...
    def on_ready(self, seat: int, now: float) -> None: ...
    def on_written(self, seat: int, decision: int, now: float) -> None: ...
    def on_lost(self, seat: int, now: float) -> None: ...
    def on_fault(self, fault: Exception) -> None: ...


class Stream(Protocol):
    """Where a session writes: takes a PlayResponse's bytes as they are."""

    async def write(self, message: bytes) -> None: ...


class Link:
    """One seat's place on one stream."""

    __slots__ = ("_table", "client", "number", "seat", "sequence", "session")

    def __init__(self, session: Session, number: int, client: SeatClient, seat: int) -> None:
        self.session = session
        self.number = number
        self.client = client
        self.seat = seat
        self.sequence = 0
        self._table = pieces.to_table(number)

    def tell(self, body: bytes) -> None:
        """Put the next event of this seat into the outgoing frame."""
        self.sequence = sequence = self.sequence + 1
        self.session.add(pieces.event(self._table, sequence, body))

    def ask(self, decision: int, body: bytes) -> None:
        """The same for a decision: its clock starts when the frame is written."""
        self.tell(body)
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
        self._pieces: list[bytes] = []
        self._full: deque[tuple[list[bytes], list[tuple[Link, int]]]] = deque()
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

    def add(self, event: bytes) -> None:
        """Put an event into the outgoing frame."""
        gathered = self._pieces
        if not gathered:
            self._pulse.ready(self)
        elif len(gathered) >= FRAME_EVENTS:
            self._turn_over()
            gathered = self._pieces
        gathered.append(event)

    def flush(self) -> None:
        """Let the writer send what is ready."""
        self._wake.set()

    def hello(self, hello: play_pb2.Hello) -> None:
        """Answer the bot's Hello, ahead of everything else."""
        self._pieces.append(play_pb2.ArbiterFrame(hello=hello).SerializeToString())
        self._wake.set()

    def close(self, reason: str, retry_after_ms: int = 0) -> None:
        """Say goodbye and end the stream once that is written."""
        if self.closing is None:
            goodbye = play_pb2.Goodbye(reason=reason, retry_after_ms=retry_after_ms)
            self._pieces.append(play_pb2.ArbiterFrame(goodbye=goodbye).SerializeToString())
            self.closing = reason
            self._wake.set()

    def _turn_over(self) -> None:
        self._full.append((self._pieces, self.asks))
        self._pieces, self.asks = [], []
        if len(self._full) > QUEUED_FRAMES and self.closing is None:
            log.warning("bot %s does not read: %d frames wait", self.bot, len(self._full))
            self._full.clear()
            self.close("you do not read your frames")

    async def write(self, stream: Stream) -> None:
        """The stream's one writer: sends what is ready until the stream is closed."""
        while True:
            await self._wake.wait()
            if self._full:
                gathered, asks = self._full.popleft()
            else:
                self._wake.clear()
                gathered, asks = self._pieces, self.asks
                self._pieces, self.asks = [], []
            now = monotonic()
            for link, decision in asks:
                link.client.on_written(link.seat, decision, now)
            self._writing_since = now
            await stream.write(pieces.response(gathered))
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
