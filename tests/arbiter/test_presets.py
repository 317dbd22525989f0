"""Every preset, played to its end over real streams; the moon's choice asked of the shooter."""

from __future__ import annotations

import asyncio

import pytest
from arena import NAMES, SECRET, Arena, RawBot, arena, first_legal, mute
from stacked import StackedBoard, by_suits

from hearts.decisions import NOBODY, Phase
from hearts.limits import Limits
from hearts.record import IncidentKind, MatchEnd, MatchRecord, Verdict, from_json, replay, to_json
from hearts.rules import PRESETS, RuleSet, preset
from hearts.scoring import MoonChoice
from hearts.v1 import play_pb2
from hearts.wire import rules_from_wire

PATIENT = Limits(decision_ms=20_000, match_ms=110_000)
TEN = (*NAMES, "emil", "fritz", "gerda", "hans", "ida", "jakob")


async def by_seed(bot: RawBot, event: play_pb2.Event) -> None:
    """Anything legal, by the seed of the turn."""
    turn = event.turn
    if turn.phase == play_pb2.PHASE_PLAY:
        await bot.reply(event, card=turn.legal[turn.seed % len(turn.legal)])
    elif turn.phase == play_pb2.PHASE_PASS:
        await bot.reply(event, cards=turn.hand[-turn.pass_count :])
    else:
        await bot.reply(event, moon_choice=1 + turn.seed % 2)


async def play_out(here: Arena, rules: RuleSet, board: int) -> tuple[MatchRecord, list[RawBot]]:
    names = TEN[: rules.players]
    bots = [await here.bot(name, by_seed) for name in names]
    record = await here.match(board, seats=names, rules=rules, deals=None, limits=PATIENT)
    await asyncio.sleep(0.05)
    return record, bots


@pytest.mark.parametrize("name", PRESETS)
async def test_a_full_game_of_every_preset_over_real_streams(name: str):
    """3 to 10 seats; the rule set comes first, complete; the record replays. IM04: no card that the
    turn calls legal is refused."""
    rules = preset(name)
    async with arena() as here:
        record, bots = await play_out(here, rules, PRESETS.index(name))
    assert record.end in (MatchEnd.TARGET, MatchEnd.DEALS, MatchEnd.EXACT)
    assert not list(record.all_incidents())
    takers = [d.leftover_taker for d in replay(record) if d.leftover_taker != NOBODY]
    assert from_json(to_json(record)) == record
    for seat, bot in enumerate(bots):
        start = bot.events[0].match_start
        assert (start.seat, rules_from_wire(start.rules)) == (seat, rules)
        assert list(bot.of("match_over")[0].totals) == list(record.totals)
        points = [tuple(over.points) for over in bot.of("deal_over")]
        assert points == [deal.points for deal in record.deals]
        told = [(taken.seat, bool(taken.cards)) for taken in bot.of("leftover_taken")]
        sees = rules.leftover_visible.value
        assert told == [(t, sees == "all" or (sees == "taker" and t == seat)) for t in takers]


def test_all_table_sizes_are_among_the_presets():
    assert {preset(name).players for name in PRESETS} == set(range(3, 11))


LEFTOVER = {"players": 5, "remove": [], "leftover": "first_trick", "max_deals": 3}


@pytest.mark.parametrize("visible", ["taker", "all", "never"])
async def test_position_16_the_leftover_is_shown_to_whom_the_rules_say(visible: str):
    rules = RuleSet.from_options(LEFTOVER | {"leftover_visible": visible})
    async with arena() as here:
        record, bots = await play_out(here, rules, 2)
    assert len(record.deals) >= 1
    for number, deal in enumerate(record.deals):
        for seat, bot in enumerate(bots):
            told = bot.of("leftover_taken")[number]
            sees = visible == "all" or (visible == "taker" and seat == told.seat)
            assert list(told.cards) == (list(deal.leftover) if sees else [])


CHOOSE = RuleSet.from_options({"moon": "choose", "moon_choice_default": "others", "max_deals": 5})


@pytest.mark.parametrize("choice", list(MoonChoice))
async def test_the_shooter_alone_is_asked_who_scores(choice: MoonChoice):
    """The turn carries the totals for either answer, and the answer decides."""

    async def choosing(bot: RawBot, event: play_pb2.Event) -> None:
        if event.turn.phase == play_pb2.PHASE_MOON_CHOICE:
            await bot.reply(event, moon_choice=int(choice))
        else:
            await first_legal(bot, event)

    async with arena() as here:
        anna, *others = await here.field(anna=choosing)
        board = StackedBoard(SECRET, 3, by_suits)
        record = await here.match(3, rules=CHOOSE, board=board, limits=PATIENT)
        asked = [t for t in anna.of("turn") if t.phase == play_pb2.PHASE_MOON_CHOICE]
        assert len(asked) == 1
        assert list(asked[0].totals_if_others) == [0, 26, 26, 26]
        assert list(asked[0].totals_if_self) == [-26, 0, 0, 0]
        for bot in others:
            assert not [t for t in bot.of("turn") if t.phase == play_pb2.PHASE_MOON_CHOICE]
    assert record.deals[0].moon_choice is choice
    assert list(record.totals) == ([-26, 0, 0, 0] if choice is MoonChoice.SELF else [0, 26, 26, 26])


@pytest.mark.parametrize("default", ["others", "self"])
async def test_a_silent_shooter_gets_the_default_of_the_rules(default: str):
    """TC02 in the third phase: a time-out takes `moon_choice_default`."""

    async def silent_at_the_moon(bot: RawBot, event: play_pb2.Event) -> None:
        silent = event.turn.phase == play_pb2.PHASE_MOON_CHOICE
        await (mute if silent else first_legal)(bot, event)

    options = {"moon": "choose", "moon_choice_default": default, "max_deals": 5}
    async with arena() as here:
        anna, *_ = await here.field(anna=silent_at_the_moon)
        record = await here.match(
            3,
            rules=RuleSet.from_options(options),
            board=StackedBoard(SECRET, 3, by_suits),
            limits=Limits(decision_ms=1_000, match_ms=110_000),
        )
        await asyncio.sleep(0.1)
        fallback = anna.of("fallback")[0]
        assert fallback.phase == play_pb2.PHASE_MOON_CHOICE
        assert fallback.moon_choice == MoonChoice[default.upper()]
    verdicts = [i for i in record.all_incidents() if i.kind is IncidentKind.VERDICT]
    assert [(v.seat, v.phase, v.verdict) for v in verdicts] == [
        (0, Phase.MOON_CHOICE, Verdict.TIMEOUT)
    ]
    assert list(record.totals) == ([-26, 0, 0, 0] if default == "self" else [0, 26, 26, 26])
    replay(record)
