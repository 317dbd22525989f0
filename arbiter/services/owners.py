"""OwnersService."""

from __future__ import annotations

import logging
from typing import Any

import grpc.aio

from arbiter.services import fields, mapping
from arbiter.services.auth import Authority, caller, require_owner
from arbiter.services.refusals import Refusal, bad_value, missing, not_found
from arbiter.services.submitting import Submissions
from arbiter.settings import Settings
from arbiter.store import OwnerRow, Quota, Role, Store, TokenRow
from arbiter.store.errors import LooksAlike, NameTaken
from arbiter.store.tokens import PREFIX, prefix_of
from hearts.v1 import errors_pb2, owners_pb2, owners_pb2_grpc

log = logging.getLogger(__name__)

Context = grpc.aio.ServicerContext[Any, Any]
_SCOPE = "owners"
_MAX_LABEL = 100
_MAX_TOKENS = 50

_ROLES = {
    owners_pb2.ROLE_ADMIN: Role.ADMIN,
    owners_pb2.ROLE_OWNER: Role.OWNER,
    owners_pb2.ROLE_WORKER: Role.WORKER,
    owners_pb2.ROLE_SPECTATOR: Role.SPECTATOR,
    owners_pb2.ROLE_BOT: Role.BOT,
}
_ROLES_TO_WIRE = {role: number for number, role in _ROLES.items()}
_SHARED = (Role.ADMIN, Role.WORKER, Role.SPECTATOR)


class Owners(owners_pb2_grpc.OwnersServiceServicer):
    """Owners and the tokens of people and workers. A token is in an answer once, when it is made;
    logs name it by how it begins."""

    def __init__(self, store: Store, authority: Authority, settings: Settings) -> None:
        self._store = store
        self._authority = authority
        self._settings = settings

    async def CreateOwner(  # noqa: N802 - the name in the proto
        self, request: owners_pb2.CreateOwnerRequest, _context: Context
    ) -> owners_pb2.CreateOwnerResponse:
        """Register an owner."""
        if not request.HasField("owner"):
            raise missing("owner")
        name = fields.owner_id("owner.name", request.owner.name)
        label = fields.line("owner.label", request.owner.label, _MAX_LABEL)
        try:
            row = await self._store.owners.create(name, label)
        except (NameTaken, LooksAlike) as error:
            raise _taken(error) from None
        token = await self._store.tokens.create(Role.OWNER, name, "the first")
        log.info("owner %s created, token %s…", name, prefix_of(token))
        return owners_pb2.CreateOwnerResponse(owner=self._shown(row), token=token)

    async def GetOwner(  # noqa: N802 - the name in the proto
        self, request: owners_pb2.GetOwnerRequest, _context: Context
    ) -> owners_pb2.GetOwnerResponse:
        """One owner."""
        row = await self._row(self._owner("name", request.name))
        return owners_pb2.GetOwnerResponse(owner=self._shown(row))

    async def ListOwners(  # noqa: N802 - the name in the proto
        self, request: owners_pb2.ListOwnersRequest, _context: Context
    ) -> owners_pb2.ListOwnersResponse:
        """All owners, in order of name."""
        size = fields.page_size(request.page_size)
        after = fields.page_cursor(_SCOPE, request.page_token)
        rows = await self._store.owners.list(after, size + 1)
        page = rows[:size]
        return owners_pb2.ListOwnersResponse(
            owners=[self._shown(row) for row in page],
            next_page_token=fields.page_token(_SCOPE, page[-1].name) if len(rows) > size else "",
        )

    async def CreateToken(  # noqa: N802 - the name in the proto
        self, request: owners_pb2.CreateTokenRequest, _context: Context
    ) -> owners_pb2.CreateTokenResponse:
        """Another token."""
        label = fields.line("label", request.label, _MAX_LABEL)
        role = self._role(request.role)
        subject = ""
        if role is Role.OWNER:
            subject = (await self._row(self._owner("owner", request.owner))).name
        elif request.owner:
            raise bad_value("owner", request.owner, f"a token of role {role} has none", ["empty"])
        known = await self._store.tokens.list(role, subject)
        if len(known) >= _MAX_TOKENS:
            raise Refusal(
                errors_pb2.ERROR_REASON_LIMIT_REACHED,
                f"there are {len(known)} of these tokens already",
                hint="Revoke some that are not used any more.",
            )
        secret = await self._store.tokens.create(role, subject, label)
        log.info("token %s… of role %s %s created", prefix_of(secret), role, subject)
        row = await self._store.tokens.find(prefix_of(secret))
        return owners_pb2.CreateTokenResponse(token=_token(row), secret=secret)

    async def ListTokens(  # noqa: N802 - the name in the proto
        self, request: owners_pb2.ListTokensRequest, _context: Context
    ) -> owners_pb2.ListTokensResponse:
        """What tokens there are."""
        rows: list[TokenRow] = []
        if request.owner or caller().role is Role.OWNER:
            owner = (await self._row(self._owner("owner", request.owner))).name
            rows = await self._store.tokens.list(Role.OWNER, owner)
        else:
            for role in _SHARED:
                rows += await self._store.tokens.list(role)
            for row in await self._store.owners.list(limit=fields.MAX_PAGE):
                rows += await self._store.tokens.list(Role.OWNER, row.name)
        return owners_pb2.ListTokensResponse(tokens=[_token(row) for row in rows])

    async def RevokeToken(  # noqa: N802 - the name in the proto
        self, request: owners_pb2.RevokeTokenRequest, _context: Context
    ) -> owners_pb2.RevokeTokenResponse:
        """Make a token useless."""
        # Whoever gives the whole token by mistake must not read it in the answer.
        prefix = prefix_of(request.prefix)
        allowed = [f"{PREFIX} and 8 characters, as `hearts owners tokens` shows"]
        if not prefix:
            raise missing("prefix", allowed)
        row = await self._store.tokens.find(prefix)
        if row is None or not self._may_revoke(row):
            # Another's looks like none at all.
            raise not_found("token that begins like this", allowed[0])
        await self._store.tokens.revoke(prefix)
        self._authority.forget()
        log.info("token %s… of role %s %s revoked", prefix, row.role, row.subject)
        return owners_pb2.RevokeTokenResponse(token=_token(row))

    async def GetCaller(  # noqa: N802 - the name in the proto
        self, _request: owners_pb2.GetCallerRequest, _context: Context
    ) -> owners_pb2.GetCallerResponse:
        """Who calls."""
        who = caller()
        owner = f"owners/{who.subject}" if who.role is Role.OWNER else ""
        return owners_pb2.GetCallerResponse(role=_ROLES_TO_WIRE[who.role], owner=owner)

    @staticmethod
    def _owner(field: str, name: str) -> str:
        """The owner that is meant, the caller itself for "". Raises a Refusal for another's."""
        who = caller()
        if not name and who.role is Role.OWNER:
            return who.subject
        owner = fields.owner_id(field, name)
        require_owner(owner, name)
        return owner

    @staticmethod
    def _role(number: int) -> Role:
        role = _ROLES.get(number)  # type: ignore[call-overload]
        mine = caller().role is Role.ADMIN
        allowed = (Role.OWNER, *_SHARED) if mine else (Role.OWNER,)
        if role not in allowed:
            words = [f"ROLE_{each.upper()}" for each in allowed]
            raise bad_value("role", number, "is no role that you may give", words)
        return Role(role)

    @staticmethod
    def _may_revoke(row: TokenRow) -> bool:
        who = caller()
        return who.role is Role.ADMIN or (row.role, row.subject) == (Role.OWNER, who.subject)

    async def _row(self, name: str) -> OwnerRow:
        row = await self._store.owners.get(name)
        if row is None:
            raise not_found(f"owners/{name}")
        return row

    def _shown(self, row: OwnerRow) -> owners_pb2.Owner:
        quota = Submissions.allowance(self._settings)
        return owners_pb2.Owner(
            name=f"owners/{row.name}",
            label=row.label,
            create_time=mapping.time(row.create_ms),
            bots=row.bots,
            quota=_quota(quota, row),
        )


def _quota(quota: Quota, row: OwnerRow) -> owners_pb2.Quota:
    return owners_pb2.Quota(
        max_bots=quota.bots,
        max_versions=quota.versions,
        max_bytes=quota.bytes,
        used_versions=row.versions,
        used_bytes=row.bytes,
    )


def _taken(error: NameTaken | LooksAlike) -> Refusal:
    looks = f"looks like owners/{error.other}" if isinstance(error, LooksAlike) else "is taken"
    return Refusal(
        errors_pb2.ERROR_REASON_ALREADY_EXISTS,
        f"owners/{error.name} {looks}",
        subject=f"owners/{error.name}",
        hint="Choose another name.",
    )


def _token(row: TokenRow | None) -> owners_pb2.Token:
    if row is None:  # revoked in the very moment it was made
        return owners_pb2.Token()
    return owners_pb2.Token(
        prefix=row.prefix,
        role=_ROLES_TO_WIRE[row.role],
        owner=f"owners/{row.subject}" if row.role is Role.OWNER else "",
        label=row.label,
        create_time=mapping.time(row.create_ms),
    )
