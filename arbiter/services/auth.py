"""Who may call what: bearer tokens, one table of methods and roles, and the guard on every call.

The token comes in the metadata as "authorization: Bearer TOKEN". A missing, malformed or unknown
token gives one and the same answer. A method that is not in the table is refused, so a new one is
closed until somebody decides who may call it.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from contextvars import ContextVar
from time import monotonic
from typing import Any, Protocol

import grpc
from google.protobuf.message import DecodeError

from arbiter.services import errors
from arbiter.services.refusals import Refusal
from arbiter.services.throttle import Throttle
from arbiter.store.tokens import Identity, Role
from hearts.v1 import errors_pb2

CACHE_SECONDS = 2.0
CACHE_SIZE = 4096
MAX_TOKEN = 256

# Not a bot's: with more than its own stream it could look at boards that it has yet to play.
_EVERYBODY = frozenset({Role.ADMIN, Role.OWNER, Role.WORKER, Role.SPECTATOR})
_ADMIN = frozenset({Role.ADMIN})
# An owner only for what is its own: the servicer looks at who calls.
_OWNERS = frozenset({Role.ADMIN, Role.OWNER})

ROLES: dict[str, frozenset[Role]] = {
    "/hearts.v1.PlayService/Play": frozenset({Role.BOT}),
    "/hearts.v1.BotsService/CreateBot": _ADMIN,
    "/hearts.v1.BotsService/GetBot": _EVERYBODY,
    "/hearts.v1.BotsService/ListBots": _EVERYBODY,
    "/hearts.v1.BotsService/SubmitVersion": _OWNERS,
    "/hearts.v1.BotsService/GetVersion": _EVERYBODY,
    "/hearts.v1.BotsService/ListVersions": _EVERYBODY,
    "/hearts.v1.BotsService/GetVersionLog": _OWNERS,
    "/hearts.v1.BotsService/ActivateVersion": _OWNERS,
    "/hearts.v1.BotsService/RetireVersion": _OWNERS,
    "/hearts.v1.BotsService/RotateBotToken": _OWNERS,
    "/hearts.v1.OwnersService/CreateOwner": _ADMIN,
    "/hearts.v1.OwnersService/GetOwner": _OWNERS,
    "/hearts.v1.OwnersService/ListOwners": _ADMIN,
    "/hearts.v1.OwnersService/CreateToken": _OWNERS,
    "/hearts.v1.OwnersService/ListTokens": _OWNERS,
    "/hearts.v1.OwnersService/RevokeToken": _OWNERS,
    "/hearts.v1.OwnersService/GetCaller": _EVERYBODY,
    "/hearts.v1.TournamentsService/CreateTournament": _ADMIN,
    "/hearts.v1.TournamentsService/GetTournament": _EVERYBODY,
    "/hearts.v1.TournamentsService/ListTournaments": _EVERYBODY,
    "/hearts.v1.TournamentsService/GetStandings": _EVERYBODY,
    "/hearts.v1.TournamentsService/WatchTournament": _EVERYBODY,
    "/hearts.v1.TournamentsService/CancelTournament": _ADMIN,
    "/hearts.v1.TournamentsService/PlanTournament": _EVERYBODY,
    "/hearts.v1.TournamentsService/ExplainTournament": _EVERYBODY,
    "/hearts.v1.TournamentsService/ListRounds": _EVERYBODY,
    "/hearts.v1.TournamentsService/PauseTournament": _ADMIN,
    "/hearts.v1.TournamentsService/ResumeTournament": _ADMIN,
    "/hearts.v1.TournamentsService/EnterTournament": _OWNERS,
    "/hearts.v1.TournamentsService/WithdrawFromTournament": _OWNERS,
    "/hearts.v1.MatchesService/GetMatch": _EVERYBODY,
    "/hearts.v1.MatchesService/ListMatches": _EVERYBODY,
    "/hearts.v1.MatchesService/GetMatchRecord": _EVERYBODY,
    "/hearts.v1.MatchesService/WatchMatch": _EVERYBODY,
    "/hearts.v1.RatingsService/ListRatings": _EVERYBODY,
    "/hearts.v1.RatingsService/ListGaps": _EVERYBODY,
    "/hearts.v1.RatingsService/ListRatingHistory": _EVERYBODY,
    "/hearts.v1.RatingsService/TestBots": _EVERYBODY,
    "/hearts.v1.RatingsService/ExportResults": _EVERYBODY,
    "/hearts.v1.RatingsService/RebuildRatings": _ADMIN,
    "/hearts.v1.RatingsService/SuggestTables": _EVERYBODY,
    "/hearts.v1.RatingsService/ListSuspects": _ADMIN,
    "/hearts.v1.RatingsService/ListHeldResults": _ADMIN,
    "/hearts.v1.RatingsService/HoldResults": _ADMIN,
    "/hearts.v1.RatingsService/ReleaseResult": _ADMIN,
    "/hearts.v1.ArbiterService/PlayBatch": frozenset({Role.WORKER}),
    "/hearts.v1.ArbiterService/EndSession": frozenset({Role.WORKER}),
}
"""Method → roles that may call it. Every method of the contract is here."""

OPEN = (
    "/grpc.health.v1.Health/",
    "/grpc.reflection.v1alpha.ServerReflection/",
    "/grpc.reflection.v1.ServerReflection/",
)
"""Services anybody may call: they tell nothing about bots or tournaments."""

_CALLER: ContextVar[Identity] = ContextVar("caller")

Metadata = Iterable[tuple[str, str | bytes]]


class Lookup(Protocol):
    """What the guard needs of the store: `store.tokens`."""

    async def lookup(self, token: str) -> Identity | None:
        """Whose token this is; None for an unknown one."""


def caller() -> Identity:
    """Who makes the call that is being served. LookupError outside a guarded call."""
    return _CALLER.get()


def manages(identity: Identity, owner: str) -> bool:
    """Whether this caller may see and do what only the owner (and admins) may."""
    if identity.role is Role.OWNER:
        return bool(owner) and identity.subject == owner
    return identity.role is Role.ADMIN


def require_owner(owner: str, name: str) -> None:
    """Raises a Refusal unless the caller owns the resource `name`, or is an admin. It does not tell
    whose it is."""
    if not manages(caller(), owner):
        raise Refusal(
            errors_pb2.ERROR_REASON_PERMISSION_DENIED,
            f"{name} is not yours",
            subject=name,
            hint="Only its owner and admins may do this.",
        )


class Authority:
    """Tells callers by their tokens. Answers are kept for `CACHE_SECONDS`, so that busy clients do
    not cost a look into the store each time; a revoked token may live that much longer."""

    def __init__(
        self,
        tokens: Lookup,
        clock: Callable[[], float] = monotonic,
        throttle: Throttle | None = None,
    ) -> None:
        self._tokens = tokens
        self._clock = clock
        self._throttle = throttle
        self._known: OrderedDict[bytes, tuple[float, Identity | None]] = OrderedDict()

    async def identify(self, metadata: Metadata) -> Identity:
        """Who calls. Raises the one Refusal for whoever is not known."""
        token = _bearer(metadata)
        identity = await self._lookup(token) if token else None
        if identity is None:
            raise _unknown()
        return identity

    async def admit(self, method: str, metadata: Metadata) -> Identity:
        """Who calls, if it may call this method. Raises a Refusal otherwise."""
        identity = await self.identify(metadata)
        allowed = ROLES.get(method, frozenset())
        if identity.role not in allowed:
            raise Refusal(
                errors_pb2.ERROR_REASON_PERMISSION_DENIED,
                f"a token of role {identity.role} may not call {method}",
                subject=method,
                value=identity.role,
                allowed=sorted(allowed),
                hint="Use a token of a role that may.",
            )
        if self._throttle and identity.role not in (Role.ADMIN, Role.WORKER):
            self._throttle.count(f"{identity.role} {identity.subject or _bearer(metadata)}")
        return identity

    def forget(self) -> None:
        """Look every token up anew: one was revoked."""
        self._known.clear()

    async def _lookup(self, token: str) -> Identity | None:
        # Not the token itself: what is not kept cannot leak.
        digest = hashlib.sha256(token.encode()).digest()
        now = self._clock()
        known = self._known.get(digest)
        if known is not None and known[0] > now:
            return known[1]
        identity = await self._tokens.lookup(token)
        self._known[digest] = (now + CACHE_SECONDS, identity)
        self._known.move_to_end(digest)
        while len(self._known) > CACHE_SIZE:
            self._known.popitem(last=False)
        return identity


def _bearer(metadata: Metadata) -> str:
    """The token, or "" when there is not exactly one well-formed one."""
    values = [value for key, value in metadata if key.lower() == "authorization"]
    if len(values) != 1 or not isinstance(values[0], str):
        return ""
    scheme, _, token = values[0].partition(" ")
    well_formed = scheme.lower() == "bearer" and token.isascii() and token.isprintable()
    return token if well_formed and len(token) <= MAX_TOKEN and " " not in token else ""


def _unknown() -> Refusal:
    return Refusal(
        errors_pb2.ERROR_REASON_UNAUTHENTICATED,
        "this server does not know who calls",
        subject="authorization",
        allowed=["Bearer TOKEN"],
        hint="Send a token of this server as metadata: authorization: Bearer TOKEN.",
    )


class Guard(grpc.aio.ServerInterceptor):
    """Stands before every method: lets in whom the table allows, and turns what a servicer raises
    into a status."""

    def __init__(self, authority: Authority) -> None:
        self._authority = authority

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        handler = await continuation(handler_call_details)
        method: str = handler_call_details.method
        if method.startswith(OPEN):
            return handler
        try:
            identity = await self._authority.admit(
                method, handler_call_details.invocation_metadata or ()
            )
        except Exception as error:
            # Whatever happens before the method is a refusal too, and must reach the caller.
            return _refusing(errors.refusal(error, method))
        if handler is None:
            return handler
        _CALLER.set(identity)
        return _guarded(handler, method)


def _refusing(refused: Refusal) -> Any:
    """A handler that refuses at once, whatever the client means to send: it reads nothing."""

    async def refuse(_requests: object, context: grpc.aio.ServicerContext[Any, Any]) -> None:
        await context.abort_with_status(errors.status(refused))

    return grpc.stream_stream_rpc_method_handler(refuse)


class _Unreadable:
    """Stands for a request that is no message of the expected type."""


def _reader(parse: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    def read(data: bytes) -> Any:
        try:
            return parse(data)
        except DecodeError:
            return _Unreadable()

    return read


async def _fail(error: Exception, context: grpc.aio.ServicerContext[Any, Any], method: str) -> None:
    if isinstance(error, grpc.aio.AbortError) or context.done():
        # Answered already, or nobody is left to answer.
        raise error
    await context.abort_with_status(errors.status(errors.refusal(error, method)))


def _check(request: object) -> None:
    if isinstance(request, _Unreadable):
        raise Refusal(
            errors_pb2.ERROR_REASON_INVALID_VALUE,
            "the request cannot be read",
            hint="Send the message that this method takes, in protobuf's binary form.",
        )


def _guarded(handler: Any, method: str) -> Any:
    """The same handler; what it raises is answered with a status. Servicers are coroutines and
    write streams with `context.write`, so that a cancelled call ends inside them."""
    behaviour = (
        handler.unary_unary or handler.unary_stream or handler.stream_unary or handler.stream_stream
    )

    async def call(request: Any, context: grpc.aio.ServicerContext[Any, Any]) -> Any:
        try:
            _check(request)
            return await behaviour(request, context)
        except Exception as error:
            # The last line of defence: every error gets a status, none a traceback on the wire.
            await _fail(error, context, method)

    made = {
        (False, False): grpc.unary_unary_rpc_method_handler,
        (False, True): grpc.unary_stream_rpc_method_handler,
        (True, False): grpc.stream_unary_rpc_method_handler,
        (True, True): grpc.stream_stream_rpc_method_handler,
    }[handler.request_streaming, handler.response_streaming]
    return made(
        call,
        # In a stream an unreadable message ends the stream, which its servicer sees.
        request_deserializer=handler.request_deserializer
        if handler.request_streaming
        else _reader(handler.request_deserializer),
        response_serializer=handler.response_serializer,
    )
