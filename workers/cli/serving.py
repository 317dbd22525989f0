"""`hearts up`: the platform in the foreground."""

from __future__ import annotations

import asyncio
import os
import sys
from importlib import metadata
from pathlib import Path

from client_sdk.cli.errors import Exit
from workers.cli import running
from workers.cli.folder import DataFolder
from workers.cli.platform import Platform, Wanted, check_port


def serve(data: Path, host: str, port: int, workers: int) -> int:
    """Serves until a signal comes; returns the exit code. Raises CliError."""
    url = os.environ.get("HEARTS_REDIS_URL") or os.environ.get("REDIS_URL")
    wanted = Wanted(host, port, workers, url)
    if port:
        check_port(host, port)  # before the folder is made
    with DataFolder(data) as folder:
        return running.run(_serve(folder, wanted), Exit.INTERRUPTED)


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
