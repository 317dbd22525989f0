"""Output about tournaments beside their state and standings: dry runs, rounds and brackets, what a
round waits for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, zip_longest

from rich.text import Text

from client_sdk.cli.show import console, enum_word, facts, legend, table, when
from client_sdk.cli.text import bare, safe
from hearts.v1 import tournaments_pb2

SHOWN = 20
"""Tables of a dry run's first round that are printed."""


def plan(reply: tournaments_pb2.PlanTournamentResponse) -> None:
    """A dry run."""
    out = console()
    spec, first = reply.spec, reply.first_round
    out.print(Text(safe(f"{spec.title}: a dry run, nothing is created"), style="bold"))
    rows = [
        ("entries", str(len(spec.entries))),
        ("starts", start_words(spec.start, when(reply.start_time))),
        ("rounds", str(reply.rounds) if reply.rounds else "no end: until it is cancelled"),
        ("matches", _about(reply, reply.matches)),
        ("deals", _about(reply, reply.deals) if spec.deals else "games to a target"),
        ("expected time", _expected(reply)),
    ]
    out.print(facts(rows))
    if reply.unknown:
        names = ", ".join(bare(name) for name in reply.unknown)
        out.print(Text(safe(f"not registered yet: {names}"), style="yellow"))
    if not first.tables:
        return
    out.print(Text("first round", style="bold"))
    for found in first.tables[:SHOWN]:
        out.print(safe(f"  table {found.table}: {', '.join(bare(bot) for bot in found.bots)}"))
    if len(first.tables) > SHOWN:
        out.print(f"  and {len(first.tables) - SHOWN} more tables")
    _sit_outs(first)


def _about(reply: tournaments_pb2.PlanTournamentResponse, count: int) -> str:
    if not reply.rounds:
        return "no end"
    return str(count) if reply.exact else f"about {count}, depending on results and entries"


def _expected(reply: tournaments_pb2.PlanTournamentResponse) -> str:
    if not reply.rounds or not reply.deals:
        return "–"
    if not reply.deals_per_second:
        return "not known: nothing has been played here yet"
    seconds = reply.deals / reply.deals_per_second
    speed = f"{reply.deals_per_second:.0f} deals a second"
    return f"{duration(seconds)}, at the {speed} of the fastest of the last tournaments"


def duration(seconds: float) -> str:
    """ "8 s", "12 min", "3 h 20 min"."""
    whole = round(seconds)
    if whole < 100:
        return f"{whole} s"
    minutes = round(whole / 60)
    if minutes < 100:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min"


def start_words(start: tournaments_pb2.Start, moment: str) -> str:
    """When a tournament starts, in words. `moment`: its next time, "–" for none."""
    parts = []
    if start.cron:
        parts.append(f"each {start.cron} {start.zone}, next {moment}")
    elif start.at:
        parts.append(moment)
    if start.entries:
        parts.append(f"when {start.entries} bots have entered")
    return ", ".join(parts) or "at once"


def explanation(reply: tournaments_pb2.ExplainTournamentResponse) -> None:
    """What the next round or the end waits for."""
    out = console()
    if reply.precision:
        out.print(safe(f"precision: {reply.precision}"))
    if reply.waits_for:
        out.print(safe(f"waits for: {reply.waits_for}"))
    if not reply.blockers:
        return
    rows = [
        (bare(item.match), " · ".join(bare(seat) for seat in item.seats), item.reason)
        for item in reply.blockers
    ]
    out.print(table(("match", "seats", "why it is not over"), rows))
    if reply.blockers_total > len(reply.blockers):
        out.print(f"and {reply.blockers_total - len(reply.blockers)} more")


def rounds(reply: tournaments_pb2.ListRoundsResponse) -> None:
    """All rounds: knockout stages as a bracket, the others round by round."""
    out = console()
    if not reply.rounds:
        out.print("nothing has been drawn yet")
        return
    for stage, found in groupby(reply.rounds, key=lambda item: item.stage):
        items = list(found)
        word = enum_word(tournaments_pb2.Format, items[0].format)
        out.print(Text(safe(f"stage {stage}: {word}"), style="bold"))
        if items[0].format == tournaments_pb2.FORMAT_KNOCKOUT:
            _bracket(items)
        else:
            for item in items:
                _round(item)
    out.print(legend("points per deal, lower is better; tables in order of their result"))


def _round(item: tournaments_pb2.Round) -> None:
    out = console()
    done = sum(found.matches_done for found in item.tables)
    out.print(f"round {item.round}: {done} of {sum(t.matches for t in item.tables)} matches")
    for found in item.tables:
        out.print(safe(f"  table {found.table}: {', '.join(_lines(found))}"))
    _sit_outs(item)


def _sit_outs(item: tournaments_pb2.Round) -> None:
    if item.sit_outs:
        console().print(safe(f"  sit out: {', '.join(bare(bot) for bot in item.sit_outs)}"))


def _lines(found: tournaments_pb2.RoundTable) -> list[str]:
    """Each bot of a table with its points, and an arrow for who goes on."""
    return [
        bare(bot)
        + (f" {points:.2f}" if points is not None else "")
        + (" →" if bot in found.going_on else "")
        for bot, points in zip_longest(found.bots, found.points)
    ]


def _bracket(items: Sequence[tournaments_pb2.Round]) -> None:
    """One column for each round, its tables below each other; who goes on has an arrow."""
    columns = []
    for item in items:
        cells: list[str] = []
        for found in item.tables:
            cells += [f"┌ table {found.table}", *(f"│ {line}" for line in _lines(found)), "└"]
        cells += [f"  bye: {bare(bot)} →" for bot in item.sit_outs]
        columns.append(cells)
    last = len(items) - 1
    headings = [
        "final" if n == last and len(i.tables) == 1 and not i.sit_outs else f"round {i.round}"
        for n, i in enumerate(items)
    ]
    console().print(table(headings, list(zip_longest(*columns, fillvalue=""))))
