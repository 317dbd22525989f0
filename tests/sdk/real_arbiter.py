"""A real arbiter over a real store on a free port, and tournaments on it without Celery."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc.aio

from arbiter.server import Arbiter
from arbiter.settings import Settings
from arbiter.store import Role, Store
from hearts.rules import preset
from hearts.v1 import (
    arbiter_pb2,
    arbiter_pb2_grpc,
    bots_pb2,
    bots_pb2_grpc,
    matches_pb2,
    matches_pb2_grpc,
    records_pb2,
    tournaments_pb2,
    tournaments_pb2_grpc,
)
from hearts.wire import rules_to_wire

CALL_SECONDS = 10.0


class Platform:
    """What an operator and a worker do."""

    def __init__(self, arbiter: Arbiter, channel: grpc.aio.Channel, store: Store) -> None:
        self.arbiter = arbiter
        self.address = arbiter.address
        self.store = store
        self._channel = channel

    async def token(self, name: str) -> str:
        """A token with which a bot plays."""
        return await self.store.tokens.create(Role.BOT, name)

    async def tournament(self, *names: str, **fields: Any) -> None:
        """Register the bots as the platform's own, and create a tournament of theirs."""
        admin = _bearer(await self.store.tokens.create(Role.ADMIN))
        bots = bots_pb2_grpc.BotsServiceStub(self._channel)
        for name in names:
            request = bots_pb2.CreateBotRequest(
                bot=bots_pb2.Bot(name=f"bots/{name}", house=True), request_id=name
            )
            await bots.CreateBot(request, metadata=admin, timeout=CALL_SECONDS)
        known = {
            "title": "Test",
            "format": tournaments_pb2.FORMAT_ROUND_ROBIN,
            "rules": rules_to_wire(preset("standard")),
            "entries": [f"bots/{name}" for name in names],
        }
        spec = tournaments_pb2.TournamentSpec(**{**known, **fields})
        await tournaments_pb2_grpc.TournamentsServiceStub(self._channel).CreateTournament(
            tournaments_pb2.CreateTournamentRequest(spec=spec, request_id="one"),
            metadata=admin,
            timeout=CALL_SECONDS,
        )

    async def play(self, within: float = 60.0) -> list[arbiter_pb2.PlayBatchResponse]:
        """Play all that is ready, as a worker does."""
        worker = _bearer(await self.store.tokens.create(Role.WORKER))
        claims = await self.store.matches.claim(1000, 60_000)
        request = arbiter_pb2.PlayBatchRequest(
            worker="test",
            assignments=[
                arbiter_pb2.Assignment(match=f"matches/{claim.match}", lease=claim.lease)
                for claim in claims
            ],
        )
        stub = arbiter_pb2_grpc.ArbiterServiceStub(self._channel)
        call = stub.PlayBatch(request, metadata=worker, timeout=within)
        return [outcome async for outcome in call]

    async def seat(self, match: str, bot: str) -> matches_pb2.SeatResult:
        """A bot's own result of a match."""
        stub = matches_pb2_grpc.MatchesServiceStub(self._channel)
        admin = _bearer(await self.store.tokens.create(Role.ADMIN))
        request = matches_pb2.GetMatchRequest(name=match)
        got = await stub.GetMatch(request, metadata=admin, timeout=CALL_SECONDS)
        [seat] = [seat for seat in got.match.result.seats if seat.bot == f"bots/{bot}"]
        return seat

    async def record(self, match: str) -> records_pb2.MatchRecord:
        """The record of a match."""
        stub = matches_pb2_grpc.MatchesServiceStub(self._channel)
        admin = _bearer(await self.store.tokens.create(Role.ADMIN))
        request = matches_pb2.GetMatchRecordRequest(name=match)
        got = await stub.GetMatchRecord(request, metadata=admin, timeout=CALL_SECONDS)
        return got.record

    async def online(self, *names: str) -> None:
        """Wait until just these bots are connected."""
        async with asyncio.timeout(15):
            while set(self.arbiter.hub.online()) != set(names):  # noqa: ASYNC110 - no event says so
                await asyncio.sleep(0.01)


@asynccontextmanager
async def platform(store: Store, listen: str = "127.0.0.1:0") -> AsyncIterator[Platform]:
    """An arbiter that serves."""
    arbiter = Arbiter(store, Settings(listen=listen, arbiter_id="test"))
    await arbiter.start()
    try:
        async with grpc.aio.insecure_channel(arbiter.address) as channel:
            yield Platform(arbiter, channel, store)
    finally:
        await arbiter.stop(grace_s=0)


def _bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),)
