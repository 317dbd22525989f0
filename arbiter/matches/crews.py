"""Bots that a worker hosts for one batch, and under which names their processes connect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(slots=True, eq=False)
class Crew:
    """What a worker says about the bots that it has started for a batch.

    sessions   a bot's name in a plan ("anna@2") → the name its process connects by
    start_s    seconds that they may take to connect, if the match does not allow more
    at_once    matches of the batch that may be played at once; 0: no limit
    gone       sessions whose process has ended for good
    """

    sessions: Mapping[str, str] = field(default_factory=dict)
    start_s: float = 0.0
    at_once: int = 0
    playing: int = 0
    gone: set[str] = field(default_factory=set)

    def names(self, seats: Sequence[str]) -> tuple[str, ...]:
        """By which name the bot of each seat connects."""
        return tuple(self.sessions.get(bot, bot) for bot in seats)

    def hosts(self, name: str) -> bool:
        """Whether this is one of its sessions."""
        return name in self.sessions.values()

    @property
    def full(self) -> bool:
        """Whether no more may play for now."""
        return 0 < self.at_once <= self.playing
