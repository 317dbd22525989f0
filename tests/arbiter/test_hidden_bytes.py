"""FS02, to the byte: no frame sent to a seat changes with cards that are hidden from it.

A deal is played once with one seat watched: it is refused, runs out of time, loses its stream and
comes back. Then two cards that it has not seen change places, the same things happen again, and
every byte that was sent to it must be the same.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hidden_kit import (
    Act,
    Clock,
    Script,
    a_moon,
    a_script,
    hidden_from,
    sent,
    stopped_clock,
)

from arbiter.connections import events
from hearts.cards import HEARTS, suit
from hearts.deal import Deal
from hearts.decisions import Phase
from hearts.options import Moon
from hearts.rules import PRESETS, preset
from hearts.v1 import play_pb2

CHOOSING = [name for name in PRESETS if preset(name).moon is Moon.CHOOSE]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return stopped_clock(monkeypatch)


SEEN = Counter[str]()
REPASSED = Counter[str]()


@pytest.mark.parametrize("name", PRESETS)
async def test_not_a_byte_changes_with_cards_hidden_from_the_seat(name: str, clock: Clock):
    """FS02: turns, refusals, fallbacks and resume snapshots, in every phase, for every preset."""
    rng = random.Random(name)
    compared = 0
    for _ in range(60):
        script, deal = await a_script(preset(name), rng, clock)
        hidden = hidden_from(deal, script.watched)
        frames = await sent(script, clock)
        for _ in range(3):
            if len(hidden) < 2:
                break
            other = script.swapped(*rng.sample(hidden, 2), rng)
            if not script.fits(other):
                continue  # with these cards the others could not have played like this
            assert await sent(other, clock) == frames
            compared += 1
        if (other := script.repassed(rng)) is not None:
            assert await sent(other, clock) == frames
            REPASSED[name] += 1
        if compared >= 6:
            break
        note(frames)
    assert compared >= 6


def at_the_moon(script: Script, rng: random.Random) -> Script:
    """The script goes on to the end of the deal: the shooter answers wrongly, leaves, comes back,
    and chooses or runs out of time; another watched seat leaves and comes back meanwhile."""
    shooter = next(act.seat for act in script.acts if act.card)  # with all clubs, it opens
    watched = script.watched
    away = [Act("lost", watched), Act("back", watched)]
    acts = list(away)
    if shooter == watched:
        wrong = [Act("wrong", shooter, moon_choice=9), Act("wrong", shooter, card=2)]
        acts = [*wrong, *away, *wrong[: rng.randrange(2)]]
    last = rng.choice(
        [Act("time", shooter), Act("answer", shooter, moon_choice=rng.choice([1, 2]))]
    )
    return replace(script, acts=(*script.acts, *acts, last))


@pytest.mark.parametrize("name", CHOOSING)
async def test_nor_at_the_choice_of_who_scores_a_moon(name: str, clock: Clock):
    """FS02, the third phase: its turn, refusals, fallback, snapshot, and the score. All cards have
    been seen by then; hidden is who held which before the pass, and in what order."""
    rng = random.Random(name)
    repassed = 0
    for _ in range(12):
        script = at_the_moon(a_moon(preset(name), rng), rng)
        frames = await sent(script, clock)
        assert await sent(script.reordered(rng), clock) == frames
        if (other := script.repassed(rng)) is not None:
            assert await sent(other, clock) == frames
            repassed += 1
        note(frames)
    assert repassed >= 6


def note(frames: list[bytes]) -> None:
    """Count what kinds of events the comparisons covered."""
    for frame in frames:
        for event in play_pb2.PlayResponse.FromString(frame).frame.events:
            kind = event.WhichOneof("event") or ""
            SEEN[kind] += 1
            SEEN[f"{kind} {event.turn.phase}"] += kind == "turn"
            SEEN["resume"] += event.match_start.HasField("resume")


def test_the_comparisons_covered_every_kind_of_event():
    """Runs after the test above, and has nothing to say without it."""
    if not SEEN:
        pytest.skip("no comparison ran in this process")
    kinds = ("match_start", "deal_start", "passed", "refusal", "fallback", "leftover_taken")
    turns = tuple(f"turn {int(phase)}" for phase in (Phase.PASS, Phase.PLAY, Phase.MOON_CHOICE))
    assert not [kind for kind in (*kinds, *turns, "deal_over", "resume") if not SEEN[kind]]
    assert REPASSED.total() > 40


async def test_the_comparison_can_fail(clock: Clock, monkeypatch: pytest.MonkeyPatch):
    """An arbiter that tells how many hearts another seat was dealt would be found."""
    told = events.deal_start

    def leaky(deal: Deal, seat: int) -> bytes:
        event = play_pb2.Event.FromString(told(deal, seat))
        event.deal_start.redeals = sum(suit(card) == HEARTS for card in deal.dealt[seat - 1])
        return event.SerializeToString()

    monkeypatch.setattr(events, "deal_start", leaky)
    rng = random.Random(2)
    changed = 0
    for _ in range(40):
        script, deal = await a_script(preset("standard"), rng, clock)
        hidden = hidden_from(deal, script.watched)
        if len(hidden) > 1:
            other = script.swapped(*rng.sample(hidden, 2), rng)
            if script.fits(other):
                changed += await sent(other, clock) != await sent(script, clock)
    assert changed > 0
