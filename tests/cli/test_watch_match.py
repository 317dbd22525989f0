"""`hearts matches watch`, against a server that answers from a script."""

from __future__ import annotations

import json

from hearts.v1 import matches_pb2, play_pb2, records_pb2
from tests.cli.conftest import Run
from tests.cli.fake_server import Fake

SEATS = ("anna", "bert", "cleo", "dora")
Event = matches_pb2.TableEvent
Response = matches_pb2.WatchMatchResponse


def events(first: int, *made: Event) -> list[Event]:
    for number, event in enumerate(made, start=first):
        event.sequence = number
    return list(made)


def play(seat: int, card: int, trick: int = 1) -> Event:
    return Event(play=matches_pb2.TablePlay(trick=trick, seat=seat, card=card))


BEGUN = Event(deal=matches_pb2.TableDeal(dealer=3, pass_offset=1, totals=[0, 0, 0, 0]))
OVER = Event(
    deal_over=records_pb2.DealRecord(
        hands=[records_pb2.CardList(cards=[2 + seat, 28]) for seat in range(4)],
        passes=[records_pb2.CardList(cards=[28]) for _ in range(4)],
        points=[0, 0, 26, 0],
        totals=[0, 0, 26, 0],
    )
)
END = Event(
    match_over=matches_pb2.TableEnd(
        reason=play_pb2.MATCH_END_DEALS, totals=[0, 0, 26, 0], places=[1, 1, 4, 1]
    )
)


def test_a_match_is_shown_trick_by_trick_and_its_hands_at_the_end(fake: Fake, hearts: Run) -> None:
    """Also when the arbiter is restarted in between and the next attempt begins anew."""
    fake.on(
        "GetMatch",
        matches_pb2.GetMatchResponse(
            match=matches_pb2.Match(name="matches/m-1", seats=[f"bots/{name}" for name in SEATS])
        ),
    )
    plays = [play(0, 2), play(1, 3), play(2, 4), play(3, 5)]
    fake.on(
        "WatchMatch",
        [
            Response(attempt=1, held_back=True),
            Response(attempt=1, events=events(1, BEGUN, Event(passed={}), *plays[:2])),
            Response(attempt=2, events=events(1, BEGUN, Event(passed={}), *plays)),
            Response(attempt=2, events=events(7, OVER, END), state=matches_pb2.MATCH_STATE_DONE),
        ],
    )
    ran = hearts("matches", "watch", "m-1", "--server", fake.address)
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0].startswith("this board is still to be played in other rotations")
    assert lines[3] == "attempt 2, from the last finished deal on:"
    assert "dora deals, passes go +1 seats" in lines[4]
    assert lines[6] == "  trick  1: anna 2C  bert 3C  cleo 4C  dora 5C"
    assert lines[9] == "  cleo: 26 points, 26 in all; dealt 4C 2H; gave 2H"
    assert (
        lines[11] == "match over (deals): 1st anna (0), 1st bert (0), 1st dora (0), 4th cleo (26)"
    )
    assert "2H" not in "\n".join(lines[:7]), "no hand before the end of the deal"

    data = hearts("matches", "watch", "m-1", "--json", "--server", fake.address)
    assert [json.loads(line)["attempt"] for line in data.out.splitlines()] == [1, 1, 2, 2]
