"""The first admin of a new store, where `hearts up` has not made one already."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from arbiter.settings import Settings
from arbiter.store import Role, Store
from arbiter.store.tokens import draw


async def first_admin(store: Store, settings: Settings) -> Path | None:
    """Make an admin's token when the store has none, and leave it in a file that only we can read,
    not in a log; None when there is an admin. Whoever loses a race for it leaves nothing.

    Raises OSError when the file cannot be written: then no token has been made.
    """
    if await store.tokens.list(Role.ADMIN):
        return None
    token = draw()
    # First the file: a token that nobody has would lock everybody out.
    path = await asyncio.to_thread(_write, settings.data_dir, token, store.id)
    if await store.tokens.create_first(Role.ADMIN, token, "first start"):
        return path
    await asyncio.to_thread(path.unlink)
    return None


def _write(folder: Path, token: str, store_id: str) -> Path:
    """A new file; another name when there is one, which may be of another store."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name in ("admin.token", f"admin-{store_id or os.getpid()}.token"):
        path = folder / name
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            continue
        with open(handle, "w", encoding="ascii") as file:
            file.write(token + "\n")
        return path
    raise FileExistsError(f"{folder} holds admin tokens already, and none of this store")
