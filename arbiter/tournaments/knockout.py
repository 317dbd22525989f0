"""Knockout: the best of each table go on. A bot is out after one loss, or after two (double
elimination); not going on from a table is a loss.

The draw seeds the field in the first stage, the ranking of the stage before in a later one. Strong
seeds meet late. Who does not fit a table has a bye: the best seeds among those with fewest. As
many always go on as the final needs: where too few would, the best of those who would be out stay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from arbiter.tournaments.partition import pair_costs, partition
from arbiter.tournaments.stage import Over, PlayedRound, PlayedTable, Round, Situation, even_seats


def next_round(situation: Situation) -> Round | Over:
    """The next tables of the bracket."""
    if situation.rounds and is_final(situation.rounds[-1]):
        return Over()
    losses, left = standing(situation)
    seeds = {bot: place for place, bot in enumerate(situation.entrants)}
    here = sorted((bot for bot in left if bot in situation.active), key=seeds.__getitem__)
    if len(here) < situation.players:
        # After withdrawals the best of those who are out fill up the final.
        spare = [b for b in ranking(situation) if b in situation.active and b not in here]
        here += spare[: situation.players - len(here)]
    groups = _groups(here, losses, situation.players)
    byes = Counter(bot for past in situation.rounds for bot in past.sit_outs)
    tables: list[tuple[str, ...]] = []
    resting: list[str] = []
    for number, group in enumerate(groups):
        rest = sorted(group, key=lambda bot: (losses[bot], byes[bot], seeds[bot]))
        count = len(group) % situation.players
        resting += rest[:count]
        playing = sorted(rest[count:], key=seeds.__getitem__)
        tables += _drawn(situation, playing, number)
    return Round(tuple(tables), situation.boards, tuple(sorted(resting)))


def ranking(situation: Situation) -> list[str]:
    """Those still in first, then those who went out later; within a round by the table's result."""
    _, left = standing(situation)
    last: dict[str, tuple[int, int, float]] = {}
    for index, past in enumerate(situation.rounds):
        for table in past.tables:
            order = table_order(situation, table)
            for place, bot in enumerate(order):
                last[bot] = (-index, place, table_mean(situation, table, bot))
        for bot in past.sit_outs:
            last[bot] = (-index, -1, 0.0)
    seeds = {bot: place for place, bot in enumerate(situation.entrants)}
    over = bool(situation.rounds) and is_final(situation.rounds[-1])

    def key(bot: str) -> tuple[bool, tuple[int, int, float], int]:
        return (not over and bot not in left, last.get(bot, (1, 0, 0.0)), seeds[bot])

    return sorted(situation.entrants, key=key)


def is_final(past: PlayedRound) -> bool:
    """Whether this round was the last: one table, and nobody else left."""
    return len(past.tables) == 1 and not past.sit_outs


def standing(situation: Situation) -> tuple[Counter[str], set[str]]:
    """How often each bot has lost, and who is still in, after the rounds so far."""
    losses: Counter[str] = Counter()
    left = set(situation.entrants)
    for past in situation.rounds:
        left = {*past.bots, *past.sit_outs}
        lost = losers(situation, past, losses)
        losses.update(lost)
        left -= {bot for bot in lost if losses[bot] >= _lives(situation)}
    return losses, left


def losers(situation: Situation, past: PlayedRound, losses: Counter[str]) -> list[str]:
    """Who does not go on from the tables of this round; `losses` are those before it."""
    winners = situation.stage.winners or situation.players // 2
    places = {
        bot: (place, table_mean(situation, table, bot))
        for table in past.tables
        for place, bot in enumerate(table_order(situation, table))
    }
    lost = [bot for bot, (place, _) in places.items() if place >= winners]
    out = sorted(
        (bot for bot in lost if losses[bot] + 1 >= _lives(situation)),
        key=lambda bot: (places[bot], situation.entrants.index(bot)),
    )
    field = len(places) + len(past.sit_outs)
    saved = out[: max(0, situation.players - (field - len(out)))]
    return [bot for bot in lost if bot not in saved]


def table_order(situation: Situation, table: PlayedTable) -> list[str]:
    """The result of a table, best first: mean points, then mean place, then the seeding."""
    return sorted(
        table.bots,
        key=lambda bot: (
            table_mean(situation, table, bot),
            _mean_place(table, bot),
            situation.entrants.index(bot),
        ),
    )


def table_mean(situation: Situation, table: PlayedTable, bot: str) -> float:
    """Points per deal over the blocks that count, or over all when none does. A match that the bot
    forfeited counts as taking all penalty points."""
    counted = table.counted(situation.rotations) or table.blocks
    points = deals = 0
    for block in counted:
        for match in block:
            for seat, who in enumerate(match.seats):
                if match.score is not None and who == bot and seat not in match.score.forfeits:
                    points += sum(deal[seat] for deal in match.score.deals)
                    deals += len(match.score.deals)
    forfeits = sum(
        match.score is not None and match.seats.index(bot) in match.score.forfeits
        for block in table.blocks
        for match in block
    )
    each = max(
        (len(m.score.deals) for block in table.blocks for m in block if m.score is not None),
        default=0,
    )
    weight = deals + forfeits * max(1, each)
    if not weight:
        return float(situation.penalty)
    return round((points + situation.penalty * forfeits * max(1, each)) / weight, 6)


def _mean_place(table: PlayedTable, bot: str) -> float:
    places = [
        match.score.places[match.seats.index(bot)]
        for block in table.blocks
        for match in block
        if match.score is not None
    ]
    return sum(places) / len(places) if places else 0.0


def _lives(situation: Situation) -> int:
    return 2 if situation.stage.double_elimination else 1


def _groups(here: Sequence[str], losses: Counter[str], size: int) -> list[list[str]]:
    """Who may meet: those without a loss, and those with one. Together when only a final's table
    is left, or when neither group fills one: then those with most losses play."""
    if len(here) == size:
        return [list(here)]
    upper = [bot for bot in here if not losses[bot]]
    lower = [bot for bot in here if losses[bot]]
    if len(upper) >= size or len(lower) >= size:
        return [group for group in (upper, lower) if group]
    return [list(here)]


def _drawn(situation: Situation, playing: Sequence[str], number: int) -> list[tuple[str, ...]]:
    """Tables of a group in seed order, dealt out to and fro, so that strong seeds meet late; seats
    are exchanged only where that avoids a second meeting or two bots of one owner."""
    count = len(playing) // situation.players
    if not count:
        return []
    tables: list[list[str]] = [[] for _ in range(count)]
    for index, bot in enumerate(playing):
        row, column = divmod(index, count)
        tables[column if row % 2 == 0 else count - 1 - column].append(bot)
    order = [bot for table in tables for bot in table]
    costs = pair_costs(order, situation.meetings(), situation.owners)
    draw = situation.draw("round", len(situation.rounds), number)
    even = even_seats(situation, situation.boards, order)
    return partition(order, situation.players, costs, draw, even)
