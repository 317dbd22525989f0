"""The matches of one round, made one by one as they are asked for: a plan of 100,000 matches takes
hardly any memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import overload

from arbiter.tournaments import versus
from arbiter.tournaments.draw import Draw
from arbiter.tournaments.evening import Seats, evened, turned
from arbiter.tournaments.matchplan import MatchPlan, ordered, table_id
from arbiter.tournaments.seating import Seating, rotated
from arbiter.tournaments.stage import Round


@dataclass(frozen=True, slots=True)
class Place:
    """Where a round stands: its tournament, stage and number, and the first board it may use."""

    tournament: str
    stage: int
    round: int
    first_board: int


@dataclass(frozen=True, slots=True)
class Matches(Sequence[MatchPlan]):
    """All matches of a round in canonical order.

    No two tables share a board, so no two deals are equal except by rotation (FS05). Duplicate:
    each board in every rotation of one seating. Single: one match a board, every bot in each seat
    equally often, give or take one (FS03).
    """

    round: Round
    place: Place
    seed: int
    players: int
    rotations: int
    loose: tuple[Seating, ...] = field(repr=False, default=())

    def __len__(self) -> int:
        return len(self.round.tables) * self.round.boards * self.rotations

    def __iter__(self) -> Iterator[MatchPlan]:
        place = self.place
        tournament, stage, round_ = place.tournament, place.stage, place.round
        for table, bots in enumerate(self.round.tables, start=1):
            head = table_id(tournament, stage, round_, table)
            board = place.first_board + (table - 1) * self.round.boards
            for seatings in self._boards(table, bots):
                block = f"{head}-{ordered(board, 6)}"
                for rotation, seats in enumerate(seatings):
                    name = f"{block}-{rotation:02}"
                    yield MatchPlan(name, tournament, stage, round_, table, board, rotation, seats)
                board += 1

    @overload
    def __getitem__(self, index: int) -> MatchPlan: ...
    @overload
    def __getitem__(self, index: slice) -> list[MatchPlan]: ...
    def __getitem__(self, index: int | slice) -> MatchPlan | list[MatchPlan]:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            return list(islice(self, start, stop, step)) if step > 0 else list(self)[index]
        position = index if index >= 0 else index + len(self)
        if not 0 <= position < len(self):
            raise IndexError(index)
        return next(islice(self, position, None))

    def _boards(self, table: int, bots: Sequence[str]) -> Iterator[Sequence[Seating]]:
        """For each board of a table, the seatings of its matches."""
        place, players = self.place, self.players
        if self.round.mirrored:
            for board in range(self.round.boards):
                turn = place.first_board + board
                yield versus.seatings(bots[0], bots[1], self.players, turn)
        elif self.rotations > 1:
            # The rotations balance the seats; drawing each board's circle anew varies who sits at
            # whose left.
            for board in range(self.round.boards):
                base = self._draw("seats", table, board).shuffled(bots)
                yield [rotated(base, rotation) for rotation in range(self.rotations)]
        else:
            cycles, rest = divmod(self.round.boards, players)
            for cycle in range(cycles):
                circle = self._draw("seats", table, cycle).shuffled(bots)
                for turn in range(players):
                    yield [rotated(circle, turn)]
            for seats in self.loose[(table - 1) * rest : table * rest]:
                yield [seats]

    def _draw(self, label: str, *more: int) -> Draw:
        return Draw(self.seed, label, self.place.stage, self.place.round, *more)


def matches(
    round_: Round, place: Place, seed: int, players: int, rotations: int, past: Seats
) -> Matches:
    """The matches of a round. `past`: how often each bot has sat in each seat before."""
    if rotations > 1:
        return Matches(round_, place, seed, players, rotations)
    games = round_.boards % players
    if round_.first:
        loose = [
            seats
            for bots in round_.tables
            for seats in turned({bot: round_.first[bot] for bot in bots}, games)
        ]
    else:
        loose = evened(round_.tables, games, past, Draw(seed, "even", place.stage, place.round))
    return Matches(round_, place, seed, players, rotations, tuple(loose))


def seats_used(played: Sequence[MatchPlan]) -> dict[str, Counter[int]]:
    """How often each bot has sat in each seat."""
    used: dict[str, Counter[int]] = {}
    for match in played:
        for seat, bot in enumerate(match.seats):
            used.setdefault(bot, Counter())[seat] += 1
    return used
