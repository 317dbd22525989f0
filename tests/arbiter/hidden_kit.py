"""A deal that happens twice: the same acts, and other cards where one onlooker cannot see them."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, replace
from types import SimpleNamespace

import pytest
from stacked import StackedBoard

from arbiter.connections import session as session_module
from arbiter.connections.session import Pulse, Session
from arbiter.matches import attempt as attempt_module
from arbiter.matches.attempt import Attempt
from arbiter.matches.timers import Timers
from arbiter.services import spectators
from arbiter.store import MatchRow, MatchState
from arbiter.tables.setup import Setup
from arbiter.tournaments.matchplan import MatchPlan
from hearts import view
from hearts.cards import CLUBS, suit
from hearts.deal import Deal
from hearts.decisions import NOBODY, Phase, Refused
from hearts.game import Game
from hearts.limits import Limits
from hearts.rules import RuleSet
from hearts.scoring import MoonChoice
from hearts.shuffle import Board
from hearts.v1 import matches_pb2, play_pb2

SECRET = bytes(range(32))
LIMITS = Limits(decision_ms=10_000, lag_ms=0, bank_ms=500, max_strikes=0)


class Clock:
    """The only clock of these tests; it moves when they say so."""

    now = 1_000.0

    def __call__(self) -> float:
        return self.now


def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The arbiter has no other clock, and spectators look at every turn of the loop."""
    made = Clock()
    for module in (attempt_module, session_module):
        monkeypatch.setattr(module, "monotonic", made)
    monkeypatch.setattr(spectators, "LOOK_SECONDS", 0)
    return made


class Wire:
    """In place of a stream: keeps the bytes that the session's own writer sends."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []

    async def write(self, message: bytes) -> None:
        self.frames.append(message)


class Onlooker:
    """Watches the match, and keeps the bytes that the spectators' service sends."""

    def __init__(self, attempt: Attempt) -> None:
        self.frames: list[bytes] = []
        plan = MatchPlan("m", "t", 1, 1, 1, 0, 0, attempt.setup.seats)
        row = MatchRow(plan, MatchState.RUNNING, attempts=1)

        async def found(_id: str) -> MatchRow:
            return row

        async def not_found(_id: str) -> None:
            return None

        store = SimpleNamespace(
            matches=SimpleNamespace(get=found), tournaments=SimpleNamespace(get=not_found)
        )
        runner = SimpleNamespace(table=lambda _match: (1, attempt.table))
        gallery = spectators.Gallery(store, runner)  # type: ignore[arg-type]
        request = matches_pb2.WatchMatchRequest(name="matches/m")
        self.task = asyncio.create_task(gallery.watch("m", request, self))  # type: ignore[arg-type]

    async def write(self, message: matches_pb2.WatchMatchResponse) -> None:
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
    """A deal and who looks on: one seat, or a spectator (NOBODY)."""

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

    def reordered(self, rng: random.Random) -> Script:
        """Every hand was dealt, and passed by the others, in another order."""
        size = self.rules.hand_size
        pack: list[int] = []
        for at in range(0, len(self.pack), size):
            pack += rng.sample(self.pack[at : at + size], len(self.pack[at : at + size]))
        return replace(self.swapped(0, 0, rng), pack=tuple(pack))

    def repassed(self, rng: random.Random) -> Script | None:
        """One of the others passed a card that its receiver held before, and the receiver held
        the one that it now got: after the pass all hands are the same. None where that cannot
        be."""
        players, size = self.rules.players, self.rules.hand_size
        offset = Game(self.rules, self.setup().board, 1).deal.pass_offset
        passes = {act.seat: act.cards for act in self.acts if act.cards and act.kind == "answer"}
        choices = []
        for giver in set(passes) - {self.watched}:
            to = (giver + offset) % players
            if to in passes and to != self.watched:
                kept = Counter(self.pack[to * size : to * size + size]) - Counter(passes[to])
                choices += [(giver, a, b) for a in passes[giver] for b in kept if a != b]
        if not choices:
            return None
        giver, a, b = rng.choice(sorted(choices))
        pack = list(self.pack)
        pack[pack.index(a, giver * size)] = b
        pack[pack.index(b, (giver + offset) % players * size)] = a
        acts = list(self.acts)
        at = next(n for n, act in enumerate(acts) if act.seat == giver and a in act.cards)
        cards = list(acts[at].cards)
        cards[cards.index(a)] = b
        acts[at] = replace(acts[at], cards=tuple(cards))
        return replace(self, pack=tuple(pack), acts=tuple(acts))

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
        if isinstance(chosen, MoonChoice):
            act = Act("answer", act.seat, moon_choice=chosen)
        elif deal.phase is Phase.PASS:
            act = Act("answer", act.seat, cards=tuple(chosen))
        else:
            act = Act("answer", act.seat, card=chosen[0])
    if act.kind == "answer":
        if act.cards:
            deal.choose_pass(act.seat, act.cards)
        elif act.moon_choice:
            deal.choose_moon(MoonChoice(act.moon_choice))
        else:
            deal.play(act.seat, act.card)


class Run:
    """An attempt, its seats' streams without sockets, and the bytes sent to who looks on."""

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
        self.onlooker: Onlooker | None = None

    def _session(self, seat: int) -> Session:
        session = Session(f"bot{seat}", "", 10, self.pulse)
        wire = self.wire if seat == self.watched else Wire()
        self.writers.append(asyncio.create_task(session.write(wire)))
        return session

    async def begin(self) -> None:
        self.attempt.start(self.sessions)
        for seat in range(len(self.sessions)):
            self.attempt.on_ready(seat, self.clock.now)
        if self.watched == NOBODY:
            self.onlooker = Onlooker(self.attempt)
            self.writers.append(self.onlooker.task)
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
        return self.onlooker.frames if self.onlooker else self.wire.frames


async def sent(script: Script, clock: Clock) -> list[bytes]:
    """All frames that the onlooker gets in this script."""
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


async def a_script(
    rules: RuleSet, rng: random.Random, clock: Clock, watched: int | None = None
) -> tuple[Script, Deal]:
    """A deal up to some point, and how it stands there. Any seat is watched, unless it is given."""
    board = rng.randrange(len(rules.pass_cycle))
    pack = Board(rng.randbytes(32), 0).shuffle(rules, 0)
    if watched is None:
        watched = rng.randrange(rules.players)
    script = Script(rules, board, watched, tuple(pack))
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
    elif watched != NOBODY:
        acts += [Act("lost", script.watched), Act("back", script.watched)]
    await run.end()
    return replace(script, acts=tuple(acts)), deal


def a_moon(rules: RuleSet, rng: random.Random, watched: int | None = None) -> Script:
    """A deal that a seat with all clubs shoots, up to the choice that is asked of it. At a table
    of four with whole hands. Any seat is watched, unless it is given."""
    shooter = rng.randrange(4)
    watched = rng.choice([shooter, rng.randrange(4)]) if watched is None else watched
    clubs = [card for card in rules.pack() if suit(card) == CLUBS]
    others = rng.sample(sorted(set(rules.pack()) - set(clubs)), 39)
    board = rng.randrange(len(rules.pass_cycle))
    offset = Game(rules, Board(SECRET, board), 1).deal.pass_offset
    hands = [others[13 * at : 13 * at + 13] for at in range(3)]
    hands.insert(shooter, clubs)
    given: dict[int, list[int]] = {}
    if offset:
        giver = (shooter - offset) % 4
        inbound, outbound = rng.sample(clubs, 3), rng.sample(hands[giver], 3)
        hands[shooter] = [card for card in clubs if card not in inbound] + outbound
        hands[giver] = [card for card in hands[giver] if card not in outbound] + inbound
        given = {seat: rng.sample(hand, 3) for seat, hand in enumerate(hands)}
        given |= {giver: inbound, shooter: outbound}
    script = Script(rules, board, watched, tuple(card for hand in hands for card in hand))
    acts = [Act("answer", seat, cards=tuple(cards)) for seat, cards in given.items()]
    rng.shuffle(acts)
    deal = Game(rules, script.setup().board, 1).deal
    for act in acts:
        _apply(deal, act)
    while deal.phase is Phase.PLAY:
        acts.append(Act("answer", deal.turn, card=rng.choice(deal.legal())))
        _apply(deal, acts[-1])
    assert (deal.phase, deal.turn) == (Phase.MOON_CHOICE, shooter)
    return replace(script, acts=tuple(acts))


def hidden_from(deal: Deal, seat: int) -> list[int]:
    """Cards of which the seat, or a spectator, has seen no copy."""
    known = {*deal.plays, *view.leftover_seen(deal, None if seat == NOBODY else seat)}
    if seat != NOBODY:
        known |= {*deal.dealt[seat], *deal.received[seat]}
    return sorted(set(deal.rules.pack()) - known)
