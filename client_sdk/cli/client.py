"""The public API as the commands call it: every call has a deadline, every failure has words."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Self

import grpc.aio

from client_sdk import channel
from client_sdk.cli.bots_client import BotsCalls
from client_sdk.cli.config import Connection
from client_sdk.cli.errors import CliError
from client_sdk.cli.failures import from_rpc
from client_sdk.cli.reviews_client import ReviewsCalls
from client_sdk.cli.text import named
from client_sdk.errors import ConfigError
from hearts.v1 import (
    bots_pb2,
    bots_pb2_grpc,
    matches_pb2,
    matches_pb2_grpc,
    owners_pb2_grpc,
    ratings_pb2,
    ratings_pb2_grpc,
    tournaments_pb2,
    tournaments_pb2_grpc,
)

PAGE_SIZE = 1000
HEALTH_METHOD = "/grpc.health.v1.Health/Check"
# HealthCheckResponse{status: SERVING}. Two bytes do not justify another dependency.
HEALTHY = b"\x08\x01"
# A silent link is noticed within 40 s even while a watch waits for news; the server allows it.
_CHANNEL_OPTIONS = (
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.max_receive_message_length", 64 * 1024 * 1024),
)


class Client(BotsCalls, ReviewsCalls):
    """One channel and the stubs on it; use as an async context manager."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._channel = _open(connection)
        self._bots: Any = bots_pb2_grpc.BotsServiceStub(self._channel)
        self._matches: Any = matches_pb2_grpc.MatchesServiceStub(self._channel)
        self._owners: Any = owners_pb2_grpc.OwnersServiceStub(self._channel)
        self._ratings: Any = ratings_pb2_grpc.RatingsServiceStub(self._channel)
        self._tournaments: Any = tournaments_pb2_grpc.TournamentsServiceStub(self._channel)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._channel.close()

    @property
    def _metadata(self) -> tuple[tuple[str, str], ...]:
        token = self.connection.token
        return (("authorization", f"Bearer {token}"),) if token else ()

    async def _call(self, method: Callable[..., Awaitable[Any]], request: object) -> Any:
        """One unary call within the deadline; raises CliError."""
        try:
            return await method(request, timeout=self.connection.timeout_s, metadata=self._metadata)
        except grpc.aio.AioRpcError as error:
            raise from_rpc(error, self.connection.server, self.connection.timeout_s) from None

    async def healthy(self) -> bool:
        """Whether the server says that it is SERVING (it does while it can reach its store)."""
        check: Any = self._channel.unary_unary(
            HEALTH_METHOD, request_serializer=bytes, response_deserializer=bytes
        )
        return bool(await self._call(check, b"") == HEALTHY)

    async def create_bot(
        self,
        name: str,
        description: str,
        *,
        house: bool,
        endpoint: str = "",
        request_id: str = "",
    ) -> tuple[bots_pb2.Bot, str]:
        """Registers a bot; returns it and its token. A repeat under one request id is one bot."""
        bot = bots_pb2.Bot(
            name=named("bots", name), house=house, description=description, endpoint=endpoint
        )
        request = bots_pb2.CreateBotRequest(bot=bot, request_id=request_id or uuid.uuid4().hex)
        reply: bots_pb2.CreateBotResponse = await self._call(self._bots.CreateBot, request)
        return reply.bot, reply.token

    async def get_bot(self, name: str) -> bots_pb2.Bot:
        """One bot by name."""
        request = bots_pb2.GetBotRequest(name=named("bots", name))
        reply: bots_pb2.GetBotResponse = await self._call(self._bots.GetBot, request)
        return reply.bot

    async def list_bots(self, limit: int = 0) -> list[bots_pb2.Bot]:
        """Bots in order of name; ``limit`` 0: all."""

        async def page(size: int, token: str) -> tuple[Any, str]:
            request = bots_pb2.ListBotsRequest(page_size=size, page_token=token)
            reply = await self._call(self._bots.ListBots, request)
            return reply.bots, reply.next_page_token

        return await _pages(page, limit)

    async def create_tournament(
        self, spec: tournaments_pb2.TournamentSpec
    ) -> tournaments_pb2.Tournament:
        """Creates a tournament, which starts at once."""
        request = tournaments_pb2.CreateTournamentRequest(spec=spec, request_id=uuid.uuid4().hex)
        reply: tournaments_pb2.CreateTournamentResponse = await self._call(
            self._tournaments.CreateTournament, request
        )
        return reply.tournament

    async def get_tournament(self, name: str) -> tournaments_pb2.Tournament:
        """One tournament by name."""
        request = tournaments_pb2.GetTournamentRequest(name=named("tournaments", name))
        reply: tournaments_pb2.GetTournamentResponse = await self._call(
            self._tournaments.GetTournament, request
        )
        return reply.tournament

    async def list_tournaments(self, limit: int = 0) -> list[tournaments_pb2.Tournament]:
        """Tournaments, newest first; ``limit`` 0: all."""

        async def page(size: int, token: str) -> tuple[Any, str]:
            request = tournaments_pb2.ListTournamentsRequest(page_size=size, page_token=token)
            reply = await self._call(self._tournaments.ListTournaments, request)
            return reply.tournaments, reply.next_page_token

        return await _pages(page, limit)

    async def get_standings(self, name: str) -> tournaments_pb2.GetStandingsResponse:
        """The tournament and its standings so far."""
        request = tournaments_pb2.GetStandingsRequest(name=named("tournaments", name))
        reply: tournaments_pb2.GetStandingsResponse = await self._call(
            self._tournaments.GetStandings, request
        )
        return reply

    async def plan_tournament(
        self, spec: tournaments_pb2.TournamentSpec
    ) -> tournaments_pb2.PlanTournamentResponse:
        """A dry run; nothing is written."""
        request = tournaments_pb2.PlanTournamentRequest(spec=spec)
        reply: tournaments_pb2.PlanTournamentResponse = await self._call(
            self._tournaments.PlanTournament, request
        )
        return reply

    async def explain_tournament(self, name: str) -> tournaments_pb2.ExplainTournamentResponse:
        """The tournament, and what it waits for."""
        request = tournaments_pb2.ExplainTournamentRequest(name=named("tournaments", name))
        reply: tournaments_pb2.ExplainTournamentResponse = await self._call(
            self._tournaments.ExplainTournament, request
        )
        return reply

    async def list_rounds(self, name: str) -> tournaments_pb2.ListRoundsResponse:
        """The rounds so far."""
        request = tournaments_pb2.ListRoundsRequest(name=named("tournaments", name))
        reply: tournaments_pb2.ListRoundsResponse = await self._call(
            self._tournaments.ListRounds, request
        )
        return reply

    async def pause_tournament(self, name: str) -> tournaments_pb2.Tournament:
        """Begins no further matches."""
        request = tournaments_pb2.PauseTournamentRequest(name=named("tournaments", name))
        reply: tournaments_pb2.PauseTournamentResponse = await self._call(
            self._tournaments.PauseTournament, request
        )
        return reply.tournament

    async def resume_tournament(self, name: str) -> tournaments_pb2.Tournament:
        """Goes on with a paused one."""
        request = tournaments_pb2.ResumeTournamentRequest(name=named("tournaments", name))
        reply: tournaments_pb2.ResumeTournamentResponse = await self._call(
            self._tournaments.ResumeTournament, request
        )
        return reply.tournament

    async def enter_tournament(
        self, name: str, bot: str
    ) -> tournaments_pb2.EnterTournamentResponse:
        """Enters a bot; a repeat changes nothing."""
        request = tournaments_pb2.EnterTournamentRequest(
            name=named("tournaments", name), bot=named("bots", bot)
        )
        reply: tournaments_pb2.EnterTournamentResponse = await self._call(
            self._tournaments.EnterTournament, request
        )
        return reply

    async def withdraw_from_tournament(
        self, name: str, bot: str
    ) -> tournaments_pb2.WithdrawFromTournamentResponse:
        """Takes a bot out from the next round on."""
        request = tournaments_pb2.WithdrawFromTournamentRequest(
            name=named("tournaments", name), bot=named("bots", bot)
        )
        reply: tournaments_pb2.WithdrawFromTournamentResponse = await self._call(
            self._tournaments.WithdrawFromTournament, request
        )
        return reply

    async def cancel_tournament(self, name: str, reason: str) -> tournaments_pb2.Tournament:
        """Gives a tournament up; what is finished stays."""
        request = tournaments_pb2.CancelTournamentRequest(
            name=named("tournaments", name), reason=reason
        )
        reply: tournaments_pb2.CancelTournamentResponse = await self._call(
            self._tournaments.CancelTournament, request
        )
        return reply.tournament

    async def watch_tournament(self, name: str) -> AsyncIterator[tournaments_pb2.Tournament]:
        """The tournament now and after each change, until it is over.

        There is no deadline for the whole; a dead link is noticed by keepalive.
        """
        request = tournaments_pb2.WatchTournamentRequest(name=named("tournaments", name))
        stream = self._tournaments.WatchTournament(request, metadata=self._metadata)
        try:
            async for reply in stream:
                yield reply.tournament
        except grpc.aio.AioRpcError as error:
            raise from_rpc(error, self.connection.server, self.connection.timeout_s) from None
        finally:
            stream.cancel()

    async def get_match(self, name: str) -> matches_pb2.Match:
        """One match by name."""
        request = matches_pb2.GetMatchRequest(name=named("matches", name))
        reply: matches_pb2.GetMatchResponse = await self._call(self._matches.GetMatch, request)
        return reply.match

    async def list_matches(
        self, tournament: str, *, bot: str = "", state: int = 0, limit: int = 0
    ) -> list[matches_pb2.Match]:
        """Matches of a tournament in canonical order; ``limit`` 0: all."""

        async def page(size: int, token: str) -> tuple[Any, str]:
            request = matches_pb2.ListMatchesRequest(
                tournament=named("tournaments", tournament),
                bot=named("bots", bot) if bot else "",
                state=matches_pb2.MatchState.Name(state),
                page_size=size,
                page_token=token,
            )
            reply = await self._call(self._matches.ListMatches, request)
            return reply.matches, reply.next_page_token

        return await _pages(page, limit)

    async def get_record_with_seeds(self, name: str) -> matches_pb2.GetMatchRecordResponse:
        """The record of a finished match, and the seeds of its cards."""
        request = matches_pb2.GetMatchRecordRequest(name=named("matches", name))
        reply: matches_pb2.GetMatchRecordResponse = await self._call(
            self._matches.GetMatchRecord, request
        )
        return reply

    async def get_record(self, name: str) -> Any:
        """The record of a finished match."""
        request = matches_pb2.GetMatchRecordRequest(name=named("matches", name))
        reply = await self._call(self._matches.GetMatchRecord, request)
        return reply.record

    async def watch_match(
        self, name: str, after: int, attempt: int
    ) -> AsyncIterator[matches_pb2.WatchMatchResponse]:
        """What the table sees, from after that event of that attempt to the end of the match.

        There is no deadline for the whole; a dead link is noticed by keepalive.
        """
        request = matches_pb2.WatchMatchRequest(
            name=named("matches", name), after=after, attempt=attempt
        )
        stream = self._matches.WatchMatch(request, metadata=self._metadata)
        try:
            async for reply in stream:
                yield reply
        except grpc.aio.AioRpcError as error:
            raise from_rpc(error, self.connection.server, self.connection.timeout_s) from None
        finally:
            stream.cancel()

    async def list_ratings(self, pool: str = "") -> list[ratings_pb2.Pool]:
        """The rating pools, or the one named."""
        request = ratings_pb2.ListRatingsRequest(pool=pool)
        reply = await self._call(self._ratings.ListRatings, request)
        return list(reply.pools)

    async def list_gaps(
        self, pool: str, bot: str = "", other: str = ""
    ) -> ratings_pb2.ListGapsResponse:
        """All gaps of a pool, one bot's, or the one between two bots."""
        request = ratings_pb2.ListGapsRequest(
            pool=pool, bot=bot and named("bots", bot), other=other and named("bots", other)
        )
        reply: ratings_pb2.ListGapsResponse = await self._call(self._ratings.ListGaps, request)
        return reply

    async def list_rating_history(self, pool: str, bot: str) -> list[ratings_pb2.HistoryPoint]:
        """The rating over time of one bot, or of all."""
        request = ratings_pb2.ListRatingHistoryRequest(pool=pool, bot=bot and named("bots", bot))
        reply = await self._call(self._ratings.ListRatingHistory, request)
        return list(reply.points)

    async def test_bots(self, request: ratings_pb2.TestBotsRequest) -> ratings_pb2.TestBotsResponse:
        """A sequential test on all results of two bots."""
        reply: ratings_pb2.TestBotsResponse = await self._call(self._ratings.TestBots, request)
        return reply

    async def export_results(self, pool: str) -> AsyncIterator[ratings_pb2.ExportedDeal]:
        """Every deal that the ratings of a pool are made of."""
        request = ratings_pb2.ExportResultsRequest(pool=pool)
        stream = self._ratings.ExportResults(request, metadata=self._metadata)
        try:
            async for reply in stream:
                for deal in reply.deals:
                    yield deal
        except grpc.aio.AioRpcError as error:
            raise from_rpc(error, self.connection.server, self.connection.timeout_s) from None
        finally:
            stream.cancel()

    async def rebuild_ratings(self, pool: str) -> ratings_pb2.RebuildRatingsResponse:
        """Has the fit of a pool made anew."""
        request = ratings_pb2.RebuildRatingsRequest(pool=pool)
        reply: ratings_pb2.RebuildRatingsResponse = await self._call(
            self._ratings.RebuildRatings, request
        )
        return reply


def _open(connection: Connection) -> grpc.aio.Channel:
    server = connection.server
    if not server.startswith("https://"):
        return grpc.aio.insecure_channel(server, options=_CHANNEL_OPTIONS)
    try:
        credentials = channel.credentials(connection.ca_file)
    except ConfigError as error:
        raise CliError(str(error)) from None
    return grpc.aio.secure_channel(
        channel.tls_target(server), credentials, options=_CHANNEL_OPTIONS
    )


async def _pages(page: Callable[[int, str], Awaitable[tuple[Any, str]]], limit: int) -> list[Any]:
    """Follows page tokens until the end, or until there are ``limit`` items (0: no limit)."""
    items: list[Any] = []
    token = ""
    while True:
        wanted = min(PAGE_SIZE, limit - len(items)) if limit else PAGE_SIZE
        more, token = await page(wanted, token)
        items += more
        if not token or (limit and len(items) >= limit):
            return items
