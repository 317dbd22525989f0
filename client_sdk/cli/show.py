"""Output: tables with headings and a legend, and the same things as JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from typing import Any

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from rich.console import Console
from rich.table import Table
from rich.text import Text

from client_sdk.cli.text import bare, ordinal, safe
from hearts.timing import SeatTiming
from hearts.v1 import bots_pb2, matches_pb2, play_pb2, tournaments_pb2

# Wide enough for every table when the output goes to a file or a pipe and has no width.
_PIPE_WIDTH = 160


def console() -> Console:
    """The terminal, or what stands in for it."""
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else _PIPE_WIDTH
    return Console(width=width, highlight=False, markup=False, emoji=False)


def as_json(
    messages: Message | Sequence[Message], key: str = "", *, indent: int | None = 2
) -> None:
    """Prints a message, or messages as a list under ``key``, with proto's names and JSON rules.

    Fields without a value are there with their default; 64-bit numbers are text, as proto3 says.
    """
    if isinstance(messages, Message):
        data: Any = to_dict(messages)
    else:
        data = {key: [to_dict(message) for message in messages]}
    print_json(data, indent=indent)


def print_json(data: Any, *, indent: int | None = 2) -> None:
    """Prints JSON; what is not ASCII is escaped, so that no name can steer a terminal."""
    print(json.dumps(data, indent=indent), flush=True)


def to_dict(message: Message) -> dict[str, Any]:
    """A message as JSON data, field names as in the .proto."""
    return MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, right: str = "") -> Table:
    """A table of plain text; ``right`` names the headings of right-aligned columns, by "|"."""
    made = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for heading in headings:
        made.add_column(heading, justify="right" if heading in right.split("|") else "left")
    for row in rows:
        made.add_row(*(Text(safe(cell)) for cell in row))
    return made


def facts(rows: Sequence[tuple[str, str]]) -> Table:
    """What is known of one thing: a name and a value a line."""
    made = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    for name, value in rows:
        made.add_row(Text(name, style="bold"), Text(safe(value)))
    return made


def legend(text: str) -> Text:
    """The line under a table that says how to read it."""
    return Text(text, style="dim")


def enum_word(enum: Any, value: int) -> str:
    """MATCH_STATE_FAILED_INFRA → "failed infra"; the bare number for one this version lacks."""
    prefix = str(enum.Name(0)).removesuffix("UNSPECIFIED")
    if value not in enum.values():
        return str(value)
    word = str(enum.Name(value)).removeprefix(prefix)
    return "–" if word == "UNSPECIFIED" else word.lower().replace("_", " ")


def when(moment: Timestamp) -> str:
    """A UTC time to the second; "–" for none."""
    if not moment.seconds:
        return "–"
    return moment.ToDatetime().isoformat(sep=" ", timespec="seconds") + " UTC"


def yes(value: bool) -> str:
    """True → "yes"."""
    return "yes" if value else "no"


def bots(items: Sequence[bots_pb2.Bot]) -> None:
    """A table of bots."""
    rows = [
        (
            bare(b.name),
            bare(b.active_version) or ("nobody" if b.versions else "itself"),
            yes(b.online),
            yes(b.house),
            bare(b.owner) or "–",
            b.sdk or "–",
            when(b.create_time),
            b.description,
        )
        for b in items
    ]
    out = console()
    headings = ("bot", "plays as", "online", "house", "owner", "sdk", "registered", "description")
    out.print(table(headings, rows))
    out.print(
        legend(
            "plays as: its active version, or itself where it has no versions; "
            "house: the platform's own, trusted with repeated boards"
        )
    )


def tournaments(items: Sequence[tournaments_pb2.Tournament]) -> None:
    """A table of tournaments."""
    rows = [
        (
            bare(t.name),
            t.spec.title,
            enum_word(tournaments_pb2.TournamentState, t.state),
            f"{t.matches_done}/{t.matches_planned}",
            str(t.matches_failed),
            str(t.deals_done),
            when(t.create_time),
        )
        for t in items
    ]
    headings = ("tournament", "title", "state", "matches", "failed", "deals", "created")
    out = console()
    out.print(table(headings, rows, right="matches|failed|deals"))
    out.print(legend("matches: done/planned so far; failed: given up by the platform, never rated"))


def tournament(item: tournaments_pb2.Tournament) -> None:
    """One tournament: what it plays and how far it is."""
    spec = item.spec
    plural = "" if spec.deals == 1 else "s"
    length = (
        f"{spec.deals} deal{plural}"
        if spec.deals
        else f"to the target of {spec.rules.target} points"
    )
    rotations = "each board once for each rotation of the seats" if spec.duplicate else "once each"
    state = enum_word(tournaments_pb2.TournamentState, item.state)
    rows = [
        ("tournament", bare(item.name)),
        ("title", spec.title),
        ("state", f"{state} ({item.reason})" if item.reason else state),
        ("format", _formats(spec)),
        ("rules", spec.rules.name or "custom"),
        ("a match is", length),
        ("boards", f"{spec.boards}, {rotations}"),
        ("entries", ", ".join(bare(entry) for entry in item.entries or spec.entries) or "none yet"),
        ("clock", clock(spec.clock)),
        (
            "matches",
            f"{item.matches_done} of {item.matches_planned} done, {item.matches_running} running, "
            f"{item.matches_failed} failed",
        ),
        ("deals done", str(item.deals_done)),
        ("rated", yes(item.rated)),
        ("created", when(item.create_time)),
        ("finished", when(item.finish_time)),
        ("commitment", item.commitment or "–"),
        ("secret", item.revealed_secret or "revealed when the tournament is over"),
    ]
    out = console()
    out.print(facts(rows))
    out.print(
        legend(
            "commitment: SHA-256 of the secret all cards follow from, fixed before the first deal"
        )
    )


def _formats(spec: tournaments_pb2.TournamentSpec) -> str:
    """ "swiss → knockout"."""
    formats = [stage.format for stage in spec.stages] or [spec.format]
    return " → ".join(enum_word(tournaments_pb2.Format, format_) for format_ in formats)


def clock(limits: play_pb2.Limits) -> str:
    """The limits as "decision 1000 ms, ..." in the order of the proto; zero limits too."""
    return ", ".join(
        f"{field.name.removesuffix('_ms').replace('_', ' ')} {getattr(limits, field.name)}"
        + (" ms" if field.name.endswith("_ms") else "")
        for field in limits.DESCRIPTOR.fields
    )


# Failures that a sound field of bots does not have: a column only when somebody has one.
_RARE = (
    ("malformed", "malformed"),
    ("crashes", "crashes"),
    ("no-shows", "no_shows"),
)


def standings(reply: tournaments_pb2.GetStandingsResponse) -> None:
    """The standings of a tournament, with how to read them."""
    rare = [
        (heading, field)
        for heading, field in _RARE
        if any(getattr(row, field) for row in reply.standings)
    ]
    headings = [
        "place", "bot", "points/deal", "± error", "deals", "mean place", "wins", "moons",
        "time-outs", "illegal", *(heading for heading, _ in rare),
    ]  # fmt: skip
    rows = [[*_standing(row), *(str(getattr(row, f)) for _, f in rare)] for row in reply.standings]
    title = f"{reply.tournament.spec.title}: {progress_words(reply.tournament)}"
    out = console()
    out.print(Text(safe(title), style="bold"))
    if reply.tournament.reason:
        out.print(safe(f"ended: {reply.tournament.reason}"))
    right = [heading for heading in headings if heading != "bot"]
    out.print(table(headings, rows, right="|".join(right)))
    out.print(
        legend(
            "points/deal: mean points per deal, lower is better; ± error: one standard error, by "
            "board.\nplace: 1st is best, equal figures share a place; mean place: of the places in "
            "its matches, lower is better.\nwins: matches won alone; time-outs, illegal: decisions "
            "lost to the clock or to refused plays."
        )
    )


def _standing(row: tournaments_pb2.Standing) -> tuple[str, ...]:
    error = f"± {row.standard_error:.3f}" if row.HasField("standard_error") else "–"
    return (
        ordinal(row.place),
        bare(row.bot),
        f"{row.points_per_deal:.3f}",
        error,
        str(row.deals),
        f"{row.mean_place:.2f}",
        str(row.wins),
        str(row.moons),
        str(row.timeouts),
        str(row.illegal),
    )


def progress_words(item: tournaments_pb2.Tournament) -> str:
    """ "running, 40 of 160 matches done" and what else is worth a word."""
    state = enum_word(tournaments_pb2.TournamentState, item.state)
    words = f"{state}, {item.matches_done} of {item.matches_planned} matches done"
    return f"{words}, {item.matches_failed} failed" if item.matches_failed else words


def matches(items: Sequence[matches_pb2.Match]) -> None:
    """A table of matches in canonical order."""
    rows = [
        (
            bare(m.name),
            str(m.round),
            str(m.table),
            str(m.board),
            str(m.rotation),
            enum_word(matches_pb2.MatchState, m.state),
            " · ".join(_seats(m)),
        )
        for m in items
    ]
    headings = ("match", "round", "table", "board", "rotation", "state", "seats 0, 1, … : points")
    out = console()
    out.print(table(headings, rows, right="round|table|board|rotation"))
    out.print(legend("points: total of the match, lower is better; same board: same cards"))


def _seats(item: matches_pb2.Match) -> list[str]:
    if not item.HasField("result"):
        return [bare(seat) for seat in item.seats]
    return [f"{bare(seat.bot)} {seat.points}" for seat in item.result.seats]


def match(item: matches_pb2.Match, times: Sequence[SeatTiming] = ()) -> None:
    """One match: how it stands, each seat's result, and where its time went (from the record)."""
    state = enum_word(matches_pb2.MatchState, item.state)
    ended = enum_word(play_pb2.MatchEnd, item.result.end) if item.HasField("result") else "–"
    rows = [
        ("match", bare(item.name)),
        ("tournament", bare(item.tournament)),
        (
            "where",
            f"stage {item.stage}, round {item.round}, table {item.table}, board {item.board}, "
            f"rotation {item.rotation}",
        ),
        ("state", state),
        ("ended by", ended),
        ("attempts", f"{item.attempts}, of which {item.failed_attempts} failed"),
        ("last failure", item.last_failure or "–"),
        ("finished", when(item.finish_time)),
    ]
    out = console()
    out.print(facts(rows))
    if not item.HasField("result"):
        out.print(Text(safe("seats: " + ", ".join(bare(seat) for seat in item.seats))))
        return
    seats = [_seat_result(number, seat) for number, seat in enumerate(item.result.seats)]
    headings = (
        "seat", "bot", "place", "points", "moons", "time-outs", "illegal", "malformed", "fallbacks",
        "decisions", "verdict",
    )  # fmt: skip
    out.print(table(headings, seats, right="|".join(h for h in headings if h != "bot")))
    out.print(
        legend(
            "points: total of the match, lower is better; place: 1st is best, shared places are "
            "averaged.\nfallbacks: decisions that the referee made for the bot; verdict: why the "
            "seat failed as a whole"
        )
    )
    if times:
        _times(item, times)


def _times(item: matches_pb2.Match, times: Sequence[SeatTiming]) -> None:
    rows = [
        (
            str(seat),
            bare(item.result.seats[seat].bot),
            str(its.decisions),
            *(f"{s.median} {s.p95} {s.longest}" for s in (its.wait_us, its.think_us, its.queue_us)),
            str(its.request_bytes),
            str(its.reply_bytes),
        )
        for seat, its in enumerate(times)
    ]
    headings = ("seat", "bot", "decisions", "wait", "own think", "queue", "bytes out", "bytes in")
    out = console()
    out.print(table(headings, rows, right="|".join(h for h in headings if h != "bot")))
    out.print(
        legend(
            "wait, own think, queue: microseconds, as median, 95 % and longest. wait: from the "
            "request to the answer, what the clock counts; own think: as the bot\nmeasured itself; "
            "queue: until the request was written, the arbiter's own, which no clock counts"
        )
    )


def _seat_result(number: int, seat: matches_pb2.SeatResult) -> tuple[str, ...]:
    whole, half = divmod(seat.place_times_two, 2)
    place = f"{whole}.5" if half else ordinal(whole)
    return (
        str(number),
        bare(seat.bot),
        place,
        str(seat.points),
        str(seat.moons),
        str(seat.timeouts),
        str(seat.illegal),
        str(seat.malformed),
        str(seat.fallbacks),
        str(seat.decisions),
        enum_word(play_pb2.Verdict, seat.verdict),
    )
