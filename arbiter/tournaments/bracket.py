"""The rounds of a tournament for those who look at it: tables in order of their result, who goes
on, who sat out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from arbiter.tournaments import knockout
from arbiter.tournaments.history import History
from arbiter.tournaments.plan import FORMATS, situation
from arbiter.tournaments.spec import Spec
from arbiter.tournaments.stage import Format, PlayedTable, Situation
from arbiter.tournaments.statistics import Statistics


@dataclass(frozen=True, slots=True)
class TableView:
    """A table: its bots, best first, with their points per deal (empty before the first result)."""

    bots: tuple[str, ...]
    points: tuple[float, ...]
    matches: int
    done: int
    going_on: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round."""

    stage: int
    round: int
    format: Format
    tables: tuple[TableView, ...]
    sit_outs: tuple[str, ...]


def rounds(spec: Spec, history: History, statistics: Statistics) -> list[RoundView]:
    """All rounds planned so far, in order; the last may still be played."""
    views: list[RoundView] = []
    before: Sequence[str] | None = None
    for number, stage in enumerate(spec.all_stages, start=1):
        now = situation(spec, number, history, statistics, before)
        if not now.rounds:
            break
        for index, past in enumerate(now.rounds, start=1):
            lost: set[str] | None = None
            # Who goes on is known when the round is complete.
            if stage.format is Format.KNOCKOUT and (index < len(now.rounds) or not history.missing):
                so_far, _ = knockout.standing(replace(now, rounds=now.rounds[: index - 1]))
                lost = set(knockout.losers(now, past, so_far))
                if knockout.is_final(past):
                    lost = set(past.bots)
            tables = tuple(_table(now, table, lost) for table in past.tables)
            views.append(RoundView(number, index, stage.format, tables, past.sit_outs))
        before = FORMATS[stage.format].ranking(now)
    return views


def _table(now: Situation, table: PlayedTable, lost: set[str] | None) -> TableView:
    matches = [match for block in table.blocks for match in block]
    done = sum(match.score is not None for match in matches)
    if now.stage.format is Format.VERSUS or not done:
        order = list(table.bots)
    else:
        order = knockout.table_order(now, table)
    points = tuple(round(knockout.table_mean(now, table, bot), 3) for bot in order) if done else ()
    going_on = tuple(bot for bot in order if lost is not None and bot not in lost)
    return TableView(tuple(order), points, len(matches), done, going_on)
