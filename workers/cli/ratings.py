"""`hearts ratings fit` and `hearts ratings test` on a file of results: no server, only numpy."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from rich.text import Text

from arbiter.ratings import jsonl, mirrored, sequential
from arbiter.ratings.jsonl import BadLine, Line
from arbiter.ratings.tables import Measure, Rating, Table
from arbiter.ratings.tables import fit as fit_tables
from client_sdk.cli import show
from client_sdk.cli.errors import CliError
from client_sdk.cli.text import ordinal, safe

_FIELDS = ("bot", "strength", "se", "low", "high", "rank_low", "rank_high", "deals", "blocks")


def fit_file(file: Path, by: str, as_json: bool) -> None:
    """Print the ratings of a file. Raises CliError for a bad line, file or measure."""
    if by not in tuple(Measure):
        raise CliError(f"--by {by!r} is not known", allowed=list(Measure))
    measure = Measure(by)
    tables = fit_tables((line.deal for line in _lines(file) if not line.void), measure)
    if as_json:
        show.print_json(_listed(tables))
    else:
        _print(tables, measure)


def _listed(tables: Sequence[Table]) -> list[dict[str, Any]]:
    """The lines of all tables. `group` tells apart bots that never met, directly or through others;
    it is there when there is more than one such group."""
    return [
        {name: getattr(rating, name) for name in _FIELDS}
        | ({"group": number} if len(tables) > 1 else {})
        for number, table in enumerate(tables, start=1)
        for rating in table.ratings
    ]


def _print(tables: Sequence[Table], measure: Measure) -> None:
    out = show.console()
    if not tables:
        out.print("no results")
        return
    value = "points/deal" if measure is Measure.POINTS else "log-worth"
    headings = ("rank", "bot", value, "± error", "95 % interval", "deals", "blocks", "")
    for number, table in enumerate(tables, start=1):
        title = f"group {number}: " if len(tables) > 1 else ""
        out.print(Text(f"{title}{table.deals} deals, {table.blocks} blocks", style="bold"))
        rows = [_row(rating) for rating in table.ratings]
        out.print(show.table(headings, rows, right="|".join(h for h in headings if h != "bot")))
    better = "lower" if measure is Measure.POINTS else "higher"
    out.print(
        show.legend(
            f"{value}: against the mean of the bots, {better} is better; rank: where the bot truly "
            "is, with 95 % confidence.\nBots of different groups never met: they have no common "
            "order."
        )
    )


def _row(rating: Rating) -> tuple[str, ...]:
    low, high = ordinal(rating.rank_low), ordinal(rating.rank_high)
    known = rating.se is not None and rating.low is not None and rating.high is not None
    return (
        low if low == high else f"{low} to {high}",
        rating.bot,
        f"{rating.strength:+.3f}",
        f"± {rating.se:.3f}" if known else "–",
        f"{rating.low:+.2f} to {rating.high:+.2f}" if known else "–",
        str(rating.deals),
        str(rating.blocks),
        "provisional" if rating.provisional else "",
    )


def versus_file(
    file: Path,
    baseline: str,
    candidate: str,
    hypotheses: dict[str, float],
    as_json: bool,
) -> None:
    """Print how the sequential test of a file stands. Raises CliError for a bad line or value."""
    try:
        bounds = sequential.Hypotheses(**hypotheses)
        lines = list(_lines(file))
        evidence = mirrored.evidence(
            ((line.deal, line.void) for line in lines), baseline, candidate
        )
    except ValueError as error:
        raise CliError(str(error)) from None
    _check_known(lines, baseline, candidate)
    result = sequential.run(evidence.differences, bounds)
    if as_json:
        data = asdict(result)
        data["bounds"] = [data.pop("lower"), data.pop("upper")]
        data["history"] = [list(point) for point in result.history]
        left = {"waiting": evidence.waiting, "left": evidence.left, "mirrored": evidence.mirrored}
        show.print_json({"baseline": baseline, "candidate": candidate} | hypotheses | data | left)
        return
    _print_test(result, bounds, evidence, baseline, candidate)


def _check_known(lines: Iterable[Line], *names: str) -> None:
    bots = {bot for line in lines for bot in line.deal.bots}
    for name in names:
        if name not in bots:
            raise CliError(f"no deal of the file has a bot {name!r}", allowed=sorted(bots)[:20])


def _print_test(
    result: sequential.Result,
    bounds: sequential.Hypotheses,
    evidence: mirrored.Evidence,
    baseline: str,
    candidate: str,
) -> None:
    verdicts = {
        sequential.Verdict.H1: f"H1: {candidate} is better than {baseline}, by {bounds.h1:g} "
        f"rather than {bounds.h0:g} points a deal",
        sequential.Verdict.H0: f"H0: {candidate} is better than {baseline} by no more than "
        f"{bounds.h0:g} points a deal",
        sequential.Verdict.CONTINUE: f"continue: not decided, {100 * result.elapsed:.0f} % of the "
        "way to a bound",
    }
    estimate = "–"
    if result.estimate is not None:
        estimate = (
            f"{result.estimate:+.3f} points a deal, 95 % {result.low:+.3f} to {result.high:+.3f}"
        )
    rows = [
        ("verdict", verdicts[result.verdict]),
        ("LLR", f"{result.llr:.3f}"),
        ("bounds", f"{result.lower:.3f} to {result.upper:.3f}"),
        ("blocks used", str(result.blocks)),
        ("estimate", estimate),
    ]
    if evidence.waiting:
        rows.append(
            ("waits for", f"block {evidence.waiting}; {evidence.left} blocks after it do not count")
        )
    if not evidence.mirrored and evidence.differences:
        rows.append(("boards", "not mirrored: luck of the cards and seats is in the figures"))
    out = show.console()
    out.print(show.table(("test", "result"), rows))
    out.print(
        show.legend(
            "estimate: by how much the candidate is better, corrected for the moment of stopping"
        )
    )


def _lines(file: Path) -> Iterable[Line]:
    try:
        with _opened(file) as lines:
            yield from jsonl.read(lines)
    except BadLine as bad:
        raise CliError(
            f"{safe(str(file))}, line {bad.number}: {bad.reason}",
            then="mend or remove this line: nothing of the file was used",
        ) from None
    except OSError as error:
        raise CliError(f"cannot read {file}: {error.strerror}") from None


def _opened(file: Path) -> Any:
    if str(file) == "-":
        stdin: IO[bytes] = sys.stdin.buffer
        return nullcontext(stdin)
    return file.open("rb")
