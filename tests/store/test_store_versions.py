"""Versions: quotas and names, one worker for each, states, benching, logs."""

import asyncio

import pytest
import redis.asyncio

from arbiter.store import Quota, Role, Store, Version, VersionKind, VersionState
from arbiter.store.errors import LooksAlike, NameTaken, NotOwner, OverQuota, SameContent
from arbiter.store.versions import MAX_ATTEMPTS, MAX_LOG, MAX_LOGS, WrongVersionState

LEASE_MS = 30_000


async def submit(store: Store, bot: str = "anna", owner: str = "kim", **fields: object) -> Version:
    fields = {"kind": VersionKind.ENDPOINT, "endpoint": "host:1", **fields}
    return (await store.versions.create(Version(bot, 0, owner=owner, **fields)))[0]  # type: ignore[arg-type]


async def qualify(store: Store, name: str) -> VersionState | None:
    """Claim versions until this one comes, and let it pass."""
    while claim := await store.versions.claim_pending(LEASE_MS):
        state = await store.versions.set_state(
            claim.version.name, VersionState.ACTIVE, lease=claim.lease
        )
        if claim.version.name == name:
            return state
    return None


async def test_versions_are_numbered_and_the_bot_comes_with_the_first(store: Store) -> None:
    first, second = await submit(store), await submit(store)
    assert (first.name, second.name) == ("anna@1", "anna@2")
    assert first.state is VersionState.PENDING
    assert [row.name for row in await store.versions.list("anna")] == ["anna@2", "anna@1"]
    bot = await store.bots.get("anna")
    assert bot is not None
    assert await store.versions.get("anna@3") is None


async def test_a_repeated_request_is_not_a_second_version(store: Store) -> None:
    wanted = Version("anna", 0, VersionKind.BINARY, "kim", sha256="ab" * 32, size=9)
    made = await asyncio.gather(*(store.versions.create(wanted, "request-1") for _ in range(3)))
    assert sorted(created for _, created in made) == [False, False, True]
    assert {row.name for row, _ in made} == {"anna@1"}
    with pytest.raises(SameContent, match="anna@1"):
        await store.versions.create(wanted, "request-2")


@pytest.mark.parametrize(("name", "other"), [("b0b", "bob"), ("bil1", "bill"), ("mil-l", "mill")])
async def test_a_name_that_looks_like_another_is_refused(
    store: Store, name: str, other: str
) -> None:
    """SS07"""
    await submit(store, other)
    with pytest.raises(LooksAlike, match=f"looks like '{other}'"):
        await submit(store, name, "lee")
    with pytest.raises(NotOwner):
        await submit(store, other, "lee")


async def test_quotas_say_when_there_is_room_again(store: Store) -> None:
    quota = Quota(bots=2, versions=3, bytes=100)

    async def create(bot: str, size: int, owner: str = "kim") -> None:
        version = Version(bot, 0, VersionKind.BINARY, owner, sha256=f"{bot}{size}", size=size)
        await store.versions.create(version, quota=quota)

    await create("anna", 60)
    with pytest.raises(OverQuota) as full:
        await create("anna", 41)
    assert full.value.what == "bytes"
    assert 0 < full.value.retry_ms <= 24 * 3600 * 1000
    with pytest.raises(OverQuota) as never:
        await create("anna", 101)
    assert never.value.retry_ms == 0
    await create("bert", 1)
    with pytest.raises(OverQuota) as bots:
        await create("cleo", 1)
    assert (bots.value.what, bots.value.retry_ms) == ("bots", 0)
    await create("anna", 2)
    with pytest.raises(OverQuota) as versions:
        await create("anna", 3)
    assert versions.value.what == "versions"
    assert versions.value.retry_ms > 0
    await create("dora", 100, "lee")


async def test_one_worker_qualifies_a_version(store: Store) -> None:
    await submit(store)
    claims = await asyncio.gather(*(store.versions.claim_pending(LEASE_MS) for _ in range(4)))
    [claim] = [one for one in claims if one]
    assert (claim.version.name, claim.attempt) == ("anna@1", 1)
    assert claim.version.state is VersionState.QUALIFYING
    assert await store.versions.waiting() == 0
    assert await store.versions.keep("anna@1", claim.lease, LEASE_MS)
    active = await store.versions.set_state("anna@1", VersionState.ACTIVE, lease=claim.lease)
    assert active is VersionState.ACTIVE
    assert [row and row.name for row in await store.versions.active(["anna", "bert"])] == [
        "anna@1",
        None,
    ]
    # Told twice: the claim is gone, nothing changes.
    assert (
        await store.versions.set_state("anna@1", VersionState.REJECTED, lease=claim.lease) is None
    )


async def test_a_version_survives_the_death_of_its_worker_but_not_of_many(store: Store) -> None:
    """SP10: a submission that kills its workers reaches a final state."""
    await submit(store)
    for attempt in range(1, MAX_ATTEMPTS + 1):
        claim = None
        while claim is None:
            claim = await store.versions.claim_pending(1)
        assert claim.attempt == attempt
    await asyncio.sleep(0.01)
    assert await store.versions.claim_pending(1) is None
    row = await store.versions.get("anna@1")
    assert row is not None
    assert row.state is VersionState.REJECTED
    assert row.reason == "the worker that ran it died, 3 times"


async def test_a_fault_of_the_platform_is_no_attempt(store: Store) -> None:
    await submit(store)
    for _ in range(MAX_ATTEMPTS + 2):
        claim = await store.versions.claim_pending(LEASE_MS)
        assert claim is not None
        assert await store.versions.postpone("anna@1", claim.lease, 0, "no arbiter is up")
    row = await store.versions.get("anna@1")
    assert row is not None
    assert (row.state, row.reason) == (VersionState.PENDING, "no arbiter is up")
    assert not await store.versions.postpone("anna@1", claim.lease, 0, "late")


async def test_a_bot_that_dials_in_is_qualified_when_it_is_here(store: Store) -> None:
    await submit(store, kind=VersionKind.CONNECT, endpoint="")
    await submit(store, "bert")
    first = await store.versions.claim_pending(LEASE_MS)
    assert first is not None
    assert first.version.name == "bert@1"
    row = await store.versions.get("anna@1")
    assert row is not None
    assert row.reason == "waits for the bot to connect"
    await store.bots.set_online("anna@1", "arbiter", "sdk", 60)
    claim = None
    while claim is None:
        claim = await store.versions.claim_pending(LEASE_MS)
    assert claim.version.name == "anna@1"


async def test_a_newer_version_replaces_an_older_and_never_the_other_way(store: Store) -> None:
    for _ in range(3):
        await submit(store)
    one = await store.versions.claim_pending(LEASE_MS)
    two = await store.versions.claim_pending(LEASE_MS)
    three = await store.versions.claim_pending(LEASE_MS)
    assert one
    assert two
    assert three
    change = store.versions.set_state
    assert await change("anna@1", VersionState.ACTIVE, lease=one.lease) is VersionState.ACTIVE
    assert await change("anna@3", VersionState.ACTIVE, lease=three.lease) is VersionState.ACTIVE
    late = await change("anna@2", VersionState.ACTIVE, lease=two.lease)
    assert late is VersionState.REPLACED
    rows = {row.number: row for row in await store.versions.list("anna")}
    assert [rows[n].state for n in (1, 2, 3)] == ["replaced", "replaced", "active"]
    assert rows[1].reason == rows[2].reason.replace("anna@3 is active", rows[1].reason)
    # Back by its owner's word.
    assert await change("anna@2", VersionState.ACTIVE) is VersionState.ACTIVE
    rows = {row.number: row for row in await store.versions.list("anna")}
    assert [rows[n].state for n in (1, 2, 3)] == ["replaced", "active", "replaced"]


async def test_what_a_state_does_not_allow(store: Store) -> None:
    await submit(store)
    change = store.versions.set_state
    for state in (VersionState.ACTIVE, VersionState.BENCHED, VersionState.REJECTED):
        with pytest.raises(WrongVersionState, match="pending"):
            await change("anna@1", state)
    assert await change("bert@1", VersionState.ACTIVE) is None
    # Retired while it waited: nobody qualifies it; activated, it waits again.
    claim = await store.versions.claim_pending(LEASE_MS)
    assert claim is not None
    assert await change("anna@1", VersionState.RETIRED, "enough") is VersionState.RETIRED
    assert await change("anna@1", VersionState.ACTIVE, lease=claim.lease) is None
    assert await store.versions.claim_pending(LEASE_MS) is None
    assert await change("anna@1", VersionState.ACTIVE) is VersionState.PENDING
    assert await qualify(store, "anna@1") is VersionState.ACTIVE


async def test_failures_in_a_row_bench_a_version(store: Store) -> None:
    """CH10: visibly, with the reason; its owner can bring it back."""
    await submit(store)
    await qualify(store, "anna@1")
    count = store.versions.count_outcome
    for match, failed in (("m1", True), ("m2", True), ("m3", False), ("m4", True), ("m5", True)):
        assert not await count("anna@1", match, failed, 3)
        # A match is told as often as somebody finds it done.
        assert not await count("anna@1", match, failed, 3)
    benched = await asyncio.gather(*(count("anna@1", "m6", True, 3) for _ in range(3)))
    assert sorted(benched) == [False, False, True]
    row = await store.versions.get("anna@1")
    assert row is not None
    assert row.state is VersionState.BENCHED
    assert row.reason == "3 failed matches in a row, the last one m6"
    assert await store.versions.active(["anna"]) == [None]
    assert not await count("anna@1", "m7", True, 3)
    assert await store.versions.set_state("anna@1", VersionState.ACTIVE) is VersionState.ACTIVE
    assert not await count("anna@1", "m8", True, 3)


async def test_a_replaced_version_is_benched_where_it_still_plays(store: Store) -> None:
    for name in ("anna@1", "anna@2"):
        await submit(store)
        await qualify(store, name)
    assert await store.versions.count_outcome("anna@1", "m1", True, 1)
    rows = {row.number: row.state for row in await store.versions.list("anna")}
    assert rows == {1: VersionState.BENCHED, 2: VersionState.ACTIVE}
    [active] = await store.versions.active(["anna"])
    assert active is not None
    assert active.number == 2


async def test_logs_are_capped_and_say_so(store: Store) -> None:
    """LR05, LR06"""
    await submit(store)
    for match in range(MAX_LOGS + 3):
        await store.versions.put_log("anna@1", f"m{match}", f"text {match}")
    await store.versions.put_log("anna@1", "m5", "again")
    logs = await store.versions.log("anna@1")
    assert [log.match for log in logs[:2]] == ["m5", "m22"]
    assert len(logs) == MAX_LOGS
    await store.versions.put_log("anna@1", "long", "é" * MAX_LOG + "the end")
    [long, *_] = await store.versions.log("anna@1")
    assert long.dropped == MAX_LOG + len("the end")
    assert long.text.startswith(f"[{long.dropped} bytes before this were dropped]\n")
    assert long.text.endswith("éthe end")
    assert len(long.text.encode()) <= MAX_LOG + 60
    await store.versions.put_log("nobody@1", "m", "text")
    assert await store.versions.log("nobody@1") == []


async def test_a_ticket_ends_by_itself(store: Store, redis_url: str) -> None:
    token = await store.tokens.ticket("anna@1~b41f", 60)
    identity = await store.tokens.lookup(token)
    assert identity is not None
    assert (identity.role, identity.subject) == (Role.BOT, "anna@1~b41f")
    async with redis.asyncio.Redis.from_url(redis_url) as client:
        keys = [key async for key in client.scan_iter("hearts:token*")]
        assert len(keys) == 2
        assert all([0 < await client.pttl(key) <= 60_000 for key in keys])
    assert await store.tokens.revoke_all(Role.BOT, "anna@1~b41f") == 1
    assert await store.tokens.lookup(token) is None


async def test_tokens_are_listed_by_how_they_begin(store: Store) -> None:
    first = await store.tokens.create(Role.OWNER, "kim", "laptop")
    await asyncio.sleep(0.002)
    second = await store.tokens.create(Role.OWNER, "kim", "robot")
    await store.tokens.create(Role.OWNER, "lee")
    rows = await store.tokens.list(Role.OWNER, "kim")
    assert [(row.prefix, row.label) for row in rows] == [
        (first[:12], "laptop"),
        (second[:12], "robot"),
    ]
    assert rows[0].create_ms > 0
    found = await store.tokens.find(first[:12])
    assert found == rows[0]
    assert sorted(await asyncio.gather(*(store.tokens.revoke(first[:12]) for _ in "ab"))) == [
        False,
        True,
    ]
    assert await store.tokens.lookup(first) is None
    assert await store.tokens.lookup(second) is not None
    assert await store.tokens.revoke_all(Role.OWNER, "kim") == 1
    assert await store.tokens.find(second[:12]) is None


async def test_owners_have_names_of_their_own_and_a_tally(store: Store) -> None:
    """SS07"""
    await store.owners.create("kim", "Kim of the north")
    with pytest.raises(NameTaken):
        await store.owners.create("kim")
    with pytest.raises(LooksAlike, match="looks like 'kim'"):
        await store.owners.create("k1m")
    await store.owners.create("lee")
    await submit(store, kind=VersionKind.BINARY, sha256="a", size=70)
    await submit(store, "bert", kind=VersionKind.BINARY, sha256="b", size=7)
    kim = await store.owners.get("kim")
    assert kim is not None
    assert (kim.label, kim.bots, kim.versions, kim.bytes) == ("Kim of the north", 2, 2, 77)
    assert [row.name for row in await store.owners.list()] == ["kim", "lee"]
    assert [row.name for row in await store.owners.list("kim")] == ["lee"]
    assert await store.owners.get("max") is None


async def test_a_bot_is_where_its_active_version_is(store: Store) -> None:
    await submit(store)
    await qualify(store, "anna@1")
    await store.bots.create("dora", False, "", "", owner="kim")
    await store.bots.set_online("anna@1", "arbiter-1", "sdk 1", 60)
    anna = await store.bots.get("anna")
    assert anna is not None
    assert (anna.arbiter, anna.sdk, anna.owner) == ("arbiter-1", "sdk 1", "kim")
    assert (anna.active, anna.versions) == (1, 1)
    assert await store.bots.online() == {"anna@1"}
    with pytest.raises(LooksAlike):
        await store.bots.create("d0ra", False, "", "")
