"""One try to play one match: the table, its seats' links, its end."""

from __future__ import annotations

import logging
from math import inf
from time import monotonic
from typing import TYPE_CHECKING

from arbiter.connections import events
from arbiter.connections.turns import Turns
from arbiter.tables.effects import (
    Ask,
    DealBegan,
    DealEnded,
    Effect,
    FellBack,
    Invite,
    LeftoverTaken,
    MatchEnded,
    PassDone,
    Refuse,
)
from arbiter.tables.setup import Stage
from arbiter.tables.table import Table
from hearts.record import MatchEnd, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from arbiter.connections.session import Link, Session
    from arbiter.matches.timers import Timers
    from arbiter.tables.setup import Memory, Setup
    from hearts.v1.play_pb2 import Reply


log = logging.getLogger(__name__)


class Attempt:
    """Carries a table's effects to the bots and the bots' answers to the table.

    on_deal is called after each finished deal but the last; then either on_end, once, or on_fault
    when a fault of ours ended it, or neither when the attempt is given up.
    """

    def __init__(
        self,
        setup: Setup,
        timers: Timers,
        memory: Memory | None = None,
        on_deal: Callable[[Attempt], None] = lambda _attempt: None,
        on_end: Callable[[Attempt], None] = lambda _attempt: None,
        on_fault: Callable[[Attempt, str], None] = lambda _attempt, _reason: None,
    ) -> None:
        self.table = Table(setup, memory)
        self.setup = setup
        self.timer_at = inf
        self.started_at: float | None = None
        self._timers = timers
        self._on_deal = on_deal
        self._on_end = on_end
        self._on_fault = on_fault
        self._links: list[Link | None] = [None] * len(setup.seats)
        self._epochs = [0] * len(setup.seats)
        self._turns: Turns  # of the deal in progress

    @property
    def deadline(self) -> float:
        """When the table wants to hear of the time."""
        return self.table.deadline

    @property
    def over(self) -> bool:
        """No more happens here."""
        return self.table.stage is Stage.OVER

    # ---- seats ------------------------------------------------------------------------

    def start(self, sessions: Sequence[Session]) -> None:
        """All bots are here: seat them and invite them."""
        self.started_at = now = monotonic()
        for seat, session in enumerate(sessions):
            self._sit(seat, session)
        self._carry_out(self.table.begin(now))

    def no_show(self, seats: Sequence[int]) -> None:
        """These seats' bots never came: the match ends before it begins."""
        self.started_at = monotonic()
        self._carry_out(self.table.forfeit(seats, Verdict.NO_SHOW))

    def bring_back(self, session: Session, names: Sequence[str] = ()) -> None:
        """A bot has a new stream: give it back the seats it had lost. `names`: by which each seat's
        bot connects, where that is not its own."""
        for seat, bot in enumerate(names or self.setup.seats):
            if bot == session.bot and self._links[seat] is None and not self.over:
                self._sit(seat, session)
                self._carry_out(self.table.back(seat))

    def crashed(self, seats: Sequence[int]) -> None:
        """The process that the platform hosts for these seats has ended."""
        for seat in seats:
            if not self.over:
                self._carry_out(self.table.crashed(seat, monotonic()))

    def lost_seats(self) -> list[int]:
        """Seats without a stream now."""
        return [seat for seat, link in enumerate(self._links) if link is None]

    def give_up(self) -> None:
        """Stop without a result: the platform's doing. Tell the bots, free the seats."""
        if self.over:
            return
        self.table.stage = Stage.OVER
        self.table.deadline = inf
        self._farewell(MatchEnd.ABANDONED)

    def _sit(self, seat: int, session: Session) -> None:
        self._epochs[seat] += 1
        self._links[seat] = session.sit(self, seat)

    # ---- what the streams report (SeatClient) -------------------------------------------

    def on_reply(self, seat: int, answer: Reply, now: float) -> None:
        self._carry_out(self.table.reply(seat, answer, now, answer.ByteSize()))

    def on_ready(self, seat: int, now: float) -> None:
        self._carry_out(self.table.ready(seat, now))

    def on_written(self, seat: int, decision: int, now: float) -> None:
        table = self.table
        table.written(seat, decision, now)
        if table.deadline < self.timer_at:
            self._timers.watch(self)

    def on_lost(self, seat: int, now: float) -> None:
        self._links[seat] = None
        self._carry_out(self.table.lost(seat, now))
        self._timers.watch(self)

    def on_time(self, now: float) -> None:
        self._carry_out(self.table.expire(now))

    def on_held_up(self, now: float) -> None:
        """The event loop was held up past a deadline: what a bot sent may still be unread."""
        if not self.table.held_up(now):
            self.fail("the arbiter was held up again and again")

    def fail(self, reason: str) -> None:
        """End the attempt by the platform's fault."""
        if not self.over:
            self.give_up()
            self._on_fault(self, reason)

    def on_fault(self, fault: Exception) -> None:
        """Our own code failed on an event of this table: no bot is blamed, no other table hurt."""
        log.error("match %s: fault in the referee", self.setup.match, exc_info=fault)
        self.fail(f"fault in the referee: {type(fault).__name__}")

    # ---- effects -------------------------------------------------------------------------

    def _carry_out(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            if type(effect) is Ask:
                self._ask(effect.seat)
            else:
                self._tell(effect)
        if self.table.deadline < self.timer_at:
            self._timers.watch(self)

    def _ask(self, seat: int) -> None:
        link = self._links[seat]
        if link is not None:
            body = self._turns.turn(seat, monotonic())
            state = self.table.seats[seat]
            state.request_bytes = len(body)
            link.ask(state.open, body)

    def _tell(self, effect: Effect) -> None:
        match effect:
            case DealBegan(deal):
                self._turns = Turns(self.table)
                for seat, link in self._present():
                    link.tell(events.deal_start(deal, seat))
            case PassDone(deal):
                for seat, link in self._present():
                    link.tell(events.passed(deal, seat))
            case LeftoverTaken(deal):
                for seat, link in self._present():
                    link.tell(events.leftover_taken(deal, seat))
            case DealEnded():
                body = events.deal_over(effect)
                for _, link in self._present():
                    link.tell(body)
                if not self.over:
                    self._on_deal(self)
            case Invite(seat):
                if (to := self._links[seat]) is not None:
                    to.tell(events.match_start(self.table, seat, self._epochs[seat]))
            case Refuse():
                if (to := self._links[effect.seat]) is not None:
                    to.tell(events.refusal(effect))
                    to.session.useless(monotonic())
            case FellBack():
                if (to := self._links[effect.seat]) is not None:
                    to.tell(events.fallback(effect))
            case MatchEnded():
                assert self.table.end is not None  # noqa: S101 - set by the table with the effect
                self._farewell(self.table.end)
                self._on_end(self)

    def _farewell(self, reason: MatchEnd) -> None:
        body = events.match_over(self.table, reason)
        for _, link in self._present():
            link.tell(body)
            link.close()
        self._links = [None] * len(self._links)

    def _present(self) -> list[tuple[int, Link]]:
        return [(seat, link) for seat, link in enumerate(self._links) if link is not None]
