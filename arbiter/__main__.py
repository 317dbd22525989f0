"""`python -m arbiter`: runs an arbiter with the settings of the environment (HEARTS_...)."""

from __future__ import annotations

import asyncio
import logging
import sys

from pydantic import ValidationError

from arbiter.server import serve
from arbiter.settings import Settings

EXIT_USAGE = 2


def main() -> int:
    """Returns the exit code: 0 after SIGTERM, 2 for wrong settings, 4 when it cannot start."""
    logging.basicConfig(
        level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
    try:
        settings = Settings()
    except ValidationError as error:
        # Not the error as a whole: it repeats the values, and some of them are secret.
        for fault in error.errors(include_input=False, include_url=False):
            name = "_".join(str(part) for part in fault["loc"]).upper().removeprefix("HEARTS_")
            print(f"HEARTS_{name}: {fault['msg']}", file=sys.stderr)
        return EXIT_USAGE
    return asyncio.run(serve(settings))


if __name__ == "__main__":
    sys.exit(main())
