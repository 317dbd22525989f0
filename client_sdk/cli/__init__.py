"""The `hearts` command line: client commands, through the public API only.

Commands that need the server's code are found through the entry-point group ``hearts.commands``.
"""

from client_sdk.cli.app import main

__all__ = ["main"]
