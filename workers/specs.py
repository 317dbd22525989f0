"""A stored tournament spec, as the planner wants it."""

from arbiter.tournaments.spec import Format, Spec
from hearts import wire
from hearts.v1 import tournaments_pb2

_FORMATS = {tournaments_pb2.FORMAT_ROUND_ROBIN: Format.ROUND_ROBIN}


def read_spec(data: bytes) -> Spec:
    """The spec in a TournamentSpec message. It was checked when it was stored."""
    message = tournaments_pb2.TournamentSpec.FromString(data)
    return Spec(
        title=message.title,
        rules=wire.rules_from_wire(message.rules),
        boards=message.boards,
        entries=tuple(entry.removeprefix("bots/") for entry in message.entries),
        format=_FORMATS[message.format],
        deals=message.deals,
        duplicate=message.duplicate,
        clock=wire.limits_from_wire(message.clock),
        seed=message.seed,
        secret=message.secret,
        trust_repeats=message.trust_repeats,
        unrated=message.unrated,
    )
