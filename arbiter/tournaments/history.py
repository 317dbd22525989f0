"""What has happened so far in a tournament: who is in it, which waves were planned, what came of
their matches."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from arbiter.tournaments.matchplan import MatchPlan
from arbiter.tournaments.stage import Played, PlayedRound, PlayedTable, Score


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot in a tournament. `joined` and `left` are the numbers of waves that were planned when it
    entered and withdrew (None: it is still in): it may be paired in the waves between."""

    bot: str
    owner: str = ""
    joined: int = 0
    left: int | None = None

    def plays(self, wave: int) -> bool:
        """Whether it may be paired in a wave, from 1."""
        return self.joined < wave and (self.left is None or wave <= self.left)


@dataclass(frozen=True, slots=True)
class Note:
    """What a wave says about itself beside its matches."""

    stage: int
    round: int
    sit_outs: tuple[str, ...] = ()

    def encode(self) -> bytes:
        """As stored."""
        return json.dumps([self.stage, self.round, list(self.sit_outs)]).encode()

    @classmethod
    def decode(cls, data: bytes) -> Note:
        """Inverse of `encode`."""
        stage, round_, resting = json.loads(data)
        return cls(stage, round_, tuple(resting))


@dataclass(frozen=True, slots=True)
class History:
    """Everything that a plan may depend on beside the spec.

    `planned`, `done` and `failed` count matches: of all waves, with a result, and given up.
    `notes` has one note for each wave, in order. `matches` and `scores` (by match id) are needed
    by formats that adapt; a plan of one wave does without. `entries` None: as in the spec.
    """

    notes: Sequence[Note] = ()
    planned: int = 0
    done: int = 0
    failed: Collection[str] = ()
    matches: Sequence[MatchPlan] = ()
    scores: Mapping[str, Score] = field(default_factory=dict)
    entries: Sequence[Entry] | None = None

    @property
    def waves(self) -> int:
        """Waves planned so far."""
        return len(self.notes)

    @property
    def missing(self) -> int:
        """Matches without a final state."""
        return self.planned - self.done - len(self.failed)

    def first_wave(self, stage: int) -> int:
        """The wave in which a stage began, or would begin now."""
        begun = (n for n, note in enumerate(self.notes, start=1) if note.stage == stage)
        return next(begun, self.waves + 1)

    def next_board(self) -> int:
        """The first board that no match has used."""
        return max((match.board for match in self.matches), default=-1) + 1


def stage_rounds(history: History, stage: int) -> tuple[PlayedRound, ...]:
    """The rounds of a stage, with what is known of their matches, in order."""
    numbers = [note for note in history.notes if note.stage == stage]
    by_round: dict[int, dict[int, dict[int, list[MatchPlan]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(list))
    )
    for match in history.matches:
        if match.stage == stage:
            by_round[match.round][match.table][match.board].append(match)
    return tuple(
        PlayedRound(
            tuple(
                _table(boards, history.scores) for _, boards in sorted(by_round[note.round].items())
            ),
            note.sit_outs,
        )
        for note in numbers
    )


def _table(boards: Mapping[int, list[MatchPlan]], scores: Mapping[str, Score]) -> PlayedTable:
    blocks = tuple(
        tuple(Played(m.block, m.seats, scores.get(m.id)) for m in sorted(matches))
        for _, matches in sorted(boards.items())
    )
    bots = {bot for block in blocks for match in block for bot in match.seats}
    return PlayedTable(tuple(sorted(bots)), blocks)
