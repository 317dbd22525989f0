"""Submitted programs play in a real tournament: a real arbiter, a real worker, a real sandbox."""

from __future__ import annotations

from pathlib import Path

from hosting_kit import able_host, platform, player, settings

from arbiter.store import Store


async def test_a_folder_with_bot_toml_plays(store: Store, redis_url: str, tmp_path: Path) -> None:
    known = settings(redis_url, tmp_path)
    able_host(known)
    async with platform(store, known) as here:
        anna = await here.active("anna", player())
        await here.tournament(anna, "house:duck", "house:random", "house:careful", boards=2)
        await here.play()
        results = await here.results()
        assert len(results) == 2
        for result in results:
            assert {seat.bot for seat in result.seats} >= {anna, "house:duck"}
            assert [seat.verdict for seat in result.seats] == [0] * 4, await here.logs(anna)
        assert not await store.versions.log(anna)
