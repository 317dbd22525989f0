"""Control groups: memory, processes and CPU of everything in one sandbox together.

Both kinds are used as they are found: version 1 (one tree for each controller) and version 2.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from workers.hosting.limits import Limits

CONTROLLERS = ("memory", "pids", "cpu")
PERIOD_US = 100_000
OURS = 4
"""Processes in a group that are the sandbox's own."""
_GONE_S = 5.0


class NoCgroups(Exception):
    """Groups cannot be made here; the message says why."""


@dataclass(frozen=True, slots=True)
class Tree:
    """Where groups can be made: for each controller the folder above them."""

    version: int
    parents: Mapping[str, Path]

    def make(self, limits: Limits) -> Group:
        """A new group with these limits. Raises NoCgroups."""
        name = f"hearts-{os.getpid()}-{secrets.token_hex(4)}"
        folders = {control: parent / name for control, parent in self.parents.items()}
        group = Group(self.version, folders)
        try:
            for folder in group.all:
                folder.mkdir()
            for control, file, value in _settings(self.version, limits):
                if control in folders:
                    _write(folders[control] / file, value)
        except OSError as error:
            group.remove()
            raise NoCgroups(f"{error.filename}: {error.strerror}") from None
        return group


@dataclass(frozen=True, slots=True)
class Group:
    """One group: a folder for each controller, in version 2 the same one."""

    version: int
    folders: Mapping[str, Path]

    @property
    def all(self) -> Sequence[Path]:
        """Each folder once."""
        return tuple(dict.fromkeys(self.folders.values()))

    def entrances(self) -> list[str]:
        """The files into which a process writes "0" to join."""
        return [str(folder / "cgroup.procs") for folder in self.all]

    def out_of_memory(self) -> bool:
        """Whether the kernel has killed in it for its memory."""
        file = "memory.events" if self.version == 2 else "memory.oom_control"
        try:
            lines = (self.folders["memory"] / file).read_text().splitlines()
        except OSError:
            return False
        counts = dict(line.split() for line in lines)
        return int(counts.get("oom_kill", 0)) > 0

    def pids(self) -> list[int]:
        """Who is in it."""
        try:
            return [int(p) for p in (self.all[0] / "cgroup.procs").read_text().split()]
        except OSError:
            return []

    def remove(self) -> None:
        """Kill whoever is left and remove the group. Blocks for some milliseconds."""
        deadline = time.monotonic() + _GONE_S
        while (left := self.pids()) and time.monotonic() < deadline:
            for pid in left:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, 9)
            time.sleep(0.005)
        for folder in self.all:
            with contextlib.suppress(OSError):
                folder.rmdir()


def find(wanted: str = "") -> Tree:
    """Where groups can be made: below our own group, or in version 2 below the folder ``wanted``,
    which was delegated to us. Raises NoCgroups."""
    mine = _own()
    mounts = _mounts()
    parents = {
        control: mounts[control] / mine[control].lstrip("/")
        for control in CONTROLLERS
        if control in mounts and control in mine
    }
    if {"memory", "pids"} <= parents.keys():
        return _usable(Tree(1, parents))
    if "" not in mounts:
        raise NoCgroups("no cgroup file system is mounted")
    folder = Path(wanted) if wanted else mounts[""] / mine.get("", "/").lstrip("/")
    _delegate(folder)
    return _usable(Tree(2, dict.fromkeys(CONTROLLERS, folder)))


def _usable(tree: Tree) -> Tree:
    for parent in set(tree.parents.values()):
        for left in parent.glob("hearts-*-*"):
            if not Path("/proc", left.name.split("-")[1]).exists():  # a worker that was killed
                with contextlib.suppress(OSError):
                    left.rmdir()
    tree.make(Limits()).remove()
    return tree


def _delegate(folder: Path) -> None:
    try:
        known = (folder / "cgroup.controllers").read_text().split()
        if missing := [c for c in CONTROLLERS if c not in known]:
            raise NoCgroups(f"{folder} has no controller {', '.join(missing)}")
        _write(folder / "cgroup.subtree_control", " ".join(f"+{c}" for c in CONTROLLERS))
    except OSError as error:
        raise NoCgroups(
            f"{error.filename}: {error.strerror}. Name a folder that was delegated to this user, "
            "without processes in it, in HEARTS_HOSTED_CGROUP"
        ) from None


def _own() -> dict[str, str]:
    """Controller → our group; "" is version 2's."""
    found = {}
    try:
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controls, path = line.split(":", 2)
            found.update(dict.fromkeys(controls.split(","), path))
    except OSError:
        raise NoCgroups("this system has none") from None
    return found


def _mounts() -> dict[str, Path]:
    found = {}
    for line in Path("/proc/self/mounts").read_text().splitlines():
        _, where, kind, options, *_ = line.split()
        if kind == "cgroup2":
            found[""] = Path(where)
        elif kind == "cgroup":
            found.update({c: Path(where) for c in options.split(",") if c in CONTROLLERS})
    return found


def _settings(version: int, limits: Limits) -> list[tuple[str, str, str]]:
    quota = str(max(1000, round(limits.cores * PERIOD_US)))
    if version == 2:
        return [
            ("memory", "memory.max", str(limits.memory)),
            ("memory", "memory.oom.group", "1"),
            ("pids", "pids.max", str(limits.processes + OURS)),
            ("cpu", "cpu.max", f"{quota} {PERIOD_US}"),
        ]
    return [
        ("memory", "memory.limit_in_bytes", str(limits.memory)),
        ("pids", "pids.max", str(limits.processes + OURS)),
        ("cpu", "cpu.cfs_period_us", str(PERIOD_US)),
        ("cpu", "cpu.cfs_quota_us", quota),
    ]


def _write(file: Path, value: str) -> None:
    # Not write_text: a kernel file is neither made nor cut.
    descriptor = os.open(file, os.O_WRONLY)
    try:
        os.write(descriptor, value.encode())
    except OSError as error:
        error.filename = str(file)
        raise
    finally:
        os.close(descriptor)
