"""Versions of bots: what was submitted, whether it may play, and what it wrote while it did.

A version is named "BOT@NUMBER" ("anna@2"), and that name is its identity at a table, in results
and in ratings. Its life:

    PENDING → QUALIFYING → ACTIVE | REJECTED
    ACTIVE  → REPLACED (a newer one is active) | RETIRED (by its owner) | BENCHED (failed too often)
    REPLACED, RETIRED, BENCHED → ACTIVE (by its owner), or PENDING when it never qualified

At most one version of a bot is ACTIVE. Nothing is ever deleted: ratings and records name versions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from arbiter.store.errors import LooksAlike, NotOwner, OverQuota, SameContent, StoreError
from arbiter.store.link import Link, number, text
from arbiter.store.version_scripts import (
    BENCH_COUNT,
    CLAIM,
    CREATE,
    KEEP,
    POSTPONE,
    PUT_LOG,
    SET_STATE,
    WAITING,
)
from arbiter.tournaments.names import skeleton, split_version

MAX_LOG = 64 * 1024
"""Bytes of one log; the end is kept."""

MAX_LOGS = 20
"""Logs of one version; the newest are kept."""

MAX_ATTEMPTS = 3
"""Workers that may die while they qualify a version, before it is rejected for that."""

DAY_MS = 24 * 3600 * 1000


class VersionKind(StrEnum):
    """How a version plays. BINARY: the platform hosts it. ENDPOINT: it is dialled. CONNECT: it
    dials in."""

    BINARY = "binary"
    ENDPOINT = "endpoint"
    CONNECT = "connect"


class VersionState(StrEnum):
    """Where a version stands; only an ACTIVE one is paired."""

    PENDING = "pending"
    QUALIFYING = "qualifying"
    ACTIVE = "active"
    REJECTED = "rejected"
    REPLACED = "replaced"
    RETIRED = "retired"
    BENCHED = "benched"


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a bot. Times are Unix milliseconds by Redis's clock.

    ``sha256``, ``size`` (bytes) and ``manifest`` (JSON: name, command, build, language, rules,
    tables) belong to a BINARY, ``endpoint`` to an ENDPOINT; they are empty otherwise. ``state_ms``:
    since when it has its state, ``reason``: why. ``qualified``: whether it ever was.
    ``failures``: matches in a row that it failed.
    """

    bot: str
    number: int
    kind: VersionKind
    owner: str = ""
    state: VersionState = VersionState.PENDING
    reason: str = ""
    sha256: str = ""
    size: int = 0
    manifest: str = ""
    endpoint: str = ""
    create_ms: int = 0
    state_ms: int = 0
    qualified: bool = False
    failures: int = 0

    @property
    def name(self) -> str:
        """ "anna@2"."""
        return f"{self.bot}@{self.number}"


@dataclass(frozen=True, slots=True)
class VersionClaim:
    """A version to qualify, under a lease that ends by itself. ``attempt`` counts from 1."""

    version: Version
    lease: str
    attempt: int


@dataclass(frozen=True, slots=True)
class Quota:
    """What one owner may have: bots in all, versions and bytes within 24 hours. 0: no limit."""

    bots: int = 0
    versions: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class LogText:
    """What a version wrote in one match (or another named occasion). ``dropped``: bytes before
    ``text`` that are not kept; then the text begins with a line that says so."""

    match: str
    text: str
    dropped: int = 0


class WrongVersionState(StoreError):
    """The version's state does not allow this: ``state``."""

    def __init__(self, name: str, state: VersionState) -> None:
        super().__init__(f"{name} is {state}")
        self.name = name
        self.state = state


class Versions:
    """``store.versions``."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def create(
        self, version: Version, request_id: str = "", description: str = "", quota: Quota = Quota()
    ) -> tuple[Version, bool]:
        """Add a version to its bot, and the bot itself if it is new; the store draws the number.
        Returns the version and whether this call made it (False: a repeat of the request).

        Raises NotOwner, LooksAlike, SameContent or OverQuota.
        """
        verdict, name = await self._create(version, request_id, description, quota)
        row = await self.get(name)
        if row is None:
            raise StoreError(f"the version {name!r} has vanished")
        return row, verdict == "created"

    async def check(
        self, version: Version, request_id: str = "", quota: Quota = Quota()
    ) -> Version | None:
        """Whether ``create`` would add this version now: raises what that would raise; the version
        that is there already for a repeat of the request, else None."""
        _, name = await self._create(version, request_id, "", quota, dry=True)
        return await self.get(name) if name else None

    async def _create(
        self, version: Version, request_id: str, description: str, quota: Quota, dry: bool = False
    ) -> tuple[str, str]:
        answer = await self._link.run(
            CREATE,
            version.bot,
            version.owner,
            description,
            skeleton(version.bot),
            version.kind,
            version.sha256,
            version.size,
            version.manifest,
            version.endpoint,
            request_id,
            quota.bots,
            quota.versions,
            quota.bytes,
            DAY_MS,
            int(dry),
        )
        verdict, detail = text(answer[0]), text(answer[1])
        match verdict:
            case "not_owner":
                raise NotOwner(version.bot)
            case "looks_alike":
                raise LooksAlike(version.bot, detail)
            case "same":
                raise SameContent(detail)
            case "bots" | "versions" | "bytes":
                raise OverQuota(verdict, int(detail))
        return verdict, detail

    async def get(self, name: str) -> Version | None:
        """The version "anna@2"; None when there is none."""
        return (await self.get_many([name]))[0]

    async def get_many(self, names: Sequence[str]) -> list[Version | None]:
        """Versions in the order of the names."""
        commands = [("HGETALL", self._link.key("version", name)) for name in names]
        rows = await self._link.many(commands)
        return [_row(name, row) for name, row in zip(names, rows, strict=True)]

    async def active(self, bots: Sequence[str]) -> list[Version | None]:
        """The active version of each bot; None for a bot without one."""
        asked = [("HGET", self._link.key("bot", bot), "active") for bot in bots]
        numbers = await self._link.many(asked)
        named = [f"{bot}@{text(n)}" for bot, n in zip(bots, numbers, strict=True)]
        rows = await self.get_many(named)
        return [row if row and row.state is VersionState.ACTIVE else None for row in rows]

    async def claim_pending(self, lease_ms: int) -> VersionClaim | None:
        """The next version to qualify, for this caller alone; None when there is none.

        It is QUALIFYING from now on. Repeat ``keep`` before ``lease_ms`` has passed, or somebody
        else gets it; end with ``set_state`` or ``postpone``. A version whose claim has run out
        ``MAX_ATTEMPTS`` times is REJECTED: it takes its workers with it. A CONNECT version is given
        out only while it is connected.
        """
        found = await self._link.run(CLAIM, lease_ms, MAX_ATTEMPTS)
        if not found:
            return None
        version = await self.get(text(found[0]))
        return VersionClaim(version, text(found[1]), int(found[2])) if version else None

    async def keep(self, name: str, lease: str, lease_ms: int) -> bool:
        """Hold a claim for that much longer. False: it is somebody else's now, or was withdrawn."""
        return bool(await self._link.run(KEEP, name, lease, lease_ms))

    async def postpone(self, name: str, lease: str, delay_ms: int, reason: str) -> bool:
        """Give a claim back without blame, to be tried again after ``delay_ms``: the platform
        could not do it now. ``reason`` is shown meanwhile. False: the claim was lost."""
        return bool(await self._link.run(POSTPONE, name, lease, delay_ms, reason))

    async def waiting(self) -> int:
        """How many versions could be claimed now."""
        return int(await self._link.run(WAITING))

    async def set_state(
        self, name: str, state: VersionState, reason: str = "", lease: str = ""
    ) -> VersionState | None:
        """Move a version to another state; returns the state it has then, which may differ:

        - a version that has qualified when a newer one is active already is REPLACED;
        - activating one that never qualified makes it PENDING.

        With ``lease``: ACTIVE or REJECTED after qualifying; None when the claim was lost, and
        nothing has changed. Without: by its owner or the referee. A repeat changes nothing.
        Raises WrongVersionState when its state does not allow this; None for an unknown version.
        """
        verdict, detail = await self._link.run(SET_STATE, name, state, reason, lease)
        match text(verdict):
            case "unknown" | "lost":
                return None
            case "wrong":
                raise WrongVersionState(name, VersionState(text(detail)))
        return VersionState(text(detail))

    async def count_outcome(self, name: str, match: str, failed: bool, most: int) -> bool:
        """Count a finished match of a version that plays: a failed one adds to its row, a good one
        ends it. At ``most`` failures in a row the version is BENCHED; returns whether it was, now.
        A match counts once, however often it is told. ``most`` 0: never bench."""
        return bool(await self._link.run(BENCH_COUNT, name, match, int(failed), most))

    async def put_log(self, name: str, match: str, log: str) -> None:
        """Keep what a version wrote in a match; a repeat replaces. The last ``MAX_LOG`` bytes of
        the last ``MAX_LOGS`` logs are kept, and what is cut is told."""
        data = log.encode("utf-8", "replace")
        dropped = max(0, len(data) - MAX_LOG)
        kept = data[dropped:].decode("utf-8", "ignore")
        if dropped:
            kept = f"[{dropped} bytes before this were dropped]\n{kept}"
        await self._link.run(PUT_LOG, name, match, f"{dropped} {kept}", MAX_LOGS)

    async def log(self, name: str) -> list[LogText]:
        """What a version wrote, the newest first."""
        key = self._link.key
        order = await self._link.call("ZRANGE", key("vlogs", name), 0, -1, "REV")
        if not order:
            return []
        found = await self._link.call("HMGET", key("vlog", name), *order)
        logs = []
        for match, data in zip(order, found, strict=True):
            if data is not None:  # race: dropped for a newer one in between
                dropped, _, kept = data.decode().partition(" ")
                logs.append(LogText(match.decode(), kept, int(dropped)))
        return logs

    async def list(self, bot: str) -> list[Version]:
        """All versions of a bot, the newest first."""
        found = await self._link.call("ZRANGE", self._link.key("versions", bot), 0, -1, "REV")
        rows = await self.get_many([name.decode() for name in found])
        return [row for row in rows if row is not None]


def _row(name: str, fields: dict[bytes, bytes]) -> Version | None:
    if not fields:
        return None
    bot, count = split_version(name)
    return Version(
        bot=bot,
        number=count,
        kind=VersionKind(text(fields[b"kind"])),
        owner=text(fields[b"owner"]),
        state=VersionState(text(fields[b"state"])),
        reason=text(fields[b"reason"]),
        sha256=text(fields[b"sha256"]),
        size=number(fields[b"size"]),
        manifest=text(fields[b"manifest"]),
        endpoint=text(fields[b"endpoint"]),
        create_ms=number(fields[b"create_ms"]),
        state_ms=number(fields[b"state_ms"]),
        qualified=fields.get(b"qualified") == b"1",
        failures=number(fields.get(b"failures")),
    )
