"""What a command says when it cannot do its work, and the exit code it says it with."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from client_sdk.cli.text import safe


class Exit(IntEnum):
    """The exit codes of every command, as `hearts --help` documents them."""

    OK = 0
    DISAGREE = 1
    USAGE = 2
    BOT_FAULT = 3
    PLATFORM_FAULT = 4
    INTERRUPTED = 130


class CliError(Exception):
    """A command stops: what was wrong, what is allowed, what to do next. One or two lines."""

    def __init__(
        self,
        what: str,
        *,
        allowed: Sequence[str] = (),
        then: str = "",
        code: Exit = Exit.USAGE,
    ) -> None:
        super().__init__(what)
        self.what = what
        self.allowed = tuple(allowed)
        self.then = then
        self.code = code

    def __str__(self) -> str:
        first = f"error: {safe(self.what)}"
        if self.allowed:
            first += f" (allowed: {', '.join(safe(word) for word in self.allowed)})"
        return f"{first}\n  next: {safe(self.then)}" if self.then else first


INSTALL_SERVER = "pip install 'hearts-arena[server]'"


class NotInstalled(CliError):
    """A command needs the packages of the extra [server]: exit code 2."""

    def __init__(self, command: str, reason: ImportError) -> None:
        super().__init__(
            f"`hearts {command}` needs the server part, which is not installed ({reason})",
            then=INSTALL_SERVER,
        )


class PlatformError(CliError):
    """The platform is at fault, not the input: exit code 4."""

    def __init__(self, what: str, *, then: str = "") -> None:
        super().__init__(what, then=then, code=Exit.PLATFORM_FAULT)


class Unreachable(PlatformError):
    """Nobody answered; trying again later may help."""
