"""Looks for secrets in the environment of every process that it can see."""

import os

for pid in [p for p in os.listdir("/proc") if p.isdigit()]:
    for file in ("environ", "cmdline"):
        try:
            with open(f"/proc/{pid}/{file}", "rb") as opened:
                print(pid, file, opened.read().replace(b"\0", b" ").decode())
        except OSError as error:
            print(pid, file, "refused:", error.strerror)
