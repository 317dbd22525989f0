"""`hearts bots submit` and what becomes of it: versions, logs, activate, retire, rotate-token."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TransferSpeedColumn

from client_sdk.cli import files, show, show_versions
from client_sdk.cli.client import Client
from client_sdk.cli.commands.bots import Name
from client_sdk.cli.commands.bots import app as app
from client_sdk.cli.connection import Json, connected
from client_sdk.cli.errors import CliError, Exit, PlatformError
from client_sdk.cli.packing import Package, package
from client_sdk.cli.text import bare, safe
from hearts.v1 import bots_pb2

POLL_S = 1.0
_OPEN = (bots_pb2.VERSION_STATE_PENDING, bots_pb2.VERSION_STATE_QUALIFYING)

Version = Annotated[
    str, typer.Argument(metavar="NAME[@NUMBER]", help='A version ("anna@2"), or a bot.')
]
Exact = Annotated[str, typer.Argument(metavar="NAME@NUMBER", help='A version: "anna@2".')]
Save = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Write the token to this new file (mode 0600), not to the screen."
    ),
]

_EXAMPLES = "\n\n".join(
    (
        "Examples:",
        "hearts bots submit ./my-bot --token-file kim.token",
        "hearts bots submit --connect --name my-bot --save my-bot.token",
        "hearts bots submit --endpoint bot.example.org:7800 --name my-bot",
    )
)


@app.command(epilog=_EXAMPLES)
@connected
async def submit(
    client: Client,
    path: Annotated[
        Path | None,
        typer.Argument(
            metavar="PATH",
            help="A folder with bot.toml, an archive of one (tar, tar.gz, zip), or a program.",
        ),
    ] = None,
    endpoint: Annotated[
        str, typer.Option(metavar="HOST:PORT", help="The bot waits here to be dialled.")
    ] = "",
    connect: Annotated[
        bool, typer.Option("--connect", help="The bot will connect by itself.")
    ] = False,
    name: Annotated[
        str, typer.Option(metavar="NAME", help="The bot's name, where no bot.toml says it.")
    ] = "",
    description: Annotated[str, typer.Option(help="One line about a new bot.")] = "",
    save: Save = None,
    wait: Annotated[
        float,
        typer.Option(
            metavar="SECONDS", min=0, help="How long to wait for the qualifying match; 0: not."
        ),
    ] = 300.0,
    json: Json = False,
) -> None:
    """Submit a version of a bot; the bot itself comes with its first.

    Each version plays a qualifying match against house bots, with the limits of rated play, and
    becomes active or rejected. Needs an owner's token (`hearts owners create`).

    Exits 0 when the version is active (or nobody waits), 3 when it is rejected, 4 when it was not
    qualified in time.
    """
    if sum((path is not None, bool(endpoint), connect)) != 1:
        raise CliError(
            "say what to submit, one thing",
            allowed=["PATH", "--endpoint HOST:PORT", "--connect"],
        )
    if save:
        files.check_new(save)
    if path is not None:
        reply = await _packed(client, path, name, description, quiet=json)
    else:
        reply = await _named(client, name, description, endpoint)
    if save and reply.token:
        files.write_secret(save, reply.token)
    if not json:
        _told(client, reply, save)
    # Who connects by itself has to be started first: nothing to wait for.
    version = reply.version
    if wait and not connect and version.state in _OPEN:
        version = await _settled(client, version, wait, quiet=json)
    if json:
        token = {"token": reply.token} if reply.token and not save else {}
        show.print_json(show.to_dict(version) | token)
    _judged(version, waited=bool(wait) and not connect, quiet=json)


async def _packed(
    client: Client, path: Path, name: str, description: str, *, quiet: bool
) -> bots_pb2.SubmitVersionResponse:
    """Submit what is at a path."""
    with package(path, name) as made:
        if made.said and not quiet:
            show.console().print(safe(made.said), soft_wrap=True)
        return await _send(client, made, description, quiet=quiet)


async def _named(
    client: Client, name: str, description: str, endpoint: str
) -> bots_pb2.SubmitVersionResponse:
    """Submit a bot that waits at an endpoint, or one that connects by itself."""
    if not name:
        raise CliError("the bot has no name", then="add --name NAME")
    kind = bots_pb2.VERSION_KIND_ENDPOINT if endpoint else bots_pb2.VERSION_KIND_CONNECT
    return await client.submit_version(name, kind, description=description, endpoint=endpoint)


async def _send(
    client: Client, made: Package, description: str, *, quiet: bool
) -> bots_pb2.SubmitVersionResponse:
    with _bar(made.size, quiet=quiet) as progress:
        return await client.submit_version(
            made.bot,
            bots_pb2.VERSION_KIND_BINARY,
            description=description,
            package=made,
            progress=progress,
        )


@contextmanager
def _bar(size: int, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A progress bar on standard error, where somebody looks at it."""
    if quiet or not sys.stderr.isatty():
        yield lambda _sent: None
        return
    columns = ("uploading", BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=size)
        yield lambda sent: bar.update(task, completed=sent)


def _told(client: Client, reply: bots_pb2.SubmitVersionResponse, save: Path | None) -> None:
    out = show.console()
    version = bare(reply.version.name)
    out.print(safe(f"submitted {version}"))
    if not reply.token:
        return
    if save:
        out.print(safe(f"its token is in {save}"))
    else:
        out.print(f"its token, shown this once: {reply.token}", soft_wrap=True)
    if reply.version.kind == bots_pb2.VERSION_KIND_CONNECT:
        where = f"HEARTS_SERVER={client.connection.server}"
        token = f'HEARTS_TOKEN="$(cat {save})"' if save else "HEARTS_TOKEN=…"
        out.print("start it where you like, for example:")
        out.print(safe(f"  {where} {token} python my_bot.py"), soft_wrap=True)
        out.print(safe(f"it is qualified when it connects: hearts bots show {version}"))


async def _settled(
    client: Client, version: bots_pb2.Version, wait: float, *, quiet: bool
) -> bots_pb2.Version:
    """The version once it is qualified or not, or as it is when the time is up."""
    out = show.console()
    said = ""
    try:
        async with asyncio.timeout(wait):
            while version.state in _OPEN:
                words = show_versions.state(version)
                words += f": {version.reason}" if version.reason else ""
                if words != said and not quiet:
                    out.print(safe(words))
                said = words
                await asyncio.sleep(POLL_S)
                version = await client.get_version(version.name)
    except TimeoutError:
        pass
    return version


def _judged(version: bots_pb2.Version, *, waited: bool, quiet: bool) -> None:
    """Says how it ended. Raises CliError with the exit code of a bad end."""
    name = bare(version.name)
    if version.state == bots_pb2.VERSION_STATE_REJECTED:
        raise CliError(
            f"{name} is rejected: {version.reason}",
            then=f"hearts bots log {name}",
            code=Exit.BOT_FAULT,
        )
    if version.state in _OPEN and waited:
        reason = f" ({version.reason})" if version.reason else ""
        raise PlatformError(
            f"{name} is not qualified yet{reason}", then=f"hearts bots show {name} tells more later"
        )
    if not quiet and version.state not in _OPEN:
        why = f": {version.reason}" if version.reason else ""
        show.console().print(safe(f"{name} is {show_versions.state(version)}{why}"))


@app.command(epilog="Example: hearts bots versions my-bot")
@connected
async def versions(client: Client, name: Name, json: Json = False) -> None:
    """List the versions of a bot, the newest first."""
    items = await client.list_versions(name)
    if json:
        show.as_json(items, "versions")
    else:
        show_versions.versions(items)


@app.command(epilog="Example: hearts bots log my-bot@2")
@connected
async def log(
    client: Client,
    name: Version,
    match: Annotated[
        str, typer.Option(metavar="MATCH", help="Only what it wrote in this match.")
    ] = "",
    json: Json = False,
) -> None:
    """Show what a version wrote and how its processes ended, the newest match last.

    For its owner and admins. Of a bot without a number, the newest version.
    """
    if "@" not in name:
        items = await client.list_versions(name)
        if not items:
            raise CliError(f"{bare(name)} has no versions: the platform does not start it")
        name = items[0].name
    reply = await client.get_version_log(name, match)
    if json:
        show.as_json(reply)
    else:
        show_versions.logs(reply)


@app.command(epilog="Example: hearts bots activate my-bot@1")
@connected
async def activate(client: Client, name: Exact, json: Json = False) -> None:
    """Make a version the one that plays: one that was replaced, retired or benched."""
    _say(await client.activate_version(name), json=json)


@app.command(epilog='Example: hearts bots retire my-bot@2 --reason "loses to itself"')
@connected
async def retire(
    client: Client,
    name: Version,
    reason: Annotated[str, typer.Option(help="Why, in one line.")] = "",
    json: Json = False,
) -> None:
    """Take a version, or the active one of a bot, out of play. Ratings and records stay."""
    _say(await client.retire_version(name, reason), json=json)


@app.command("rotate-token", epilog="Example: hearts bots rotate-token my-bot --save new.token")
@connected
async def rotate_token(
    client: Client, name: Version, save: Save = None, json: Json = False
) -> None:
    """Give a bot that is not hosted a new token; the old one stops working at once."""
    if save:
        files.check_new(save)
    reply = await client.rotate_bot_token(name)
    if save:
        files.write_secret(save, reply.token)
    if json:
        show.print_json({"name": reply.name} | ({} if save else {"token": reply.token}))
    elif save:
        show.console().print(safe(f"the new token of {bare(reply.name)} is in {save}"))
    else:
        words = f"the new token of {bare(reply.name)}, shown this once: {reply.token}"
        show.console().print(words, soft_wrap=True)


def _say(version: bots_pb2.Version, *, json: bool) -> None:
    if json:
        show.as_json(version)
        return
    why = f": {version.reason}" if version.reason else ""
    words = f"{bare(version.name)} is {show_versions.state(version)}{why}"
    show.console().print(safe(words))
