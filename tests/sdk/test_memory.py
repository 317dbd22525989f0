"""What a bot knows when it decides is what the referee knows of that seat."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from local_table import play_matches

from arbiter.tables.table import Table
from client_sdk import Bot, Match, Turn
from client_sdk.match import DealResult
from hearts.decisions import NOBODY
from hearts.match_record import tricks_of
from hearts.rules import preset
from hearts.view import leftover_seen


class Recorder(Bot):
    """Compares its whole view with the referee's at every decision; plays by chance."""

    def __init__(self, name: str, tables: dict[str, Table]) -> None:
        self.name = name
        self.tables = tables
        self.compared = 0
        self.wrong: list[tuple[object, object]] = []
        self.deals: dict[str, list[int]] = {}

    def _compare(self, turn: Turn, own: list[object], referees: list[object]) -> None:
        game, match = self.tables[turn.match.name].game, turn.match
        deal = game.deal
        played = SimpleNamespace(opener=deal.opener, plays=deal.plays)
        tricks = tricks_of(game.rules, played)[: deal.trick_number - 1]  # type: ignore[arg-type]
        own += [turn.hand, turn.totals, match.totals, turn.deal, match.dealer, match.dealt]
        own += [[(trick.leader, trick.cards) for trick in turn.tricks]]
        referees += [deal.hand(turn.seat), game.totals, game.totals, deal.number, deal.dealer]
        referees += [deal.dealt[turn.seat], [(t.leader, tuple(t.cards)) for t in tricks]]
        if own != referees:
            self.wrong.append((own, referees))
        self.compared += 1

    def play(self, turn: Turn) -> int:
        deal, seat = self.tables[turn.match.name].game.deal, turn.seat
        self._compare(
            turn,
            [turn.gave, turn.received, turn.legal, turn.leader, turn.trick, turn.played],
            [
                deal.gave[seat],
                deal.received[seat],
                deal.legal(),
                deal.leader,
                deal.trick,
                deal.plays,
            ],
        )
        self._compare(
            turn,
            [turn.trick_number, turn.hearts_broken],
            [deal.trick_number, deal.hearts_broken],
        )
        taker = None if deal.leftover_taker == NOBODY else deal.leftover_taker
        self._compare(
            turn,
            [turn.match.leftover_taker, turn.match.leftover, turn.match.redeals],
            [taker, leftover_seen(deal, seat), deal.redeals],
        )
        return turn.random.choice(turn.legal)

    def pass_cards(self, turn: Turn) -> list[int]:
        deal = self.tables[turn.match.name].game.deal
        to = (turn.seat + deal.pass_offset) % turn.players
        self._compare(turn, [turn.pass_to, turn.gave, turn.received], [to, [], []])
        return turn.random.sample(turn.hand, turn.pass_count)

    def on_deal_over(self, match: Match, result: DealResult) -> None:
        deals = self.deals.setdefault(match.name, [])
        if (result.deal, match.finished) != (len(deals), len(match.dealt)):
            self.wrong.append((result, match.finished))
        deals.append(result.points[match.seat])


@pytest.mark.parametrize(
    "name", ["standard", "five_player", "cancellation_6", "spot_hearts", "five_player_hole"]
)
async def test_view_equals_the_referees_at_every_decision(name: str) -> None:
    """DX05: 1,000 hands in all."""
    rules = preset(name)
    tables: dict[str, Table] = {}
    bots = [Recorder(f"bot{seat}", tables) for seat in range(rules.players)]
    records, _ = await play_matches(list(bots), rules, deals=5, matches=10, tables=tables)
    assert all(not deal.incidents for record in records for deal in record.deals)
    for seat, bot in enumerate(bots):
        assert not bot.wrong, bot.wrong[0]
        assert bot.compared >= 50 * rules.hand_size
        told = [bot.deals[f"m{board}"] for board in range(10)]
        assert told == [[deal.points[seat] for deal in record.deals] for record in records]
