"""What a tournament is: the checked content of a tournament file."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum

from arbiter.tournaments import versus
from arbiter.tournaments.names import ENTRY_RULE, is_entry
from arbiter.tournaments.stage import Format, Stage
from arbiter.tournaments.text import problem, visible
from hearts.limits import DEFAULT_LIMITS, Limits
from hearts.rules import PRESETS, RuleSet, preset, unsupported

MAX_TITLE = 60
MAX_DEALS = 1000
MAX_BOARDS = 100_000
MAX_MATCHES = 100_000
MAX_SEED = 2**64 - 1
# Allowed values, both ends included; milliseconds except `max_strikes`.
CLOCK_RANGES: dict[str, tuple[int, int]] = {
    "connect_ms": (100, 600_000),
    "ready_ms": (100, 600_000),
    "decision_ms": (10, 3_600_000),
    "bank_ms": (0, 3_600_000),
    "increment_ms": (0, 600_000),
    "lag_ms": (0, 5_000),
    "max_strikes": (0, 1_000),
    "match_ms": (1_000, 86_400_000),
    "rejoin_ms": (0, 600_000),
}
MAX_ENTRIES = 1000
# The name is for people; the others are the length of a game.
# Classes of clocks, in ms for a decision; a bank is shared out over so many decisions.
FAST_MS = 200
SLOW_MS = 5_000
DECISIONS_OF_A_BANK = 100
_NOT_RULES = frozenset({"name", "target", "max_deals"})
_SECRET = re.compile(r"[0-9a-f]{64}")


class SpecError(Exception):
    """A field of a tournament has a value that is not allowed.

    `field` is its path ("clock.decision_ms"), `value` what it was, `allowed` what would do.
    """

    def __init__(
        self, field: str, value: object, reason: str, allowed: Sequence[str] = (), hint: str = ""
    ) -> None:
        self.field = field
        self.value = visible(str(value))
        self.reason = reason
        self.allowed = tuple(allowed)
        self.hint = hint
        super().__init__(f"{field}: {reason}")


class MissingField(SpecError):
    """A field that must be given is not."""


class TooFewBots(SpecError):
    """Fewer entries than seats at one table."""


class DuplicateEntry(SpecError):
    """One bot is entered twice."""


class UnsupportedRules(SpecError):
    """A legal rule set with an option that this engine does not play."""


class RepeatsNotTrusted(SpecError):
    """Repeated boards with bots that might remember them."""


class Missed(StrEnum):
    """What happens to occurrences of a schedule that were due while the platform was down."""

    # The last of them starts when the platform is back; those before it do not.
    ONCE = "once"
    # None of them starts, unless it was due less than a minute ago.
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class Start:
    """When a tournament starts: all that is given must hold; nothing given: at once.

    `at` is an ISO time, local in `zone` unless it has an offset; `cron` five fields, evaluated in
    `zone`: each occurrence starts a new tournament. `entries`: once so many bots have entered.
    """

    at: str = ""
    cron: str = ""
    zone: str = ""
    entries: int = 0
    missed: Missed = Missed.ONCE

    @property
    def given(self) -> bool:
        """Whether anything is to be waited for."""
        return bool(self.at or self.cron or self.entries)


@dataclass(frozen=True, slots=True)
class Spec:
    """A tournament as its file says it. `deals` 0 means a game to the rule set's target; `entries`
    are bot ids; `secret` is 64 hex digits or "" (drawn by the server)."""

    title: str
    rules: RuleSet
    boards: int
    entries: tuple[str, ...]
    format: Format = Format.ROUND_ROBIN
    stages: tuple[Stage, ...] = ()
    start: Start = Start()
    deals: int = 1
    duplicate: bool = False
    clock: Limits = field(default=DEFAULT_LIMITS)
    seed: int = 0
    secret: str = field(default="", repr=False)
    trust_repeats: bool = False
    unrated: bool = False

    @property
    def rotations(self) -> int:
        """Matches in a block: each board once in every rotation of the seats, or once; in a versus
        two mirrored seatings."""
        if self.is_versus:
            return versus.ROTATIONS
        return self.rules.players if self.duplicate else 1

    @property
    def all_stages(self) -> tuple[Stage, ...]:
        """The stages in order; a format alone is one stage with its defaults."""
        return self.stages or (Stage(self.format),)

    @property
    def is_versus(self) -> bool:
        """A test of one version against another."""
        return self.all_stages[0].format is Format.VERSUS

    @property
    def repeats(self) -> bool:
        """Whether a bot meets the cards of a board more than once."""
        return self.rotations > 1

    @property
    def penalty(self) -> int:
        """All penalty points of a deal."""
        return sum(max(0, self.rules.points_of(card)) for card in self.rules.pack())

    @property
    def rated(self) -> bool:
        """A tournament that brings its own secret never counts, nor does a test of two versions:
        clones that sit together distort."""
        return not self.unrated and not self.secret and not self.is_versus

    @property
    def pool(self) -> str:
        """The rating pool its results belong to."""
        return pool_id(self.rules, self.clock)

    def check(self) -> None:
        """Raise a SpecError for the first field that is not allowed."""
        from arbiter.tournaments.stagecheck import check_stages  # they need this module
        from arbiter.tournaments.starting import check_start

        _check_title(self.title)
        _check_rules(self)
        _check_number("deals", self.deals, 0, MAX_DEALS)
        if self.deals == 0 and self.rules.target is None:
            raise SpecError(
                "deals",
                0,
                "0 plays a game to the rule set's target, and this rule set has none",
                [f"1 to {MAX_DEALS}"],
            )
        _check_number("boards", self.boards, 1, MAX_BOARDS)
        _check_clock(self.clock)
        _check_entries(self)
        check_stages(self)
        check_start(self)
        _check_number("seed", self.seed, 0, MAX_SEED)
        if self.secret and not _SECRET.fullmatch(self.secret):
            # The value is not repeated: a mistyped secret is still most of a secret.
            raise SpecError("secret", "", "is not 64 hex digits", ["64 hex digits 0-9a-f", "empty"])

    def check_repeats(self, remote: Iterable[str]) -> None:
        """Raise RepeatsNotTrusted when boards are repeated with bots the platform does not start
        itself (`remote`) and nobody said that they are trusted not to remember."""
        names = sorted(remote)
        if self.repeats and names and not self.trust_repeats:
            raise RepeatsNotTrusted(
                "duplicate" if self.duplicate else "stages[0].format",
                "true" if self.duplicate else "versus",
                "repeats each board, and these bots are not house bots and could remember it: "
                + ", ".join(names[:10])
                + (f" and {len(names) - 10} more" if len(names) > 10 else ""),
                ["duplicate = false", "trust_repeats = true"],
                "Set trust_repeats = true if these bots are trusted not to remember a board.",
            )


def pool_id(rules: RuleSet, clock: Limits = DEFAULT_LIMITS) -> str:
    """The rating pool of a rule set: "standard-4", or for a set that is no preset
    "custom-1a2b3c4d-4". A set that only calls itself like a preset is a custom one. The length of
    a game does not matter: ratings are points per deal. Bots that think longer play otherwise, so
    each class of clock has a pool of its own: "standard-4-fast", "standard-4-slow"."""
    pace = _pace(clock)
    if rules.name in PRESETS and _options(preset(rules.name)) == _options(rules):
        return f"{rules.name}-{rules.players}{pace}"
    digest = hashlib.sha256(repr(_options(rules)).encode()).hexdigest()[:8]
    return f"custom-{digest}-{rules.players}{pace}"


def _pace(clock: Limits) -> str:
    """The clock's class, by the time for a decision with its part of the bank: "" for the usual
    one."""
    decision_ms = clock.decision_ms + clock.increment_ms + clock.bank_ms // DECISIONS_OF_A_BANK
    if decision_ms < FAST_MS:
        return "-fast"
    return "-slow" if decision_ms >= SLOW_MS else ""


def _options(rules: RuleSet) -> list[tuple[str, object]]:
    return [(f.name, getattr(rules, f.name)) for f in fields(rules) if f.name not in _NOT_RULES]


def _check_title(title: str) -> None:
    if reason := problem(title, 1, MAX_TITLE):
        kind = SpecError if title else MissingField
        raise kind("title", title, reason, [f"1 to {MAX_TITLE} printable characters, one line"])


def _check_number(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise SpecError(name, value, f"{value} is out of range", [f"{low} to {high}"])


def _check_rules(spec: Spec) -> None:
    if reason := unsupported(spec.rules):
        raise UnsupportedRules("rules", spec.rules.name, reason)
    if spec.duplicate and spec.rules.first_trick_forced == "redeal":
        raise SpecError(
            "rules.first_trick_forced",
            "redeal",
            "a redeal cannot be repeated in every rotation of a duplicate board",
            ["any", "hearts", "queen", "duplicate = false"],
        )


def _check_clock(clock: Limits) -> None:
    for limit in fields(clock):
        if limit.name in CLOCK_RANGES:
            _check_number(
                f"clock.{limit.name}", getattr(clock, limit.name), *CLOCK_RANGES[limit.name]
            )


def _check_entries(spec: Spec) -> None:
    entries, players = spec.entries, spec.rules.players
    for index, entry in enumerate(entries):
        if not is_entry(entry):
            raise SpecError(f"entries[{index}]", entry, "is no bot's name", ENTRY_RULE)
    if twice := sorted(entry for entry, count in Counter(entries).items() if count > 1):
        raise DuplicateEntry(
            "entries",
            ", ".join(twice),
            f"each bot plays once; entered more than once: {', '.join(twice)}",
            ["each bot once"],
        )
    # Where entries are waited for, the bots may still come.
    if len(entries) < players and not spec.is_versus and not spec.start.entries:
        raise TooFewBots(
            "entries",
            len(entries),
            f"a table has {players} seats and {len(entries)} "
            f"{'bot is' if len(entries) == 1 else 'bots are'} entered",
            [f"at least {players} bots"],
            "Register more bots and enter them.",
        )
