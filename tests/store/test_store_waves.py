"""Planning: each wave becomes matches once, as a whole."""

import asyncio
from dataclasses import replace

import pytest
from store_kit import LEASE_MS, counts, plans

from arbiter.store import MatchState, Store, TournamentRow, UnknownTournament, WaveConflict
from arbiter.store import plans as writing
from arbiter.store.link import Link


@pytest.fixture
async def cup(store: Store) -> str:
    await store.tournaments.create(TournamentRow("cup", b"spec", b"secret", True))
    return "cup"


async def test_two_planners_at_once_make_each_match_once(store: Store, cup: str) -> None:
    """SP09: eight at once, with waves of several chunks."""
    planned = plans(cup, 2 * writing.CHUNK + 3)
    made = await asyncio.gather(*(store.matches.add_wave(cup, 1, planned) for _ in range(8)))
    assert sorted(made) == [False] * 7 + [True]
    assert await store.matches.ids(cup) == tuple(plan.id for plan in planned)
    assert await store.matches.ready_count() == len(planned)


async def test_a_planned_wave_is_not_planned_again_after_its_matches_were_played(
    store: Store, cup: str
) -> None:
    await store.matches.add_wave(cup, 1, plans(cup, 2))
    (held,) = await store.matches.claim(1, LEASE_MS)
    await store.matches.commit(held.match, held.lease, b"r", b"R", 1, None)
    assert not await store.matches.add_wave(cup, 1, plans(cup, 2))
    assert await counts(store) == (2, 0, 1, 0)
    assert await store.matches.ready_count() == 1


async def test_a_planner_that_dies_half_way_leaves_nothing_to_be_seen_or_claimed(
    store: Store, cup: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = plans(cup, 3 * writing.CHUNK)
    run, calls = Link.run, 0

    async def dying(self: Link, *args: object) -> object:
        nonlocal calls
        calls += 1
        if calls == 4:
            raise ConnectionError("killed")
        return await run(self, *args)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(Link, "run", dying)
        with pytest.raises(ConnectionError):
            await store.matches.add_wave(cup, 1, planned)
    assert await counts(store) == (0, 0, 0, 0)
    assert await store.matches.claim(1, LEASE_MS) == []
    assert await store.matches.get(planned[0].id) is None
    assert await store.matches.list(cup) == []
    assert await store.matches.add_wave(cup, 1, planned)
    assert await counts(store) == (len(planned), 0, 0, 0)


async def test_a_wave_planned_differently_is_raised(store: Store, cup: str) -> None:
    planned = plans(cup, 3)
    await store.matches.add_wave(cup, 1, planned)
    turned = [replace(plan, seats=plan.seats[::-1]) for plan in planned]
    with pytest.raises(WaveConflict, match="planned differently"):
        await store.matches.add_wave(cup, 1, turned)
    with pytest.raises(WaveConflict, match="another wave"):
        await store.matches.add_wave(cup, 2, planned)
    with pytest.raises(ValueError, match="twice"):
        await store.matches.add_wave(cup, 2, planned[:1] * 2)
    with pytest.raises(ValueError, match="another tournament"):
        await store.matches.add_wave(cup, 2, plans("other", 1))
    assert await counts(store) == (3, 0, 0, 0)


async def test_no_wave_is_added_to_a_tournament_that_is_over(store: Store, cup: str) -> None:
    await store.tournaments.cancel(cup, "enough")
    assert not await store.matches.add_wave(cup, 1, plans(cup, 3))
    assert await store.matches.list(cup) == []
    with pytest.raises(UnknownTournament, match="nowhere"):
        await store.matches.add_wave("nowhere", 1, plans("nowhere", 1))


async def test_matches_are_listed_by_page_bot_and_state(store: Store, cup: str) -> None:
    planned = plans(cup, 30)
    planned = [
        replace(plan, seats=("eve", *plan.seats[1:])) if plan.board % 3 == 0 else plan
        for plan in planned
    ]
    await store.matches.add_wave(cup, 1, planned)
    for held in await store.matches.claim(10, LEASE_MS):
        if held.match != planned[9].id:
            await store.matches.commit(held.match, held.lease, b"r", b"R", 1, None)

    async def boards(**options: object) -> list[int]:
        rows = await store.matches.list(cup, **options)  # type: ignore[arg-type]
        return [row.plan.board for row in rows]

    assert await boards(limit=3) == [0, 1, 2]
    assert await boards(after=planned[27].id) == [28, 29]
    assert await boards(bot="eve", limit=4, after=planned[0].id) == [3, 6, 9, 12]
    assert await boards(state=MatchState.DONE) == list(range(9))
    assert await boards(state=MatchState.RUNNING) == [9]
    assert await boards(state=MatchState.READY, limit=2) == [10, 11]
    assert await boards(bot="eve", state=MatchState.DONE) == [0, 3, 6]
    assert await boards(bot="nobody") == []
    assert await store.matches.ids(cup, MatchState.DONE) == tuple(p.id for p in planned[:9])
    with pytest.raises(ValueError, match="ready"):
        await store.matches.ids(cup, MatchState.READY)
