"""Nobody gets in without the right token (SS09), and nobody learns why not (SS08)."""

from __future__ import annotations

from typing import Any

import grpc.aio
import pytest
from google.protobuf.message_factory import GetMessageClass
from services_kit import Api, Refused, refused

from arbiter.server import Arbiter
from arbiter.services.auth import CACHE_SECONDS, MAX_TOKEN, ROLES, Authority
from arbiter.services.refusals import Refusal
from arbiter.store import Identity, Role, Store, TournamentRow, Version, VersionKind
from hearts.v1 import (
    arbiter_pb2,
    bots_pb2,
    errors_pb2,
    matches_pb2,
    owners_pb2,
    play_pb2,
    ratings_pb2,
    tournaments_pb2,
)

FILES = (
    arbiter_pb2,
    bots_pb2,
    matches_pb2,
    owners_pb2,
    play_pb2,
    ratings_pb2,
    tournaments_pb2,
)
METHODS = {
    f"/{service.full_name}/{method.name}": method
    for file in FILES
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
}


SUBJECTS = {Role.BOT: "anna", Role.OWNER: "kim"}


def call(
    channel: grpc.aio.Channel, name: str, token: str | None, request: Any | None = None
) -> Any:
    """Call a method, known by its descriptor only, with an empty request or this one."""
    method = METHODS[name]
    kind = {
        (False, False): channel.unary_unary,
        (False, True): channel.unary_stream,
        (True, False): channel.stream_unary,
        (True, True): channel.stream_stream,
    }[method.client_streaming, method.server_streaming]
    made = kind(
        name,
        request_serializer=lambda message: message.SerializeToString(),
        response_deserializer=GetMessageClass(method.output_type).FromString,
    )
    if request is None:
        request = GetMessageClass(method.input_type)()
    metadata = () if token is None else (("authorization", token),)
    return made(
        iter([request]) if method.client_streaming else request, timeout=5, metadata=metadata
    )


async def answer(
    channel: grpc.aio.Channel, name: str, token: str | None, request: Any | None = None
) -> Refused:
    made = call(channel, name, token, request)
    if isinstance(made, grpc.aio.StreamStreamCall):
        with pytest.raises(grpc.aio.AioRpcError):
            await made.read()
        return await refused(_ended(made))
    return await refused(made)


def _ended(made: Any) -> Any:
    """A call whose status can be read, and awaiting which raises its error."""

    class Ended:
        code, details, trailing_metadata = made.code, made.details, made.trailing_metadata

        def __await__(self) -> Any:
            return made.read().__await__()

    return Ended()


def test_ss09_every_method_says_who_may_call_it() -> None:
    """A new RPC fails here until the table of roles has it."""
    assert set(METHODS) == set(ROLES)
    assert all(roles for roles in ROLES.values())


# One test for all methods: an arbiter for each of some fifty takes a minute.


async def test_ss09_without_a_token(channel: grpc.aio.Channel) -> None:
    for name in sorted(METHODS):
        found = await answer(channel, name, None)
        assert found.code == grpc.StatusCode.UNAUTHENTICATED, name
        assert found.detail.reason == errors_pb2.ERROR_REASON_UNAUTHENTICATED, name
        assert "Bearer" in found.detail.hint


async def test_ss09_with_a_revoked_token(channel: grpc.aio.Channel, store: Store) -> None:
    for role in Role:
        token = await store.tokens.create(role, SUBJECTS.get(role, ""))
        await store.tokens.revoke_all(role, SUBJECTS.get(role, ""))
        for name in sorted(name for name in METHODS if role in ROLES[name]):
            found = await answer(channel, name, f"Bearer {token}")
            assert found.code == grpc.StatusCode.UNAUTHENTICATED, (name, role)
            assert token not in f"{found}"


async def test_ss09_with_a_token_of_another_role(channel: grpc.aio.Channel, store: Store) -> None:
    for role in Role:
        token = await store.tokens.create(role, SUBJECTS.get(role, ""))
        for name in sorted(name for name in METHODS if role not in ROLES[name]):
            found = await answer(channel, name, f"Bearer {token}")
            assert found.code == grpc.StatusCode.PERMISSION_DENIED, (name, role)
            assert found.detail.reason == errors_pb2.ERROR_REASON_PERMISSION_DENIED
            assert list(found.detail.allowed) == sorted(ROLES[name])
            assert token not in f"{found}"


async def test_ss09_the_right_role_gets_past_the_guard(
    channel: grpc.aio.Channel, store: Store
) -> None:
    for role in Role:
        token = await store.tokens.create(role, SUBJECTS.get(role, ""))
        for name in sorted(name for name in METHODS if role in ROLES[name]):
            code = await call(channel, name, f"Bearer {token}").code()
            assert code not in (
                grpc.StatusCode.UNAUTHENTICATED,
                grpc.StatusCode.PERMISSION_DENIED,
                grpc.StatusCode.INTERNAL,
                grpc.StatusCode.UNKNOWN,
            ), (name, role)


def test_ss09_a_bots_token_can_only_play() -> None:
    """Also one's that the platform hosts: with more than its stream it could look at the records
    of boards that it has yet to play."""
    assert [name for name, roles in ROLES.items() if Role.BOT in roles] == [
        "/hearts.v1.PlayService/Play"
    ]


SUBMISSION = bots_pb2.VersionHeader(
    bot="bots/kims-bot", kind=bots_pb2.VERSION_KIND_CONNECT, request_id="r1"
)
VERSION = "bots/kims-bot@1"
DENIED, NOT_FOUND = grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.NOT_FOUND
OF_ANOTHER: dict[str, tuple[Any, grpc.StatusCode]] = {
    "BotsService/SubmitVersion": (
        bots_pb2.SubmitVersionRequest(header=SUBMISSION),
        grpc.StatusCode.ALREADY_EXISTS,
    ),
    "BotsService/GetVersionLog": (bots_pb2.GetVersionLogRequest(name=VERSION), DENIED),
    "BotsService/ActivateVersion": (bots_pb2.ActivateVersionRequest(name=VERSION), DENIED),
    "BotsService/RetireVersion": (bots_pb2.RetireVersionRequest(name=VERSION), DENIED),
    "BotsService/RotateBotToken": (bots_pb2.RotateBotTokenRequest(name=VERSION), DENIED),
    "OwnersService/GetOwner": (owners_pb2.GetOwnerRequest(name="owners/kim"), DENIED),
    "OwnersService/CreateToken": (
        owners_pb2.CreateTokenRequest(role=owners_pb2.ROLE_OWNER, owner="owners/kim"),
        DENIED,
    ),
    "OwnersService/ListTokens": (owners_pb2.ListTokensRequest(owner="owners/kim"), DENIED),
    # Whether there is such a token is nobody else's business.
    "OwnersService/RevokeToken": (owners_pb2.RevokeTokenRequest(prefix="hrt_12345678"), NOT_FOUND),
    "TournamentsService/EnterTournament": (
        tournaments_pb2.EnterTournamentRequest(name="tournaments/cup", bot="bots/kims-bot"),
        DENIED,
    ),
    "TournamentsService/WithdrawFromTournament": (
        tournaments_pb2.WithdrawFromTournamentRequest(name="tournaments/cup", bot="bots/kims-bot"),
        DENIED,
    ),
}
"""What an owner may do with its own, asked for another's; and the answer."""


async def test_ss09_with_the_token_of_another_owner(
    channel: grpc.aio.Channel, store: Store, kim: Api, lee: Api
) -> None:
    """A new method that owners may call, and not everybody, fails here until it is in the table."""
    everybody = ROLES["/hearts.v1.BotsService/GetBot"]
    asked = {name for name, roles in ROLES.items() if Role.OWNER in roles and roles != everybody}
    assert {f"/hearts.v1.{name}" for name in OF_ANOTHER} == asked
    await store.versions.create(Version("kims-bot", 0, VersionKind.CONNECT, "kim"))
    spec = tournaments_pb2.TournamentSpec(title="Cup").SerializeToString()
    await store.tournaments.create(TournamentRow("cup", spec, b"secret", True))
    for name, (request, code) in OF_ANOTHER.items():
        found = await answer(channel, f"/hearts.v1.{name}", f"Bearer {lee.token}", request)
        assert found.code == code, (name, found)
        assert kim.token not in f"{found}"


async def test_ss08_unknown_and_malformed_tokens_get_one_answer(
    channel: grpc.aio.Channel, admin: Api
) -> None:
    name = "/hearts.v1.BotsService/ListBots"
    tokens = [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Bearer hrt_" + "A" * 43,
        "Bearer " + admin.token[:-1],
        "Bearer  " + admin.token,
        "Basic " + admin.token,
        admin.token,
        "Bearer " + "A" * (MAX_TOKEN + 1),
        f"Bearer {admin.token} {admin.token}",
    ]
    answers = [await answer(channel, name, token) for token in tokens]
    assert {(a.code, a.message, str(a.detail)) for a in answers} == {
        (answers[0].code, answers[0].message, str(answers[0].detail))
    }
    good = await call(channel, name, f"bearer {admin.token}")
    assert not good.bots


async def test_two_tokens_are_no_token(channel: grpc.aio.Channel, admin: Api) -> None:
    made = admin.bots.ListBots(
        bots_pb2.ListBotsRequest(),
        timeout=5,
        metadata=(("authorization", f"Bearer {admin.token}"),) * 2,
    )
    assert (await refused(made)).code == grpc.StatusCode.UNAUTHENTICATED


async def test_a_method_nobody_has_is_refused(channel: grpc.aio.Channel, admin: Api) -> None:
    for name in ("/hearts.v1.BotsService/DropEverything", "/x.Y/Z"):
        made = channel.unary_unary(name)(
            b"", timeout=5, metadata=(("authorization", f"Bearer {admin.token}"),)
        )
        assert (await refused(made)).code == grpc.StatusCode.PERMISSION_DENIED
        assert (await refused(channel.unary_unary(name)(b"", timeout=5))).code == (
            grpc.StatusCode.UNAUTHENTICATED
        )


async def test_a_request_that_is_no_message(channel: grpc.aio.Channel, admin: Api) -> None:
    made = channel.unary_unary("/hearts.v1.BotsService/GetBot")(
        b"\xff\xff\xff", timeout=5, metadata=(("authorization", f"Bearer {admin.token}"),)
    )
    assert (await refused(made)).code == grpc.StatusCode.INVALID_ARGUMENT


async def test_a_fault_shows_a_number_and_no_traceback(
    arbiter: Arbiter, admin: Api, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("the secret is 42")

    monkeypatch.setattr("arbiter.store.bots.Bots.get", broken)
    found = await admin.refused(admin.bots.GetBot, bots_pb2.GetBotRequest(name="bots/anna"))
    assert found.code == grpc.StatusCode.INTERNAL
    assert found.detail.reason == errors_pb2.ERROR_REASON_INTERNAL
    assert "secret" not in f"{found}"
    assert "RuntimeError" not in f"{found}"
    [entry] = [record for record in caplog.records if found.detail.value in record.message]
    assert entry.exc_info
    assert admin.token not in caplog.text


class Tokens:
    """A store of tokens that counts how often it is asked."""

    def __init__(self) -> None:
        self.known = {"good": Identity(Role.ADMIN, "")}
        self.asked = 0

    async def lookup(self, token: str) -> Identity | None:
        self.asked += 1
        return self.known.get(token)


async def test_busy_callers_cost_one_look_into_the_store() -> None:
    now = 0.0
    tokens = Tokens()
    authority = Authority(tokens, clock=lambda: now)
    metadata = (("authorization", "Bearer good"),)
    for _ in range(100):
        await authority.identify(metadata)
    assert tokens.asked == 1

    tokens.known.clear()  # revoked elsewhere: known here for a moment, not longer
    await authority.identify(metadata)
    now += CACHE_SECONDS
    with pytest.raises(Refusal):
        await authority.identify(metadata)
    assert CACHE_SECONDS <= 5


async def test_a_flood_of_made_up_tokens_is_not_kept() -> None:
    tokens = Tokens()
    authority = Authority(tokens)
    for number in range(6000):
        with pytest.raises(Refusal):
            await authority.identify((("authorization", f"Bearer t{number}"),))
    assert len(authority._known) <= 4096
