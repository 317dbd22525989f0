"""``python -m benchmarks.first_legal``: the bot that every speed figure is taken with."""

from __future__ import annotations

from client_sdk import Bot, Turn, connect


class FirstLegal(Bot):
    """Plays the first legal card, passes its lowest."""

    def play(self, turn: Turn) -> int:
        return turn.legal[0]


if __name__ == "__main__":
    import sys

    bot = FirstLegal()
    bot.name = sys.argv[1]
    connect(bot, token=sys.argv[1], max_tables=10_000)
