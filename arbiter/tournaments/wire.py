"""The only map between a tournament's spec and its message."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, cast

from arbiter.tournaments.spec import Missed, MissingField, Spec, SpecError, Start
from arbiter.tournaments.stage import Format, Stage
from hearts.limits import DEFAULT_LIMITS, Limits
from hearts.rules import PRESETS
from hearts.v1 import play_pb2, tournaments_pb2
from hearts.wire import limits_to_wire, rules_from_wire, rules_to_wire

_FORMATS: dict[int, Format] = {
    tournaments_pb2.FORMAT_ROUND_ROBIN: Format.ROUND_ROBIN,
    tournaments_pb2.FORMAT_SWISS: Format.SWISS,
    tournaments_pb2.FORMAT_KNOCKOUT: Format.KNOCKOUT,
    tournaments_pb2.FORMAT_HALVING: Format.HALVING,
    tournaments_pb2.FORMAT_LADDER: Format.LADDER,
    tournaments_pb2.FORMAT_GAUNTLET: Format.GAUNTLET,
    tournaments_pb2.FORMAT_VERSUS: Format.VERSUS,
}
FORMATS_TO_WIRE = {value: number for number, value in _FORMATS.items()}
_MISSED: dict[int, Missed] = {
    tournaments_pb2.MISSED_UNSPECIFIED: Missed.ONCE,
    tournaments_pb2.MISSED_ONCE: Missed.ONCE,
    tournaments_pb2.MISSED_SKIP: Missed.SKIP,
}
_MISSED_TO_WIRE = {
    Missed.ONCE: tournaments_pb2.MISSED_ONCE,
    Missed.SKIP: tournaments_pb2.MISSED_SKIP,
}
_DEFAULT = Stage()
# The fields of a stage that are the same in both worlds; those with presence have other defaults
# than 0.
_PLAIN = (
    "boards", "rounds", "advance", "winners", "double_elimination", "max_boards", "separate",
)  # fmt: skip
_PRESENT = ("h0", "h1", "alpha", "beta", "confidence")


def spec_from_wire(message: tournaments_pb2.TournamentSpec) -> Spec:
    """The spec of a message, not yet checked. Limits left out get their defaults.

    Raises SpecError for what cannot be read at all, and InvalidRules.
    """
    stages = tuple(_stage(f"stages[{index}].", stage) for index, stage in enumerate(message.stages))
    if stages and message.format and _format("", message.format) is not stages[0].format:
        raise SpecError("format", "", "goes without stages", ["format", "stages"])
    first = stages[0].format if stages else _format("", message.format)
    if not message.HasField("rules"):
        raise MissingField("rules", "", "is missing", [f"a preset: {', '.join(PRESETS)}"])
    rules = rules_from_wire(message.rules)
    if rules.name not in PRESETS:
        rules = replace(rules, name="")
    return Spec(
        title=message.title,
        format=first,
        stages=stages,
        start=Start(
            at=message.start.at,
            cron=message.start.cron,
            zone=message.start.zone,
            entries=message.start.entries,
            missed=_missed(message.start.missed),
        ),
        rules=rules,
        deals=message.deals,
        boards=message.boards,
        duplicate=message.duplicate,
        clock=_clock(message.clock),
        entries=tuple(
            _bot(f"entries[{index}]", name) for index, name in enumerate(message.entries)
        ),
        seed=message.seed,
        secret=message.secret.lower(),
        trust_repeats=message.trust_repeats,
        unrated=message.unrated,
    )


def spec_to_wire(spec: Spec) -> tournaments_pb2.TournamentSpec:
    """The spec as a message, complete but for its secret, which never leaves this way; that it
    brought one still shows, as the tournament is unrated."""
    return tournaments_pb2.TournamentSpec(
        title=spec.title,
        format=cast("Any", FORMATS_TO_WIRE[spec.all_stages[0].format]),
        stages=[_stage_to_wire(stage) for stage in spec.stages],
        start=_start_to_wire(spec.start),
        rules=rules_to_wire(spec.rules),
        deals=spec.deals,
        boards=spec.boards,
        duplicate=spec.duplicate,
        clock=limits_to_wire(spec.clock),
        entries=[f"bots/{entry}" for entry in spec.entries],
        seed=spec.seed,
        trust_repeats=spec.trust_repeats,
        unrated=not spec.rated,
    )


def encode(spec: Spec) -> bytes:
    """The spec as it is stored, without its secret."""
    return spec_to_wire(spec).SerializeToString(deterministic=True)


def decode(data: bytes) -> Spec:
    """A stored spec."""
    return spec_from_wire(tournaments_pb2.TournamentSpec.FromString(data))


def _format(where: str, value: int) -> Format:
    allowed = [known.value for known in Format]
    if not value:
        raise MissingField(f"{where}format", "", "is missing", allowed)
    if value not in _FORMATS:
        raise SpecError(f"{where}format", value, "there is no such format", allowed)
    return _FORMATS[value]


def _stage(where: str, message: tournaments_pb2.Stage) -> Stage:
    given = {name: getattr(message, name) for name in _PRESENT if message.HasField(name)}
    return Stage(
        format=_format(where, message.format),
        challenger=_bot(f"{where}challenger", message.challenger) if message.challenger else "",
        **{name: getattr(message, name) for name in _PLAIN},
        **given,
    )


def _stage_to_wire(stage: Stage) -> tournaments_pb2.Stage:
    changed = {
        name: getattr(stage, name)
        for name in _PRESENT
        if getattr(stage, name) != getattr(_DEFAULT, name)
    }
    return tournaments_pb2.Stage(
        format=cast("Any", FORMATS_TO_WIRE[stage.format]),
        challenger=f"bots/{stage.challenger}" if stage.challenger else "",
        **{name: getattr(stage, name) for name in _PLAIN},
        **changed,
    )


def _missed(value: int) -> Missed:
    if value not in _MISSED:
        raise SpecError("start.missed", value, "there is no such policy", ["once", "skip"])
    return _MISSED[value]


def _start_to_wire(start: Start) -> tournaments_pb2.Start | None:
    if not start.given:
        return None
    return tournaments_pb2.Start(
        at=start.at,
        cron=start.cron,
        zone=start.zone,
        entries=start.entries,
        missed=_MISSED_TO_WIRE[start.missed] if start.cron else tournaments_pb2.MISSED_UNSPECIFIED,
    )


def _clock(message: play_pb2.Limits) -> Limits:
    """What is given, and the default where nothing is."""
    return Limits(
        **{
            field.name: getattr(
                message if message.HasField(field.name) else DEFAULT_LIMITS, field.name
            )
            for field in fields(Limits)
        }
    )


def _bot(where: str, name: str) -> str:
    kind, _, bot = name.partition("/")
    if kind != "bots":
        raise SpecError(where, name, "is no bot's resource name", ["bots/NAME"])
    return bot
