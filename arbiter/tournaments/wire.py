"""The only map between a tournament's spec and its message."""

from __future__ import annotations

from dataclasses import fields, replace

from arbiter.tournaments.spec import Format, MissingField, Spec, SpecError
from hearts.limits import DEFAULT_LIMITS, Limits
from hearts.rules import PRESETS
from hearts.v1 import play_pb2, tournaments_pb2
from hearts.wire import limits_to_wire, rules_from_wire, rules_to_wire

_FORMATS = {tournaments_pb2.FORMAT_ROUND_ROBIN: Format.ROUND_ROBIN}
_FORMATS_TO_WIRE = {value: number for number, value in _FORMATS.items()}


def spec_from_wire(message: tournaments_pb2.TournamentSpec) -> Spec:
    """The spec of a message, not yet checked. Limits left out get their defaults.

    Raises SpecError for what cannot be read at all, and InvalidRules.
    """
    allowed = [value.value for value in Format]
    if not message.format:
        raise MissingField("format", "", "is missing", allowed)
    if message.format not in _FORMATS:
        raise SpecError("format", message.format, "there is no such format", allowed)
    if not message.HasField("rules"):
        raise MissingField("rules", "", "is missing", [f"a preset: {', '.join(PRESETS)}"])
    rules = rules_from_wire(message.rules)
    if rules.name not in PRESETS:
        rules = replace(rules, name="")
    return Spec(
        title=message.title,
        format=_FORMATS[message.format],
        rules=rules,
        deals=message.deals,
        boards=message.boards,
        duplicate=message.duplicate,
        clock=_clock(message.clock),
        entries=tuple(_entry(index, name) for index, name in enumerate(message.entries)),
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
        format=_FORMATS_TO_WIRE[spec.format],
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


def _entry(index: int, name: str) -> str:
    kind, _, bot = name.partition("/")
    if kind != "bots":
        raise SpecError(f"entries[{index}]", name, "is no bot's resource name", ["bots/NAME"])
    return bot
