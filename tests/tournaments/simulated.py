"""Plays tournaments without playing: each match gets the result that the bots' strengths say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from arbiter.tournaments.history import Entry, History, Note
from arbiter.tournaments.matchplan import MatchPlan
from arbiter.tournaments.plan import Finished, Wave, plan
from arbiter.tournaments.spec import Spec
from arbiter.tournaments.stage import Score
from arbiter.tournaments.statistics import ScoredDeal, Separation, Verdict


class Means:
    """Statistics in the simplest way that is right when all meet all: mean points per deal."""

    verdict = Verdict.OPEN
    separated = Separation(0, 1, None)

    def strengths(self, deals: Sequence[ScoredDeal]) -> Mapping[str, float]:
        sums: dict[str, int] = defaultdict(int)
        counts: dict[str, int] = defaultdict(int)
        for deal in deals:
            for bot, points in zip(deal.bots, deal.points, strict=True):
                sums[bot] += points
                counts[bot] += 1
        return {bot: round(sums[bot] / counts[bot], 4) for bot in sums}

    def separation(self, deals: Sequence[ScoredDeal], first: int, confidence: float) -> Separation:
        return self.separated

    def sequential(
        self, differences: Sequence[float], h0: float, h1: float, alpha: float, beta: float
    ) -> Verdict:
        return self.verdict


def by_strength(match: MatchPlan) -> Score | None:
    """The bots' numbers are their points: bot-00 is the best."""
    points = tuple(int(bot.rsplit("-", 1)[1]) for bot in match.seats)
    ordered = sorted(points)
    return Score((points,), tuple(2 * ordered.index(value) + 2 for value in points))


@dataclass
class Simulation:
    """One tournament, wave by wave."""

    spec: Spec
    score: Callable[[MatchPlan], Score | None] = by_strength
    statistics: Means = field(default_factory=Means)
    name: str = "t-1"
    entries: dict[str, Entry] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    waves: list[list[MatchPlan]] = field(default_factory=list)
    scores: dict[str, Score] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)
    reason: str | None = None

    def __post_init__(self) -> None:
        self.entries = {bot: Entry(bot) for bot in self.spec.entries} | self.entries

    @property
    def matches(self) -> list[MatchPlan]:
        return [match for wave in self.waves for match in wave]

    def history(self) -> History:
        return History(
            notes=tuple(self.notes),
            planned=len(self.matches),
            done=len(self.scores),
            failed=self.failed,
            matches=self.matches,
            scores=self.scores,
            entries=tuple(self.entries.values()),
        )

    def step(self) -> list[MatchPlan]:
        """Plan one wave and play it; no matches when the tournament is over."""
        step = plan(self.spec, self.name, self.history(), self.statistics)
        if isinstance(step, Finished):
            self.reason = step.reason
            return []
        assert isinstance(step, Wave)
        wave = list(step.matches)
        assert step.number == len(self.waves) + 1
        assert len(wave) == len(step.matches)
        self.waves.append(wave)
        self.notes.append(step.note)
        for match in wave:
            score = self.score(match)
            if score is None:
                self.failed.add(match.id)
            else:
                self.scores[match.id] = score
        return wave

    def run(self, most: int = 400) -> Simulation:
        for _ in range(most):
            if not self.step():
                return self
        raise AssertionError(f"no end after {most} waves")

    def withdraw(self, bot: str) -> None:
        self.entries[bot] = Entry(
            bot, self.entries[bot].owner, self.entries[bot].joined, len(self.waves)
        )

    def enter(self, bot: str) -> None:
        self.entries[bot] = Entry(bot, "", len(self.waves))

    def tables(self, wave: int) -> list[tuple[str, ...]]:
        """The tables of a wave (from 0), each its sorted bots."""
        found = {m.table: tuple(sorted(set(m.seats))) for m in self.waves[wave]}
        return [found[table] for table in sorted(found)]


def round_robin(made: Spec, tournament: str) -> list[MatchPlan]:
    """The whole plan of a small field."""
    wave = plan(made, tournament, History(), Means())
    assert isinstance(wave, Wave)
    return list(wave.matches)
