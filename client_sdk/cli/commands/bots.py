"""`hearts bots`: register bots and see them; commands/versions.py has the rest of the group."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from client_sdk.bots import HOUSE
from client_sdk.cli import files, show, show_versions
from client_sdk.cli.client import Client
from client_sdk.cli.connection import Json, connected
from client_sdk.cli.text import bare, safe

app = typer.Typer(no_args_is_help=True, help="Submit bots, and see how they do.")

Name = Annotated[str, typer.Argument(metavar="NAME", help='A bot: "anna" or "bots/anna".')]
Any = Annotated[str, typer.Argument(metavar="NAME", help='A bot ("anna") or a version ("anna@2").')]


@app.command(
    epilog="Example: hearts bots register anna --token-file data/admin.token --save anna.token"
)
@connected
async def register(
    client: Client,
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="2 to 32 of a-z, 0-9 and -, starting with a letter."),
    ],
    description: Annotated[str, typer.Option(help="One line about it.")] = "",
    house: Annotated[
        bool, typer.Option("--house", help="The platform's own: trusted with repeated boards.")
    ] = False,
    endpoint: Annotated[
        str,
        typer.Option(
            metavar="HOST:PORT",
            help="Where the bot serves (client_sdk.serve), or https://HOST: the arbiter dials it. "
            "Without it the bot connects by itself.",
        ),
    ] = "",
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the token to this new file (mode 0600), not to the screen."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Register a bot and get the token that it plays with. Needs an admin's token.

    The token is shown once: the server keeps only its hash.
    """
    if save:
        files.check_new(save)
    bot, token = await client.create_bot(name, description, house=house, endpoint=endpoint)
    if save:
        files.write_secret(save, token)
    if json:
        show.print_json(show.to_dict(bot) | ({} if save else {"token": token}))
        return
    out = show.console()
    out.print(safe(f"registered {bare(bot.name)}"))
    if save:
        out.print(f"its token is in {save}")
    else:
        out.print(f"its token, shown this once: {token}", soft_wrap=True)


@app.command("list", epilog="Example: hearts bots list --json")
@connected
async def list_(
    client: Client,
    limit: Annotated[int, typer.Option(min=0, help="At most so many; 0: all.")] = 0,
    json: Json = False,
) -> None:
    """List the bots in order of name."""
    items = await client.list_bots(limit)
    if json:
        show.as_json(items, "bots")
    else:
        show.bots(items)


@app.command("show", epilog="Examples: hearts bots show anna · hearts bots show anna@2")
@connected
async def show_(client: Client, name: Any, json: Json = False) -> None:
    """Show one bot with its versions, or one version: why it is in its state."""
    if "@" in name:
        version = await client.get_version(name)
        if json:
            show.as_json(version)
        else:
            show_versions.version(version)
        return
    bot = await client.get_bot(name)
    versions = await client.list_versions(name) if bot.versions else []
    if json:
        show.print_json(show.to_dict(bot) | {"version_list": [show.to_dict(v) for v in versions]})
    else:
        show_versions.bot(bot, versions)


@app.command("house", epilog="Example: hearts bots house")
def house_(json: Json = False) -> None:
    """List the house bots, from the weakest to the strongest. Needs no server.

    `python -m client_sdk.bots NAME` runs one. A tournament file names one as an entry:
    "house:NAME". docs/house-bots.md says how strong each is.
    """
    if json:
        bots = [{"name": house.name, "summary": house.summary} for house in HOUSE.values()]
        show.print_json({"bots": bots})
        return
    rows = [(house.name, house.summary) for house in HOUSE.values()]
    show.console().print(show.table(("bot", "what it does"), rows))
    show.console().print(show.legend("from the weakest to the strongest; docs/house-bots.md"))
