"""`hearts demo`: the whole platform plays one real tournament and shows it."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from contextlib import ExitStack
from importlib import resources
from pathlib import Path

from client_sdk.bots import HOUSE
from client_sdk.cli import records, show, tomlfile, tournament_file, watching
from client_sdk.cli.client import Client
from client_sdk.cli.commands.tournaments import faults_of
from client_sdk.cli.errors import CliError, Exit, PlatformError
from client_sdk.cli.text import bare
from hearts.v1 import matches_pb2, tournaments_pb2
from workers.cli import child, running
from workers.cli.folder import DataFolder
from workers.cli.platform import Platform, Wanted
from workers.cli.supervisor import Service, ServiceFailed

HOST = "127.0.0.1"
BOTS_READY_S = 20.0
POLL_S = 0.1
_TIMING = ("asked ", "wait_us ", "think_us ", "queue_us ", "request_bytes ", "reply_bytes ")


def demonstrate(data: Path | None, file: Path | None, workers: int) -> int:
    """Runs the demo; returns the exit code. Raises CliError."""
    spec = _spec(file)
    with ExitStack() as stack:
        if data is None:
            data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hearts-demo-")))
            kept = False
        else:
            kept = True
        folder = stack.enter_context(DataFolder(data))
        return running.run(_demo(folder, spec, workers, kept=kept), Exit.INTERRUPTED)


def _spec(file: Path | None) -> tournaments_pb2.TournamentSpec:
    """The tournament to play, its entries checked: only house bots can be started from here."""
    if file:
        parsed = tomlfile.read(file)
    else:
        text = resources.files(__package__).joinpath("demo.toml").read_text(encoding="utf-8")
        parsed = tomlfile.parse(text, "demo.toml")
    spec = tournament_file.spec_of(parsed)
    for index, entry in enumerate(spec.entries):
        if _kind(entry) not in HOUSE:
            raise parsed.error(
                ("entries", index),
                f"{bare(entry)!r} is no house bot",
                allowed=[f"{kind}-N" for kind in HOUSE],
                then="`hearts up` and `hearts tournaments create` play any bots",
            )
    return spec


def _kind(entry: str) -> str:
    """ "bots/duck-1" → "duck"."""
    return bare(entry).rpartition("-")[0]


async def _demo(
    folder: DataFolder, spec: tournaments_pb2.TournamentSpec, workers: int, *, kept: bool
) -> int:
    begun = time.monotonic()
    _say("starting Redis, an arbiter, a Celery worker and beat ...")
    async with Platform(folder, Wanted(HOST, 0, workers), _say) as platform:
        async with platform.client() as client:
            _say(f"serving on {platform.address}; logs in {folder.logs}")
            names = [bare(entry) for entry in spec.entries]
            _say(f"registering and starting {len(names)} bots, each a process of its own ...")
            await _start_bots(platform, client, names)
            made = await client.create_tournament(spec)
            _say(f"tournament {bare(made.name)}: {made.matches_planned} matches")
            await watching.follow(client, made.name)
            reply = await _results(client, made.name)
        seconds = time.monotonic() - begun
    _say(f"\nall of it took {seconds:.0f} s; everything is stopped again")
    _check(reply)
    _next_steps(folder, kept=kept)
    return Exit.OK


def _check(reply: tournaments_pb2.GetStandingsResponse) -> None:
    """Raises CliError when the demo did not go as it has to: house bots do not fail by themselves.

    Time-outs are shown and are no failure here: on a machine that is busy with other things they
    say nothing about a bot.
    """
    logs = "look into the logs: hearts demo --data demo, then demo/logs"
    if reply.tournament.state != tournaments_pb2.TOURNAMENT_STATE_FINISHED:
        raise PlatformError(show.progress_words(reply.tournament), then=logs)
    if failed := reply.tournament.matches_failed - reply.tournament.matches_dropped:
        raise PlatformError(f"{failed} matches were given up by the platform", then=logs)
    if faults := faults_of(reply, besides=("timeouts",)):
        raise CliError(f"bots failed: {'; '.join(faults)}", then=logs, code=Exit.BOT_FAULT)


async def _start_bots(platform: Platform, client: Client, names: list[str]) -> None:
    services = []
    for name in names:
        kind = _kind(name)
        # One id for each name: with a data folder that is kept, a repeat is the same bot.
        request_id = f"demo-{name}"
        _, token = await client.create_bot(
            name, HOUSE[kind].summary, house=True, request_id=request_id
        )
        services.append(_bot(platform, kind, name, token))
    try:
        await platform.supervisor.add(*services)
    except ServiceFailed as failed:
        raise PlatformError(f"{failed}: {failed.said}", then=f"see {failed.log}") from None
    await _until_online(client, names)


def _bot(platform: Platform, kind: str, name: str, token: str) -> Service:
    log = platform.folder.log(name)
    command = (sys.executable, "-m", "client_sdk.bots", kind, "--name", name)
    # In the environment and not on the command line, where everybody could read it.
    environment = platform.environment | {
        "HEARTS_SERVER": platform.address,
        "HEARTS_TOKEN": token,
    }
    return Service(name, lambda: child.start(command, environment, log), log)


async def _until_online(client: Client, names: list[str]) -> None:
    deadline = time.monotonic() + BOTS_READY_S
    while True:
        missing = set(names) - {bare(bot.name) for bot in await client.list_bots() if bot.online}
        if not missing:
            return
        if time.monotonic() > deadline:
            raise PlatformError(f"bots that did not connect: {', '.join(sorted(missing))}")
        await asyncio.sleep(POLL_S)


async def _results(client: Client, tournament: str) -> tournaments_pb2.GetStandingsResponse:
    """Prints the standings and one record; returns the standings."""
    reply = await client.get_standings(tournament)
    _say("")
    show.standings(reply)
    done = await client.list_matches(tournament, state=matches_pb2.MATCH_STATE_DONE, limit=1)
    for match in done:
        _say(f"\nThe record of one of the matches, {bare(match.name)}:\n")
        text = records.render(await client.get_record(match.name))
        # How long each decision took is for looking into a fault, not for a first look.
        lines = [line for line in text.splitlines() if not line.startswith(_TIMING)]
        _say("\n".join(lines))
    return reply


def _next_steps(folder: DataFolder, *, kept: bool) -> None:
    if kept:
        _say(f"data and logs are in {folder.path}")
    _say(
        "next: hearts up --data data     the platform, to stay\n"
        "      hearts --help             what else there is\n"
        "      README.md                 your first bot in ten lines"
    )


def _say(line: str) -> None:
    print(line, flush=True)
