"""`hearts verify`: is it true, from the public records alone?"""

from __future__ import annotations

import asyncio
import json as jsonlib
import os
import re
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any

import typer

from client_sdk.cli import records, show, verifying
from client_sdk.cli.client import Client
from client_sdk.cli.commands.ratings import PARTS
from client_sdk.cli.connection import Json, connected
from client_sdk.cli.errors import CliError, Exit
from client_sdk.cli.text import bare, safe
from client_sdk.cli.verifying import Report, Terms
from hearts.result import MatchResult
from hearts.v1 import matches_pb2, tournaments_pb2

MOST_PROBLEMS = 20
_MATCH = re.compile(r"(-\d+){5}$")
"""The end of a match's id: stage, round, table, board, rotation."""


@connected
async def verify(
    client: Client,
    what: Annotated[
        str,
        typer.Argument(
            metavar="TOURNAMENT|MATCH|FILE",
            help="A tournament, a match, or a record that `matches record` has written to a file.",
        ),
    ],
    json: Json = False,
) -> None:
    """Compute everything again from the public records: the commitment, every deal, every legal
    move, every score, the standings and the ratings.

    Says what it checked, and what not. Exits with 1 when something is not as it has to be. A file
    is compared with the server's copy too, byte by byte.
    """
    _tell(what, await check(client, what), json=json)


async def check(client: Client, what: str) -> Report:
    """All that can be checked of a tournament, a match or a file. Raises CliError."""
    report = Report()
    if await asyncio.to_thread(os.path.isfile, what):
        await _file(client, Path(what), report)
    elif _MATCH.search(what):
        await _match(client, what, report)
    else:
        await _tournament(client, what, report)
    return report


async def _tournament(client: Client, name: str, report: Report) -> None:
    tournament = await client.get_tournament(name)
    known = verifying.terms(tournament, report)
    matches = await client.list_matches(name)
    verifying.check_boards(matches, report)
    found: list[tuple[matches_pb2.Match, MatchResult]] = []
    for match in matches:
        if match.state == matches_pb2.MATCH_STATE_DONE:
            again = await _one(client, match, known, report)
            if again is not None:
                found.append((match, again))
    if len(found) < len(matches):
        left = len(matches) - len(found)
        report.open.append(f"{left} of {len(matches)} matches: without a result, or withheld")
    await _tables(client, tournament, found, report)


async def _match(client: Client, name: str, report: Report) -> None:
    match = await client.get_match(name)
    if match.state != matches_pb2.MATCH_STATE_DONE:
        raise CliError(f"{bare(match.name)} has no result yet", then="ask again when it is done")
    tournament = await client.get_tournament(match.tournament)
    await _one(client, match, verifying.terms(tournament, report), report)


async def _one(
    client: Client, match: matches_pb2.Match, known: Terms, report: Report
) -> MatchResult | None:
    try:
        reply = await client.get_record_with_seeds(match.name)
    except CliError as error:
        if "still to be played" in str(error):
            report.open.append(f"{bare(match.name)}: withheld until its board is over")
        else:
            report.problem(bare(match.name), error)
        return None
    # Replaying takes a few milliseconds: the connection must not starve.
    return await asyncio.to_thread(verifying.check_match, reply, match, known, report)


async def _tables(
    client: Client,
    tournament: tournaments_pb2.Tournament,
    found: list[tuple[matches_pb2.Match, MatchResult]],
    report: Report,
) -> None:
    """Standings and ratings need numpy and the formats: a part of the server's package."""
    check = _part()
    if check is None:
        report.open.append("standings and ratings: install hearts[server] to compute them here")
    else:
        await check(client, tournament, found, report)


def _part() -> Callable[..., Any] | None:
    try:
        [point] = metadata.entry_points(group=PARTS, name="verify-tables")
        made: Callable[..., Any] = point.load()
    except (ImportError, ValueError):
        return None
    return made


async def _file(client: Client, path: Path, report: Report) -> None:
    try:
        data, found, why = await asyncio.to_thread(verifying.read_file, path)
    except OSError as error:
        raise CliError(f"cannot read {path}: {error.strerror}") from None
    if found is None:
        report.problem(str(path), why)
        return
    report.done["records"] += 1
    if form := verifying.check_form(data, found):
        report.problem(str(path), form)
    verifying.check_moves(found, report)
    try:
        reply = await client.get_record_with_seeds(found.match)
        match = await client.get_match(found.match)
        tournament = await client.get_tournament(match.tournament)
    except CliError as error:
        if error.code == Exit.PLATFORM_FAULT:
            report.open.append(f"bytes and cards against the server: {error}")
        else:
            report.problem(f"{path}, match {found.match}", error)
        return
    copy = records.render(reply.record, json=data.lstrip().startswith(b"{")).encode()
    report.done["bytes"] += len(copy)
    if where := verifying.first_difference(data, copy):
        report.problem(str(path), where)
    known = verifying.terms(tournament, report)
    verifying.check_plan(found, match, known.spec, report)
    verifying.check_cards(found, reply, known.secret, report)


def _tell(what: str, report: Report, *, json: bool) -> None:
    if json:
        data = {"checked": dict(report.done), "not_checked": report.open}
        print(jsonlib.dumps(data | {"problems": report.problems}, indent=2))
    else:
        out = show.console()
        rows = [
            (verifying.WORDS[kind], f"{count:,}")
            for kind, count in report.done.items()
            if kind in verifying.WORDS
        ]
        out.print(show.table(("checked", "times"), rows, right="times"))
        for words in report.open:
            out.print(safe(f"not checked: {words}"))
        for words in report.problems[:MOST_PROBLEMS]:
            out.print(safe(f"WRONG: {words}"))
        if len(report.problems) > MOST_PROBLEMS:
            out.print(f"and {len(report.problems) - MOST_PROBLEMS} more")
        out.print(safe(f"{what}: " + ("all of this is true" if not report.problems else "WRONG")))
    if report.problems:
        raise typer.Exit(Exit.DISAGREE)
