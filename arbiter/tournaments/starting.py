"""When a tournament starts: one moment, or the occurrences of a schedule.

Times are UTC milliseconds. Everything is a pure function of the start's text and a given moment.
Daylight saving (RC08): a schedule keeps its local time. A local time that a change to summer time
leaves out happens at the first moment after the gap; one that a change to winter time repeats
happens once, the first time.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

from arbiter.tournaments.spec import MAX_ENTRIES, Missed, MissingField, Spec, SpecError, Start

GRACE_MS = 60_000
"""An occurrence not older than this has not been missed."""
_LIMIT = timedelta(days=366 * 5)
_CRON = 'five fields: minute hour day month weekday, for example "0 20 * * *"'


def check_start(spec: Spec) -> None:
    """Raise a SpecError for what is not allowed."""
    start = spec.start
    if start.zone:
        _zone(start)
    if start.at and start.cron:
        raise SpecError("start.at", start.at, "goes without cron", ["at", "cron"])
    if start.cron:
        if not start.zone:
            raise MissingField("start.zone", "", "is missing", ["for example Europe/Stockholm"])
        if spec.secret:
            raise SpecError("secret", "", "goes without cron: each start draws its own", ["empty"])
        if len(start.cron.split()) != 5:
            raise SpecError("start.cron", start.cron, "has not five fields", [_CRON])
        if first_after(start, 0) is None:
            raise SpecError("start.cron", start.cron, "never happens", [_CRON])
    elif start.missed is not Missed.ONCE:
        raise SpecError("start.missed", start.missed, "goes with cron", ["leave it out"])
    if start.at:
        at_ms(start)
    if start.entries and not spec.rules.players <= start.entries <= MAX_ENTRIES:
        raise SpecError(
            "start.entries",
            start.entries,
            f"{start.entries} is out of range",
            [f"{spec.rules.players} to {MAX_ENTRIES}"],
        )


def at_ms(start: Start) -> int:
    """The moment that `at` names. Raises SpecError: it is no time, or there is no such time."""
    try:
        moment = datetime.fromisoformat(start.at)
    except ValueError:
        raise SpecError(
            "start.at", start.at, "is no ISO date and time", ["for example 2026-12-24T18:00"]
        ) from None
    if moment.tzinfo is None:
        if not start.zone:
            raise MissingField("start.zone", "", "is missing", ["for example Europe/Stockholm"])
        moment = moment.replace(tzinfo=_zone(start))
        back = moment.astimezone(UTC).astimezone(moment.tzinfo)
        if back.replace(tzinfo=None) != moment.replace(tzinfo=None):
            raise SpecError("start.at", start.at, f"the clocks in {start.zone} leave this time out")
    return _ms(moment)


def first_after(start: Start, now_ms: int) -> int | None:
    """The first occurrence of the cron schedule after a moment; None when there is none."""
    zone = _zone(start)
    moment = datetime.fromtimestamp(now_ms / 1000, UTC)
    try:
        for found in CronSim(start.cron, moment.astimezone(zone)):
            if _ms(found) > now_ms:
                return _ms(found)
    except CronSimError as error:
        raise SpecError("start.cron", start.cron, str(error), [_CRON]) from None
    return None


def next_due(start: Start, now_ms: int) -> int | None:
    """When the tournament is due next, seen from now; None: when enough bots have entered."""
    if start.cron:
        return first_after(start, now_ms)
    return at_ms(start) if start.at else None


def occurrence(start: Start, due_ms: int, now_ms: int) -> tuple[int | None, int | None]:
    """What a schedule does that has been due since `due_ms`: the occurrence that starts now (None:
    it was missed), and when it is due next.

    After a time in which nothing could start, the policy decides: ONCE starts the last occurrence
    that was due, SKIP only one that is not older than GRACE_MS.
    """
    if now_ms < due_ms:
        return None, due_ms
    last, following = due_ms, first_after(start, due_ms)
    # At most one step a minute: a year of downtime is half a million, so look from close to now.
    if now_ms - last > 2 * 86_400_000:
        near = first_after(start, now_ms - 86_400_000)
        if near is not None and near <= now_ms:
            last, following = near, first_after(start, near)
    while following is not None and following <= now_ms:
        last, following = following, first_after(start, following)
    late = now_ms - last > GRACE_MS
    return (None if late and start.missed is Missed.SKIP else last), following


def _zone(start: Start) -> ZoneInfo:
    try:
        return ZoneInfo(start.zone)
    except (KeyError, ValueError, OSError):
        raise SpecError(
            "start.zone",
            start.zone,
            "is no time zone",
            ["a name such as Europe/Stockholm, America/New_York, UTC"],
        ) from None


def _ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)
