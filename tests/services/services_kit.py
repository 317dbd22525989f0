"""Calling an arbiter: stubs, statuses, good requests."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

import grpc.aio
import pytest
from grpc_status._async import from_call  # the package exports it for aio only under this name

from arbiter.matches import payloads
from arbiter.store import Store
from hearts.record import MatchEnd, MatchRecord, Verdict
from hearts.result import MatchResult, SeatResult
from hearts.rules import preset
from hearts.v1 import (
    arbiter_pb2,
    arbiter_pb2_grpc,
    bots_pb2,
    bots_pb2_grpc,
    errors_pb2,
    matches_pb2_grpc,
    owners_pb2_grpc,
    ratings_pb2_grpc,
    tournaments_pb2,
    tournaments_pb2_grpc,
)
from hearts.wire import rules_to_wire
from workers import fit
from workers.loop import Context

TIMEOUT = 10.0


@dataclass
class Api:
    """Stubs of all services, called with one token."""

    channel: grpc.aio.Channel
    token: str

    def __post_init__(self) -> None:
        self.bots = bots_pb2_grpc.BotsServiceStub(self.channel)
        self.owners = owners_pb2_grpc.OwnersServiceStub(self.channel)
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
        await (_all(call) if isinstance(call, grpc.aio.UnaryStreamCall) else call)
    status = await from_call(call)
    assert status is not None, f"no detail: {caught.value}"
    [packed] = status.details
    detail = errors_pb2.ErrorDetail()
    assert packed.Unpack(detail)
    return Refused(caught.value.code(), caught.value.details() or "", detail)


async def _all(stream: Any) -> list[Any]:
    return [message async for message in stream]


async def eventually(holds: Callable[[], Awaitable[bool] | bool]) -> None:
    """Wait until something holds; TimeoutError when it does not."""
    async with asyncio.timeout(TIMEOUT):
        while True:
            found = holds()
            if found if isinstance(found, bool) else await found:
                return
            await asyncio.sleep(0.02)


async def refit(store: Store, pool: str) -> None:
    """Fit a pool as a worker does."""

    async def own() -> Store:
        return store

    await fit.refit(cast("Context", SimpleNamespace(store=own)), pool)


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


async def play(store: Store, *, limit: int = 1000, void: bool = False) -> list[str]:
    """Claim what is ready and commit made-up results; returns the matches."""
    played = []
    for claim in await store.matches.claim(limit, 60_000):
        [row] = await store.matches.load([claim.match])
        seats = [int.from_bytes(bot.encode(), "big") % 5 for bot in row.plan.seats]
        points = tuple(26 - sum(seats[1:]) if seat == 0 else p for seat, p in enumerate(seats))
        result = MatchResult(
            end=MatchEnd.FORFEIT if void else MatchEnd.DEALS,
            seats=tuple(
                SeatResult(
                    f"bots/{bot}",
                    p,
                    2 * place,
                    verdict=Verdict.NO_SHOW if void and place == 4 else None,
                )
                for place, (bot, p) in enumerate(zip(row.plan.seats, points, strict=True), start=1)
            ),
            deals=() if void else (points,),
            void_block=void,
        )
        record = MatchRecord(
            match=claim.match,
            tournament=claim.tournament,
            rules=preset("standard").for_deals(1),
            seats=row.plan.seats,
            board=row.plan.board,
            rotation=row.plan.rotation,
            deals=(),
            end=result.end,
            totals=points,
            places=(1, 2, 3, 4),
        )
        tournament = await store.tournaments.get(claim.tournament)
        assert tournament is not None
        pool = "standard-4" if tournament.rated else None
        await store.matches.commit(
            claim.match,
            claim.lease,
            payloads.result(result),
            payloads.record(record),
            len(result.deals),
            pool,
        )
        played.append(claim.match)
    return played


async def batch(worker: Api, store: Store, limit: int = 100) -> Any:
    """Claim and ask for a batch, as a worker does."""
    claims = await store.matches.claim(limit, 30_000)
    request = arbiter_pb2.PlayBatchRequest(
        worker="w1",
        assignments=[
            arbiter_pb2.Assignment(match=f"matches/{claim.match}", lease=claim.lease)
            for claim in claims
        ],
    )
    return arbiter_pb2_grpc.ArbiterServiceStub(worker.channel).PlayBatch(
        request, timeout=60, metadata=(("authorization", f"Bearer {worker.token}"),)
    )
