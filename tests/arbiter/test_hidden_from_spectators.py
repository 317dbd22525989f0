"""FS02, to the byte: what spectators of a running deal get says nothing of cards still to come.

The frames are those of `WatchMatch` itself, with nothing but the store left out.
"""

from __future__ import annotations

import random

import pytest
from hidden_kit import Clock, a_moon, a_script, hidden_from, sent, stopped_clock

from arbiter.matches import spectators
from hearts.cards import HEARTS, suit
from hearts.deal import Deal
from hearts.decisions import NOBODY
from hearts.options import Moon
from hearts.rules import PRESETS, preset
from hearts.v1 import matches_pb2

CHOOSING = [name for name in PRESETS if preset(name).moon is Moon.CHOOSE]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return stopped_clock(monkeypatch)


def kinds(frames: list[bytes]) -> set[str]:
    responses = [matches_pb2.WatchMatchResponse.FromString(frame) for frame in frames]
    return {event.WhichOneof("event") or "" for found in responses for event in found.events}


@pytest.mark.parametrize("name", PRESETS)
async def test_no_card_that_is_not_played_yet_shows(name: str, clock: Clock):
    """FS02: any two of them change places, also in a hand and in a pass; in every phase, for every
    preset."""
    rng = random.Random(name)
    compared, seen = 0, set[str]()
    for _ in range(40):
        script, deal = await a_script(preset(name), rng, clock, NOBODY)
        hidden = hidden_from(deal, NOBODY)
        frames = await sent(script, clock)
        seen |= kinds(frames)
        others = [script.reordered(rng), script.repassed(rng)]
        for _ in range(3):
            if len(hidden) > 1:
                others.append(script.swapped(*rng.sample(hidden, 2), rng))
        for other in others:
            if other is not None and script.fits(other):
                assert await sent(other, clock) == frames
                compared += 1
        if compared >= 12 and "play" in seen:
            break
    assert compared >= 12
    assert seen <= {"deal", "passed", "play"}


@pytest.mark.parametrize("name", CHOOSING)
async def test_nor_who_held_a_card_before_the_pass_while_a_shooter_chooses(name: str, clock: Clock):
    """FS02, the third phase: every card is played, and the deal is not over."""
    rng = random.Random(name)
    repassed = 0
    for _ in range(4):
        script = a_moon(preset(name), rng, NOBODY)
        frames = await sent(script, clock)
        assert kinds(frames) <= {"deal", "passed", "play"}
        assert await sent(script.reordered(rng), clock) == frames
        if (other := script.repassed(rng)) is not None:
            assert await sent(other, clock) == frames
            repassed += 1
    assert repassed >= 1


async def test_the_comparison_can_fail(clock: Clock, monkeypatch: pytest.MonkeyPatch):
    """A service that tells how many hearts the dealer holds would be found."""
    told = spectators.open_deal

    def leaky(deal: Deal) -> list[matches_pb2.TableEvent]:
        events = told(deal)
        events[0].deal.pass_offset = sum(suit(card) == HEARTS for card in deal.dealt[deal.dealer])
        return events

    monkeypatch.setattr(spectators, "open_deal", leaky)
    rng = random.Random(2)
    changed = 0
    for _ in range(12):
        script, deal = await a_script(preset("standard"), rng, clock, NOBODY)
        hidden = hidden_from(deal, NOBODY)
        frames = await sent(script, clock)
        for _ in range(4):
            other = script.swapped(*rng.sample(hidden, 2), rng)
            if script.fits(other):
                changed += await sent(other, clock) != frames
    assert changed > 0
