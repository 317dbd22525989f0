"""The referee of one match, sans-I/O.

Events come in as method calls that carry the time; effects go out as a list. Nothing here
reads a clock, a socket or a random number, so a whole match with time-outs and crashes runs
in a test in microseconds.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Unpack

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
from arbiter.tables.ledger import Ledger, microseconds
from arbiter.tables.seats import MOMENT, Budget, SeatState
from arbiter.tables.setup import Memory, SeatMemory, Setup, Stage
from hearts.cards import JOKER, LAST
from hearts.deal import NOBODY, MoonChoice, Phase, Refused, Rule
from hearts.game import Game
from hearts.record import Incident, IncidentKind, MatchEnd, MatchRecord, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arbiter.tables.ledger import Details
    from arbiter.tables.setup import Answer
    from hearts.deal import Deal

MAX_EXTENSIONS = 3
"""How often one decision's deadline may be extended because the arbiter was held up."""
MAX_REFUSALS = 8
"""Refused answers to one decision after which the referee waits no longer."""
MAX_SHOWN = 20
"""Cards of a refused answer that the record keeps."""
MAX_STRAYS = 64
"""Answers to no open decision, a seat and deal, that the record keeps."""


_ASK = tuple(Ask(seat) for seat in range(10))


class Table:
    """One match at one table.

    `deadline` is the next moment, on the caller's monotonic clock, at which `expire` must be
    called; it moves with every event. Raises ValueError when bots and seats differ in number.
    """

    def __init__(self, setup: Setup, memory: Memory | None = None) -> None:
        if len(setup.seats) != setup.rules.players:
            raise ValueError(f"{len(setup.seats)} bots for {setup.rules.players} seats")
        self.setup = setup
        self.budget = Budget(setup.limits)
        self.seats = [SeatState(self.budget) for _ in setup.seats]
        self.ledger = Ledger(memory.deals if memory else ())
        self.stage = Stage.READY
        self.end: MatchEnd | None = None
        self.deadline = inf
        self.decisions = 0
        self._match_due = inf
        self._adjudicating = False
        self._leftover_taker = NOBODY
        self._places: tuple[int, ...] = ()
        self.game = self._game(memory)
        if memory:
            for seat, kept in zip(self.seats, memory.seats, strict=True):
                seat.bank = kept.bank_ms / 1000
                seat.strikes = kept.strikes
                seat.retired = kept.retired

    def _game(self, memory: Memory | None) -> Game:
        setup = self.setup
        if memory and memory.deals:
            last = memory.deals[-1]
            return Game.resume(
                setup.rules, setup.board, setup.deals, list(last.totals), last.deal + 1
            )
        return Game(setup.rules, setup.board, setup.deals)

    # ---- events -----------------------------------------------------------------------

    def begin(self, now: float, lost: Sequence[int] = ()) -> list[Effect]:
        """Everybody has a stream (but the seats in `lost`): invite them all."""
        self._match_due = now + self.budget.match
        for seat, state in enumerate(self.seats):
            state.deadline = now + self.budget.ready
            if seat in lost:
                state.lost_at = now
        self._settle()
        return [Invite(seat) for seat in range(len(self.seats))]

    def ready(self, seat: int, now: float) -> list[Effect]:
        """A seat says that it can play. The first deal begins when all have."""
        state = self.seats[seat]
        if self.stage is not Stage.READY or state.ready:
            return []
        state.ready = True
        state.deadline = inf
        self._settle()
        if not all(s.ready for s in self.seats):
            return []
        self.stage = Stage.PLAYING
        effects: list[Effect] = []
        self._begin_deal(effects)
        self._advance(now, effects)
        return effects

    def written(self, seat: int, decision: int, now: float) -> None:
        """The request for a decision left for the bot: its clock starts."""
        state = self.seats[seat]
        if decision and state.open == decision:
            state.written(now, self.budget)
            if state.deadline < self.deadline:
                self.deadline = state.deadline

    def reply(self, seat: int, answer: Answer, now: float, size: int = 0) -> list[Effect]:
        """A bot's answer of `size` bytes, read at `now`. A refused one changes nothing but its own
        count.

        An answer counts until `expire` has declared the time-out, which the caller does only after
        it has read all that had arrived.
        """
        state = self.seats[seat]
        if not state.open or answer.decision != state.open:
            return self._stray(seat, answer)
        deal = self.game.deal
        phase = deal.phase
        try:
            self._apply(deal, phase, seat, answer)
        except Refused as refused:
            return self._refused(seat, answer, refused, now)
        waited = state.answered(now, self.budget)
        self.ledger.decision(seat, waited, state.queued, answer.think_us, state.request_bytes, size)
        effects: list[Effect] = []
        if phase is Phase.PASS and len(deal.to_pass) in (0, len(self.seats)):
            self._passes_done(deal, effects)
        self._advance(now, effects)
        return effects

    def expire(self, now: float) -> list[Effect]:
        """Time has passed, and all that had arrived is read: decide for every seat whose deadline
        is over."""
        if self.stage is Stage.OVER or now < self.deadline:
            return []
        if self.stage is Stage.READY:
            return self._no_start(now)
        if now >= self._match_due:
            self._adjudicating = True
        effects: list[Effect] = []
        for seat, state in enumerate(self.seats):
            if state.open and (state.deadline <= now or self._adjudicating):
                effects += self._fall_back(seat, now)
        self._settle()
        return effects

    def held_up(self, now: float) -> bool:
        """The caller was held up past a deadline, so answers may lie unread: extend it.

        False when that has happened MAX_EXTENSIONS times to one decision: then nobody can say
        whose fault a time-out is, and the attempt is worth nothing.
        """
        overdue = [s for s in self.seats if s.deadline <= now]  # to answer, or to be ready
        for state in overdue:
            state.extend(now)
        if self._match_due <= now:
            self._match_due = now + MOMENT
        self._settle()
        return all(state.extensions <= MAX_EXTENSIONS for state in overdue)

    def lost(self, seat: int, now: float) -> list[Effect]:
        """A seat's stream closed."""
        state = self.seats[seat]
        if state.lost_at is None and self.stage is not Stage.OVER:
            state.lost(now, self.budget.rejoin)
            self._note(seat, IncidentKind.LOST)
            self._settle()
        return []

    def crashed(self, seat: int, now: float) -> list[Effect]:
        """The process that the platform hosts for a seat has ended: its stream is lost, too."""
        state = self.seats[seat]
        effects = self.lost(seat, now)
        state.crashed = state.lost_at is not None
        return effects

    def back(self, seat: int) -> list[Effect]:
        """A seat has a stream again. Its open decision, if any, is asked again."""
        state = self.seats[seat]
        if state.lost_at is None or self.stage is Stage.OVER:
            return []
        state.back()
        self._note(seat, IncidentKind.BACK)
        self._settle()
        invite: list[Effect] = [Invite(seat)]
        return [*invite, _ASK[seat]] if state.open else invite

    def forfeit(self, seats: Sequence[int], verdict: Verdict) -> list[Effect]:
        """End the match before any card because `seats` never appeared or never started."""
        for seat in seats:
            self.seats[seat].retired = verdict
            self._note(seat, IncidentKind.VERDICT, verdict=verdict)
        present = len(self.seats) - len(seats)
        self._places = tuple(present + 1 if seat in seats else 1 for seat in range(len(self.seats)))
        return self._finish(MatchEnd.FORFEIT)

    # ---- what the caller may read ------------------------------------------------------

    def record(self) -> MatchRecord:
        """The finished match. Raises ValueError while it is still played."""
        if self.end is None:
            raise ValueError(f"{self.setup.match} is not over")
        setup = self.setup
        return MatchRecord(
            match=setup.match,
            tournament=setup.tournament,
            rules=self.game.rules,
            limits=setup.limits,
            seats=setup.seats,
            board=setup.board.number,
            rotation=setup.rotation,
            deals=tuple(self.ledger.deals),
            end=self.end,
            totals=tuple(self.game.totals),
            places=self._places,
            incidents=tuple(self.ledger.early),
        )

    def memory(self) -> Memory:
        """The checkpoint after the last finished deal."""
        return Memory(
            tuple(self.ledger.deals),
            tuple(SeatMemory(int(s.bank * 1000), s.strikes, s.retired) for s in self.seats),
        )

    @property
    def places(self) -> tuple[int, ...]:
        """Places by seat, 1 is best; empty until the match is over."""
        return self._places

    # ---- the referee's own work ---------------------------------------------------------

    def _apply(self, deal: Deal, phase: Phase, seat: int, answer: Answer) -> None:
        if phase is Phase.PLAY:
            if not answer.card or answer.cards or answer.moon_choice:
                raise _malformed(deal, "this decision wants one card in `card`")
            deal.play(seat, answer.card)
        elif phase is Phase.PASS:
            if not answer.cards or answer.card or answer.moon_choice:
                raise _malformed(deal, "this decision wants the cards to pass in `cards`")
            deal.choose_pass(seat, list(answer.cards))
        else:
            if not answer.moon_choice or answer.card or answer.cards:
                raise _malformed(deal, "this decision wants `moon_choice`")
            if answer.moon_choice not in (MoonChoice.OTHERS, MoonChoice.SELF):
                raise _malformed(deal, "moon_choice is OTHERS or SELF")
            deal.choose_moon(MoonChoice(answer.moon_choice))

    def _advance(self, now: float, effects: list[Effect]) -> None:
        """Ask whoever is next; decide at once for seats nobody waits for."""
        while True:
            deal = self.game.deal
            phase = deal.phase
            if deal.leftover_taker != self._leftover_taker:
                self._leftover_taker = deal.leftover_taker
                effects.append(LeftoverTaken(deal))
            if phase is Phase.PLAY or phase is Phase.MOON_CHOICE:
                seat = deal.turn
                state = self.seats[seat]
                self.decisions += 1
                state.ask(self.decisions, now, self.budget.rejoin)
                if not (state.retired or state.absent or self._adjudicating):
                    effects.append(_ASK[seat])
                    # Nobody else has an open decision: no need to look at every seat.
                    self.deadline = min(self._match_due, state.deadline)
                    return
                self._decide(seat, now, effects)
            elif phase is Phase.PASS:
                if self._ask_pass(deal, now, effects):
                    break
            elif not self._end_deal(deal, effects):
                break
        self._settle()

    def _ask_pass(self, deal: Deal, now: float, effects: list[Effect]) -> bool:
        """Ask all who still choose; False when none was left to wait for."""
        waiting = False
        for seat in sorted(deal.to_pass):
            state = self.seats[seat]
            if state.open:
                waiting = True
                continue
            self.decisions += 1
            state.ask(self.decisions, now, self.budget.rejoin)
            if state.retired or state.absent or self._adjudicating:
                self._decide(seat, now, effects)
            else:
                effects.append(_ASK[seat])
                waiting = True
        return waiting

    def _begin_deal(self, effects: list[Effect]) -> None:
        for state in self.seats:
            state.strays = 0
        self._leftover_taker = NOBODY
        effects.append(DealBegan(self.game.deal))

    def _end_deal(self, deal: Deal, effects: list[Effect]) -> bool:
        """Score the deal; False when the match is over."""
        game = self.game
        self.ledger.close(deal)
        effects.append(DealEnded(deal))
        if game.over or self._adjudicating:
            self._places = tuple(game.places())
            effects += self._finish(game.end if game.over else MatchEnd.ADJUDICATED)
            return False
        game.next_deal()
        self._begin_deal(effects)
        return True

    def _finish(self, end: MatchEnd | None) -> list[Effect]:
        self.end = end
        self.stage = Stage.OVER
        for state in self.seats:
            state.open = 0
            state.deadline = inf
        self.deadline = inf
        return [MatchEnded()]

    def _settle(self) -> None:
        """Recompute the next deadline."""
        due = self._match_due if self.stage is Stage.PLAYING else inf
        for state in self.seats:
            if state.deadline < due:
                due = state.deadline
        self.deadline = due

    def _no_start(self, now: float) -> list[Effect]:
        late = [i for i, s in enumerate(self.seats) if not s.ready and s.deadline <= now]
        if not late:
            self._settle()
            return []
        return self.forfeit(late, Verdict.NO_START)

    def _fall_back(self, seat: int, now: float) -> list[Effect]:
        """The seat's time is over: strike, decide for it, go on."""
        state = self.seats[seat]
        effects: list[Effect] = []
        if state.lost_at is not None:
            state.absent = True
        if not self._adjudicating:
            state.strikes += 1
            if 0 < self.budget.max_strikes <= state.strikes:
                state.retired = self._verdict(state)
        self._decide(seat, now, effects)
        if state.retired:
            self._note(seat, IncidentKind.RETIRED, verdict=state.retired)
        self._advance(now, effects)
        return effects

    def _decide(self, seat: int, now: float, effects: list[Effect]) -> None:
        """Apply the documented fallback for the seat's open decision."""
        state = self.seats[seat]
        deal = self.game.deal
        phase = deal.phase
        decision, verdict = state.open, state.retired or self._verdict(state)
        plays = len(deal.plays)
        chosen = deal.fallback(seat)
        cards: tuple[int, ...] = ()
        choice = 0
        if isinstance(chosen, MoonChoice):
            choice = chosen
            deal.choose_moon(chosen)
        else:
            cards = tuple(chosen)
            if phase is Phase.PASS:
                deal.choose_pass(seat, chosen)
            else:
                deal.play(seat, chosen[0])
        waited = state.answered(now, self.budget)
        self._note(
            seat,
            IncidentKind.VERDICT,
            decision=decision,
            phase=phase,
            verdict=verdict,
            cards=cards,
            moon_choice=MoonChoice(choice) if choice else None,
            elapsed_us=microseconds(waited),
            after_plays=plays,
        )
        self.ledger.decision(seat, waited, state.queued, request_bytes=state.request_bytes)
        effects.append(
            FellBack(
                seat,
                decision,
                verdict,
                phase,
                cards,
                choice,
                state.strikes,
                state.retired is not None,
            )
        )
        if phase is Phase.PASS and len(deal.to_pass) in (0, len(self.seats)):
            self._passes_done(deal, effects)

    def _passes_done(self, deal: Deal, effects: list[Effect]) -> None:
        """All have chosen: the cards changed hands, or the rules had the deal dealt anew."""
        if deal.phase is Phase.PASS:
            effects.append(DealBegan(deal))
        else:
            effects.append(PassDone(deal))

    def _verdict(self, state: SeatState) -> Verdict:
        if state.lost_at is not None:
            return Verdict.CRASH if state.crashed else Verdict.LEFT
        if state.refusals:
            return Verdict.MALFORMED if state.malformed else Verdict.ILLEGAL
        return Verdict.TIMEOUT

    def _refused(self, seat: int, answer: Answer, refused: Refused, now: float) -> list[Effect]:
        state = self.seats[seat]
        if refused.rule is not Rule.RENEGE_WARNING:
            state.refusals += 1
            state.malformed = refused.rule is Rule.MALFORMED
        self._note_answer(seat, IncidentKind.REFUSED, answer, refused.rule, now)
        effects: list[Effect] = [
            Refuse(
                seat,
                answer.decision,
                refused.rule,
                tuple(refused.legal),
                state.time_left_ms(now, self.budget),
                refused.message,
            )
        ]
        if state.refusals >= MAX_REFUSALS:
            effects += self._fall_back(seat, now)
        return effects

    def _stray(self, seat: int, answer: Answer) -> list[Effect]:
        """An answer to a decision that is over, or that nobody asked."""
        state = self.seats[seat]
        state.strays += 1
        if self.stage is not Stage.PLAYING:
            return []
        if 0 < answer.decision <= self.decisions and answer.decision != state.open:
            kind, rule, text = IncidentKind.LATE, Rule.TOO_LATE, "that decision is over"
        else:
            kind, rule, text = IncidentKind.REFUSED, Rule.OUT_OF_TURN, "nothing was asked of you"
        if state.strays <= MAX_STRAYS:
            self._note_answer(seat, kind, answer, rule, None)
        return [Refuse(seat, answer.decision, rule, (), 0, text)]

    def _note_answer(
        self, seat: int, kind: IncidentKind, answer: Answer, rule: Rule, now: float | None
    ) -> None:
        state = self.seats[seat]
        sent = [answer.card] if answer.card else list(answer.cards[:MAX_SHOWN])
        cards = tuple(card for card in sent if JOKER <= card <= LAST)
        self._note(
            seat,
            kind,
            decision=answer.decision,
            phase=self.game.deal.phase,
            rule=rule,
            cards=cards,
            message="" if len(cards) == len(sent) else f"sent {sent}",
            elapsed_us=state.elapsed_us(now),
        )

    def _note(self, seat: int, kind: IncidentKind, **details: Unpack[Details]) -> None:
        """Add an incident: to the deal in progress, or to the time before the first."""
        if self.stage is Stage.PLAYING:
            details.setdefault("after_plays", len(self.game.deal.plays))
            self.ledger.incidents.append(Incident(seat, kind, **details))
        else:
            self.ledger.early.append(Incident(seat, kind, **details))


def _malformed(deal: Deal, message: str) -> Refused:
    legal = deal.legal() if deal.phase is Phase.PLAY else []
    return Refused(Rule.MALFORMED, message=message, legal=legal)
