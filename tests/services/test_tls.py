"""TLS and mutual TLS by settings: arbiter, bots, command line and workers."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import grpc.aio
import pytest
from services_kit import FOUR, Api, batch, creation, eventually, register

from arbiter.server import Arbiter, CannotServe
from arbiter.settings import Settings
from arbiter.store import Role, Store
from client_sdk import Bot, ServerUnreachable, Turn, channel, play_async
from hearts.v1 import arbiter_pb2, bots_pb2
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


@pytest.mark.parametrize(
    ("changes", "words"),
    [
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
