"""`hearts rules`: rule sets, without a server."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import typer

from client_sdk.cli import show, tomlfile, tournament_file
from client_sdk.cli.connection import Json
from client_sdk.cli.errors import CliError
from client_sdk.cli.text import safe
from hearts import rules, wire
from hearts.cards import code
from hearts.describe import describe
from hearts.rules import RuleSet

app = typer.Typer(no_args_is_help=True, help="Rule sets, without a server.")

_LEGEND = "docs/rules.md explains every option. Points are bad: the lowest total wins."


@app.command("list", epilog="Example: hearts rules list")
def list_(json: Json = False) -> None:
    """List the presets: who plays them, and in what they differ from the standard game."""
    presets = {name: rules.preset(name) for name in rules.PRESETS}
    if json:
        data = [
            {
                "name": name,
                "players": preset.players,
                "decks": preset.decks,
                "differences": preset.differences(),
            }
            for name, preset in presets.items()
        ]
        show.print_json({"presets": data})
        return
    rows = [
        (name, str(preset.players), str(preset.decks), _differences(preset))
        for name, preset in presets.items()
    ]
    out = show.console()
    headings = ("preset", "players", "packs", "differs from the standard game in")
    out.print(show.table(headings, rows, right="players|packs"))
    out.print(show.legend(f"hearts rules show NAME tells one in words. {_LEGEND}"))


def _differences(preset: RuleSet) -> str:
    shown = {"players", "decks"}
    return ", ".join(option for option in preset.differences() if option not in shown)


@app.command("show", epilog="Example: hearts rules show standard")
def show_(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A preset.")], json: Json = False
) -> None:
    """Tell a preset in words, and every option of it, resolved."""
    try:
        rule_set = rules.preset(name)
    except rules.InvalidRules as error:
        raise CliError(
            f"no preset is called {name!r}", allowed=[str(item) for item in error.allowed]
        ) from None
    _print(rule_set, json=json)


@app.command(epilog="Example: hearts rules check cup.toml")
def check(
    file: Annotated[
        Path, typer.Argument(metavar="FILE.toml", help="A tournament file, or a table of options.")
    ],
    json: Json = False,
) -> None:
    """Check the rule set in a file; tell it in words, and every option of it, resolved.

    The file is a tournament file (its key `rules` is read) or holds options at its top level.
    """
    parsed = tomlfile.read(file)
    inside = "rules" in parsed.data or "entries" in parsed.data
    value: Any = parsed.data.get("rules", "standard") if inside else parsed.data
    message = tournament_file.read_rules(parsed, ("rules",) if inside else (), value)
    _print(wire.rules_from_wire(message), json=json)


def _print(rule_set: RuleSet, *, json: bool) -> None:
    if json:
        show.as_json(wire.rules_to_wire(rule_set))
        return
    rows = [
        (field.name, _words(field.name, getattr(rule_set, field.name)))
        for field in fields(rule_set)
        if field.name != "name"
    ]
    out = show.console()
    for line in describe(rule_set).splitlines():
        out.print(safe(line))
    out.print()
    out.print(show.table(("option", "value"), rows))
    out.print(show.legend(_LEGEND))


def _words(option: str, value: Any) -> str:
    """An option's value as a file would spell it, as nearly as one cell can."""
    if option == "points":
        return ", ".join(f"{code(card)} {points:+d}" for card, points in value) or "none"
    if option == "remove":
        return ", ".join(code(card) for card in value) or "none"
    if option == "moon_points" and value is None:
        return "in_play"
    if option == "exact" and value is not None:
        return f"{value.score} {'wins' if value.wins else f'becomes {value.becomes}'}"
    if isinstance(value, tuple):
        return ", ".join(str(item) for item in value)
    return "none" if value is None else str(value)
