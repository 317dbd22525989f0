"""Versions of bots in a real store, a real arbiter, and a worker's process for them."""

from __future__ import annotations

import io
import os
import tarfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from arbiter.blobs import Blobs
from arbiter.server import Arbiter
from arbiter.settings import Settings
from arbiter.store import Role, Store, TournamentRow, Version, VersionKind, VersionState
from arbiter.submissions.manifest import parse
from hearts import wire
from hearts.limits import Limits
from hearts.rules import preset
from hearts.v1 import matches_pb2, tournaments_pb2
from workers import batches, schedule
from workers.dial import Dialer, Tls
from workers.hosting import host as hosts
from workers.hosting.host import Host
from workers.loop import Context
from workers.pace import Pace

PLAYER = """
import {imports}
from client_sdk import connect
from client_sdk.bots import HOUSE

bot = HOUSE["duck"].make()
{extra}
connect(bot)
"""
BOT_TOML = 'name = "{name}"\ncommand = ["python", "bot.py"]\n{more}'


def player(extra: str = "", imports: str = "os, sys, time") -> str:
    """A Python bot that plays like the house bot duck, with some lines before it connects."""
    return PLAYER.format(extra=extra, imports=imports)


def archive(files: Mapping[str, str | bytes]) -> bytes:
    """A tar.gz of these files, all executable."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, content in files.items():
            data = content.encode() if isinstance(content, str) else content
            info = tarfile.TarInfo(name)
            info.size = len(data)
            info.mode = 0o755
            tar.addfile(info, io.BytesIO(data))
    return out.getvalue()


def settings(url: str, data: Path, **more: Any) -> Settings:
    """Of arbiter and worker."""
    return Settings(redis_url=url, data_dir=data, listen="127.0.0.1:0", arbiter_id="test", **more)


def missing(what: str) -> None:
    """Skip where the sandbox cannot work, unless nothing may be skipped."""
    if os.environ.get("HEARTS_REQUIRE_ALL") == "1":
        pytest.fail(what)
    pytest.skip(what)


_looked: list[Host] = []


def able_host(known: Settings) -> Host:
    """What this machine can do; skips the test where it cannot host."""
    if not _looked:
        _looked.append(hosts.look(known))
    [found] = _looked
    if not found.usable:
        missing(found.why_not)
    return found


class Platform:
    """An arbiter that serves, and one worker's process."""

    def __init__(self, store: Store, arbiter: Arbiter, context: Context, known: Settings) -> None:
        self.store = store
        self.arbiter = arbiter
        self.context = context
        self.settings = known
        self.blobs = Blobs.open(known.blobs_url)

    async def submit(
        self, name: str, bot: str, more: str = "", files: Mapping[str, str | bytes] | None = None
    ) -> str:
        """A pending version whose bot.py is `bot`; returns its name."""
        toml = BOT_TOML.format(name=name, more=more)
        data = archive({"bot.toml": toml, "bot.py": bot, **(files or {})})
        version = Version(
            bot=name,
            number=0,
            kind=VersionKind.BINARY,
            owner="olga",
            sha256=self.blobs.put(io.BytesIO(data)),
            size=len(data),
            manifest=parse(toml).to_json(),
        )
        made, _ = await self.store.versions.create(version)
        return made.name

    async def active(self, name: str, bot: str, more: str = "", **files: Any) -> str:
        """A version that plays, without having qualified."""
        made = await self.submit(name, bot, more, **files)
        claim = await self.store.versions.claim_pending(60_000)
        assert claim is not None
        assert claim.version.name == made
        await self.store.versions.set_state(made, VersionState.ACTIVE, "", claim.lease)
        return made

    async def tournament(self, *entries: str, id: str = "cup", **fields: Any) -> str:
        """A planned tournament."""
        clock = fields.pop("clock", Limits(connect_ms=15_000, ready_ms=15_000, decision_ms=5_000))
        known: dict[str, Any] = {
            "title": "A cup",
            "format": tournaments_pb2.FORMAT_ROUND_ROBIN,
            "rules": wire.rules_to_wire(preset("standard")),
            "deals": 1,
            "boards": 1,
            "clock": wire.limits_to_wire(clock),
            "seed": 7,
        }
        spec = tournaments_pb2.TournamentSpec(
            entries=[f"bots/{entry}" for entry in entries], **{**known, **fields}
        )
        row = TournamentRow(id, spec.SerializeToString(), b"s" * 32, True)
        await self.store.tournaments.create(row)
        await schedule.advance(self.context, id)
        return id

    async def play(self, times: int = 10) -> None:
        """Batches until there is nothing more to play."""
        for _ in range(times):
            if not await self.store.matches.ready_count():
                return
            await batches.play_batch(self.context, nobody)
        raise AssertionError("matches without end")

    async def results(self, id: str = "cup") -> list[matches_pb2.MatchResult]:
        """Of its finished matches."""
        found = await self.store.matches.results(id)
        return [matches_pb2.MatchResult.FromString(data) for _, data in found]

    async def logs(self, version: str) -> str:
        """All that is kept of what it said."""
        return "\n".join(log.text for log in await self.store.versions.log(version))


async def nobody() -> None:
    """There is no other worker."""


@asynccontextmanager
async def platform(store: Store, known: Settings) -> AsyncIterator[Platform]:
    """All of it, on free ports and below the data folder."""
    arbiter = Arbiter(store, known)
    await arbiter.start()
    token = await store.tokens.create(Role.WORKER)
    context = Context(known, Dialer(token, Tls(known.tls_ca)), Pace(known.batch_matches))
    try:
        yield Platform(store, arbiter, context, known)
    finally:
        await context.close()
        await arbiter.stop(grace_s=0)
