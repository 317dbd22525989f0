"""A command shown in the documents is run, in the order of the page, against a real platform.

Before each shell block stands one of
    <!-- run -->                    it is run here, with `bash -e`, with the blocks before it
    <!-- illustrative: why -->      it is not, for the reason given
and `<!-- file: NAME -->` before any block writes the block to a file for those that are run.
`<!-- prints: PATTERN -->` anywhere: what the commands of the page print, together, has a match.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from client_sdk.cli import tournament_file
from hearts.limits import DEFAULT_LIMITS
from hearts.v1 import tournaments_pb2
from tests.e2e import kit

pytestmark = pytest.mark.timeout(400)

ROOT = Path(__file__).parents[2]
SHELLS = ("sh", "bash", "shell", "console")
PAGES = sorted(
    page
    for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("deploy/**/*.md"))
    if "```" in page.read_text(encoding="utf-8")
)
_BLOCK = re.compile(r"(?:^<!-- ([^\n]*) -->\n)?^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language, what the comment before it says, its text."""

    language: str
    marker: str
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(found[2], found[1] or "", found[3], text.count("\n", 0, found.start(2)) + 1)
        for found in _BLOCK.finditer(text)
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_shell_block_is_run_or_says_why_not(page: Path) -> None:
    loose = [
        f"{page.name}, line {block.line}"
        for block in blocks(page)
        if block.language in SHELLS
        and block.marker != "run"
        and not re.fullmatch(r"illustrative: .{10,}", block.marker)
    ]
    assert loose == []


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if any(block.marker == "run" for block in blocks(page))],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_the_commands_of_a_page_work_as_they_stand(page: Path, tmp_path: Path) -> None:
    script = ["trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT"]
    for block in blocks(page):
        if block.marker.startswith("file: "):
            (tmp_path / block.marker.removeprefix("file: ")).write_text(block.text)
        elif block.marker == "run":
            script.append(block.text)
    with kit.running("up", "--data", tmp_path / "data", "--port", "0") as up:
        address = up.until(r"serving on (\S+);")
        up.until("try: hearts doctor")
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        ran = subprocess.run(
            ["bash", "-e", "-c", "\n".join(script)],
            cwd=tmp_path,
            env={"PATH": path, "HOME": str(tmp_path), "HEARTS_SERVER": address},
            capture_output=True,
            text=True,
            timeout=100,
        )
        up.signal(signal.SIGINT)
        assert up.end(20) == 0
    assert ran.returncode == 0, f"{ran.stdout}\n{ran.stderr}"
    for expected in re.findall(r"<!-- prints: (.*?) -->", page.read_text(encoding="utf-8")):
        assert re.search(expected, ran.stdout), ran.stdout


def test_every_key_of_a_tournament_file_is_documented_with_its_default() -> None:
    """TC09: the page, the defaults and what is enforced cannot drift apart."""
    text = (ROOT / "docs" / "tournaments.md").read_text(encoding="utf-8")
    for field in tournaments_pb2.TournamentSpec.DESCRIPTOR.fields:
        assert f"| `{field.name}` |" in text
    for name in DEFAULT_LIMITS.__dataclass_fields__:
        row = next(line for line in text.splitlines() if line.startswith(f"| `{name}` |"))
        assert row.endswith(f"| {getattr(DEFAULT_LIMITS, name)} |")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_tournament_files_shown_are_right(page: Path, tmp_path: Path) -> None:
    for block in blocks(page):
        if block.language == "toml" and "entries" in block.text:
            (tmp_path / "shown.toml").write_text(block.text)
            assert tournament_file.load(tmp_path / "shown.toml").boards
