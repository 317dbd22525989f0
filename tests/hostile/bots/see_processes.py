"""Counts the processes of the machine, then tries to end all of them, and its parent first."""

import ctypes
import os
import signal

pids = sorted(int(p) for p in os.listdir("/proc") if p.isdigit())
print("sees", len(pids), "processes, itself as", os.getpid())
for pid in [*range(2, 400), 1]:
    if pid == os.getpid():
        continue
    try:
        os.kill(pid, signal.SIGKILL)
        print("GOT", pid)
    except ProcessLookupError:
        pass
    except PermissionError:
        print("refused: kill", pid)
libc = ctypes.CDLL(None, use_errno=True)
PTRACE_ATTACH = 16
if libc.ptrace(PTRACE_ATTACH, 1, 0, 0) == 0:
    print("GOT 1 traced")
else:
    print("refused: trace", os.strerror(ctypes.get_errno()))
