"""Writes as fast as it can, to both of its outputs, for ever."""

import os
import sys

line = b"".join(b"%09d all work and no play\n" % n for n in range(4000))
while True:
    os.write(1, line)
    sys.stderr.buffer.write(line)
