"""`hearts matches`: results and records."""

from __future__ import annotations

from typing import Annotated

import typer

from client_sdk.cli import records, show, spectating
from client_sdk.cli.client import Client
from client_sdk.cli.connection import Json, connected
from client_sdk.cli.errors import CliError
from client_sdk.cli.tomlfile import enum_names
from hearts.v1 import matches_pb2

app = typer.Typer(no_args_is_help=True, help="Results and records of matches.")

Id = Annotated[str, typer.Argument(metavar="ID", help="A match, as `list` names it.")]
_STATES = enum_names(matches_pb2.MatchState.DESCRIPTOR)


@app.command("list", epilog="Example: hearts matches list demo-3f2a --bot anna --limit 5")
@connected
async def list_(
    client: Client,
    tournament: Annotated[str, typer.Argument(metavar="TOURNAMENT", help="Whose matches.")],
    bot: Annotated[str, typer.Option(metavar="NAME", help="Only matches of this bot.")] = "",
    state: Annotated[str, typer.Option(help=f"Only these: {', '.join(_STATES)}.")] = "",
    limit: Annotated[int, typer.Option(min=0, help="At most so many; 0: all.")] = 100,
    json: Json = False,
) -> None:
    """List the matches of a tournament in canonical order."""
    if state and state not in _STATES:
        raise CliError(f"--state {state!r} is not known", allowed=list(_STATES))
    number = _STATES[state] if state else 0
    items = await client.list_matches(tournament, bot=bot, state=number, limit=limit)
    if json:
        show.as_json(items, "matches")
    else:
        show.matches(items)


@app.command("show", epilog="Example: hearts matches show demo-3f2a-0-0-0-0007-1")
@connected
async def show_(client: Client, match: Id, json: Json = False) -> None:
    """Show one match, each seat's result, and where its time went once its record is public."""
    item = await client.get_match(match)
    if json:
        show.as_json(item)
    else:
        show.match(item, await records.times(client, item))


@app.command(epilog="Example: hearts matches record demo-3f2a-0-0-0-0007-1 > match.txt")
@connected
async def record(client: Client, match: Id, json: Json = False) -> None:
    """Print the record of a finished match: every card, every verdict, readable and replayable."""
    print(records.render(await client.get_record(match), json=json), end="")


@app.command(epilog="Example: hearts matches watch demo-3f2a-0-0-0-0007-1")
@connected
async def watch(client: Client, match: Id, json: Json = False) -> None:
    """Follow a match from its beginning to its end, as everybody at the table sees it.

    Hands are shown when their deal is over. A board that is to be played in other rotations too is
    shown once all of them are over.
    """
    await spectating.follow(client, match, json=json)
