"""Commands that need the server part: `hearts up`, `hearts demo`, `hearts backup`, `restore`.

This module and ``commands`` import nothing of the extra [server], so that `hearts --help` works
without it and the commands can say what is missing.
"""

from workers.cli.commands import backup, demo, restore, up

__all__ = ["backup", "demo", "restore", "up"]
