"""One stream's conversation, against a scripted arbiter over real gRPC."""

from __future__ import annotations

import asyncio
import logging
import time
from enum import IntEnum
from typing import Any

import pytest
from fake_arbiter import FakeArbiter, Link, Script

from client_sdk import Bot, Fallback, Match, MoonChoice, Refusal, Turn, play_async
from client_sdk.match import DealResult, MatchResult, Trick
from hearts.v1 import play_pb2

PASS, MOON = play_pb2.PHASE_PASS, play_pb2.PHASE_MOON_CHOICE
UNKNOWN_FIELD = b"\xfa\x06\x02hi"  # field 111, which no message has


class Anna(Bot):
    """Plays the lowest legal card and writes down what it is told."""

    name = "anna"

    def __init__(self) -> None:
        self.told: list[Any] = []

    def play(self, turn: Turn) -> Any:
        self.told.append(("play", turn.decision))
        return turn.legal[0]

    def on_match_start(self, match: Match) -> None:
        self.told.append(("start", match.name))

    def on_deal_start(self, match: Match) -> None:
        self.told.append(("deal", match.deal, match.dealt))

    def on_passed(self, match: Match) -> None:
        self.told.append(("passed", match.gave, match.received))

    def on_deal_over(self, match: Match, result: DealResult) -> None:
        self.told.append(("deal over", result.points))

    def on_match_over(self, match: Match, result: MatchResult) -> None:
        self.told.append(("over", result.places))


async def converse(script: Script, bot: Bot | None = None, **options: Any) -> FakeArbiter:
    """Play one match (by default) against the script."""
    async with FakeArbiter(script) as arbiter:
        async with asyncio.timeout(10):
            await play_async(
                bot or Anna(), arbiter.address, "hrt_test", **{"matches": 1, **options}
            )
    return arbiter


async def to_end(link: Link, tables: int = 1) -> None:
    """End all matches and check that the bot leaves as the protocol says."""
    await link.send(*(link.over(table) for table in range(1, tables + 1)))
    assert (await link.recv()).leaving
    with pytest.raises(EOFError):
        await link.recv()


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


async def test_pass_and_moon_choice() -> None:
    class Chooser(Anna):
        def choose_moon(self, turn: Turn) -> MoonChoice:
            assert turn.totals_if_others == [90, 116, 100, 100]
            return super().choose_moon(turn)  # type: ignore[return-value]

        def pass_cards(self, turn: Turn) -> list[int]:
            assert (turn.pass_count, turn.pass_to) == (2, 3)
            return [turn.hand[0], turn.hand[-1]]

    async def script(link: Link) -> None:
        await link.seat(seat=0)
        await link.send(
            link.turn(1, phase=PASS, legal=[], hand=[5, 7, 7, 51], pass_count=2, pass_offset=-1)
        )
        [reply] = await link.replies()
        assert (list(reply.cards), reply.card) == ([5, 51], 0)
        choice = {"totals_if_others": [90, 116, 100, 100], "totals_if_self": [64, 90, 74, 74]}
        await link.send(link.turn(2, phase=MOON, legal=[], hand=[], **choice))
        [reply] = await link.replies()
        assert (reply.moon_choice, reply.card) == (MoonChoice.OTHERS, 0)
        await to_end(link)

    await converse(script, Chooser())


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


async def test_a_callback_that_raises_costs_one_decision(caplog: pytest.LogCaptureFixture) -> None:
    class Stumbling(Anna):
        def play(self, turn: Turn) -> int:
            if turn.decision == 1:
                raise KeyError("no such plan")
            return turn.legal[0]

        def on_deal_start(self, match: Match) -> None:
            raise ZeroDivisionError

    async def script(link: Link) -> None:
        await link.seat()
        await link.send(link.event(1, deal_start=play_pb2.DealStart(hand=[2, 3])), link.turn(1))
        await link.send(link.turn(2))
        assert [r.decision for r in await link.replies()] == [2]
        await to_end(link)

    await converse(script, Stumbling())
    traces = [record.exc_info for record in caplog.records if record.exc_info]
    assert [trace[0] for trace in traces] == [ZeroDivisionError, KeyError]
    assert "m1" in caplog.text


class Color(IntEnum):
    """An int that is not exactly an int."""

    THREE = 3


@pytest.mark.parametrize(
    ("answer", "sent"),
    [
        (3, 3),
        (51, 51),  # not legal here: that is for the referee to say
        (Color.THREE, 3),
        (None, None),
        (0, None),
        (54, None),
        (-1, None),
        (2**40, None),
        (True, None),
        (3.0, None),
        ("QS", None),
        ([3], None),
        (object(), None),
    ],
)
async def test_what_a_bot_may_return(answer: Any, sent: int | None) -> None:
    """A card goes to the referee as it is; anything else is logged and not sent."""

    class Odd(Anna):
        def play(self, turn: Turn) -> Any:
            return answer if turn.decision == 1 else turn.legal[0]

    async def script(link: Link) -> None:
        await link.seat()
        await link.send(link.turn(1))
        await link.send(link.turn(2))
        got = {r.decision: r.card for r in await link.replies(1 if sent is None else 2)}
        assert got.get(1) == sent
        await to_end(link)

    await converse(script, Odd())


async def test_a_bot_that_always_fails_does_not_fill_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Broken(Anna):
        def play(self, turn: Turn) -> int:
            raise RuntimeError

    async def script(link: Link) -> None:
        await link.seat()
        await link.send(*(link.turn(decision) for decision in range(1, 200)))
        await to_end(link)

    await converse(script, Broken())
    assert 5 < sum(record.exc_info is not None for record in caplog.records) < 20


async def test_a_refusal_is_answered_within_the_same_decision() -> None:
    class Wrong(Anna):
        def play(self, turn: Turn) -> int:
            return 53

    async def script(link: Link) -> None:
        await link.seat()
        await link.send(link.turn(1))
        await link.replies()
        refusal = play_pb2.Refusal(
            decision=1, rule=play_pb2.RULE_NOT_IN_HAND, legal=[7, 9], time_left_ms=800
        )
        await link.send(link.event(1, refusal=refusal))
        [reply] = await link.replies()
        assert (reply.decision, reply.card) == (1, 7)
        # A referee that refuses everything is not answered for ever.
        for _ in range(2):
            await link.send(link.event(1, refusal=refusal))
            await link.replies()
        await link.send(link.event(1, refusal=refusal))
        await link.silence()

    await converse_until_silent(script, Wrong())


async def test_a_late_refusal_is_not_answered(caplog: pytest.LogCaptureFixture) -> None:
    """TC01, the bot's side: nothing is sent for a decision that is over."""
    seen: list[Refusal] = []

    class Late(Anna):
        def on_refusal(self, match: Match, refusal: Refusal) -> object:
            seen.append(refusal)
            return 2

    async def script(link: Link) -> None:
        await link.seat()
        await link.send(link.turn(1))
        await link.replies()
        over = play_pb2.Fallback(decision=1, verdict=play_pb2.VERDICT_TIMEOUT, strikes=1)
        late = play_pb2.Refusal(decision=1, rule=play_pb2.RULE_TOO_LATE)
        await link.send(link.event(1, fallback=over), link.event(1, refusal=late))
        await link.send(link.turn(2))
        assert [r.decision for r in await link.replies()] == [2]
        old = play_pb2.Refusal(decision=1, rule=play_pb2.RULE_NOT_IN_HAND, time_left_ms=500)
        await link.send(link.event(1, refusal=old))
        await link.silence()

    await converse_until_silent(script, Late())
    assert not seen
    assert "TOO_LATE" in caplog.text
    assert "TIMEOUT" in caplog.text


async def converse_until_silent(script: Script, bot: Bot) -> None:
    """Run a script after whose end the bot would connect again."""
    ended = asyncio.Event()

    async def once(link: Link) -> None:
        await script(link)
        ended.set()
        await asyncio.sleep(10)

    async with FakeArbiter(once) as arbiter:
        playing = asyncio.create_task(play_async(bot, arbiter.address, "hrt_test"))
        waiting = asyncio.create_task(ended.wait())
        await asyncio.wait({playing, waiting}, timeout=10, return_when=asyncio.FIRST_COMPLETED)
        playing.cancel()
        waiting.cancel()
        await asyncio.gather(playing, waiting, return_exceptions=True)
        assert ended.is_set() or arbiter.failures


async def test_a_fallback_is_told_to_the_bot() -> None:
    told: list[Fallback] = []

    class Slow(Anna):
        def on_fallback(self, match: Match, fallback: Fallback) -> None:
            told.append(fallback)

    async def script(link: Link) -> None:
        await link.seat()
        wire = play_pb2.Fallback(
            decision=4,
            verdict=play_pb2.VERDICT_ILLEGAL,
            phase=play_pb2.PHASE_PLAY,
            cards=[9],
            strikes=3,
            retired=True,
        )
        await link.send(link.event(1, fallback=wire))
        await to_end(link)

    await converse(script, Slow())
    assert told == [Fallback(4, 2, 2, "ILLEGAL", (9,), 0, 3, True)]


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
