"""Connects to each "host:port" or "@abstract" that it was told of; "udp:host:port" just sends."""

import socket
import sys

for place in sys.argv[1:]:
    kind, _, rest = place.partition(":") if place.startswith("udp:") else ("tcp", "", place)
    try:
        if place.startswith("@"):
            with socket.socket(socket.AF_UNIX) as link:
                link.connect("\0" + place[1:])
        elif kind == "udp":
            host, _, port = rest.rpartition(":")
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
                link.sendto(b"hello", (host, int(port)))
        else:
            host, _, port = rest.rpartition(":")
            with socket.create_connection((host, int(port)), 3):
                pass
        print("GOT", place)
    except OSError as error:
        print("refused:", place, error.strerror or error)
