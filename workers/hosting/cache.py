"""Submitted versions as folders on this machine, ready to be started: fetched once by their hash,
unpacked, and built where bot.toml says so."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from arbiter.blobs import BlobError, Blobs
from arbiter.store import Version
from arbiter.submissions.manifest import Manifest
from arbiter.submissions.unpack import BadArchive, unpack
from arbiter.submissions.unpack import Limits as ArchiveLimits
from workers.hosting.box import Box
from workers.hosting.host import Host
from workers.hosting.jail import Job
from workers.hosting.limits import MIB, Limits

log = logging.getLogger(__name__)

UNUSED_DAYS = 7.0
"""Folders that nobody has wanted for so long are removed."""

LEFT_S = 6 * 3600.0
"""What has been coming, or building, for so long will never be there."""

# What a build leaves: objects and packages too.
BUILT = ArchiveLimits(files=20_000, size=512 * MIB, path=400, depth=32)


class Unusable(Exception):
    """The version cannot be started, by its author's doing. The message says why; ``log``: what
    its build wrote."""

    def __init__(self, why: str, log: str = "") -> None:
        super().__init__(why)
        self.log = log


@dataclass(slots=True)
class Cache:
    """Below ``root``: SHA256/bot, and SHA256/built where there is something to build."""

    root: Path
    blobs: Blobs
    host: Host
    limits: Limits
    build_s: float
    _locks: dict[str, asyncio.Lock] = field(default_factory=dict)

    async def folder(self, version: Version) -> tuple[Path, Manifest]:
        """The version's files and how to start it. Raises Unusable; BlobError, OSError and
        CannotStart when the platform is at fault."""
        try:
            manifest = Manifest.from_json(version.manifest)
        except ValueError as error:
            raise Unusable(str(error)) from None
        async with self._locks.setdefault(version.sha256, asyncio.Lock()):
            files = await asyncio.to_thread(self._fetched, version.sha256)
            if manifest.build:
                files = await self._built(version, files, manifest)
        return files, manifest

    def empty(self) -> Path:
        """A folder with nothing in it, for what needs no files."""
        folder = self.root / "empty"
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)
        return folder

    def tidy(self) -> None:
        """Remove what nobody has wanted for long. Blocks."""
        limit = time.time() - UNUSED_DAYS * 86_400
        for folder in self.root.glob("*"):
            if folder.name != "empty" and folder.stat().st_mtime < limit:
                shutil.rmtree(folder, ignore_errors=True)
        for left in self.root.glob("*/*ing-*"):  # by a worker that was killed
            if left.stat().st_mtime < time.time() - LEFT_S:
                shutil.rmtree(left, ignore_errors=True)

    def _fetched(self, sha256: str) -> Path:
        place = self.root / sha256
        files = place / "bot"
        if files.is_dir():
            os.utime(place)
            return files
        place.mkdir(parents=True, exist_ok=True)
        self.tidy()
        with tempfile.TemporaryDirectory(dir=place, prefix="coming-") as coming:
            archive = Path(coming, "archive")
            self.blobs.get(sha256, archive)
            try:
                unpack(archive, Path(coming, "bot"))
            except BadArchive as refused:
                raise Unusable(f"the archive {refused}") from None
            _publish(Path(coming, "bot"), files)
        return files

    async def _built(self, version: Version, files: Path, manifest: Manifest) -> Path:
        place = self.root / version.sha256
        built = place / "built"
        if built.is_dir():
            return built
        with tempfile.TemporaryDirectory(dir=place, prefix="building-") as coming:
            archive = Path(coming, "archive")
            await self._build(files, manifest, archive)
            try:
                await asyncio.to_thread(unpack, archive, Path(coming, "built"), BUILT)
            except BadArchive as refused:
                raise Unusable(f"what its build left {refused}") from None
            await asyncio.to_thread(_publish, Path(coming, "built"), built)
        log.info("%s is built", version.name)
        return built

    async def _build(self, files: Path, manifest: Manifest, archive: Path) -> None:
        job = Job(manifest.build, files, self.limits.for_building(), build=True)
        with archive.open("wb") as out:
            box = await Box.start(self.host, job, stdout=out.fileno())
            try:
                async with asyncio.timeout(self.build_s):
                    ending = await box.wait()
            except TimeoutError:
                raise Unusable(
                    f"its build took longer than {self.build_s:g} s", box.output.text()
                ) from None
            finally:
                await box.stop()
        if ending.code or ending.memory:
            raise Unusable(f"its build failed: {ending.words()}", box.output.text())


def _publish(made: Path, final: Path) -> None:
    """Give a folder its final name, at once and for everybody to read; who comes second at that
    finds it done."""
    for folder in (made, *(path for path in made.rglob("*") if path.is_dir())):
        folder.chmod(0o755)  # whatever our umask says: the bot is another user
    try:
        made.rename(final)
    except OSError:
        if not final.is_dir():
            raise


__all__ = ["BlobError", "Cache", "Unusable"]
