"""When tournaments start: time zones, daylight saving, what was missed."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from arbiter.tournaments.spec import Missed, MissingField, Spec, SpecError, Start
from arbiter.tournaments.starting import at_ms, check_start, first_after, next_due, occurrence
from hearts.rules import preset

STOCKHOLM, NEW_YORK = "Europe/Stockholm", "America/New_York"


def ms(text: str) -> int:
    """UTC."""
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


def local(moment: int, zone: str) -> str:
    return datetime.fromtimestamp(moment / 1000, ZoneInfo(zone)).strftime("%m-%d %H:%M %z")


def occurrences(cron: str, zone: str, since: str, count: int) -> list[str]:
    start, moment, found = Start(cron=cron, zone=zone), ms(since), []
    for _ in range(count):
        following = first_after(start, moment)
        assert following is not None
        assert following > moment
        moment = following
        found.append(local(moment, zone))
    return found


@pytest.mark.parametrize(
    ("cron", "zone", "since", "expected"),
    [
        # Into summer time: 20:00 stays 20:00.
        ("0 20 * * *", STOCKHOLM, "2027-03-27 12:00", ["03-27 20:00 +0100", "03-28 20:00 +0200"]),
        ("0 20 * * *", NEW_YORK, "2027-03-13 12:00", ["03-13 20:00 -0500", "03-14 20:00 -0400"]),
        # The hour from 2 to 3 is left out: once, when the gap is over.
        ("30 2 * * *", STOCKHOLM, "2027-03-27 12:00", ["03-28 03:00 +0200", "03-29 02:30 +0200"]),
        ("30 2 * * *", NEW_YORK, "2027-03-13 12:00", ["03-14 03:00 -0400", "03-15 02:30 -0400"]),
        # Back to winter time: 20:00 stays 20:00.
        ("0 20 * * *", STOCKHOLM, "2027-10-30 12:00", ["10-30 20:00 +0200", "10-31 20:00 +0100"]),
        ("0 20 * * *", NEW_YORK, "2027-11-06 12:00", ["11-06 20:00 -0400", "11-07 20:00 -0500"]),
        # An hour happens twice: once, the first time.
        ("30 2 * * *", STOCKHOLM, "2027-10-30 12:00", ["10-31 02:30 +0200", "11-01 02:30 +0100"]),
        ("30 1 * * *", NEW_YORK, "2027-11-06 12:00", ["11-07 01:30 -0400", "11-08 01:30 -0500"]),
    ],
)
def test_rc08_each_day_once_at_the_intended_local_time(
    cron: str, zone: str, since: str, expected: list[str]
) -> None:
    assert occurrences(cron, zone, since, 2) == expected


@pytest.mark.parametrize("zone", [STOCKHOLM, NEW_YORK])
@pytest.mark.parametrize("cron", ["0 20 * * *", "30 2 * * *", "30 1 * * *"])
def test_rc08_a_year_has_365_evenings(zone: str, cron: str) -> None:
    """With the clock stepped by the occurrences, and by the minute around the changes."""
    days = [found[:5] for found in occurrences(cron, zone, "2027-01-01 12:00", 365)]
    assert len(set(days)) == 365


def test_rc08_a_clock_that_ticks_through_the_change_fires_once() -> None:
    for zone, begin in ((STOCKHOLM, "2027-10-30 23:00"), (NEW_YORK, "2027-11-07 04:00")):
        start = Start(cron="30 2 * * *" if zone == STOCKHOLM else "30 1 * * *", zone=zone)
        now = ms(begin)
        due = next_due(start, now)
        fired = []
        for minute in range(60 * 6):
            assert due is not None
            moment, due = occurrence(start, due, now + minute * 60_000)
            if moment is not None:
                fired.append(moment)
        assert len(fired) == 1


DAILY = Start(cron="0 20 * * *", zone="UTC")


@pytest.mark.parametrize(
    ("now", "missed", "starts", "following"),
    [
        ("2027-05-01 19:59:59", Missed.ONCE, None, "2027-05-01 20:00"),
        ("2027-05-01 20:00:00", Missed.ONCE, "2027-05-01 20:00", "2027-05-02 20:00"),
        ("2027-05-01 20:00:59", Missed.SKIP, "2027-05-01 20:00", "2027-05-02 20:00"),
        ("2027-05-01 20:02:00", Missed.SKIP, None, "2027-05-02 20:00"),
        ("2027-05-01 23:00:00", Missed.ONCE, "2027-05-01 20:00", "2027-05-02 20:00"),
        # Four days down: the last one alone, or none.
        ("2027-05-05 09:00:00", Missed.ONCE, "2027-05-04 20:00", "2027-05-05 20:00"),
        ("2027-05-05 09:00:00", Missed.SKIP, None, "2027-05-05 20:00"),
        ("2027-05-05 20:00:30", Missed.SKIP, "2027-05-05 20:00", "2027-05-06 20:00"),
        # Years down do not take years to count.
        ("2037-05-05 09:00:00", Missed.ONCE, "2037-05-04 20:00", "2037-05-05 20:00"),
    ],
)
def test_what_was_missed_follows_the_policy(
    now: str, missed: Missed, starts: str | None, following: str
) -> None:
    start = Start(cron=DAILY.cron, zone=DAILY.zone, missed=missed)
    found = occurrence(start, ms("2027-05-01 20:00"), ms(now))
    assert found == (starts and ms(starts), ms(following))


def test_every_minute_after_a_week_down() -> None:
    start = Start(cron="* * * * *", zone=STOCKHOLM)
    found = occurrence(start, ms("2027-05-01 20:00"), ms("2027-05-08 20:00:30"))
    assert found == (ms("2027-05-08 20:00"), ms("2027-05-08 20:01"))


def test_one_moment() -> None:
    christmas = "2026-12-24T18:00"
    assert at_ms(Start(at=christmas, zone=STOCKHOLM)) == ms("2026-12-24 17:00")
    assert at_ms(Start(at=f"{christmas}+05:30")) == ms("2026-12-24 12:30")
    assert next_due(Start(at=christmas, zone=STOCKHOLM), 0) == ms("2026-12-24 17:00")
    assert next_due(Start(entries=16), 0) is None
    assert at_ms(Start(at="2027-10-31T02:30", zone=STOCKHOLM)) == ms("2027-10-31 00:30")


@pytest.mark.parametrize(
    ("start", "field", "kind"),
    [
        (Start(at="tomorrow", zone=STOCKHOLM), "start.at", SpecError),
        (Start(at="2026-12-24T18:00"), "start.zone", MissingField),
        (Start(at="2026-12-24T18:00", zone="Mars/Olympus"), "start.zone", SpecError),
        (Start(at="2026-12-24T18:00", zone="../../etc/passwd"), "start.zone", SpecError),
        (Start(at="2027-03-28T02:30", zone=STOCKHOLM), "start.at", SpecError),
        (Start(cron="0 20 * * *"), "start.zone", MissingField),
        (Start(cron="0 25 * * *", zone=STOCKHOLM), "start.cron", SpecError),
        (Start(cron="0 0 30 2 *", zone=STOCKHOLM), "start.cron", SpecError),
        (Start(cron="0 0 20 * * *", zone=STOCKHOLM), "start.cron", SpecError),
        (Start(cron="daily", zone=STOCKHOLM), "start.cron", SpecError),
        (Start(cron="0 20 * * *", at="2026-12-24T18:00Z", zone="UTC"), "start.at", SpecError),
        (Start(entries=3), "start.entries", SpecError),
        (Start(missed=Missed.SKIP), "start.missed", SpecError),
    ],
)
def test_a_start_that_cannot_be_is_refused(start: Start, field: str, kind: type[SpecError]) -> None:
    spec = Spec("Cup", preset("standard"), 1, ("anna", "bert", "cleo", "dora"), start=start)
    with pytest.raises(kind) as refused:
        check_start(spec)
    assert refused.value.field == field


def test_a_schedule_draws_its_own_secrets() -> None:
    """FS05: two evenings with one secret would have the same cards."""
    spec = Spec(
        "Cup", preset("standard"), 1, ("a1", "b1", "c1", "d1"), secret="0" * 64, start=DAILY
    )
    with pytest.raises(SpecError, match="goes without cron"):
        spec.check()
