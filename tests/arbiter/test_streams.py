"""Real streams: what other bots notice when one misbehaves, leaves or comes back."""

from __future__ import annotations

import asyncio
from time import monotonic

import grpc.aio
import pytest
from arena import NAMES, QUICK, RawBot, arena, first_legal, mute

from arbiter.connections import hub as hub_module
from hearts.limits import Limits
from hearts.record import IncidentKind, MatchEnd, Verdict, replay
from hearts.v1 import play_pb2, play_pb2_grpc


def verdicts(record, kind=IncidentKind.VERDICT):
    return {(i.seat, i.verdict) for i in record.all_incidents() if i.kind is kind}


async def test_four_bots_play_a_match_and_each_hears_one_end():
    """CH07, DX10: one DealOver for each deal, one MatchOver, nothing after it."""
    async with arena() as here:
        bots = await here.field()
        record = await here.match(0, deals=5)
        replay(record)
        assert record.end is MatchEnd.DEALS
        await asyncio.sleep(0.1)
        for bot in bots:
            kinds = [e.WhichOneof("event") for e in bot.events]
            assert kinds.count("deal_over") == kinds.count("deal_start") == 5
            assert kinds.count("match_over") == 1
            assert kinds[0] == "match_start"
            assert kinds[-1] == "match_over"
            assert [e.sequence for e in bot.events] == list(range(1, len(bot.events) + 1))
            assert list(bot.of("match_over")[0].totals) == list(record.totals)


async def test_many_tables_share_one_stream():
    async with arena() as here:
        await here.field()
        records = await asyncio.gather(*(here.match(n) for n in range(40)))
        assert {r.match for r in records} == {f"m{n}" for n in range(40)}
        for record in records:
            replay(record)
            assert not verdicts(record)
        assert all(session.free == 100 for session in here.hub.sessions.values())


async def test_a_bot_sits_at_no_more_tables_than_it_said():
    async with arena() as here:
        for name in NAMES:
            await here.bot(name, max_tables=2)
        most = 0
        matches = [here.match(n) for n in range(12)]
        while not all(m.done() for m in matches):
            most = max(most, here.seating.playing)
            await asyncio.sleep(0)
        assert 1 <= most <= 2


async def test_tc02_a_mute_bot_gets_its_timeout_within_a_quarter_second():
    async with arena() as here:
        _, _, cleo, _ = await here.field(cleo=mute)
        record = await here.match(limits=Limits(decision_ms=300, lag_ms=0, max_strikes=1))
        assert verdicts(record) == {(2, Verdict.TIMEOUT)}
        first = next(i for d in record.deals for i in d.incidents if i.kind is IncidentKind.VERDICT)
        assert 300_000 <= first.elapsed_us <= 550_000
        assert cleo.of("fallback")[0].retired


async def test_tc01_an_answer_300_ms_late_is_late_and_not_taken_for_the_next_decision():
    async with arena() as here:
        late: list[int] = []

        async def slow_once(bot: RawBot, event: play_pb2.Event) -> None:
            if not late:
                late.append(event.turn.decision)
                await asyncio.sleep(0.75)
                await bot.reply(event, card=event.turn.legal[-1])
            else:
                await first_legal(bot, event)

        bots = await here.field(bert=slow_once)
        record = await here.match()
        assert verdicts(record) == {(1, Verdict.TIMEOUT)}
        incidents = [i for i in record.all_incidents() if i.kind is IncidentKind.LATE]
        assert [i.decision for i in incidents] == late
        assert bots[1].of("refusal")[0].rule == play_pb2.RULE_TOO_LATE
        replay(record)


@pytest.mark.parametrize(
    ("rubbish", "verdict"),
    [
        ({}, Verdict.MALFORMED),
        ({"card": 53}, Verdict.ILLEGAL),
        ({"card": 99}, Verdict.ILLEGAL),
        ({"cards": [2, 3, 4]}, Verdict.MALFORMED),
        ({"card": 2, "moon_choice": 1}, Verdict.MALFORMED),
    ],
)
async def test_im01_rubbish_costs_its_sender_and_nobody_else(rubbish, verdict):
    """IM01, IM03: the match ends, and so do the next ten."""
    async with arena() as here:

        async def bad(bot: RawBot, event: play_pb2.Event) -> None:
            if event.turn.phase == play_pb2.PHASE_PLAY and list(event.turn.legal) != [53]:
                await bot.reply(event, **rubbish)
            else:
                await first_legal(bot, event)

        await here.field(dora=bad)
        limits = Limits(decision_ms=2_000, max_strikes=1)
        records = await asyncio.gather(*(here.match(n, limits=limits) for n in range(11)))
        for record in records:
            assert record.end is MatchEnd.DEALS
            assert verdicts(record) == {(3, verdict)}
            replay(record)


async def test_im06_a_corrected_answer_costs_nothing():
    async with arena() as here:

        async def sloppy(bot: RawBot, event: play_pb2.Event) -> None:
            await bot.reply(event)
            await first_legal(bot, event)

        bots = await here.field(anna=sloppy)
        record = await here.match()
        assert not verdicts(record)
        refused = [i for i in record.all_incidents() if i.kind is IncidentKind.REFUSED]
        assert len(refused) == 13
        # The last refusal may be on its way when the match is over.
        assert len(bots[0].of("refusal")) >= 12


async def test_im03_frames_for_tables_one_does_not_sit_at_change_nothing():
    async with arena() as here:

        async def nosy(bot: RawBot, event: play_pb2.Event) -> None:
            for table in (0, 2, 77):
                await bot.send(
                    play_pb2.BotFrame(
                        replies=[play_pb2.Reply(table=table, decision=1, card=2)], ready=[table]
                    )
                )
            await first_legal(bot, event)

        await here.field(bert=nosy)
        assert not verdicts(await here.match())


async def test_ch02_a_broken_stream_resolves_an_endless_decision_within_two_seconds():
    """CH01, CH07: the others finish, are told once, and everything is free again."""
    async with arena() as here:

        async def dies(bot: RawBot, event: play_pb2.Event) -> None:
            if event.turn.trick_number == 3:
                bot._call.cancel()
            else:
                await first_legal(bot, event)

        bots = await here.field(cleo=dies)
        begun = monotonic()
        record = await here.match(limits=Limits(decision_ms=3_600_000))
        assert monotonic() - begun < 4
        assert verdicts(record) == {(2, Verdict.LEFT)}
        replay(record)
        await asyncio.sleep(0.1)
        for bot in (bots[0], bots[1], bots[3]):
            assert len(bot.of("match_over")) == 1
        assert all(not session.links for session in here.hub.sessions.values())
        assert here.seating.playing == 0


async def test_ch01_a_bot_that_always_dies_uses_up_no_slot():
    """20 matches on 4 slots, with a bot that dies in each and is restarted each time."""
    async with arena() as here:
        for name in NAMES[:3]:
            await here.bot(name, max_tables=4)
        matches = [here.match(n, limits=QUICK) for n in range(20)]
        while not all(m.done() for m in matches):
            dying = await here.bot("dora", mute, max_tables=4)
            await asyncio.sleep(0.15)
            await dying.close()
        for match in matches:
            record = match.result()
            assert record.end in (MatchEnd.DEALS, MatchEnd.FORFEIT)
            assert {seat for seat, _ in verdicts(record)} <= {3}
        await asyncio.sleep(0.05)
        assert [here.hub.sessions[n].free for n in NAMES[:3]] == [4, 4, 4]


async def test_dr09_a_bot_that_never_comes_is_a_no_show_and_others_play_meanwhile():
    async with arena() as here:
        for name in NAMES:
            await here.bot(name)
        missing = here.match(1, seats=("anna", "bert", "cleo", "gone"))
        others = await asyncio.gather(*(here.match(n) for n in range(10, 20)))
        assert all(r.end is MatchEnd.DEALS for r in others)
        record = await asyncio.wait_for(missing, 2)
        assert record.end is MatchEnd.FORFEIT
        assert verdicts(record) == {(3, Verdict.NO_SHOW)}
        assert record.places == (1, 1, 1, 4)
        assert record.deals == ()


async def test_dr09_a_bot_that_connects_and_is_mute_is_a_no_start():
    async with arena() as here:
        bots = await here.field()
        bots[1].ready = False
        record = await here.match()
        assert record.end is MatchEnd.FORFEIT
        assert verdicts(record) == {(1, Verdict.NO_START)}


async def test_a_stream_without_a_hello_is_ended(monkeypatch):
    """CH03, DR09: it accepts the connection and says nothing."""
    monkeypatch.setattr(hub_module, "HELLO_SECONDS", 0.2)
    async with arena() as here, grpc.aio.insecure_channel(f"127.0.0.1:{here.port}") as channel:
        call = play_pb2_grpc.PlayServiceStub(channel).Play(
            metadata=(("authorization", "Bearer anna"),)
        )
        with pytest.raises(grpc.aio.AioRpcError, match="no Hello within"):
            await asyncio.wait_for(call.read(), 3)
        assert not here.hub.sessions


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"protocol_min": 2, "protocol_max": 9}, "you speak protocol 2 to 9"),
        ({"bot": "bots/bert"}, "another bot"),
        ({"max_tables": 0}, "max_tables is 1 to"),
        ({"max_tables": 1_000_000}, "max_tables is 1 to"),
    ],
)
async def test_a_bad_hello_is_refused_in_words(fields, words):
    hello = {"protocol_min": 1, "protocol_max": 1, "bot": "bots/anna", "max_tables": 1} | fields
    async with arena() as here, grpc.aio.insecure_channel(f"127.0.0.1:{here.port}") as channel:
        call = play_pb2_grpc.PlayServiceStub(channel).Play(
            metadata=(("authorization", "Bearer anna"),)
        )
        frame = play_pb2.BotFrame(hello=play_pb2.Hello(**hello))
        await call.write(play_pb2.PlayRequest(frame=frame))
        with pytest.raises(grpc.aio.AioRpcError, match=words):
            await asyncio.wait_for(call.read(), 3)


async def test_dr06_a_restarted_bot_gets_all_it_may_know_and_plays_on():
    async with arena() as here:
        bots = await here.field()
        reached = asyncio.Event()

        async def stop_at_trick_5(bot: RawBot, event: play_pb2.Event) -> None:
            if event.turn.trick_number == 5:
                reached.set()
            else:
                await first_legal(bot, event)

        bots[2].answer = stop_at_trick_5
        match = here.match(0, limits=Limits(decision_ms=5_000, rejoin_ms=3_000))
        await asyncio.wait_for(reached.wait(), 5)
        await bots[2].close()
        fresh = await here.bot("cleo")
        record = await asyncio.wait_for(match, 5)
        assert not verdicts(record)
        start = fresh.of("match_start")[0]
        deal = record.deals[0]
        assert (start.seat, start.epoch) == (2, 2)
        assert tuple(start.resume.deal.hand) == deal.hands[2]
        assert tuple(start.resume.passed.gave) == deal.passes[2]
        assert len(start.resume.tricks) == 4
        assert [c for t in start.resume.tricks for c in t.cards] == list(deal.plays[:16])
        assert fresh.of("turn")[0].trick_number == 5
        assert fresh.events[0].sequence == 1


async def test_dr10_a_newer_connection_replaces_the_older_one():
    """The open decisions move with it."""
    async with arena() as here:
        seated = asyncio.Event()

        async def hesitate(_bot: RawBot, _event: play_pb2.Event) -> None:
            seated.set()

        bots = await here.field(anna=hesitate)
        match = here.match(limits=Limits(decision_ms=5_000))
        await asyncio.wait_for(seated.wait(), 3)
        await here.bot("anna")
        record = await asyncio.wait_for(match, 3)
        assert not verdicts(record)
        await asyncio.sleep(0.05)
        assert "took over" in bots[0].goodbye
        await bots[0].close()


async def test_gr09_a_half_closed_stream_is_a_bot_that_left():
    async with arena() as here:

        async def half(bot: RawBot, event: play_pb2.Event) -> None:
            if event.turn.trick_number == 2:
                await bot.half_close()
            else:
                await first_legal(bot, event)

        await here.field(bert=half)
        record = await asyncio.wait_for(here.match(), 5)
        assert verdicts(record) == {(1, Verdict.LEFT)}


async def test_gr02_nothing_leaks_after_bots_come_and_go():
    async with arena() as here:
        await asyncio.sleep(0.05)
        before = len(asyncio.all_tasks())
        for _ in range(15):
            await (await here.bot("anna")).close()
        await asyncio.sleep(0.2)
        assert len(asyncio.all_tasks()) <= before + 1
        assert not here.hub.sessions
