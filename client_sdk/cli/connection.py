"""Makes a command of an async function that talks to the server."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Any, Concatenate, ParamSpec

import typer

from client_sdk.cli import config
from client_sdk.cli.client import Client
from client_sdk.cli.config import Options

P = ParamSpec("P")
_PANEL = "Connection"

Server = Annotated[
    str | None,
    typer.Option(
        "--server",
        metavar="HOST:PORT",
        help=f"The server to ask; else HEARTS_SERVER, else {config.DEFAULT_SERVER}.",
        rich_help_panel=_PANEL,
    ),
]
TokenFile = Annotated[
    Path | None,
    typer.Option(
        "--token-file",
        metavar="FILE",
        help="A file that holds the token; else HEARTS_TOKEN or HEARTS_TOKEN_FILE.",
        rich_help_panel=_PANEL,
    ),
]
Token = Annotated[
    str | None,
    typer.Option(
        "--token",
        help="The token itself. Everybody on this machine can see it while the command runs: "
        "prefer --token-file.",
        rich_help_panel=_PANEL,
    ),
]
Timeout = Annotated[
    float | None,
    typer.Option(
        "--timeout",
        metavar="SECONDS",
        min=0.01,
        help=f"How long to wait for an answer; {config.DEFAULT_TIMEOUT_S:g} unless told.",
        rich_help_panel=_PANEL,
    ),
]
CaFile = Annotated[
    Path | None,
    typer.Option(
        "--ca-file",
        metavar="FILE",
        help="Whom to trust at https:// addresses; else HEARTS_CA_FILE, else the system.",
        rich_help_panel=_PANEL,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]

_OPTIONS: dict[str, Any] = {
    "server": Server,
    "token_file": TokenFile,
    "token": Token,
    "timeout": Timeout,
    "ca_file": CaFile,
}


def connected(body: Callable[Concatenate[Client, P], Awaitable[None]]) -> Callable[..., None]:
    """Turns ``async def command(client, ...)`` into a Typer command with connection options.

    The wrapper's signature is the body's without its client and with the connection's options, so
    that every command has the same ones, wherever they stand on the line, and shows them in --help.
    """
    # What Typer does with a signature no type checker follows.
    untyped: Callable[..., Awaitable[None]] = body
    own = list(inspect.signature(body, eval_str=True).parameters.values())[1:]
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)
        for name, annotation in _OPTIONS.items()
    ]

    @functools.wraps(body)
    def command(**arguments: Any) -> None:
        chosen = {name: arguments.pop(name) for name in _OPTIONS}
        options = Options(
            chosen["server"],
            chosen["token"],
            chosen["token_file"],
            chosen["timeout"],
            chosen["ca_file"],
        )
        run_connected(lambda client: untyped(client, **arguments), options)

    parameters = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own] + added
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in parameters}
    del command.__wrapped__  # or inspect would look through to the body's signature
    return command


def run_connected(body: Callable[[Client], Awaitable[None]], options: Options) -> None:
    """Runs ``body`` with a client for the server that options, environment and file name."""
    asyncio.run(_with_client(body, config.resolve(options)))


async def _with_client(
    body: Callable[[Client], Awaitable[None]], connection: config.Connection
) -> None:
    async with Client(connection) as client:
        await body(client)
