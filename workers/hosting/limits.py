"""What one hosted bot may use."""

from __future__ import annotations

from dataclasses import dataclass

from arbiter.settings import Settings

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """For one sandbox, all its processes together, unless it says otherwise.

    memory     bytes, /tmp included; without cgroups of each process by itself
    processes  processes and threads
    cores      CPU time for each second; without cgroups unlimited
    disk       bytes in /tmp, and as much again in /dev/shm
    files      open files of each process
    file       bytes of one file that it writes
    cpu_s      CPU seconds of each process in its life; 0: unlimited
    """

    memory: int = 512 * MIB
    processes: int = 64
    cores: float = 1.0
    disk: int = 64 * MIB
    files: int = 256
    file: int = 64 * MIB
    cpu_s: int = 0

    @classmethod
    def of(cls, settings: Settings) -> Limits:
        """As the operator has set them."""
        disk = settings.hosted_disk_mib * MIB
        return cls(
            memory=settings.hosted_memory_mib * MIB,
            processes=settings.hosted_processes,
            disk=disk,
            file=disk,
        )

    def for_building(self) -> Limits:
        """A compiler needs more than what it makes."""
        return Limits(
            memory=max(self.memory, 1024 * MIB),
            processes=max(self.processes, 256),
            cores=self.cores,
            disk=max(self.disk, 256 * MIB),
            files=max(self.files, 1024),
            file=max(self.file, 256 * MIB),
        )
