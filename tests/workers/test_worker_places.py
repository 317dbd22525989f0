"""With several arbiters a batch goes to the one where its bots are connected."""

import pytest
from worker_kit import FakeArbiter, create, serving, working

from arbiter.store import ArbiterRow, BotRow, Claim, MatchState, Store
from workers import batches, schedule
from workers.places import Place, place, whereabouts

FOUR = ("anna", "bert", "cleo", "dora")
NORTH, SOUTH = ArbiterRow("north", "a:1", 9), ArbiterRow("south", "a:2", 0)
A, B, C = (Claim(match, f"1-{match}", "cup") for match in "abc")
SEATS = {"a": FOUR, "b": FOUR, "c": ("emil", "fred", "gerd", "hans")}


def bot(name: str, arbiter: str, endpoint: str = "") -> BotRow:
    return BotRow(name, False, "", 0, "", arbiter, endpoint)


@pytest.mark.parametrize(
    ("at", "free", "expected"),
    [
        # Nobody is tied to a place: the arbiter that plays least.
        ({}, [NORTH, SOUTH], Place(SOUTH, (A, B, C))),
        (dict.fromkeys(FOUR, "north"), [NORTH, SOUTH], Place(NORTH, (A, B, C))),
        (
            dict.fromkeys(FOUR, "north") | {"emil": "south"},
            [NORTH, SOUTH],
            Place(NORTH, (A, B), (C,)),
        ),
        # Apart: nobody can play them; the rest is played.
        ({"anna": "north", "bert": "south"}, [NORTH, SOUTH], Place(SOUTH, (C,), (), (A, B))),
        # Their arbiter is in trouble: they wait for it, and are not judged elsewhere.
        (dict.fromkeys(FOUR, "north"), [SOUTH], Place(SOUTH, (C,), (), (A, B))),
        ({"emil": "north"}, [], Place(None, (), (), (A, B, C))),
    ],
)
def test_a_batch_goes_where_most_of_it_can_be_played(
    at: dict[str, str], free: list[ArbiterRow], expected: Place
) -> None:
    assert place([A, B, C], SEATS, at, free) == expected


def test_bots_that_any_arbiter_reaches_are_tied_to_none() -> None:
    bots = [
        bot("anna", "north"),
        bot("bert", ""),
        bot("cleo", "dead"),
        bot("dora", "north", "host:1"),
        None,
    ]
    assert whereabouts(bots, [NORTH, SOUTH]) == {"anna": "north"}


async def _online(store: Store, arbiter: str, *names: str) -> None:
    for name in names:
        await store.bots.create(name, False, "", f"make-{name}")
        await store.bots.set_online(name, arbiter, "", 60)


async def _nothing() -> None:
    return None


async def test_batches_follow_their_bots_and_wait_for_those_that_are_apart(
    store: Store, redis_url: str
) -> None:
    south, north = FakeArbiter(store), FakeArbiter(store)
    async with serving(south, "south"), serving(north, "north"), working(redis_url) as context:
        await store.arbiters.announce("north", north.address, 50, 600)
        await _online(store, "north", *FOUR)
        await create(store, boards=5)
        await schedule.advance(context, "cup")
        await batches.play_batch(context, _nothing)
        assert (len(north.commits), len(south.commits)) == (5, 0)

        await store.bots.set_online("dora", "south", "", 60)
        await create(store, boards=3, id="apart")
        await schedule.advance(context, "apart")
        await batches.play_batch(context, _nothing)
        await batches.play_batch(context, _nothing)
        assert (len(north.commits), len(south.commits)) == (5, 0)
        rows = await store.matches.list("apart")
        assert {(row.state, row.attempts) for row in rows} == {(MatchState.READY, 0)}
        assert await store.matches.ready_count() == 0, "not asked for again at once"

        # They have come together at the other one.
        await _online(store, "south", *FOUR)
        for row in rows:
            await store._link.call("ZADD", "hearts:ready:apart", 0, row.plan.id)
        await batches.play_batch(context, _nothing)
        assert (len(north.commits), len(south.commits)) == (5, 3)
