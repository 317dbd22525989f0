"""The calls about versions of bots and about owners; part of `Client`."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import grpc.aio

from client_sdk.cli.config import Connection
from client_sdk.cli.failures import from_rpc
from client_sdk.cli.packing import Package
from client_sdk.cli.text import named
from hearts.v1 import bots_pb2, owners_pb2

CHUNK = 128 << 10
SLOWEST = 50_000
"""Bytes a second at which an upload is still waited for."""


class BotsCalls:
    """Mixed into `Client`, which has the channel."""

    connection: Connection
    _bots: Any
    _owners: Any

    @property
    def _metadata(self) -> tuple[tuple[str, str], ...]:
        raise NotImplementedError

    async def _call(self, method: Callable[..., Awaitable[Any]], request: object) -> Any:
        raise NotImplementedError

    async def submit_version(
        self,
        bot: str,
        kind: bots_pb2.VersionKind,
        *,
        description: str = "",
        endpoint: str = "",
        package: Package | None = None,
        progress: Callable[[int], None] = lambda _sent: None,
    ) -> bots_pb2.SubmitVersionResponse:
        """Submits a version; `progress` is told how many bytes have gone out."""
        header = bots_pb2.VersionHeader(
            bot=named("bots", bot),
            kind=kind,
            description=description,
            endpoint=endpoint,
            request_id=uuid.uuid4().hex,
        )
        if package:
            header.size, header.sha256 = package.size, package.sha256

        async def parts() -> AsyncIterator[bots_pb2.SubmitVersionRequest]:
            yield bots_pb2.SubmitVersionRequest(header=header)
            sent = 0
            while package and (chunk := package.file.read(CHUNK)):
                yield bots_pb2.SubmitVersionRequest(chunk=chunk)
                sent += len(chunk)
                progress(sent)

        timeout = self.connection.timeout_s + header.size / SLOWEST
        call = self._bots.SubmitVersion(parts(), timeout=timeout, metadata=self._metadata)
        try:
            reply: bots_pb2.SubmitVersionResponse = await call
        except grpc.aio.AioRpcError as error:
            raise from_rpc(error, self.connection.server, timeout) from None
        finally:
            call.cancel()
        return reply

    async def get_version(self, name: str) -> bots_pb2.Version:
        """One version: "anna@2"."""
        request = bots_pb2.GetVersionRequest(name=named("bots", name))
        reply: bots_pb2.GetVersionResponse = await self._call(self._bots.GetVersion, request)
        return reply.version

    async def list_versions(self, bot: str) -> list[bots_pb2.Version]:
        """All versions of a bot, the newest first."""
        request = bots_pb2.ListVersionsRequest(bot=named("bots", bot))
        reply = await self._call(self._bots.ListVersions, request)
        return list(reply.versions)

    async def get_version_log(self, name: str, match: str = "") -> bots_pb2.GetVersionLogResponse:
        """What a version wrote."""
        request = bots_pb2.GetVersionLogRequest(name=named("bots", name), match=match)
        reply: bots_pb2.GetVersionLogResponse = await self._call(self._bots.GetVersionLog, request)
        return reply

    async def activate_version(self, name: str) -> bots_pb2.Version:
        """Makes a version the one that plays."""
        request = bots_pb2.ActivateVersionRequest(name=named("bots", name))
        reply = await self._call(self._bots.ActivateVersion, request)
        version: bots_pb2.Version = reply.version
        return version

    async def retire_version(self, name: str, reason: str) -> bots_pb2.Version:
        """Takes a version out of play."""
        request = bots_pb2.RetireVersionRequest(name=named("bots", name), reason=reason)
        reply = await self._call(self._bots.RetireVersion, request)
        version: bots_pb2.Version = reply.version
        return version

    async def rotate_bot_token(self, name: str) -> bots_pb2.RotateBotTokenResponse:
        """A new token for a bot that is not hosted."""
        request = bots_pb2.RotateBotTokenRequest(name=named("bots", name))
        reply: bots_pb2.RotateBotTokenResponse = await self._call(
            self._bots.RotateBotToken, request
        )
        return reply

    async def create_owner(self, name: str, label: str) -> owners_pb2.CreateOwnerResponse:
        """Registers an owner."""
        owner = owners_pb2.Owner(name=named("owners", name), label=label)
        request = owners_pb2.CreateOwnerRequest(owner=owner)
        reply: owners_pb2.CreateOwnerResponse = await self._call(self._owners.CreateOwner, request)
        return reply

    async def get_owner(self, name: str = "") -> owners_pb2.Owner:
        """One owner; the caller for ""."""
        request = owners_pb2.GetOwnerRequest(name=name and named("owners", name))
        reply = await self._call(self._owners.GetOwner, request)
        owner: owners_pb2.Owner = reply.owner
        return owner

    async def list_owners(self) -> list[owners_pb2.Owner]:
        """All owners, in order of name."""
        owners: list[owners_pb2.Owner] = []
        token = ""
        while True:
            request = owners_pb2.ListOwnersRequest(page_size=1000, page_token=token)
            reply = await self._call(self._owners.ListOwners, request)
            owners += reply.owners
            token = reply.next_page_token
            if not token:
                return owners

    async def create_token(
        self, role: owners_pb2.Role, owner: str, label: str
    ) -> owners_pb2.CreateTokenResponse:
        """Another token."""
        request = owners_pb2.CreateTokenRequest(
            role=role, owner=owner and named("owners", owner), label=label
        )
        reply: owners_pb2.CreateTokenResponse = await self._call(self._owners.CreateToken, request)
        return reply

    async def list_tokens(self, owner: str = "") -> list[owners_pb2.Token]:
        """What tokens there are."""
        request = owners_pb2.ListTokensRequest(owner=owner and named("owners", owner))
        reply = await self._call(self._owners.ListTokens, request)
        return list(reply.tokens)

    async def revoke_token(self, prefix: str) -> owners_pb2.Token:
        """Makes a token useless."""
        request = owners_pb2.RevokeTokenRequest(prefix=prefix)
        reply = await self._call(self._owners.RevokeToken, request)
        token: owners_pb2.Token = reply.token
        return token

    async def get_caller(self) -> owners_pb2.GetCallerResponse:
        """Who we are to the server."""
        request = owners_pb2.GetCallerRequest()
        reply: owners_pb2.GetCallerResponse = await self._call(self._owners.GetCaller, request)
        return reply
