"""Results as a file: one JSON object a line for each deal.

    {"block": "b17", "bots": ["a", "b", "c", "d"], "points": [0, 13, 5, 8]}

`bots` and `points` go by seat; a bot may sit at a table twice. `block` names the shuffle, the same
in all its rotations. A deal with `"void": true` counts for nothing. Other keys are left alone, and
so are empty lines.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from arbiter.ratings.deals import Deal

MOST_SEATS = 64
LARGEST = 1e9


class BadLine(Exception):
    """A line that is no deal. `number` counts from 1."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"line {number}: {reason}")
        self.number = number
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Line:
    """One deal of a file."""

    deal: Deal
    void: bool = False


def read(lines: Iterable[bytes]) -> Iterator[Line]:
    """The deals of a file, in its order. Raises BadLine for the first line that is none."""
    for number, raw in enumerate(lines, start=1):
        if not raw.strip():
            continue
        try:
            yield _line(raw)
        except _Bad as bad:
            raise BadLine(number, str(bad)) from None


def write(line: Line) -> str:
    """One line, without its end."""
    data: dict[str, Any] = {
        "block": line.deal.block,
        "bots": list(line.deal.bots),
        "points": [int(p) if p == int(p) else p for p in line.deal.points],
    }
    if line.void:
        data["void"] = True
    return json.dumps(data)


class _Bad(Exception):
    pass


def _refuse(word: str) -> NoReturn:
    raise _Bad(f"{word} is no number")


def _line(raw: bytes) -> Line:
    try:
        data = json.loads(raw.decode("utf-8-sig"), parse_constant=_refuse)
    except UnicodeDecodeError:
        raise _Bad("is not UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise _Bad(f"is no JSON ({error})") from None
    if not isinstance(data, dict):
        raise _Bad('is no object; a deal is {"block": …, "bots": […], "points": […]}')
    for key in ("block", "bots", "points"):
        if key not in data:
            raise _Bad(f'"{key}" is missing')
    bots, points, void = data["bots"], data["points"], data.get("void", False)
    if not isinstance(void, bool):
        raise _Bad('"void" is neither true nor false')
    if not isinstance(bots, list) or not 2 <= len(bots) <= MOST_SEATS:
        raise _Bad(f'"bots" is no list of 2 to {MOST_SEATS} names')
    if not all(isinstance(bot, str) and bot for bot in bots):
        raise _Bad('"bots" holds something that is no name')
    if not isinstance(points, list) or len(points) != len(bots):
        raise _Bad(f'"points" is no list of {len(bots)} numbers, one for each of "bots"')
    if not all(type(p) in (int, float) and -LARGEST <= p <= LARGEST for p in points):
        raise _Bad('"points" holds something that is no number of reasonable size')
    return Line(Deal(_block(data["block"]), tuple(bots), tuple(map(float, points))), void)


def _block(value: object) -> str:
    if isinstance(value, str) and value:
        return value
    if type(value) is int:
        return str(value)
    raise _Bad('"block" is no name')
