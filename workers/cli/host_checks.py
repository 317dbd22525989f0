"""What `hearts doctor` says about this machine as a server and as a host of bots."""

from __future__ import annotations

import os
from pathlib import Path

from pydantic import ValidationError

from arbiter.settings import Settings
from client_sdk.cli.commands.doctor import Check
from workers import redis_server
from workers.hosting import host as hosts
from workers.hosting.limits import MIB, Limits


def checks() -> list[Check]:
    """Redis, the parts of the sandbox, cores and memory. None of them is needed by who only plays
    from here."""
    try:
        settings = Settings()
    except ValidationError as error:
        wrong = "; ".join(f"HEARTS_{'_'.join(map(str, e['loc'])).upper()}" for e in error.errors())
        then = "docs/operations.md has a table of the settings"
        return [Check("hosting", False, f"settings that cannot be: {wrong}", then)]
    found = hosts.look(settings)
    limits = Limits.of(settings)
    return [
        _redis(),
        *(
            Check(f"sandbox: {one.part}", one.ok, one.found, one.then, needed=False)
            for one in found.findings
        ),
        _machine(settings, limits),
        _hosting(found, limits),
    ]


def _redis() -> Check:
    try:
        return Check("redis", True, str(redis_server.find_binary()), needed=False)
    except redis_server.RedisServerError as error:
        then = "install the server part, or set HEARTS_REDIS_URL"
        return Check("redis", False, str(error), then, needed=False)


def _machine(settings: Settings, limits: Limits) -> Check:
    cores = os.cpu_count() or 1
    memory = _memory()
    at_once = settings.hosted_matches or cores
    most = settings.hosted_bots * limits.memory
    words = f"{cores} cores, {memory // MIB} MiB; a worker plays {at_once} matches with hosted bots"
    words += f" at once, with {settings.hosted_bots} bots of {limits.memory // MIB} MiB at most"
    then = "lower HEARTS_HOSTED_BOTS or HEARTS_HOSTED_MEMORY_MIB: they need more than there is"
    return Check("cores and memory", not memory or most <= memory, words, then, needed=False)


def _hosting(found: hosts.Host, limits: Limits) -> Check:
    if not found.usable:
        then = "mend the parts above; house bots run all the same"
        if found.unsafe:
            words = "submitted bots are started WITHOUT a sandbox, as HEARTS_UNSANDBOXED says"
            return Check("hosting", False, words, then, needed=False)
        return Check("hosting", False, found.why_not, then, needed=False)
    words = f"submitted bots in a sandbox: {limits.memory // MIB} MiB, {limits.processes} processes"
    return Check("hosting", True, f"{words}, {limits.disk // MIB} MiB of /tmp each", needed=False)


def _memory() -> int:
    """Of this machine, in bytes; 0 where nobody says."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemTotal")), 0)
