"""The whole store as one portable file, and back: a zip of a manifest and one JSON line a key.

The copy is of one moment: while it is read, Redis holds back every write (CLIENT PAUSE), and goes
on by itself if we die. What expires (who is connected, which arbiters are up) is left out.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import time
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

import redis

from arbiter.store.schema import VERSION

FORMAT = 1
PAUSE_MS = 10_000
"""Writes are held back at most so long after we were last heard of."""
RENEW_S = 2.0
PAGE = 500
_KEYS = "keys.jsonl"
_MANIFEST = "manifest.json"
_SEAL = 64
"""The archive ends with the SHA-256, in hex, of all before it: as the comment of the zip file."""


class ArchiveError(Exception):
    """The archive or the store is not fit for it; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an archive says of itself. ``schema``: the form of the data; ``store``: the id of the
    store it is of; ``sha256``: of the uncompressed lines; ``blobs``: files beside the keys."""

    schema: int
    store: str
    created: str
    keys: int
    sha256: str
    matches: int = 0
    blobs: int = 0
    format: int = FORMAT


class Vault:
    """Dumps and fills the store of one namespace, over a blocking connection. Raises redis's
    exceptions."""

    def __init__(self, url: str, namespace: str = "hearts:") -> None:
        self._redis: Any = redis.Redis.from_url(url, socket_timeout=30, protocol=2)
        self._namespace = namespace
        self._renewed = 0.0

    def close(self) -> None:
        """Close the connection."""
        self._redis.close()

    def stamp(self) -> tuple[int, str]:
        """Form and id of the store; (0, "") for one without a stamp."""
        version, id_ = self._redis.hmget(f"{self._namespace}store", "version", "id")
        return int(version or 0), (id_ or b"").decode()

    def is_empty(self) -> bool:
        """Whether the namespace has no key but the stamp of a store that was just made."""
        stamp = f"{self._namespace}store".encode()
        return all(key == stamp for key in self._redis.scan_iter(f"{self._namespace}*", count=1000))

    def dump(self) -> Iterator[dict[str, Any]]:
        """Every key that lasts, in order of name, as of one moment."""
        try:
            self._hold()
            keys = sorted(self._redis.scan_iter(f"{self._namespace}*", count=1000))
            for start in range(0, len(keys), PAGE):
                self._hold()
                yield from self._page(keys[start : start + PAGE])
        finally:
            self._redis.client_unpause()

    def _hold(self) -> None:
        if time.monotonic() - self._renewed > RENEW_S:
            self._redis.client_pause(PAUSE_MS, all=False)
            self._renewed = time.monotonic()

    def _page(self, keys: list[bytes]) -> Iterator[dict[str, Any]]:
        with self._redis.pipeline(transaction=False) as pipe:
            for key in keys:
                pipe.type(key)
                pipe.pttl(key)
            kinds = pipe.execute()
            lasting = [
                (key, kind.decode())
                for key, kind, ttl in zip(keys, kinds[::2], kinds[1::2], strict=True)
                if ttl == -1
            ]
            for key, kind in lasting:
                _READ[kind](pipe, key)
            values = pipe.execute()
        for (key, kind), value in zip(lasting, values, strict=True):
            yield {"k": _text(key[len(self._namespace) :]), "t": kind, "v": _packed(kind, value)}

    def fill(self, lines: Iterator[dict[str, Any]]) -> int:
        """Write keys into an empty store; returns how many. Until the last is there the stamp says
        that no version can read it."""
        self._redis.hset(f"{self._namespace}store", "version", 10**9)
        stamp: dict[str, Any] = {}
        count = 0
        with self._redis.pipeline(transaction=False) as pipe:
            for line in lines:
                count += 1
                if line["k"] == " store":
                    stamp = line
                    continue
                self._write(pipe, line)
                if count % PAGE == 0:
                    pipe.execute()
            pipe.execute()
        if stamp:
            self._redis.delete(f"{self._namespace}store")
            with self._redis.pipeline(transaction=True) as pipe:
                self._write(pipe, stamp)
                pipe.execute()
        return count

    def _write(self, pipe: Any, line: dict[str, Any]) -> None:
        key = self._namespace.encode() + _bytes(line["k"])
        value = [_bytes(piece) for piece in line["v"]]
        match line["t"]:
            case "string":
                pipe.set(key, value[0])
            case "hash":
                pipe.hset(key, mapping=dict(zip(value[::2], value[1::2], strict=True)))
            case "list":
                pipe.rpush(key, *value)
            case "set":
                pipe.sadd(key, *value)
            case "zset":
                pairs = zip(value[::2], value[1::2], strict=True)
                pipe.zadd(key, {member: float(score) for member, score in pairs})
            case other:
                raise ArchiveError(f"key {line['k']!r} has the unknown type {other!r}")


_READ: dict[str, Any] = {
    "string": lambda pipe, key: pipe.get(key),
    "hash": lambda pipe, key: pipe.hgetall(key),
    "list": lambda pipe, key: pipe.lrange(key, 0, -1),
    "set": lambda pipe, key: pipe.smembers(key),
    "zset": lambda pipe, key: pipe.zrange(key, 0, -1, withscores=True),
}


def _packed(kind: str, value: Any) -> list[str]:
    match kind:
        case "string":
            pieces = [value]
        case "hash":
            pieces = [piece for pair in sorted(value.items()) for piece in pair]
        case "set":
            pieces = sorted(value)
        case "zset":
            pieces = [p for member, score in value for p in (member, repr(score).encode())]
        case _:
            pieces = value
    return [_text(piece) for piece in pieces]


def _text(data: bytes) -> str:
    """UTF-8 text as it is behind a space, all else in base64 behind a "~"."""
    try:
        return " " + data.decode("utf-8")
    except UnicodeDecodeError:
        return "~" + base64.b64encode(data).decode("ascii")


def _bytes(text: str) -> bytes:
    if text[:1] == "~":
        return base64.b64decode(text[1:], validate=True)
    return text[1:].encode("utf-8")


def save(vault: Vault, path: Path, blobs: Path | None = None) -> Manifest:
    """Write an archive, and read it again before it gets its name. Raises ArchiveError, OSError."""
    version, id_ = vault.stamp()
    if version > VERSION:
        raise ArchiveError(f"the store has form {version}: this version knows up to {VERSION}")
    fresh = path.with_name(f".{path.name}.{os.getpid()}.new")
    digest, keys, matches = hashlib.sha256(), 0, 0
    try:
        with zipfile.ZipFile(fresh, "x", zipfile.ZIP_DEFLATED) as file:
            with file.open(_KEYS, "w", force_zip64=True) as out:
                for line in vault.dump():
                    raw = (json.dumps(line, separators=(",", ":")) + "\n").encode()
                    digest.update(raw)
                    out.write(raw)
                    keys += 1
                    matches += line["k"].startswith(" record:")
            names = _blobs(blobs)
            for name in names:
                file.write(name, f"blobs/{name.relative_to(blobs or name)}")
            created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            made = Manifest(version, id_, created, keys, digest.hexdigest(), matches, len(names))
            file.writestr(_MANIFEST, json.dumps(asdict(made), indent=1) + "\n")
            file.comment = bytes(_SEAL)
        with fresh.open("rb+") as whole:
            seal = _seal(whole)
            whole.write(seal)
            whole.flush()
            os.fsync(whole.fileno())
        check(fresh)
        fresh.chmod(0o600)
        fresh.rename(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    return made


def _seal(whole: BinaryIO) -> bytes:
    """SHA-256 of an open archive up to its seal, and the file's position there."""
    left = whole.seek(0, os.SEEK_END) - _SEAL
    whole.seek(0)
    digest = hashlib.sha256()
    while chunk := whole.read(min(left, 1 << 20)):
        digest.update(chunk)
        left -= len(chunk)
    return digest.hexdigest().encode("ascii")


def _blobs(folder: Path | None) -> list[Path]:
    if folder is None or not folder.is_dir():
        return []
    return sorted(p for p in folder.rglob("*") if p.is_file() and "coming-" not in p.name)


def check(path: Path) -> Manifest:
    """Read an archive to its last byte. Raises ArchiveError when it is damaged, or newer than this
    version."""
    try:
        with path.open("rb") as whole:
            if _seal(whole) != whole.read():
                raise ArchiveError(f"{path} is damaged, or no archive of `hearts backup`")
        with zipfile.ZipFile(path) as file:
            made = Manifest(**json.loads(file.read(_MANIFEST)))
            if made.format > FORMAT or made.schema > VERSION:
                raise ArchiveError(
                    f"{path} was made by a newer version (archive {made.format}, data "
                    f"{made.schema}): upgrade this installation"
                )
            if bad := file.testzip():
                raise ArchiveError(f"{path} is damaged: {bad}")
            digest, keys, results, records = hashlib.sha256(), 0, 0, 0
            with file.open(_KEYS) as lines:
                for raw in lines:
                    digest.update(raw)
                    keys += 1
                    line = json.loads(raw)
                    records += line["k"].startswith(" record:")
                    if line["k"].startswith(" results:"):
                        results += len(line["v"]) // 2
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile, EOFError) as error:
        raise ArchiveError(f"{path} is no archive, or damaged: {error}") from None
    except Exception as error:  # zlib's own
        if isinstance(error, ArchiveError):
            raise
        raise ArchiveError(f"{path} is damaged: {error}") from None
    if digest.hexdigest() != made.sha256 or keys != made.keys:
        raise ArchiveError(f"{path} is damaged: its data are not what its manifest says")
    if results != records:
        raise ArchiveError(f"{path} holds {results} results and {records} records")
    return made


def load(vault: Vault, path: Path, blobs: Path | None = None) -> Manifest:
    """Fill an empty store from an archive that has been checked whole, and compare afterwards.

    Raises ArchiveError, OSError. A store that was filled half is refused by every version.
    """
    made = check(path)
    if not vault.is_empty():
        raise ArchiveError("the store holds data: restore into an empty one")
    with zipfile.ZipFile(path) as file:
        with file.open(_KEYS) as lines:
            vault.fill(json.loads(raw) for raw in lines)
        if blobs is not None:
            for name in file.namelist():
                if name.startswith("blobs/"):
                    with file.open(name) as source:
                        _write_blob(blobs, name.removeprefix("blobs/"), source)
    digest = hashlib.sha256()
    for line in vault.dump():
        digest.update((json.dumps(line, separators=(",", ":")) + "\n").encode())
    if digest.hexdigest() != made.sha256:
        raise ArchiveError("the store does not hold what the archive does: empty it and try again")
    return made


def _write_blob(folder: Path, name: str, source: Any) -> None:
    target = (folder / name).resolve()
    if folder.resolve() not in target.parents:
        raise ArchiveError(f"the archive names a file outside of its folder: {name!r}")
    target.parent.mkdir(parents=True, exist_ok=True)
    out: BinaryIO
    with target.open("wb") as out:
        while chunk := source.read(1 << 20):
            out.write(chunk)
