"""Reads a tournament file: TOML whose keys are the fields of TournamentSpec.

title = "House bots"
format = "round_robin"
rules = "standard"      # a preset, or a table [rules]: preset = "...", then options
deals = 4               # deals in a match; left out: a game to the rule set's target
boards = 40
duplicate = true        # each board once for each rotation of the seats
entries = ["anna", "ben", "cleo", "dora"]

[[stages]]              # instead of format: stages in a row, each with its options
format = "swiss"
rounds = 5
advance = 16

[start]                 # left out: at once
cron = "0 20 * * *"
zone = "Europe/Stockholm"

[clock]                 # milliseconds; what is left out is the server's default
decision_ms = 1000
"""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Any

from client_sdk.cli import tomlfile
from client_sdk.cli.text import bare, named
from client_sdk.cli.tomlfile import KeyPath, TomlFile
from hearts import rules, wire
from hearts.v1 import rules_pb2, tournaments_pb2

REQUIRED = ("boards",)
PRESET = "preset"
_RULES_HINT = "`hearts rules list` names the presets, `hearts rules show NAME` the options"


def load(path: Path) -> tournaments_pb2.TournamentSpec:
    """The spec that a file describes, checked as far as it can be without a server.

    Raises:
        CliError: naming file, line and key of what is wrong, and what is allowed.
    """
    return spec_of(tomlfile.read(path))


def spec_of(file: TomlFile) -> tournaments_pb2.TournamentSpec:
    """The spec in a parsed file; see load()."""
    spec = tournaments_pb2.TournamentSpec()
    tomlfile.fill(spec, file, handlers={"rules": read_rules})
    for key in REQUIRED:
        if key not in file.data:
            raise file.missing(key)
    if not spec.title:
        spec.title = Path(file.name).stem
    _check_stages(file, spec)
    if not spec.stages and not spec.format:
        spec.format = tournaments_pb2.FORMAT_ROUND_ROBIN
    if not spec.HasField("rules"):
        spec.rules.CopyFrom(wire.rules_to_wire(rules.preset("standard")))
    _name_entries(file, spec)
    return spec


def _check_stages(file: TomlFile, spec: tournaments_pb2.TournamentSpec) -> None:
    if "entries" not in file.data and not spec.start.entries:
        raise file.missing("entries")
    if spec.stages and spec.format:
        raise file.error(("format",), "goes without [[stages]]: each stage has its own format")
    for index, stage in enumerate(spec.stages):
        if not stage.format:
            raise file.error(("stages", index), "format is missing")
        if stage.challenger:
            stage.challenger = named("bots", stage.challenger)


def _name_entries(file: TomlFile, spec: tournaments_pb2.TournamentSpec) -> None:
    seen: dict[str, int] = {}
    for index, entry in enumerate(list(spec.entries)):
        name = bare(entry)
        if name in seen:
            first = f"entries[{seen[name]}]"
            raise file.error(("entries", index), f"{name!r} is entered twice: {first} is the same")
        seen[name] = index
        spec.entries[index] = named("bots", entry)


def read_rules(file: TomlFile, path: KeyPath, value: Any) -> rules_pb2.RuleSet:
    """A preset's name, or a table of options that may start from a preset."""
    options = {PRESET: value} if isinstance(value, str) else value
    tomlfile.expect(file, path, options, dict)
    try:
        return wire.rules_to_wire(rules.RuleSet.from_options(options))
    except rules.InvalidRules as error:
        raise rules_error(file, path, value, error) from None


def rules_error(file: TomlFile, path: KeyPath, value: Any, error: rules.InvalidRules) -> Exception:
    """The engine's refusal of a rule set, at the line of the option it names."""
    inside = isinstance(value, dict) and error.option in value
    here = (*path, error.option) if inside else path
    problem = (
        error.reason if inside or isinstance(value, str) else f"{error.option}: {error.reason}"
    )
    near = difflib.get_close_matches(str(error.option), error.allowed, n=1) or (
        difflib.get_close_matches(str(error.value), error.allowed, n=1)
    )
    then = f"did you mean {near[0]}?" if near else _RULES_HINT
    return file.error(here, problem, allowed=[str(item) for item in error.allowed], then=then)
