"""Real mirrored blocks of two house bots, for the tests of the sequential test.

    python -m benchmarks.blocks BASELINE CANDIDATE BLOCKS

plays A A B B and B B A A on so many shuffles with the real referee and writes, for each block, the
points of the baseline's four seats less those of the candidate's, to tests/data/blocks/.
"searcher@500" is the searcher with 500 playouts a decision.
"""

from __future__ import annotations

import asyncio
import json
import sys
from functools import partial
from pathlib import Path

from client_sdk import Bot
from client_sdk.bots import HOUSE
from client_sdk.bots.searcher import Budget, Searcher
from hearts.rules import preset
from hearts.shuffle import Board
from tests.sdk.local_table import play_matches

FOLDER = Path(__file__).parents[1] / "tests" / "data" / "blocks"
TOGETHER = 10
SEATS = 4


def made(kind: str) -> Bot:
    """A house bot by its name, or a searcher by its playouts."""
    name, _, playouts = kind.partition("@")
    return Searcher(Budget(playouts=int(playouts))) if playouts else HOUSE[name].make()


def seated(pattern: str, kinds: dict[str, str]) -> list[Bot]:
    """The bots of a seating such as "AABB", each with a name of its own."""
    bots = []
    for seat, side in enumerate(pattern):
        bot = made(kinds[side])
        bot.name = f"{kinds[side]}-{seat}"
        bots.append(bot)
    return bots


def differences(baseline: str, candidate: str, blocks: int) -> list[int]:
    """Points of the baseline's seats less the candidate's, by block, over both seatings."""
    kinds = {"A": baseline, "B": candidate}
    found: list[int] = []
    while len(found) < blocks:
        make_board = partial(_board, len(found).to_bytes(32, "big"))
        totals = [0] * TOGETHER
        for pattern in ("AABB", "BBAA"):
            played = play_matches(
                seated(pattern, kinds),
                preset("standard"),
                matches=TOGETHER,
                make_board=make_board,
            )
            records, _ = asyncio.run(played)
            for number, record in enumerate(records):
                for seat, points in enumerate(record.deals[0].points):
                    totals[number] += points if pattern[seat] == "A" else -points
        found += totals
    return found[:blocks]


def _board(secret: bytes, _: bytes, number: int) -> Board:
    return Board(secret, number)


def main(baseline: str, candidate: str, blocks: str) -> None:
    """Write the file."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    data = {
        "baseline": baseline,
        "candidate": candidate,
        "rules": "standard",
        "seats": SEATS,
        "differences": differences(baseline, candidate, int(blocks)),
    }
    path = FOLDER / f"{baseline}-{candidate}.json"
    path.write_text(json.dumps(data) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
