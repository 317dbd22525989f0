"""The bot that any other should beat."""

from client_sdk.bot import Bot
from client_sdk.turn import Turn
from hearts.deal import MoonChoice


class Random(Bot):
    """Any legal card. The same seeds give the same game."""

    name = "random"

    def play(self, turn: Turn) -> int:
        """One of the legal cards, all equally likely."""
        return turn.random.choice(turn.legal)

    def pass_cards(self, turn: Turn) -> list[int]:
        """Any cards."""
        return turn.random.sample(turn.hand, turn.pass_count)

    def choose_moon(self, turn: Turn) -> MoonChoice:
        """Either."""
        return turn.random.choice([MoonChoice.OTHERS, MoonChoice.SELF])
