"""SS03: archives that mean harm are refused at bounded cost, and nothing lands outside."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hosting_kit import archive

from arbiter.submissions.unpack import BadArchive, Limits, inspect, unpack

MIB = 1 << 20
LIMITS = Limits(files=50, size=2 * MIB)


def _tar(*members: tuple[str, bytes, dict[str, object]], fmt: int = tarfile.PAX_FORMAT) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz", format=fmt) as tar:
        for name, data, fields in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            for key, value in fields.items():
                setattr(info, key, value)
            tar.addfile(info, io.BytesIO(data))
    return out.getvalue()


def _raw(blocks: Callable[[], list[bytes]]) -> bytes:
    return gzip.compress(b"".join(blocks()), 1)


def _header(name: str, size: int = 0, kind: bytes = tarfile.REGTYPE) -> bytes:
    info = tarfile.TarInfo(name)
    info.size = size
    info.type = kind
    return info.tobuf(tarfile.USTAR_FORMAT)


def _zip(*members: tuple[str, bytes, int], comment: bytes = b"") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive_:
        for name, data, mode in members:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive_.writestr(info, data)
        archive_.comment = comment
    return out.getvalue()


LINK = {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"}
BAD = {
    "dots": (_tar(("../x", b"", {})), "'..' leads out"),
    "dots within": (_tar(("a/../../x", b"", {})), "'..' leads out"),
    "absolute": (_tar(("/etc/x", b"", {})), "absolute path"),
    "symbolic link": (_tar(("x", b"", LINK)), "a symbolic link"),
    "hard link": (
        _tar(("x", b"", {"type": tarfile.LNKTYPE, "linkname": "/etc/passwd"})),
        "a hard link",
    ),
    "device": (_tar(("x", b"", {"type": tarfile.CHRTYPE})), "a device"),
    "pipe": (_tar(("x", b"", {"type": tarfile.FIFOTYPE})), "a pipe"),
    "twice": (_tar(("x", b"1", {}), ("x", b"2", {})), "twice"),
    "file and folder": (_tar(("x", b"1", {}), ("x/y", b"2", {})), "as a file and as a folder"),
    "line end in a name": (_tar(("x\ny", b"", {})), "a name is printable"),
    "long name": (_tar(("x" * 300, b"", {})), "up to 200 bytes"),
    "deep": (_tar(("/".join("x" * 40), b"", {})), "16 folders"),
    "long header": (_tar(("x" * 300_000, b"", {})), "header of more than 64 KiB"),
    "long GNU header": (
        _tar(("x" * 300_000, b"", {}), fmt=tarfile.GNU_FORMAT),
        "header of more than 64 KiB",
    ),
    "a header that claims a gigabyte": (
        _raw(lambda: [_header("x", 1 << 30, tarfile.XHDTYPE), bytes(8 * MIB)]),
        "header of more than 64 KiB",
    ),
    "headers without end": (
        _raw(lambda: [_header("x", 0, tarfile.XHDTYPE)] * 20_000),
        "header of more than 64 KiB",
    ),
    "bomb": (_raw(lambda: [_header("x", 64 * MIB), bytes(64 * MIB)]), "more than 2 MiB unpacked"),
    "many entries": (
        _raw(lambda: [_header(f"f{n}") for n in range(20_000)]),
        "more than 50 files",
    ),
    "cut off": (_tar(("x", os.urandom(100_000), {}))[:50_000], "cut off"),
    "empty": (b"", "is empty"),
    "no file": (_tar(), "holds no file"),
    "zip with dots": (_zip(("../x", b"", 0o100644)), "'..' leads out"),
    "zip with a link": (_zip(("x", b"/etc/passwd", 0o120777)), "a link or device"),
    "zip bomb": (_zip(("x", bytes(64 * MIB), 0)), "more than 2 MiB unpacked"),
    "zip of many": (_zip(*((f"f{n}", b"", 0) for n in range(2_000))), "more than 50 files"),
    "zip with a comment": (_zip(("x", b"", 0), comment=b"hello"), "with a comment"),
    "no zip": (b"PK\x03\x04" + bytes(500), "cut off"),
}


@pytest.mark.parametrize("name", BAD)
def test_an_archive_that_means_harm_is_refused(name: str, tmp_path: Path) -> None:
    data, reason = BAD[name]
    file = tmp_path / "archive"
    file.write_bytes(data)
    tracemalloc.start()
    try:
        with pytest.raises(BadArchive, match=reason.replace("'..'", r"'\.\.'")):
            unpack(file, tmp_path / "out", LIMITS)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 4 * MIB
    written = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in written) <= LIMITS.size
    assert len(written) <= LIMITS.files
    assert {path.name for path in tmp_path.iterdir()} == {"archive", "out"}
    with pytest.raises(BadArchive):
        inspect(file, LIMITS)


def test_a_folder_comes_out_as_it_went_in(tmp_path: Path) -> None:
    file = tmp_path / "archive"
    file.write_bytes(archive({"bot.toml": "name", "src/bot.py": "print()"}))
    found = unpack(file, tmp_path / "out")
    assert (found.files, found.manifest, found.top) == (2, b"name", "")
    assert (tmp_path / "out/src/bot.py").read_text() == "print()"
    assert (tmp_path / "out/src/bot.py").stat().st_mode & 0o7777 == 0o755


@pytest.mark.parametrize("kind", ["tar", "zip"])
def test_the_one_folder_around_a_bot_does_not_matter(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "archive"
    names = {"my-bot/bot.toml": b"name", "my-bot/my-bot": b"x"}
    if kind == "tar":
        file.write_bytes(_tar(*((name, data, {}) for name, data in names.items())))
    else:
        file.write_bytes(_zip(*((name, data, 0o100755) for name, data in names.items())))
    assert inspect(file).manifest == b"name"
    unpack(file, tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"bot.toml", "my-bot"}


def test_an_archive_of_the_folder_itself(tmp_path: Path) -> None:
    """As `tar czf bot.tgz .` makes it."""
    folder = {"type": tarfile.DIRTYPE}
    file = tmp_path / "archive"
    file.write_bytes(_tar((".", b"", folder), ("./bot.toml", b"name", {}), ("./a", b"", folder)))
    assert unpack(file, tmp_path / "out").manifest == b"name"


def test_one_file_alone_is_a_program(tmp_path: Path) -> None:
    file = tmp_path / "archive"
    file.write_bytes(b"\x7fELF and so on")
    unpack(file, tmp_path / "out")
    assert os.access(tmp_path / "out" / "bot", os.X_OK)
