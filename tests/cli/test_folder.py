"""The data folder: one platform at a time, private secrets."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from client_sdk.cli.errors import CliError, Exit
from workers.cli.folder import DataFolder


def test_a_folder_is_held_by_one(tmp_path: Path) -> None:
    with DataFolder(tmp_path):
        with pytest.raises(CliError, match=rf"\(pid {os.getpid()}\) uses the data folder") as held:
            DataFolder(tmp_path).__enter__()
        assert held.value.code == Exit.PLATFORM_FAULT
    with DataFolder(tmp_path):
        pass


def test_tokens_are_private_and_replaced_as_a_whole(tmp_path: Path) -> None:
    with DataFolder(tmp_path / "new" / "data") as folder:
        assert folder.read_token("admin") == ""
        for token in ("hrt_1", "hrt_2"):
            folder.keep_token("admin", token)
            assert folder.read_token("admin") == token
        assert folder.token_file("admin").stat().st_mode & 0o777 == 0o600
        assert folder.path.stat().st_mode & 0o777 == 0o700


def test_temporary_files_of_an_earlier_run_are_gone(tmp_path: Path) -> None:
    with DataFolder(tmp_path) as folder:
        (folder.temporary() / "left").write_text("")
        assert list(folder.temporary().iterdir()) == []
