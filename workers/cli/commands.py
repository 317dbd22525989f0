"""The commands of the server part as the command line sees them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from client_sdk.cli.errors import NotInstalled

DEFAULT_PORT = 7700

# ours: a mistake of ours; all else that cannot be imported belongs to the extra.
_OURS = ("arbiter", "client_sdk", "hearts", "workers")


def up(
    data: Annotated[
        Path,
        typer.Option(metavar="DIR", help="All that lasts: Redis's files, tokens, logs."),
    ] = Path("data"),
    host: Annotated[
        str, typer.Option(help="The address to serve on; 0.0.0.0 for every network.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port to serve on; 0: any free one.")
    ] = DEFAULT_PORT,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Worker processes.")] = 1,
) -> None:
    """Run the whole platform in the foreground: Redis, arbiter, workers. Ctrl-C stops it.

    The first start makes an admin token, prints it once and keeps it in DIR/admin.token.
    With HEARTS_REDIS_URL set, that Redis server is used and none is started.

    Exits 0 after Ctrl-C or SIGTERM, 4 when it cannot start (the port is taken, another `hearts up`
    uses DIR, Redis cannot be reached), 130 when interrupted while it starts.
    """
    try:
        from workers.cli import serving
    except ModuleNotFoundError as error:
        raise _explained("up", error) from None
    sys.exit(serving.serve(data, host, port, workers))


def demo(
    data: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep everything here; else a folder that is removed."),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.toml",
            help="Another tournament; its entries are house bots, called duck-1, random-2, ….",
        ),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Worker processes.")] = 1,
) -> None:
    """Play a real tournament of four house bots and show what came of it. Takes under a minute.

    Starts everything that `hearts up` does on free ports, registers the bots, runs each as a
    process of its own, plays the tournament, prints the standings and one match, and stops all of
    it again.

    Exits 0 when the tournament was played, 3 when a bot failed, 4 when the platform failed, 130
    when interrupted.
    """
    try:
        from workers.cli import demonstration
    except ModuleNotFoundError as error:
        raise _explained("demo", error) from None
    sys.exit(demonstration.demonstrate(data, file, workers))


Folder = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="DIR",
        help="The folder of `hearts up`, running or not; else the store at HEARTS_REDIS_URL.",
    ),
]


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file; a zip archive.")],
    data: Folder = None,
) -> None:
    """Copy the whole store, as of one moment, to one archive that is read again and compared.

    Everything goes on meanwhile; for a second or so results wait. The archive holds the secrets of
    tournaments that run, and the hashes of tokens: keep it safe.
    """
    try:
        from workers.cli import archiving
    except ModuleNotFoundError as error:
        raise _explained("backup", error) from None
    sys.exit(archiving.backup(file, data))


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `hearts backup` wrote.")],
    data: Folder = None,
) -> None:
    """Fill an empty store from an archive, once that has been checked whole.

    Data of an older version are brought into today's form at the next start; those of a newer one
    are refused.
    """
    try:
        from workers.cli import archiving
    except ModuleNotFoundError as error:
        raise _explained("restore", error) from None
    sys.exit(archiving.restore(file, data))


def _explained(command: str, error: ModuleNotFoundError) -> Exception:
    missing = (error.name or "").partition(".")[0]
    return error if missing in _OURS else NotInstalled(command, error)
