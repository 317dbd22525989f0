"""The tournaments of the chaos test: all formats, with a secret that is the same in every run."""

from __future__ import annotations

from dataclasses import dataclass, replace

from arbiter.store import Store, TournamentRow
from arbiter.tournaments import wire
from arbiter.tournaments.history import Entry
from arbiter.tournaments.spec import Spec
from arbiter.tournaments.stage import Format, Stage
from hearts.limits import Limits
from hearts.rules import preset

SECRET = bytes(range(32))

# Nobody is blamed for what the test does to the processes: a stopped or killed one is back long
# before these are over.
CLOCK = Limits(
    connect_ms=300_000,
    ready_ms=300_000,
    decision_ms=30_000,
    lag_ms=5_000,
    rejoin_ms=300_000,
    match_ms=3_600_000,
)


@dataclass(frozen=True, slots=True)
class Size:
    """``deals`` in a match; ``boards`` multiplies the matches of each cup."""

    deals: int
    boards: int


SHORT = Size(deals=2, boards=1)
LONG = Size(deals=8, boards=12)


def cups(size: Size, bots: tuple[str, ...]) -> dict[str, Spec]:
    """By id. A field of six or more."""
    base = Spec(
        title="Chaos",
        rules=preset("standard"),
        boards=size.boards,
        entries=bots,
        deals=size.deals,
        clock=CLOCK,
        seed=7,
        trust_repeats=True,
    )
    field = len(bots)

    def staged(*stages: Stage, **changes: object) -> Spec:
        return replace(base, stages=stages, **changes)

    return {
        "chaos-robin": replace(base, duplicate=True, entries=bots[:5]),
        "chaos-swiss": staged(Stage(Format.SWISS, rounds=5), boards=5 * size.boards),
        "chaos-knockout": staged(
            Stage(Format.SWISS, rounds=2, advance=6),
            Stage(Format.KNOCKOUT, double_elimination=True),
            boards=3 * size.boards,
        ),
        "chaos-halving": staged(
            Stage(Format.HALVING, rounds=2, advance=min(4, field)), boards=3 * size.boards
        ),
        "chaos-ladder": staged(Stage(Format.LADDER, rounds=8), boards=3 * size.boards),
        "chaos-gauntlet": staged(Stage(Format.GAUNTLET, challenger=bots[0])),
        "chaos-versus": staged(
            Stage(Format.VERSUS, challenger=bots[0], max_boards=10 * size.boards),
            entries=bots[:2],
            boards=2 * size.boards,
            duplicate=False,
        ),
    }


async def create(store: Store, wanted: dict[str, Spec]) -> None:
    """Not through the API, which would draw another secret in each run."""
    for id_, spec in wanted.items():
        spec.check()
        row = TournamentRow(id_, wire.encode(spec), SECRET, spec.rated)
        await store.tournaments.create(row, id_, [Entry(bot) for bot in spec.entries])
