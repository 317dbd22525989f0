"""What can go wrong in the store. One line each; services map them to statuses."""


class StoreError(Exception):
    """Any failure of the store."""


class StoreUnavailable(StoreError):
    """Redis cannot be reached, or is still loading. Trying again later helps."""


class StoreRefused(StoreError):
    """Redis answers but refuses (full, cannot write its file, wrong password, read-only)."""


class WrongServer(StoreError):
    """The server's configuration could lose data; the message says what to set."""


class NameTaken(StoreError):
    """Another bot has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the name {name!r} is taken")
        self.name = name


class IdTaken(StoreError):
    """Another tournament has this id."""


class UnknownTournament(StoreError):
    """There is no tournament with this id."""


class WaveConflict(StoreError):
    """A wave was planned twice with different matches: the planner is not deterministic."""


class ConflictingResult(StoreError):
    """A second, different payload came under the lease that already won the match."""


class NotOwner(StoreError):
    """The bot ``name`` belongs to somebody else."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the bot {name!r} belongs to somebody else")
        self.name = name


class LooksAlike(StoreError):
    """The name looks like ``other``, which is taken."""

    def __init__(self, name: str, other: str) -> None:
        super().__init__(f"the name {name!r} looks like {other!r}")
        self.name = name
        self.other = other


class SameContent(StoreError):
    """A version with these very bytes exists: ``other``."""

    def __init__(self, other: str) -> None:
        super().__init__(f"{other} is the same file")
        self.other = other


class OverQuota(StoreError):
    """``what``: "bots", "versions" or "bytes"; ``retry_ms``: when there is room again, 0: not by
    waiting."""

    def __init__(self, what: str, retry_ms: int) -> None:
        super().__init__(f"quota of {what} reached")
        self.what = what
        self.retry_ms = retry_ms
