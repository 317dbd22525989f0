"""BotsService."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from typing import Any

import grpc.aio

from arbiter.connections.hub import Hub
from arbiter.matches import benching
from arbiter.services import fields, version_mapping
from arbiter.services.auth import Authority, caller, manages, require_owner
from arbiter.services.dialled import endpoint
from arbiter.services.refusals import bad_value, missing, not_found, wrong_state
from arbiter.services.submitting import Submissions
from arbiter.settings import Settings
from arbiter.store import BotRow, Role, Store, Version, VersionKind, VersionState
from arbiter.tournaments.names import version_name
from hearts.v1 import bots_pb2, bots_pb2_grpc

log = logging.getLogger(__name__)

Context = grpc.aio.ServicerContext[Any, Any]
_SCOPE = "bots"
_MAX_REASON = 200


class Bots(bots_pb2_grpc.BotsServiceServicer):
    """Bots, their versions, and the tokens they play with."""

    def __init__(self, store: Store, authority: Authority, settings: Settings, hub: Hub) -> None:
        self._store = store
        self._authority = authority
        self._allow_private = settings.allow_private_endpoints
        self._submissions = Submissions(store, settings)
        self._hub = hub

    async def CreateBot(  # noqa: N802 - the name in the proto
        self, request: bots_pb2.CreateBotRequest, _context: Context
    ) -> bots_pb2.CreateBotResponse:
        """Register a bot; a repeat replaces its token."""
        request_id = fields.request_id(request.request_id)
        if not request.HasField("bot"):
            raise missing("bot")
        name = fields.bot_id("bot.name", request.bot.name)
        description = fields.line(
            "bot.description", request.bot.description, fields.MAX_DESCRIPTION
        )
        address = endpoint("bot.endpoint", request.bot.endpoint, self._allow_private)
        owner = await self._owner(request.bot.owner)
        row, _ = await self._store.bots.create(
            name, request.bot.house, description, request_id, address, owner
        )
        token = await self._new_token(name)
        return bots_pb2.CreateBotResponse(bot=_shown(row), token=token)

    async def GetBot(  # noqa: N802 - the name in the proto
        self, request: bots_pb2.GetBotRequest, _context: Context
    ) -> bots_pb2.GetBotResponse:
        """One bot."""
        row = await self._row(fields.bot_id("name", request.name))
        return bots_pb2.GetBotResponse(bot=_shown(row))

    async def ListBots(  # noqa: N802 - the name in the proto
        self, request: bots_pb2.ListBotsRequest, _context: Context
    ) -> bots_pb2.ListBotsResponse:
        """All bots, in order of name."""
        size = fields.page_size(request.page_size)
        after = fields.page_cursor(_SCOPE, request.page_token)
        rows = await self._store.bots.list(after, size + 1)
        page = rows[:size]
        return bots_pb2.ListBotsResponse(
            bots=[_shown(row) for row in page],
            next_page_token=fields.page_token(_SCOPE, page[-1].name) if len(rows) > size else "",
        )

    async def SubmitVersion(  # noqa: N802 - the name in the proto
        self, request_iterator: AsyncIterator[bots_pb2.SubmitVersionRequest], _context: Context
    ) -> bots_pb2.SubmitVersionResponse:
        """Receive a version; it is qualified later."""
        version, created = await self._submissions.submit(request_iterator)
        hosted = version.kind is VersionKind.BINARY
        return bots_pb2.SubmitVersionResponse(
            version=version_mapping.version(version, private=True),
            token="" if hosted else await self._new_token(version.name),
            created=created,
        )

    async def GetVersion(  # noqa: N802 - the name in the proto
        self, request: bots_pb2.GetVersionRequest, _context: Context
    ) -> bots_pb2.GetVersionResponse:
        """One version."""
        version = await self._version(request.name)
        return bots_pb2.GetVersionResponse(version=_version(version))

    async def ListVersions(  # noqa: N802 - the name in the proto
        self, request: bots_pb2.ListVersionsRequest, _context: Context
    ) -> bots_pb2.ListVersionsResponse:
        """All versions of a bot."""
        row = await self._row(fields.bot_id("bot", request.bot))
        versions = await self._store.versions.list(row.name)
        return bots_pb2.ListVersionsResponse(versions=[_version(each) for each in versions])

    async def GetVersionLog(  # noqa: N802 - the name in the proto
        self, request: bots_pb2.GetVersionLogRequest, _context: Context
    ) -> bots_pb2.GetVersionLogResponse:
        """What a version wrote; for its owner and admins."""
        version = await self._own(request.name)
        logs = await self._store.versions.log(version.name)
        return bots_pb2.GetVersionLogResponse(
            version=_version(version),
            logs=[
                version_mapping.log_text(each)
                for each in logs
                if not request.match or request.match in (each.match, f"matches/{each.match}")
            ],
        )

    async def ActivateVersion(  # noqa: N802 - the name in the proto
        self, request: bots_pb2.ActivateVersionRequest, _context: Context
    ) -> bots_pb2.ActivateVersionResponse:
        """Make a version the one that plays."""
        version = await self._own(request.name)
        after = await self._turn(version, VersionState.ACTIVE, "by its owner")
        return bots_pb2.ActivateVersionResponse(version=_version(after))

    async def RetireVersion(  # noqa: N802 - the name in the proto
        self, request: bots_pb2.RetireVersionRequest, _context: Context
    ) -> bots_pb2.RetireVersionResponse:
        """Take a version out of play."""
        reason = fields.line("reason", request.reason, _MAX_REASON)
        bot, number = fields.bot_or_version("name", request.name)
        if not number:
            row = await self._row(bot)
            require_owner(row.owner, request.name)
            if not row.active:
                hint = f"`hearts bots versions {bot}` shows its versions."
                raise wrong_state(request.name, f"{request.name} has no active version", hint)
            number = row.active
        version = await self._own(f"bots/{version_name(bot, number)}")
        after = await self._turn(version, VersionState.RETIRED, reason or "by its owner")
        await benching.withdraw_everywhere(self._store, version.name)
        return bots_pb2.RetireVersionResponse(version=_version(after))

    async def RotateBotToken(  # noqa: N802 - the name in the proto
        self, request: bots_pb2.RotateBotTokenRequest, _context: Context
    ) -> bots_pb2.RotateBotTokenResponse:
        """A new token; whoever plays with the old one is sent away."""
        bot, number = fields.bot_or_version("name", request.name)
        row = await self._row(bot)
        require_owner(row.owner, request.name)
        name = bot
        if row.versions:
            name = version_name(bot, number or row.active or row.versions)
        if number or row.versions:
            version = await self._version(f"bots/{name}")
            if version.kind is VersionKind.BINARY:
                hint = "It gets a ticket for each match; there is nothing to rotate."
                raise wrong_state(f"bots/{name}", f"the platform hosts bots/{name}", hint)
        token = await self._new_token(name)
        log.info("token of %s replaced", name)
        if (session := self._hub.session(name)) is not None:
            session.close("its token was replaced")
        return bots_pb2.RotateBotTokenResponse(token=token, name=f"bots/{name}")

    async def _turn(self, version: Version, state: VersionState, reason: str) -> Version:
        await self._store.versions.set_state(version.name, state, reason)
        log.info("%s is made %s", version.name, state)
        return await self._version(f"bots/{version.name}")

    async def _new_token(self, name: str) -> str:
        token = await self._store.tokens.replace(Role.BOT, name)
        self._authority.forget()
        return token

    async def _owner(self, name: str) -> str:
        owner = fields.owner_id("bot.owner", name) if name else ""
        if owner and await self._store.owners.get(owner) is None:
            allowed = ["an owner's name", "empty: the platform's"]
            raise bad_value("bot.owner", name, "is nobody", allowed)
        return owner

    async def _row(self, name: str) -> BotRow:
        row = await self._store.bots.get(name)
        if row is None:
            raise not_found(f"bots/{name}")
        return row

    async def _version(self, name: str) -> Version:
        version = await self._store.versions.get(fields.version_id("name", name))
        if version is None:
            raise not_found(name)
        return version

    async def _own(self, name: str) -> Version:
        """A version of the caller's. Raises a Refusal for another's."""
        version = await self._version(name)
        require_owner(version.owner, name)
        return version


def _version(version: Version) -> bots_pb2.Version:
    return version_mapping.version(version, private=manages(caller(), version.owner))


def _shown(row: BotRow) -> bots_pb2.Bot:
    """The bot; where it is, only to whom it concerns."""
    return version_mapping.bot(row, private=manages(caller(), row.owner))
