"""Calling an arbiter: stubs, statuses, good requests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import grpc.aio
import pytest
from grpc_status._async import from_call  # the package exports it for aio only under this name

from hearts.rules import preset
from hearts.v1 import (
    bots_pb2,
    bots_pb2_grpc,
    errors_pb2,
    matches_pb2_grpc,
    ratings_pb2_grpc,
    tournaments_pb2,
    tournaments_pb2_grpc,
)
from hearts.wire import rules_to_wire

TIMEOUT = 10.0


@dataclass
class Api:
    """Stubs of all services, called with one token."""

    channel: grpc.aio.Channel
    token: str

    def __post_init__(self) -> None:
        self.bots = bots_pb2_grpc.BotsServiceStub(self.channel)
        self.matches = matches_pb2_grpc.MatchesServiceStub(self.channel)
        self.tournaments = tournaments_pb2_grpc.TournamentsServiceStub(self.channel)
        self.ratings = ratings_pb2_grpc.RatingsServiceStub(self.channel)

    async def __call__(self, method: Any, request: Any) -> Any:
        metadata = (("authorization", f"Bearer {self.token}"),)
        return await method(request, timeout=TIMEOUT, metadata=metadata)

    async def refused(self, method: Any, request: Any) -> Refused:
        metadata = (("authorization", f"Bearer {self.token}"),)
        return await refused(method(request, timeout=TIMEOUT, metadata=metadata))


@dataclass
class Refused:
    """How a call was refused."""

    code: grpc.StatusCode
    message: str
    detail: errors_pb2.ErrorDetail


async def refused(call: Any) -> Refused:
    """The status of a call that must fail, with its one detail."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        if isinstance(call, grpc.aio.UnaryStreamCall):
            async for _ in call:
                pass
        else:
            await call
    status = await from_call(call)
    assert status is not None, f"no detail: {caught.value}"
    [packed] = status.details
    detail = errors_pb2.ErrorDetail()
    assert packed.Unpack(detail)
    return Refused(caught.value.code(), caught.value.details() or "", detail)


async def register(api: Api, *names: str, house: bool = False) -> None:
    """Register bots."""
    for name in names:
        request = bots_pb2.CreateBotRequest(
            bot=bots_pb2.Bot(name=f"bots/{name}", house=house), request_id=f"make-{name}"
        )
        await api(api.bots.CreateBot, request)


FOUR = ("anna", "bert", "cleo", "dora")


def spec(**changes: Any) -> tournaments_pb2.TournamentSpec:
    """A small good tournament, with changes."""
    fields: dict[str, Any] = {
        "title": "Small",
        "format": tournaments_pb2.FORMAT_ROUND_ROBIN,
        "rules": rules_to_wire(preset("standard")),
        "deals": 1,
        "boards": 2,
        "entries": [f"bots/{name}" for name in FOUR],
        "seed": 1,
    }
    fields.update(changes)
    return tournaments_pb2.TournamentSpec(
        **{key: value for key, value in fields.items() if value is not None}
    )


def creation(request_id: str = "one", **changes: Any) -> tournaments_pb2.CreateTournamentRequest:
    return tournaments_pb2.CreateTournamentRequest(spec=spec(**changes), request_id=request_id)
