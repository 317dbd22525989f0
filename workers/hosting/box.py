"""One program in one sandbox: its start, its output, its end, and that of all it has started."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import time
from dataclasses import dataclass
from pathlib import Path

from workers.hosting import jail
from workers.hosting.cgroups import Group, NoCgroups
from workers.hosting.endings import Ending
from workers.hosting.host import Host, memory_file
from workers.hosting.output import Output, drain

GRACE_S = 0.5
"""Between SIGTERM and SIGKILL: a bot whose matches are over has nothing left to do."""

KILLED_S = 10.0
"""The kernel takes longer than this over a SIGKILL only when the machine itself is in trouble."""

UIDS = 1000


class CannotStart(Exception):
    """The sandbox did not come up: the platform's fault. The message says why."""


class Box:
    """A started program. Everything in it dies with it, however it was started: the processes of a
    sandbox have a process namespace, whose first one we kill."""

    def __init__(self, process: asyncio.subprocess.Process, parts: _Parts) -> None:
        self._process = process
        self._parts = parts
        self._began = time.monotonic()
        self._stopped = False
        self.output = Output()
        self._reading = asyncio.create_task(self._read(), name="a bot's output")
        self._ended = asyncio.create_task(self._wait(), name="a bot's end")

    @classmethod
    async def start(
        cls, host: Host, job: jail.Job, stdout: int | None = None, *, trusted: bool = False
    ) -> Box:
        """Start it. ``stdout``: where standard output goes; None: into the log, as standard error
        does. ``trusted``: our own program, which may run where no sandbox works. Raises
        CannotStart."""
        if not (host.willing or trusted):
            raise CannotStart(host.why_not)
        parts = _Parts(sandboxed=host.usable)
        try:
            command = parts.command(host, job)
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE if stdout is None else stdout,
                stderr=asyncio.subprocess.STDOUT if stdout is None else asyncio.subprocess.PIPE,
                env=jail.environment(host.tools, job.environment),
                cwd=None if host.usable else job.folder,
                pass_fds=parts.inherited,
                start_new_session=True,
                limit=1 << 16,
            )
        except (OSError, NoCgroups) as error:
            parts.close()
            raise CannotStart(str(error)) from None
        except BaseException:
            parts.close()
            raise
        parts.started()
        return cls(process, parts)

    async def wait(self) -> Ending:
        """Its end, once everything in it is gone and its output is read. Raises CannotStart when
        it never began."""
        return await asyncio.shield(self._ended)

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self._ended.done()

    async def stop(self, grace_s: float = GRACE_S) -> Ending:
        """SIGTERM, and soon SIGKILL for all that is in it. Returns when nothing is left."""
        if not self._ended.done():
            self._stopped = True
            self._signal(signal.SIGTERM)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(grace_s):
                    return await self.wait()
            self.kill()
        return await self.wait()

    def kill(self) -> None:
        """SIGKILL for all that is in it. A program without a sandbox may have got away."""
        first = self._parts.first
        if first is not None and self._process.returncode is None:
            # The first process of the namespace: with it the kernel ends all others, and only then
            # does its parent learn of it.
            with contextlib.suppress(ProcessLookupError):
                os.kill(first, signal.SIGKILL)
        else:
            self._signal(signal.SIGKILL)

    def _signal(self, number: signal.Signals) -> None:
        if self._process.returncode is not None:
            return
        first = self._parts.first
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if first is None:
                os.killpg(self._process.pid, number)
            else:
                for pid in _children(first):
                    os.kill(pid, number)

    async def _read(self) -> None:
        stream = self._process.stdout or self._process.stderr
        if stream is not None:
            await drain(stream, self.output)

    async def _wait(self) -> Ending:
        try:
            code = await self._process.wait()
            # What is in the pipe is still to be read; a process that got away may hold it open.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    await asyncio.shield(self._reading)
            if not self._parts.sandboxed:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, signal.SIGKILL)
            memory = self._parts.memory_killed
            began = self._parts.began or memory or self._stopped or not self._parts.sandboxed
        finally:
            self._reading.cancel()
            await asyncio.to_thread(self._parts.close)
        if not began:
            raise CannotStart(f"the sandbox did not start: {self.output.text().strip()[-300:]}")
        return Ending(
            code=128 - code if code < 0 else code,
            memory=memory,
            stopped=self._stopped,
            seconds=time.monotonic() - self._began,
        )


@dataclass(slots=True)
class _Parts:
    """What a sandbox needs beside its process."""

    sandboxed: bool
    group: Group | None = None
    memory: int = 0
    uid: Uid | None = None
    status: int = -1
    inherited: tuple[int, ...] = ()
    told: bytes = b""

    def command(self, host: Host, job: jail.Job) -> list[str]:
        """Prepare everything. Raises NoCgroups, OSError; ``close`` afterwards in any case."""
        if not self.sandboxed:
            return jail.bare(host.tools, job)
        self.uid = Uid.take(host.first_uid) if host.root else None
        self.group = host.groups.make(job.limits) if host.groups is not None else None
        self.memory = job.limits.memory
        self.status, writer = os.pipe()
        os.set_blocking(self.status, False)
        self.inherited = (writer,)
        descriptor = memory_file(host.filter)
        if descriptor is not None:
            self.inherited = (writer, descriptor)
        return jail.sandboxed(
            host.tools,
            job,
            self.uid.number if self.uid else None,
            status=writer,
            seccomp=descriptor,
            groups=self.group.entrances() if self.group else (),
        )

    def started(self) -> None:
        """The child has its copies."""
        for descriptor in self.inherited:
            os.close(descriptor)
        self.inherited = ()

    @property
    def first(self) -> int | None:
        """The first process of the sandbox, in our numbers; None while (or where) there is none."""
        return self._status().get("child-pid")

    @property
    def began(self) -> bool:
        """Whether bubblewrap came as far as starting the program and saw its end."""
        return "exit-code" in self._status()

    @property
    def memory_killed(self) -> int:
        """The limit for which the kernel killed; 0: it did not."""
        return self.memory if self.group is not None and self.group.out_of_memory() else 0

    def _status(self) -> dict[str, int]:
        if self.status >= 0:
            with contextlib.suppress(BlockingIOError):
                self.told += os.read(self.status, 4096)
        found: dict[str, int] = {}
        for line in self.told.splitlines():
            with contextlib.suppress(ValueError):
                found.update(json.loads(line))
        return found

    def close(self) -> None:
        """Give everything back. Blocks for some milliseconds."""
        self.started()
        if self.status >= 0:
            os.close(self.status)
            self.status = -1
        if self.group is not None:
            self.group.remove()
        if self.uid is not None:
            self.uid.give_back()


@dataclass(frozen=True, slots=True)
class Uid:
    """A user id that no other hosted bot of this machine has now, whichever worker hosts it."""

    number: int
    _mark: socket.socket

    @classmethod
    def take(cls, first: int) -> Uid:
        """Raises OSError when none is free."""
        for number in range(first, first + UIDS):
            # An abstract socket as a mark: the kernel takes it back from whoever dies.
            mark = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                mark.bind(f"\0hearts-hosted-uid-{number}")
            except OSError:
                mark.close()
                continue
            return cls(number, mark)
        raise OSError(f"all {UIDS} user ids for hosted bots are taken")

    def give_back(self) -> None:
        """Let others have it."""
        self._mark.close()


def _children(pid: int) -> list[int]:
    try:
        return [int(c) for c in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
