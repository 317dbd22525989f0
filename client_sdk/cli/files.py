"""Small files with secrets in them."""

from __future__ import annotations

import os
from pathlib import Path

from client_sdk.cli.errors import CliError


def check_new(path: Path) -> None:
    """Raises CliError when there is such a file already, or no folder for it."""
    if path.exists():
        raise CliError(f"{path} exists", then="choose another file, or move that one away")
    if not path.parent.is_dir():
        raise CliError(f"there is no folder {path.parent}")


def write_secret(path: Path, secret: str) -> None:
    """Writes one line to a new file that only its owner can read."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise CliError(f"cannot write {path}: {error.strerror}") from None
    with open(handle, "w", encoding="utf-8") as file:
        file.write(secret + "\n")
