"""The statistics that formats ask for, from the ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import NormalDist

from arbiter.ratings import sequential
from arbiter.ratings.deals import Deal
from arbiter.ratings.sequential import Hypotheses, run
from arbiter.ratings.tables import Table, fit
from arbiter.tournaments.statistics import ScoredDeal, Separation, Verdict

_NORMAL = NormalDist()


class Ratings:
    """Least squares, likelihoods of superiority, the sequential test. See `Statistics`."""

    def strengths(self, deals: Sequence[ScoredDeal]) -> Mapping[str, float]:
        """Each bot's strength. Groups that have not met have no common scale: each has mean 0."""
        return {rating.bot: rating.strength for table in _tables(deals) for rating in table.ratings}

    def separation(self, deals: Sequence[ScoredDeal], first: int, confidence: float) -> Separation:
        """By the likelihood that each of the first is truly better than the next."""
        tables = _tables(deals)
        if len(tables) != 1:
            return Separation(0, first, None)
        lines = tables[0].ratings
        wanted = min(first, len(lines) - 1)
        found = [line.superiority for line in lines[:wanted]]
        reached = sum(value is not None and value >= confidence for value in found)
        if reached >= wanted:
            return Separation(reached, wanted, 1.0)
        weakest = min((value for value in found if value is not None), default=0.5)
        if None in found or weakest <= 0.5:
            return Separation(reached, wanted, None)
        # A gap in standard errors grows with the root of the number of blocks.
        growth = (_NORMAL.inv_cdf(confidence) / _NORMAL.inv_cdf(weakest)) ** 2
        return Separation(reached, wanted, growth)

    def sequential(
        self, differences: Sequence[float], h0: float, h1: float, alpha: float, beta: float
    ) -> Verdict:
        """The generalised sequential probability ratio test, in points per deal."""
        return _VERDICTS[run(differences, Hypotheses(h0, h1, alpha, beta)).verdict]


_VERDICTS = {
    sequential.Verdict.H0: Verdict.NOT_BETTER,
    sequential.Verdict.H1: Verdict.BETTER,
    sequential.Verdict.CONTINUE: Verdict.OPEN,
}


def _tables(deals: Sequence[ScoredDeal]) -> list[Table]:
    return fit(Deal(deal.block, deal.bots, deal.points) for deal in deals)
