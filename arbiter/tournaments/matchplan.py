"""A planned match: who plays which board, in which seats, and where it stands in a tournament."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SIX = r"(?:\d{6}|[a-z]\d{7,})"
_PATTERN = re.compile(rf".+-\d{{2}}-(?:\d{{3}}|[a-z]\d{{4,}})-{_SIX}-{_SIX}-\d{{2}}")


@dataclass(frozen=True, slots=True, order=True)
class MatchPlan:
    """One match of a tournament.

    `stage`, `round` and `table` count from 1, `board` and `rotation` from 0. The order of plans of
    one tournament is the canonical order. `seats` holds bot ids ("anna"), by seat.
    """

    id: str
    tournament: str
    stage: int
    round: int
    table: int
    board: int
    rotation: int
    seats: tuple[str, ...]

    @property
    def block(self) -> str:
        """The id shared by all rotations of the board at this table: the unit of evidence."""
        return block_id(self.id)


def match_id(tournament: str, stage: int, round: int, table: int, board: int, rotation: int) -> str:
    """The one id of (tournament, stage, round, table, board, rotation), made so that the lexical
    order of ids is the canonical order of matches, however long a ladder goes on."""
    return f"{table_id(tournament, stage, round, table)}-{ordered(board, 6)}-{rotation:02}"


def table_id(tournament: str, stage: int, round: int, table: int) -> str:
    """What the ids of all matches of a table begin with."""
    return f"{tournament}-{stage:02}-{ordered(round, 3)}-{ordered(table, 6)}"


def ordered(number: int, digits: int) -> str:
    """A whole number, padded with zeros; one that is longer is led by a letter, which comes after
    all digits: a for one digit more, b for two. "999" < "a1000" < "b10000"."""
    text = f"{number:0{digits}}"
    return text if len(text) == digits else f"{chr(ord('a') + len(text) - digits - 1)}{text}"


def is_match_id(text: str) -> bool:
    """Whether the text can be the id of a match."""
    return bool(_PATTERN.fullmatch(text))


def block_id(match: str) -> str:
    """The match id without its rotation. ValueError when it is no match id."""
    if not _PATTERN.fullmatch(match):
        raise ValueError(f"{match!r} is no match id")
    return match[: match.rindex("-")]


def siblings(match: str, rotations: int) -> list[str]:
    """The ids of all `rotations` matches of the block that `match` belongs to."""
    return [f"{block_id(match)}-{rotation:02}" for rotation in range(rotations)]
