"""`hearts tournaments pause | resume | cancel | enter | withdraw`: changes to one that exists."""

from __future__ import annotations

from typing import Annotated

import typer

from client_sdk.cli import show
from client_sdk.cli.client import Client
from client_sdk.cli.connection import Json, connected
from client_sdk.cli.text import bare, safe
from hearts.v1 import tournaments_pb2

app = typer.Typer()

Id = Annotated[str, typer.Argument(metavar="ID", help="A tournament, as `list` names it.")]
Bot = Annotated[str, typer.Argument(metavar="BOT", help="The bot's name.")]


@app.command(epilog='Example: hearts tournaments cancel demo-3f2a --reason "wrong rules"')
@connected
async def cancel(
    client: Client,
    tournament: Id,
    reason: Annotated[str, typer.Option(help="Why, in words, for those who ask later.")] = "",
    json: Json = False,
) -> None:
    """Give a tournament or a schedule up. Finished matches stay, running ones are given up."""
    _say(await client.cancel_tournament(tournament, reason), json=json)


@app.command(epilog="Example: hearts tournaments pause demo-3f2a")
@connected
async def pause(client: Client, tournament: Id, json: Json = False) -> None:
    """Begin no further matches until it is resumed; those that run end."""
    _say(await client.pause_tournament(tournament), json=json)


@app.command(epilog="Example: hearts tournaments resume demo-3f2a")
@connected
async def resume(client: Client, tournament: Id, json: Json = False) -> None:
    """Go on with a paused tournament or schedule."""
    _say(await client.resume_tournament(tournament), json=json)


@app.command(epilog="Example: hearts tournaments enter ladder-3f2a anna")
@connected
async def enter(client: Client, tournament: Id, bot: Bot, json: Json = False) -> None:
    """Enter a registered bot: before the start, or at any time in a ladder or swiss."""
    reply = await client.enter_tournament(tournament, bot)
    word = "entered" if reply.entered else "is entered already"
    _say(reply.tournament, f"{bare(bot)} {word}; {reply.tournament.entered} bots", json=json)


@app.command(epilog="Example: hearts tournaments withdraw ladder-3f2a anna")
@connected
async def withdraw(client: Client, tournament: Id, bot: Bot, json: Json = False) -> None:
    """Take a bot out from the next round on; matches with it that have not begun are given up."""
    reply = await client.withdraw_from_tournament(tournament, bot)
    word = "withdrawn" if reply.withdrawn else "is not in it"
    words = f"{bare(bot)} {word}; {reply.tournament.entered} bots are left"
    if reply.matches_dropped:
        words += f"; {reply.matches_dropped} matches given up"
    _say(reply.tournament, words, json=json)


def _say(item: tournaments_pb2.Tournament, words: str = "", *, json: bool) -> None:
    if json:
        show.as_json(item)
    else:
        said = words or show.progress_words(item)
        show.console().print(safe(f"{bare(item.name)}: {said}"))
