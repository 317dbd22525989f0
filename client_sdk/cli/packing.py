"""Makes what `hearts bots submit` sends: one archive with a bot.toml at its top."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import json
import os
import re
import stat
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO

from client_sdk.cli.errors import CliError

MANIFEST = "bot.toml"
ARCHIVES = (".tar", ".tar.gz", ".tgz", ".zip")
LEFT_OUT = frozenset({".git", ".hg", ".venv", "venv", "__pycache__", "node_modules", ".DS_Store"})
MAX_FILES = 2_000
"""As many as a server takes; whoever has more has named the wrong folder."""

_MAX_MANIFEST = 16 * 1024
_STARTED_BY = {
    ".py": ["python3"],
    ".js": ["node"],
    ".jar": ["java", "-jar"],
    ".sh": ["sh"],
}


@dataclass(frozen=True, slots=True)
class Package:
    """A file to send: whose bot it is, how large, its SHA-256, and the file, at its beginning.
    `said`: what its author should know about how it was made."""

    bot: str
    size: int
    sha256: str
    file: BinaryIO
    said: str = ""


@contextlib.contextmanager
def package(path: Path, name: str = "") -> Iterator[Package]:
    """What to send for a folder, an archive or a single program; nothing of it is left on the disk
    afterwards. `name`: of the bot, where no bot.toml says it.

    Raises CliError for what no server would take.
    """
    try:
        with _file(path, name) as (file, bot, said):
            if name and bot != name:
                raise CliError(
                    f"{MANIFEST} calls the bot {bot!r}, and you call it {name!r}",
                    then="leave out --name, or change one of them",
                )
            digest, size = hashlib.sha256(), 0
            file.seek(0)
            while chunk := file.read(1 << 20):
                digest.update(chunk)
                size += len(chunk)
            file.seek(0)
            yield Package(bot, size, digest.hexdigest(), file, said)
    except OSError as error:
        what = error.filename or path
        raise CliError(f"cannot read {what}: {error.strerror or error}") from None


@contextlib.contextmanager
def _file(path: Path, name: str) -> Iterator[tuple[BinaryIO, str, str]]:
    if path.is_dir():
        bot = _name((path / MANIFEST).read_bytes() if (path / MANIFEST).is_file() else None, path)
        with tempfile.TemporaryFile() as made:
            count = _pack(path, made)
            yield made, bot, f"{count} files of {path}"
    elif path.name.lower().endswith(ARCHIVES):
        with path.open("rb") as file:
            yield file, _name(_manifest_in(path), path), ""
    elif path.is_file():
        bot = name or re.sub(r"[^a-z0-9]+", "-", path.stem.lower()).strip("-")
        started_by = _STARTED_BY.get(path.suffix)
        command = [*started_by, path.name] if started_by else [f"./{path.name}"]
        # Texts and lists of them are written alike in JSON and TOML.
        told = (json.dumps(each, ensure_ascii=False) for each in (bot, command))
        text = "name = {}\ncommand = {}\n".format(*told)
        with tempfile.TemporaryFile() as made:
            with tarfile.open(fileobj=made, mode="w") as tar:
                _add(tar, MANIFEST, len(text.encode()), io.BytesIO(text.encode()))
                with path.open("rb") as program:
                    _add(tar, path.name, path.stat().st_size, program, executable=True)
            yield made, bot, f"a {MANIFEST} is made for it: " + text.strip().replace("\n", ", ")
    else:
        raise CliError(
            f"there is no {path}",
            allowed=[f"a folder with {MANIFEST}", "an archive of one", "a program"],
        )


def _pack(folder: Path, into: IO[bytes]) -> int:
    """Write a folder as a tar.gz that depends on nothing but its files: the same files, the same
    bytes. Returns how many."""
    paths = sorted(_walk(folder))
    if len(paths) > MAX_FILES:
        raise CliError(
            f"{folder} holds {len(paths)} files",
            allowed=[f"at most {MAX_FILES}"],
            then="name the folder of the bot alone",
        )
    with (
        # Not tarfile's own gzip: it writes the time into the header.
        gzip.GzipFile(fileobj=into, mode="wb", mtime=0, filename="") as packed,
        tarfile.open(fileobj=packed, mode="w") as tar,
    ):
        for path in paths:
            status = path.lstat()
            with path.open("rb") as file:
                _add(
                    tar,
                    path.relative_to(folder).as_posix(),
                    status.st_size,
                    file,
                    executable=bool(status.st_mode & stat.S_IXUSR),
                )
    return len(paths)


def _walk(folder: Path) -> Iterator[Path]:
    for top, folders, files in os.walk(folder):
        folders[:] = [each for each in folders if each not in LEFT_OUT]
        for each in [*folders, *files]:
            path = Path(top, each)
            mode = path.lstat().st_mode
            if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
                raise CliError(
                    f"{path} is a link or no ordinary file",
                    allowed=["files and folders"],
                    then="put the file itself there, or move it away",
                )
        yield from (Path(top, each) for each in files if each not in LEFT_OUT)


def _add(
    tar: tarfile.TarFile, name: str, size: int, file: IO[bytes], *, executable: bool = False
) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = size, 0o755 if executable else 0o644
    tar.addfile(entry, file)


def _manifest_in(path: Path) -> bytes | None:
    """The bot.toml at the top of an archive, or in its one top folder."""
    try:
        if path.suffix.lower() == ".zip":
            with zipfile.ZipFile(path) as packed:
                for name in packed.namelist():
                    if _is_manifest(name):
                        with packed.open(name) as file:
                            return file.read(_MAX_MANIFEST)
            return None
        with tarfile.open(path) as tar:
            for entry in tar:
                if entry.isreg() and _is_manifest(entry.name):
                    found = tar.extractfile(entry)
                    return found.read(_MAX_MANIFEST) if found else None
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, NotImplementedError) as error:
        raise CliError(f"{path} is no archive that can be read: {error}") from None
    return None


def _is_manifest(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return parts[-1:] == (MANIFEST,) and len(parts) <= 2


def _name(manifest: bytes | None, path: Path) -> str:
    """The bot's name; the server looks at all the rest."""
    if manifest is None:
        raise CliError(
            f"{path} has no {MANIFEST}",
            then='write one: name = "my-bot" and command = "./my-bot" (docs/submitting.md)',
        )
    try:
        name = tomllib.loads(manifest.decode()).get("name")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CliError(f"{MANIFEST} in {path} is not valid TOML: {error}") from None
    if not isinstance(name, str) or not name:
        raise CliError(f"{MANIFEST} in {path} has no name", then='add name = "my-bot"')
    return name
