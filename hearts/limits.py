"""The time limits of a match. Enforced by the referee; here only named, so that bots, records and
the referee mean the same thing."""

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Limits:
    """All in milliseconds, except ``max_strikes``."""

    #: For an absent bot to appear before its seat is a NO_SHOW.
    connect_ms: int = 10_000
    #: From the start of the match to the bot's ready; beyond it NO_START.
    ready_ms: int = 10_000
    #: For each decision.
    decision_ms: int = 1_000
    #: A reserve for the whole match.
    bank_ms: int = 0
    #: Added to the bank after each decision.
    increment_ms: int = 0
    #: Granted on top of each decision for the link; never shown as time left.
    lag_ms: int = 100
    #: Strikes after which nobody waits for the seat any more; 0: never.
    max_strikes: int = 3
    #: Wall-clock limit of the whole match.
    match_ms: int = 600_000
    #: How long a seat whose stream closed may stay away before the referee decides for it.
    rejoin_ms: int = 2_000

    def __post_init__(self) -> None:
        """Raises ValueError naming the field that is negative or no whole number."""
        for field in fields(self):
            value = getattr(self, field.name)
            if type(value) is not int or value < 0:
                raise ValueError(f"{field.name} is {value!r}: a whole number of at least 0")


DEFAULT_LIMITS = Limits()
