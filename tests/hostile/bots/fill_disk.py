"""Writes to wherever it can until it may not; prints how much that was."""

import os

total = 0
for place in ["/tmp", "/dev/shm", "/bot", "/", "/dev", "/run", "/usr", "/etc", "/proc", "/var/tmp"]:
    written = 0
    try:
        for number in range(200):
            with open(os.path.join(place, f"filler-{number}"), "wb") as file:
                for _ in range(16):
                    file.write(bytes(1 << 16))
                    file.flush()
                    written += 1 << 16
        print("GOT", place)
    except OSError as error:
        print("refused:", place, "after", written >> 20, "MiB:", error.strerror)
    total += written
print("total", total >> 20)
