"""Entries, withdrawals and pauses: what a wave that is being planned sees of them."""

import pytest
from store_kit import LEASE_MS, plans, tournament

from arbiter.store import EntryAnswer, MatchState, Store, TournamentRow, TournamentState
from arbiter.tournaments.history import Entry


@pytest.fixture
async def cup(store: Store) -> str:
    row = TournamentRow("cup", b"spec", b"secret", True)
    await store.tournaments.create(row, entries=[Entry(bot) for bot in ("anna", "bert", "cleo")])
    return "cup"


async def roster(store: Store) -> int:
    row = await store.tournaments.get("cup")
    assert row is not None
    return row.roster


async def test_a_wave_planned_for_other_entries_is_not_written(store: Store, cup: str) -> None:
    """Race: a bot withdraws while the next wave is planned with it."""
    before = await roster(store)
    await store.tournaments.withdraw(cup, "anna")
    assert not await store.matches.add_wave(cup, 1, plans(cup, 2), roster=before)
    assert await store.matches.ids(cup) == ()
    assert await store.matches.add_wave(cup, 1, plans(cup, 2), roster=await roster(store))


async def test_entries_know_from_which_wave_to_which(store: Store, cup: str) -> None:
    await store.tournaments.withdraw(cup, "cleo")  # before the first wave: as if never entered
    await store.matches.add_wave(cup, 1, plans(cup, 1), note=b"first")
    await store.tournaments.enter(cup, "dora", "ann", late=True, most=9)
    await store.tournaments.withdraw(cup, "bert")
    assert await store.tournaments.entries(cup) == [
        Entry("anna", "", 0, None),
        Entry("bert", "", 0, 1),
        Entry("dora", "ann", 1, None),
    ]
    row = await store.tournaments.get(cup)
    assert row is not None
    assert (row.entered, row.waves) == (2, 1)
    assert await store.matches.notes(cup) == [b"first"]


async def test_answers_to_entries(store: Store, cup: str) -> None:
    async def enter(bot: str, *, late: bool = False, most: int = 9) -> EntryAnswer:
        return await store.tournaments.enter(cup, bot, "", late=late, most=most)

    assert await enter("anna") is EntryAnswer.REPEATED
    assert await enter("dora", most=3) is EntryAnswer.FULL
    await store.matches.add_wave(cup, 1, plans(cup, 1))
    assert await enter("dora") is EntryAnswer.CLOSED
    assert await store.tournaments.withdraw(cup, "nobody") is EntryAnswer.UNKNOWN
    assert await store.tournaments.withdraw(cup, "anna") is EntryAnswer.WITHDRAWN
    assert await store.tournaments.withdraw(cup, "anna") is EntryAnswer.REPEATED
    assert await enter("anna", late=True) is EntryAnswer.WITHDRAWN
    await store.tournaments.cancel(cup, "enough")
    assert await enter("dora", late=True) is EntryAnswer.OVER
    assert await store.tournaments.withdraw(cup, "bert") is EntryAnswer.OVER


async def test_matches_of_a_bot_that_left_are_given_up_unless_they_run(
    store: Store, cup: str
) -> None:
    """SP10: nothing waits for a bot that will not come."""
    await store.matches.add_wave(cup, 1, plans(cup, 5))
    (held,) = await store.matches.claim(1, LEASE_MS)
    assert await store.matches.drop(cup, "dora") == 4
    assert await store.matches.drop(cup, "dora") == 0
    assert await store.matches.drop(cup, "emil") == 0
    assert await store.matches.ids(cup, MatchState.RUNNING) == (held.match,)
    [row] = await store.matches.list(cup, state=MatchState.FAILED_INFRA, limit=1)
    assert row.last_failure == "dora has left"
    assert await store.matches.ready_count() == 0


async def test_a_pause_begins_nothing_and_loses_nothing(store: Store) -> None:
    await tournament(store, matches=3)
    (held,) = await store.matches.claim(1, LEASE_MS)
    assert await store.tournaments.pause("cup")
    assert not await store.tournaments.pause("cup")
    assert await store.matches.claim(2, LEASE_MS) == []
    assert await store.matches.ready_count() == 0
    assert not await store.matches.add_wave("cup", 2, plans("cup", 1, stage=2))
    row = await store.matches.get(held.match)
    assert row is not None
    assert row.state is MatchState.RUNNING
    assert (await store.matches.commit(held.match, held.lease, b"r", b"R", 1, None)).value == (
        "committed"
    )
    assert await store.tournaments.resume("cup")
    assert not await store.tournaments.resume("cup")
    assert len(await store.matches.claim(5, LEASE_MS)) == 2


async def test_a_paused_tournament_can_be_cancelled(store: Store) -> None:
    await tournament(store)
    await store.tournaments.pause("cup")
    row = await store.tournaments.cancel("cup", "enough")
    assert row is not None
    assert row.state is TournamentState.CANCELLED
    assert not await store.tournaments.resume("cup")


async def test_how_long_a_match_has_been_as_it_is(store: Store) -> None:
    """UX09"""
    planned = await tournament(store, matches=3)
    ids = [plan.id for plan in planned]
    now = await store.tournaments.now_ms()
    (held,) = await store.matches.claim(1, LEASE_MS)
    since = await store.matches.since(ids, "cup")
    assert all(0 <= now - moment < 60_000 or moment >= now for moment in since)
    assert await store.matches.positions("cup", ids) == [-1, 0, 1]
    await store.matches.release(held.match, held.lease)
    assert await store.matches.positions("cup", ids) == [0, 1, 2]
