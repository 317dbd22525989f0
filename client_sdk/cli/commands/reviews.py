"""`hearts ratings plan | suspects | held | hold | release`: play to come, results to look at."""

from __future__ import annotations

from typing import Annotated

import typer

from client_sdk.cli import show, show_reviews
from client_sdk.cli.client import Client
from client_sdk.cli.connection import Json, connected
from client_sdk.cli.text import bare, safe

app = typer.Typer()

Pool = Annotated[str, typer.Argument(metavar="POOL", help='A pool, such as "standard-4".')]
Tournament = Annotated[str, typer.Argument(metavar="ID", help="A tournament.")]
Reason = Annotated[str, typer.Option(help="Why, in words, for those who ask later.")]


@app.command(epilog="Example: hearts ratings plan standard-4 --tables 5 --gap 0.3")
@connected
async def plan(
    client: Client,
    pool: Pool,
    bot: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Who may play, once for each; left out: all of it."),
    ] = None,
    tables: Annotated[int, typer.Option(min=1, max=100, help="How many tables.")] = 10,
    width: Annotated[
        float, typer.Option(min=0.001, help="Half width of a bot's interval that is enough.")
    ] = 0.5,
    gap: Annotated[
        float, typer.Option(min=0.001, help="The same of the gap between neighbours.")
    ] = 0.5,
    json: Json = False,
) -> None:
    """Which tables to play next to tell the bots apart, and how many deals are left."""
    reply = await client.suggest_tables(pool, bot or [], tables, width, gap)
    if json:
        show.as_json(reply)
    else:
        show_reviews.suggested(reply)


@app.command(epilog="Example: hearts ratings suspects standard-4 --token-file data/admin.token")
@connected
async def suspects(
    client: Client,
    pool: Pool,
    pairs: Annotated[int, typer.Option(min=1, help="At most so many pairs of bots.")] = 20,
    json: Json = False,
) -> None:
    """What a human should look at: workers that stand out, bots that help each other."""
    reply = await client.list_suspects(pool, pairs)
    if json:
        show.as_json(reply)
    else:
        show_reviews.suspects(reply)


@app.command(epilog="Example: hearts ratings held demo-3f2a --token-file data/admin.token")
@connected
async def held(client: Client, tournament: Tournament, json: Json = False) -> None:
    """The results of a tournament that are held back, and what was ever done to one, and why."""
    reply = await client.list_held_results(tournament)
    if json:
        show.as_json(reply)
    else:
        show_reviews.held(reply)


@app.command(
    epilog='Example: hearts ratings hold demo-3f2a --worker host/17 --reason "its disk was full"'
)
@connected
async def hold(
    client: Client,
    tournament: Tournament,
    reason: Reason,
    worker: Annotated[
        str, typer.Option(metavar="NAME", help="What this worker played in the last round ...")
    ] = "",
    arbiter: Annotated[
        str, typer.Option(metavar="NAME", help="... or this arbiter; `suspects` names them.")
    ] = "",
    json: Json = False,
) -> None:
    """Hold results of the last round: they count for nothing, and the matches are played again."""
    reply = await client.hold_results(tournament, worker, arbiter, reason)
    if json:
        show.as_json(reply)
    else:
        show.console().print(safe(f"{bare(tournament)}: {reply.held} results are held"))


@app.command(epilog='Example: hearts ratings release MATCH --reason "the bots were slow"')
@connected
async def release(
    client: Client,
    match: Annotated[str, typer.Argument(metavar="MATCH", help="A match, as `held` names it.")],
    reason: Reason,
    json: Json = False,
) -> None:
    """Let a held result count after all; its match is not played again."""
    reply = await client.release_result(match, reason)
    if json:
        show.as_json(reply)
    else:
        show.console().print(safe(f"{bare(match)}: its result counts again"))
