"""A spec keeps its meaning on the wire and in the store."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arbiter.tournaments.spec import MissingField, Spec, SpecError
from arbiter.tournaments.wire import decode, encode, spec_from_wire, spec_to_wire
from hearts.limits import DEFAULT_LIMITS
from hearts.rules import PRESETS, RuleSet, preset
from hearts.v1 import tournaments_pb2

SPEC = Spec(
    title="Demo",
    rules=preset("standard"),
    boards=7,
    entries=("anna", "bert", "cleo", "dora"),
    deals=3,
    duplicate=True,
    clock=replace(DEFAULT_LIMITS, decision_ms=250, bank_ms=5),
    seed=2**64 - 1,
    trust_repeats=True,
)


@pytest.mark.parametrize("name", PRESETS)
def test_there_and_back(name: str) -> None:
    spec = replace(SPEC, rules=preset(name))
    assert decode(encode(spec)) == spec


def test_custom_rules_have_no_name() -> None:
    """So that nothing can pass for a preset."""
    message = spec_to_wire(replace(SPEC, rules=RuleSet(name="The best rules", moon="off")))
    assert spec_from_wire(message).rules.name == ""


def test_the_secret_stays_behind_and_shows_as_unrated() -> None:
    spec = replace(SPEC, secret="0f" * 32)
    assert b"0f0f" not in encode(spec)
    again = decode(encode(spec))
    assert (again.secret, again.unrated, again.rated) == ("", True, False)


def test_limits_left_out_get_their_defaults() -> None:
    message = spec_to_wire(SPEC)
    message.ClearField("clock")
    assert spec_from_wire(message).clock == DEFAULT_LIMITS
    message.clock.decision_ms = 77
    assert spec_from_wire(message).clock == replace(DEFAULT_LIMITS, decision_ms=77)


def test_what_cannot_be_read() -> None:
    for change, kind, field in [
        ({"format": 0}, MissingField, "format"),
        ({"format": 9}, SpecError, "format"),
        ({"rules": None}, MissingField, "rules"),
        ({"entries": ["anna"]}, SpecError, "entries[0]"),
    ]:
        message = tournaments_pb2.TournamentSpec()
        message.CopyFrom(spec_to_wire(SPEC))
        for name, value in change.items():
            message.ClearField(name)
            if isinstance(value, list):
                getattr(message, name).extend(value)
            elif value is not None:
                setattr(message, name, value)
        with pytest.raises(kind) as caught:
            spec_from_wire(message)
        assert caught.value.field == field
