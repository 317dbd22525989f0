"""`hearts bots submit` and its kin, and `hearts owners`, against a server that answers from
scripts."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from arbiter.submissions import manifest, unpack
from client_sdk.cli.packing import MANIFEST, package
from hearts.v1 import bots_pb2, errors_pb2, owners_pb2
from tests.cli.conftest import Run
from tests.cli.fake_server import Fake, refuse

TOKEN = "hrt_" + "x" * 43
TOML = 'name = "my-bot"\ncommand = "./run"\n'
ACTIVE = bots_pb2.VERSION_STATE_ACTIVE
PENDING = bots_pb2.VERSION_STATE_PENDING
REJECTED = bots_pb2.VERSION_STATE_REJECTED


def version(state: Any = ACTIVE, number: int = 1, **fields: Any) -> bots_pb2.Version:
    return bots_pb2.Version(
        name=f"bots/my-bot@{number}",
        owner="owners/kim",
        kind=bots_pb2.VERSION_KIND_BINARY,
        state=state,
        **fields,
    )


def folder(tmp_path: Path, text: str = TOML) -> Path:
    made = tmp_path / "my bot"
    (made / "src").mkdir(parents=True)
    (made / ".git").mkdir()
    (made / ".git" / "secret").write_text("x")
    (made / MANIFEST).write_text(text)
    (made / "run").write_text("#!/bin/sh\n")
    (made / "run").chmod(0o755)
    (made / "src" / "more.txt").write_text("more")
    return made


class Received:
    """Answers SubmitVersion, and keeps what came."""

    def __init__(self, state: Any = ACTIVE, token: str = "", **fields: Any) -> None:
        self.reply = bots_pb2.SubmitVersionResponse(
            version=version(state, **fields), token=token, created=True
        )

    def __call__(self, requests: Any) -> bots_pb2.SubmitVersionResponse:
        first, *rest = requests
        self.header: bots_pb2.VersionHeader = first.header
        self.data = b"".join(request.chunk for request in rest)
        return self.reply


def names(data: bytes) -> dict[str, int]:
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        return {entry.name: entry.mode for entry in tar}


def test_a_folder_is_sent_as_one_archive(fake: Fake, hearts: Run, tmp_path: Path) -> None:
    received = Received()
    fake.on("SubmitVersion", received)
    ran = hearts("bots", "submit", folder(tmp_path), "--server", fake.address, "--token", TOKEN)
    assert ran.code == 0
    assert ran.out.splitlines()[-2:] == ["submitted my-bot@1", "my-bot@1 is active"]
    head = received.header
    assert (head.bot, head.kind) == ("bots/my-bot", bots_pb2.VERSION_KIND_BINARY)
    assert head.size == len(received.data)
    assert head.sha256 == hashlib.sha256(received.data).hexdigest()
    assert names(received.data) == {MANIFEST: 0o644, "run": 0o755, "src/more.txt": 0o644}
    assert TOKEN not in ran.out + ran.err


def test_the_same_files_are_the_same_bytes_and_the_server_can_read_them(tmp_path: Path) -> None:
    """So that a repeat is noticed; and nothing is left on the disk."""
    made = folder(tmp_path)
    with package(made) as first:
        data = first.file.read()
    (made / "run").touch()
    with package(made) as second:
        assert second.sha256 == first.sha256
    (tmp_path / "sent").write_bytes(data)
    found = unpack.inspect(tmp_path / "sent").manifest
    assert found is not None
    assert manifest.parse(found).command == ("./run",)


def test_a_program_alone_gets_a_bot_toml(fake: Fake, hearts: Run, tmp_path: Path) -> None:
    received = Received()
    fake.on("SubmitVersion", received)
    program = tmp_path / "Duck Two.py"
    program.write_text("print()\n")
    ran = hearts("bots", "submit", program, "--server", fake.address, "--name", "duck-2")
    assert ran.code == 0
    assert "a bot.toml is made for it" in ran.out
    (tmp_path / "sent").write_bytes(received.data)
    found = unpack.inspect(tmp_path / "sent").manifest
    assert found is not None
    parsed = manifest.parse(found)
    assert (parsed.name, parsed.command) == ("duck-2", ("python3", "Duck Two.py"))


@pytest.mark.parametrize("kind", ["tar.gz", "zip"])
def test_an_archive_is_sent_as_it_is(fake: Fake, hearts: Run, tmp_path: Path, kind: str) -> None:
    received = Received()
    fake.on("SubmitVersion", received)
    path = tmp_path / f"bot.{kind}"
    if kind == "zip":
        with zipfile.ZipFile(path, "w") as packed:
            packed.writestr("top/bot.toml", TOML)
    else:
        with package(folder(tmp_path)) as made:
            path.write_bytes(made.file.read())
    assert hearts("bots", "submit", path, "--server", fake.address).code == 0
    assert received.header.bot == "bots/my-bot"
    assert received.data == path.read_bytes()


def test_what_no_server_would_take_is_not_sent(fake: Fake, hearts: Run, tmp_path: Path) -> None:
    good = folder(tmp_path)
    link = folder(tmp_path / "link")
    (link / "passwords").symlink_to("/etc/passwd")
    bare = tmp_path / "bare"
    bare.mkdir()
    nameless = folder(tmp_path / "nameless", 'command = "x"\n')
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"PK")
    for arguments, words in (
        ((), "say what to submit"),
        ((good, "--connect"), "say what to submit"),
        ((tmp_path / "nothing",), "there is no"),
        ((bare,), "has no bot.toml"),
        ((nameless,), "has no name"),
        ((link,), "is a link or no ordinary file"),
        ((broken,), "is no archive that can be read"),
        ((good, "--name", "your-bot"), "calls the bot 'my-bot', and you call it 'your-bot'"),
        (("--connect",), "the bot has no name"),
    ):
        ran = hearts("bots", "submit", *arguments, "--server", fake.address)
        assert ran.code == 2, ran
        assert words in ran.err.replace("\n", " "), ran
    assert fake.asked == []


def test_how_it_ended_is_the_exit_code(fake: Fake, hearts: Run, tmp_path: Path) -> None:
    """UX05"""
    made = folder(tmp_path)
    fake.on("SubmitVersion", Received(PENDING))
    fake.on("GetVersion", bots_pb2.GetVersionResponse(
        version=version(REJECTED, reason="exit code 1 before its Hello")
    ))  # fmt: skip
    ran = hearts("bots", "submit", made, "--server", fake.address)
    assert ran.code == 3
    assert ran.err.splitlines() == [
        "error: my-bot@1 is rejected: exit code 1 before its Hello",
        "  next: hearts bots log my-bot@1",
    ]
    still = version(PENDING, reason="no worker can host")
    fake.on("GetVersion", bots_pb2.GetVersionResponse(version=still))
    ran = hearts("bots", "submit", made, "--server", fake.address, "--wait", "0.2")
    assert ran.code == 4
    assert "my-bot@1 is not qualified yet" in ran.err
    ran = hearts("bots", "submit", made, "--server", fake.address, "--wait", "0", "--json")
    assert ran.code == 0
    assert json.loads(ran.out)["state"] == "VERSION_STATE_PENDING"


def test_one_that_dials_in_gets_its_token_and_the_line_to_run(
    fake: Fake, hearts: Run, tmp_path: Path
) -> None:
    received = Received(PENDING, TOKEN)
    received.reply.version.kind = bots_pb2.VERSION_KIND_CONNECT
    fake.on("SubmitVersion", received)
    submit = ("bots", "submit", "--connect", "--name", "my-bot", "--server", fake.address)
    ran = hearts(*submit)
    assert ran.code == 0
    assert f"shown this once: {TOKEN}" in ran.out
    # The line to run leaves the token out: it would be in the shell's history.
    [line] = [line for line in ran.out.splitlines() if "python my_bot.py" in line]
    assert TOKEN not in line
    saved = tmp_path / "my-bot.token"
    ran = hearts(*submit, "--save", saved)
    assert TOKEN not in ran.out
    assert saved.read_text() == TOKEN + "\n"
    assert f'HEARTS_TOKEN="$(cat {saved})" python my_bot.py' in ran.out
    assert hearts(*submit, "--save", saved).code == 2
    ran = hearts(*submit, "--json")
    assert json.loads(ran.out)["token"] == TOKEN


def test_a_quota_says_when_to_try_again(fake: Fake, hearts: Run, tmp_path: Path) -> None:
    fake.on("SubmitVersion", refuse(
        "RESOURCE_EXHAUSTED",
        "you have submitted as many versions within 24 hours as you may",
        reason=errors_pb2.ERROR_REASON_LIMIT_REACHED,
        hint="Try again then.",
        retry_after_ms=7_500_000,
    ))  # fmt: skip
    ran = hearts("bots", "submit", folder(tmp_path), "--server", fake.address)
    assert ran.code == 2
    assert "  next: try again in 2 h 5 min; Try again then." in ran.err


def test_what_is_somebody_elses_is_told_apart_from_no_token(fake: Fake, hearts: Run) -> None:
    fake.on("RetireVersion", refuse(
        "PERMISSION_DENIED", "bots/my-bot@1 is not yours", subject="bots/my-bot@1",
        hint="Only its owner and admins may do this.",
    ))  # fmt: skip
    ran = hearts("bots", "retire", "my-bot@1", "--server", fake.address)
    assert ran.code == 2
    assert "Only its owner and admins may do this." in ran.err
    assert "--token-file" not in ran.err


def test_a_log_cannot_steer_the_terminal(fake: Fake, hearts: Run) -> None:
    """SS07, LR02: the newest last, where one looks."""
    logs = [
        bots_pb2.VersionLog(match="matches/m-2", text="\x1b[2Jred\nkilled by signal 9\n"),
        bots_pb2.VersionLog(match="qualifying", text="hello\n"),
    ]
    reply = bots_pb2.GetVersionLogResponse(version=version(), logs=logs)
    fake.on("ListVersions", bots_pb2.ListVersionsResponse(versions=[version(number=2), version()]))
    fake.on("GetVersionLog", reply)
    ran = hearts("bots", "log", "my-bot", "--server", fake.address)
    assert ran.out.splitlines() == [
        "── qualifying ──",
        "hello",
        "── m-2 ──",
        "\\x1b[2Jred",
        "killed by signal 9",
    ]
    assert fake.asked[-1][1].name == "bots/my-bot@2"
    fake.on("ListVersions", bots_pb2.ListVersionsResponse())
    assert "has no versions" in hearts("bots", "log", "my-bot", "--server", fake.address).err


def test_ch10_why_a_version_is_benched_is_in_plain_sight(fake: Fake, hearts: Run) -> None:
    benched = version(
        bots_pb2.VERSION_STATE_BENCHED, reason="5 failed matches in a row, the last one m-5"
    )
    bot = bots_pb2.Bot(name="bots/my-bot", owner="owners/kim", versions=1)
    fake.on("GetBot", bots_pb2.GetBotResponse(bot=bot))
    fake.on("ListVersions", bots_pb2.ListVersionsResponse(versions=[benched]))
    fake.on("GetVersion", bots_pb2.GetVersionResponse(version=benched))
    fake.on("ActivateVersion", bots_pb2.ActivateVersionResponse(version=version()))
    ran = hearts("bots", "show", "my-bot", "--server", fake.address)
    assert "plays as     nobody" in ran.out
    assert "5 failed matches in a row, the last one m-5" in ran.out
    ran = hearts("bots", "show", "my-bot@1", "--server", fake.address)
    assert "benched since" in ran.out
    ran = hearts("bots", "activate", "my-bot@1", "--server", fake.address)
    assert ran.out == "my-bot@1 is active\n"
    ran = hearts("bots", "show", "my-bot", "--json", "--server", fake.address)
    assert json.loads(ran.out)["version_list"][0]["state"] == "VERSION_STATE_BENCHED"


def test_a_new_token_goes_to_a_file(fake: Fake, hearts: Run, tmp_path: Path) -> None:
    reply = bots_pb2.RotateBotTokenResponse(token=TOKEN, name="bots/my-bot@1")
    fake.on("RotateBotToken", reply)
    saved = tmp_path / "new.token"
    ran = hearts("bots", "rotate-token", "my-bot", "--save", saved, "--server", fake.address)
    assert ran.out == f"the new token of my-bot@1 is in {saved}\n"
    assert saved.read_text() == TOKEN + "\n"


def test_owners_and_tokens(fake: Fake, hearts: Run, tmp_path: Path) -> None:
    quota = owners_pb2.Quota(max_bots=20, max_versions=50, used_versions=3, used_bytes=1536)
    owner = owners_pb2.Owner(name="owners/kim", label="Kim", bots=2, quota=quota)
    row = owners_pb2.Token(prefix="hrt_abcdefgh", role=owners_pb2.ROLE_OWNER, owner="owners/kim")
    fake.on("CreateOwner", owners_pb2.CreateOwnerResponse(owner=owner, token=TOKEN))
    fake.on("GetOwner", owners_pb2.GetOwnerResponse(owner=owner))
    fake.on("ListOwners", owners_pb2.ListOwnersResponse(owners=[owner]))
    fake.on("ListTokens", owners_pb2.ListTokensResponse(tokens=[row]))
    fake.on("CreateToken", owners_pb2.CreateTokenResponse(token=row, secret=TOKEN))
    fake.on("RevokeToken", owners_pb2.RevokeTokenResponse(token=row))
    fake.on("GetCaller", owners_pb2.GetCallerResponse(
        role=owners_pb2.ROLE_OWNER, owner="owners/kim"
    ))  # fmt: skip

    def said(*arguments: str | Path) -> str:
        ran = hearts("owners", *arguments, "--server", fake.address)
        assert ran.code == 0, ran
        return ran.out

    assert f"shown this once: {TOKEN}" in said("create", "kim")
    saved = tmp_path / "kim.token"
    assert TOKEN not in said("create", "kim", "--save", saved)
    assert saved.read_text() == TOKEN + "\n"
    assert "2 of 20  3 of 50   1.5 KiB" in said("show")
    assert "kim" in said("list")
    assert said("whoami") == "owner kim\n"
    assert "hrt_abcdefgh…" in said("tokens")
    assert TOKEN in said("add-token", "--label", "laptop")
    assert fake.asked[-1][1].label == "laptop"
    assert said("revoke", "hrt_abcdefgh") == "revoked hrt_abcdefgh…\n"
    assert json.loads(said("show", "--json"))["quota"]["used_bytes"] == "1536"
