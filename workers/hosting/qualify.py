"""The qualifying match: a new version plays house bots, in an unrated tournament of its own, by the
same way, in the same sandbox and under the same limits as it will later on."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from arbiter.blobs import BlobError
from arbiter.matches import payloads
from arbiter.store import (
    MatchState,
    Store,
    StoreError,
    TournamentRow,
    TournamentState,
    Version,
    VersionClaim,
    VersionKind,
    VersionState,
)
from arbiter.submissions.manifest import ANY
from arbiter.tournaments import wire
from arbiter.tournaments.history import Entry
from arbiter.tournaments.names import HOUSE, HOUSE_BOTS
from arbiter.tournaments.spec import Spec
from arbiter.tournaments.stage import Format, Stage
from hearts.rules import PRESETS, RuleSet, preset
from hearts.shuffle import new_secret
from hearts.v1 import matches_pb2, play_pb2, records_pb2
from workers.hosting import stage as hosting
from workers.hosting.box import CannotStart
from workers.hosting.cache import Unusable

log = logging.getLogger(__name__)

DEALS = 4
"""One with each direction of the pass."""

MAX_TIMEOUTS = 1
"""A busy machine is no reason to turn a bot away; two late answers are the bot's."""

LEASE_MS = 30_000
AGAIN_MS = 10_000
PATIENCE_S = 900.0
POLL_S = 0.2


@dataclass(frozen=True, slots=True)
class _Verdict:
    """``reason``: why it is turned away; "" when it qualifies. ``later``: not its fault, try
    again."""

    reason: str = ""
    later: bool = False


async def qualify(
    store: Store,
    stage: hosting.Stage,
    play: Callable[[], Awaitable[object]],
    plan: Callable[[str], Awaitable[object]],
) -> str | None:
    """Qualify the next version that waits; returns its name, None when there is none.

    ``play`` plays a batch, of whatever is ready; ``plan`` takes a tournament further.
    """
    claim = await store.versions.claim_pending(LEASE_MS)
    if claim is None:
        return None
    name = claim.version.name
    holding = asyncio.create_task(_hold(store, claim))
    try:
        verdict = await _examined(store, stage, claim, play, plan)
    except BaseException:
        # The worker is told to stop, or the store is away: not the version's doing.
        with contextlib.suppress(StoreError):
            await store.versions.postpone(name, claim.lease, 0, "its worker stopped")
        raise
    finally:
        holding.cancel()
        await asyncio.gather(holding, return_exceptions=True)
    if verdict.later:
        log.warning("%s cannot be qualified now: %s", name, verdict.reason)
        await store.versions.postpone(name, claim.lease, AGAIN_MS, verdict.reason)
    else:
        to = VersionState.REJECTED if verdict.reason else VersionState.ACTIVE
        state = await store.versions.set_state(name, to, verdict.reason, claim.lease)
        log.info("%s is %s%s", name, state or "withdrawn", verdict.reason and f": {verdict.reason}")
    return name


async def _hold(store: Store, claim: VersionClaim) -> None:
    """Keep the claim. Where it was lost the verdict will be refused: nothing depends on us."""
    while True:
        await asyncio.sleep(LEASE_MS / 3000)
        with contextlib.suppress(StoreError):
            if not await store.versions.keep(claim.version.name, claim.lease, LEASE_MS):
                log.info("%s was withdrawn while it was qualified", claim.version.name)
                return


async def _examined(
    store: Store,
    stage: hosting.Stage,
    claim: VersionClaim,
    play: Callable[[], Awaitable[object]],
    plan: Callable[[str], Awaitable[object]],
) -> _Verdict:
    version = claim.version
    if version.kind is VersionKind.BINARY and (refused := await _prepared(store, stage, version)):
        return refused
    tournament = await _tournament(store, claim)
    await plan(tournament)
    deadline = time.monotonic() + PATIENCE_S
    while (row := await store.tournaments.get(tournament)) and row.state is TournamentState.RUNNING:
        if time.monotonic() > deadline:
            return _Verdict("its qualifying match has not been played yet", later=True)
        await play()
        await plan(tournament)
        await asyncio.sleep(POLL_S)
    return await _judged(store, version, tournament)


async def _prepared(store: Store, stage: hosting.Stage, version: Version) -> _Verdict | None:
    """Fetch, unpack and build it; None when it is ready to be started."""
    host = await stage.host()
    if not host.willing:
        return _Verdict(host.why_not, later=True)
    try:
        await (await stage.cache()).folder(version)
    except Unusable as reason:
        if reason.log:
            await store.versions.put_log(version.name, "build", reason.log)
        return _Verdict(str(reason))
    except (BlobError, CannotStart, OSError) as trouble:
        return _Verdict(str(trouble), later=True)
    return None


async def _tournament(store: Store, claim: VersionClaim) -> str:
    version = claim.version
    spec = spec_for(version)
    id_ = f"qualifying-{version.bot}-{version.number}-{claim.lease}"
    row = TournamentRow(id_, wire.encode(spec), new_secret(), rated=False)
    entries = [
        Entry(bot, version.owner if bot == version.name else "") for bot in sorted(spec.entries)
    ]
    await store.tournaments.create(row, id_, entries)
    return id_


def spec_for(version: Version) -> Spec:
    """One match of four deals against house bots, under a rule set that the version plays; with
    more seats than there are house bots two mirrored ones against the first of them."""
    rules = _rules(version)
    rivals = [HOUSE + bot for bot in HOUSE_BOTS]
    title = f"Qualifying of {version.name}"
    if len(rivals) >= rules.players - 1:
        entries = (version.name, *rivals[: rules.players - 1])
        return Spec(title, rules, 1, entries, deals=DEALS, unrated=True)
    versus = Stage(Format.VERSUS, challenger=version.name, max_boards=1)
    return Spec(title, rules, 1, (version.name, rivals[0]), stages=(versus,), unrated=True)


def _rules(version: Version) -> RuleSet:
    named = json.loads(version.manifest)["rules"] if version.manifest else []
    known = [name for name in named if name in PRESETS]
    return preset(known[0] if known and ANY not in named else PRESETS[0])


async def _judged(store: Store, version: Version, tournament: str) -> _Verdict:
    rows = await store.matches.list(tournament)
    if not rows or any(row.state is not MatchState.DONE for row in rows):
        reasons = "; ".join(row.last_failure for row in rows if row.last_failure)
        return _Verdict(f"the platform failed: {reasons or 'no match was played'}", later=True)
    for row in rows:
        packed = await store.matches.record(row.plan.id)
        if row.result is None or packed is None:
            return _Verdict("the record of its qualifying match is missing", later=True)
        reason = judge(version.name, payloads.read_result(row.result), payloads.read_record(packed))
        if reason:
            return _Verdict(reason)
    return _Verdict()


def judge(name: str, result: matches_pb2.MatchResult, record: records_pb2.MatchRecord) -> str:
    """Why the bot fails to qualify by this match; "" when it does not."""
    for index, seat in enumerate(result.seats):
        if seat.bot.removeprefix("bots/") != name:
            continue
        if verdict := seat.verdict or _absence(index, record):
            known: str = play_pb2.Verdict.Name(verdict).removeprefix("VERDICT_")
            return f"{known} in its qualifying match: {_WORDS.get(known, 'see its log')}"
        if wrong := seat.illegal + seat.malformed:
            return f"{wrong} of its answers in the qualifying match were against the rules"
        if seat.timeouts > MAX_TIMEOUTS:
            return f"{seat.timeouts} of its answers in the qualifying match came too late"
    return ""


def _absence(seat: int, record: records_pb2.MatchRecord) -> play_pb2.Verdict | None:
    """CRASH or LEFT, when it was away for one of its decisions."""
    every = [*record.incidents, *(one for deal in record.deals for one in deal.incidents)]
    away = (play_pb2.VERDICT_CRASH, play_pb2.VERDICT_LEFT)
    return next((i.verdict for i in every if i.seat == seat and i.verdict in away), None)


_WORDS = {
    "NO_SHOW": "it never connected; `hearts bots log` shows what it wrote",
    "NO_START": "it connected and did not say that it is ready in time",
    "CRASH": "its process ended; `hearts bots log` shows how it ended",
    "LEFT": "it closed its connection and did not come back in time",
    "TIMEOUT": "its answers came too late, again and again",
    "ILLEGAL": "its answers were against the rules, again and again",
    "MALFORMED": "its answers could not be read, again and again",
}
