"""At which arbiter a batch can be played: where its bots are connected. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from arbiter.store import ArbiterRow, BotRow, Claim


@dataclass(frozen=True, slots=True)
class Place:
    """``arbiter`` plays ``here``; None: nobody can play any of it now. ``elsewhere`` can be played
    at another arbiter at once; ``apart`` not before its bots, or their arbiter, can be reached."""

    arbiter: ArbiterRow | None
    here: tuple[Claim, ...]
    elsewhere: tuple[Claim, ...] = ()
    apart: tuple[Claim, ...] = ()


def whereabouts(bots: Iterable[BotRow | None], alive: Sequence[ArbiterRow]) -> dict[str, str]:
    """Bot -> id of the arbiter that it has dialled. Bots that are away, that any arbiter dials, or
    that the worker hosts, are left out: they come to any arbiter."""
    ids = {arbiter.id for arbiter in alive}
    return {
        bot.name: bot.arbiter for bot in bots if bot and not bot.endpoint and bot.arbiter in ids
    }


def place(
    claims: Sequence[Claim],
    seats: Mapping[str, Sequence[str]],
    at: Mapping[str, str],
    free: Sequence[ArbiterRow],
) -> Place:
    """Where most of the claimed matches can be played; of equals the arbiter that plays least.

    ``seats``: the bots of each match. ``at``: see ``whereabouts``. ``free``: the arbiters that may
    be asked now.
    """
    where = {
        claim.match: {at[bot] for bot in seats.get(claim.match, ()) if bot in at}
        for claim in claims
    }
    ids = {arbiter.id for arbiter in free}
    apart = [c for c in claims if len(where[c.match]) > 1 or where[c.match] - ids]
    rest = [c for c in claims if c not in apart]
    votes = Counter(arbiter for claim in rest for arbiter in where[claim.match])
    best = min(free, key=lambda row: (-votes[row.id], row.tables, row.id), default=None)
    if best is None or not rest:
        return Place(None, (), (), tuple(claims))
    here = tuple(c for c in rest if where[c.match] <= {best.id})
    return Place(best, here, tuple(c for c in rest if c not in here), tuple(apart))
