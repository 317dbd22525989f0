"""What a bot answers, and what becomes of a wrong, late or missing answer."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import pytest
from fake_arbiter import Link
from talks import Anna, converse, converse_until_silent, to_end

from client_sdk import Fallback, Match, MoonChoice, Refusal, Turn
from hearts.v1 import play_pb2

PASS, MOON = play_pb2.PHASE_PASS, play_pb2.PHASE_MOON_CHOICE


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
