"""Tries to become more than it is: root, with namespaces, mounts and keys of its own."""

import ctypes
import os
import platform

libc = ctypes.CDLL(None, use_errno=True)
KEYCTL, BPF = (219, 280) if platform.machine() == "aarch64" else (250, 321)
TRIES = {
    "become root": lambda: libc.setresuid(0, 0, 0),
    "a user namespace": lambda: libc.unshare(0x10000000),
    "a mount namespace": lambda: libc.unshare(0x00020000),
    "a mount": lambda: libc.mount(b"none", b"/tmp", b"tmpfs", 0, 0),
    "the kernel's keys": lambda: libc.syscall(KEYCTL, 0, -3, 0),
    "a kernel program": lambda: libc.syscall(BPF, 5, 0, 0),
    "another root": lambda: libc.chroot(b"/tmp"),
    "the host's name": lambda: libc.sethostname(b"mine", 4),
}
for name, attempt in TRIES.items():
    ctypes.set_errno(0)
    if attempt() >= 0:
        print("GOT", name)
    else:
        print("refused:", name, os.strerror(ctypes.get_errno()))
with open("/proc/self/status") as status:
    print("is", os.getresuid(), [line.split()[1] for line in status if "CapEff" in line])
