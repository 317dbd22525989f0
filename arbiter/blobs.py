"""Where submitted files are kept: by the SHA-256 of what is in them, in a folder or, by setting,
in an object store that `fsspec` knows. Everything here blocks; call it in a thread."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import tempfile
from pathlib import Path
from typing import Any, BinaryIO, Self

import fsspec
from fsspec.core import url_to_fs

CHUNK = 1 << 20
_DIGEST = re.compile(r"[0-9a-f]{64}")


class BlobError(Exception):
    """A blob is missing, damaged, or the place for blobs does not work; the text says which."""


class Blobs:
    """A store of files named by their content. Safe for many processes at once: a file appears
    whole, under its final name, or not at all."""

    def __init__(self, files: fsspec.AbstractFileSystem, root: str) -> None:
        self._files: Any = files
        self._root = root.rstrip("/")

    @classmethod
    def open(cls, url: str) -> Self:
        """The store at a folder ("/var/lib/hearts/blobs") or URL ("s3://bucket/blobs"). Raises
        BlobError for a URL that no installed package serves."""
        try:
            files, root = url_to_fs(url)
        except (ValueError, ImportError) as error:
            raise BlobError(
                f"HEARTS_BLOBS: {error}. It is a folder, or a URL that fsspec knows."
            ) from None
        return cls(files, root)

    def put(self, stream: BinaryIO) -> str:
        """Keep what can be read from the stream; returns its SHA-256, 64 hexadecimal digits. A
        repeat changes nothing. Raises BlobError when it cannot be kept whole."""
        coming = f"{self._root}/coming-{secrets.token_hex(8)}"
        digest = hashlib.sha256()
        try:
            self._files.makedirs(self._root, exist_ok=True)
            try:
                with self._files.open(coming, "wb") as out:
                    while chunk := stream.read(CHUNK):
                        digest.update(chunk)
                        out.write(chunk)
                name = digest.hexdigest()
                if self._hash(coming) != name:
                    raise BlobError("the place for blobs does not give back what was written")
                self._files.makedirs(self._folder(name), exist_ok=True)
                # A rename: whoever looks sees the whole file or none.
                self._files.mv(coming, self._path(name))
            except BaseException:
                with contextlib.suppress(Exception):  # what comes first is the reason
                    self._files.rm(coming)
                raise
        except OSError as error:
            raise BlobError(f"a blob cannot be written: {error}") from error
        return name

    def has(self, sha256: str) -> bool:
        """Whether the blob is there. Raises BlobError."""
        try:
            return bool(self._files.exists(self._path(sha256)))
        except OSError as error:
            raise BlobError(f"blob {sha256} cannot be looked for: {error}") from error

    def get(self, sha256: str, destination: Path) -> None:
        """Write the blob to the file `destination`, which appears whole or not at all. Raises
        BlobError when it is missing, or not what its name says."""
        found = hashlib.sha256()
        number, coming = tempfile.mkstemp(dir=destination.parent, prefix=".coming-")
        try:
            with os.fdopen(number, "wb") as out, self._files.open(self._path(sha256), "rb") as file:
                while chunk := file.read(CHUNK):
                    found.update(chunk)
                    out.write(chunk)
            if found.hexdigest() != sha256:
                raise BlobError(f"blob {sha256} is damaged: it has the hash {found.hexdigest()}")
            Path(coming).replace(destination)
        except FileNotFoundError:
            raise BlobError(f"blob {sha256} is not there") from None
        except OSError as error:
            raise BlobError(f"blob {sha256} cannot be read: {error}") from error
        finally:
            Path(coming).unlink(missing_ok=True)

    def _hash(self, path: str) -> str:
        digest = hashlib.sha256()
        with self._files.open(path, "rb") as file:
            while chunk := file.read(CHUNK):
                digest.update(chunk)
        return digest.hexdigest()

    def _folder(self, sha256: str) -> str:
        return f"{self._root}/{sha256[:2]}"

    def _path(self, sha256: str) -> str:
        if not _DIGEST.fullmatch(sha256):
            raise BlobError(f"{sha256[:80]!r} is no SHA-256")
        return f"{self._folder(sha256)}/{sha256}"
