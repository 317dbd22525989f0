"""Run one house bot as a process of its own: python -m client_sdk.bots duck --server HOST:PORT"""

from __future__ import annotations

import argparse
import logging
import sys

from client_sdk.bots import HOUSE
from client_sdk.channel import read_token
from client_sdk.connect import connect
from client_sdk.errors import (
    BadHello,
    ConfigError,
    HeartsError,
    NotAuthenticated,
    PermissionDenied,
)

EXIT_USAGE = 2
EXIT_FAILED = 4


def main(argv: list[str] | None = None) -> int:
    """Play until told to stop. Returns 0 then, 2 for wrong settings, 4 when it cannot play."""
    lines = "\n".join(f"  {name:10}{house.summary}" for name, house in HOUSE.items())
    parser = argparse.ArgumentParser(
        prog="python -m client_sdk.bots",
        description="Runs a house bot.",
        epilog=f"bots:\n{lines}\n\nThe token is read from HEARTS_TOKEN, or from the file that "
        "HEARTS_TOKEN_FILE or --token-file names; never from an argument.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,  # or --token would pass for --token-file
    )
    parser.add_argument("bot", choices=sorted(HOUSE), metavar="BOT", help="which house bot")
    parser.add_argument("--name", help="the name it is registered under (default: BOT)")
    parser.add_argument("--server", help="HOST:PORT or unix:PATH (default: HEARTS_SERVER)")
    parser.add_argument("--token-file", metavar="FILE", help="a file that holds the token")
    parser.add_argument("--max-tables", type=int, default=256, help="tables at once (256)")
    parser.add_argument("--matches", type=int, help="leave after so many matches")
    parser.add_argument("--quiet", action="store_true", help="log warnings only")
    args = parser.parse_args(argv)
    logging.basicConfig(
        level=logging.WARNING if args.quiet else logging.INFO,
        format="%(asctime)s %(levelname)s %(message)s",
        stream=sys.stderr,
    )
    bot = HOUSE[args.bot].make()
    bot.name = args.name or args.bot
    try:
        token = read_token(file=args.token_file)
        connect(bot, args.server, token, max_tables=args.max_tables, matches=args.matches)
    except (ConfigError, NotAuthenticated, PermissionDenied, BadHello) as error:
        print(f"{bot.name}: {error}", file=sys.stderr)
        return EXIT_USAGE
    except HeartsError as error:
        print(f"{bot.name}: {error}", file=sys.stderr)
        return EXIT_FAILED
    return 0


if __name__ == "__main__":
    sys.exit(main())
