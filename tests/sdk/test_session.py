"""One stream's conversation, against a scripted arbiter over real gRPC."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

import pytest
from fake_arbiter import FakeArbiter, Link
from talks import Anna, converse, to_end

from client_sdk import Match, Turn, play_async
from client_sdk.match import DealResult, Trick
from hearts.v1 import play_pb2

UNKNOWN_FIELD = b"\xfa\x06\x02hi"  # field 111, which no message has


async def test_a_match_from_hello_to_leaving() -> None:
    async def script(link: Link) -> None:
        hello = await link.greet()
        assert link.metadata["authorization"] == "Bearer hrt_test"
        assert (hello.bot, hello.max_tables) == ("bots/anna", 7)
        assert (hello.protocol_min, hello.protocol_max) == (1, 1)
        assert hello.sdk_name == "hearts-python"
        await link.seat()
        await link.send(link.turn(decision=5, legal=[44, 51]))
        [reply] = await link.replies()
        assert (reply.table, reply.decision, reply.card) == (1, 5, 44)
        assert not reply.cards
        assert not reply.moon_choice
        await to_end(link)

    await converse(script, max_tables=7)


async def test_events_reach_the_bot_once_and_in_order() -> None:
    """DX10: one DealOver a deal, one MatchOver, nothing after it."""
    bot = Anna()

    async def script(link: Link) -> None:
        await link.seat()
        for deal in (0, 1):
            await link.send(
                link.event(1, deal_start=play_pb2.DealStart(deal=deal, hand=[2, 3, 4])),
                link.turn(decision=deal + 1),
                link.event(1, deal_over=play_pb2.DealOver(deal=deal, points=[deal, 0, 0, 26])),
            )
            await link.replies()
        await to_end(link)

    await converse(script, bot)
    assert bot.told == [
        ("start", "m1"),
        ("deal", 0, [2, 3, 4]),
        ("play", 1),
        ("deal over", (0, 0, 0, 26)),
        ("deal", 1, [2, 3, 4]),
        ("play", 2),
        ("deal over", (1, 0, 0, 26)),
        ("over", (1, 2, 3, 4)),
    ]


async def test_answers_of_a_frame_leave_together() -> None:
    """This is why it is fast."""

    async def script(link: Link) -> None:
        await link.greet()
        await link.send(*(link.start(table) for table in range(1, 9)))
        assert list((await link.recv()).ready) == list(range(1, 9))
        for _ in range(5):  # the machine may stall for a millisecond now and then
            await link.send(*(link.turn(1, table) for table in range(1, 9)))
            if len((await link.recv()).replies) == 8:
                break
            await link.replies(8 - len(link.frames[-1].replies))
        else:
            raise AssertionError("no frame was answered by one frame")
        await to_end(link, 8)

    await converse(script)


async def test_no_answer_waits_while_the_bot_thinks_about_another() -> None:
    class Thinker(Anna):
        def play(self, turn: Turn) -> int:
            time.sleep(0.003)
            return turn.legal[0]

    async def script(link: Link) -> None:
        await link.greet()
        await link.send(*(link.start(table) for table in range(1, 5)))
        await link.recv()
        await link.send(*(link.turn(1, table) for table in range(1, 5)))
        for table in range(1, 5):
            assert [r.table for r in (await link.recv()).replies] == [table]
        await to_end(link, 4)

    await converse(script, Thinker())


async def test_think_time_is_the_bots_own() -> None:
    class Thinker(Anna):
        async def play(self, turn: Turn) -> int:
            before = turn.time_left_ms
            await asyncio.sleep(0.05)
            assert 0 <= turn.time_left_ms <= before - 45
            return turn.legal[0]

    async def script(link: Link) -> None:
        await link.seat()
        await link.send(link.turn())
        [reply] = await link.replies()
        assert 45_000 < reply.think_us < 500_000
        await link.send(link.turn(time_left_ms=50))
        await link.replies()
        await to_end(link)

    await converse(script, Thinker())


async def test_unknown_events_fields_and_values_are_skipped() -> None:
    """DX04: an old SDK plays on against a newer server."""

    async def script(link: Link) -> None:
        await link.seat()
        strange = play_pb2.Event.FromString(link.event(1).SerializeToString() + UNKNOWN_FIELD)
        assert strange.WhichOneof("event") is None
        odd = link.event(1, fallback=play_pb2.Fallback(decision=1, verdict=77))  # type: ignore[arg-type]
        turn = link.turn(decision=2)
        turn.turn.MergeFromString(UNKNOWN_FIELD)
        frame = play_pb2.ArbiterFrame(events=[strange, odd, turn])
        frame.MergeFromString(UNKNOWN_FIELD)
        await link.write(frame)
        assert [r.decision for r in await link.replies()] == [2]
        await to_end(link)

    arbiter = await converse(script)
    assert len(arbiter.links) == 1


async def test_a_repeated_event_is_ignored() -> None:
    """DR08."""
    bot = Anna()

    async def script(link: Link) -> None:
        await link.greet()
        start, turn = link.start(), link.turn()
        await link.send(start, start, turn, turn)
        await link.replies()
        await link.send(start, turn, link.turn(decision=2))
        assert [r.decision for r in await link.replies()] == [2]
        over = link.over()
        await link.send(over, over)
        assert (await link.recv()).leaving
        with pytest.raises(EOFError):
            await link.recv()

    await converse(script, bot)
    assert [what for what, *_ in bot.told] == ["start", "play", "play", "over"]


async def test_a_lost_event_makes_the_bot_ask_for_everything_again() -> None:
    """DR08: it connects anew, and gets the whole state."""

    async def first(link: Link) -> None:
        await link.seat()
        link.turn()  # is lost
        await link.send(link.turn(decision=2))
        await link.silence(30)

    async def second(link: Link) -> None:
        await link.seat(epoch=2)
        await link.send(link.turn(decision=2))
        await link.replies()
        await to_end(link)

    async with FakeArbiter(first, second) as arbiter:
        playing = play_async(Anna(), arbiter.address, "hrt_test", matches=1)
        async with asyncio.timeout(10):
            await asyncio.gather(playing)
        arbiter.failures.clear()  # the first script ends with its stream


async def test_memory_of_the_deal_is_what_the_arbiter_told() -> None:
    """DX05: passed cards and every finished trick, the last one included."""
    kept: list[Any] = []

    class Keeper(Anna):
        def play(self, turn: Turn) -> int:
            kept.append((list(turn.tricks), turn.played, turn.gave, turn.received))
            return turn.legal[0]

        def on_deal_over(self, match: Match, result: DealResult) -> None:
            kept.append(list(match.tricks))

    async def script(link: Link) -> None:
        await link.seat(seat=1)
        await link.send(
            link.event(1, deal_start=play_pb2.DealStart(hand=[2, 3], pass_offset=1)),
            link.event(1, passed=play_pb2.Passed(gave=[8], received=[3], hand=[2, 3])),
            link.turn(1, trick=[5, 6]),
            link.turn(2, trick_number=2, last_leader=3, last_trick=[5, 6, 2, 9], trick=[41]),
            link.event(
                1,
                deal_over=play_pb2.DealOver(
                    last_trick=play_pb2.Trick(leader=0, cards=[41, 3, 42, 43])
                ),
            ),
        )
        await link.replies(2)
        await link.send(link.event(1, deal_start=play_pb2.DealStart(deal=1)), link.turn(3))
        await link.replies()
        await to_end(link)

    await converse(script, Keeper())
    first = Trick(3, (5, 6, 2, 9))
    assert kept == [
        ([], [5, 6], [8], [3]),
        ([first], [5, 6, 2, 9, 41], [8], [3]),
        [first, Trick(0, (41, 3, 42, 43))],
        ([], [], [], []),
    ]


async def test_resume_restores_the_memory_of_a_bot_that_came_back() -> None:
    """DR06: seat, hand, passed and received cards, tricks, totals, and the open decision."""
    seen: list[Any] = []

    class Back(Anna):
        def on_match_start(self, match: Match) -> None:
            seen.append((match.resumed, match.epoch, match.seat, match.deal, match.dealt))

        def play(self, turn: Turn) -> int:
            seen.append((list(turn.tricks), turn.gave, turn.received, turn.match.totals))
            return turn.legal[0]

    async def script(link: Link) -> None:
        resume = play_pb2.Resume(
            deal=play_pb2.DealStart(deal=3, hand=[2, 3, 51], totals=[9, 8, 7, 6], pass_offset=1),
            passed=play_pb2.Passed(gave=[51], received=[53], hand=[2, 3, 53]),
            tricks=[play_pb2.Trick(leader=1, cards=[4, 5, 6, 2])],
        )
        await link.seat(seat=2, epoch=2, resume=resume)
        await link.send(link.turn(9, trick_number=2, last_leader=1, last_trick=[4, 5, 6, 2]))
        await link.send(link.turn(10, trick_number=3, last_leader=0, last_trick=[40, 39, 3, 38]))
        await link.replies(2)
        await to_end(link)

    await converse(script, Back())
    known = Trick(1, (4, 5, 6, 2))
    assert seen == [
        (True, 2, 2, 3, [2, 3, 51]),
        ([known], [51], [53], [9, 8, 7, 6]),
        ([known, Trick(0, (40, 39, 3, 38))], [51], [53], [9, 8, 7, 6]),
    ]


async def test_an_abandoned_match_does_not_count() -> None:
    """It will be played again."""

    async def script(link: Link) -> None:
        await link.seat(1)
        await link.send(link.over(1, play_pb2.MATCH_END_ABANDONED))
        await link.seat(2)
        await link.send(link.over(2))
        assert (await link.recv()).leaving

    await converse(script)


async def test_a_leaving_bot_finishes_its_other_tables() -> None:
    """GR09: it keeps its side open until the last of them is over."""

    async def script(link: Link) -> None:
        await link.seat(1)
        await link.seat(2)
        await link.send(link.over(1))
        assert (await link.recv()).leaving
        await link.send(link.turn(8, table=2))
        assert [r.decision for r in await link.replies()] == [8]
        await link.send(link.over(2))
        with pytest.raises(EOFError):
            await link.recv()

    await converse(script)


async def test_nothing_about_a_quiet_bot_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def script(link: Link) -> None:
        await link.seat()
        await to_end(link)

    caplog.set_level(logging.WARNING)
    await converse(script)
    assert not caplog.records
