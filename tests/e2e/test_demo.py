"""`hearts demo` for real: Redis, arbiter, Celery, bots, each a process of its own."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.e2e import kit

pytestmark = [
    pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes in /proc"),
    pytest.mark.timeout(300),
]

# With a given secret all cards are given, and the house bots draw from seeds: every run is equal.
TOURNAMENT = """\
title = "Small"
deals = 1
boards = {boards}
duplicate = true
entries = ["duck-1", "duck-2", "random-1", "random-2"]
secret = "{secret}"
"""


def tournament(folder: Path, boards: int) -> Path:
    path = folder / "small.toml"
    path.write_text(TOURNAMENT.format(boards=boards, secret="5a" * 32))
    return path


def standings(out: str) -> str:
    """The lines of the standings' table."""
    lines = out.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("place"))
    return "\n".join(line.rstrip() for line in lines[start : start + 5])


def test_the_demo_plays_a_tournament_and_leaves_nothing_behind(tmp_path: Path) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    file = tournament(tmp_path, boards=2)
    with kit.running("demo", "--file", file, environment={"TMPDIR": str(temporary)}) as demo:
        assert demo.end() == 0, demo.err
        assert demo.err == ""
        assert "8 of 8 matches done" in demo.out
        table = standings(demo.out).splitlines()
        assert table[0].split()[:2] == ["place", "bot"]
        assert {row.split()[1] for row in table[1:]} == {"duck-1", "duck-2", "random-1", "random-2"}
        assert "lower is better" in demo.out
        assert "trick 13" in demo.out
        assert "hearts up --data data" in demo.out
        kit.nothing_is_left(demo)
    assert list(temporary.iterdir()) == []


def test_standings_do_not_depend_on_workers_nor_on_their_death(tmp_path: Path) -> None:
    """The same file and secret give the same standings, byte for byte: with one worker, with two,
    and when a worker is killed in the middle."""
    file = tournament(tmp_path, boards=20)
    with kit.running("demo", "--file", file, "--workers", "2") as demo:
        assert demo.end() == 0, demo.err
        expected = standings(demo.out)
    with kit.running("demo", "--file", file, "--data", tmp_path / "data") as demo:
        demo.until("running, 0 of 80")
        victims = kit.alive(demo.mark, "worker-1@")
        assert len(victims) >= 2, "a Celery worker is a parent and its child"
        for pid in victims:
            os.kill(pid, signal.SIGKILL)
        assert demo.end(90) == 0, demo.err
        assert "worker-1: ended by SIGKILL" in demo.out
        assert standings(demo.out) == expected


@pytest.mark.parametrize(
    "moment", ["starting Redis", "registering", "running, 0 of", "record of one"]
)
def test_ctrl_c_cleans_up_at_any_moment(tmp_path: Path, moment: str) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    file = tournament(tmp_path, boards=40)
    with kit.running("demo", "--file", file, environment={"TMPDIR": str(temporary)}) as demo:
        demo.until(moment)
        demo.signal(signal.SIGINT)
        assert demo.end(15) == 130
        assert "Traceback" not in demo.err
        kit.nothing_is_left(demo)
    assert list(temporary.iterdir()) == []


def test_only_house_bots_can_be_started_from_a_demo_file(tmp_path: Path) -> None:
    """UX01: refused before anything starts, with the line."""
    file = tournament(tmp_path, boards=1)
    file.write_text(file.read_text().replace("random-2", "anna"))
    with kit.running("demo", "--file", file) as demo:
        assert demo.end(20) == 2
        assert "line 5: entries[3]: 'anna' is no house bot (allowed: " in demo.err
        assert demo.out == ""
