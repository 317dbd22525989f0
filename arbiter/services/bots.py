"""BotsService."""

from __future__ import annotations

from typing import Any

import grpc.aio

from arbiter.connections import addresses
from arbiter.services import fields, mapping
from arbiter.services.auth import Authority, caller
from arbiter.services.refusals import bad_value, missing, not_found
from arbiter.store import BotRow, Role, Store
from hearts.v1 import bots_pb2, bots_pb2_grpc

Context = grpc.aio.ServicerContext[Any, Any]
_SCOPE = "bots"


class Bots(bots_pb2_grpc.BotsServiceServicer):
    """Bots and the tokens they play with."""

    def __init__(self, store: Store, authority: Authority, allow_private: bool = False) -> None:
        self._store = store
        self._authority = authority
        self._allow_private = allow_private

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
        endpoint = _endpoint(request.bot.endpoint, self._allow_private)
        row, _ = await self._store.bots.create(
            name, request.bot.house, description, request_id, endpoint
        )
        token = await self._store.tokens.replace(Role.BOT, name)
        self._authority.forget()
        return bots_pb2.CreateBotResponse(bot=_shown(row), token=token)

    async def GetBot(  # noqa: N802 - the name in the proto
        self, request: bots_pb2.GetBotRequest, _context: Context
    ) -> bots_pb2.GetBotResponse:
        """One bot."""
        row = await self._store.bots.get(fields.bot_id("name", request.name))
        if row is None:
            raise not_found(request.name)
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


def _shown(row: BotRow) -> bots_pb2.Bot:
    """The bot; where it is, only to whom it concerns."""
    message = mapping.bot(row)
    who = caller()
    if who.role is Role.ADMIN or (who.role is Role.BOT and who.subject == row.name):
        message.endpoint = row.endpoint
    return message


def _endpoint(text: str, allow_private: bool) -> str:
    """An endpoint that can be one. What its name stands for is looked at when it is dialled; an
    address that will never be dialled is refused now, while somebody is there to read why."""
    if not text:
        return ""
    try:
        host = addresses.Endpoint.parse(text).host
        if addresses.is_literal(host):
            addresses.check(host, allow_private)
    except addresses.BadEndpoint as bad:
        raise bad_value("bot.endpoint", text, str(bad), ["HOST:PORT", "https://HOST"]) from None
    return text
