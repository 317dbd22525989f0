"""Owners and tokens: who may make, see and revoke which (SS08, SS09)."""

from __future__ import annotations

import grpc
import pytest
from services_kit import Api

from arbiter.store import Role, Store
from hearts.v1 import bots_pb2, owners_pb2


async def new_owner(admin: Api, name: str) -> Api:
    request = owners_pb2.CreateOwnerRequest(owner=owners_pb2.Owner(name=f"owners/{name}"))
    reply = await admin(admin.owners.CreateOwner, request)
    return Api(admin.channel, reply.token)


async def test_an_owner_is_registered_with_a_token_of_its_own(admin: Api) -> None:
    kim = await new_owner(admin, "kim")
    who = await kim(kim.owners.GetCaller, owners_pb2.GetCallerRequest())
    assert (who.role, who.owner) == (owners_pb2.ROLE_OWNER, "owners/kim")
    me = await kim(kim.owners.GetOwner, owners_pb2.GetOwnerRequest())
    assert me.owner.name == "owners/kim"
    assert me.owner.quota.max_bots > 0
    for name, words in (("kim", "is taken"), ("k1m", "looks like owners/kim")):
        request = owners_pb2.CreateOwnerRequest(owner=owners_pb2.Owner(name=f"owners/{name}"))
        found = await admin.refused(admin.owners.CreateOwner, request)
        assert found.code is grpc.StatusCode.ALREADY_EXISTS
        assert found.message == f"owners/{name} {words}"
    await new_owner(admin, "lee")
    listed = await admin(admin.owners.ListOwners, owners_pb2.ListOwnersRequest())
    assert [owner.name for owner in listed.owners] == ["owners/kim", "owners/lee"]


async def test_ss07_names_of_owners(admin: Api) -> None:
    for name in ("", "kim", "owners/K", "owners/<b>kim", "owners/ki\x1bm", "owners/" + "k" * 33):
        request = owners_pb2.CreateOwnerRequest(owner=owners_pb2.Owner(name=name))
        found = await admin.refused(admin.owners.CreateOwner, request)
        assert found.code is grpc.StatusCode.INVALID_ARGUMENT
        assert found.detail.subject == "owner.name"


async def test_a_token_is_shown_once_and_revoked_by_how_it_begins(
    admin: Api, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    kim = await new_owner(admin, "kim")
    made = await kim(kim.owners.CreateToken, owners_pb2.CreateTokenRequest(
        role=owners_pb2.ROLE_OWNER, label="laptop"
    ))  # fmt: skip
    laptop = Api(admin.channel, made.secret)
    assert made.secret.startswith(made.token.prefix)
    assert len(made.token.prefix) == 12
    listed = await laptop(laptop.owners.ListTokens, owners_pb2.ListTokensRequest())
    assert [token.label for token in listed.tokens] == ["the first", "laptop"]
    assert made.secret not in str(listed)

    # The whole token given by mistake is not repeated.
    revoked = await kim(kim.owners.RevokeToken, owners_pb2.RevokeTokenRequest(prefix=made.secret))
    assert made.secret not in str(revoked)
    found = await laptop.refused(laptop.bots.ListBots, bots_pb2.ListBotsRequest())
    assert found.code is grpc.StatusCode.UNAUTHENTICATED
    again = await kim.refused(
        kim.owners.RevokeToken, owners_pb2.RevokeTokenRequest(prefix=made.token.prefix)
    )
    assert again.code is grpc.StatusCode.NOT_FOUND
    for token in (admin.token, kim.token, made.secret):
        assert token not in caplog.text
    assert made.token.prefix in caplog.text


async def test_ss09_owners_handle_their_own_tokens_only(admin: Api, kim: Api, lee: Api) -> None:
    prefix = kim.token[:12]
    found = await lee.refused(lee.owners.RevokeToken, owners_pb2.RevokeTokenRequest(prefix=prefix))
    nobody = await lee.refused(
        lee.owners.RevokeToken, owners_pb2.RevokeTokenRequest(prefix="hrt_nothing0")
    )
    # Another's and none look the same.
    assert (found.code, found.message) == (nobody.code, nobody.message)
    for request in (
        owners_pb2.ListTokensRequest(owner="owners/kim"),
        owners_pb2.ListTokensRequest(owner="owners/nobody"),
    ):
        denied = await lee.refused(lee.owners.ListTokens, request)
        assert denied.code is grpc.StatusCode.PERMISSION_DENIED
    denied = await lee.refused(lee.owners.GetOwner, owners_pb2.GetOwnerRequest(name="owners/kim"))
    assert denied.code is grpc.StatusCode.PERMISSION_DENIED
    denied = await lee.refused(
        lee.owners.CreateToken,
        owners_pb2.CreateTokenRequest(role=owners_pb2.ROLE_OWNER, owner="owners/kim"),
    )
    assert denied.code is grpc.StatusCode.PERMISSION_DENIED
    for role in (owners_pb2.ROLE_ADMIN, owners_pb2.ROLE_WORKER, owners_pb2.ROLE_BOT, 0, 99):
        found = await lee.refused(lee.owners.CreateToken, owners_pb2.CreateTokenRequest(role=role))
        assert found.detail.subject == "role"
        assert list(found.detail.allowed) == ["ROLE_OWNER"]
    assert await kim(kim.owners.GetCaller, owners_pb2.GetCallerRequest())


async def test_an_admin_makes_tokens_of_every_role_but_a_bots(admin: Api, store: Store) -> None:
    await store.owners.create("kim")
    for role, wanted in (
        (owners_pb2.ROLE_ADMIN, Role.ADMIN),
        (owners_pb2.ROLE_WORKER, Role.WORKER),
        (owners_pb2.ROLE_SPECTATOR, Role.SPECTATOR),
    ):
        made = await admin(admin.owners.CreateToken, owners_pb2.CreateTokenRequest(role=role))
        identity = await store.tokens.lookup(made.secret)
        assert identity is not None
        assert (identity.role, identity.subject) == (wanted, "")
    for request, subject in (
        (owners_pb2.CreateTokenRequest(role=owners_pb2.ROLE_BOT), "role"),
        (owners_pb2.CreateTokenRequest(role=owners_pb2.ROLE_OWNER), "owner"),
        (
            owners_pb2.CreateTokenRequest(role=owners_pb2.ROLE_WORKER, owner="owners/kim"),
            "owner",
        ),
    ):
        found = await admin.refused(admin.owners.CreateToken, request)
        assert found.code is grpc.StatusCode.INVALID_ARGUMENT
        assert found.detail.subject == subject
    listed = await admin(admin.owners.ListTokens, owners_pb2.ListTokensRequest())
    assert [token.role for token in listed.tokens] == [
        owners_pb2.ROLE_ADMIN,
        owners_pb2.ROLE_ADMIN,
        owners_pb2.ROLE_WORKER,
        owners_pb2.ROLE_SPECTATOR,
    ]
    mine = await admin.refused(admin.owners.GetOwner, owners_pb2.GetOwnerRequest())
    assert mine.detail.subject == "name"
