"""What pyproject.toml says by hand and nothing else would notice."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
# The one map to the wire types, and the types: generated, and not pure.
WIRE = {"hearts.wire", "hearts.v1"}


def test_every_module_of_the_game_is_held_to_be_pure() -> None:
    contracts = PROJECT["tool"]["importlinter"]["contracts"]
    (pure,) = (one for one in contracts if one["name"].startswith("The game is pure"))
    modules = {f"hearts.{path.stem}" for path in (ROOT / "hearts").glob("[a-z]*.py")}
    assert set(pure["source_modules"]) == modules - WIRE


@pytest.mark.parametrize("part", ["everybody", "server", "dev"])
def test_every_dependency_is_explained(part: str) -> None:
    text = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    project = PROJECT["project"]
    extras = project["optional-dependencies"]
    for requirement in project["dependencies"] if part == "everybody" else extras[part]:
        name = requirement.split(">")[0].split("=")[0].split("<")[0].strip()
        short = name.removeprefix("grpcio-") if part == "server" else name
        assert short in text, f"{name} has no row in docs/dependencies.md"
