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
    settings = _settings()
    named = os.environ.get("HEARTS_REDIS_URL") or os.environ.get("REDIS_URL")
    wanted = Wanted(
        host,
        port,
        workers,
        redis_url=settings.redis_url if named else None,
        allow_insecure_redis=settings.allow_insecure_redis,
        tls=settings.tls_cert is not None or settings.tls_key is not None,
    )
    _trust(settings)
    if port:
        check_port(host, port)  # before the folder is made
    with DataFolder(data) as folder:
        return running.run(_serve(folder, wanted), Exit.INTERRUPTED)


def _settings() -> Settings:
    """What the environment says. Raises CliError."""
    try:
        return Settings()
    except ValidationError as error:
        # Not the error as a whole: it repeats values, and some of them are secret.
        name = "_".join(str(part) for part in error.errors()[0]["loc"]).upper()
        raise CliError(
            f"HEARTS_{name.removeprefix('HEARTS_')} in the environment: {error.errors()[0]['msg']}"
        ) from None


def _trust(settings: Settings) -> None:
    """Our own calls trust, and show, what the workers do, where clients are told nothing else."""
    for name, path in (
        ("HEARTS_CA_FILE", settings.tls_ca),
        ("HEARTS_CLIENT_CERT", settings.tls_client_cert),
        ("HEARTS_CLIENT_KEY", settings.tls_client_key),
    ):
        if path is not None:
            os.environ.setdefault(name, str(path))


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
