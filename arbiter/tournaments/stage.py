"""What a format sees and says: entrants, complete rounds and results in; the next round, or the
end of the stage, out. Bots are ids ("anna"); lower points are better."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations
from math import inf

from arbiter.tournaments.draw import Draw
from arbiter.tournaments.evening import Evenness, Seats, evenness, first_seats
from arbiter.tournaments.statistics import ScoredDeal, Statistics

_DRAWS = 40


class Format(StrEnum):
    """How the pairings are made."""

    ROUND_ROBIN = "round_robin"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    HALVING = "halving"
    LADDER = "ladder"
    GAUNTLET = "gauntlet"
    VERSUS = "versus"


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of a tournament. 0 and "" mean the format's default.

    `boards` for each table of a round, `rounds` of pairings (halving: for each level), `advance`:
    how many go on to the next stage, `winners`: how many of a knockout table go on, `challenger`:
    the bot that a gauntlet or a versus is about. `h0`, `h1`, `alpha`, `beta` are the hypotheses
    and error rates of a versus, `max_boards` its end without a decision, and that of `separate`:
    play on until each of the first `separate` places is separated from the next at `confidence`.
    """

    format: Format = Format.ROUND_ROBIN
    boards: int = 0
    rounds: int = 0
    advance: int = 0
    winners: int = 0
    double_elimination: bool = False
    challenger: str = ""
    h0: float = 0.0
    h1: float = 0.45
    alpha: float = 0.05
    beta: float = 0.05
    max_boards: int = 0
    separate: int = 0
    confidence: float = 0.95


@dataclass(frozen=True, slots=True)
class Score:
    """What a match contributes: the points of each deal by seat, and the places times two. `void`:
    a seat forfeited; `forfeits` are those seats."""

    deals: tuple[tuple[int, ...], ...]
    places: tuple[int, ...]
    void: bool = False
    forfeits: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Played:
    """A match of a table: who sat where, and its score; None when it was given up."""

    block: str
    seats: tuple[str, ...]
    score: Score | None


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """A table of a complete round. `bots` each once, sorted; `blocks` in the order of boards."""

    bots: tuple[str, ...]
    blocks: tuple[tuple[Played, ...], ...]

    def counted(self, rotations: int) -> list[tuple[Played, ...]]:
        """The blocks that are complete, and in which nobody forfeited."""
        return [
            block
            for block in self.blocks
            if len(block) == rotations
            and all(match.score is not None and not match.score.void for match in block)
        ]


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A complete round: its tables, and the bots that had to sit out."""

    tables: tuple[PlayedTable, ...]
    sit_outs: tuple[str, ...]

    @property
    def bots(self) -> Iterator[str]:
        """Everybody who was seated."""
        return (bot for table in self.tables for bot in table.bots)


@dataclass(frozen=True, slots=True)
class Round:
    """The next tables, each a set of bots that plays `boards` boards, and who has to sit out.
    `mirrored`: the two bots of the table fill its seats in two seatings that mirror each other.
    `first`: the first seat of each bot, where that is laid down beforehand."""

    tables: tuple[tuple[str, ...], ...]
    boards: int
    sit_outs: tuple[str, ...] = ()
    mirrored: bool = False
    first: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Over:
    """The stage is over. `reason`: why, when it did not simply end."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Situation:
    """All that a format may look at.

    `entrants` in order of seeding, best first; `active` are those that may be paired now;
    `owners` names the owner of a bot that has one; `rotations` is the number of matches in a block;
    `penalty` is the sum of all penalty points of a deal; `seats`: how often each bot has sat in
    each seat, in all stages.
    """

    stage: Stage
    number: int
    players: int
    seed: int
    boards: int
    rotations: int
    entrants: tuple[str, ...]
    active: frozenset[str]
    statistics: Statistics
    rounds: tuple[PlayedRound, ...] = ()
    owners: Mapping[str, str] = field(default_factory=dict)
    penalty: int = 26
    seats: Seats = field(default_factory=dict)

    def draw(self, *label: int | str) -> Draw:
        """Choices of this stage for one purpose."""
        return Draw(self.seed, "stage", self.number, *label)

    @property
    def playing(self) -> list[str]:
        """Entrants that may be paired now, best seed first."""
        return [bot for bot in self.entrants if bot in self.active]

    def deals(self) -> list[ScoredDeal]:
        """The deals of all blocks that count."""
        return [deal for past in self.rounds for deal in round_deals(past, self.rotations)]

    def by_strength(self) -> list[str]:
        """Entrants, strongest first; those who have not played last, equals by seeding.

        A forfeited match counts as taking all penalty points, as in the standings: staying away
        must not be worth more than bad play.
        """
        deals = self.deals()
        found = self.statistics.strengths(deals)
        counted = Counter(bot for deal in deals for bot in set(deal.bots))
        forfeits = Counter(
            match.seats[seat]
            for past in self.rounds
            for table in past.tables
            for block in table.blocks
            for match in block
            if match.score is not None
            for seat in match.score.forfeits
        )
        worst = self.penalty * (1 - 1 / self.players)

        def figure(bot: str) -> float:
            weight = counted[bot] + forfeits[bot]
            if not weight:
                return inf
            return (found.get(bot, 0.0) * counted[bot] + worst * forfeits[bot]) / weight

        # sorted() keeps the order of seeding where figures are equal.
        return sorted(self.entrants, key=figure)

    def meetings(self, last: int = 0) -> Counter[tuple[str, str]]:
        """How often each pair (in order of names) has met at a table, in all or the last rounds."""
        return Counter(
            pair
            for past in self.rounds[-last:]
            for table in past.tables
            for pair in combinations(table.bots, 2)
        )

    def seated(self) -> Counter[str]:
        """Rounds in which each bot has played."""
        return Counter(bot for past in self.rounds for bot in past.bots)


def round_deals(past: PlayedRound, rotations: int) -> list[ScoredDeal]:
    """The deals of the blocks of a round that count."""
    return [
        ScoredDeal(match.block, match.seats, points)
        for table in past.tables
        for block in table.counted(rotations)
        for match in block
        if match.score is not None
        for points in match.score.deals
    ]


def sit_outs(situation: Situation, count: int, bots: Sequence[str]) -> Iterator[list[str]]:
    """Who sits out next: those who have played most rounds, so that nobody sits out twice before
    everybody has once; the draw decides between equals. Then, as other choices, what else it might
    have decided."""
    played = situation.seated()
    draw = situation.draw("sit-outs", len(situation.rounds))
    seen: set[frozenset[str]] = set()
    for _ in range(_DRAWS if count else 1):
        order = {bot: place for place, bot in enumerate(draw.shuffled(sorted(bots)))}
        chosen = sorted(bots, key=lambda bot: (-played[bot], order[bot]))[:count]
        if frozenset(chosen) not in seen:
            seen.add(frozenset(chosen))
            yield chosen


def even_seats(
    situation: Situation, boards: int, bots: Sequence[str], hubs: Sequence[str] = ()
) -> Evenness | None:
    """What keeps the seats of these bots even in a round of so many boards a table; None where they
    are even by themselves, because each board is played in all rotations or fills a cycle. `hubs`
    stand for the challenger, one at each table."""
    games = boards % situation.players
    if situation.rotations > 1 or not games or not situation.seats:
        return None
    seats, players = situation.seats, situation.players
    fixed = first_seats(situation.stage.challenger, len(hubs), games, seats, players)
    held = {hub: 1 << seat for hub, seat in zip(hubs, fixed, strict=True)}
    for far in (True, False):
        found = evenness(bots, seats, players, games, far=far)
        found = Evenness(players, {**found.free, **held})
        if found.possible([*bots, *hubs]):
            break
    return found
