"""System calls that no bot needs and that have let programs out of sandboxes before."""

from __future__ import annotations

import errno
import os

# Of other processes, of the kernel, of mounts and namespaces: the rest is what programs live on.
_REFUSED = (
    "acct",
    "add_key",
    "bpf",
    "delete_module",
    "finit_module",
    "fsconfig",
    "fsmount",
    "fsopen",
    "init_module",
    "ioperm",
    "iopl",
    "io_uring_enter",
    "io_uring_register",
    "io_uring_setup",
    "kexec_file_load",
    "kexec_load",
    "keyctl",
    "lookup_dcookie",
    "mount",
    "mount_setattr",
    "move_mount",
    "name_to_handle_at",
    "open_by_handle_at",
    "open_tree",
    "perf_event_open",
    "personality",
    "pivot_root",
    "process_vm_readv",
    "process_vm_writev",
    "ptrace",
    "quotactl",
    "reboot",
    "request_key",
    "setns",
    "swapoff",
    "swapon",
    "syslog",
    "umount2",
    "unshare",
    "userfaultfd",
    "vmsplice",
)
_NEW_USER_NAMESPACE = 0x10000000
_TYPE_INTO_TERMINAL = 0x5412  # TIOCSTI


class NoSeccomp(Exception):
    """No filter can be made here; the message says why."""


def filter_() -> bytes:
    """The filter as the kernel takes it. Raises NoSeccomp."""
    try:
        import pyseccomp as lib
    except (ImportError, RuntimeError, OSError) as error:
        raise NoSeccomp(f"{error}; install Debian's libseccomp2 or its like") from None
    try:
        made = lib.SyscallFilter(lib.ALLOW)
        no = lib.ERRNO(errno.EPERM)
        for name in _REFUSED:
            try:
                number = lib.resolve_syscall(lib.Arch.NATIVE, name)
            except (ValueError, OSError):
                continue  # a libseccomp that is too old to know it
            if number >= 0:  # negative: this processor has none of that name
                made.add_rule(no, name)
        flag = _NEW_USER_NAMESPACE
        made.add_rule(no, "clone", lib.Arg(0, lib.MASKED_EQ, flag, flag))
        # Its flags lie in memory, out of a filter's sight: "not there" makes everybody take clone.
        made.add_rule(lib.ERRNO(errno.ENOSYS), "clone3")
        made.add_rule(no, "ioctl", lib.Arg(1, lib.MASKED_EQ, 0xFFFFFFFF, _TYPE_INTO_TERMINAL))
        with os.fdopen(os.memfd_create("seccomp"), "w+b") as file:
            made.export_bpf(file)
            file.seek(0)
            return file.read()
    except (OSError, ValueError, AttributeError) as error:
        raise NoSeccomp(f"libseccomp refuses: {error}") from None
