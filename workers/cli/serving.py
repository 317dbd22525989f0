"""`hearts up`: the platform in the foreground."""

from __future__ import annotations

import asyncio
import os
import sys
from importlib import metadata
from pathlib import Path

from pydantic import ValidationError

from arbiter.settings import Settings
from client_sdk.cli.errors import CliError, Exit
from workers.cli import running
from workers.cli.folder import DataFolder
from workers.cli.platform import Platform, Wanted, check_port


def serve(data: Path, host: str, port: int, workers: int) -> int:
    """Serves until a signal comes; returns the exit code. Raises CliError."""
    wanted = Wanted(host, port, workers, *_redis_of_somebody_else())
    if port:
        check_port(host, port)  # before the folder is made
    with DataFolder(data) as folder:
        return running.run(_serve(folder, wanted), Exit.INTERRUPTED)


def _redis_of_somebody_else() -> tuple[str | None, bool]:
    """The URL in the environment, if there is one, and whether it may be an insecure server."""
    try:
        settings = Settings()
    except ValidationError as error:
        # Not the error as a whole: it repeats values, and some of them are secret.
        name = "_".join(str(part) for part in error.errors()[0]["loc"]).upper()
        raise CliError(
            f"HEARTS_{name.removeprefix('HEARTS_')} in the environment: {error.errors()[0]['msg']}"
        ) from None
    named = os.environ.get("HEARTS_REDIS_URL") or os.environ.get("REDIS_URL")
    return settings.redis_url if named else None, settings.allow_insecure_redis


async def _serve(folder: DataFolder, wanted: Wanted) -> int:
    _say(f"hearts {metadata.version('hearts-arena')}: starting ...")
    async with Platform(folder, wanted, _say) as platform:
        _greet(platform, folder)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            # Being told to stop is how serving ends; only a start can be interrupted.
            _say("stopping ...")
    _say("stopped")
    return Exit.OK


def _greet(platform: Platform, folder: DataFolder) -> None:
    token_file = folder.token_file("admin")
    shown = os.path.relpath(token_file)
    _say(f"serving on {platform.address}; data and logs in {folder.path}; Ctrl-C stops it")
    if platform.first_start:
        _say(f"admin token, shown this once and kept in {token_file}:\n  {platform.admin_token}")
    _say(f"try: hearts doctor --server {platform.address} --token-file {shown}")


def _say(line: str) -> None:
    print(line, file=sys.stdout, flush=True)
