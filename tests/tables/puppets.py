"""A table, its puppets and a clock wound by hand: whole matches without sockets or waiting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from arbiter.tables.effects import Ask, Effect, FellBack, Refuse
from arbiter.tables.setup import Memory, Setup, Stage
from arbiter.tables.table import Table
from hearts.deal import Phase
from hearts.limits import Limits
from hearts.rules import RuleSet, preset
from hearts.shuffle import Board

SECRET = bytes(range(32))


@dataclass(frozen=True)
class Answer:
    """A bot's answer as the table reads it."""

    decision: int
    card: int = 0
    cards: Sequence[int] = ()
    moon_choice: int = 0
    think_us: int = 0


@dataclass
class Stage4:
    """A table in play. `now` is the time; `effects` is all that the table ever wanted."""

    limits: Limits = field(default_factory=Limits)
    deals: int | None = 1
    rules: RuleSet = field(default_factory=lambda: preset("standard"))
    board: int = 3  # a hold deal in the standard cycle
    memory: Memory | None = None
    now: float = 100.0
    effects: list[Effect] = field(default_factory=list)

    def __post_init__(self) -> None:
        seats = tuple(f"bot{seat}" for seat in range(self.rules.players))
        setup = Setup(
            "m",
            "tag",
            "t",
            self.rules,
            self.limits,
            Board(SECRET, self.board),
            0,
            self.deals,
            seats,
        )
        self.table = Table(setup, self.memory)

    # ---- what happens -------------------------------------------------------------------

    def take(self, effects: list[Effect]) -> list[Effect]:
        """Note effects and start the clocks of what is asked, as a fast writer would."""
        self.effects += effects
        for effect in effects:
            if isinstance(effect, Ask):
                self.table.written(effect.seat, self.open(effect.seat), self.now)
        return effects

    def begin(self) -> Stage4:
        """Seat everybody and let all be ready."""
        self.take(self.table.begin(self.now))
        for seat in range(len(self.table.seats)):
            self.take(self.table.ready(seat, self.now))
        return self

    def say(self, seat: int, answer: Answer) -> list[Effect]:
        """A bot sends something."""
        return self.take(self.table.reply(seat, answer, self.now))

    def pass_time(self, seconds: float) -> list[Effect]:
        """The clock moves on; the table is called at each of its deadlines on the way."""
        until = self.now + seconds
        happened: list[Effect] = []
        while self.table.deadline <= until:
            self.now = max(self.now, self.table.deadline)
            happened += self.take(self.table.expire(self.now))
        self.now = until
        return happened

    # ---- what is to be seen ---------------------------------------------------------------

    def open(self, seat: int) -> int:
        """The seat's open decision, 0 when it has none."""
        return self.table.seats[seat].open

    @property
    def to_move(self) -> int:
        """The seat to play."""
        return self.table.game.deal.turn

    def state(self) -> str:
        """The deal's state as a hash."""
        return self.table.game.deal.state_hash()

    def refusals(self) -> list[Refuse]:
        """Every refusal so far."""
        return [e for e in self.effects if isinstance(e, Refuse)]

    def fallbacks(self) -> list[FellBack]:
        """Every fallback so far."""
        return [e for e in self.effects if isinstance(e, FellBack)]

    # ---- puppets ----------------------------------------------------------------------------

    def good(self, seat: int) -> Answer:
        """A legal answer to the seat's open decision: the lowest cards."""
        deal = self.table.game.deal
        decision = self.open(seat)
        if deal.phase is Phase.PASS:
            return Answer(decision, cards=deal.hand(seat)[: self.rules.pass_count])
        if deal.phase is Phase.MOON_CHOICE:
            return Answer(decision, moon_choice=1)
        return Answer(decision, card=deal.legal()[0])

    def play_on(
        self, plays: int | None = None, until: Callable[[], bool] = lambda: False
    ) -> Stage4:
        """Everybody answers well, for a number of answers or until something holds."""
        while self.table.stage is not Stage.OVER and plays != 0 and not until():
            seat = next(s for s in range(len(self.table.seats)) if self.open(s))
            self.say(seat, self.good(seat))
            plays = None if plays is None else plays - 1
        return self
