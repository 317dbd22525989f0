"""Reads what it was told to read, and what is always worth a try."""

import os
import sys

PLACES = [
    "/etc/shadow",
    "/etc/passwd",
    "/root/.ssh",
    "/root/.bash_history",
    "/home",
    "/var",
    "/sys",
]

for place in PLACES + sys.argv[1:]:
    try:
        if os.path.isdir(place):
            print("GOT", place, os.listdir(place))
            continue
        with open(place, "rb") as opened:
            print("GOT", place, opened.read(20))
    except OSError as error:
        print("refused:", place, error.strerror)
