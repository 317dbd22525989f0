"""Runs the installed `hearts` as a process and finds whatever it leaves behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

HEARTS = (sys.executable, "-m", "client_sdk.cli")
MARK = "HEARTS_TEST_MARK"


def alive(mark: str, words: str = "", folders: Sequence[Path] = ()) -> list[int]:
    """Processes that carry the mark in their environment (children inherit it), or work in one of
    the folders (a Redis server writes its title over its environment), and have ``words`` on their
    command line; zombies are over."""
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            environment = (folder / "environ").read_bytes()
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            place = os.readlink(folder / "cwd")
            state = (folder / "stat").read_text().rsplit(")", 1)[1].split()[0]
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue
        marked = f"{MARK}={mark}".encode() in environment.split(b"\0")
        there = any(place.startswith(str(each)) for each in folders)
        if (marked or there) and state != "Z" and words in command:
            found.append(int(folder.name))
    return found


def eventually(condition: Callable[[], object], within_s: float, what: str) -> None:
    """Waits for a condition, or fails saying what never happened."""
    deadline = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < deadline, f"not within {within_s:g} s: {what}"
        time.sleep(0.05)


class Command:
    """A running `hearts` command; what it prints is collected while it runs."""

    def __init__(
        self, *arguments: str | Path, environment: Mapping[str, str] | None = None
    ) -> None:
        self.mark = uuid.uuid4().hex
        own = {k: v for k, v in os.environ.items() if not k.startswith(("HEARTS_", "REDIS_URL"))}
        words = [str(argument) for argument in arguments]
        places = [*words[words.index("--data") + 1 :][:1]] if "--data" in words else []
        self.folders = [Path(p) for p in (*places, (environment or {}).get("TMPDIR", "")) if p]
        self.process = subprocess.Popen(
            [*HEARTS, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
            env=own | {MARK: self.mark} | dict(environment or {}),
        )
        self.lines: list[str] = []
        self.errors: list[str] = []
        self._readers = [
            threading.Thread(target=self._read, args=(stream, lines))
            for stream, lines in (
                (self.process.stdout, self.lines),
                (self.process.stderr, self.errors),
            )
        ]
        for reader in self._readers:
            reader.start()

    @staticmethod
    def _read(stream: Iterator[str], lines: list[str]) -> None:
        for line in stream:
            lines.append(line)

    @property
    def out(self) -> str:
        return "".join(self.lines)

    @property
    def err(self) -> str:
        return "".join(self.errors)

    def until(self, text: str, within_s: float = 60.0) -> str:
        """Waits until it has printed a line that matches; returns the match's last group."""

        def found() -> re.Match[str] | None:
            assert self.process.poll() is None or re.search(text, self.out), (
                f"ended without {text!r}:\n{self.out}\n{self.err}"
            )
            return re.search(text, self.out)

        eventually(found, within_s, text)
        match = found()
        assert match
        return match.group(match.lastindex or 0)

    def alive(self, words: str = "") -> list[int]:
        """The processes that belong to it; see alive()."""
        return alive(self.mark, words, self.folders)

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def end(self, within_s: float = 60.0) -> int:
        """Waits for the end; returns the exit code."""
        code = self.process.wait(within_s)
        for reader in self._readers:
            reader.join(10)
        for stream in (self.process.stdout, self.process.stderr):
            if stream:
                stream.close()
        return code


@contextmanager
def running(
    *arguments: str | Path, environment: Mapping[str, str] | None = None
) -> Iterator[Command]:
    """A command that is not left running, whatever the test finds."""
    command = Command(*arguments, environment=environment)
    try:
        yield command
    finally:
        if command.process.poll() is None:
            command.process.kill()
        command.end()
        for pid in command.alive():
            os.kill(pid, signal.SIGKILL)


def nothing_is_left(command: Command) -> None:
    """No process of the command lives, a moment after its end."""
    eventually(lambda: not command.alive(), 3, f"{command.alive()} gone")
