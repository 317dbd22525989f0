"""The benchmark runner: names, table, results file."""

from __future__ import annotations

import json
import sys
import types
from pathlib import Path

import pytest

from benchmarks import runner
from benchmarks.__main__ import main
from benchmarks.figures import Figure, Goal, On


def test_an_unknown_name_is_refused_naming_the_known_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rules", "rulez"]) == 2
    assert capsys.readouterr().err == (
        "no benchmark is called 'rulez'; "
        "known: arbiter, ladder, outside, plan, ratings, rules, tournament\n"
    ), "and nothing ran"


@pytest.mark.parametrize(
    ("figure", "ratio", "holds"),
    [
        (Figure("a", 30, "plays/s", 10, "echo", Goal(On.RATIO, at_least=3)), 3, True),
        (Figure("a", 29, "plays/s", 10, "echo", Goal(On.RATIO, at_least=3)), 2.9, False),
        (Figure("a", 5, "s", goal=Goal(On.VALUE, at_most=5)), None, True),
        (Figure("a", 5, "s", goal=Goal(On.RATIO, at_least=1)), None, False),
        (Figure("a", 5, "s"), None, None),
    ],
)
def test_a_goal_holds_or_not(figure: Figure, ratio: float | None, holds: bool | None) -> None:
    assert figure.ratio == ratio
    assert figure.holds is holds


def test_the_file_has_what_the_table_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = types.ModuleType("benchmarks.fake")
    module.run = lambda: [  # type: ignore[attr-defined]
        Figure("plays", 12345.6, "plays/s", 1000, "echo", Goal(On.RATIO, at_least=2)),
        Figure("deals", 7, "deals/s"),
    ]
    monkeypatch.setitem(sys.modules, "benchmarks.fake", module)
    monkeypatch.setitem(runner.REGISTRY, "fake", "benchmarks.fake")
    monkeypatch.setenv("COLUMNS", "140")
    runner.run(["fake"], tmp_path / "results" / "latest.json")
    table = capsys.readouterr().out
    for heading in ("figure", "value", "reference", "ratio", "goal", "holds"):
        assert heading in table
    assert "12,346 plays/s" in table
    rows = json.loads((tmp_path / "results" / "latest.json").read_text())
    assert [row["figure"] for row in rows] == ["plays", "deals"]
    assert rows[0]["ratio"] == pytest.approx(12.3456)
    assert (rows[0]["holds"], rows[1]["holds"]) == (True, None)
    assert all(row["machine"] and row["date"] for row in rows)
