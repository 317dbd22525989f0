"""`hearts tournaments`: create them from files and follow them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from client_sdk.cli import show, tournament_file, tournament_views, watching
from client_sdk.cli.client import Client
from client_sdk.cli.commands import tournament_control
from client_sdk.cli.connection import Json, connected
from client_sdk.cli.errors import CliError, Exit, PlatformError
from client_sdk.cli.text import bare, safe
from hearts.v1 import tournaments_pb2

app = typer.Typer(no_args_is_help=True, help="Create tournaments from files and follow them.")

Id = Annotated[str, typer.Argument(metavar="ID", help="A tournament, as `list` names it.")]
Strict = Annotated[
    bool,
    typer.Option(
        "--strict",
        help="Exit 3 when a bot ran out of time, answered illegally or failed, 4 when a match was "
        "given up.",
    ),
]


@app.command(epilog="Example: hearts tournaments create cup.toml --watch")
@connected
async def create(
    client: Client,
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="See docs/tournaments.md.")],
    check: Annotated[
        bool, typer.Option("--check", help="Only check the file; create nothing.")
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Follow it to the end and print the standings.")
    ] = False,
    strict: Strict = False,
    json: Json = False,
) -> None:
    """Create the tournament that a TOML file describes; it starts at once, or as its file says.

    The file is checked before anything is sent: a key that is not known or a value that does not
    fit is named with its line.
    """
    spec = tournament_file.load(file)
    if strict and not watch:
        raise CliError("--strict looks at the results: it goes with --watch")
    if check:
        show.console().print(safe(f"{file}: well-formed, {len(spec.entries)} entries"))
        return
    made = await client.create_tournament(spec)
    if watch:
        await _follow(client, made.name, json=json, strict=strict)
    elif json:
        show.as_json(made)
    else:
        name = bare(made.name)
        out = show.console()
        if made.state == tournaments_pb2.TOURNAMENT_STATE_SCHEDULED:
            starts = tournament_views.start_words(spec.start, show.when(made.start_time))
            out.print(safe(f"created {name}: starts {starts}"))
            out.print(safe(f"look at it: hearts tournaments show {name}"))
        else:
            planned = f"{made.matches_planned} matches planned" if made.waves else "being planned"
            out.print(safe(f"created {name}: {planned}"))
            out.print(safe(f"follow it: hearts tournaments watch {name}"))


@app.command(epilog="Example: hearts tournaments plan cup.toml")
@connected
async def plan(
    client: Client,
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="See docs/tournaments.md.")],
    json: Json = False,
) -> None:
    """A dry run: the first pairings, how many rounds and matches, and how long it will take."""
    reply = await client.plan_tournament(tournament_file.load(file))
    if json:
        show.as_json(reply)
    else:
        tournament_views.plan(reply)


@app.command("list", epilog="Example: hearts tournaments list --limit 10")
@connected
async def list_(
    client: Client,
    limit: Annotated[int, typer.Option(min=0, help="At most so many; 0: all.")] = 20,
    json: Json = False,
) -> None:
    """List tournaments, newest first."""
    items = await client.list_tournaments(limit)
    if json:
        show.as_json(items, "tournaments")
    else:
        show.tournaments(items)


@app.command("show", epilog="Example: hearts tournaments show demo-3f2a")
@connected
async def show_(client: Client, tournament: Id, json: Json = False) -> None:
    """Show what a tournament plays, how far it is, and what its next round waits for."""
    reply = await client.explain_tournament(tournament)
    if json:
        show.as_json(reply)
    else:
        show.tournament(reply.tournament)
        tournament_views.explanation(reply)


@app.command(epilog="Example: hearts tournaments rounds demo-3f2a")
@connected
async def rounds(client: Client, tournament: Id, json: Json = False) -> None:
    """Draw the rounds so far: tables, who goes on, who sat out; a knockout as its bracket."""
    reply = await client.list_rounds(tournament)
    if json:
        show.as_json(reply)
    else:
        tournament_views.rounds(reply)


@app.command(epilog="Example: hearts tournaments standings demo-3f2a --json")
@connected
async def standings(
    client: Client, tournament: Id, strict: Strict = False, json: Json = False
) -> None:
    """Print the standings, computed from the results so far."""
    reply = await client.get_standings(tournament)
    if json:
        show.as_json(reply)
    else:
        show.standings(reply)
    if strict:
        check_results(reply)


@app.command(epilog="Example: hearts tournaments watch demo-3f2a --strict")
@connected
async def watch(client: Client, tournament: Id, strict: Strict = False, json: Json = False) -> None:
    """Follow a tournament until it is over, then print the standings.

    With --json, one line of JSON for each change.
    """
    await _follow(client, tournament, json=json, strict=strict)


async def _follow(client: Client, tournament: str, *, json: bool, strict: bool) -> None:
    await watching.follow(client, tournament, json=json)
    reply = await client.get_standings(tournament)
    if json:
        show.as_json(reply, indent=None)
    else:
        show.standings(reply)
    if strict:
        check_results(reply)


app.registered_commands.extend(tournament_control.app.registered_commands)


def check_matches(item: tournaments_pb2.Tournament) -> None:
    """Raises PlatformError when a match was given up: its result is missing from the standings."""
    if lost := item.matches_failed - item.matches_dropped:
        count = f"{lost} of {item.matches_planned}"
        raise PlatformError(
            f"{count} matches were given up by the platform",
            then=f"hearts matches list {bare(item.name)} --state failed_infra",
        )


def check_results(reply: tournaments_pb2.GetStandingsResponse) -> None:
    """Raises CliError: exit code 4 when a match was given up, 3 when a bot failed in any way."""
    check_matches(reply.tournament)
    if faults := faults_of(reply):
        raise CliError(
            f"bots at fault: {'; '.join(faults)}",
            then=f"hearts matches list {bare(reply.tournament.name)}",
            code=Exit.BOT_FAULT,
        )


FAULTS = ("timeouts", "illegal", "malformed", "crashes", "no_shows")


def faults_of(
    reply: tournaments_pb2.GetStandingsResponse, besides: tuple[str, ...] = ()
) -> list[str]:
    """What the bots did wrong, in words ("anna 2 timeouts"); kinds in ``besides`` do not count."""
    return [
        f"{bare(row.bot)} {getattr(row, kind)} {kind.replace('_', '-')}"
        for row in reply.standings
        for kind in FAULTS
        if kind not in besides and getattr(row, kind)
    ]
