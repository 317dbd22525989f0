"""TLS and mutual TLS by settings: arbiter, bots, command line and workers."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import grpc
import grpc.aio
import pytest
from services_kit import FOUR, Api, batch, creation, eventually, register

from arbiter.connections import addresses, dialing
from arbiter.server import Arbiter, CannotServe
from arbiter.settings import Settings
from arbiter.store import Role, Store
from client_sdk import Bot, ServerUnreachable, Turn, channel, play_async
from client_sdk.endpoint import Endpoint
from client_sdk.endpoint import Options as Serving
from client_sdk.endpoint import serving as serving_bot
from hearts.v1 import arbiter_pb2, bots_pb2, matches_pb2, play_pb2, tournaments_pb2
from tests.e2e import kit
from workers.cli.platform import free_port
from workers.dial import Dialer, Tls, Unreachable

pytestmark = pytest.mark.skipif(
    not shutil.which("openssl"), reason="needs openssl for certificates"
)


class First(Bot):
    def __init__(self, name: str) -> None:
        self.name = name

    def play(self, turn: Turn) -> int:
        return turn.legal[0]


def openssl(folder: Path, *words: str) -> None:
    subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)


def certificate(folder: Path, name: str) -> None:
    """NAME.key and NAME.pem, signed by the authority in the folder."""
    made = ("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    openssl(folder, *made, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
    (folder / "san").write_text("subjectAltName=IP:127.0.0.1,DNS:localhost\n")
    signed = ("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key")
    openssl(folder, *signed, "-CAcreateserial", "-out", f"{name}.pem", "-extfile", "san")


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("certificates")
    made = ("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    openssl(folder, *made, "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=authority")
    openssl(folder, *made, "-keyout", "other.key", "-out", "other.pem", "-subj", "/CN=another")
    certificate(folder, "server")
    certificate(folder, "client")
    return folder


@asynccontextmanager
async def serving(store: Store, folder: Path, **settings: object) -> AsyncIterator[Arbiter]:
    fields = {"tls_cert": folder / "server.pem", "tls_key": folder / "server.key", **settings}
    arbiter = Arbiter(store, Settings(listen="127.0.0.1:0", arbiter_id="test", **fields))
    await arbiter.start()
    try:
        yield arbiter
    finally:
        await arbiter.stop(grace_s=0)


@pytest.mark.parametrize("mutual", [False, True])
async def test_a_tournament_over_tls(
    store: Store, certificates: Path, monkeypatch: pytest.MonkeyPatch, mutual: bool
) -> None:
    more = {"tls_client_ca": certificates / "ca.pem"} if mutual else {}
    monkeypatch.setenv("HEARTS_CA_FILE", str(certificates / "ca.pem"))
    if mutual:
        monkeypatch.setenv("HEARTS_CLIENT_CERT", str(certificates / "client.pem"))
        monkeypatch.setenv("HEARTS_CLIENT_KEY", str(certificates / "client.key"))
    token = await store.tokens.create(Role.ADMIN)
    async with serving(store, certificates, **more) as arbiter:
        server = f"https://{arbiter.address}"
        async with channel.open_channel(server) as link:
            admin = Api(link, token)
            await register(admin, *FOUR)
            await admin(admin.tournaments.CreateTournament, creation(boards=2))
            tasks = [
                asyncio.create_task(
                    play_async(First(name), server, await store.tokens.create(Role.BOT, name))
                )
                for name in FOUR
            ]
            await eventually(lambda: len(arbiter.hub.online()) == 4)
            [row] = await store.arbiters.alive()
            assert row.address == server, "workers are told"
            client = ("client.pem", "client.key") if mutual else ()
            tls = Tls(certificates / "ca.pem", *(certificates / name for name in client))
            dialer = Dialer(await store.tokens.create(Role.WORKER), tls)
            assert await dialer.reach(row.address)
            await dialer.close()
            worker = Api(link, await store.tokens.create(Role.WORKER))
            outcomes = [item async for item in await batch(worker, store)]
            assert {o.outcome for o in outcomes} == {arbiter_pb2.ATTEMPT_OUTCOME_COMMITTED}
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        listing = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "client_sdk.cli", "bots", "list", "--server", server),
            *("--ca-file", str(certificates / "ca.pem")),
            env={**os.environ, "HEARTS_TOKEN": token, "XDG_CONFIG_HOME": str(certificates)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        out, errors = await asyncio.wait_for(listing.communicate(), 20)
        assert listing.returncode == 0, errors
        assert b"anna" in out


async def test_who_is_not_trusted_gets_nothing(
    store: Store, certificates: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Plain text, an unknown authority, and under mutual TLS a client without a certificate."""
    monkeypatch.delenv("HEARTS_CA_FILE", raising=False)
    token = await store.tokens.create(Role.ADMIN)
    more = {"tls_client_ca": certificates / "ca.pem"}
    async with serving(store, certificates, **more) as arbiter:
        only_ca = (certificates / "ca.pem").read_bytes()
        for link in (
            grpc.aio.insecure_channel(arbiter.address),
            channel.open_channel(f"https://{arbiter.address}"),
            grpc.aio.secure_channel(arbiter.address, grpc.ssl_channel_credentials(only_ca)),
        ):
            async with link:
                admin = Api(link, token)
                with pytest.raises(grpc.aio.AioRpcError) as refused:
                    await admin(admin.bots.ListBots, bots_pb2.ListBotsRequest())
                assert refused.value.code() is grpc.StatusCode.UNAVAILABLE
        with pytest.raises(ServerUnreachable):
            await play_async(
                First("anna"), f"https://{arbiter.address}", token, first_connect_s=0.1
            )
        with pytest.raises(Unreachable):
            await Dialer(token, Tls(certificates / "ca.pem")).reach(f"https://{arbiter.address}")


@asynccontextmanager
async def waiting(folder: Path, name: str, token: str, port: int = 0) -> AsyncIterator[Endpoint]:
    """A bot that serves https at a loopback port."""
    options = Serving(
        f"127.0.0.1:{port}",
        token,
        tls_cert=str(folder / "server.pem"),
        tls_key=str(folder / "server.key"),
    )
    async with serving_bot(First(name), options) as endpoint:
        yield endpoint


@pytest.mark.parametrize("trusted", [True, False])
async def test_endpoints_with_https_are_dialled_and_their_certificates_checked(
    store: Store, certificates: Path, trusted: bool
) -> None:
    """From the registration to the result; a bot whose certificate nobody vouches for is absent."""
    settings = Settings(
        listen="127.0.0.1:0",
        arbiter_id="test",
        allow_private_endpoints=True,
        tls_ca=certificates / ("ca.pem" if trusted else "other.pem"),
    )
    arbiter = Arbiter(store, settings)
    await arbiter.start()
    try:
        async with AsyncExitStack() as stack:
            link = await stack.enter_async_context(channel.open_channel(arbiter.address))
            admin = Api(link, await store.tokens.create(Role.ADMIN))
            for name in FOUR:
                port = free_port("127.0.0.1")
                registered = bots_pb2.Bot(
                    name=f"bots/{name}", house=True, endpoint=f"https://localhost:{port}"
                )
                request = bots_pb2.CreateBotRequest(bot=registered, request_id=name)
                made = await admin(admin.bots.CreateBot, request)
                bot = waiting(certificates, name, made.token, port)
                await stack.enter_async_context(bot)
            clock = play_pb2.Limits(connect_ms=20_000 if trusted else 1_500, decision_ms=20_000)
            await admin(admin.tournaments.CreateTournament, creation(boards=1, clock=clock))
            worker = Api(link, await store.tokens.create(Role.WORKER))
            [outcome] = [item async for item in await batch(worker, store)]
            assert outcome.outcome == arbiter_pb2.ATTEMPT_OUTCOME_COMMITTED
            name = outcome.match
            found = await admin(admin.matches.GetMatch, matches_pb2.GetMatchRequest(name=name))
            verdicts = {seat.verdict for seat in found.match.result.seats}
            expected = play_pb2.VERDICT_UNSPECIFIED if trusted else play_pb2.VERDICT_NO_SHOW
            assert verdicts == {expected}
            assert set(arbiter.hub.online()) == (set(FOUR) if trusted else set())
    finally:
        await arbiter.stop(grace_s=0)


async def test_an_endpoints_certificate_must_be_that_of_its_name(certificates: Path) -> None:
    """The authority is known, the name is another: no connection, whatever the address."""
    authorities = (certificates / "ca.pem").read_bytes()
    async with waiting(certificates, "anna", "hrt_anna") as bot:
        port = bot.address.rpartition(":")[2]
        for host, good in (("localhost", True), ("bot.example", False)):
            where = addresses.Endpoint.parse(f"https://{host}:{port}")
            if good:
                await (await dialing.connected(where, ["127.0.0.1"], authorities)).close()
            else:
                with pytest.raises(dialing.NoAnswer):
                    await dialing.connected(where, ["127.0.0.1"], authorities)


async def test_hearts_up_with_mutual_tls(
    certificates: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole platform from its settings: Redis, arbiter, worker and beat play a tournament of
    bots that connect with their certificates; who has none gets nothing."""
    pem = {name: str(certificates / name) for name in ("ca.pem", "server.pem", "server.key")}
    own = {"cert": str(certificates / "client.pem"), "key": str(certificates / "client.key")}
    environment = {
        "HEARTS_TLS_CERT": pem["server.pem"],
        "HEARTS_TLS_KEY": pem["server.key"],
        "HEARTS_TLS_CLIENT_CA": pem["ca.pem"],
        "HEARTS_TLS_CA": pem["ca.pem"],
        "HEARTS_TLS_CLIENT_CERT": own["cert"],
        "HEARTS_TLS_CLIENT_KEY": own["key"],
    }
    data = tmp_path / "data"
    with kit.running("up", "--data", data, "--port", "0", environment=environment) as up:
        server = await asyncio.to_thread(up.until, r"serving on (\S+);")
        assert server.startswith("https://127.0.0.1:")
        await asyncio.to_thread(up.until, "try: hearts doctor")
        token = (data / "admin.token").read_text().strip()
        only_ca = grpc.ssl_channel_credentials((certificates / "ca.pem").read_bytes())
        async with grpc.aio.secure_channel(server.removeprefix("https://"), only_ca) as link:
            admin = Api(link, token)
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await admin(admin.bots.ListBots, bots_pb2.ListBotsRequest())
            assert refused.value.code() is grpc.StatusCode.UNAVAILABLE
        monkeypatch.setenv("HEARTS_CA_FILE", pem["ca.pem"])
        monkeypatch.setenv("HEARTS_CLIENT_CERT", own["cert"])
        monkeypatch.setenv("HEARTS_CLIENT_KEY", own["key"])
        async with channel.open_channel(server) as link:
            admin = Api(link, token)
            tasks = []
            for name in FOUR:
                bot = bots_pb2.Bot(name=f"bots/{name}")
                request = bots_pb2.CreateBotRequest(bot=bot, request_id=name)
                made = await admin(admin.bots.CreateBot, request)
                tasks.append(asyncio.create_task(play_async(First(name), server, made.token)))
            clock = play_pb2.Limits(connect_ms=30_000, decision_ms=20_000)
            created = await admin(
                admin.tournaments.CreateTournament, creation(boards=2, clock=clock)
            )
            watch = tournaments_pb2.GetTournamentRequest(name=created.tournament.name)
            async with asyncio.timeout(90):
                while True:
                    found = await admin(admin.tournaments.GetTournament, watch)
                    if found.tournament.state == tournaments_pb2.TOURNAMENT_STATE_FINISHED:
                        break
                    await asyncio.sleep(0.2)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        up.signal(signal.SIGINT)
        assert await asyncio.to_thread(up.end, 30) == 0


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"tls_ca": "server.key"}, "HEARTS_TLS_CA: .* holds no certificate"),
        ({"tls_key": None}, "HEARTS_TLS_KEY is missing"),
        ({"tls_cert": None}, "HEARTS_TLS_CERT is missing"),
        ({"tls_cert": Path("/none.pem")}, "HEARTS_TLS_CERT: cannot read /none.pem"),
        ({"tls_key": "server.pem"}, "HEARTS_TLS_KEY: .* holds no private key"),
        ({"tls_key": "client.key"}, "is not that of the certificate"),
        ({"tls_cert": None, "tls_key": None, "tls_client_ca": "ca.pem"}, "needs HEARTS_TLS_CERT"),
    ],
)
async def test_wrong_settings_are_named_and_nothing_is_served_in_the_clear(
    store: Store, certificates: Path, changes: dict[str, object], words: str
) -> None:
    paths = {k: certificates / v if isinstance(v, str) else v for k, v in changes.items()}
    with pytest.raises(CannotServe, match=words):
        async with serving(store, certificates, **paths):
            pass
