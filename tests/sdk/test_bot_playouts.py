"""The playouts of the searcher: every card they play is legal, and they count as the referee."""

from __future__ import annotations

from random import Random

import pytest

from client_sdk.bots import playouts
from client_sdk.bots.playouts import ME, SLOTS, Playout, scene_for
from hearts.deal import Deal
from hearts.plan import plan_for
from hearts.rules import preset

STANDARD = preset("standard")


class Traced(Playout):
    """Keeps what was played, trick by trick, in lane 0."""

    def run(self, position: int, tricks: int, first: bool) -> None:
        self.trace: list[list[int]] = []
        super().run(position, tricks, first)

    def _follow(self, position: int, last: bool, early: bool, first: bool) -> None:
        before = [lanes & 1 for lanes in self.played]
        if position == 1:
            self.trace.append([slot for slot, lanes in enumerate(before) if lanes])
        super()._follow(position, last, early, first)
        self.trace[-1] += [s for s, b in enumerate(before) if (self.played[s] & 1) != b]


def dealt(seed: int) -> tuple[Deal, list[list[int]]]:
    pack = STANDARD.pack()
    Random(seed).shuffle(pack)
    hands = [sorted(pack[at : at + 13]) for at in range(0, 52, 13)]
    deal = Deal(
        plan_for(STANDARD), number=0, dealer=0, pass_offset=0, deck=(hands, []), totals=[0] * 4
    )
    return deal, hands


@pytest.mark.parametrize("seed", range(40))
def test_a_playout_is_a_legal_deal_and_scores_as_the_referee(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playouts, "OWN_MOON", 2.0)  # its whole worth, not what is believed of it
    deal, hands = dealt(seed)
    own, opener = seed % 4, deal.opener
    placed = []
    for position in range(4):
        seat = (opener + position) % 4
        hand = [0] * SLOTS
        hand[ME] = int(seat == own)
        for slot in hands[seat]:
            hand[slot] = 1
        placed.append(hand)
    playout = Traced(scene_for(STANDARD), 1, placed, False, [])
    playout.put(0, deal.legal()[0], 1)
    playout.run(1, 13, True)
    for trick in playout.trace:
        for slot in trick:
            assert slot in deal.legal()
            deal.play(deal.turn, slot)
    mine = sum(playout.scene.cost[slot] for slot in range(SLOTS) if playout.got[slot])
    assert mine == deal.raw_points[own]
    points = deal.points
    others = sum(points) - points[own]
    assert playout.values(1)[0] == pytest.approx(points[own] - others / 3 + 26 / 3)
