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
        assert {row.split()[5] for row in table[1:]} == {"8"}, "every deal counted"
        assert "lower is better" in demo.out
        assert "trick 13" in demo.out
        assert "hearts up --data data" in demo.out
        kit.nothing_is_left(demo)
    assert list(temporary.iterdir()) == []


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The standings of a run with two workers in which nothing happened."""
    folder = tmp_path_factory.mktemp("undisturbed")
    with kit.running("demo", "--file", tournament(folder, boards=20), "--workers", "2") as demo:
        assert demo.end() == 0, demo.err
    table = standings(demo.out)
    assert {row.split()[5] for row in table.splitlines()[1:]} == {"80"}, "every deal counted"
    return table


@pytest.mark.parametrize("victim", ["worker-1@", "arbiter", "valkey-server|redis-server"])
def test_standings_do_not_depend_on_the_workers_nor_on_deaths(
    tmp_path: Path, undisturbed: str, victim: str
) -> None:
    """The same file and secret give the same standings, byte for byte: with one worker or two, and
    when the worker, the arbiter or Redis is killed in the middle (RC03, RC04)."""
    file = tournament(tmp_path, boards=20)
    with kit.running("demo", "--file", file, "--data", tmp_path / "data") as demo:
        demo.until("running, 0 of 80")
        victims = [pid for words in victim.split("|") for pid in demo.alive(words)]
        assert victims
        for pid in victims:
            os.kill(pid, signal.SIGKILL)
        assert demo.end(110) == 0, demo.err
        assert ": ended by SIGKILL, starting again" in demo.out
        assert standings(demo.out) == undisturbed


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
        # At the last of these moments the job is done: it may end before the signal comes.
        assert demo.end(15) in ({0, 130} if moment == "record of one" else {130})
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
