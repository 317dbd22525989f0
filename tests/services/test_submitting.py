"""Submitting a bot: what is checked on the way, who may see what came of it."""

from __future__ import annotations

import asyncio
import hashlib
import io
import tarfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
from services_kit import Api, eventually, refused
from test_entrants import version

from arbiter.blobs import BlobError, Blobs
from arbiter.server import Arbiter
from arbiter.services import upload
from arbiter.settings import Settings
from arbiter.store import Role, Store, VersionState
from hearts.v1 import bots_pb2, errors_pb2

GOOD = 'name = "my-bot"\ncommand = ["python3", "bot.py"]\nlanguage = "python"\n'


def archive(manifest: str | None = GOOD, **files: bytes) -> bytes:
    """A tar.gz with a bot.toml and more."""
    made = io.BytesIO()
    contents = {"bot.py": b"print()\n", **files}
    if manifest is not None:
        contents["bot.toml"] = manifest.encode()
    with tarfile.open(fileobj=made, mode="w:gz") as tar:
        for name, data in contents.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return made.getvalue()


def header(data: bytes = b"", **changes: Any) -> bots_pb2.VersionHeader:
    fields: dict[str, Any] = {
        "bot": "bots/my-bot",
        "kind": bots_pb2.VERSION_KIND_BINARY,
        "request_id": "r1",
        "size": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    return bots_pb2.VersionHeader(**{**fields, **changes})


def call(api: Api, head: bots_pb2.VersionHeader | None, *chunks: bytes) -> Any:
    """The call that submits these chunks."""

    async def parts() -> AsyncIterator[bots_pb2.SubmitVersionRequest]:
        if head is not None:
            yield bots_pb2.SubmitVersionRequest(header=head)
        for chunk in chunks:
            yield bots_pb2.SubmitVersionRequest(chunk=chunk)

    metadata = (("authorization", f"Bearer {api.token}"),)
    return api.bots.SubmitVersion(parts(), timeout=20, metadata=metadata)


async def submit(api: Api, data: bytes, **changes: Any) -> bots_pb2.SubmitVersionResponse:
    chunks = [data[at : at + 1000] for at in range(0, len(data), 1000)]
    reply: bots_pb2.SubmitVersionResponse = await call(api, header(data, **changes), *chunks)
    return reply


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """Of the arbiter fixture."""
    return tmp_path / "data"


async def test_a_binary_is_kept_and_waits_for_its_match(
    kim: Api, store: Store, data_dir: Path, tmp_path: Path
) -> None:
    data = archive()
    reply = await submit(kim, data, description="Counts hearts")
    made = reply.version
    assert reply.created
    assert reply.token == ""
    assert (made.name, made.owner) == ("bots/my-bot@1", "owners/kim")
    assert made.state == bots_pb2.VERSION_STATE_PENDING
    assert (made.language, made.max_tables, list(made.rules)) == ("python", 16, ["any"])
    assert list(made.command) == ["python3", "bot.py"]
    Blobs.open(str(data_dir / "blobs")).get(made.sha256, tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == data
    assert files(data_dir / "incoming") == []
    bot = await kim(kim.bots.GetBot, bots_pb2.GetBotRequest(name="bots/my-bot"))
    assert (bot.bot.owner, bot.bot.description, bot.bot.versions) == (
        "owners/kim",
        "Counts hearts",
        1,
    )
    again = await submit(kim, data)
    assert (again.created, again.version.name) == (False, "bots/my-bot@1")
    # Known before a byte of it is sent.
    found = await refused(call(kim, header(data, request_id="r2")))
    assert found.code is grpc.StatusCode.ALREADY_EXISTS
    assert found.message == "bots/my-bot@1 is this very file"
    claim = await store.versions.claim_pending(1000)
    assert claim is not None
    assert claim.version.sha256 == hashlib.sha256(data).hexdigest()


DATA = archive()
LONG = b"x" * (upload.MAX_CHUNK + 1)
BROKEN: dict[str, tuple[bots_pb2.VersionHeader | None, list[bytes], str]] = {
    "no header": (None, [DATA], "header is missing"),
    "two headers": (header(DATA), [], "0 of"),
    "too few bytes": (header(DATA), [DATA[:-1]], f"of {len(DATA)} bytes came"),
    "too many bytes": (header(DATA), [DATA, b"x"], "more than"),
    "another hash": (header(DATA, sha256="0" * 64), [DATA], "is not that of the bytes"),
    "no hash": (header(DATA, sha256="x"), [DATA], "is no SHA-256"),
    "no size": (header(DATA, size=0), [DATA], "header.size is missing"),
    "no kind": (header(DATA, kind=0), [DATA], "is no kind"),
    "no request id": (header(DATA, request_id=""), [DATA], "request_id is missing"),
    "a bad name": (header(DATA, bot="bots/My Bot"), [DATA], "is no bot's name"),
    "a long chunk": (header(LONG), [LONG], "is too long"),
}


async def test_a_broken_upload_leaves_nothing(kim: Api, store: Store, data_dir: Path) -> None:
    for case, (head, chunks, words) in BROKEN.items():
        found = await refused(call(kim, head, *chunks))
        assert found.code is grpc.StatusCode.INVALID_ARGUMENT, case
        assert words in found.message, case
        assert await store.bots.get("my-bot") is None, case
        assert files(data_dir) == [], case


REFUSED = {
    "unknown key": (
        archive('name = "my-bot"\ncomand = "x"\n'),
        "bot.toml, line 2: comand: unknown key",
    ),
    "another name": (archive('name = "your-bot"\ncommand = "x"\n'), "'your-bot' is not 'my-bot'"),
    "no bot.toml": (archive(None), "bot.toml: is missing"),
    "a way out": (archive(GOOD, **{"../evil": b""}), "the archive is refused: it holds"),
    "no archive": (b"\x1f\x8b" + b"x" * 100, "the archive is refused"),
}


async def test_ss03_ux01_an_archive_that_is_not_in_order_is_refused_with_the_reason(
    kim: Api, store: Store, data_dir: Path
) -> None:
    for case, (data, words) in REFUSED.items():
        found = await refused(call(kim, header(data), data))
        assert found.code is grpc.StatusCode.INVALID_ARGUMENT, case
        assert words in found.message, case
        assert await store.bots.get("my-bot") is None, case
        assert files(data_dir) == [], case


async def test_an_upload_that_breaks_off_leaves_nothing(
    kim: Api, store: Store, data_dir: Path
) -> None:
    """Ctrl-C, or a dead line."""
    stuck = asyncio.Event()

    async def parts() -> AsyncIterator[bots_pb2.SubmitVersionRequest]:
        yield bots_pb2.SubmitVersionRequest(header=header(b"x" * 5000))
        yield bots_pb2.SubmitVersionRequest(chunk=b"x" * 1000)
        await stuck.wait()

    metadata = (("authorization", f"Bearer {kim.token}"),)
    made = kim.bots.SubmitVersion(parts(), metadata=metadata)
    reading = asyncio.ensure_future(made)
    await eventually(lambda: len(files(data_dir / "incoming")) == 1)
    made.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    await eventually(lambda: files(data_dir / "incoming") == [])
    assert await store.bots.get("my-bot") is None


async def test_a_silent_upload_ends(
    kim: Api, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upload, "IDLE_SECONDS", 0.2)
    stuck = asyncio.Event()

    async def parts() -> AsyncIterator[bots_pb2.SubmitVersionRequest]:
        yield bots_pb2.SubmitVersionRequest(header=header(b"x" * 5000))
        await stuck.wait()

    metadata = (("authorization", f"Bearer {kim.token}"),)
    found = await refused(kim.bots.SubmitVersion(parts(), timeout=20, metadata=metadata))
    assert "nothing came for" in found.message
    assert files(data_dir) == []


def test_what_a_killed_arbiter_left_is_swept(tmp_path: Path) -> None:
    import os

    old, fresh = tmp_path / "incoming-old", tmp_path / "incoming-new"
    old.write_bytes(b"x")
    fresh.write_bytes(b"x")
    os.utime(old, (0, 0))
    upload.Uploads(tmp_path).sweep()
    assert files(tmp_path) == [fresh]


@pytest.fixture
async def strict(store: Store, tmp_path: Path) -> AsyncIterator[Arbiter]:
    """An arbiter with small quotas."""
    settings = Settings(
        listen="127.0.0.1:0",
        arbiter_id="strict",
        data_dir=tmp_path / "data",
        max_submission_mb=1,
        quota_bots=1,
        quota_versions=2,
        calls_per_second=2,
    )
    arbiter = Arbiter(store, settings)
    await arbiter.start()
    yield arbiter
    await arbiter.stop(grace_s=0)


async def test_quotas_and_limits_say_when_to_try_again(
    strict: Arbiter, store: Store, data_dir: Path
) -> None:
    await store.owners.create("kim")
    async with grpc.aio.insecure_channel(strict.address) as channel:
        kim = Api(channel, await store.tokens.create(Role.OWNER, "kim"))
        large = await refused(call(kim, header(b"", size=2 << 20)))
        assert large.code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert list(large.detail.allowed) == ["1 to 1048576 bytes"]
        for number in range(2):
            await submit(kim, archive(x=bytes([number])), request_id=f"r{number}")
        other = await refused(call(kim, _connect("your-bot")))
        assert other.detail.subject == "quota.bots"
        assert other.detail.retry_after_ms == 0
        early = await refused(call(kim, header(archive(), request_id="r9")))
        assert early.detail.subject == "quota.versions"
        full = await refused(call(kim, _connect("my-bot")))
        assert full.code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert full.detail.subject == "quota.versions"
        assert 0 < full.detail.retry_after_ms <= 24 * 3600 * 1000

        # And calls: two a second, some at once.
        async def flood() -> Any:
            for _ in range(30):
                request = bots_pb2.ListBotsRequest()
                metadata = (("authorization", f"Bearer {kim.token}"),)
                made = kim.bots.ListBots(request, timeout=5, metadata=metadata)
                if await made.code() is not grpc.StatusCode.OK:
                    return await refused(made)
            raise AssertionError("30 calls at once")

        found = await flood()
        assert found.detail.reason == errors_pb2.ERROR_REASON_LIMIT_REACHED
        assert 0 < found.detail.retry_after_ms <= 1000
        # Others are not held up by it.
        admin = Api(channel, await store.tokens.create(Role.ADMIN))
        for _ in range(30):
            await admin(admin.bots.ListBots, bots_pb2.ListBotsRequest())


def _connect(bot: str, request_id: str = "c1", **changes: Any) -> bots_pb2.VersionHeader:
    return bots_pb2.VersionHeader(
        bot=f"bots/{bot}",
        kind=bots_pb2.VERSION_KIND_CONNECT,
        request_id=request_id,
        **changes,
    )


async def test_one_that_dials_in_gets_a_token_that_only_plays(kim: Api, store: Store) -> None:
    reply = await call(kim, _connect("my-bot"))
    identity = await store.tokens.lookup(reply.token)
    assert identity is not None
    assert (identity.role, identity.subject) == (Role.BOT, "my-bot@1")
    bot = Api(kim.channel, reply.token)
    found = await bot.refused(bot.bots.GetBot, bots_pb2.GetBotRequest(name="bots/my-bot"))
    assert found.code is grpc.StatusCode.PERMISSION_DENIED
    again = await call(kim, _connect("my-bot"))
    assert not again.created
    assert again.token != reply.token
    assert await store.tokens.lookup(reply.token) is None


async def test_an_endpoint_is_looked_at_and_shown_to_its_owner_alone(
    kim: Api, lee: Api, store: Store
) -> None:
    """SS05"""
    kind = bots_pb2.VERSION_KIND_ENDPOINT
    for address, words in (("", "is missing"), ("127.0.0.1:6379", "not a public address")):
        head = header(kind=kind, endpoint=address)
        found = await refused(call(kim, head))
        assert found.detail.subject == "header.endpoint"
        assert words in found.message
    made = await call(kim, header(kind=kind, endpoint="bot.example:7800"))
    assert made.version.endpoint == "bot.example:7800"
    assert made.token
    seen = await lee(lee.bots.GetVersion, bots_pb2.GetVersionRequest(name="bots/my-bot@1"))
    assert seen.version.endpoint == ""


async def test_ss07_names_of_others_and_look_alikes_are_refused(kim: Api, lee: Api) -> None:
    await submit(kim, archive())
    for api, bot, words in (
        (lee, "my-bot", "bots/my-bot belongs to somebody else"),
        (lee, "my-b0t", "bots/my-b0t looks like bots/my-bot"),
        (kim, "mybot", "bots/mybot looks like bots/my-bot"),
    ):
        found = await refused(call(api, _connect(bot)))
        assert found.code is grpc.StatusCode.ALREADY_EXISTS
        assert found.message == words
        assert found.detail.hint == "Choose another name."
    # Nobody has to send 60 MB to be told that.
    found = await refused(call(lee, header(archive())))
    assert found.message == "bots/my-bot belongs to somebody else"


OWN = {
    "GetVersionLog": lambda name: bots_pb2.GetVersionLogRequest(name=name),
    "ActivateVersion": lambda name: bots_pb2.ActivateVersionRequest(name=name),
    "RetireVersion": lambda name: bots_pb2.RetireVersionRequest(name=name),
    "RotateBotToken": lambda name: bots_pb2.RotateBotTokenRequest(name=name),
}


@pytest.mark.parametrize("method", OWN)
async def test_ss09_only_its_owner_and_admins_handle_a_version(
    admin: Api, kim: Api, lee: Api, worker: Api, store: Store, method: str
) -> None:
    kind = bots_pb2.VERSION_KIND_CONNECT
    await call(kim, header(kind=kind))
    claim = None
    await store.bots.set_online("my-bot@1", "test", "sdk", 60)
    while claim is None:
        claim = await store.versions.claim_pending(60_000)
    await store.versions.set_state("my-bot@1", VersionState.ACTIVE, lease=claim.lease)
    request = OWN[method]("bots/my-bot@1")
    for other in (lee, worker):
        found = await other.refused(getattr(other.bots, method), request)
        assert found.code is grpc.StatusCode.PERMISSION_DENIED
    found = await lee.refused(getattr(lee.bots, method), request)
    assert found.message == "bots/my-bot@1 is not yours"
    assert "kim" not in str(found)
    if method in ("RetireVersion", "RotateBotToken"):
        found = await lee.refused(getattr(lee.bots, method), OWN[method]("bots/my-bot"))
        assert found.code is grpc.StatusCode.PERMISSION_DENIED
    for mine in (kim, admin):
        await mine(getattr(mine.bots, method), request)
    missing = await kim.refused(getattr(kim.bots, method), OWN[method]("bots/my-bot@9"))
    assert missing.code is grpc.StatusCode.NOT_FOUND


async def test_lr02_a_log_is_read_by_its_owner(kim: Api, store: Store) -> None:
    await version(store, "my-bot", "kim")
    match = "cup-1a2b3c-01-001-000001-000000-00"
    await store.versions.put_log("my-bot@1", "qualifying", "hello\n")
    await store.versions.put_log("my-bot@1", match, "killed by signal 9: out of memory\n")
    request = bots_pb2.GetVersionLogRequest(name="bots/my-bot@1")
    reply = await kim(kim.bots.GetVersionLog, request)
    assert [(log.match, log.text) for log in reply.logs] == [
        (f"matches/{match}", "killed by signal 9: out of memory\n"),
        ("qualifying", "hello\n"),
    ]
    request.match = match
    assert len((await kim(kim.bots.GetVersionLog, request)).logs) == 1


async def test_the_life_of_versions(kim: Api, store: Store) -> None:
    for _ in range(2):
        await version(store, "my-bot", "kim")
    activate = bots_pb2.ActivateVersionRequest(name="bots/my-bot@1")
    back = await kim(kim.bots.ActivateVersion, activate)
    assert back.version.state == bots_pb2.VERSION_STATE_ACTIVE
    retire = bots_pb2.RetireVersionRequest(name="bots/my-bot", reason="a bug")
    gone = await kim(kim.bots.RetireVersion, retire)
    assert (gone.version.name, gone.version.reason) == ("bots/my-bot@1", "a bug")
    found = await kim.refused(kim.bots.RetireVersion, retire)
    assert found.message == "bots/my-bot has no active version"
    listed = await kim(kim.bots.ListVersions, bots_pb2.ListVersionsRequest(bot="bots/my-bot"))
    assert [v.state for v in listed.versions] == [
        bots_pb2.VERSION_STATE_REPLACED,
        bots_pb2.VERSION_STATE_RETIRED,
    ]
    await submit(kim, archive())
    found = await kim.refused(
        kim.bots.ActivateVersion, bots_pb2.ActivateVersionRequest(name="bots/my-bot@3")
    )
    assert found.code is grpc.StatusCode.FAILED_PRECONDITION
    assert found.message == "bots/my-bot@3 is pending"
    found = await kim.refused(
        kim.bots.RotateBotToken, bots_pb2.RotateBotTokenRequest(name="bots/my-bot")
    )
    assert found.message == "the platform hosts bots/my-bot@3"


async def test_an_unknown_bot_has_no_versions(kim: Api) -> None:
    request = bots_pb2.ListVersionsRequest(bot="bots/nobody")
    assert (await kim.refused(kim.bots.ListVersions, request)).code is grpc.StatusCode.NOT_FOUND


async def test_a_store_of_blobs_that_fails_is_the_platforms_fault(
    kim: Api,
    store: Store,
    data_dir: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(_self: Blobs, _stream: object) -> str:
        raise BlobError(f"a blob cannot be written below {data_dir}")

    monkeypatch.setattr(Blobs, "put", broken)
    data = archive()
    found = await refused(call(kim, header(data), data))
    assert found.code is grpc.StatusCode.UNAVAILABLE
    assert found.detail.retry_after_ms > 0
    assert str(data_dir) not in str(found)
    assert "blob" in caplog.text
    assert await store.bots.get("my-bot") is None
