"""The example files are right, and can be planned as they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiter.tournaments.rehearsal import rehearse
from arbiter.tournaments.wire import spec_from_wire
from client_sdk.cli import tournament_file

FILES = sorted((Path(__file__).parents[2] / "examples" / "tournaments").glob("*.toml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_example_is_a_good_tournament(file: Path) -> None:
    """UX08: one file that can be copied and run."""
    spec = spec_from_wire(tournament_file.load(file))
    spec.check()
    if not spec.start.entries:
        plan = rehearse(spec)
        assert plan.tables
        assert plan.matches >= len(plan.tables)
        assert not plan.reason


def test_there_are_examples() -> None:
    assert len(FILES) >= 8
