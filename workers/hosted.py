"""Hosted bots in a batch: which ones it needs, and what the arbiter is told about them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

import grpc
import grpc.aio

from arbiter.settings import Settings
from arbiter.store import Claim, Store, VersionKind
from arbiter.tournaments.names import is_house
from hearts.v1 import arbiter_pb2
from workers.hosting.crew import Crew, Report

log = logging.getLogger(__name__)

UNKNOWN_S = 10.0
"""For so long an arbiter may not know yet of a batch that was just sent to it."""


async def bots_of(store: Store, claims: Sequence[Claim]) -> list[str]:
    """The bots in these matches that the platform hosts."""
    rows = await store.matches.load([claim.match for claim in claims])
    seats = {bot for row in rows for bot in row.plan.seats}
    named = sorted(bot for bot in seats if "@" in bot)
    versions = await store.versions.get_many(named)
    # One that has vanished has nobody else to come for it, and its matches have to end.
    binary = [
        bot
        for bot, version in zip(named, versions, strict=True)
        if version is None or version.kind is VersionKind.BINARY
    ]
    return sorted(bot for bot in seats if is_house(bot)) + binary


def fill_in(
    request: arbiter_pb2.PlayBatchRequest, crew: Crew, at_once: int, settings: Settings
) -> None:
    """Tell the arbiter who is hosted."""
    for bot, session in crew.sessions.items():
        request.hosted.add(bot=bot, session=session)
    request.start_ms = round(settings.hosted_start_seconds * 1000)
    request.at_once = at_once


async def give_up(store: Store, request: arbiter_pb2.PlayBatchRequest, crew: Crew) -> None:
    """Take the matches out of the request whose bots the platform could not start; each counts as
    a failure of the platform's."""
    faults = {bot: member.fault for bot, member in crew.members.items() if member.fault}
    if not faults:
        return
    leases = {one.match.removeprefix("matches/"): one.lease for one in request.assignments}
    kept = []
    for row in await store.matches.load(list(leases)):
        match = row.plan.id
        reasons = [faults[bot] for bot in row.plan.seats if bot in faults]
        if reasons:
            await store.matches.fail(match, leases[match], reasons[0])
        else:
            kept.append(arbiter_pb2.Assignment(match=f"matches/{match}", lease=leases[match]))
    del request.assignments[:]
    request.assignments.extend(kept)


def reporter(stub: Any, metadata: tuple[tuple[str, str], ...]) -> Report:
    """Tells the arbiter of processes that have ended."""

    async def report(session: str, gone: bool) -> None:
        request = arbiter_pb2.EndSessionRequest(session=session, gone=gone)
        pause = 0.1
        for _ in range(round(UNKNOWN_S / pause)):
            try:
                await stub.EndSession(request, metadata=metadata, timeout=UNKNOWN_S)
                return
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.NOT_FOUND:
                    log.info("%s: its end was not reported: %s", session, error.code().name)
                    return
            await asyncio.sleep(pause)

    return report


def occasion(claims: Sequence[Claim]) -> str:
    """Under which name a batch's logs are kept: its first match."""
    return claims[0].match
