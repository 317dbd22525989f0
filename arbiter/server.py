"""The arbiter's process: one event loop, one gRPC server, one store."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import signal
import socket
from importlib import metadata
from pathlib import Path
from urllib.parse import urlsplit

import grpc.aio
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import aio as health_aio
from grpc_reflection.v1alpha import reflection

from arbiter.connections.dialing import Contact, Dialer
from arbiter.connections.hub import Hub
from arbiter.first_start import first_admin
from arbiter.matches.runner import Runner
from arbiter.services import play
from arbiter.services.auth import Authority, Guard
from arbiter.services.batches import Batches
from arbiter.services.bots import Bots
from arbiter.services.matches import Matches
from arbiter.services.metrics import Meter
from arbiter.services.owners import Owners
from arbiter.services.play_socket import PlaySocket
from arbiter.services.ratings import Ratings
from arbiter.services.throttle import Throttle
from arbiter.services.tournaments import Tournaments
from arbiter.settings import Settings
from arbiter.store import Role, Store, StoreRefused, StoreUnavailable, WrongServer
from hearts.v1 import (
    arbiter_pb2,
    arbiter_pb2_grpc,
    bots_pb2,
    bots_pb2_grpc,
    matches_pb2,
    matches_pb2_grpc,
    owners_pb2,
    owners_pb2_grpc,
    play_pb2,
    ratings_pb2,
    ratings_pb2_grpc,
    tournaments_pb2,
    tournaments_pb2_grpc,
)

log = logging.getLogger(__name__)

EXIT_PLATFORM = 4
"""Exit code for a start that failed for a reason outside this process."""

CHANNEL_OPTIONS: tuple[tuple[str, int], ...] = (
    # A second server on the same port must fail, not share it (GR06).
    ("grpc.so_reuseport", 0),
    # Bots may ping each 5 s on a stream that is quiet for hours (GR01) ...
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 5_000),
    ("grpc.http2.max_ping_strikes", 0),
    ("grpc.keepalive_permit_without_calls", 1),
    # ... and we find out about a vanished one within half a minute (GR02).
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.max_receive_message_length", 1 << 20),
    # On each connection; what is above waits at the client.
    ("grpc.max_concurrent_streams", 100),
)
MAX_CALLS = 4096
"""Calls served at once, streams included; above it a newcomer is told RESOURCE_EXHAUSTED."""

SERVICES = tuple(
    file.services_by_name[name].full_name
    for file in (
        arbiter_pb2.DESCRIPTOR,
        bots_pb2.DESCRIPTOR,
        matches_pb2.DESCRIPTOR,
        owners_pb2.DESCRIPTOR,
        play_pb2.DESCRIPTOR,
        ratings_pb2.DESCRIPTOR,
        tournaments_pb2.DESCRIPTOR,
    )
    for name in file.services_by_name
)

WATCH_SECONDS = 1.0
"""How often the store is looked at for the health status, and this arbiter announced."""
ANNOUNCED_SECONDS = 10.0
"""How long an announcement is good for: longer than a hiccup of the store."""
GRACE_SECONDS = 3.0
"""How long running matches may go on when the arbiter is told to stop. What is not over then is
given back, and continues at another arbiter after its last finished deal."""
GOODBYE_RETRY_MS = 1_000

_SERVING = health_pb2.HealthCheckResponse.SERVING
_NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


class CannotServe(Exception):
    """The arbiter cannot start; the message says why and what to do."""


class Arbiter:
    """Everything that serves on one port, on the current event loop."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self.hub = Hub(version=version())
        self.dialer = Dialer(
            self.hub, self._contact, allow_private=settings.allow_private_endpoints
        )
        self.runner = Runner(self.hub, store, settings)
        self._health = health_aio.HealthServicer()
        self._server: grpc.aio.Server | None = None
        self._socket: PlaySocket | None = None
        self._watch: asyncio.Task[None] | None = None
        self.metrics: Meter | None = None
        self.address = ""

    async def start(self) -> None:
        """Listen and serve; `address` is then where. Raises CannotServe."""
        throttle = Throttle(self._settings.calls_per_second)
        authority = Authority(self._store.tokens, throttle=throttle)
        credentials = server_credentials(self._settings)
        if self._settings.tls_ca is not None:
            self.dialer.authorities = _pem("HEARTS_TLS_CA", self._settings.tls_ca, "CERTIFICATE")
        meter = self._meter()
        self._server = server = grpc.aio.server(
            interceptors=[*meter, Guard(authority)],
            options=CHANNEL_OPTIONS,
            maximum_concurrent_rpcs=MAX_CALLS,
        )
        store = self._store
        play.add_to(server, self.hub)
        bots = Bots(store, authority, self._settings, self.hub)
        bots_pb2_grpc.add_BotsServiceServicer_to_server(bots, server)
        owners = Owners(store, authority, self._settings)
        owners_pb2_grpc.add_OwnersServiceServicer_to_server(owners, server)
        matches_pb2_grpc.add_MatchesServiceServicer_to_server(Matches(store, self.runner), server)
        tournaments_pb2_grpc.add_TournamentsServiceServicer_to_server(
            Tournaments(store, lambda: self.runner.trouble), server
        )
        ratings_pb2_grpc.add_RatingsServiceServicer_to_server(Ratings(store), server)
        batches = Batches(self.runner, store, self._settings.bench_after)
        arbiter_pb2_grpc.add_ArbiterServiceServicer_to_server(batches, server)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        reflection.enable_server_reflection((*SERVICES, reflection.SERVICE_NAME), server)
        with contextlib.suppress(StoreUnavailable, StoreRefused):
            self.runner.expect(await store.bots.online())
        self.address = bind(server, self._settings.listen, credentials)
        await self._set_health(False)
        await server.start()
        self._socket = PlaySocket(self.hub, authority, CHANNEL_OPTIONS, MAX_CALLS)
        await self._socket.start()
        self.dialer.start()
        self.runner.start()
        await self._look()
        self._watch = asyncio.create_task(self._keep_looking(), name="watch")

    async def stop(self, grace_s: float = GRACE_SECONDS) -> None:
        """Let running matches end for `grace_s` seconds, give the others back, send the bots away.

        In this order, so that no bot is blamed for a stream that we close."""
        await self._health.enter_graceful_shutdown()
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
        with contextlib.suppress(StoreUnavailable, StoreRefused):
            await self._store.arbiters.withdraw(self._settings.arbiter_id)
        await self.runner.drain(grace_s)
        await self.runner.stop()
        await self.hub.close("the arbiter is going away", GOODBYE_RETRY_MS)
        await self.dialer.stop()
        if self._socket is not None:
            await self._socket.stop()
        if self._server is not None:
            await self._server.stop(grace=0.5)
        if self.metrics is not None:
            self.metrics.close()

    def _meter(self) -> list[Meter]:
        """Metrics, if they are wanted anywhere. Raises CannotServe."""
        if not self._settings.metrics_listen:
            return []
        self.metrics = Meter(lambda: len(self.hub.sessions), lambda: self.runner.tables)
        try:
            self.metrics.serve(self._settings.metrics_listen)
        except (OSError, ValueError) as trouble:
            raise CannotServe(
                f"cannot serve metrics on {self._settings.metrics_listen!r}: {trouble}. "
                "HEARTS_METRICS_LISTEN is host:port."
            ) from None
        return [self.metrics]

    async def _contact(self, bot: str) -> Contact | None:
        """How to reach a bot, or a version of one, that has an endpoint."""
        row = await (self._store.versions if "@" in bot else self._store.bots).get(bot)
        if row is None or not row.endpoint:
            return None
        return Contact(row.endpoint, await self._store.tokens.keys(Role.BOT, bot))

    async def _keep_looking(self) -> None:
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            await self._look()

    async def _look(self) -> None:
        """Serving is to have a store that takes results; who reaches it is announced to the
        workers."""
        try:
            async with asyncio.timeout(2 * WATCH_SECONDS):
                await self._store.arbiters.announce(
                    self._settings.arbiter_id,
                    advertised(self.address, tls=self._settings.tls_cert is not None),
                    self.runner.tables,
                    ANNOUNCED_SECONDS,
                    self._socket.path if self._socket is not None else "",
                )
                await self._store.check_writable()
        except (StoreUnavailable, StoreRefused, TimeoutError) as trouble:
            self.runner.store_failed(trouble)
        await self._set_health(not self.runner.trouble)

    async def _set_health(self, serving: bool) -> None:
        for name in ("", *SERVICES):
            await self._health.set(name, _SERVING if serving else _NOT_SERVING)


async def serve(settings: Settings) -> int:
    """Run an arbiter until SIGTERM or SIGINT. Returns the exit code: 0, or 4 when it cannot start;
    then the reason is on standard error. A second signal ends the grace for running matches."""
    stopping = asyncio.Event()
    hurry = asyncio.Event()

    def told() -> None:
        (hurry if stopping.is_set() else stopping).set()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, told)
    try:
        store = await open_store(settings)
    except CannotServe as reason:
        return _refuse(reason)
    arbiter = Arbiter(store, settings)
    try:
        try:
            await arbiter.start()
        except CannotServe as reason:
            return _refuse(reason)
        print(f"arbiter listening on {arbiter.address}", flush=True)
        await _tell_first_admin(store, settings)
        await stopping.wait()
        log.info("stopping")
        await _stop(arbiter, hurry)
    finally:
        await store.close()
    return 0


async def _tell_first_admin(store: Store, settings: Settings) -> None:
    """Where the admin's token of a new store is; the token itself is in no log."""
    try:
        path = await first_admin(store, settings)
    except (OSError, StoreUnavailable, StoreRefused) as error:
        log.warning("there is no admin, and none can be made: %s. Set HEARTS_DATA_DIR.", error)
    else:
        if path is not None:
            print(f"first start: the admin's token is in {path}", flush=True)


async def open_store(settings: Settings) -> Store:
    """The store, connected and fit for use. Raises CannotServe."""
    where = without_password(settings.redis_url)
    try:
        store = await Store.open(settings.redis_url, settings.namespace)
    except StoreUnavailable as error:
        raise CannotServe(
            f"the store at {where} cannot be reached: {error}. "
            "Start that Redis server, or point HEARTS_REDIS_URL at one that runs; "
            "`hearts up` brings its own."
        ) from None
    except StoreRefused as error:
        raise CannotServe(
            f"the store at {where} refuses us: {error}. "
            "Put the right password into HEARTS_REDIS_URL, or mend that server."
        ) from None
    except WrongServer as error:
        raise CannotServe(f"the store at {where}: {error}") from None
    try:
        await store.check_server(settings.allow_insecure_redis)
    except (WrongServer, StoreUnavailable, StoreRefused) as error:
        await store.close()
        raise CannotServe(f"the store at {where}: {error}") from None
    return store


def server_credentials(settings: Settings) -> grpc.ServerCredentials | None:
    """TLS as the settings say; None without. Raises CannotServe."""
    if settings.tls_cert is None and settings.tls_key is None:
        if settings.tls_client_ca is not None:
            raise CannotServe("HEARTS_TLS_CLIENT_CA needs HEARTS_TLS_CERT and HEARTS_TLS_KEY")
        return None
    cert = _pem("HEARTS_TLS_CERT", settings.tls_cert, "CERTIFICATE")
    key = _pem("HEARTS_TLS_KEY", settings.tls_key, "PRIVATE KEY")
    if settings.tls_client_ca is None:
        return grpc.ssl_server_credentials([(key, cert)])
    authorities = _pem("HEARTS_TLS_CLIENT_CA", settings.tls_client_ca, "CERTIFICATE")
    return grpc.ssl_server_credentials([(key, cert)], authorities, require_client_auth=True)


def _pem(name: str, path: Path | None, kind: str) -> bytes:
    if path is None:
        raise CannotServe(f"{name} is missing: TLS needs a certificate and its key")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CannotServe(f"{name}: cannot read {path}: {error.strerror}") from None
    if b"-----BEGIN " not in data or kind.encode() not in data:
        raise CannotServe(f"{name}: {path} holds no {kind.lower()} in PEM form")
    return data


def bind(
    server: grpc.aio.Server, listen: str, credentials: grpc.ServerCredentials | None = None
) -> str:
    """Listen on "host:port" (port 0: any free one); returns where. Raises CannotServe."""
    host, colon, port = listen.rpartition(":")
    if not colon or not host or not port.isdecimal() or int(port) > 65535:
        raise CannotServe(f"cannot listen on {listen!r}: HEARTS_LISTEN is host:port")
    _check_free(host.strip("[]"), int(port))
    try:
        if credentials is None:
            bound = server.add_insecure_port(listen)
        else:
            bound = server.add_secure_port(listen, credentials)
    except RuntimeError:
        bound = 0
    if not bound:
        if credentials is not None:
            raise CannotServe(
                f"cannot listen on {listen} with TLS: the key in HEARTS_TLS_KEY is not that of the "
                "certificate in HEARTS_TLS_CERT, or the port is taken"
            )
        raise CannotServe(_taken(host, port))
    if credentials is None and host.strip("[]") not in ("127.0.0.1", "::1", "localhost"):
        log.warning("listening on %s without TLS: tokens can be read on the way", listen)
    return f"{host}:{bound}"


def _check_free(host: str, port: int) -> None:
    """Raises CannotServe unless every address of the host is free at this port: gRPC itself is
    content with one of them."""
    try:
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise CannotServe(f"cannot listen on {host}: {error.strerror}") from None
    for family, kind, protocol, _, address in addresses:
        with socket.socket(family, kind, protocol) as probe:
            # Connections of a server that has just ended are no obstacle; another server is.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            try:
                probe.bind(address)
            except OSError as error:
                if error.errno == errno.EADDRINUSE:
                    raise CannotServe(_taken(host, str(port))) from None
                raise CannotServe(
                    f"cannot listen on {host}:{port}: {error.strerror}. Set HEARTS_LISTEN."
                ) from None


def _taken(host: str, port: str) -> str:
    return (
        f"port {port} on {host} is taken: another server listens there. "
        "Stop it, or set HEARTS_LISTEN to another port."
    )


def advertised(address: str, *, tls: bool = False) -> str:
    """Where workers find a server bound to `address`: a host of its own when it listens on all;
    as https:// when it wants TLS."""
    host, _, port = address.rpartition(":")
    if host.strip("[]") in ("0.0.0.0", "::"):  # noqa: S104 - compared, not bound
        address = f"{socket.gethostname()}:{port}"
    return f"https://{address}" if tls else address


def without_password(url: str) -> str:
    """A Redis URL that can be shown: no user, password or query."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def version() -> str:
    """The version of the installed package, or "" in a bare source tree."""
    try:
        return metadata.version("hearts-arena")
    except metadata.PackageNotFoundError:
        return ""


def _refuse(reason: CannotServe) -> int:
    log.error("%s", reason)
    return EXIT_PLATFORM


async def _stop(arbiter: Arbiter, hurry: asyncio.Event) -> None:
    """Stop with grace, or without as soon as a second signal comes."""
    gentle = asyncio.create_task(arbiter.stop())
    impatient = asyncio.create_task(hurry.wait())
    await asyncio.wait({gentle, impatient}, return_when=asyncio.FIRST_COMPLETED)
    impatient.cancel()
    if not gentle.done():
        gentle.cancel()
        await asyncio.gather(gentle, return_exceptions=True)
        await arbiter.stop(grace_s=0)
    else:
        await gentle
