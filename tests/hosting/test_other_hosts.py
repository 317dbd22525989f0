"""Machines that are not like this one: workers without root, and machines without a sandbox."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path

from hosting_kit import able_host, missing, nobody, platform, player, settings

from arbiter.store import MatchState, Store
from hearts import wire
from hearts.rules import preset
from workers import batches
from workers.hosting import host as hosts
from workers.hosting import jail
from workers.hosting.host import Host
from workers.hosting.limits import MIB, Limits

HOUSE = ("house:duck", "house:random", "house:careful")
NOBODY = 65534

PROBE = """
id -u
cat /etc/shadow
touch /dev/x
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 2 & done
"""


def test_without_root_a_user_namespace_takes_the_place_of_users(tmp_path: Path) -> None:
    host = able_host(settings("redis://127.0.0.1:1", tmp_path))
    if os.geteuid() != 0:
        missing("needs root, to become somebody without it")
    bot = Path("/tmp") / f"hearts-test-{os.getpid()}"
    bot.mkdir()
    bot.chmod(0o755)
    reader, writer = os.pipe()
    try:
        # Without Python, which lies where only root can read here.
        tools = replace(host.tools, python=(), path=jail.SYSTEM_PATH)
        job = jail.Job(("sh", "-c", PROBE), bot, Limits(memory=64 * MIB, processes=8))
        command = jail.sandboxed(tools, job, None, status=writer, seccomp=None)
        ran = subprocess.run(
            [
                host.tools.setpriv,
                f"--reuid={NOBODY}",
                f"--regid={NOBODY}",
                "--clear-groups",
                *command,
            ],
            env=jail.environment(tools, {}),
            pass_fds=(writer,),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    finally:
        bot.rmdir()
        os.close(reader)
        os.close(writer)
    if "Operation not permitted" in ran.stderr and "bwrap" in ran.stderr:
        missing(f"no user namespaces here: {ran.stderr}")
    assert ran.stdout == "1000\n", ran.stderr
    assert "/etc/shadow: No such file" in ran.stderr
    assert "/dev/x': Read-only file system" in ran.stderr
    assert "Cannot fork" in ran.stderr


def _without_sandbox(**known: bool) -> Host:
    return Host(jail.Tools(prlimit="/usr/bin/prlimit", path=_path()), False, False, **known)


def _path() -> str:
    return hosts.look(settings("redis://127.0.0.1:1", Path("/nonexistent"))).tools.path


async def test_house_bots_play_where_no_sandbox_works(
    store: Store, redis_url: str, tmp_path: Path
) -> None:
    """And submitted ones do not: their match stays for a worker that can host it."""
    known = settings(redis_url, tmp_path)
    async with platform(store, known) as here:
        here.context.stage._host = _without_sandbox(unsafe=False)
        anna = await here.active("anna", player())
        await here.tournament(anna, *HOUSE, id="bowl")
        await here.tournament(*HOUSE, id="cup", rules=wire.rules_to_wire(preset("three_player")))
        await batches.play_batch(here.context, nobody)
        await batches.play_batch(here.context, nobody)
        [result] = await here.results()
        assert [seat.verdict for seat in result.seats] == [0, 0, 0]
        assert await here.results("bowl") == []
        [row] = await store.matches.list("bowl")
        assert (row.state, row.attempts) == (MatchState.READY, 0)
        assert "HEARTS_UNSANDBOXED" in here.context.stage._host.why_not


async def test_an_operator_may_do_without_a_sandbox(
    store: Store, redis_url: str, tmp_path: Path
) -> None:
    known = settings(redis_url, tmp_path, unsandboxed=True)
    async with platform(store, known) as here:
        here.context.stage._host = _without_sandbox(unsafe=True)
        bert = await here.active("bert", "raise SystemExit('no')")
        await here.tournament(await here.active("anna", player()), *HOUSE)
        await here.tournament(bert, *HOUSE, id="bowl")
        await here.play()
        for result in [*await here.results(), *await here.results("bowl")]:
            for seat in result.seats:
                assert (seat.verdict == 0) == (seat.bot != bert), seat
        assert "no\n-- exit code 1" in await here.logs(bert)
