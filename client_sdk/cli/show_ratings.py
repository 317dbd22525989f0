"""Ratings on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from client_sdk.cli.show import console, enum_word, legend, table
from client_sdk.cli.text import bare, ordinal, safe
from hearts.v1 import ratings_pb2


def ratings(pools: Sequence[ratings_pb2.Pool]) -> None:
    """The table of each pool."""
    out = console()
    if not pools:
        out.print("no rated results yet")
        return
    headings = (
        "rank", "bot", "points/deal", "95 % interval", "LOS", "deals", "boards", "placings",
        "mean place", "wins", "moons", "time-outs", "illegal", "",
    )  # fmt: skip
    for pool in pools:
        out.print(Text(safe(f"pool {pool.id}: {pool.deals} deals"), style="bold"))
        rows = [_row(rating) for rating in pool.ratings]
        out.print(table(headings, rows, right="|".join(h for h in headings if h != "bot")))
    out.print(
        legend(
            "points/deal: expected points per deal above (+) or below (-) the pool's mean, lower "
            "is better.\nrank: where the bot truly is, with 95 % confidence; LOS: likelihood of "
            "being truly better than the next.\nplacings: log-worth by places, higher is better; "
            "provisional: the interval is still wide"
        )
    )


def _row(r: ratings_pb2.Rating) -> tuple[str, ...]:
    rank = ordinal(r.rank)
    if r.rank_low and r.rank_low != r.rank_high:
        rank = f"{ordinal(r.rank_low)} to {ordinal(r.rank_high)}"
    return (
        rank,
        bare(r.bot),
        f"{r.strength:+.3f}",
        f"{r.low:+.2f} to {r.high:+.2f}",
        f"{100 * r.superiority:.1f} %" if r.HasField("superiority") else "–",
        str(r.deals),
        str(r.blocks),
        f"{r.placing.strength:+.2f}",
        f"{r.mean_place:.2f}",
        str(r.wins),
        str(r.moons),
        str(r.timeouts),
        str(r.illegal),
        "provisional" if r.provisional else "",
    )


def gap(item: ratings_pb2.Gap) -> None:
    """Two bots, head to head."""
    bot, other = bare(item.bot), bare(item.other)
    met = f"{item.met:+.3f} points a deal over {item.blocks} blocks" if item.blocks else "never"
    rows = [
        ("gap", f"{item.gap:+.3f} points a deal ± {item.standard_error:.3f}"),
        ("95 % interval", f"{item.low:+.3f} to {item.high:+.3f}"),
        ("better", f"{bot} with a likelihood of {100 * item.superiority:.1f} %"),
        ("at one table", met),
    ]
    out = console()
    out.print(table(("figure", f"{bot} against {other}"), rows))
    out.print(
        legend(
            f"gap: points a deal that {bot} takes more (+) or fewer (-) than {other}, from all "
            "their results; lower is better.\nat one table: the plain difference where they met"
        )
    )


def history(points: Sequence[ratings_pb2.HistoryPoint]) -> None:
    """The rating over time."""
    out = console()
    if not points:
        out.print("no history yet")
        return
    rows = [
        (
            str(p.results),
            bare(p.bot),
            f"{p.strength:+.3f}",
            f"{p.low:+.2f} to {p.high:+.2f}",
            str(p.deals),
        )
        for p in points
    ]
    headings = ("results", "bot", "points/deal", "95 % interval", "deals")
    out.print(table(headings, rows, right="results|points/deal|95 % interval|deals"))
    out.print(legend("results: so many matches of the pool were in; lower points are better"))


def tested(reply: ratings_pb2.TestBotsResponse, baseline: str, candidate: str) -> None:
    """How a sequential test stands."""
    word = enum_word(ratings_pb2.TestVerdict, reply.verdict)
    estimate = "–"
    if reply.HasField("estimate"):
        estimate = (
            f"{reply.estimate:+.3f} points a deal, 95 % {reply.low:+.3f} to {reply.high:+.3f}"
        )
    rows = [
        ("verdict", word if word == "continue" else word.upper()),
        ("LLR", f"{reply.llr:.3f}"),
        ("bounds", f"{reply.lower:.3f} to {reply.upper:.3f}"),
        ("elapsed", f"{100 * reply.elapsed:.0f} %"),
        ("blocks used", str(reply.blocks)),
        ("estimate", estimate),
    ]
    if reply.waiting:
        rows.append(("waits for", f"block {reply.waiting}; {reply.left} after it do not count"))
    if not reply.mirrored and reply.blocks:
        rows.append(("boards", "not mirrored: luck of the cards and seats is in the figures"))
    out = console()
    out.print(table(("test", f"{candidate} against {baseline}"), rows))
    out.print(
        legend(
            f"estimate: by how much {candidate} is better, corrected for the moment of stopping.\n"
            "H1: better, by h1 rather than h0; H0: better by no more than h0"
        )
    )
