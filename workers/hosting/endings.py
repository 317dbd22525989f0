"""How a hosted program ended, in words for its author."""

from __future__ import annotations

import signal
from dataclasses import dataclass

NOT_FOUND = 127
NOT_EXECUTABLE = 126

_SIGNALS = {
    signal.SIGABRT: "it gave up by itself (SIGABRT)",
    signal.SIGBUS: "a bad access to memory (SIGBUS)",
    signal.SIGFPE: "a division by zero or the like (SIGFPE)",
    signal.SIGILL: "an instruction that this processor does not have (SIGILL)",
    signal.SIGKILL: "it was killed (SIGKILL)",
    signal.SIGPIPE: "it wrote to a pipe that nobody reads (SIGPIPE)",
    signal.SIGSEGV: "a segmentation fault (SIGSEGV)",
    signal.SIGSYS: "a system call that no bot may use (SIGSYS)",
    signal.SIGTERM: "it was told to end (SIGTERM)",
    signal.SIGTRAP: "a trap (SIGTRAP)",
    signal.SIGXCPU: "it used up its CPU time (SIGXCPU)",
    signal.SIGXFSZ: "it wrote a file that is too large (SIGXFSZ)",
}


@dataclass(frozen=True, slots=True)
class Ending:
    """``code``: the exit code, 128 + N for a death by signal N. ``memory``: the limit in bytes
    that the kernel killed for; 0: it did not. ``stopped``: we ended it."""

    code: int = 0
    memory: int = 0
    stopped: bool = False
    seconds: float = 0.0

    def words(self) -> str:
        """One line."""
        after = f" after {self.seconds:.1f} s"
        if self.stopped:
            return f"stopped by the platform{after}: its matches are over"
        if self.memory:
            return f"out of memory{after}: its processes together may use {self.memory >> 20} MiB"
        if self.code == NOT_FOUND:
            return f"exit code 127{after}: its command was not found"
        if self.code == NOT_EXECUTABLE:
            return f"exit code 126{after}: its command cannot be executed"
        if self.code > 128:
            return f"{_by_signal(self.code - 128)}{after}"
        return f"exit code {self.code}{after}"


def _by_signal(number: int) -> str:
    try:
        known = signal.Signals(number)
    except ValueError:
        return f"ended by signal {number}"
    return f"ended by signal {number}: {_SIGNALS.get(known, known.name)}"
