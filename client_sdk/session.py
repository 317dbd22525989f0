"""One stream: frames in, the bot's answers out.

One coroutine reads, thinks and writes. A frame's answers leave together, but none waits
while the bot thinks for longer than FLUSH_S. No task, timer or copy is made for a decision.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

import grpc
import grpc.aio

from client_sdk.answers import HIGHEST_CARD, fill, name_of
from client_sdk.bot import Bot
from client_sdk.errors import NoCommonProtocol, ProtocolError, from_call
from client_sdk.match import Fallback, Match, MatchResult, Refusal
from client_sdk.throttle import Throttle
from client_sdk.turn import Turn
from hearts.v1 import play_pb2

if TYPE_CHECKING:
    from collections.abc import Callable

    class Call(Protocol):
        """What a session asks of a stream, whoever called whom: grpc.aio's call has it."""

        async def read(self) -> object: ...
        async def write(self, request: play_pb2.PlayRequest) -> None: ...
        async def done_writing(self) -> None: ...


logger = logging.getLogger("hearts.sdk")

PROTOCOL = 1
"""The protocol version this SDK speaks."""
FLUSH_S = 0.002
"""Seconds of thinking after which the answers of a frame no longer wait for the rest."""
MAX_RETRIES = 3
"""Refused answers to one decision after which the SDK leaves it to the clock."""
LONGEST_US = 0xFFFFFFFF
LONGEST_S = LONGEST_US / 1e6

NOTHING = object()
"""What there is to send after a bot's method raised."""

_PLAY = play_pb2.PHASE_PLAY
_PASS = play_pb2.PHASE_PASS
_MOON = play_pb2.PHASE_MOON_CHOICE


class Stopped(BaseException):
    """Raised inside a bot's method when the process is told to stop."""


class Session:
    """One connection's conversation. `over` counts the matches finished on it."""

    __slots__ = (
        "_add",
        "_bot",
        "_call",
        "_highest",
        "_hooks",
        "_limit",
        "_out",
        "_pending",
        "_play",
        "_tables",
        "_throttle",
        "goodbye",
        "leaving",
        "over",
    )

    def __init__(self, bot: Bot, call: Call, matches: int | None, throttle: Throttle) -> None:
        self._bot = bot
        self._call = call
        self._limit = matches
        self._throttle = throttle
        self._play = bot.play
        self._hooks = _overridden(bot)
        self._tables: dict[int, Match] = {}
        self._highest = 0
        self._fresh()
        self.goodbye: play_pb2.Goodbye | None = None
        self.leaving = False
        self.over = 0

    # ---- the stream ---------------------------------------------------------------------

    async def hello(
        self, name: str, version: str, max_tables: int, proof: str = ""
    ) -> play_pb2.Hello:
        """Exchange greetings; returns the arbiter's. Raises ServerError or ProtocolError.

        proof: that we are this bot, where the arbiter called us."""
        self._out.frame.hello.CopyFrom(
            play_pb2.Hello(
                protocol_min=PROTOCOL,
                protocol_max=PROTOCOL,
                sdk_name="hearts-python",
                sdk_version=version,
                bot=f"bots/{name}",
                max_tables=max_tables,
                proof=proof,
            )
        )
        await self._send()
        frame = await self._read()
        if frame is None or not frame.HasField("hello"):
            raise ProtocolError("the server's first frame holds no Hello")
        theirs = frame.hello
        if not theirs.protocol_min <= PROTOCOL <= theirs.protocol_max:
            raise NoCommonProtocol(
                grpc.StatusCode.FAILED_PRECONDITION,
                f"the server speaks protocol {theirs.protocol_min} to {theirs.protocol_max}, "
                f"this SDK {PROTOCOL}: update the older of the two",
                None,
            )
        await self._frame(frame, perf_counter())
        return theirs

    async def run(self) -> None:
        """Play until the arbiter closes the stream, or all wanted matches are over.

        Raises ServerError when the arbiter gave a reason, ProtocolError when it lost count.
        """
        while not (self.leaving and not self._tables):
            frame = await self._read()
            if frame is None:
                return
            await self._frame(frame, perf_counter())
        await self._call.done_writing()
        while await self._read() is not None:
            pass

    def _fresh(self) -> None:
        """Begin the next frame to go out."""
        self._out = play_pb2.PlayRequest()
        self._add = self._out.frame.replies.add
        self._pending = 0

    async def _read(self) -> play_pb2.ArbiterFrame | None:
        """The next frame; None at the orderly end of the stream."""
        try:
            response = await self._call.read()
        except grpc.aio.AioRpcError as error:
            raise from_call(error) from error
        # At the end it is grpc.aio.EOF, which the stubs do not know.
        return response.frame if isinstance(response, play_pb2.PlayResponse) else None

    async def _send(self) -> None:
        """Send what is gathered, as one frame."""
        request = self._out
        self._fresh()
        try:
            await self._call.write(request)
        except grpc.aio.AioRpcError as error:
            raise from_call(error) from error
        except asyncio.InvalidStateError:
            # The stream ended before the write; reading tells why, unless it ended well.
            await self._read()

    # ---- frames -------------------------------------------------------------------------

    async def _frame(self, frame: play_pb2.ArbiterFrame, arrived: float) -> None:
        """Handle one frame's events in order, answer its turns, send the answers.

        The loop that every decision passes: it makes no call it can do without.
        """
        tables = self._tables
        begun = flushed = arrived
        for event in frame.events:
            match = tables.get(event.table)
            sequence = event.sequence
            if match is None or match.expected != sequence:
                match = self._locate(event, match)
                if match is None:
                    continue
            match.expected = sequence + 1
            wire = event.turn
            if wire.decision:  # numbers start at 1, so this event is a turn
                answer = self._ask(match, wire, arrived)
                if answer.__class__ is not int and inspect.isawaitable(answer):
                    answer = await self._settle(match, answer)
                done = perf_counter()
                self._answer(match, answer, done - begun)
            else:
                await self._tell(match, event)
                done = perf_counter()
            begun = done
            if self._pending and done - flushed > FLUSH_S:
                await self._send()
                begun = flushed = perf_counter()
        if self._pending:
            await self._send()
        if frame.HasField("goodbye"):
            self.goodbye = frame.goodbye
            logger.info("%s: the arbiter says goodbye: %s", self._bot.name, frame.goodbye.reason)

    def _locate(self, event: play_pb2.Event, match: Match | None) -> Match | None:
        """The match of an event out of the usual order; None: skip the event.

        Raises ProtocolError on a gap: a new connection brings the whole state again.
        """
        if match is None:
            if event.HasField("match_start"):
                match = Match(event.table, event.match_start)
                self._tables[event.table] = match
                self._highest = max(self._highest, event.table)
                return match
            if event.table <= self._highest:
                return None  # after the match was over
            raise ProtocolError(f"table {event.table} began without its MatchStart")
        if event.sequence < match.expected:
            return None  # a repeat
        raise ProtocolError(
            f"{match.name}: event {event.sequence} came where {match.expected} was due"
        )

    def _ask(self, match: Match, wire: play_pb2.Turn, arrived: float) -> object:
        """Call the bot for a decision; NOTHING when it raised."""
        if wire.trick_number > match.finished + 1:
            match.finish_trick(wire.last_leader, wire.last_trick[:])
        match.asked = wire.decision
        match.retries = 0
        match.phase = phase = wire.phase
        turn = Turn(wire, match, arrived)
        try:
            if phase == _PLAY:
                return self._play(turn)
            if phase == _PASS:
                return self._bot.pass_cards(turn)
            if phase == _MOON:
                return self._bot.choose_moon(turn)
        except Exception:  # a bot's own fault must not end its other matches
            self._failed(match)
        return NOTHING

    def _answer(self, match: Match, answer: object, thought: float) -> None:
        """Add the bot's answer to the frame going out; rubbish is logged and not sent."""
        phase = match.phase
        if type(answer) is int and phase == _PLAY and 0 < answer <= HIGHEST_CARD:
            reply = self._add()
            reply.card = answer  # type: ignore[assignment]
        elif answer is NOTHING:
            return
        else:
            filled = fill(phase, answer)
            if filled is None:
                if self._throttle.admit():
                    logger.error("%s: the bot's answer is no answer: %r", match.name, answer)
                return
            reply = self._add()
            reply.MergeFrom(filled)
        reply.table = match.number
        reply.decision = match.asked
        reply.think_us = int(thought * 1e6) if thought < LONGEST_S else LONGEST_US
        self._pending += 1

    # ---- everything but turns -----------------------------------------------------------

    async def _tell(self, match: Match, event: play_pb2.Event) -> None:
        """Keep an event in the match's memory and tell the bot. Unknown kinds are skipped."""
        kind = event.WhichOneof("event")
        if kind == "match_start":
            await self._hook("on_match_start", match)
            self._out.frame.ready.append(match.number)
            self._pending += 1
        elif kind == "deal_start":
            match.begin_deal(event.deal_start)
            await self._hook("on_deal_start", match)
        elif kind == "passed":
            match.passed(event.passed)
            await self._hook("on_passed", match)
        elif kind == "leftover_taken":
            match.took_leftover(event.leftover_taken)
        elif kind == "deal_over":
            await self._hook("on_deal_over", match, match.end_deal(event.deal_over))
        elif kind == "refusal":
            await self._refused(match, event.refusal)
        elif kind == "fallback":
            await self._fell_back(match, event.fallback)
        elif kind == "match_over":
            await self._match_over(match, event.match_over)

    async def _refused(self, match: Match, wire: play_pb2.Refusal) -> None:
        refusal = Refusal(
            wire.decision,
            match.phase,
            wire.rule,
            name_of(play_pb2.Rule, "RULE_", wire.rule),
            list(wire.legal),
            wire.time_left_ms,
            wire.message,
        )
        if self._throttle.admit():
            logger.error(
                "%s: the answer to decision %d was refused, %s: %s",
                match.name,
                wire.decision,
                refusal.rule_name,
                wire.message,
            )
        current = wire.decision == match.asked and wire.time_left_ms > 0
        if not current or match.retries >= MAX_RETRIES:
            return
        match.retries += 1
        begun = perf_counter()
        answer = await self._hook("on_refusal", match, refusal)
        if answer is not None:
            self._answer(match, answer, perf_counter() - begun)

    async def _fell_back(self, match: Match, wire: play_pb2.Fallback) -> None:
        fallback = Fallback(
            wire.decision,
            wire.phase,
            wire.verdict,
            name_of(play_pb2.Verdict, "VERDICT_", wire.verdict),
            tuple(wire.cards),
            wire.moon_choice,
            wire.strikes,
            wire.retired,
        )
        if wire.decision == match.asked:
            match.asked = 0
        if self._throttle.admit():
            late = wire.verdict == play_pb2.VERDICT_TIMEOUT
            tables = len(self._tables)
            logger.error(
                "%s: the referee decided for the bot: %s (decision %d, strike %d%s)%s",
                match.name,
                fallback.verdict_name,
                wire.decision,
                wire.strikes,
                ", retired" if wire.retired else "",
                f"; it plays at {tables} tables at once: is max_tables too high for its speed?"
                if late and tables > 1
                else "",
            )
        await self._hook("on_fallback", match, fallback)

    async def _match_over(self, match: Match, wire: play_pb2.MatchOver) -> None:
        del self._tables[match.number]
        result = MatchResult(wire.reason, tuple(wire.totals), tuple(wire.places))
        await self._hook("on_match_over", match, result)
        if wire.reason == play_pb2.MATCH_END_ABANDONED:
            return  # it will be played again
        self.over += 1
        if self._limit is not None and self.over >= self._limit and not self.leaving:
            self.leaving = True
            self._out.frame.leaving = True
            self._pending += 1

    # ---- the bot's methods --------------------------------------------------------------

    async def _hook(self, name: str, match: Match, *details: object) -> object:
        """Call one of the bot's optional methods, if it has it."""
        hook = self._hooks.get(name)
        if hook is None:
            return None
        try:
            answer = hook(match, *details)
        except Exception:  # a bot's own fault must not end its other matches
            self._failed(match)
            return NOTHING
        if inspect.isawaitable(answer):
            return await self._settle(match, answer)
        return answer

    async def _settle(self, match: Match, answer: Any) -> object:
        """Wait for an async method; NOTHING when it raised."""
        try:
            result: object = await answer
        except Exception:  # as above
            self._failed(match)
            return NOTHING
        return result

    def _failed(self, match: Match) -> None:
        """Log the exception being handled; a bot that always fails must not fill the disk."""
        if self._throttle.admit():
            logger.exception(
                "%s: the bot failed (decision %d); the referee's clock decides",
                match.name,
                match.asked,
            )


CALLBACKS = (Session._ask.__code__, Session._hook.__code__, Session._settle.__code__)
"""Code that runs a bot's methods: where a signal may interrupt the thinking."""


def _overridden(bot: Bot) -> dict[str, Callable[..., object]]:
    """The bot's optional methods that do something; the others need no call."""
    hooks = {name: getattr(bot, name) for name in dir(Bot) if name.startswith("on_")}
    return {
        name: hook
        for name, hook in hooks.items()
        if name == "on_refusal" or getattr(hook, "__func__", None) is not getattr(Bot, name)
    }
