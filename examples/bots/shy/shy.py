"""A bot to be hosted: it takes no trick that it can avoid.

The platform tells it where to connect, and with which token, by HEARTS_SERVER and HEARTS_TOKEN.
"""

from client_sdk import Bot, Turn, connect
from hearts.cards import SUIT, rank


class Shy(Bot):
    """Keeps out of the way."""

    name = "shy"

    def play(self, turn: Turn) -> int:
        """The highest card below the one that wins so far; else the lowest."""
        if turn.trick:
            led = SUIT[turn.trick[0]]
            best = max(card for card in turn.trick if SUIT[card] == led)
            if below := [card for card in turn.legal if SUIT[card] == led and card < best]:
                return max(below)
        return min(turn.legal, key=rank)


if __name__ == "__main__":
    connect(Shy())
