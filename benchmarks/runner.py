"""Runs benchmarks by name, prints one table and writes the same to a JSON file."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.figures import Benchmark, Figure

# Name → module with ``run() -> list[Figure]``; imported only when it is asked for.
REGISTRY = {
    "arbiter": "benchmarks.arbiter",
    "ladder": "benchmarks.ladder",
    "outside": "benchmarks.outside",
    "ratings": "benchmarks.ratings",
    "plan": "benchmarks.plan",
    "rules": "benchmarks.rules",
    "tournament": "benchmarks.tournament",
}
RESULTS = Path(__file__).parent / "results" / "latest.json"

Row = dict[str, object]


class UnknownBenchmark(Exception):
    """A name that is not in the registry."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no benchmark is called {name!r}; known: {known()}")


def known() -> str:
    """The names there are, for messages."""
    return ", ".join(sorted(REGISTRY))


def run(names: Sequence[str], results: Path = RESULTS) -> list[Row]:
    """Runs the named benchmarks (all when none is named), prints and writes the rows.

    Raises:
        UnknownBenchmark: before anything is run.
    """
    chosen = list(dict.fromkeys(names)) or sorted(REGISTRY)
    for name in chosen:
        if name not in REGISTRY:
            raise UnknownBenchmark(name)
    console = Console()
    rows: list[Row] = []
    for name in chosen:
        console.print(f"running {name} …", style="dim")
        benchmark: Benchmark = import_module(REGISTRY[name]).run
        rows += [_row(figure) for figure in benchmark()]
    console.print(_table(rows))
    console.print("ratio = value ÷ reference, both measured in this run on this machine.")
    results.parent.mkdir(exist_ok=True)
    results.write_text(json.dumps(rows, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    console.print(f"written to {os.path.relpath(results)}")
    return rows


def _row(figure: Figure) -> Row:
    return {
        "figure": figure.name,
        "unit": figure.unit,
        "value": figure.value,
        "reference": figure.reference,
        "reference_name": figure.reference_name,
        "ratio": figure.ratio,
        "goal": str(figure.goal) if figure.goal else None,
        "holds": figure.holds,
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, "
        f"{platform.system()}, Python {platform.python_version()}",
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _table(rows: Sequence[Row]) -> Table:
    table = Table("figure", title="Benchmarks")
    for heading in ("value", "reference", "ratio"):
        table.add_column(heading, justify="right")
    table.add_column("goal")
    table.add_column("holds")
    for row in rows:
        reference = _number(row["reference"])
        if row["reference_name"]:
            reference = f"{reference} ({row['reference_name']})"
        holds = {None: "–", True: "yes", False: "no"}[row["holds"]]  # type: ignore[index]
        table.add_row(
            str(row["figure"]),
            f"{_number(row['value'])} {row['unit']}".strip(),
            reference,
            _number(row["ratio"]),
            str(row["goal"] or "–"),
            holds,
        )
    return table


def _number(value: object) -> str:
    if not isinstance(value, int | float):
        return "–"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:,.3g}"
