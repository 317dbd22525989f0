"""`hearts judge`: deals that another engine played, compared with this one."""

from __future__ import annotations

import gzip
import json as jsonlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, TextIO, cast

import typer

from client_sdk.cli.connection import Json
from client_sdk.cli.errors import CliError, Exit
from client_sdk.cli.text import safe
from hearts.judge import Disagreement, JudgeError, judge_lines


def judge(
    file: Annotated[
        Path, typer.Argument(metavar="FILE.jsonl[.gz]", help="One deal a line; docs/record.md.")
    ],
    json: Json = False,
) -> None:
    """Replay another engine's deals and print where this one disagrees; exit code 1 if it does.

    Each deal is judged up to its first play that is against our rules.
    """
    records = disagreeing = points = 0
    try:
        with _opened(file) as lines:
            for found in judge_lines(lines):
                records += 1
                disagreeing += bool(found)
                points += len(found)
                for each in found:
                    _print(each, json=json)
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise CliError(f"{file}: cannot be read: {error}") from None
    except JudgeError as error:
        raise CliError(
            f"{file}: {error}", then="docs/record.md tells the format of these files"
        ) from None
    if json:
        summary = {"records": records, "disagreeing": disagreeing, "disagreements": points}
        print(jsonlib.dumps(summary), flush=True)
    else:
        agree = "all agree" if not points else f"{disagreeing} disagree, in {points} points"
        print(f"{records} records: {agree}", flush=True)
    if points:
        raise typer.Exit(Exit.DISAGREE)


@contextmanager
def _opened(file: Path) -> Iterator[TextIO]:
    if file.suffix == ".gz":
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            yield cast(TextIO, lines)
    else:
        with file.open(encoding="utf-8") as lines:
            yield lines


def _print(found: Disagreement, *, json: bool) -> None:
    print(jsonlib.dumps(asdict(found)) if json else safe(str(found)))
