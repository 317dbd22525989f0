"""What an author reads: the end of the output, and how the process ended, in words."""

from __future__ import annotations

import pytest

from workers.hosting.endings import Ending
from workers.hosting.output import KEEP, Output


def test_the_end_is_kept_and_the_rest_is_counted() -> None:
    """LR06: nothing is cut without a mark that says how much."""
    output = Output()
    written = b"".join(b"line %06d\n" % number for number in range(20_000))
    for start in range(0, len(written), 7_001):
        output.add(written[start : start + 7_001])
    mark, _, kept = output.text().partition("\n")
    assert mark == f"[{len(written) - len(kept)} bytes before this were dropped]"
    assert written.decode().endswith(kept)
    assert KEEP - 20 <= len(kept) <= KEEP


def test_lines_that_repeat_are_one_line_and_a_count() -> None:
    """LR05: a bot that fails to log in 10,000 times leaves one line."""
    output = Output()
    for _ in range(10_000):
        output.add(b"error: this server does not know who calls\n")
    output.add(b"giving up\n")
    assert output.text() == (
        "error: this server does not know who calls\n"
        "[the line before this came 9999 more times]\n"
        "giving up\n"
    )


def test_a_line_without_end_and_bytes_that_are_no_text_are_bounded_too() -> None:
    output = Output()
    for number in range(100):
        output.add(b"\xff\x00%d" % number * 3_000)
    output.add(b"end")
    text = output.text()
    assert text.endswith("end")
    assert "bytes before this were dropped" in text
    assert len(text) <= KEEP + 100


def test_nothing_written_is_nothing() -> None:
    assert Output().text() == ""


@pytest.mark.parametrize(
    ("ending", "words"),
    [
        (Ending(0, seconds=1.25), "exit code 0 after 1.2 s"),
        (Ending(3), "exit code 3 after 0.0 s"),
        (Ending(127), "exit code 127 after 0.0 s: its command was not found"),
        (Ending(126), "exit code 126 after 0.0 s: its command cannot be executed"),
        (Ending(139), "ended by signal 11: a segmentation fault (SIGSEGV) after 0.0 s"),
        (Ending(159), "ended by signal 31: a system call that no bot may use (SIGSYS) after 0.0 s"),
        (Ending(128 + 34), "ended by signal 34"),
        (
            Ending(137, memory=64 << 20),
            "out of memory after 0.0 s: its processes together may use 64",
        ),
        (Ending(137, stopped=True), "stopped by the platform after 0.0 s: its matches are over"),
    ],
)
def test_every_end_has_words(ending: Ending, words: str) -> None:
    """LR02."""
    assert ending.words().startswith(words)
