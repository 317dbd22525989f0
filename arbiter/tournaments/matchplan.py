"""A planned match: who plays which board, in which seats, and where it stands in a tournament."""

from __future__ import annotations

import re
from dataclasses import dataclass

_PATTERN = re.compile(r"(?P<tournament>.+)-(\d{2})-(\d{3})-(\d{6})-(\d{6})-(\d{2})")


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
    """The one id of (tournament, stage, round, table, board, rotation), zero-padded, so that the
    lexical order of ids is the canonical order of matches."""
    return f"{tournament}-{stage:02}-{round:03}-{table:06}-{board:06}-{rotation:02}"


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
