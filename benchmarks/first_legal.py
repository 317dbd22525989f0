"""``python -m benchmarks.first_legal NAME [TABLES]``: the bot of every speed figure."""

from __future__ import annotations

from client_sdk import Bot, Turn, connect


class FirstLegal(Bot):
    """Plays the first legal card, passes its lowest."""

    def play(self, turn: Turn) -> int:
        return turn.legal[0]


if __name__ == "__main__":
    import os
    import sys

    name, *tables = sys.argv[1:]
    bot = FirstLegal()
    bot.name = name
    # An arbiter without a store takes the name for the token.
    token = None if "HEARTS_TOKEN" in os.environ else name
    connect(bot, token=token, max_tables=int(tables[0]) if tables else 10_000)
