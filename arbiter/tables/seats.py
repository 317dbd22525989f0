"""One seat's clock and conduct."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from arbiter.tables.ledger import microseconds

if TYPE_CHECKING:
    from hearts.limits import Limits
    from hearts.record import Verdict


MOMENT = 0.05
"""Seconds in which a bot's answer that has arrived is surely read."""


class Budget:
    """The limits of a match in seconds."""

    __slots__ = (
        "bank",
        "decision",
        "decision_ms",
        "grace",
        "increment",
        "lag",
        "match",
        "max_strikes",
        "ready",
        "rejoin",
    )

    def __init__(self, limits: Limits) -> None:
        self.ready = limits.ready_ms / 1000
        self.decision_ms = limits.decision_ms
        self.decision = limits.decision_ms / 1000
        self.bank = limits.bank_ms / 1000
        self.increment = limits.increment_ms / 1000
        self.lag = limits.lag_ms / 1000
        self.grace = self.decision + self.lag
        self.rejoin = limits.rejoin_ms / 1000
        self.match = limits.match_ms / 1000 or inf
        self.max_strikes = limits.max_strikes


class SeatState:
    """What the referee keeps for one seat: its open decision, time, strikes and presence.

    All times are seconds on the caller's monotonic clock.
    """

    __slots__ = (
        "absent",
        "asked_at",
        "bank",
        "crashed",
        "deadline",
        "due",
        "extensions",
        "lost_at",
        "malformed",
        "open",
        "opened_at",
        "ready",
        "refusals",
        "request_bytes",
        "retired",
        "strays",
        "strikes",
    )

    def __init__(self, budget: Budget) -> None:
        self.open = 0  # the open decision's id; 0: none
        self.opened_at = 0.0  # when it was due
        self.asked_at = -1.0  # when its request was written; -1: not yet
        self.request_bytes = 0  # as it was put into the outgoing frame; 0: not yet
        self.due = inf  # when its time ends, as asked
        self.deadline = inf  # when the referee acts: `due`, or earlier for a lost seat
        self.extensions = 0  # of the open decision, because we were held up
        self.bank = budget.bank
        self.strikes = 0
        self.retired: Verdict | None = None
        self.lost_at: float | None = None
        self.absent = False  # lost for longer than it may be
        self.crashed = False  # lost because the process that we host for it ended
        self.refusals = 0  # in the open decision
        self.malformed = False  # whether the last of them was unreadable
        self.strays = 0  # answers to no open decision, in this deal
        self.ready = False

    def ask(self, decision: int, now: float, rejoin: float) -> None:
        """Open a decision. Its clock starts when the request is written."""
        self.open = decision
        self.opened_at = now
        self.request_bytes = 0
        self.asked_at = -1.0
        self.due = inf
        self.deadline = inf if self.lost_at is None else self.lost_at + rejoin
        self.refusals = 0
        self.extensions = 0

    def extend(self, now: float) -> None:
        """We were held up past the deadline: allow as long again from now, a moment at least."""
        self.extensions += 1
        self.due = self.deadline = now + max(now - self.deadline, MOMENT)

    def written(self, now: float, budget: Budget) -> None:
        """Start the clock of the open decision, once."""
        if self.asked_at < 0:
            self.asked_at = now
            self.due = now + budget.grace + self.bank
            if self.due < self.deadline:
                self.deadline = self.due

    def answered(self, now: float, budget: Budget) -> float:
        """Close the open decision; returns the seconds it took and charges the bank."""
        waited = now - self.asked_at if self.asked_at >= 0 else 0.0
        if waited > budget.grace:
            self.bank = max(0.0, self.bank - (waited - budget.grace))
        self.bank += budget.increment
        self.open = 0
        self.deadline = inf
        return waited

    @property
    def queued(self) -> float:
        """Seconds from the moment the last decision was due to the write of its request; 0 when it
        was not written."""
        return self.asked_at - self.opened_at if self.asked_at >= 0 else 0.0

    def lost(self, now: float, rejoin: float) -> None:
        """The seat's stream closed: its clock runs on, but not beyond the rejoin time."""
        self.lost_at = now
        if self.open:
            self.deadline = min(self.due, now + rejoin)

    def back(self) -> None:
        """The seat has a stream again and plays on with the time that was left."""
        self.lost_at = None
        self.absent = False
        self.crashed = False
        if self.open:
            self.deadline = self.due

    def elapsed_us(self, now: float | None) -> int:
        """Microseconds since the open decision was asked; 0 when there is none."""
        if now is None or self.asked_at < 0:
            return 0
        return microseconds(now - self.asked_at)

    def time_left_ms(self, now: float, budget: Budget) -> int:
        """Time left of the decision proper, without bank and lag; never negative."""
        if self.asked_at < 0:
            return budget.decision_ms
        return max(0, int((self.asked_at + budget.decision - now) * 1000))
