"""What a submission has to go through before it is a version."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from pathlib import Path

from arbiter.blobs import Blobs
from arbiter.services import fields, upload
from arbiter.services.auth import caller
from arbiter.services.dialled import endpoint
from arbiter.services.refusals import bad_value, missing
from arbiter.settings import Settings
from arbiter.store import Quota, Role, Store, Version, VersionKind
from arbiter.submissions import manifest, unpack
from hearts.v1 import bots_pb2

log = logging.getLogger(__name__)

KINDS = {
    bots_pb2.VERSION_KIND_BINARY: VersionKind.BINARY,
    bots_pb2.VERSION_KIND_ENDPOINT: VersionKind.ENDPOINT,
    bots_pb2.VERSION_KIND_CONNECT: VersionKind.CONNECT,
}
_MIB = 1 << 20


class Submissions:
    """Receives versions; raises a Refusal, or what its parts raise, for one that is not in order.
    Nothing of such a one is kept."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self._blobs: Blobs | None = None
        self._uploads = upload.Uploads(settings.data_dir / "incoming")
        self._uploads.sweep()

    def quota(self, owner: str) -> Quota:
        """What an owner may have; the platform itself has no limits."""
        return self.allowance(self._settings) if owner else Quota()

    @staticmethod
    def allowance(settings: Settings) -> Quota:
        """What any owner may have."""
        return Quota(settings.quota_bots, settings.quota_versions, settings.quota_mb * _MIB)

    async def submit(self, requests: upload.Requests) -> tuple[Version, bool]:
        """The version, and whether this call made it (False: a repeat)."""
        head = await upload.header(requests)
        wanted = self._wanted(head)
        request_id = fields.request_id(head.request_id)
        if wanted.kind is not VersionKind.BINARY:
            return await self._create(wanted, request_id, head.description)
        upload.check_size(head, self._settings.max_submission_mb * _MIB)
        wanted = replace(wanted, sha256=head.sha256, size=head.size)
        # Before the bytes come; the store looks again afterwards, and has the last word.
        known = await self._store.versions.check(wanted, request_id, self.quota(wanted.owner))
        if known is not None:
            return known, False
        async with self._uploads.receive(head, requests) as path:
            text = await asyncio.to_thread(_manifest, path, wanted.bot)
            version = replace(wanted, manifest=text)
            # First the file, then who names it: nobody ever looks for one that is not there.
            await asyncio.to_thread(self._keep, path)
        return await self._create(version, request_id, head.description)

    def _wanted(self, head: bots_pb2.VersionHeader) -> Version:
        bot = fields.bot_id("header.bot", head.bot)
        fields.line("header.description", head.description, fields.MAX_DESCRIPTION)
        kind = KINDS.get(head.kind)
        if kind is None:
            raise bad_value("header.kind", head.kind, "is no kind", ["BINARY, ENDPOINT, CONNECT"])
        address = ""
        if kind is VersionKind.ENDPOINT:
            if not head.endpoint:
                raise missing("header.endpoint", ["HOST:PORT", "https://HOST"])
            allow = self._settings.allow_private_endpoints
            address = endpoint("header.endpoint", head.endpoint, allow)
        who = caller()
        owner = who.subject if who.role is Role.OWNER else ""
        return Version(bot, 0, kind, owner, endpoint=address)

    async def _create(
        self, version: Version, request_id: str, description: str
    ) -> tuple[Version, bool]:
        made, created = await self._store.versions.create(
            version, request_id, description, self.quota(version.owner)
        )
        if created:
            log.info("%s submitted by %s", made.name, version.owner or "an admin")
        return made, created

    def _keep(self, path: Path) -> None:
        if self._blobs is None:
            self._blobs = Blobs.open(self._settings.blobs_url)
        with path.open("rb") as file:
            self._blobs.put(file)


def _manifest(path: Path, bot: str) -> str:
    """The archive's bot.toml as it is stored, once all of the archive has been looked at."""
    found = unpack.inspect(path).manifest
    if found is None:
        raise manifest.ManifestError("is missing: it stands at the top of the archive")
    parsed = manifest.parse(found)
    if parsed.name != bot:
        raise manifest.ManifestError(f"{parsed.name!r} is not {bot!r}, which is submitted", "name")
    return parsed.to_json()
