"""Standings: points per deal with an error clustered by board, from any set of results.

All sums are of whole numbers, so the order of results cannot matter; the figures are rounded.

- Only complete, non-void blocks count: every rotation of the board has its result and no seat
  forfeited.
- A match in which a bot never came or never started (NO_SHOW, NO_START) counts for that bot alone,
  as if it had taken all penalty points in every deal. It voids the block for the others.
- Time-outs, refused answers, crashes and no-shows are counted over all results.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import inf, sqrt

from arbiter.tournaments.matchplan import MatchPlan
from arbiter.tournaments.spec import Spec
from hearts.record import Verdict
from hearts.result import MatchResult, SeatResult

DECIMALS = 4
_FORFEITS = frozenset({Verdict.NO_SHOW, Verdict.NO_START})
# A seat lost with its process or with its stream.
_CRASHES = frozenset({Verdict.CRASH, Verdict.LEFT})

Results = Sequence[tuple[MatchPlan, MatchResult]]


@dataclass(frozen=True, slots=True)
class Standing:
    """One bot's line. `points_per_deal` (low wins) is None without a counted deal, its standard
    error with fewer than two blocks. `mean_place` averages shared places, None without a counted
    match; `wins` are sole first places; `boards` are the blocks behind the figures."""

    place: int
    bot: str
    points_per_deal: float | None
    standard_error: float | None
    deals: int
    matches: int
    mean_place: float | None
    wins: int
    moons: int
    timeouts: int
    illegal: int
    malformed: int
    crashes: int
    no_shows: int
    boards: int


@dataclass(slots=True)
class _Tally:
    """What one bot did. `blocks` holds points and deals of each block that counts."""

    blocks: dict[str, tuple[int, int]] = field(default_factory=dict)
    matches: int = 0
    place_times_two: int = 0
    wins: int = 0
    moons: int = 0
    timeouts: int = 0
    illegal: int = 0
    malformed: int = 0
    crashes: int = 0
    no_shows: int = 0

    def add(self, block: str, points: int, deals: int) -> None:
        before = self.blocks.get(block, (0, 0))
        self.blocks[block] = (before[0] + points, before[1] + deals)
        self.matches += 1


def standings(
    spec: Spec,
    results: Results,
    entries: Iterable[str] | None = None,
    order: Sequence[str] | None = None,
) -> list[Standing]:
    """The table, best first; every entry has a line (None: those of the spec). Equal figures share
    a place, and bots without a counted deal stand last.

    `order`: the places as a format sees them, best first; then nobody shares a place.
    """
    tallies = {bot: _Tally() for bot in (spec.entries if entries is None else entries)}
    blocks: dict[str, list[tuple[MatchPlan, MatchResult]]] = defaultdict(list)
    for plan, result in results:
        blocks[plan.block].append((plan, result))
        for bot, seat in zip(plan.seats, result.seats, strict=True):
            _count_faults(tallies[bot], seat)
            if seat.verdict in _FORFEITS:
                tallies[bot].add(plan.block, *_penalty(spec))
                tallies[bot].place_times_two += 2 * len(plan.seats)
    for block, matches in blocks.items():
        if len(matches) == spec.rotations and not any(result.void_block for _, result in matches):
            for plan, result in matches:
                _count_match(tallies, block, plan, result)
    return _ordered(tallies, order)


def _count_faults(tally: _Tally, seat: SeatResult) -> None:
    tally.timeouts += seat.timeouts
    tally.illegal += seat.illegal
    tally.malformed += seat.malformed
    tally.crashes += seat.verdict in _CRASHES
    tally.no_shows += seat.verdict in _FORFEITS


def _count_match(
    tallies: dict[str, _Tally], block: str, plan: MatchPlan, result: MatchResult
) -> None:
    for index, (bot, seat) in enumerate(zip(plan.seats, result.seats, strict=True)):
        tally = tallies[bot]
        tally.add(block, sum(points[index] for points in result.deals), len(result.deals))
        tally.place_times_two += seat.place_times_two
        tally.wins += seat.place_times_two == 2
        tally.moons += seat.moons


def _penalty(spec: Spec) -> tuple[int, int]:
    """Points and deals of a forfeited match: all penalty points in each of its deals. A game to a
    target counts as the deals in which those points reach it."""
    each = spec.penalty
    deals = spec.deals or max(1, -(-(spec.rules.target or each) // each))
    return each * deals, deals


def _ordered(tallies: dict[str, _Tally], order: Sequence[str] | None) -> list[Standing]:
    figures = {bot: _figures(tally.blocks.values()) for bot, tally in tallies.items()}

    places = {bot: place for place, bot in enumerate(order or ())}

    def rank(bot: str) -> float:
        mean = figures[bot][0]
        return places.get(bot, len(places)) if order else inf if mean is None else mean

    lines: list[Standing] = []
    for position, bot in enumerate(sorted(tallies, key=lambda bot: (rank(bot), bot)), start=1):
        tally, (mean, error) = tallies[bot], figures[bot]
        shared = not order and lines and lines[-1].points_per_deal == mean
        lines.append(
            Standing(
                place=lines[-1].place if shared else position,
                bot=bot,
                points_per_deal=mean,
                standard_error=error,
                deals=sum(deals for _, deals in tally.blocks.values()),
                matches=tally.matches,
                mean_place=_ratio(tally.place_times_two, 2 * tally.matches),
                wins=tally.wins,
                moons=tally.moons,
                timeouts=tally.timeouts,
                illegal=tally.illegal,
                malformed=tally.malformed,
                crashes=tally.crashes,
                no_shows=tally.no_shows,
                boards=len(tally.blocks),
            )
        )
    return lines


def _figures(blocks: Iterable[tuple[int, int]]) -> tuple[float | None, float | None]:
    """Mean points per deal and its standard error: a ratio of totals, clustered by block.

    mean = ΣP/ΣD, variance = B/(B−1) · Σ(P_b − mean·D_b)² / (ΣD)², kept in whole numbers until the
    last step.
    """
    pairs = list(blocks)
    points, deals = sum(p for p, _ in pairs), sum(d for _, d in pairs)
    mean = _ratio(points, deals)
    if mean is None or len(pairs) < 2:
        return mean, None
    spread = sum((p * deals - points * d) ** 2 for p, d in pairs)
    variance = spread * len(pairs) / ((len(pairs) - 1) * deals**4)
    return mean, round(sqrt(variance), DECIMALS)


def _ratio(value: int, parts: int) -> float | None:
    # Adding 0.0 turns -0.0 into 0.0.
    return round(value / parts, DECIMALS) + 0.0 if parts else None
