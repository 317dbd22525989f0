"""`hearts doctor`: what works here, what does not, and what to do about it."""

from __future__ import annotations

import importlib.util
import platform
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib import metadata
from typing import Annotated

import typer

from client_sdk.cli import config, show
from client_sdk.cli.client import Client
from client_sdk.cli.config import Options
from client_sdk.cli.connection import (
    CaFile,
    Json,
    Server,
    Timeout,
    Token,
    TokenFile,
    run_connected,
)
from client_sdk.cli.errors import INSTALL_SERVER, CliError, Exit

SERVER_MODULES = ("celery", "redis", "numpy", "pydantic_settings", "grpc_health")
PARTS = "hearts.parts"
PACKAGES = ("hearts-arena", "grpcio", "protobuf", "typer", "rich")


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the report. ``then`` says what to do when it is not ``ok``; where it is not
    ``needed`` that is no fault."""

    check: str
    ok: bool
    found: str
    then: str = ""
    needed: bool = True


def doctor(
    server: Server = None,
    token_file: TokenFile = None,
    token: Token = None,
    timeout: Timeout = None,
    ca_file: CaFile = None,
    host: Annotated[
        bool, typer.Option("--host", help="Ask whether this machine can host submitted bots.")
    ] = False,
    json: Json = False,
) -> None:
    """Check this installation, the server and the token; say what to do about each problem.

    Where the server part is installed: also what this machine can do as a host of submitted bots.
    `--host` checks that alone, without any server.

    Exits 0 when all is well, 2 when the configuration is wrong, 4 when the server is; with --host
    2 when this machine cannot host submitted bots in a sandbox.
    """
    if host:
        _as_host(json=json)
        return
    checks = [*local_checks(), *host_checks(), configuration()]
    if checks[-1].ok:
        options = Options(server, token, token_file, timeout, ca_file)
        try:
            run_connected(lambda client: _server_checks(client, checks), options)
        except CliError as error:
            checks.append(Check("configuration", False, error.what, error.then))
    report(checks, json=json)
    failed = [check for check in checks if check.needed and not check.ok]
    if failed:
        names = ", ".join(check.check for check in failed)
        server_down = any(check.check == "server" for check in failed)
        raise CliError(
            f"not well: {names}", code=Exit.PLATFORM_FAULT if server_down else Exit.USAGE
        )


def local_checks() -> list[Check]:
    """Python, packages and the server part, as installed here."""
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in PACKAGES)
    missing = [name for name in SERVER_MODULES if importlib.util.find_spec(name) is None]
    part = f"not installed; `hearts up` needs it: {INSTALL_SERVER}" if missing else "installed"
    return [
        Check(
            "python",
            sys.version_info >= (3, 11),
            f"{platform.python_version()} on {platform.system()} {platform.machine()}",
            "hearts needs Python 3.11 or newer",
        ),
        Check("packages", True, versions),
        # Not a fault: who only writes bots does not need it.
        Check("server part", True, part),
    ]


def host_checks() -> list[Check]:
    """What the server part says about this machine; nothing where it is not installed."""
    for part in metadata.entry_points(group=PARTS, name="host-checks"):
        try:
            made: Callable[[], list[Check]] = part.load()
        except ImportError:
            continue  # `local_checks` says that it is not installed
        return made()
    return []


def _as_host(*, json: bool) -> None:
    checks = host_checks()
    if not checks:
        raise CliError("the server part is not installed", then=INSTALL_SERVER)
    report(checks, json=json)
    if wrong := [check.check for check in checks if not check.ok and check.check == "hosting"]:
        raise CliError(f"not well: {', '.join(wrong)}", code=Exit.USAGE)


def configuration() -> Check:
    """The configuration file, if there is one."""
    path = config.config_path()
    try:
        keys = config.read_config(path)
    except CliError as error:
        return Check("configuration", False, error.what, error.then)
    found = f"{path}: {', '.join(keys) or 'empty'}" if path.exists() else f"no {path}, none needed"
    return Check("configuration", True, found)


async def _server_checks(client: Client, checks: list[Check]) -> None:
    address = client.connection.server
    try:
        healthy = await client.healthy()
    except CliError as error:
        checks.append(Check("server", False, error.what, error.then))
        return
    words = "serving" if healthy else "up, but not serving: it cannot reach its store"
    then = "see the server's log, and whether its Redis runs"
    checks.append(Check("server", healthy, f"{address}: {words}", then))
    try:
        bots = await client.list_bots()
    except CliError as error:
        checks.append(Check("token", False, error.what, error.then))
        return
    online = sum(bot.online for bot in bots)
    checks.append(Check("token", True, f"accepted; {len(bots)} bots, {online} of them online"))


def report(checks: list[Check], *, json: bool) -> None:
    """Prints the checks as a table or as JSON."""
    if json:
        show.print_json({"checks": [asdict(check) for check in checks]})
        return
    rows = [
        (
            c.check,
            "ok" if c.ok else "FAILED" if c.needed else "no",
            c.found if c.ok or not c.then else f"{c.found}; next: {c.then}",
        )
        for c in checks
    ]
    show.console().print(show.table(("check", "result", "found"), rows))
