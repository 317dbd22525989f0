"""Schedules over a real store, with times given: each occurrence starts one tournament."""

import asyncio
from datetime import UTC, datetime

import pytest
from worker_kit import working

from arbiter.matches.starting import start_due, start_if_ready
from arbiter.store import EntryAnswer, Store, TournamentRow, TournamentState
from arbiter.tournaments import wire
from arbiter.tournaments.history import Entry
from arbiter.tournaments.spec import Missed, Spec, Start
from arbiter.tournaments.starting import next_due
from hearts.rules import preset
from workers import schedule

FOUR = ("anna", "bert", "cleo", "dora")
EVENING = Start(cron="0 20 * * *", zone="Europe/Stockholm")


def ms(text: str) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


async def create(store: Store, start: Start, now: int = 0, bots: tuple[str, ...] = FOUR) -> str:
    spec = Spec("Cup", preset("standard"), 2, bots, start=start, deals=1)
    row = TournamentRow(
        "cup",
        wire.encode(spec),
        b"secret",
        True,
        state=TournamentState.SCHEDULED,
        due_ms=next_due(start, now) or 0,
    )
    await store.tournaments.create(row, entries=[Entry(bot) for bot in bots])
    return "cup"


async def state(store: Store, id: str = "cup") -> TournamentState:
    row = await store.tournaments.get(id)
    assert row is not None
    return row.state


async def test_rc01_a_set_time_starts_once_and_not_before(store: Store) -> None:
    """However often and by how many it is looked at."""
    await create(store, Start(at="2027-05-01T20:00", zone="UTC"))
    due = ms("2027-05-01 20:00")
    assert await start_due(store, due - 1) == []
    found = await asyncio.gather(*(start_due(store, due) for _ in range(8)))
    assert sorted(found) == [[]] * 7 + [["cup"]]
    assert await state(store) is TournamentState.RUNNING
    assert await start_due(store, due + 1000) == []


async def test_rc08_each_occurrence_starts_once_with_two_schedulers_and_restarts(
    store: Store,
) -> None:
    """Over the end of summer time: four evenings, four tournaments, at 20:00 Stockholm."""
    await create(store, EVENING, ms("2027-10-29 12:00"))
    made: set[str] = set()
    for hour in range(4 * 24):
        now = ms("2027-10-29 12:00") + hour * 3_600_000
        for found in await asyncio.gather(start_due(store, now), start_due(store, now)):
            made |= set(found)
    assert sorted(made) == [
        "cup-20271029t1800z",
        "cup-20271030t1800z",
        "cup-20271031t1900z",
        "cup-20271101t1900z",
    ]
    assert await state(store) is TournamentState.SCHEDULED
    rows = [await store.tournaments.get(id) for id in sorted(made)]
    assert {row.series for row in rows if row} == {"cup"}
    assert len({row.secret for row in rows if row}) == 4
    assert len({wire.decode(row.spec).seed for row in rows if row}) == 4
    assert len(await store.tournaments.list()) == 5


async def test_a_scheduler_that_dies_half_way_starts_nothing_twice(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tournament is made, then the schedule moves on; killed in between, it is found made."""
    await create(store, EVENING, ms("2027-05-01 12:00"))
    now = ms("2027-05-01 18:00")

    async def dies(*_: object) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(store.tournaments, "postpone", dies)
        with pytest.raises(KeyboardInterrupt):
            await start_due(store, now)
    assert len(await store.tournaments.list()) == 2
    assert await start_due(store, now + 1000) == []
    assert len(await store.tournaments.list()) == 2
    row = await store.tournaments.get("cup")
    assert row is not None
    assert row.due_ms == ms("2027-05-02 18:00")


@pytest.mark.parametrize(("missed", "made"), [(Missed.ONCE, 1), (Missed.SKIP, 0)])
async def test_occurrences_missed_while_the_platform_was_down(
    store: Store, missed: Missed, made: int
) -> None:
    start = Start(cron=EVENING.cron, zone=EVENING.zone, missed=missed)
    await create(store, start, ms("2027-05-01 12:00"))
    found = await start_due(store, ms("2027-05-04 12:00"))
    assert len(found) == made
    assert found in ([], ["cup-20270503t1800z"])
    row = await store.tournaments.get("cup")
    assert row is not None
    assert row.due_ms == ms("2027-05-04 18:00")


async def test_a_paused_schedule_starts_nothing(store: Store) -> None:
    await create(store, EVENING, ms("2027-05-01 12:00"))
    assert await store.tournaments.pause("cup")
    assert await start_due(store, ms("2027-05-01 18:00")) == []
    assert await store.tournaments.resume("cup")
    assert await state(store) is TournamentState.SCHEDULED
    assert len(await start_due(store, ms("2027-05-01 18:00"))) == 1
    await store.tournaments.cancel("cup", "enough")
    assert await start_due(store, ms("2027-05-02 18:00")) == []


async def test_when_enough_bots_have_entered(store: Store) -> None:
    await create(store, Start(entries=4), bots=("anna", "bert"))
    for bot, entered in (("cleo", 3), ("cleo", 3), ("dora", 4)):
        await store.tournaments.enter("cup", bot, "", late=False, most=9)
        row = await store.tournaments.get("cup")
        assert row is not None
        assert row.entered == entered
        assert await start_if_ready(store, row) is (entered == 4)
    assert await state(store) is TournamentState.RUNNING


async def test_a_time_and_enough_bots(store: Store) -> None:
    start = Start(at="2027-05-01T20:00", zone="UTC", entries=5)
    await create(store, start)
    assert await start_due(store, ms("2027-05-01 20:00")) == []
    await store.tournaments.enter("cup", "emil", "", late=False, most=9)
    assert await start_due(store, ms("2027-05-01 20:05")) == ["cup"]


async def test_the_sweep_starts_what_is_due_and_plans_it(store: Store, redis_url: str) -> None:
    await create(store, Start(at="2020-01-01T00:00", zone="UTC"))

    async def nothing(*_: object) -> None:
        return None

    async with working(redis_url) as context:
        await schedule.sweep(context, nothing, nothing)
    assert len(await store.matches.ids("cup")) == 2


async def test_a_broken_schedule_does_not_stop_the_others(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    broken = TournamentRow("broken", b"\xff", b"", True, TournamentState.SCHEDULED, due_ms=1)
    await store.tournaments.create(broken)
    await create(store, Start(at="2020-01-01T00:00", zone="UTC"))
    assert await start_due(store) == ["cup"]
    assert "broken: cannot be started" in caplog.text


async def test_sp07_two_entries_of_one_bot_at_once_are_one(store: Store) -> None:
    await create(store, Start(entries=8))
    answers = await asyncio.gather(
        *(store.tournaments.enter("cup", "emil", "", late=False, most=9) for _ in range(8))
    )
    assert sorted(answers) == [EntryAnswer.ENTERED, *[EntryAnswer.REPEATED] * 7]
    assert len(await store.tournaments.entries("cup")) == 5
