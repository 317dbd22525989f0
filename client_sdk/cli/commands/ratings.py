"""`hearts ratings`: how strong the bots are."""

from __future__ import annotations

from collections.abc import Callable
from importlib import metadata
from json import dumps
from pathlib import Path
from typing import Annotated, Any

import typer

from client_sdk.cli import show, show_ratings
from client_sdk.cli.client import Client
from client_sdk.cli.commands import reviews
from client_sdk.cli.config import Options
from client_sdk.cli.connection import (
    Json,
    Server,
    Timeout,
    Token,
    TokenFile,
    connected,
    run_connected,
)
from client_sdk.cli.errors import CliError, NotInstalled
from client_sdk.cli.text import bare, named
from hearts.v1 import ratings_pb2

PARTS = "hearts.parts"

app = typer.Typer(no_args_is_help=True, help="How strong the bots are.")

PoolArgument = Annotated[
    str, typer.Argument(metavar="[POOL]", help='A pool, such as "standard-4"; all unless told.')
]
Pool = Annotated[
    str, typer.Option("--pool", metavar="POOL", help="Whose results; needed if there are several.")
]


@app.callback()
def ratings() -> None:
    """How strong the bots are."""


@app.command("show", epilog="Example: hearts ratings show standard-4")
@connected
async def show_(client: Client, pool: PoolArgument = "", json: Json = False) -> None:
    """Print the ratings: points per deal over all rated results, with intervals."""
    pools = await client.list_ratings(pool)
    if json:
        show.as_json(pools, "pools")
    else:
        show_ratings.ratings(pools)


@app.command(epilog="Example: hearts ratings history --bot anna")
@connected
async def history(
    client: Client,
    bot: Annotated[str, typer.Option(metavar="NAME", help="Only this bot.")] = "",
    pool: Pool = "",
    json: Json = False,
) -> None:
    """Print how the ratings came to be what they are."""
    points = await client.list_rating_history(await _pool(client, pool), bot)
    if json:
        show.as_json(points, "points")
    else:
        show_ratings.history(points)


@app.command(epilog="Example: hearts ratings compare anna bert")
@connected
async def compare(
    client: Client,
    bot: Annotated[str, typer.Argument(metavar="A", help="A bot.")],
    other: Annotated[str, typer.Argument(metavar="B", help="Another one.")],
    pool: Pool = "",
    json: Json = False,
) -> None:
    """Compare two bots head to head: the gap between them, with its interval."""
    [gap] = (await client.list_gaps(await _pool(client, pool), bot, other)).gaps
    if json:
        show.as_json(gap)
    else:
        show_ratings.gap(gap)


@app.command(epilog="Example: hearts ratings rebuild --token-file data/admin.token")
@connected
async def rebuild(client: Client, pool: Pool = "", json: Json = False) -> None:
    """Have the ratings made anew from the log of results. The same results give the same bytes."""
    reply = await client.rebuild_ratings(await _pool(client, pool))
    if json:
        show.as_json(reply)
    else:
        print(f"{reply.results} results are rated anew; before: snapshot {reply.snapshot or '–'}")


@app.command(epilog="Example: hearts ratings export > results.jsonl")
@connected
async def export(client: Client, pool: Pool = "") -> None:
    """Print every deal that the ratings are made of, a JSON object a line, as `fit` reads it."""
    async for deal in client.export_results(await _pool(client, pool)):
        line: dict[str, Any] = {
            "block": deal.block,
            "bots": [bare(bot) for bot in deal.bots],
            "points": list(deal.points),
        }
        print(dumps(line | ({"void": True} if deal.void else {})))


async def _pool(client: Client, pool: str) -> str:
    """The pool that is meant: the one there is, when none is named."""
    if pool:
        return pool
    pools = [found.id for found in await client.list_ratings("") if "." not in found.id]
    if len(pools) != 1:
        raise CliError(
            "there are several pools: name one with --pool" if pools else "no rated results yet",
            allowed=pools,
        )
    return pools[0]


app.registered_commands.extend(reviews.app.registered_commands)

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
    epilog="Examples: hearts ratings test old new · hearts ratings test results.jsonl "
    "--baseline old --candidate new --h0 0 --h1 0.45",
)
def versus(
    first: Annotated[
        str,
        typer.Argument(metavar="A|FILE.jsonl", help="The bot to beat, or a file of results."),
    ],
    second: Annotated[
        str, typer.Argument(metavar="[B]", help="The bot that may be better; not with a file.")
    ] = "",
    baseline: Annotated[
        str, typer.Option(metavar="BOT", help="The bot to beat, with a file.")
    ] = "",
    candidate: Annotated[
        str, typer.Option(metavar="BOT", help="The bot that may be better, with a file.")
    ] = "",
    h0: Annotated[float, typer.Option(help="H0: better by no more, in points a deal.")] = 0.0,
    h1: Annotated[float, typer.Option(help="H1: better by so many points a deal.")] = 0.45,
    alpha: Annotated[float, typer.Option(help="Chance to accept H1 when H0 is true.")] = 0.05,
    beta: Annotated[float, typer.Option(help="Chance to accept H0 when H1 is true.")] = 0.05,
    pool: Pool = "",
    json: Json = False,
    server: Server = None,
    token_file: TokenFile = None,
    token: Token = None,
    timeout: Timeout = None,
) -> None:
    """Test whether one bot is better than another, and stop counting as soon as it is known.

    Uses the first blocks without a gap in which each of the two sat in every seat equally often.
    With a file no server is needed.
    """
    if baseline or candidate:
        if second or not (baseline and candidate):
            raise CliError("a file is tested with both --baseline and --candidate, and no bot B")
        hypotheses = {"h0": h0, "h1": h1, "alpha": alpha, "beta": beta}
        _part("ratings test")(Path(first), baseline, candidate, hypotheses, json)
        return
    if not second:
        raise CliError(
            "which bot may be better than the other?",
            then="hearts ratings test A B, or a file with --baseline A --candidate B",
        )

    async def ask(client: Client) -> None:
        request = ratings_pb2.TestBotsRequest(
            pool=await _pool(client, pool),
            baseline=named("bots", first),
            candidate=named("bots", second),
            h0=h0,
            h1=h1,
            alpha=alpha,
            beta=beta,
        )
        reply = await client.test_bots(request)
        if json:
            show.as_json(reply)
        else:
            show_ratings.tested(reply, bare(first), bare(second))

    run_connected(ask, Options(server, token, token_file, timeout))


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
