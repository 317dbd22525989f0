"""Blobs: whole or not at all, named by what is in them."""

import hashlib
import io
from pathlib import Path

import pytest

from arbiter.blobs import BlobError, Blobs


@pytest.fixture(params=["folder", "url"])
def blobs(request: pytest.FixtureRequest, tmp_path: Path) -> Blobs:
    if request.param == "folder":
        return Blobs.open(str(tmp_path / "blobs"))
    return Blobs.open(f"memory://{tmp_path.name}")


def test_a_blob_comes_back_as_it_was(blobs: Blobs, tmp_path: Path) -> None:
    data = bytes(range(256)) * 9000
    name = blobs.put(io.BytesIO(data))
    assert name == hashlib.sha256(data).hexdigest()
    assert blobs.put(io.BytesIO(data)) == name
    assert blobs.has(name)
    blobs.get(name, tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == data
    assert blobs.put(io.BytesIO(b"")) == hashlib.sha256(b"").hexdigest()


def test_a_stream_that_breaks_off_leaves_nothing(tmp_path: Path) -> None:
    """LR07"""

    class Broken(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if self.tell():
                raise OSError("the line is dead")
            return super().read(3)

    blobs = Blobs.open(str(tmp_path / "blobs"))
    with pytest.raises(BlobError, match="the line is dead"):
        blobs.put(Broken(b"abcdef"))
    assert not [path for path in (tmp_path / "blobs").rglob("*") if path.is_file()]


def test_a_damaged_or_missing_blob_is_not_delivered(tmp_path: Path) -> None:
    blobs = Blobs.open(str(tmp_path / "blobs"))
    name = blobs.put(io.BytesIO(b"good"))
    (tmp_path / "blobs" / name[:2] / name).write_bytes(b"evil")
    target = tmp_path / "target"
    target.mkdir()
    with pytest.raises(BlobError, match="damaged"):
        blobs.get(name, target / "out")
    with pytest.raises(BlobError, match="is not there"):
        blobs.get("0" * 64, target / "out")
    assert list(target.iterdir()) == []


@pytest.mark.parametrize("name", ["../../etc/passwd", "", "AB" * 32, "0" * 63])
def test_only_hashes_are_names(tmp_path: Path, name: str) -> None:
    with pytest.raises(BlobError, match="no SHA-256"):
        Blobs.open(str(tmp_path)).has(name)


def test_a_url_that_nothing_serves_is_refused() -> None:
    with pytest.raises(BlobError, match=r"HEARTS_BLOBS: .*carrier"):
        Blobs.open("carrier-pigeon://home")
