"""A fit as it is stored and served: the messages themselves, so that every view shows the same
figures."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from arbiter.ratings.report import Line, Pair, Part
from arbiter.ratings.sequential import Result, Verdict
from arbiter.ratings.splits import Split
from arbiter.ratings.tables import Rating, Table
from hearts.v1 import ratings_pb2

_VERDICTS = {
    Verdict.CONTINUE: ratings_pb2.TEST_VERDICT_CONTINUE,
    Verdict.H0: ratings_pb2.TEST_VERDICT_H0,
    Verdict.H1: ratings_pb2.TEST_VERDICT_H1,
}


@dataclass(frozen=True, slots=True)
class Stored:
    """A fit: ListRatingsResponse and ListGapsResponse."""

    fit: bytes
    gaps: bytes


def encode(pool: str, parts: Sequence[Part]) -> Stored:
    """The fit of a pool. Bots that never met, directly or through others, have no common order:
    each further part is a pool of its own, "standard-4.2". A part has no lines while one block is
    all there is, because nothing can be said about the error then.

    The snapshot id is a digest of the figures: the same results give the same bytes.
    """
    pools = [
        ratings_pb2.Pool(
            id=pool if number == 1 else f"{pool}.{number}",
            deals=part.table.deals,
            blocks=part.table.blocks,
            ratings=[made for line in part.lines if (made := _rating(line)) is not None],
        )
        for number, part in enumerate(parts, start=1)
    ]
    message = ratings_pb2.ListRatingsResponse(pools=pools)
    snapshot = hashlib.sha256(message.SerializeToString(deterministic=True)).hexdigest()[:12]
    for item in message.pools:
        item.snapshot = snapshot
    gaps = ratings_pb2.ListGapsResponse(
        gaps=[_gap(pair) for part in parts for pair in part.pairs], snapshot=snapshot
    )
    return Stored(
        message.SerializeToString(deterministic=True), gaps.SerializeToString(deterministic=True)
    )


def decode(data: bytes) -> list[ratings_pb2.Pool]:
    """The pools of a stored fit."""
    return list(ratings_pb2.ListRatingsResponse.FromString(data).pools)


def decode_gaps(data: bytes | None) -> ratings_pb2.ListGapsResponse:
    """The gaps of a stored fit; empty without one."""
    return ratings_pb2.ListGapsResponse.FromString(data or b"")


def turned(gap: ratings_pb2.Gap) -> ratings_pb2.Gap:
    """The same gap, seen from the other bot."""
    return ratings_pb2.Gap(
        bot=gap.other,
        other=gap.bot,
        gap=-gap.gap + 0.0,
        standard_error=gap.standard_error,
        low=-gap.high + 0.0,
        high=-gap.low + 0.0,
        superiority=round(1 - gap.superiority, 6),
        blocks=gap.blocks,
        met=-gap.met + 0.0,
    )


def history(results: int, tables: Sequence[Table]) -> list[ratings_pb2.HistoryPoint]:
    """The points of the fit of the first `results` results."""
    return [
        ratings_pb2.HistoryPoint(
            results=results,
            bot=f"bots/{rating.bot}",
            strength=rating.strength,
            low=rating.low,
            high=rating.high,
            deals=rating.deals,
        )
        for table in tables
        for rating in table.ratings
        if rating.low is not None and rating.high is not None
    ]


def tested(result: Result) -> ratings_pb2.TestBotsResponse:
    """A test's result, but for what its evidence says."""
    return ratings_pb2.TestBotsResponse(
        verdict=_VERDICTS[result.verdict],
        llr=result.llr,
        lower=result.lower,
        upper=result.upper,
        blocks=result.blocks,
        estimate=result.estimate,
        low=result.low,
        high=result.high,
        elapsed=result.elapsed,
        history=[ratings_pb2.TestPoint(blocks=n, llr=llr) for n, llr in result.history],
    )


def _rating(line: Line) -> ratings_pb2.Rating | None:
    rating = line.rating
    if rating.se is None or rating.low is None or rating.high is None:
        return None
    return ratings_pb2.Rating(
        rank=rating.rank,
        bot=f"bots/{rating.bot}",
        strength=rating.strength,
        standard_error=rating.se,
        low=rating.low,
        high=rating.high,
        deals=rating.deals,
        blocks=rating.blocks,
        provisional=rating.provisional,
        rank_low=rating.rank_low,
        rank_high=rating.rank_high,
        superiority=rating.superiority,
        placing=_placing(line.placing),
        matches=line.matches,
        mean_place=line.mean_place,
        wins=line.wins,
        moons=line.moons,
        timeouts=line.timeouts,
        illegal=line.illegal,
        decisions=line.decisions,
        by_seat=[_split(split) for split in line.by_seat],
        by_pass=[_split(split) for split in line.by_pass],
    )


def _placing(rating: Rating) -> ratings_pb2.Placing:
    return ratings_pb2.Placing(
        strength=rating.strength, standard_error=rating.se, low=rating.low, high=rating.high
    )


def _split(split: Split) -> ratings_pb2.Split:
    return ratings_pb2.Split(
        key=split.key, strength=split.strength, standard_error=split.se, deals=split.deals
    )


def _gap(pair: Pair) -> ratings_pb2.Gap:
    return ratings_pb2.Gap(
        bot=f"bots/{pair.bot}",
        other=f"bots/{pair.other}",
        gap=pair.gap.gap,
        standard_error=pair.gap.se,
        low=pair.gap.low,
        high=pair.gap.high,
        superiority=pair.gap.superiority,
        blocks=pair.blocks,
        met=pair.met,
    )
