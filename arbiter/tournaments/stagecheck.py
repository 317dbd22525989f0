"""Checks of the stages of a tournament: every option where it belongs, and no plan too large."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from arbiter.tournaments import round_robin
from arbiter.tournaments.spec import (
    MAX_BOARDS,
    MAX_ENTRIES,
    MAX_MATCHES,
    MissingField,
    Spec,
    SpecError,
)
from arbiter.tournaments.stage import Format, Stage

MAX_STAGES = 9
MAX_ROUNDS = 999
_EVERYWHERE = frozenset({"format", "boards", "advance"})
_OPTIONS: Mapping[Format, frozenset[str]] = {
    Format.ROUND_ROBIN: frozenset({"rounds", "separate", "confidence", "max_boards"}),
    Format.SWISS: frozenset({"rounds"}),
    Format.KNOCKOUT: frozenset({"winners", "double_elimination"}),
    Format.HALVING: frozenset({"rounds"}),
    Format.LADDER: frozenset({"rounds"}),
    Format.GAUNTLET: frozenset({"rounds", "challenger"}),
    Format.VERSUS: frozenset({"challenger", "h0", "h1", "alpha", "beta", "max_boards"}),
}
_RANGES: Mapping[str, tuple[float, float]] = {
    "boards": (1, MAX_BOARDS),
    "rounds": (1, MAX_ROUNDS),
    "advance": (1, MAX_ENTRIES),
    "max_boards": (1, MAX_BOARDS),
    "separate": (1, MAX_ENTRIES),
    "h0": (-10.0, 10.0),
    "h1": (-10.0, 10.0),
    "alpha": (0.0001, 0.3),
    "beta": (0.0001, 0.3),
    "confidence": (0.5, 0.9999),
}
_DEFAULTS = Stage()


def check_stages(spec: Spec) -> None:
    """Raise a SpecError for the first option that is not allowed."""
    if len(spec.stages) > MAX_STAGES:
        raise SpecError(
            "stages", len(spec.stages), "are too many", [f"at most {MAX_STAGES} stages"]
        )
    if len(spec.entries) > MAX_ENTRIES:
        raise SpecError(
            "entries", len(spec.entries), "are too many", [f"at most {MAX_ENTRIES} bots"]
        )
    for index, stage in enumerate(spec.all_stages):
        where = f"stages[{index}]." if spec.stages else ""
        _check_options(stage, where)
        _check_place(spec, index, stage, where)
        if stage.format is Format.KNOCKOUT and stage.winners >= spec.rules.players:
            raise SpecError(
                f"{where}winners",
                stage.winners,
                "somebody has to be out",
                [f"1 to {spec.rules.players - 1}"],
            )
        _check_challenger(spec, stage, where)
        _check_size(spec, index, stage, where)


def _check_options(stage: Stage, where: str) -> None:
    allowed = _EVERYWHERE | _OPTIONS[stage.format]
    for option in fields(Stage):
        value = getattr(stage, option.name)
        if value == getattr(_DEFAULTS, option.name) or option.name == "format":
            continue
        if option.name not in allowed:
            raise SpecError(
                f"{where}{option.name}",
                value,
                f"is no option of {stage.format}",
                sorted(allowed - {"format"}),
            )
        low, high = _RANGES.get(option.name, (None, None))
        if low is not None and high is not None and not low <= value <= high:
            raise SpecError(
                f"{where}{option.name}",
                value,
                f"{value} is out of range",
                [f"{low:g} to {high:g}"],
            )
    if stage.format is Format.VERSUS and stage.h0 >= stage.h1:
        raise SpecError(f"{where}h1", stage.h1, f"must be above h0 ({stage.h0:g})")


def _check_place(spec: Spec, index: int, stage: Stage, where: str) -> None:
    last = index == len(spec.all_stages) - 1
    if stage.format in (Format.VERSUS, Format.LADDER, Format.GAUNTLET) and len(spec.stages) > 1:
        raise SpecError(
            f"{where}format", stage.format, f"a {stage.format} is a tournament of its own"
        )
    if not last and stage.advance and stage.advance < spec.rules.players:
        raise SpecError(
            f"{where}advance",
            stage.advance,
            "the next stage needs at least one table",
            [f"at least {spec.rules.players}"],
        )
    if last and stage.advance and stage.format is not Format.HALVING:
        raise SpecError(
            f"{where}advance", stage.advance, "there is no next stage", ["leave it out"]
        )


def _check_challenger(spec: Spec, stage: Stage, where: str) -> None:
    if stage.format not in (Format.VERSUS, Format.GAUNTLET):
        return
    if not stage.challenger:
        raise MissingField(f"{where}challenger", "", "is missing", sorted(spec.entries)[:20])
    if stage.challenger not in spec.entries:
        raise SpecError(
            f"{where}challenger", stage.challenger, "is not entered", sorted(spec.entries)[:20]
        )
    if stage.format is Format.VERSUS and len(spec.entries) != 2:
        raise SpecError("entries", len(spec.entries), "a versus is between two bots", ["2 bots"])


def _check_size(spec: Spec, index: int, stage: Stage, where: str) -> None:
    """No round may have more matches than MAX_MATCHES. Rounds of all bots are seldom that large;
    the fixed plan of a round robin may be."""
    players = spec.rules.players
    bots = max(len(spec.entries), spec.start.entries)
    boards = stage.boards or spec.boards
    if index and spec.all_stages[index - 1].advance:
        bots = min(bots, spec.all_stages[index - 1].advance)
    tables = max(1, bots // players)
    if stage.format is Format.VERSUS:
        tables = 1
    elif stage.format is Format.GAUNTLET:
        tables = max(1, (bots - 1) // (players - 1))
    elif (
        stage.format is Format.ROUND_ROBIN
        and bots >= players
        and not round_robin.rounds(bots, players, stage.rounds)
    ):
        tables = round_robin.tables(bots, players)
    if (matches := tables * boards * spec.rotations) > MAX_MATCHES:
        most = MAX_MATCHES // (tables * spec.rotations)
        raise SpecError(
            f"{where}boards" if stage.boards else "boards",
            boards,
            f"{tables} tables × {boards} boards × {spec.rotations} rotations are {matches} "
            f"matches in one round, more than {MAX_MATCHES}",
            [f"1 to {most}"] if most else ["fewer entries"],
        )
