"""`hearts ratings`: how strong the bots are."""

from __future__ import annotations

from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any

import typer

from client_sdk.cli import show
from client_sdk.cli.client import Client
from client_sdk.cli.connection import Json, connected
from client_sdk.cli.errors import NotInstalled

PARTS = "hearts.parts"

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


File = Annotated[
    Path,
    typer.Argument(
        metavar="FILE.jsonl",
        help='Results, one deal a line: {"block": "b17", "bots": ["a", "b", "c", "d"], '
        '"points": [0, 13, 5, 8]}; - reads standard input.',
    ),
]


@app.command(epilog="Example: hearts ratings fit results.jsonl --json")
def fit(
    file: File,
    by: Annotated[
        str, typer.Option(metavar="MEASURE", help="points (lower is better) or placings (higher).")
    ] = "points",
    json: Json = False,
) -> None:
    """Rate the bots of a file of results, without a server. The order of its lines is no matter."""
    _part("ratings fit")(file, by, json)


@app.command(
    "test",
    epilog="Example: hearts ratings test results.jsonl --baseline old --candidate new "
    "--h0 0 --h1 0.45",
)
def versus(
    file: File,
    baseline: Annotated[str, typer.Option(metavar="BOT", help="The bot to beat.")],
    candidate: Annotated[str, typer.Option(metavar="BOT", help="The bot that may be better.")],
    h0: Annotated[float, typer.Option(help="H0: better by no more, in points a deal.")] = 0.0,
    h1: Annotated[float, typer.Option(help="H1: better by so many points a deal.")] = 0.45,
    alpha: Annotated[float, typer.Option(help="Chance to accept H1 when H0 is true.")] = 0.05,
    beta: Annotated[float, typer.Option(help="Chance to accept H0 when H1 is true.")] = 0.05,
    json: Json = False,
) -> None:
    """Test whether one bot is better than another, and stop counting as soon as it is known.

    Uses the first blocks without a gap in which each of the two sat in every seat equally often.
    """
    hypotheses = {"h0": h0, "h1": h1, "alpha": alpha, "beta": beta}
    _part("ratings test")(file, baseline, candidate, hypotheses, json)


def _part(command: str) -> Callable[..., Any]:
    """What another package does for a command; NotInstalled when its needs are not there."""
    name = command.replace(" ", "-")
    found = list(metadata.entry_points(group=PARTS, name=name))
    try:
        if not found:
            raise ImportError(f"no part {name}")
        made: Callable[..., Any] = found[0].load()
    except ImportError as error:
        raise NotInstalled(command, error) from None
    return made
