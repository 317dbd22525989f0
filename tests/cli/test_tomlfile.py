"""Tournament files: what does not fit is named with file, key and line (UX01, UX02)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from client_sdk.cli import tomlfile, tournament_file
from client_sdk.cli.errors import CliError, Exit
from hearts.v1 import tournaments_pb2

GOOD = """\
title = "Cup"
format = "round_robin"
deals = 4
boards = 2
duplicate = true
entries = [
  "anna",     # a comment with ] and "
  "ben", "cleo",
  "bots/dora"]

[rules]
preset = "standard"
target = 50

[clock]
decision_ms = 500
"""


def load(text: str) -> tournaments_pb2.TournamentSpec:
    return tournament_file.spec_of(tomlfile.parse(text, "cup.toml"))


def test_a_file_becomes_a_spec() -> None:
    spec = load(GOOD)
    assert (spec.title, spec.format, spec.deals, spec.boards, spec.duplicate) == (
        "Cup",
        tournaments_pb2.FORMAT_ROUND_ROBIN,
        4,
        2,
        True,
    )
    assert list(spec.entries) == ["bots/anna", "bots/ben", "bots/cleo", "bots/dora"]
    assert (spec.rules.target, spec.rules.players) == (50, 4)
    assert (spec.clock.decision_ms, spec.clock.bank_ms) == (500, 0)


def test_what_is_left_out_has_the_documented_default() -> None:
    spec = load('boards = 1\nentries = ["a", "b", "c", "d"]')
    assert (spec.title, spec.format, spec.rules.name) == ("cup", 1, "standard")
    assert not spec.duplicate
    assert not spec.HasField("clock")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("deals = 4", "deels = 4", "cup.toml, line 3: deels: unknown key (allowed: title, "),
        ("deals = 4", "deels = 4", "next: did you mean deals?"),
        ("deals = 4", "deals = -4", "line 3: deals: -4 is out of range (allowed: 0 to 4294967295)"),
        ("deals = 4", "deals = 4.0", "line 3: deals: must be a whole number, not a number with a"),
        ("deals = 4", "deals = true", "line 3: deals: must be a whole number, not true or false"),
        ("deals = 4", 'deals = "4"', "line 3: deals: must be a whole number, not text"),
        ("deals = 4", "deals = 2026-11-30", "line 3: deals: must be a whole number, not a date"),
        ("boards = 2", "", "cup.toml: boards: this key is missing"),
        ("duplicate = true", "duplicate = 1", "line 5: duplicate: must be true or false, not a"),
        (
            '"round_robin"',
            '"suisse"',
            "line 2: format: 'suisse' is not known (allowed: round_robin",
        ),
        ('"cleo"', "7", "line 8: entries[2]: must be text, not a whole number"),
        ('"bots/dora"', '"anna"', "line 9: entries[3]: 'anna' is entered twice: entries[0] is"),
        ("decision_ms", "decison_ms", "line 16: clock.decison_ms: unknown key (allowed: "),
        ("[clock]", "[clok]", "line 15: clok: unknown key"),
        ("[clock]", "[[clock]]", "line 15: clock: must be a table, not a list"),
        ("target = 50", "tarjet = 50", "line 13: rules.tarjet: there is no such option (allowed: "),
        ("target = 50", "target = true", "line 13: rules.target: "),
        ('"standard"', '"standrad"', "line 12: rules.preset: there is no preset of that name"),
        ("target = 50", "pass_count = 17", "line 13: rules.pass_count: "),
        ("deals = 4", "deals = = 4", "cup.toml is not valid TOML: Invalid value (at line 3"),
        ("deals = 4", "boards = 4", "cup.toml is not valid TOML: Cannot overwrite a value"),
    ],
)
def test_a_mistake_is_named_with_its_line(old: str, new: str, expected: str) -> None:
    """UX01, UX02: an unknown or wrongly typed key, an entry twice: nothing is sent."""
    assert old in GOOD
    with pytest.raises(CliError) as refused:
        load(GOOD.replace(old, new))
    assert expected in str(refused.value)
    assert refused.value.code == Exit.USAGE
    assert len(str(refused.value).splitlines()) <= 2


@pytest.mark.parametrize(
    ("text", "path", "line"),
    [
        ("a = 1\nb = 2", ("b",), 2),
        ("# a\n\n[t]\na = 1", ("t", "a"), 4),
        ("[t]\na = 1\n[u]\na = 2", ("u", "a"), 4),
        ('x = """\n[t]\na = 1\n"""\n[t]\na = 1', ("t", "a"), 6),
        ("t.a = 1\nt.b = 2", ("t", "b"), 2),
        ("\nt = { a = 1, b = 2 }", ("t", "b"), 2),
        ("\"odd key\" = 1\n'b' = 2", ("b",), 2),
        ("l = [\n 1,\n\n 2\n]\nm = 1", ("l", 1), 4),
        ("l = [\n 1,\n\n 2\n]\nm = 1", ("m",), 6),
        ("l = [1, 2]", ("l", 1), 1),
    ],
)
def test_lines_are_found_however_a_key_is_written(
    text: str, path: Sequence[str | int], line: int
) -> None:
    assert tomlfile.find_line(text, path) == line


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(CliError, match=r"cannot read .*: No such file or directory"):
        tomlfile.read(tmp_path / "none.toml")
    with pytest.raises(CliError, match="cannot read"):
        tomlfile.read(tmp_path)
    (tmp_path / "latin.toml").write_bytes(b'title = "caf\xe9"')
    with pytest.raises(CliError, match="is not UTF-8 text"):
        tomlfile.read(tmp_path / "latin.toml")


def test_a_limit_of_0_is_not_a_limit_left_out() -> None:
    clock = load(GOOD.replace("decision_ms = 500", "lag_ms = 0")).clock
    assert (clock.HasField("lag_ms"), clock.lag_ms) == (True, 0)
    assert not clock.HasField("decision_ms")


STAGES = """\
title = "Cup"
boards = 2
entries = [ "anna", "ben", "cleo", "dora" ]

[[stages]]
format = "swiss"
rounds = 3
advance = 4

[[stages]]
format = "knockout"
double_elimination = true

[start]
cron = "0 20 * * *"
zone = "Europe/Stockholm"
"""


def test_stages_and_start() -> None:
    spec = load(STAGES)
    swiss, knockout = spec.stages
    assert (swiss.format, swiss.rounds, swiss.advance) == (tournaments_pb2.FORMAT_SWISS, 3, 4)
    assert (knockout.format, knockout.double_elimination) == (
        tournaments_pb2.FORMAT_KNOCKOUT,
        True,
    )
    assert (spec.start.cron, spec.start.zone) == ("0 20 * * *", "Europe/Stockholm")
    assert not spec.format
    versus = STAGES.replace(
        'format = "swiss"\nrounds = 3\nadvance = 4', 'format = "versus"\nh1 = 1'
    )
    assert load(versus.replace("h1 = 1", 'h1 = 1\nchallenger = "anna"')).stages[0].h1 == 1.0


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("double_elimination", "double", "line 12: stages[1].double: unknown key (allowed: "),
        ("rounds = 3", "rounds = 3.5", "line 7: stages[0].rounds: must be a whole number"),
        ('"knockout"', '"knokout"', "line 11: stages[1].format: 'knokout' is not known"),
        ("zone =", "zon =", "line 16: start.zon: unknown key"),
        ("boards = 2", 'boards = 2\nformat = "swiss"', "line 3: format: goes without [[stages]]"),
        ('format = "knockout"\n', "", "stages[1]: format is missing"),
        ("rounds = 3", 'h1 = "x"', "line 7: stages[0].h1: must be a number with a fraction"),
        ("entries =", "#", "entries: this key is missing"),
    ],
)
def test_a_mistake_in_a_stage_is_named_with_its_line(old: str, new: str, expected: str) -> None:
    """UX01"""
    assert old in STAGES
    with pytest.raises(CliError) as refused:
        load(STAGES.replace(old, new))
    assert expected in str(refused.value)
