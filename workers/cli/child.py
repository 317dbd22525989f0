"""Starts a child process that does not outlive this one, however this one ends."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

# The child asks the kernel for SIGKILL at its parent's death (1 is PR_SET_PDEATHSIG; Linux only)
# and then becomes the command. Not preexec_fn: it is unsafe in a process with threads, and gRPC
# makes some. The wish survives exec; the check closes the gap in which the parent may have died
# before it was made.
_LAUNCHER = """
import ctypes, os, sys
parent, *command = sys.argv[1:]
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, 9)
if os.getppid() != int(parent):
    sys.exit("the parent has gone")
os.execvp(command[0], command)
"""
LOG_LIMIT_BYTES = 10 * 1024 * 1024


def start(
    command: Sequence[str], environment: Mapping[str, str], log: Path
) -> subprocess.Popen[bytes]:
    """Starts ``command`` in a session of its own, its output appended to ``log``.

    Call it from the main thread: the kernel's signal comes when the calling *thread* ends. A
    session of its own keeps the terminal's Ctrl-C away, so that the parent stops its children in
    order. ``environment`` is added to this process's.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as output:
        return subprocess.Popen(
            # -I -S: the launcher needs nothing of the environment and starts in 10 ms.
            [sys.executable, "-I", "-S", "-c", _LAUNCHER, str(os.getpid()), *command],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, **environment},
            start_new_session=True,
        )


def signal_group(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Sends a signal to the child and to what it started in its session; gone is fine."""
    try:
        os.killpg(process.pid, number)
    except (ProcessLookupError, PermissionError):
        # PermissionError: macOS says so of a group of zombies.
        return


def bound(log: Path, limit_bytes: int = LOG_LIMIT_BYTES) -> None:
    """Moves what a log holds to NAME.log.1 when it is too long, over what was there.

    By copying: the child goes on writing to the same open file, at its end, wherever that is.
    """
    if log.exists() and log.stat().st_size > limit_bytes:
        shutil.copyfile(log, log.with_name(log.name + ".1"))
        os.truncate(log, 0)


def said_since(log: Path, position: int, text: str) -> bool:
    """Whether the log has ``text`` behind ``position``."""
    if not log.exists():
        return False
    with log.open("rb") as file:
        # Rotated meanwhile: then all of it is new.
        file.seek(position if position <= log.stat().st_size else 0)
        return text.encode() in file.read()


def last_lines(log: Path, count: int = 3) -> str:
    """The last lines of a log that say something, for an error message."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - 4096))
            text = file.read().decode("utf-8", "replace")
    except FileNotFoundError:
        return ""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return " | ".join(lines[-count:])
