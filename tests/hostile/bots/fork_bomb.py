"""Starts processes, each of which starts processes, until it may not."""

import os
import time

end = time.monotonic() + 1.5
made = refused = 0
while time.monotonic() < end:
    try:
        if os.fork() == 0:
            made = 0
            continue
        made += 1
    except OSError as error:
        refused += 1
        if refused == 1:
            print("refused: fork", error.strerror, flush=True)
        time.sleep(0.01)
