"""A dry run: the whole tournament played on paper, to say how long it is before it starts.

The field's order of seeding decides every match. So formats whose length does not depend on the
results come out exact, and the others as one typical course.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arbiter.tournaments.draw import Draw
from arbiter.tournaments.history import Entry, History, Note
from arbiter.tournaments.matchplan import MatchPlan
from arbiter.tournaments.plan import Finished, Wave, is_single_wave, plan
from arbiter.tournaments.spec import Spec
from arbiter.tournaments.stage import Format, Score
from arbiter.tournaments.statistics import ScoredDeal, Separation, Verdict

MAX_WAVES = 1000
# Formats whose number of matches follows from the number of bots alone.
_FIXED = frozenset({Format.ROUND_ROBIN, Format.SWISS, Format.KNOCKOUT, Format.HALVING})


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """`rounds` and `matches` of the whole (0 for a ladder without end), whether they are `exact`,
    the tables and sit-outs of the first round, and the `reason` why nothing can be played."""

    rounds: int
    matches: int
    exact: bool
    tables: tuple[tuple[str, ...], ...]
    sit_outs: tuple[str, ...]
    reason: str = ""


class Paper:
    """Statistics of a dry run: mean points, and every question answered at once."""

    def strengths(self, deals: Sequence[ScoredDeal]) -> Mapping[str, float]:
        """Mean points per deal."""
        sums: dict[str, int] = defaultdict(int)
        counts: dict[str, int] = defaultdict(int)
        for deal in deals:
            for bot, points in zip(deal.bots, deal.points, strict=True):
                sums[bot] += points
                counts[bot] += 1
        return {bot: sums[bot] / counts[bot] for bot in sums}

    def separation(self, deals: Sequence[ScoredDeal], first: int, confidence: float) -> Separation:
        """Reached."""
        del deals, confidence
        return Separation(first, first, 1.0)

    def sequential(
        self, differences: Sequence[float], h0: float, h1: float, alpha: float, beta: float
    ) -> Verdict:
        """Decided after the first round."""
        del h0, h1, alpha, beta
        return Verdict.BETTER if differences else Verdict.OPEN


def rehearse(spec: Spec) -> Rehearsal:
    """Play the tournament on paper. The spec must have passed its check."""
    entries = [Entry(bot) for bot in sorted(spec.entries)]
    seeds = Draw(spec.seed, "seeding").shuffled(sorted(spec.entries))
    points = {bot: place for place, bot in enumerate(seeds)}
    endless = spec.all_stages[0].format is Format.LADDER and not spec.all_stages[0].rounds
    notes: list[Note] = []
    matches: list[MatchPlan] = []
    scores: dict[str, Score] = {}
    total = 0
    first: tuple[tuple[str, ...], ...] = ()
    while len(notes) < MAX_WAVES:
        history = History(tuple(notes), total, total, (), matches, scores, entries=entries)
        step = plan(spec, "plan", history, Paper())
        if not isinstance(step, Wave):
            reason = step.reason if isinstance(step, Finished) and not notes else ""
            break
        notes.append(step.note)
        total += len(step.matches)
        first = first or step.matches.round.tables
        if endless or is_single_wave(spec, entries):
            reason = ""
            break
        for match in step.matches:
            matches.append(match)
            scores[match.id] = _score(match, points)
    else:
        reason = ""
    exact = all(stage.format in _FIXED and not stage.separate for stage in spec.all_stages)
    return Rehearsal(
        rounds=0 if endless else len(notes),
        matches=0 if endless else total,
        exact=exact and not spec.start.entries,
        tables=first,
        sit_outs=notes[0].sit_outs if notes else (),
        reason=reason,
    )


def _score(match: MatchPlan, points: Mapping[str, int]) -> Score:
    row = tuple(points[bot] for bot in match.seats)
    ordered = sorted(row)
    return Score((row,), tuple(2 * ordered.index(value) + 2 for value in row))
