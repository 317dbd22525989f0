"""Commands that need the server part: `hearts up` and `hearts demo`.

This module and ``commands`` import nothing of the extra [server], so that `hearts --help` works
without it and the commands can say what is missing.
"""

from workers.cli.commands import demo, up

__all__ = ["demo", "up"]
