"""Play to come, suspects and held results on a terminal."""

from __future__ import annotations

from client_sdk.cli.show import console, legend, table, when
from client_sdk.cli.text import bare, safe
from hearts.v1 import ratings_pb2


def suggested(reply: ratings_pb2.SuggestTablesResponse) -> None:
    """Which tables to play next."""
    out = console()
    if not reply.wide:
        out.print("nothing is left: every interval that matters is narrow enough")
        return
    rows = [
        (str(number), ", ".join(bare(bot) for bot in item.bots))
        for number, item in enumerate(reply.tables, start=1)
    ]
    out.print(table(("table", "bots"), rows, right="table"))
    out.print(f"{reply.wide} intervals are too wide; about {reply.deals_left} deals are left")
    out.print(
        legend(
            "best first, one board in all rotations each: what takes most from a bot's interval "
            "while it is\nwider than the goal, and from the gap of neighbours until it is decided"
        )
    )


def suspects(reply: ratings_pb2.ListSuspectsResponse) -> None:
    """What a human should look at."""
    out = console()
    out.print("time-outs by worker and arbiter")
    rows = [
        (
            item.kind,
            item.name,
            f"{item.timeouts} of {item.decisions}",
            f"{100 * item.rate:.3f} %",
            f"{100 * item.rest:.3f} %",
            f"{item.p:.2g}",
            _word(item.alarm),
        )
        for item in reply.lateness
    ]
    out.print(table(("kind", "name", "time-outs", "share", "others", "p", ""), rows))
    out.print("results by worker, against what the ratings expect")
    deviating = [
        (
            item.worker,
            str(item.blocks),
            bare(item.bot),
            f"{item.points:+.3f}",
            f"{item.p:.2g}",
            _word(item.alarm),
        )
        for item in reply.workers
    ]
    out.print(table(("worker", "blocks", "most deviating bot", "points/deal", "p", ""), deviating))
    out.print("pairs of bots, who seem to help each other most first")
    pairs = [
        (
            bare(item.bot),
            bare(item.other),
            str(item.blocks),
            f"{item.points:+.3f}",
            f"{item.z:+.2f}",
            _word(item.alarm),
        )
        for item in reply.pairs
    ]
    out.print(table(("bot", "other", "blocks", "points/deal", "z", ""), pairs))
    out.print(
        legend(
            "p: the probability of so much by luck; z: standard errors; below 0 the two together "
            "do better at one table\nthan their ratings say. LOOK: too much to be luck. No rating "
            "is changed by this."
        )
    )


def _word(alarm: bool) -> str:
    return "LOOK" if alarm else ""


def held(reply: ratings_pb2.ListHeldResultsResponse) -> None:
    """Held results, and what was done to results."""
    out = console()
    if not reply.corrections:
        out.print("no result was ever held")
        return
    if reply.held:
        rows = [
            (bare(item.match), item.worker, item.arbiter, safe(item.reason)) for item in reply.held
        ]
        out.print(table(("held", "worker", "arbiter", "why"), rows))
    else:
        out.print("no result is held now")
    done = [
        (when(item.time), bare(item.match), item.kind, safe(item.actor), safe(item.reason))
        for item in reply.corrections
    ]
    out.print(table(("when", "match", "what", "by", "why"), done))
    out.print(legend("held: counts for nothing and is played again; replaced: by that result"))
