"""Bots and versions as messages."""

from __future__ import annotations

from arbiter.services import mapping
from arbiter.services.submitting import KINDS
from arbiter.store import BotRow, Version, VersionState
from arbiter.store.versions import LogText
from arbiter.submissions.manifest import Manifest
from arbiter.tournaments.matchplan import is_match_id
from arbiter.tournaments.names import version_name
from hearts.v1 import bots_pb2

_KINDS = {kind: number for number, kind in KINDS.items()}


def bot(row: BotRow, *, private: bool) -> bots_pb2.Bot:
    """A bot; `private`: for its owner or an admin."""
    message = mapping.bot(row)
    message.owner = f"owners/{row.owner}" if row.owner else ""
    message.versions = row.versions
    if row.active:
        message.active_version = f"bots/{version_name(row.name, row.active)}"
    if private:
        message.endpoint = row.endpoint
    return message


def version(row: Version, *, private: bool) -> bots_pb2.Version:
    """A version; `private`: for its owner or an admin."""
    message = bots_pb2.Version(
        name=f"bots/{row.name}",
        owner=f"owners/{row.owner}" if row.owner else "",
        kind=_KINDS[row.kind],
        state=_STATES[row.state],
        reason=row.reason,
        create_time=mapping.time(row.create_ms),
        state_time=mapping.time(row.state_ms),
        failures=row.failures,
        sha256=row.sha256,
        size=row.size,
    )
    if row.manifest:
        found = Manifest.from_json(row.manifest)
        message.language = found.language
        message.rules.extend(found.rules)
        message.max_tables = found.tables
        if private:
            message.command.extend(found.command)
            message.build.extend(found.build)
    if private:
        message.endpoint = row.endpoint
    return message


def log_text(row: LogText) -> bots_pb2.VersionLog:
    """One log."""
    name = f"matches/{row.match}" if is_match_id(row.match) else row.match
    return bots_pb2.VersionLog(match=name, text=row.text, dropped=row.dropped)


_STATES = {
    VersionState.PENDING: bots_pb2.VERSION_STATE_PENDING,
    VersionState.QUALIFYING: bots_pb2.VERSION_STATE_QUALIFYING,
    VersionState.ACTIVE: bots_pb2.VERSION_STATE_ACTIVE,
    VersionState.REJECTED: bots_pb2.VERSION_STATE_REJECTED,
    VersionState.REPLACED: bots_pb2.VERSION_STATE_REPLACED,
    VersionState.RETIRED: bots_pb2.VERSION_STATE_RETIRED,
    VersionState.BENCHED: bots_pb2.VERSION_STATE_BENCHED,
}
