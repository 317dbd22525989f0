"""Leaves the session, forgets its parents, ignores SIGTERM, and wants to live on."""

import os
import signal
import sys
import time

for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 3)
        time.sleep(600)
    sys.exit()
print("started", flush=True)
time.sleep(600)
