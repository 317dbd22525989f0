"""Takes memory and uses it, in several processes, until it may not."""

import os
import time

for _ in range(3):
    if os.fork() == 0:
        break
kept = []
while True:
    kept.append(bytearray(8 << 20))
    time.sleep(0.002)
