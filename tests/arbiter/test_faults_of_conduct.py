"""Over real streams: answers that are wrong, stale or come all at once, and starts that fail."""

from __future__ import annotations

import asyncio
import os
import sys
from collections import defaultdict
from contextlib import suppress
from time import monotonic

import grpc.aio
import pytest
from arena import NAMES, RawBot, arena, eventually, first_legal
from test_streams import verdicts

from arbiter.connections.session import Pulse, Session
from hearts.cards import LAST
from hearts.decisions import Rule
from hearts.limits import Limits
from hearts.record import (
    IncidentKind,
    MatchEnd,
    Verdict,
    from_json,
    from_text,
    replay,
    to_json,
    to_text,
)
from hearts.rules import preset
from hearts.v1 import play_pb2, play_pb2_grpc

PATIENT = Limits(decision_ms=20_000)


async def test_im02_a_match_whose_very_first_play_was_illegal_replays():
    """What was refused is an incident beside the plays, and every reader of records takes it."""
    refused: list[int] = []

    async def wrong_first(bot: RawBot, event: play_pb2.Event) -> None:
        turn = event.turn
        if turn.trick_number == 1 and not turn.trick and not refused:
            refused.append(next(card for card in turn.hand if card not in turn.legal))
            await bot.reply(event, card=refused[0])
        await first_legal(bot, event)

    async with arena() as here:
        await here.field(**dict.fromkeys(NAMES, wrong_first))
        record = await here.match(limits=PATIENT)
    [incident] = list(record.all_incidents())
    assert (incident.kind, incident.rule) == (IncidentKind.REFUSED, Rule.MUST_OPEN)
    assert (incident.after_plays, incident.cards) == (0, tuple(refused))
    [deal] = record.deals
    assert deal.plays[0] != refused[0]
    assert len(deal.plays) == 52
    for read in (record, from_json(to_json(record)), from_text(to_text(record))):
        assert read == record
        assert replay(read)[0].points == list(deal.points)


async def test_im08_no_answer_is_corrected_and_each_refusal_names_its_rule_and_the_legal_cards():
    """IM06 too: the decision stays open within its time, and the corrected answer is the play."""
    sent: list[tuple[RawBot, play_pb2.Event, int]] = []
    meant: list[int] = []

    async def clumsy(bot: RawBot, event: play_pb2.Event) -> None:
        turn = event.turn
        if turn.phase == play_pb2.PHASE_PLAY:
            wrong = [card for card in turn.hand if card not in turn.legal]
            elsewhere = next(c for c in range(2, LAST + 1) if c not in turn.hand)
            for card in (*wrong[:2], *wrong[-2:], elsewhere, 60):
                sent.append((bot, event, card))
                await bot.reply(event, card=card)
            meant.append(turn.legal[-1])
            await bot.reply(event, card=turn.legal[-1])
        else:
            await first_legal(bot, event)

    seen: set[int] = set()
    async with arena() as here:
        bots = await here.field(**dict.fromkeys(NAMES, clumsy))
        for board in (3, 7):
            del sent[:], meant[:]
            record = await here.match(board, limits=PATIENT)
            assert not verdicts(record)
            assert list(record.deals[0].plays) == meant
            incidents = [i for i in record.all_incidents() if i.kind is IncidentKind.REFUSED]
            assert len(incidents) == len(sent)
        for bot in bots:
            turns = {(e.table, e.turn.decision): e.turn for e in bot.events if e.HasField("turn")}
            for event in bot.events:
                if event.HasField("refusal"):
                    refusal = event.refusal
                    seen.add(refusal.rule)
                    assert list(refusal.legal) == list(turns[event.table, refusal.decision].legal)
                    assert 0 < refusal.time_left_ms <= 20_000
                    assert refusal.message
    assert seen >= {
        play_pb2.RULE_MUST_OPEN,
        play_pb2.RULE_MUST_FOLLOW_SUIT,
        play_pb2.RULE_NOT_IN_HAND,
        play_pb2.RULE_UNKNOWN_CARD,
        play_pb2.RULE_HEARTS_NOT_BROKEN,
    }


@pytest.mark.parametrize("step", ["connect", "hello", "ready"])
async def test_ch03_a_bot_that_is_mute_at_any_step_costs_bounded_time(step: str):
    """Not connected, connected and silent, greeted and never ready: the match ends all the same,
    that seat alone is blamed, and the others play on."""
    async with arena() as here:
        for name in NAMES[:3]:
            await here.bot(name)
        silent = RawBot("dora", here.port)
        here.bots["dora"] = silent
        if step == "hello":
            stub = play_pb2_grpc.PlayServiceStub(silent._channel)
            silent._call = stub.Play(metadata=(("authorization", "Bearer dora"),))
            await silent._call.wait_for_connection()
        elif step == "ready":
            silent.ready = False
            await silent.connect()
        began = monotonic()
        limits = Limits(connect_ms=1_500, ready_ms=1_500, decision_ms=5_000)
        record = await asyncio.wait_for(here.match(limits=limits), 20)
        assert monotonic() - began < 10
        expected = Verdict.NO_START if step == "ready" else Verdict.NO_SHOW
        assert (record.end, verdicts(record)) == (MatchEnd.FORFEIT, {(3, expected)})
        assert record.places == (1, 1, 1, 4)
        await here.bot("dora")
        assert (await here.match(7, limits=PATIENT)).end is MatchEnd.DEALS


async def test_ch06_a_stream_that_breaks_before_the_first_card_blames_no_other_seat():
    """Whoever comes back in time plays; whoever does not is the only one to blame."""
    async with arena() as here:
        bots = await here.field()
        bots[1].ready = False
        match = here.match(limits=Limits(ready_ms=1_500))
        await eventually(lambda: bots[1].of("match_start"))
        await bots[1].close()
        record = await asyncio.wait_for(match, 10)
        assert (record.end, verdicts(record)) == (MatchEnd.FORFEIT, {(1, Verdict.NO_START)})

        bots[1] = await here.bot("bert")
        bots[1].ready = False
        match = here.match(7, limits=Limits(ready_ms=8_000))
        await eventually(lambda: bots[1].of("match_start"))
        await bots[1].close()
        await here.bot("bert")
        record = await asyncio.wait_for(match, 10)
        assert (record.end, verdicts(record)) == (MatchEnd.DEALS, set())


async def test_dr07_an_older_stream_has_no_say_any_more():
    """Its answer, right in itself, comes after a newer stream took over: it changes nothing, and
    the stream is told why it ends. The table has a fresh number on the newer one."""
    async with arena() as here:
        asked: list[play_pb2.Event] = []

        async def hesitate(_bot: RawBot, event: play_pb2.Event) -> None:
            asked.append(event)

        await here.field(bert=hesitate)
        older = here.bots["bert"]
        match = here.match(limits=PATIENT)
        await eventually(lambda: asked)
        state = next(iter(here.seating._playing)).table.game.deal
        before = state.state_hash()
        newer = await here.bot("bert", hesitate)
        await eventually(lambda: len(asked) == 2)
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            for _ in range(50):
                await older.reply(asked[0], card=asked[0].turn.legal[0])
                await asyncio.sleep(0.01)
        assert state.state_hash() == before
        assert await older._call.code() is grpc.StatusCode.ABORTED
        assert "took over" in await older._call.details()
        assert [s.epoch for s in (*older.of("match_start"), *newer.of("match_start"))] == [1, 2]
        newer.answer = first_legal
        await first_legal(newer, asked[1])
        record = await asyncio.wait_for(match, 10)
        assert not verdicts(record)
        assert not [i for i in record.all_incidents() if i.kind is IncidentKind.REFUSED]
        await older.close()


async def test_dr07_a_table_number_is_never_given_twice_on_a_stream():
    """An answer for a match that is over is not one for the next match, whatever its decision."""
    async with arena() as here:
        stale: list[play_pb2.Event] = []

        async def replays(bot: RawBot, event: play_pb2.Event) -> None:
            for old in stale:
                old_reply = play_pb2.Reply(
                    table=old.table, decision=event.turn.decision, card=event.turn.legal[-1]
                )
                await bot.send(play_pb2.BotFrame(replies=[old_reply]))
            await first_legal(bot, event)

        anna, *_ = await here.field(anna=replays)
        plain = await here.match(3)
        stale += [event for event in anna.events if event.HasField("match_start")]
        again = await here.match(3)
        assert again.deals[0].plays == plain.deals[0].plays
        assert not list(again.all_incidents())
        numbers = [event.table for event in anna.events if event.HasField("match_start")]
        assert len(set(numbers)) == 2


class Narrow:
    """A stream that takes one write at a time, slowly, and says when two meet."""

    def __init__(self) -> None:
        self.busy = False
        self.frames: list[play_pb2.ArbiterFrame] = []

    async def write(self, message: bytes) -> None:
        assert not self.busy, "two writes at once"
        self.busy = True
        self.frames.append(play_pb2.PlayResponse.FromString(message).frame)
        await asyncio.sleep(0.001)
        self.busy = False


async def test_gr10_four_tasks_and_one_writer():
    """Events for all tables and requests for one, made by four tasks at once while frames are on
    their way: never two writes, every table's events in the order of their numbers."""
    session = Session("anna", "", 10, Pulse())
    stream = Narrow()
    writer = asyncio.create_task(session.write(stream))  # type: ignore[arg-type]
    links = [session.sit(None, seat) for seat in range(4)]  # type: ignore[arg-type]

    told = play_pb2.Event(deal_start=play_pb2.DealStart(deal=1)).SerializeToString()

    async def busy(own: int) -> None:
        for number in range(300):
            for link in links:
                link.tell(told)
            links[own].tell(told)
            if number % 7 == own:
                await asyncio.sleep(0)

    await asyncio.gather(*(busy(own) for own in range(4)))
    wanted = 4 * 300 * 5
    await eventually(lambda: sum(len(f.events) for f in stream.frames) >= wanted)
    writer.cancel()
    await asyncio.gather(writer, return_exceptions=True)
    by_table = defaultdict(list)
    for frame in stream.frames:
        for event in frame.events:
            by_table[event.table].append(event.sequence)
    assert sorted(by_table) == [link.number for link in links]
    for sequence in by_table.values():
        assert sequence == list(range(1, wanted // 4 + 1))
    assert len(stream.frames) > 4


async def test_gr10_at_forty_tables_every_event_comes_in_its_order():
    async with arena() as here:
        bots = await here.field()
        rules = [preset(name) for name in ("standard", "omnibus", "malay", "old_moon")]
        await asyncio.gather(
            *(here.match(n, deals=2, rules=rules[n % 4], limits=PATIENT) for n in range(40))
        )
        await asyncio.sleep(0.05)
        for bot in bots:
            by_table = defaultdict(list)
            for event in bot.events:
                by_table[event.table].append(event.sequence)
            assert len(by_table) == 40
            for sequence in by_table.values():
                assert sequence == list(range(1, len(sequence) + 1))


async def test_gr02_kill_9_of_a_bot_is_noticed_at_once_and_leaves_nothing_behind():
    """A process on the SDK, in the middle of its matches: no other seat is blamed, no task left."""
    async with arena() as here:
        for name in NAMES[:3]:
            await here.bot(name)
        before = len(asyncio.all_tasks())
        killed = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "benchmarks.first_legal", "dora", "4"),
            env={**os.environ, "HEARTS_SERVER": f"127.0.0.1:{here.port}"},
        )
        try:
            await eventually(lambda: "dora" in here.hub.sessions, 60)
            limits = Limits(decision_ms=60_000, rejoin_ms=300, max_strikes=1)
            matches = [here.match(number, deals=40, limits=limits) for number in range(4)]
            await eventually(lambda: all(bot.of("deal_over") for bot in here.bots.values()))
        finally:
            killed.kill()
            await killed.wait()
        began = monotonic()
        await eventually(lambda: "dora" not in here.hub.sessions)
        assert monotonic() - began < 5
        for record in await asyncio.wait_for(asyncio.gather(*matches), 60):
            assert verdicts(record) == {(3, Verdict.LEFT)}
        await eventually(lambda: len(asyncio.all_tasks()) <= before + 1)
        assert not any(session.links for session in here.hub.sessions.values())
