"""`hearts backup` and `hearts restore` on folders of `hearts up`."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from arbiter.store import Role, Store
from workers import redis_server
from workers.cli import commands
from workers.cli.folder import DataFolder


def _run(command: str, *arguments: object) -> None:
    with pytest.raises(SystemExit) as ended:
        getattr(commands, command)(*arguments)
    assert ended.value.code == 0


def _token(folder: Path, token: str = "") -> str:
    """A token of the folder's store: made, or looked up."""

    async def work(url: str) -> str:
        store = await Store.open(url)
        try:
            if token:
                assert await store.tokens.lookup(token)
                return token
            return await store.tokens.create(Role.ADMIN)
        finally:
            await store.close()

    with redis_server.start(folder / "redis") as server:
        return asyncio.run(work(server.url))


def test_a_folder_goes_into_an_archive_and_out_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Stopped or running; into a new folder, and never over another."""
    old, new, file = tmp_path / "old", tmp_path / "new", tmp_path / "a.zip"
    token = _token(old)
    _run("backup", file, old)
    assert "read again and found whole" in capsys.readouterr().out
    assert file.stat().st_mode & 0o777 == 0o600
    _run("restore", file, new)
    assert "compared with the archive: the same" in capsys.readouterr().out
    assert _token(new, token) == token
    with redis_server.start(old / "redis"):
        _run("backup", tmp_path / "b.zip", old)
    for command, arguments, words in (
        ("backup", (file, old), "exists"),
        ("backup", (tmp_path / "c.zip", tmp_path / "none"), "no data folder"),
        ("restore", (file, new), "into an empty one"),
        ("restore", (new / "redis" / "redis.conf", tmp_path / "x"), "damaged, or no archive"),
    ):
        with pytest.raises(Exception, match=words):
            getattr(commands, command)(*arguments)
    with DataFolder(tmp_path / "busy"), pytest.raises(Exception, match="hearts up"):
        commands.restore(file, tmp_path / "busy")
