"""The class that a bot's author fills in."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING

from hearts.deal import MoonChoice, Phase

if TYPE_CHECKING:
    from client_sdk.match import DealResult, Fallback, Match, MatchResult, Refusal
    from client_sdk.turn import Turn


class Bot:
    """A Hearts bot. Override `play`, and whatever else you like.

    Every method may be a plain function or `async`. One object plays at all tables of the
    connection, one decision at a time, so keep what belongs to one match in `match.memo`.
    A method that raises is logged, and nothing is sent for that decision: its clock runs out
    and the referee decides.
    """

    name: str = ""
    """The name under which the bot is registered, without "bots/"."""

    def play(self, turn: Turn) -> int | Awaitable[int]:
        """The card to play, one of `turn.legal`. Default: the lowest legal card."""
        return turn.legal[0]

    def pass_cards(self, turn: Turn) -> list[int] | Awaitable[list[int]]:
        """`turn.pass_count` cards of `turn.hand` to give away. Default: the lowest."""
        return turn.hand[: turn.pass_count]

    def choose_moon(self, turn: Turn) -> MoonChoice | Awaitable[MoonChoice]:
        """Who scores a moon this bot shot, where the rules ask. Default: as `best_moon`."""
        return best_moon(turn)

    def on_match_start(self, match: Match) -> Awaitable[None] | None:
        """The bot has a seat. It is reported ready when this returns."""

    def on_deal_start(self, match: Match) -> Awaitable[None] | None:
        """`match.dealt` are the bot's cards."""

    def on_passed(self, match: Match) -> Awaitable[None] | None:
        """`match.gave` and `match.received` are known."""

    def on_refusal(self, match: Match, refusal: Refusal) -> object:
        """An answer broke a rule and time is left: the answer to send now, or None.

        Default: the lowest legal card (the lowest cards for a pass), so that the table need
        not wait for the clock. The SDK has logged the refusal, and the results count it.
        """
        if refusal.phase == Phase.PLAY:
            return refusal.legal[0] if refusal.legal else None
        if refusal.phase == Phase.PASS:
            return match.dealt[: match.wire_rules.pass_count]
        return MoonChoice.OTHERS

    def on_fallback(self, match: Match, fallback: Fallback) -> Awaitable[None] | None:
        """The referee decided for the bot. The SDK has logged it."""

    def on_deal_over(self, match: Match, result: DealResult) -> Awaitable[None] | None:
        """A deal is scored. Comes once for each deal."""

    def on_match_over(self, match: Match, result: MatchResult) -> Awaitable[None] | None:
        """The match is over. Comes once, and last."""


def best_moon(turn: Turn) -> MoonChoice:
    """The choice after which the shooter stands better: the lead on the best of the others."""

    def lead(totals: list[int]) -> int:
        own = totals.pop(turn.seat)
        return min(totals) - own

    others, own = lead(turn.totals_if_others), lead(turn.totals_if_self)
    return MoonChoice.OTHERS if others >= own else MoonChoice.SELF
