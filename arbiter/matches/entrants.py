"""Who plays for an entry: "anna" is her active version, for as long as the tournament lasts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from arbiter.store import BotRow, Store, Version, VersionKind, VersionState
from arbiter.tournaments.history import Entry
from arbiter.tournaments.names import HOUSE, HOUSE_BOTS, bot_of, is_house, split_version
from arbiter.tournaments.spec import Spec


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who was asked for ("anna"), and who plays ("anna@2"). `absent`: why nobody can, in words.
    `known`: whether there is such a bot at all. `hosted`: by the platform, afresh for each batch,
    so that it cannot remember a board."""

    asked: str
    plays: str
    owner: str = ""
    absent: str = ""
    known: bool = True
    hosted: bool = False


async def find(store: Store, names: Sequence[str]) -> list[Entrant]:
    """Who plays for each of these names now: bots, versions of bots, house bots."""
    bots = [bot_of(name) for name in names]
    rows = await store.bots.get_many(bots)
    active = await store.versions.active(bots)
    named = await store.versions.get_many([name if "@" in name else "" for name in names])
    return [
        _house(name) if is_house(name) else _entrant(name, row, chosen or now)
        for name, row, now, chosen in zip(names, rows, active, named, strict=True)
    ]


def resolved(spec: Spec, entrants: Sequence[Entrant]) -> Spec:
    """The spec with those that play in the place of those that were asked for."""
    plays = {each.asked: each.plays for each in entrants}
    return rename(replace(spec, entries=tuple(plays[name] for name in spec.entries)), plays)


def rename(spec: Spec, plays: Mapping[str, str]) -> Spec:
    """The spec with new names for the bots that its stages name."""
    stages = tuple(
        replace(stage, challenger=plays.get(stage.challenger, stage.challenger))
        for stage in spec.stages
    )
    return replace(spec, stages=stages)


def entries(entrants: Sequence[Entrant]) -> list[Entry]:
    """How they stand in a tournament's roster."""
    return [Entry(each.plays, each.owner) for each in sorted(entrants, key=lambda e: e.plays)]


def _house(name: str) -> Entrant:
    if name.removeprefix(HOUSE) in HOUSE_BOTS:
        return Entrant(name, name, hosted=True)
    return Entrant(name, name, absent="is no house bot", known=False)


def _entrant(name: str, row: BotRow | None, version: Version | None) -> Entrant:
    if row is None:
        return Entrant(name, name, absent="is not registered", known=False)
    _, number = split_version(name)
    if number and (version is None or version.number != number):
        return Entrant(name, name, row.owner, "does not exist", known=False)
    if version is None:
        absent = "has no active version" if row.versions else ""
        return Entrant(name, name, row.owner, absent, hosted=row.house)
    return Entrant(
        name,
        version.name,
        row.owner,
        _unfit(version),
        hosted=version.kind is VersionKind.BINARY,
    )


def _unfit(version: Version) -> str:
    """Why a version cannot be entered; one that was replaced can, by its own name."""
    if version.qualified and version.state in (VersionState.ACTIVE, VersionState.REPLACED):
        return ""
    return f"is {version.state}" + (f": {version.reason}" if version.reason else "")
