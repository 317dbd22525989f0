"""Submitted programs play in a real tournament: a real arbiter, a real worker, a real sandbox."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from pathlib import Path

import grpc
import grpc.aio
import pytest
from hosting_kit import Platform, able_host, missing, nobody, platform, player, settings

from arbiter.store import MatchState, Role, Store
from hearts.v1 import bots_pb2, bots_pb2_grpc, play_pb2
from workers import batches

HOUSE = ("house:duck", "house:random", "house:careful")


async def _only_clean(here: Platform, but: str = "") -> None:
    """Nobody else has anything on its record."""
    for result in await here.results():
        for seat in result.seats:
            if seat.bot != but:
                assert (seat.verdict, seat.fallbacks) == (0, 0), (seat, await here.logs(but))


async def _verdicts(here: Platform, bot: str) -> list[str]:
    return [
        play_pb2.Verdict.Name(seat.verdict)
        for result in await here.results()
        for seat in result.seats
        if seat.bot == bot
    ]


async def test_a_folder_with_bot_toml_plays(store: Store, redis_url: str, tmp_path: Path) -> None:
    known = settings(redis_url, tmp_path)
    able_host(known)
    async with platform(store, known) as here:
        anna = await here.active("anna", player())
        await here.tournament(anna, *HOUSE, boards=2)
        await here.play()
        assert [len(result.seats) for result in await here.results()] == [4, 4]
        await _only_clean(here)
        assert await here.logs(anna) == ""
        assert here.arbiter.hub.online() == {}


async def test_of_each_board_a_batch_has_one_rotation(store: Store, redis_url: str) -> None:
    """Who is started afresh for each batch cannot know a board from before."""
    known = settings(redis_url, Path("/nonexistent"))
    async with platform(store, known) as here:
        await here.tournament(
            "house:duck", "house:random", "anna", "bert", boards=5, duplicate=True
        )
        seen: set[str] = set()
        for _ in range(4):
            claims = [claim.match for claim in await store.matches.claim(100, 60_000)]
            boards = [match.rpartition("-")[0] for match in claims]
            assert len(boards) == len(set(boards)) == 5
            seen.update(claims)
        assert len(seen) == 20
        assert await store.matches.claim(100, 60_000) == []


async def test_a_batch_has_a_bounded_number_of_hosted_bots(store: Store, redis_url: str) -> None:
    known = settings(redis_url, Path("/nonexistent"))
    async with platform(store, known) as here:
        house = ("house:duck", "house:random", "house:careful")
        await here.tournament(*house, "anna", "bert", boards=2)
        claims = await store.matches.claim(100, 60_000, most_bots=2)
        rows = await store.matches.load([claim.match for claim in claims])
        bots = {bot for row in rows for bot in row.plan.seats if bot.startswith("house:")}
        # The first match is taken with however many it has.
        assert 2 <= len(bots) <= 3


async def test_who_cannot_host_claims_nothing_to_host(
    store: Store, redis_url: str, tmp_path: Path
) -> None:
    known = settings(redis_url, tmp_path)
    async with platform(store, known) as here:
        anna = await here.active("anna", player())
        await here.tournament(anna, "house:duck", "bert", "cleo")
        assert await store.matches.claim(100, 60_000, hosts=False) == []
        assert len(await store.matches.claim(100, 60_000)) == 1


async def test_hosted_matches_are_played_a_few_at_once(
    store: Store, redis_url: str, tmp_path: Path
) -> None:
    """One thinking bot a core: a clock means the same under load."""
    known = settings(redis_url, tmp_path, hosted_matches=1)
    able_host(known)
    most = 0

    async def look(here: Platform) -> None:
        nonlocal most
        while True:
            most = max(most, here.arbiter.runner._seating.playing)
            await asyncio.sleep(0.001)

    async with platform(store, known) as here:
        anna = await here.active("anna", player())
        await here.tournament(anna, *HOUSE, boards=4)
        looking = asyncio.create_task(look(here))
        await here.play()
        looking.cancel()
        assert len(await here.results()) == 4
        await _only_clean(here)
    assert most == 1


async def test_a_crash_costs_the_bot_and_nobody_else(
    store: Store, redis_url: str, tmp_path: Path
) -> None:
    """CH10, LR02: a result like any other, a log, and the others are free for the next match."""
    known = settings(redis_url, tmp_path)
    able_host(known)
    async with platform(store, known) as here:
        dies = "bot.play = lambda turn: (print('ouch', file=sys.stderr), os.abort())"
        anna = await here.active("anna", player(dies))
        await here.tournament(anna, *HOUSE, boards=2)
        await here.play()
        assert len(await here.results()) == 2
        await _only_clean(here, but=anna)
        log = await here.logs(anna)
        assert 1 <= log.count("ended by signal 6: it gave up by itself (SIGABRT)") <= 3, log
        assert "ouch" in log
        assert await store.matches.ready_count() == 0


async def test_a_bot_that_never_starts_is_a_no_show_at_once(
    store: Store, redis_url: str, tmp_path: Path
) -> None:
    """SP10, CH10: its matches end long before its time to connect does."""
    known = settings(redis_url, tmp_path, hosted_start_seconds=300)
    able_host(known)
    async with platform(store, known) as here:
        anna = await here.active("anna", "import sys; sys.exit('no idea how to play')")
        await here.tournament(anna, *HOUSE, boards=2)
        async with asyncio.timeout(120):
            await here.play()
        assert await _verdicts(here, anna) == ["VERDICT_NO_SHOW"] * 2
        await _only_clean(here, but=anna)
        assert "no idea how to play\n-- exit code 1" in await here.logs(anna)


async def test_a_submission_that_cannot_be_unpacked_is_a_no_show_with_a_reason(
    store: Store, redis_url: str, tmp_path: Path
) -> None:
    """SP10: a broken submission does not keep its matches in the queue."""
    known = settings(redis_url, tmp_path)
    able_host(known)
    async with platform(store, known) as here:
        anna = await here.active("anna", player(), files={"../out": "x"})
        await here.tournament(anna, *HOUSE)
        await here.play()
        assert await _verdicts(here, anna) == ["VERDICT_NO_SHOW"]
        assert "'..' leads out of the bot's folder" in await here.logs(anna)


async def test_a_submission_that_we_have_lost_is_our_fault(
    store: Store, redis_url: str, tmp_path: Path
) -> None:
    known = settings(redis_url, tmp_path)
    able_host(known)
    async with platform(store, known) as here:
        anna = await here.active("anna", player())
        for blob in (tmp_path / "blobs").rglob("*"):
            if blob.is_file():
                blob.unlink()
        await here.tournament(anna, *HOUSE)
        async with asyncio.timeout(60):
            while (
                row := (await store.matches.list("cup"))[0]
            ).state is not MatchState.FAILED_INFRA:
                await batches.play_batch(here.context, nobody)
                await asyncio.sleep(0.1)
        assert "is not there" in row.last_failure
        assert row.result is None


@pytest.mark.parametrize("encrypted", [False, True], ids=["plain", "TLS"])
async def test_where_the_arbiter_is_elsewhere_bytes_are_carried(
    store: Store, redis_url: str, tmp_path: Path, encrypted: bool
) -> None:
    known = settings(redis_url, tmp_path, **(_certified(tmp_path) if encrypted else {}))
    able_host(known)
    async with platform(store, known) as here:
        assert here.arbiter._socket is not None
        here.arbiter._socket.path = ""
        await here.arbiter._look()
        [row] = await store.arbiters.alive()
        assert (row.socket, row.address.startswith("https://")) == ("", encrypted)
        await here.tournament(*HOUSE, await here.active("anna", player()))
        await here.play()
        assert len(await here.results()) == 1
        await _only_clean(here)


def _certified(folder: Path) -> dict[str, Path]:
    """Settings of arbiter and worker with a certificate that signs itself."""
    if shutil.which("openssl") is None:
        missing("needs openssl for a certificate")
    cert, key = folder / "server.pem", folder / "server.key"
    made = ("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    names = ("-subj", "/CN=server", "-addext", "subjectAltName=IP:127.0.0.1")
    subprocess.run(
        ["openssl", *made, "-keyout", key, "-out", cert, *names], check=True, capture_output=True
    )
    return {"tls_cert": cert, "tls_key": key, "tls_ca": cert}


BUILT = 'build = ["sh", "-c", "sed s/DUCK/duck/g bot.in >bot.py"]\n'


async def test_what_is_to_be_built_is_built_once(
    store: Store, redis_url: str, tmp_path: Path
) -> None:
    known = settings(redis_url, tmp_path)
    able_host(known)
    async with platform(store, known) as here:
        source = player().replace("duck", "DUCK")
        anna = await here.active(
            "anna", "raise SystemExit('not built')", BUILT, files={"bot.in": source}
        )
        await here.tournament(anna, *HOUSE)
        await here.play()
        await _only_clean(here)
        [built] = (tmp_path / "hosted").glob("*/built")
        before = built.stat().st_mtime_ns
        await here.tournament(anna, *HOUSE, id="bowl")
        await here.play()
        assert built.stat().st_mtime_ns == before
        assert not list((tmp_path / "hosted").glob("*/building-*"))


async def test_bombs_harm_no_other_match(store: Store, redis_url: str, tmp_path: Path) -> None:
    """While one bot forks, one eats memory and one floods its output, the others play on."""
    known = settings(
        redis_url, tmp_path, hosted_memory_mib=96, hosted_processes=24, hosted_disk_mib=8
    )
    able_host(known)
    bomb = Path(__file__).parents[1] / "hostile" / "bots"
    beside = (
        "import threading\nthreading.Thread(target=lambda: exec({!r}, {{}}), daemon=True).start()"
    )
    async with platform(store, known) as here:
        evil = []
        for name in ("fork_bomb", "memory_bomb", "flood"):
            code = (bomb / f"{name}.py").read_text()
            evil.append(await here.active(name.replace("_", "-"), player(beside.format(code))))
        for index, bot in enumerate(evil):
            await here.tournament(bot, *HOUSE, id=f"cup{index}")
        await asyncio.gather(here.play(), here.play())
        for index, bot in enumerate(evil):
            [result] = await here.results(f"cup{index}")
            for seat in result.seats:
                assert seat.bot == bot or (seat.verdict, seat.timeouts) == (0, 0), seat
        assert "out of memory" in await here.logs(evil[1])


async def test_a_way_out_leads_to_the_play_service_alone(
    store: Store, redis_url: str, tmp_path: Path
) -> None:
    """SS01: whoever may do everything elsewhere may not do it here; and a ticket may only play."""
    async with platform(store, settings(redis_url, tmp_path)) as here:
        assert here.arbiter._socket is not None
        admin = await store.tokens.create(Role.ADMIN)
        ticket = await store.tokens.ticket("anna@1~test", 60)
        places = {f"unix:{here.arbiter._socket.path}": admin, here.arbiter.address: ticket}
        codes = []
        for place, token in places.items():
            async with grpc.aio.insecure_channel(place) as channel:
                stub = bots_pb2_grpc.BotsServiceStub(channel)
                with pytest.raises(grpc.aio.AioRpcError) as refused:
                    await stub.ListBots(
                        bots_pb2.ListBotsRequest(),
                        metadata=(("authorization", f"Bearer {token}"),),
                        timeout=10,
                    )
                codes.append(refused.value.code())
        assert codes == [grpc.StatusCode.UNIMPLEMENTED, grpc.StatusCode.PERMISSION_DENIED]
        folder = Path(here.arbiter._socket.path).parent
        assert [path.name for path in folder.iterdir()] == ["play.sock"]
    assert not folder.exists()
