"""The store of record, on Redis. See keys.py for its layout, leases.py for its heart."""

from typing import Self

from arbiter.store import schema, server
from arbiter.store.arbiters import ArbiterRow, Arbiters
from arbiter.store.bots import BotRow, Bots
from arbiter.store.errors import (
    ConflictingResult,
    IdTaken,
    NameTaken,
    StoreError,
    StoreRefused,
    StoreUnavailable,
    UnknownTournament,
    WaveConflict,
    WrongServer,
)
from arbiter.store.holds import Correction, Holds, Original
from arbiter.store.keys import Keys
from arbiter.store.link import Link
from arbiter.store.matches import Claim, Commit, Matches, MatchRow, MatchState
from arbiter.store.owners import OwnerRow, Owners
from arbiter.store.ratings import LogEntry, Ratings
from arbiter.store.tokens import Identity, Role, TokenRow, Tokens
from arbiter.store.tournaments import EntryAnswer, TournamentRow, Tournaments, TournamentState
from arbiter.store.versions import Quota, Version, VersionClaim, VersionKind, Versions, VersionState
from arbiter.tournaments.matchplan import MatchPlan

__all__ = [
    "ArbiterRow",
    "BotRow",
    "Claim",
    "Commit",
    "ConflictingResult",
    "Correction",
    "EntryAnswer",
    "IdTaken",
    "Identity",
    "LogEntry",
    "MatchPlan",
    "MatchRow",
    "MatchState",
    "NameTaken",
    "Original",
    "OwnerRow",
    "Quota",
    "Role",
    "Store",
    "StoreError",
    "StoreRefused",
    "StoreUnavailable",
    "TokenRow",
    "TournamentRow",
    "TournamentState",
    "UnknownTournament",
    "Version",
    "VersionClaim",
    "VersionKind",
    "VersionState",
    "WaveConflict",
    "WrongServer",
]


class Store:
    """All nouns over one pool of connections. Belongs to the event loop it is used in.

    Any method may raise StoreUnavailable (no connection; later may help) or
    StoreRefused (Redis is full, cannot write, or does not know our password).
    """

    def __init__(self, link: Link, id: str = "") -> None:
        self._link = link
        self.id = id
        """Names this store, for what is kept outside for it."""
        self.tokens = Tokens(link)
        self.owners = Owners(link)
        self.bots = Bots(link)
        self.versions = Versions(link)
        self.tournaments = Tournaments(link)
        self.matches = Matches(link)
        self.arbiters = Arbiters(link)
        self.holds = Holds(link)
        self.ratings = Ratings(link)

    @classmethod
    async def open(cls, redis_url: str, namespace: str = "hearts:") -> Self:
        """Connect, and bring data of an older version into today's form.

        Raises StoreUnavailable or StoreRefused when that fails, WrongServer for data
        of a newer version.
        """
        link = Link(redis_url, Keys(namespace))
        try:
            stamp = await schema.stamp(link)
        except BaseException:
            await link.close()
            raise
        return cls(link, stamp.id)

    async def close(self) -> None:
        """Close all connections."""
        await self._link.close()

    async def ping(self) -> None:
        """Raises StoreUnavailable or StoreRefused when Redis does not answer."""
        await server.ping(self._link)

    async def check_writable(self) -> None:
        """Raises StoreUnavailable or StoreRefused when Redis would not take a result now."""
        await server.check_writable(self._link)

    async def check_server(self, allow_insecure: bool = False) -> None:
        """Raises WrongServer, saying what to set, for a server that could lose
        data; ``allow_insecure`` excuses a missing password or append-only file."""
        await server.check_server(self._link, allow_insecure)
