"""SS02: the build step is a stranger's program too, and runs in the same sandbox."""

from __future__ import annotations

import asyncio
import socket
import tarfile
from pathlib import Path

from hostile_kit import SMALL, Cage, cage, got

from workers.hosting.box import Box
from workers.hosting.endings import Ending


async def _built(here: Cage, bot: str, *arguments: str) -> tuple[str, Ending, Path]:
    out = here.folder / "built.tar"
    with out.open("wb") as file:
        job = here.job(bot, *arguments, build=True)
        box = await Box.start(here.host, job, stdout=file.fileno())
        try:
            async with asyncio.timeout(60):
                ending = await box.wait()
        finally:
            await box.stop()
    return box.output.text(), ending, out


async def test_a_build_reads_no_secrets_and_calls_nobody(tmp_path: Path) -> None:
    here = cage(tmp_path)
    secret = tmp_path / "admin.token"
    secret.write_text("hrt_secret")
    text, ending, _ = await _built(here, "read_secrets", str(secret))
    assert ending.code == 0, text
    assert not [line for line in got(text) if "secret" in line]
    with socket.create_server(("127.0.0.1", 0)) as server:
        place = "{}:{}".format(*server.getsockname())
        text, _, _ = await _built(here, "call_out", place)
    assert text == f"refused: {place} Connection refused\n"


async def test_a_build_changes_its_own_copy_only(tmp_path: Path) -> None:
    """What it leaves comes out as an archive, which is read as distrustfully as the first."""
    here = cage(tmp_path)
    text, ending, out = await _built(here, "fill_disk")
    assert "refused: /bot after" in text
    assert not (here.folder / "fill_disk" / "filler-0").exists()
    assert ending.code != 0 or out.stat().st_size <= 2 * SMALL.disk


async def test_links_that_a_build_leaves_lead_nowhere(tmp_path: Path) -> None:
    here = cage(tmp_path)
    text, ending, out = await _built(here, "link_out")
    assert ending.code == 0, text
    with tarfile.open(out) as tar:
        kinds = {member.name: member.type for member in tar.getmembers()}
    assert kinds["./copy.py"] == tarfile.REGTYPE
    assert not [name for name, kind in kinds.items() if kind in (tarfile.SYMTYPE, tarfile.LNKTYPE)]
