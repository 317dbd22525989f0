"""FS02, to the byte: no frame sent to a seat changes with cards that are hidden from it.

A deal is played once with one seat watched: it is refused, runs out of time, loses its stream and
comes back. Then two cards that it has not seen change places, the same things happen again, and
every byte that was sent to it must be the same.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, replace

import pytest
from stacked import StackedBoard

from arbiter.connections import events
from arbiter.connections import session as session_module
from arbiter.connections.session import Pulse, Session
from arbiter.matches import attempt as attempt_module
from arbiter.matches.attempt import Attempt
from arbiter.matches.timers import Timers
from arbiter.tables.setup import Setup
from hearts import view
from hearts.cards import HEARTS, suit
from hearts.deal import Deal
from hearts.decisions import Phase, Refused
from hearts.game import Game
from hearts.limits import Limits
from hearts.rules import PRESETS, RuleSet, preset
from hearts.shuffle import Board
from hearts.v1 import play_pb2

SECRET = bytes(range(32))
LIMITS = Limits(decision_ms=10_000, lag_ms=0, bank_ms=500, max_strikes=0)


class Clock:
    """The only clock of these tests; it moves when they say so."""

    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    for module in (attempt_module, session_module):
        monkeypatch.setattr(module, "monotonic", made)
    return made


class Wire:
    """In place of a stream: keeps the bytes that the session's own writer sends."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []

    async def write(self, message: play_pb2.PlayResponse) -> None:
        self.frames.append(message.SerializeToString(deterministic=True))


@dataclass(frozen=True)
class Act:
    """Something that happens: what a seat answers, or "time" passes, or it is "lost" or "back"."""

    kind: str
    seat: int
    card: int = 0
    cards: tuple[int, ...] = ()
    moon_choice: int = 0


@dataclass(frozen=True)
class Script:
    rules: RuleSet
    board: int
    watched: int
    pack: tuple[int, ...]
    acts: tuple[Act, ...] = ()

    def setup(self) -> Setup:
        return Setup(
            match="m",
            tag="tag",
            tournament="t",
            rules=self.rules,
            limits=LIMITS,
            board=StackedBoard(SECRET, self.board, lambda *_: list(self.pack)),
            rotation=0,
            deals=1,
            seats=tuple(f"bot{seat}" for seat in range(self.rules.players)),
        )

    def swapped(self, a: int, b: int, rng: random.Random) -> Script:
        """Two cards change places. The others pass what they passed, in any order."""

        def other(cards: tuple[int, ...]) -> tuple[int, ...]:
            return tuple({a: b, b: a}.get(card, card) for card in cards)

        acts = [
            act
            if act.seat == self.watched or not act.cards
            else replace(act, cards=tuple(rng.sample(other(act.cards), len(act.cards))))
            for act in self.acts
        ]
        return replace(self, pack=other(self.pack), acts=tuple(acts))

    def fits(self, other: Script) -> bool:
        """Whether with the other's cards all seats could have done the same."""
        ours, theirs = (Game(s.rules, s.setup().board, 1).deal for s in (self, other))
        try:
            for one, two in zip(self.acts, other.acts, strict=True):
                if ours.turn != theirs.turn:
                    return False
                _apply(ours, one)
                _apply(theirs, two)
        except Refused:
            return False
        return ours.turn == theirs.turn and ours.phase is theirs.phase


def _apply(deal: Deal, act: Act) -> None:
    if act.kind == "time":
        chosen = deal.fallback(act.seat)
        assert isinstance(chosen, list)
        act = replace(act, kind="answer", card=chosen[0])
        if deal.phase is Phase.PASS:
            act = replace(act, card=0, cards=tuple(chosen))
    if act.kind == "answer":
        if act.cards:
            deal.choose_pass(act.seat, act.cards)
        else:
            deal.play(act.seat, act.card)


class Run:
    """An attempt, its seats' streams without sockets, and the bytes sent to the watched seat."""

    def __init__(self, script: Script, clock: Clock) -> None:
        self.script = script
        self.clock = clock
        self.watched = script.watched
        clock.now = 1_000.0
        self.attempt = Attempt(script.setup(), Timers())
        self.pulse = Pulse()
        self.wire = Wire()
        self.writers: list[asyncio.Task[None]] = []
        self.sessions = [self._session(seat) for seat in range(script.rules.players)]

    def _session(self, seat: int) -> Session:
        session = Session(f"bot{seat}", "", 10, self.pulse)
        wire = self.wire if seat == self.watched else Wire()
        self.writers.append(asyncio.create_task(session.write(wire)))  # type: ignore[arg-type]
        return session

    async def begin(self) -> None:
        self.attempt.start(self.sessions)
        for seat in range(len(self.sessions)):
            self.attempt.on_ready(seat, self.clock.now)
        await self._written()

    async def do(self, act: Act) -> None:
        self.clock.now += 0.25
        state = self.attempt.table.seats[act.seat]
        if act.kind == "time":
            self.clock.now += 11.0
            for seat, other in enumerate(self.attempt.table.seats):
                if seat != act.seat and other.open:
                    other.deadline += 1_000.0
            self.attempt.on_time(self.clock.now)
        elif act.kind == "lost":
            self.attempt.on_lost(act.seat, self.clock.now)
        elif act.kind == "back":
            self.sessions[act.seat] = self._session(act.seat)
            self.attempt.bring_back(self.sessions[act.seat])
        else:
            reply = play_pb2.Reply(
                decision=state.open, card=act.card, cards=act.cards, moon_choice=act.moon_choice
            )
            self.attempt.on_reply(act.seat, reply, self.clock.now)
        await self._written()

    async def _written(self) -> None:
        for _ in range(5):
            await asyncio.sleep(0)

    async def end(self) -> list[bytes]:
        for writer in self.writers:
            writer.cancel()
        await asyncio.gather(*self.writers, return_exceptions=True)
        return self.wire.frames


async def sent(script: Script, clock: Clock) -> list[bytes]:
    """All frames that the watched seat gets in this script."""
    run = Run(script, clock)
    await run.begin()
    for act in script.acts:
        await run.do(act)
    return await run.end()


def an_act(run: Run, rng: random.Random) -> Act:
    """What happens next: any open seat answers; the watched one also does what bots do wrong."""
    deal, table = run.attempt.table.game.deal, run.attempt.table
    seat = rng.choice([s for s, state in enumerate(table.seats) if state.open])
    if seat == run.watched:
        trouble = rng.random()
        if run.attempt.lost_seats():
            return Act("back", seat)
        if trouble < 0.15:
            return Act("lost", seat)
        if trouble < 0.3:
            return Act("time", seat)
        wrong = sorted(set(deal.hand(seat)) - set(deal.legal()))
        if trouble < 0.5:
            return Act("wrong", seat, card=rng.choice([54, *wrong]))
    if deal.phase is Phase.PASS:
        count = deal.rules.pass_count
        return Act("answer", seat, cards=tuple(rng.sample(deal.hand(seat), count)))
    return Act("answer", seat, card=rng.choice(deal.legal()))


async def a_script(rules: RuleSet, rng: random.Random, clock: Clock) -> tuple[Script, Deal]:
    """A deal up to some point, and how it stands there."""
    board = rng.randrange(len(rules.pass_cycle))
    pack = Board(rng.randbytes(32), 0).shuffle(rules, 0)
    script = Script(rules, board, rng.randrange(rules.players), tuple(pack))
    stop = rng.randrange(rules.hand_size * rules.players)
    run = Run(script, clock)
    await run.begin()
    acts: list[Act] = []
    deal = run.attempt.table.game.deal
    while len(deal.plays) < stop and len(deal.to_pass) != rng.randrange(1, 60):
        acts.append(an_act(run, rng))
        await run.do(acts[-1])
    if run.attempt.lost_seats():
        acts.append(Act("back", script.watched))
    else:
        acts += [Act("lost", script.watched), Act("back", script.watched)]
    await run.end()
    return replace(script, acts=tuple(acts)), deal


def hidden_from(deal: Deal, seat: int) -> list[int]:
    """Cards of which the seat has seen no copy."""
    known = {*deal.dealt[seat], *deal.received[seat], *deal.plays, *view.leftover_seen(deal, seat)}
    return sorted(set(deal.rules.pack()) - known)


SEEN = Counter[str]()


@pytest.mark.parametrize("name", PRESETS)
async def test_not_a_byte_changes_with_cards_hidden_from_the_seat(name: str, clock: Clock):
    """FS02: turns, refusals, fallbacks and resume snapshots, in every phase, for every preset."""
    rng = random.Random(name)
    compared = 0
    for _ in range(60):
        script, deal = await a_script(preset(name), rng, clock)
        hidden = hidden_from(deal, script.watched)
        frames = await sent(script, clock)
        for _ in range(3):
            if len(hidden) < 2:
                break
            other = script.swapped(*rng.sample(hidden, 2), rng)
            if not script.fits(other):
                continue  # with these cards the others could not have played like this
            assert await sent(other, clock) == frames
            compared += 1
        if compared >= 6:
            break
        note(frames)
    assert compared >= 6


def note(frames: list[bytes]) -> None:
    """Count what kinds of events the comparisons covered."""
    for frame in frames:
        for event in play_pb2.PlayResponse.FromString(frame).frame.events:
            kind = event.WhichOneof("event") or ""
            SEEN[kind] += 1
            SEEN[f"{kind} {event.turn.phase}"] += kind == "turn"
            SEEN["resume"] += event.match_start.HasField("resume")


def test_the_comparisons_covered_every_kind_of_event():
    """Runs after the test above, and has nothing to say without it."""
    if not SEEN:
        pytest.skip("no comparison ran in this process")
    kinds = ("match_start", "deal_start", "passed", "refusal", "fallback", "leftover_taken")
    assert all(SEEN[kind] for kind in (*kinds, "turn 1", "turn 2", "resume"))


async def test_the_comparison_can_fail(clock: Clock, monkeypatch: pytest.MonkeyPatch):
    """An arbiter that tells how many hearts another seat was dealt would be found."""
    told = events.deal_start

    def leaky(event: play_pb2.Event, deal: Deal, seat: int) -> None:
        told(event, deal, seat)
        event.deal_start.redeals = sum(suit(card) == HEARTS for card in deal.dealt[seat - 1])

    monkeypatch.setattr(events, "deal_start", leaky)
    rng = random.Random(2)
    changed = 0
    for _ in range(40):
        script, deal = await a_script(preset("standard"), rng, clock)
        hidden = hidden_from(deal, script.watched)
        if len(hidden) > 1:
            other = script.swapped(*rng.sample(hidden, 2), rng)
            if script.fits(other):
                changed += await sent(other, clock) != await sent(script, clock)
    assert changed > 0
