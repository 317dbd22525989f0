"""`hearts ratings`: how strong the bots are."""

from __future__ import annotations

from typing import Annotated

import typer

from client_sdk.cli import show
from client_sdk.cli.client import Client
from client_sdk.cli.connection import Json, connected

app = typer.Typer(no_args_is_help=True, help="How strong the bots are.")


@app.callback()
def ratings() -> None:
    """How strong the bots are."""


@app.command("show", epilog="Example: hearts ratings show standard-4")
@connected
async def show_(
    client: Client,
    pool: Annotated[
        str, typer.Argument(metavar="[POOL]", help='A pool, such as "standard-4"; all unless told.')
    ] = "",
    json: Json = False,
) -> None:
    """Print the ratings: points per deal over all rated results, with intervals."""
    pools = await client.list_ratings(pool)
    if json:
        show.as_json(pools, "pools")
    else:
        show.ratings(pools)
