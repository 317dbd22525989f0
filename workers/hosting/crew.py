"""All hosted bots of one batch: each a fresh process tree in a sandbox, with a ticket for its own
session, started again a few times when it ends, and gone when the batch is over."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from arbiter.blobs import BlobError
from arbiter.store import Role, Store, StoreError, Version, VersionKind, VersionState
from arbiter.tournaments.names import HOUSE, SESSION, is_house
from workers.hosting import jail
from workers.hosting.box import Box, CannotStart
from workers.hosting.cache import Cache, Unusable
from workers.hosting.endings import Ending
from workers.hosting.host import Host
from workers.hosting.limits import Limits

log = logging.getLogger(__name__)

STARTS = 3
"""How often a bot is started in one batch, the first time included."""

TICKET_S = 24 * 3600.0
"""A ticket is taken back when the batch is over; one whose worker died ends by itself."""

Report = Callable[[str, bool], Awaitable[None]]
"""Tells the arbiter that the process of a session has ended, and whether for good."""


@dataclass(slots=True)
class Member:
    """One bot. ``why``: what its author should know. ``fault``: why the platform could not start
    it, without any blame for it. Both "" when there is nothing."""

    bot: str
    session: str
    job: jail.Job | None = None
    version: Version | None = None
    box: Box | None = None
    starts: int = 0
    why: str = ""
    fault: str = ""
    said: list[str] = field(default_factory=list)

    def note(self, box: Box, ending: Ending) -> None:
        """Keep what one process said and how it ended."""
        text = box.output.text().rstrip()
        if ending.stopped and not text:
            return
        if not ending.stopped:
            self.why = ending.words()
        self.said.append(f"{text}\n-- {ending.words()}".lstrip())

    @property
    def most_starts(self) -> int:
        """A version that is to show what it can has one."""
        proven = self.version is None or self.version.state is not VersionState.QUALIFYING
        return STARTS if proven else 1

    @property
    def log(self) -> str:
        """All that it said in this batch."""
        return "\n".join(self.said)


@dataclass(slots=True)
class Crew:
    """The hosted bots of one batch. ``limits``: of each. ``run``: the folder with the socket."""

    host: Host
    store: Store
    cache: Cache
    limits: Limits
    run: Path
    members: dict[str, Member] = field(default_factory=dict)
    _report: Report | None = None
    _watches: list[asyncio.Task[None]] = field(default_factory=list)

    @property
    def sessions(self) -> dict[str, str]:
        """A bot's name in the plan → its session's."""
        return {bot: member.session for bot, member in self.members.items()}

    async def start(self, bots: Sequence[str]) -> None:
        """Start them all. A bot that cannot be started is a member without a process. Raises
        StoreError."""
        mark = secrets.token_hex(4)
        for bot in bots:
            self.members[bot] = Member(bot, f"{bot}{SESSION}{mark}")
        firsts = [self._first(member) for member in self.members.values()]
        for outcome in await asyncio.gather(*firsts, return_exceptions=True):
            if outcome is not None:
                raise outcome

    def watch(self, report: Report) -> None:
        """From now on see to it that who ends is reported and started again."""
        self._report = report
        self._watches = [
            asyncio.create_task(self._watch(member), name=f"host {member.session}")
            for member in self.members.values()
        ]

    async def stop(self) -> None:
        """End all processes, take the tickets back, keep the logs."""
        for task in self._watches:
            task.cancel()
        await asyncio.gather(*self._watches, return_exceptions=True)
        await asyncio.gather(*(self._end(member) for member in self.members.values()))

    async def keep_logs(self, occasion: str) -> None:
        """Store what the versions said, for their owners."""
        for member in self.members.values():
            if member.version is not None and member.log:
                await self.store.versions.put_log(member.bot, occasion, member.log)

    async def _first(self, member: Member) -> None:
        try:
            member.job = await self._job(member)
            await self._start(member)
        except Unusable as reason:
            member.why = str(reason)
            member.said.append(f"{reason.log}\n-- {reason}".lstrip())
        except (BlobError, CannotStart, OSError) as error:
            member.fault = f"{member.bot} cannot be started: {error}"
            log.error("%s", member.fault)

    async def _job(self, member: Member) -> jail.Job:
        """What to run for this bot. Raises Unusable and what `Cache.folder` does."""
        if is_house(member.bot):
            kind = member.bot.removeprefix(HOUSE)
            command: tuple[str, ...] = ("python", "-m", "client_sdk.bots", kind, "--quiet")
            folder = self.cache.empty()
        else:
            version = member.version = await self.store.versions.get(member.bot)
            if version is None or version.kind is not VersionKind.BINARY:
                raise Unusable("there is no such version to host")
            folder, manifest = await self.cache.folder(version)
            command = manifest.command
        ticket = await self.store.tokens.ticket(member.session, TICKET_S)
        inside = self.host.usable
        server = jail.SERVER if inside else f"unix:{self.run / jail.SOCKET}"
        known = {"HEARTS_SERVER": server, "HEARTS_TOKEN": ticket}
        return jail.Job(command, folder, self.limits, self.run, known)

    async def _start(self, member: Member) -> None:
        if member.job is None:
            raise Unusable("it was never ready to be started")
        member.starts += 1
        trusted = is_house(member.bot)
        member.box = await Box.start(self.host, member.job, trusted=trusted)

    async def _watch(self, member: Member) -> None:
        """Until the bot may not be started any more."""
        while member.box is not None:
            try:
                ending = await member.box.wait()
            except CannotStart as trouble:
                log.error("%s: %s", member.session, trouble)
                break
            member.note(member.box, ending)
            member.box = None
            log.info("%s: %s", member.session, ending.words())
            if member.starts >= member.most_starts:
                break
            await self._tell(member, gone=False)
            try:
                await self._start(member)
            except (CannotStart, OSError) as trouble:
                log.error("%s: %s", member.session, trouble)
        await self._tell(member, gone=True)

    async def _tell(self, member: Member, *, gone: bool) -> None:
        if self._report is not None:
            await self._report(member.session, gone)

    async def _end(self, member: Member) -> None:
        box, member.box = member.box, None
        if box is not None:
            with contextlib.suppress(CannotStart):
                member.note(box, await box.stop())
        with contextlib.suppress(StoreError):
            await self.store.tokens.revoke_all(Role.BOT, member.session)


@contextlib.asynccontextmanager
async def crewed(crew: Crew, bots: Sequence[str]) -> AsyncIterator[Crew]:
    """The bots run within, and not afterwards, whatever happens."""
    try:
        await crew.start(bots)
        yield crew
    finally:
        # To the end even when the worker is told to stop meanwhile.
        stopping = asyncio.ensure_future(crew.stop())
        try:
            await asyncio.shield(stopping)
        except asyncio.CancelledError:
            await stopping
            raise
