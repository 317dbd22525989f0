"""The worked hand of docs/protocol.md, told from what the arbiter really sends.

python tests/sdk/worked_hand.py      prints it
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from local_table import play_matches

from client_sdk import Turn
from client_sdk.bots.duck import Duck
from hearts.cards import cards, codes
from hearts.rules import RuleSet, preset
from hearts.shuffle import Board
from hearts.v1 import play_pb2

SEAT = 1
HANDS = (
    "5C 6C 8C 9C 7D QD KD AD 4H 6H 9H TH 5S",
    "TC 5D 9D TD JD 2H 3H 8H JH 3S 8S KS AS",
    "2C 4C 7C JC AC 2D 4D AH 2S 4S 6S 7S JS",
    "3C QC KC 3D 6D 8D 5H 7H QH KH 9S TS QS",
)


class Dealt(Board):
    """These hands; seat 3 deals and cards go to the left."""

    def shuffle(self, rules: RuleSet, deal: int, redeal: int = 0) -> list[int]:
        return cards(" ".join(HANDS))

    def first_dealer(self, rules: RuleSet) -> int:
        return 3


class Scribe(Duck):
    """Keeps its answers by decision."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.answers: dict[int, list[int]] = {}

    def play(self, turn: Turn) -> int:
        self.answers[turn.decision] = [super().play(turn)]
        return self.answers[turn.decision][0]

    def pass_cards(self, turn: Turn) -> list[int]:
        self.answers[turn.decision] = super().pass_cards(turn)
        return self.answers[turn.decision]


async def tell() -> list[str]:
    """The lines of the hand: what arrives (<) and what is answered (>)."""
    bots = [Scribe(f"bot{seat}") for seat in range(4)]
    _, events = await play_matches(
        list(bots), preset("standard"), deals=1, make_board=Dealt, listen=SEAT
    )
    lines: list[str] = []
    for event in events:
        lines += _told(event, bots[SEAT].answers)
    return lines


def _told(event: play_pb2.Event, answers: dict[int, list[int]]) -> Iterable[str]:
    kind = event.WhichOneof("event")
    head = f"< {event.sequence:2}"
    if kind == "match_start":
        yield f"{head} MatchStart  seat {event.match_start.seat}"
        yield "> ready"
    elif kind == "deal_start":
        start = event.deal_start
        yield f"{head} DealStart   dealer {start.dealer}, pass_offset {start.pass_offset}"
        yield f"               hand {codes(start.hand)}"
        yield f"                  = {' '.join(str(int(card)) for card in start.hand)}"
    elif kind == "passed":
        passed = event.passed
        yield f"{head} Passed      gave {codes(passed.gave)}, received {codes(passed.received)}"
        yield f"               hand {codes(passed.hand)}"
    elif kind == "turn":
        yield from _asked(head, event.turn)
        answer = answers[event.turn.decision]
        field = "card" if event.turn.phase == play_pb2.PHASE_PLAY else "cards"
        yield f"> Reply {event.turn.decision:8} {field} {codes(answer)}"
    elif kind == "deal_over":
        over = event.deal_over
        yield f"{head} DealOver    last trick led by {over.last_trick.leader}: " + codes(
            over.last_trick.cards
        )
        yield f"               points {_list(over.points)}, totals {_list(over.totals)}"
    elif kind == "match_over":
        result = event.match_over
        yield f"{head} MatchOver   totals {_list(result.totals)}, places {_list(result.places)}"


def _asked(head: str, turn: play_pb2.Turn) -> Iterable[str]:
    if turn.phase == play_pb2.PHASE_PASS:
        what = f"PASS {turn.pass_count} cards to offset {turn.pass_offset}"
        yield f"{head} Turn {turn.decision:6} {what}"
        return
    last = f"last trick led by {turn.last_leader}: {codes(turn.last_trick)}"
    if turn.last_trick:
        yield f"{head} Turn {turn.decision:6} {last}"
        head = " " * len(head)
        yield f"               {_now(turn)}"
    else:
        yield f"{head} Turn {turn.decision:6} {_now(turn)}"


def _now(turn: play_pb2.Turn) -> str:
    played = f"led by {turn.leader}: {codes(turn.trick)}" if turn.trick else "you lead"
    return f"trick {turn.trick_number} {played}; legal {codes(turn.legal)}"


def _list(numbers: Iterable[int]) -> str:
    return " ".join(str(number) for number in numbers)


if __name__ == "__main__":
    print("\n".join(asyncio.run(tell())))
