"""`hearts verify` over the public API of a real arbiter: what is true, and what is not."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import redis.asyncio
from services_kit import FOUR, Api, batch, creation, refit, register
from test_playing import connected

from arbiter.matches import payloads
from arbiter.matches.advance import Advance, advance
from arbiter.server import Arbiter
from arbiter.store import Role, Store
from client_sdk.cli import records, verifying
from client_sdk.cli.client import Client
from client_sdk.cli.commands.verify import check
from client_sdk.cli.config import Connection
from hearts import fairness
from hearts.game import Game
from hearts.limits import DEFAULT_LIMITS
from hearts.match_record import DealRecord, MatchRecord, RecordError
from hearts.rules import PRESETS, preset
from hearts.scoring import MatchEnd
from hearts.shuffle import Board
from hearts.v1 import tournaments_pb2
from hearts.wire import record_from_wire


@pytest.fixture
async def client(arbiter: Arbiter, store: Store) -> AsyncIterator[Client]:
    """Whoever may read."""
    token = await store.tokens.create(Role.ADMIN)
    async with Client(Connection(arbiter.address, token, 10)) as client:
        yield client


async def played(arbiter: Arbiter, admin: Api, worker: Api, store: Store, **changes: object) -> str:
    """A tournament played to its end; its id."""
    await register(admin, *FOUR, house=True)
    request = creation(**changes)
    made = (await admin(admin.tournaments.CreateTournament, request)).tournament
    id_ = made.name.split("/")[1]
    async with connected(arbiter, store, *FOUR):
        while (await advance(store, id_)).outcome not in (Advance.FINISHED, Advance.OVER):
            if await store.matches.ready_count():
                async for _ in await batch(worker, store):
                    pass
    await refit(store, "standard-4")
    return id_


async def test_a_tournament_is_true_from_its_secret_to_its_ratings(
    arbiter: Arbiter, admin: Api, worker: Api, store: Store, client: Client
) -> None:
    id_ = await played(arbiter, admin, worker, store, duplicate=True, boards=3, deals=2)
    report = await check(client, id_)
    assert (report.problems, report.open) == ([], [])
    assert dict(report.done) == {
        "commitment": 1,
        "boards": 3,
        "plans": 12,
        "deals": 24,
        "moves": 24 * 52 + 12 * 4 + sum(b % 4 != 3 for b in (1, 2, 3)) * 4 * 4,
        "scores": 24 * 3 * 4,
        "results": 12,
        "standings": 4,
        "ratings": 4,
    }


async def test_a_swiss_is_true_in_its_order_too(
    arbiter: Arbiter, admin: Api, worker: Api, store: Store, client: Client
) -> None:
    stage = tournaments_pb2.Stage(format=tournaments_pb2.FORMAT_SWISS, rounds=2)
    id_ = await played(arbiter, admin, worker, store, format=None, stages=[stage])
    report = await check(client, f"tournaments/{id_}")
    assert (report.problems, report.open) == ([], [])
    assert report.done["standings"] == 4


async def test_before_the_end_the_boards_seeds_tell_its_cards_and_open_boards_are_withheld(
    arbiter: Arbiter, admin: Api, worker: Api, store: Store, client: Client
) -> None:
    """A ladder reveals its boards one by one: its secret may be years away."""
    await register(admin, *FOUR, house=True)
    request = creation(duplicate=True, boards=2)
    made = (await admin(admin.tournaments.CreateTournament, request)).tournament
    async with connected(arbiter, store, *FOUR):
        async for _ in await batch(worker, store, limit=6):
            pass
    report = await check(client, made.name)
    assert report.problems == []
    assert (report.done["deals"], report.done["commitment"]) == (4, 0)
    assert any("withheld until its board is over" in words for words in report.open)
    assert any("secret is revealed when" in words for words in report.open)
    first = (await client.list_matches(made.name))[0]
    reply = await client.get_record_with_seeds(first.name)
    assert {seed.purpose for seed in reply.seeds} == {"dealer/0", "shuffle/0/0/0"}
    # Later the secret must give the same seeds.
    row = await store.tournaments.get(made.name.split("/")[1])
    assert row is not None
    record = record_from_wire(reply.record)
    assert fairness.seeds_of(record, row.secret) == {s.purpose: s.seed for s in reply.seeds}
    reply.seeds[0].seed = bytes(32)
    again = verifying.Report()
    known = verifying.Terms(made.spec, made.commitment, None)
    verifying.check_cards(record, reply, known.secret, again)
    assert again.problems


async def test_any_byte_of_an_exported_record_is_noticed_on_its_line(
    arbiter: Arbiter, admin: Api, worker: Api, store: Store, client: Client, tmp_path: Path
) -> None:
    """In both notations; offline what the cards prove, with the server everything."""
    id_ = await played(arbiter, admin, worker, store, boards=1)
    [match] = await client.list_matches(id_)
    reply = await client.get_record_with_seeds(match.name)
    for json in (False, True):
        path = tmp_path / f"record-{json}"
        text = records.render(reply.record, json=json).encode()
        path.write_bytes(text)
        report = await check(client, str(path))
        assert (report.problems, report.open) == ([], [])
        assert report.done["bytes"] == len(text)
        step = max(1, len(text) // 1500)
        for at in range(0, len(text), step):
            broken = bytearray(text)
            broken[at] ^= 1 << (at % 7)
            where = verifying.first_difference(bytes(broken), text)
            line = text.count(b"\n", 0, at) + 1
            # A broken end of a line joins it to the next, a new one parts it.
            assert where.startswith((f"line {line}:", f"line {line + 1}:")), (at, where)
        for at in range(7, len(text), len(text) // 12):
            broken = bytearray(text)
            broken[at] ^= 1
            path.write_bytes(broken)
            report = await check(client, str(path))
            assert report.problems, (at, broken[at - 20 : at + 20])


async def test_what_is_altered_in_the_store_is_noticed(
    arbiter: Arbiter, admin: Api, worker: Api, store: Store, client: Client, redis_url: str
) -> None:
    """A record's byte that no rule speaks of, a result, a whole legal game."""
    id_ = await played(arbiter, admin, worker, store, boards=2)
    first, second = await store.matches.ids(id_)
    async with redis.asyncio.Redis.from_url(redis_url) as raw:
        kept = await raw.get(f"hearts:record:{first}")
        message = payloads.read_record(kept)
        message.deals[0].think_us[3] += 1
        record = payloads.record(record_from_wire(message))
        await raw.set(f"hearts:record:{first}", record)
        report = await check(client, id_)
        assert any(
            first in words and "not what was committed" in words for words in report.problems
        )
        await raw.set(f"hearts:record:{first}", kept)
        assert (await check(client, id_)).problems == []
        result = payloads.read_result(await raw.hget(f"hearts:results:{id_}", first))
        result.seats[0].points += 1
        await raw.hset(f"hearts:results:{id_}", first, result.SerializeToString())
        assert (await check(client, first)).problems
        await raw.hset(f"hearts:tournament:{id_}", "secret", bytes(32))
        report = await check(client, second)
    assert any("the board says" in words for words in report.problems)


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_the_seeds_of_a_board_are_enough_and_those_of_another_are_not(name: str) -> None:
    """For every way to find the first dealer."""
    rules = preset(name)
    secret = bytes(range(32))
    game = Game(rules, Board(secret, 5), 1)
    deal = DealRecord.of(game.deal)
    record = MatchRecord(
        "matches/m", "tournaments/t", game.rules, ("a",) * rules.players, 5, 0, (deal,),
        MatchEnd.DEALS, (0,) * rules.players, (1,) * rules.players, DEFAULT_LIMITS,
    )  # fmt: skip
    seeds = fairness.seeds_of(record, secret)
    fairness.check_deals(record, Board(secret, 5))
    fairness.check_deals(record, fairness.revealed(5, seeds))
    with pytest.raises(RecordError, match="is not revealed"):
        fairness.check_deals(record, fairness.revealed(5, {}))
    with pytest.raises(RecordError, match="board says"):
        fairness.check_deals(record, Board(bytes(32), 5))
