"""Following a tournament on a screen, in a log, or as lines of JSON."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from client_sdk.cli import show
from client_sdk.cli.client import Client
from client_sdk.cli.errors import Unreachable
from client_sdk.cli.text import bare, safe
from client_sdk.cli.tournament_views import duration
from hearts.v1 import tournaments_pb2
from hearts.v1.tournaments_pb2 import Tournament

# A server that restarts is back within seconds; one that is gone is worth one minute's patience.
RETRY_DELAYS_S = (0.5, 1, 2, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5)
# Without a terminal, one line for each so many parts of the whole.
_LOG_LINES = 10
# A speed is not told before one has been seen for so long.
_PACE_S = 1.0


async def changes(client: Client, tournament: str) -> AsyncIterator[Tournament]:
    """The tournament now and after each change until it is over; outlives a server's restart.

    Raises:
        CliError: the call is refused, or the server stays away for a minute.
    """
    delays = iter(RETRY_DELAYS_S)
    while True:
        try:
            async for item in client.watch_tournament(tournament):
                delays = iter(RETRY_DELAYS_S)
                yield item
            return
        except Unreachable:
            delay = next(delays, None)
            if delay is None:
                raise
            await asyncio.sleep(delay)


async def follow(client: Client, tournament: str, *, json: bool = False) -> None:
    """Shows the progress of a tournament until it is over."""
    # The first answer proves that the tournament exists and the server is there: no retry.
    await client.get_tournament(tournament)
    if json:
        async for item in changes(client, tournament):
            show.as_json(item, indent=None)
        return
    with display() as update:
        async for item in changes(client, tournament):
            update(item)


class display:  # noqa: N801 - reads as what it is in `with display() as update`
    """A bar on a terminal, a line now and then elsewhere."""

    def __init__(self) -> None:
        self._console = show.console()
        self._bar: Progress | None = None
        self._told = -1
        self._first: tuple[float, int] | None = None

    def __enter__(self) -> Callable[[Tournament], None]:
        if not self._console.is_terminal:
            return self._line
        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("matches"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[pace]}", markup=False),
            console=self._console,
        )
        self._bar.start()
        self._task = self._bar.add_task("waiting", total=None, pace="")
        return self._advance

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.stop()

    def _advance(self, item: Tournament) -> None:
        state = show.enum_word(tournaments_pb2.TournamentState, item.state)
        if self._bar:
            self._bar.update(
                self._task,
                description=safe(f"{bare(item.name)} {state}"),
                total=item.matches_planned or None,
                completed=item.matches_done,
                pace=self._pace(item),
            )

    def _line(self, item: Tournament) -> None:
        part = item.matches_done * _LOG_LINES // max(item.matches_planned, 1)
        if part != self._told:
            self._told = part
            pace = self._pace(item)
            words = f"{bare(item.name)}: {show.progress_words(item)}"
            self._console.print(safe(f"{words}, {pace}" if pace else words))

    def _pace(self, item: Tournament) -> str:
        """Matches a second since we look, and the time left of what is planned so far."""
        now = time.monotonic()
        if self._first is None:
            self._first = (now, item.matches_done)
        begun, before = self._first
        if item.matches_done <= before or now - begun < _PACE_S:
            return ""
        speed = (item.matches_done - before) / (now - begun)
        left = item.matches_planned - item.matches_done - item.matches_failed
        words = f"{speed:.1f} matches/s"
        return f"{words}, {duration(left / speed)} left" if left else words
