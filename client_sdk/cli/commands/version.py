"""`hearts version`."""

from __future__ import annotations

import platform
from importlib import metadata

from client_sdk.cli import show
from client_sdk.cli.connection import Json
from client_sdk.session import PROTOCOL

PACKAGE = "hearts-arena"


def version(json: Json = False) -> None:
    """Print the versions of hearts, of what it speaks and of what it runs on."""
    data = {
        "hearts": metadata.version(PACKAGE),
        "protocol": PROTOCOL,
        "python": platform.python_version(),
        "grpcio": metadata.version("grpcio"),
        "protobuf": metadata.version("protobuf"),
    }
    if json:
        show.print_json(data)
        return
    for name, value in data.items():
        print(name, value)
