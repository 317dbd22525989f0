"""The command line of a sandbox. Pure: the same machine and job give the same words.

The layers, from outside: a control group, then bubblewrap (namespaces, a file system of its own,
seccomp), then a user of its own without any privilege, then limits of each process, then the bot.
As root the user changes inside; without root bubblewrap makes a user namespace. bubblewrap gets no
environment but the bot's: what it had would be seen in /proc/1/environ.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

from workers.hosting.limits import Limits

BOT = "/bot"
SOURCE = "/src"
RUN = "/run/hearts"
SOCKET = "play.sock"
SERVER = f"unix:{RUN}/{SOCKET}"
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"

# Programs of the system find each other through these; they tell nothing about this machine.
_FROM_ETC = ("alternatives", "ld.so.cache")

# Joins the groups before anything of the sandbox exists, so that all of it is in them.
_JOIN = 'while [ "$1" != -- ]; do echo 0 >"$1" || exit 125; shift; done; shift; exec "$@"'


@dataclass(frozen=True, slots=True)
class Tools:
    """Programs of this machine, by absolute path, "" for what it lacks. ``python``: folders that a
    Python with the SDK needs; ``path``: PATH inside, with that Python first."""

    bwrap: str = ""
    setpriv: str = ""
    prlimit: str = ""
    sh: str = "/bin/sh"
    python: tuple[str, ...] = ()
    path: str = SYSTEM_PATH


@dataclass(frozen=True, slots=True)
class Job:
    """What to run. ``folder``: the bot's files. ``run``: the folder with the arbiter's socket;
    None: no way out. ``build``: ``folder`` is copied, and the copy may be changed."""

    command: tuple[str, ...]
    folder: Path
    limits: Limits
    run: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    build: bool = False


def sdk_folders(prefixes: Sequence[str] = (sys.base_prefix, sys.prefix)) -> tuple[str, ...]:
    """The folders of this Python and of the SDK, without those that /usr has anyway."""
    found = [Path(prefix).resolve() for prefix in prefixes]
    for package in ("hearts", "client_sdk"):
        if (spec := find_spec(package)) is not None:
            found += [Path(place).resolve() for place in spec.submodule_search_locations or ()]
    kept: list[Path] = []
    for folder in found:
        if not any(folder.is_relative_to(known) for known in (Path("/usr"), *kept)):
            kept.append(folder)
    return tuple(str(folder) for folder in kept)


def environment(tools: Tools, own: Mapping[str, str]) -> dict[str, str]:
    """All that a bot finds in its environment."""
    return {"PATH": tools.path, "HOME": "/tmp", "LANG": "C.UTF-8", **own}  # noqa: S108 - its own


def sandboxed(
    tools: Tools,
    job: Job,
    uid: int | None,
    *,
    status: int,
    seccomp: int | None,
    groups: Sequence[str] = (),
) -> list[str]:
    """The whole command. ``uid``: of the bot, on this machine, when we are root; None: we are not.
    ``status``, ``seccomp``: file descriptors that bubblewrap writes to and reads from."""
    limits = job.limits
    words = [tools.sh, "-c", _JOIN, "join", *groups, "--"] if groups else []
    words += [tools.bwrap, "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    words += ["--unshare-cgroup-try", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    words += ["--hostname", "bot", "--json-status-fd", str(status)]
    if uid is None:
        words += ["--unshare-user", "--disable-userns", "--uid", "1000", "--gid", "1000"]
    else:
        for capability in ("SETUID", "SETGID", "SETPCAP"):
            words += ["--cap-add", f"CAP_{capability}"]
    if seccomp is not None:
        words += ["--seccomp", str(seccomp)]
    words += [*_files(tools, job), "--"]
    if uid is not None:
        words += [tools.setpriv, f"--reuid={uid}", f"--regid={uid}", "--clear-groups"]
        words += ["--no-new-privs", "--inh-caps=-all", "--bounding-set=-all", "--"]
    return [*words, *_limited(tools, limits, each=not groups), *_command(job)]


def bare(tools: Tools, job: Job) -> list[str]:
    """Without a sandbox: nothing but the limits of each process, where they can be set. The number
    of processes would count all of our user's."""
    words = [word for word in _limited(tools, job.limits, each=True) if "nproc" not in word]
    return [*words, *_command(job)]


def _limited(tools: Tools, limits: Limits, *, each: bool) -> list[str]:
    if not tools.prlimit:
        return []
    words = [tools.prlimit, f"--nproc={limits.processes}", f"--nofile={limits.files}"]
    words += [f"--fsize={limits.file}", "--core=0"]
    if limits.cpu_s:
        words.append(f"--cpu={limits.cpu_s}")
    if each:
        # Not the address space: Node and Java reserve far more of it than they use.
        words.append(f"--data={limits.memory}")
    return [*words, "--"]


def _command(job: Job) -> list[str]:
    if not job.build:
        return list(job.command)
    # What comes out is an archive on standard output, read as distrustfully as what came in.
    # Links are followed inside the sandbox, where they lead nowhere else.
    script = (
        f'cp -R {SOURCE}/. {BOT} && cd {BOT} && "$@" >&2 </dev/null && '
        "exec tar --create --dereference --hard-dereference --format=pax ."
    )
    return ["/bin/sh", "-c", script, "build", *job.command]


def _files(tools: Tools, job: Job) -> list[str]:
    size = str(job.limits.disk)
    words = ["--ro-bind", "/usr", "/usr"]
    for name in ("bin", "sbin", "lib", "lib32", "lib64"):
        link = Path("/", name)
        if link.is_symlink():
            words += ["--symlink", str(link.readlink()), str(link)]
        elif link.is_dir():
            words += ["--ro-bind", str(link), str(link)]
    # Before the folders of Python and the SDK: these may be below /tmp.
    words += ["--proc", "/proc", "--dev", "/dev"]
    for place in ("/dev/shm", "/tmp"):  # noqa: S108 - inside
        words += ["--perms", "1777", "--size", size, "--tmpfs", place]
    targets = [*tools.python, "/etc/x", "/run/x"]
    for folder in _above(targets):
        words += ["--perms", "0755", "--dir", folder]
    for name in _FROM_ETC:
        words += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    for folder in tools.python:
        words += ["--ro-bind", folder, folder]
    if job.build:
        words += ["--ro-bind", str(job.folder), SOURCE]
        words += ["--perms", "1777", "--size", size, "--tmpfs", BOT]
    else:
        words += ["--ro-bind", str(job.folder), BOT]
    if job.run is not None:
        words += ["--ro-bind", str(job.run), RUN]
    return [*words, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", BOT]


def _above(paths: Sequence[str]) -> list[str]:
    """Every folder above these, the outer ones first: bubblewrap would make them for root only."""
    found: dict[str, None] = {}
    for path in paths:
        for folder in reversed(PurePosixPath(path).parents[:-1]):
            found[str(folder)] = None
    return [folder for folder in found if not folder.startswith("/usr/") and folder != "/usr"]
