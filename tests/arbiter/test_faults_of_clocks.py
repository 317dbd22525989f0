"""Over real streams: whose time runs when, and what of it is recorded."""

from __future__ import annotations

import asyncio
import time
from time import monotonic, perf_counter

import pytest
from arena import NAMES, Arena, RawBot, arena, eventually, first_legal
from test_streams import verdicts

from arbiter.connections.session import Session
from hearts.limits import Limits
from hearts.record import MatchEnd, MatchRecord, Verdict, replay
from hearts.v1 import play_pb2
from hearts.wire import limits_from_wire


async def slow_to_be_ready(here: Arena, bot: RawBot, seconds: float) -> None:
    """Say ready once, that long after the match began."""
    bot.ready = False
    await eventually(lambda: bot.of("match_start"))
    await asyncio.sleep(seconds)
    await bot.send(play_pb2.BotFrame(ready=[1]))


async def test_tc03_a_slow_start_costs_no_decision_and_too_slow_a_one_is_no_start():
    """Twice the time of a decision, and all of it belongs to the start."""
    limits = Limits(ready_ms=2_500, decision_ms=600, lag_ms=50)
    for seconds, expected in ((1.3, set()), (4.0, {(2, Verdict.NO_START)})):
        async with arena() as here:
            bots = await here.field()
            starting = asyncio.create_task(slow_to_be_ready(here, bots[2], seconds))
            record = await asyncio.wait_for(here.match(limits=limits), 10)
            assert verdicts(record) == expected
            starting.cancel()
            await asyncio.gather(starting, return_exceptions=True)


async def test_tc05_what_waits_in_the_arbiter_before_it_is_written_is_not_the_bots_time(
    monkeypatch: pytest.MonkeyPatch,
):
    """600 ms before each write to one bot, which uses 80 % of its time."""
    flush = Session.flush

    def held_back(session: Session) -> None:
        if session.bot == "cleo":
            asyncio.get_running_loop().call_later(0.6, flush, session)
        else:
            flush(session)

    async def slow(bot: RawBot, event: play_pb2.Event) -> None:
        assert event.turn.time_left_ms == 2_000, "all of it, as of the write"
        await asyncio.sleep(1.6)
        await first_legal(bot, event)

    monkeypatch.setattr(Session, "flush", held_back)
    async with arena() as here:
        await here.field(cleo=slow)
        limits = Limits(ready_ms=20_000, decision_ms=2_000, lag_ms=0)
        match = here.match(limits=limits)
        await eventually(lambda: here.bots["cleo"].of("turn"))
        await eventually(lambda: len(here.bots["cleo"].of("turn")) == 3)
        assert not here.bots["cleo"].of("fallback")
        here.bots["cleo"].answer = first_legal
        monkeypatch.setattr(Session, "flush", flush)
        assert not verdicts(await asyncio.wait_for(match, 20))


async def test_tc06_what_is_recorded_is_what_the_bots_measured():
    """64 matches at once, 20 ms for each answer: nobody is blamed, the recorded thinking is the
    bot's own, and the wait is never shorter than that."""
    own: dict[tuple[str, int], int] = {}
    thinking: set[asyncio.Task[None]] = set()

    async def think(bot: RawBot, event: play_pb2.Event, began: float) -> None:
        await asyncio.sleep(0.02)
        turn = event.turn
        spent = int((perf_counter() - began) * 1e6)
        key = f"{bot.name} {event.table}"
        own[key, turn.decision] = spent
        await bot.reply(event, card=turn.legal[0], think_us=spent)

    async def timed(bot: RawBot, event: play_pb2.Event) -> None:
        task = asyncio.create_task(think(bot, event, perf_counter()))
        thinking.add(task)
        task.add_done_callback(thinking.discard)

    async with arena() as here:
        await here.field(**dict.fromkeys(NAMES, timed))
        limits = Limits(decision_ms=3_000)
        boards = [4 * n + 3 for n in range(64)]  # hold deals
        records = await asyncio.gather(*(here.match(n, limits=limits) for n in boards))
    told = sorted(own.values())
    kept = sorted(think for r in records for d in r.deals for think in d.think_us)
    assert kept == told
    assert len(kept) == 64 * 52
    for record in records:
        assert not verdicts(record)
        for deal in record.deals:
            for wait, spent in zip(deal.wait_us, deal.think_us, strict=True):
                assert wait >= spent - 1_000


async def test_tc07_while_the_arbiter_sleeps_nobody_runs_out_of_time():
    """Its loop stands still for three times a decision's time; then the answer comes."""
    async with arena() as here:
        slept: list[int] = []

        async def then_we_sleep(bot: RawBot, event: play_pb2.Event) -> None:
            if len(slept) < 2:
                slept.append(event.turn.decision)
                time.sleep(1.5)  # noqa: ASYNC251 - the whole loop is to stand still
            await first_legal(bot, event)

        await here.field(bert=then_we_sleep)
        record = await asyncio.wait_for(here.match(limits=Limits(decision_ms=500, lag_ms=0)), 20)
        assert len(slept) == 2
        assert not verdicts(record)


async def test_tc08_who_has_passed_is_not_charged_while_the_others_think():
    async with arena() as here:

        async def thinks(bot: RawBot, event: play_pb2.Event) -> None:
            if event.turn.phase == play_pb2.PHASE_PASS:
                await asyncio.sleep(0.7)
            await first_legal(bot, event)

        await here.field(bert=thinks, cleo=thinks, dora=thinks)
        record = await here.match(0, limits=Limits(decision_ms=5_000, lag_ms=0))
        assert not verdicts(record)
        [deal] = record.deals
        waits = dict(zip(deal.decision_seats[:4], deal.wait_us[:4], strict=True))
        assert waits[0] < min(waits[seat] for seat in (1, 2, 3))


@pytest.mark.parametrize("decision_ms", [500, 900])
async def test_tc09_what_the_first_message_says_is_what_is_enforced(decision_ms: int):
    limits = Limits(decision_ms=decision_ms, lag_ms=30, max_strikes=1, ready_ms=4_321)

    async def silent(_bot: RawBot, _event: play_pb2.Event) -> None:
        """No answer."""

    async with arena() as here:
        bots = await here.field(anna=silent)
        record = await here.match(limits=limits)
        for bot in bots:
            assert limits_from_wire(bot.events[0].match_start.limits) == limits
    [verdict] = [i for i in record.all_incidents() if i.verdict is Verdict.TIMEOUT][:1]
    assert verdict.elapsed_us >= (decision_ms + 30) * 1000
    assert bots[0].of("turn")[0].time_left_ms == decision_ms
    assert bots[0].of("fallback")[0].retired, "after max_strikes"


async def test_tc10_the_wall_clock_may_jump_as_it_likes(monkeypatch: pytest.MonkeyPatch):
    """An hour to and fro, each time that anybody looks at it."""
    real, looks = time.time, [0]

    def jumping() -> float:
        looks[0] += 1
        return real() + (3600 if looks[0] % 2 else -3600)

    async def unhurried(bot: RawBot, event: play_pb2.Event) -> None:
        time.time()
        await asyncio.sleep(0.01)
        await first_legal(bot, event)

    monkeypatch.setattr(time, "time", jumping)
    monkeypatch.setattr(time, "time_ns", lambda: int(jumping() * 1e9))
    async with arena() as here:
        await here.field(bert=unhurried)
        began = monotonic()
        record = await here.match(0, limits=Limits(decision_ms=5_000))
        lasted = monotonic() - began
    assert looks[0] > 10
    assert not verdicts(record)
    assert all(0 <= wait <= lasted * 1e6 for deal in record.deals for wait in deal.wait_us)


async def test_dr02_only_a_closed_stream_is_an_absence():
    """A bot that says nothing between its answers, however long, has not left."""
    silent_for = 1.2

    async def quiet(bot: RawBot, event: play_pb2.Event) -> None:
        if event.turn.trick_number in (1, 2):
            await asyncio.sleep(silent_for)
        await first_legal(bot, event)

    async with arena() as here:
        await here.field(dora=quiet)
        limits = Limits(decision_ms=5_000, rejoin_ms=100)
        record: MatchRecord = await asyncio.wait_for(here.match(limits=limits), 20)
    assert record.end is MatchEnd.DEALS
    assert not list(record.all_incidents())
    replay(record)
