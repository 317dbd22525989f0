"""Puts the commands together and turns what goes wrong into words and exit codes."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Sequence
from importlib import metadata
from typing import Any

import typer

from client_sdk.cli.commands import (
    doctor,
    judge,
    matches,
    owners,
    ratings,
    rules,
    tournaments,
    verify,
    version,
    versions,
)
from client_sdk.cli.errors import INSTALL_SERVER, CliError, Exit, NotInstalled
from client_sdk.cli.text import safe

ENTRY_POINTS = "hearts.commands"

# UsageError's base in the click that this Typer brings; Typer does not export it by a name.
_ClickException: Any = typer.BadParameter.__mro__[2]

# Paragraphs: Typer wraps each by itself.
_EPILOG = "\n\n".join(
    (
        "Exit codes: 0 all well · 1 `judge` or `verify` found a disagreement · 2 the input is "
        "wrong (a file, an option, a name, a token), or a part is not installed · 3 a bot failed "
        "(with --strict) "
        "· 4 the platform failed (no server, no answer in time, a taken port, no Redis) · 130 "
        "interrupted.",
        "Configuration: ~/.config/hearts/config.toml may hold server, token_file, token and "
        "timeout. HEARTS_SERVER, HEARTS_TOKEN and HEARTS_TOKEN_FILE come before it, an option "
        "before both.",
        "Examples:",
        "hearts demo",
        "hearts up --data data",
        "hearts tournaments create cup.toml --watch --token-file data/admin.token",
        "hearts matches record cup-3f2a-0-0-0-00007-1 > match.txt",
    )
)


def build() -> typer.Typer:
    """The whole command line, with the commands of other installed packages."""
    app = typer.Typer(
        name="hearts",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        epilog=_EPILOG,
        help="Find out which Hearts bot is better: a refereed tournament platform.",
    )
    app.add_typer(versions.app, name="bots")  # the same as bots.app, with more commands
    app.add_typer(owners.app, name="owners")
    app.add_typer(tournaments.app, name="tournaments")
    app.add_typer(matches.app, name="matches")
    app.add_typer(ratings.app, name="ratings")
    app.add_typer(rules.app, name="rules")
    for point in sorted(metadata.entry_points(group=ENTRY_POINTS), key=lambda point: point.name):
        app.command(point.name, rich_help_panel="Server")(_load(point))
    app.command("judge", epilog="Example: hearts judge deals.jsonl.gz")(judge.judge)
    app.command("verify", epilog="Example: hearts verify cup-3f2a")(verify.verify)
    app.command("doctor")(doctor.doctor)
    app.command("version")(version.version)
    return app


def _load(point: metadata.EntryPoint) -> Callable[..., Any]:
    try:
        command: Callable[..., Any] = point.load()
    except ImportError as error:
        return _missing(point.name, error)
    return command


def _missing(name: str, reason: ImportError) -> Callable[..., None]:
    def command() -> None:
        raise NotInstalled(name, reason)

    # Typer reads square brackets in help as markup.
    command.__doc__ = "Not installed: " + INSTALL_SERVER.replace("[", r"\[")
    return command


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs one command and exits with its documented code; never shows a traceback.

    HEARTS_DEBUG=1 shows the traceback of an unexpected error to whoever reports it.
    """
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit code."""
    try:
        code = build()(args=arguments, prog_name="hearts", standalone_mode=False)
    except CliError as error:
        print(error, file=sys.stderr)
        return error.code
    except _ClickException as error:
        return _usage(error)
    except (KeyboardInterrupt, typer.Abort):
        print("interrupted", file=sys.stderr)
        return Exit.INTERRUPTED
    except SystemExit as error:
        # A command's own code; or 1, by which Rich and Typer say that the reader of our output has
        # seen enough (`| head`).
        return Exit.OK if error.code in (None, 1) else int(error.code)
    except Exception as error:  # The one place where an unforeseen error ends: words, no traceback.
        if os.environ.get("HEARTS_DEBUG"):
            traceback.print_exc()
        text = safe(f"{type(error).__name__}: {error}")
        print(f"error: unexpected: {text}\n  next: HEARTS_DEBUG=1 shows where", file=sys.stderr)
        return Exit.PLATFORM_FAULT
    return code if isinstance(code, int) else Exit.OK


def _usage(error: Any) -> int:
    if type(error).__name__ == "NoArgsIsHelpError":
        return Exit.USAGE  # Typer has printed the help already.
    where = error.ctx.command_path if getattr(error, "ctx", None) else "hearts"
    print(f"error: {safe(error.format_message())}\n  next: {where} --help", file=sys.stderr)
    return Exit.USAGE
