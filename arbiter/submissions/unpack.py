"""Archives from strangers, read at bounded cost: whatever they claim, no more than the limits is
ever read, kept in memory or written, and nothing is written outside the folder named (SS03).

A submission is a tar, tar.gz or zip of plain files and folders, or one file alone, which becomes
an executable called "bot". Links, devices and everything else are refused.
"""

from __future__ import annotations

import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO, cast

from arbiter.submissions.manifest import FILE as MANIFEST
from arbiter.submissions.manifest import MAX_BYTES as MAX_MANIFEST

SINGLE = "bot"
"""What a submission that is one file alone is called when it is unpacked."""

CHUNK = 64 * 1024
_HEADERS = 64 * 1024  # of one entry of a tar, its long name included
_END = struct.Struct("<4s4H2LH")  # a zip's end of central directory
_ENTRY = 512  # bytes for one entry of a zip's directory: far more than a name of ours needs

_UNREADABLE = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    ValueError,
    OverflowError,
    RecursionError,
    NotImplementedError,
)
"""What the libraries raise for what they cannot read; OSError is ours, not the archive's."""

_Create = Callable[[str, bool | None], IO[bytes] | None]


class BadArchive(Exception):
    """This archive is refused; the text says why, and what is allowed."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What an archive may hold. ``size``: bytes of all files together, unpacked. ``path``: bytes of
    one name with its folders."""

    files: int = 2_000
    size: int = 128 << 20
    path: int = 200
    depth: int = 16


@dataclass(frozen=True, slots=True)
class Contents:
    """What was found. ``manifest``: the text of bot.toml; None: there is none. ``top``: the one
    folder that everything is in, when bot.toml is in it; else ""."""

    files: int
    size: int
    manifest: bytes | None
    top: str = ""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A file (its bytes come in ``chunks``) or a folder (None)."""

    path: str
    executable: bool
    chunks: Iterator[bytes] | None


def inspect(archive: Path, limits: Limits = Limits()) -> Contents:
    """Read the whole archive without writing any of it. Raises BadArchive, OSError."""
    return _walk(archive, limits, lambda _path, _executable: None)


def unpack(archive: Path, into: Path, limits: Limits = Limits()) -> Contents:
    """Write the archive's files below the folder ``into``, which is made and must not exist. What
    is in one top folder together with bot.toml lands directly in ``into``.

    Raises BadArchive, OSError; a part may have been written then.
    """
    into.mkdir()
    contents = _walk(archive, limits, lambda path, executable: _create(into, path, executable))
    if contents.top:
        # By way of a name that no entry has: the folder may hold one of its own name.
        aside = into.with_name(into.name + ".top")
        (into / contents.top).rename(aside)
        into.rmdir()
        aside.rename(into)
    return contents


def _create(into: Path, path: str, executable: bool | None) -> IO[bytes] | None:
    target = into / path
    if executable is None:
        target.mkdir(parents=True, exist_ok=True)
        return None
    target.parent.mkdir(parents=True, exist_ok=True)
    file = target.open("xb")
    target.chmod(0o755 if executable else 0o644)
    return file


def _walk(archive: Path, limits: Limits, create: _Create) -> Contents:
    """Go through the entries; ``create`` gives where a file's bytes go to (None: nowhere)."""
    try:
        return _walk_all(archive, limits, create)
    except _UNREADABLE as error:
        raise BadArchive(f"cannot be unpacked: {error}") from None


def _walk_all(archive: Path, limits: Limits, create: _Create) -> Contents:
    names = _Names(limits)
    files = total = 0
    manifests: dict[str, bytes] = {}
    with archive.open("rb") as source:
        for entry in _entries(source, limits):
            names.add(entry.path, folder=entry.chunks is None)
            if entry.chunks is None:
                create(entry.path, None)
                continue
            files += 1
            kept = b""
            out = create(entry.path, entry.executable)
            try:
                for chunk in entry.chunks:
                    total += len(chunk)
                    if total > limits.size:
                        raise BadArchive(f"holds more than {_size(limits.size)} unpacked")
                    if PurePosixPath(entry.path).name == MANIFEST and len(kept) <= MAX_MANIFEST:
                        kept += chunk
                    if out is not None:
                        out.write(chunk)
            finally:
                if out is not None:
                    out.close()
            if entry.path.count("/") <= 1 and PurePosixPath(entry.path).name == MANIFEST:
                manifests[entry.path] = kept[: MAX_MANIFEST + 1]
    if not files:
        raise BadArchive("holds no file")
    top = names.top()
    if MANIFEST not in manifests and top and f"{top}/{MANIFEST}" in manifests:
        return Contents(files, total, manifests[f"{top}/{MANIFEST}"], top)
    return Contents(files, total, manifests.get(MANIFEST))


class _Names:
    """The paths so far: each allowed, none twice, no file that is also a folder."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._files: set[str] = set()
        self._folders: set[str] = set()
        self._count = 0

    def add(self, path: str, *, folder: bool) -> None:
        """Raises BadArchive for a path that may not be there."""
        self._count += 1
        if self._count > self._limits.files:
            raise BadArchive(f"holds more than {self._limits.files} files and folders")
        self._check(path)
        parts = path.split("/")
        above = ["/".join(parts[:depth]) for depth in range(1, len(parts))]
        if path in self._files or (not folder and path in self._folders):
            raise BadArchive(f"holds {_shown(path)} twice")
        if clash := [name for name in above if name in self._files]:
            raise BadArchive(f"holds {_shown(clash[0])} as a file and as a folder")
        self._folders.update(above, [path] if folder else [])
        if not folder:
            self._files.add(path)

    def top(self) -> str:
        """The one folder at the top, when nothing is beside it; else ""."""
        tops = {path.partition("/")[0] for path in self._files | self._folders}
        return tops.pop() if len(tops) == 1 and not tops & self._files else ""

    def _check(self, path: str) -> None:
        shown = _shown(path)
        if path.startswith("/"):
            raise BadArchive(f"holds the absolute path {shown}: names are relative to the bot")
        parts = path.split("/")
        if ".." in parts:
            raise BadArchive(f"holds {shown}: '..' leads out of the bot's folder")
        if any(part in ("", ".") for part in parts) or "\\" in path or not path.isprintable():
            raise BadArchive(f"holds {shown}: a name is printable, without '\\' and empty parts")
        length = len(path.encode("utf-8", "surrogateescape"))
        if length > self._limits.path or len(parts) > self._limits.depth:
            raise BadArchive(
                f"holds {shown}…: a name has up to {self._limits.path} bytes and "
                f"{self._limits.depth} folders"
            )


def _entries(source: BinaryIO, limits: Limits) -> Iterator[_Entry]:
    head = source.read(512)
    source.seek(0)
    if head[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return _zip(source, limits)
    if head[:2] == b"\x1f\x8b" or head[257:262] == b"ustar":
        return _tar(_Bytes(source, limits, gzipped=head[:2] == b"\x1f\x8b"))
    if not head:
        raise BadArchive("is empty")
    return iter([_Entry(SINGLE, True, iter(lambda: source.read(CHUNK), b""))])


class _Bytes:
    """What `tarfile` reads a tar from: unpacks as it goes, and never more than it is allowed to
    before the next entry is announced, so that no header can claim our memory."""

    def __init__(self, source: BinaryIO, limits: Limits, *, gzipped: bool) -> None:
        self._source = source
        self._zip = zlib.decompressobj(wbits=31) if gzipped else None
        self._limits = limits
        self._left = 0
        # Files, their padding and their headers.
        self._total = limits.size + limits.files * (512 + _HEADERS)

    def allow(self, count: int) -> None:
        """So many bytes may be read from now on."""
        self._left = count

    def read(self, size: int) -> bytes:
        if size > self._left:
            raise BadArchive(f"has a header of more than {_size(_HEADERS)}")
        data = self._some(size)
        self._left -= len(data)
        self._total -= len(data)
        if self._total < 0:
            raise BadArchive(f"holds more than {_size(self._limits.size)} unpacked")
        return data

    def _some(self, size: int) -> bytes:
        if self._zip is None:
            return self._source.read(size)
        parts: list[bytes] = []
        while size > 0 and not self._zip.eof:
            packed = self._zip.unconsumed_tail or self._source.read(CHUNK)
            if not packed:
                raise BadArchive("is cut off: its end is missing")
            part = self._zip.decompress(packed, size)
            parts.append(part)
            size -= len(part)
        return b"".join(parts)


_TAR_KINDS = {
    tarfile.SYMTYPE: "a symbolic link",
    tarfile.LNKTYPE: "a hard link",
    tarfile.CHRTYPE: "a device",
    tarfile.BLKTYPE: "a device",
    tarfile.FIFOTYPE: "a pipe",
    tarfile.GNUTYPE_SPARSE: "a file with holes",
}


def _tar(source: _Bytes) -> Iterator[_Entry]:
    source.allow(_HEADERS)
    # A stream ("r|"): nothing is sought, each byte is looked at once.
    with tarfile.open(fileobj=cast("IO[bytes]", source), mode="r|", bufsize=512) as tar:
        while (found := tar.next()) is not None:
            if not (found.isdir() and found.name in (".", "./")):  # the folder itself
                yield _tar_entry(tar, found, source)
            source.allow(_HEADERS)


def _tar_entry(tar: tarfile.TarFile, found: tarfile.TarInfo, source: _Bytes) -> _Entry:
    path = found.name.removeprefix("./").rstrip("/")
    if found.isdir():
        return _Entry(path, False, None)
    if not found.isreg() or found.issparse():
        kind = _TAR_KINDS.get(found.type, "neither a file nor a folder")
        kind = "a file with holes" if found.issparse() else kind
        raise BadArchive(f"holds {_shown(found.name)}, which is {kind}: only files and folders")

    def chunks() -> Iterator[bytes]:
        file = tar.extractfile(found)
        while file is not None:
            source.allow(CHUNK + _HEADERS)
            chunk = file.read(CHUNK)
            if not chunk:
                return
            yield chunk

    return _Entry(path, bool(found.mode & 0o111), chunks())


def _zip(source: BinaryIO, limits: Limits) -> Iterator[_Entry]:
    _check_directory(source, limits)
    with zipfile.ZipFile(source) as archive:
        for found in archive.infolist():
            yield _zip_entry(archive, found)


def _check_directory(source: BinaryIO, limits: Limits) -> None:
    """Raises BadArchive for a directory so large that `zipfile`, which reads all of it, should not
    begin."""
    size = source.seek(0, 2)
    source.seek(max(0, size - 22 - 20))
    tail = source.read()
    source.seek(0)
    end = tail[-22:]
    if len(end) < 22 or end[:4] != b"PK\x05\x06" or end[-2:] != b"\0\0" or b"PK\x06\x07" in tail:
        raise BadArchive("is a zip archive with a comment, with more than 4 GB, or cut off")
    _, _, _, _, count, length, _, _ = _END.unpack(end)
    if count > limits.files or length > limits.files * _ENTRY:
        raise BadArchive(f"holds more than {limits.files} files and folders")


def _zip_entry(archive: zipfile.ZipFile, found: zipfile.ZipInfo) -> _Entry:
    kind = stat.S_IFMT(found.external_attr >> 16)
    name = found.orig_filename
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise BadArchive(f"holds {_shown(name)}, which is a link or device: only files and folders")
    if name.endswith("/"):
        return _Entry(name.rstrip("/"), False, None)
    if found.flag_bits & 0x1:
        raise BadArchive(f"holds {_shown(name)}, which is encrypted")
    if found.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise BadArchive(f"holds {_shown(name)}, packed in a way that is not read: take deflate")

    def chunks() -> Iterator[bytes]:
        with archive.open(found) as file:
            while chunk := file.read(CHUNK):
                yield chunk

    # Archives made on Windows know no modes; whoever sends one names the interpreter.
    return _Entry(name, bool((found.external_attr >> 16) & 0o111), chunks())


def _shown(path: str) -> str:
    return ascii(path[:80])


def _size(count: int) -> str:
    return f"{count >> 20} MiB" if count >= 1 << 20 else f"{count >> 10} KiB"
