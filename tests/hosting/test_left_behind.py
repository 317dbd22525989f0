"""What killed workers leave behind goes when the next one looks around."""

from __future__ import annotations

import os
import time
from pathlib import Path

from hosting_kit import able_host, missing, settings

from arbiter.blobs import Blobs
from workers.hosting import cgroups
from workers.hosting.cache import LEFT_S, UNUSED_DAYS, Cache
from workers.hosting.limits import Limits

NOBODY = 2**22 + 1
"""No process of Linux has this number."""


def test_groups_of_a_dead_worker_are_removed(tmp_path: Path) -> None:
    host = able_host(settings("redis://127.0.0.1:1", tmp_path))
    if host.groups is None:
        missing("no cgroups here")
        return
    parents = list(host.groups.parents.values())
    left = [parent / f"hearts-{NOBODY}-test" for parent in parents]
    for folder in left:
        folder.mkdir()
    mine = host.groups.make(Limits())
    try:
        cgroups.find()
        assert not [folder for folder in left if folder.exists()]
        assert all(folder.exists() for folder in mine.all)
    finally:
        mine.remove()
    assert not [folder for folder in mine.all if folder.exists()]


def test_versions_that_nobody_wants_are_removed(tmp_path: Path) -> None:
    host = able_host(settings("redis://127.0.0.1:1", tmp_path))
    cache = Cache(tmp_path / "hosted", Blobs.open(str(tmp_path / "blobs")), host, Limits(), 1.0)
    cache.empty()
    old, new = cache.root / "old", cache.root / "new"
    for folder in (old / "bot", new / "bot", new / "coming-1", new / "building-2"):
        folder.mkdir(parents=True)
    now = time.time()
    os.utime(new / "coming-1", (now, now - LEFT_S - 10))
    os.utime(old, (now, now - UNUSED_DAYS * 86_400 - 10))
    cache.tidy()
    assert {path.name for path in cache.root.iterdir()} == {"empty", "new"}
    assert {path.name for path in new.iterdir()} == {"bot", "building-2"}
