"""A game: deals until the end test holds, or a fixed number of them."""

from collections.abc import Sequence

from hearts.deal import Deal, Deck, Phase
from hearts.plan import Plan, plan_for
from hearts.rules import RuleSet
from hearts.scoring import MatchEnd, places
from hearts.shuffle import Board

__all__ = ["Game", "MatchEnd", "deal_out"]


def deal_out(rules: RuleSet, pack: list[int]) -> Deck:
    """Hands and leftover from a shuffled pack: seat 0 gets the first cards, seat 1 the next, ..."""
    size = len(pack) // rules.players
    dealt = size * rules.players
    return [pack[at : at + size] for at in range(0, dealt, size)], pack[dealt:]


class Game:
    """The deals of one match. All cards follow from the board.

    `deals` is the fixed number of deals; None plays to the rule set's own end. `rules` are the
    rules in force: for a fixed number of deals those have no target and that `max_deals`.
    A deal scores itself when its last card (or moon choice) is in: `totals`, `over` and `end` then
    include it, and `next_deal` begins another.
    """

    __slots__ = ("_dealer", "_pass_index", "_plan", "board", "deal", "rules")

    def __init__(self, rules: RuleSet, board: Board, deals: int | None = None) -> None:
        self._set_up(rules, board, deals)
        self.deal: Deal = self._new_deal(0, [0] * rules.players)

    @classmethod
    def resume(
        cls,
        rules: RuleSet,
        board: Board,
        deals: int | None,
        totals: Sequence[int],
        deals_done: int,
    ) -> "Game":
        """The game after `deals_done` finished deals with these totals; its next deal is dealt."""
        game = cls.__new__(cls)
        game._set_up(rules, board, deals)
        game.deal = game._new_deal(deals_done, totals)
        return game

    def _set_up(self, rules: RuleSet, board: Board, deals: int | None) -> None:
        self.rules = rules if deals is None else rules.for_deals(deals)
        self.board = board
        self._plan: Plan = plan_for(self.rules)
        self._dealer = board.first_dealer(rules)
        self._pass_index = board.first_pass_index(rules)

    def _new_deal(self, number: int, totals: Sequence[int]) -> Deal:
        rules = self.rules

        def cards(redeal: int) -> Deck:
            return deal_out(rules, self.board.shuffle(rules, number, redeal))

        return Deal(
            self._plan,
            number=number,
            dealer=(self._dealer + number) % rules.players,
            pass_offset=rules.passes(self._pass_index + number),
            deck=cards(0),
            totals=totals,
            redeal=cards,
        )

    @property
    def totals(self) -> list[int]:
        """Totals by seat, with the current deal once it is done."""
        return self.deal.totals_after

    @property
    def deals_done(self) -> int:
        return self.deal.number + (self.deal.phase is Phase.DONE)

    @property
    def end(self) -> MatchEnd | None:
        """Why the game is over; None while it is not."""
        return self.deal.standing.end if self.deal.standing else None

    @property
    def over(self) -> bool:
        return self.end is not None

    def next_deal(self) -> Deal:
        """Begins the next deal and returns it.

        Raises ValueError while the current one is not done, and when the game is over.
        """
        if self.deal.phase is not Phase.DONE:
            raise ValueError("the current deal is not done")
        if self.over:
            raise ValueError("the game is over")
        self.deal = self._new_deal(self.deal.number + 1, self.totals)
        return self.deal

    def places(self) -> list[int]:
        """The place of each seat by the totals so far: 1 is best, equals share a number."""
        return list(self.deal.standing.places if self.deal.standing else places(self.totals))
