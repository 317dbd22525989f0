"""The record of a match as text or JSON."""

from __future__ import annotations

from collections.abc import Sequence

from client_sdk.cli.client import Client
from client_sdk.cli.errors import CliError
from hearts import record, wire
from hearts.timing import SeatTiming, timing
from hearts.v1.matches_pb2 import Match
from hearts.v1.records_pb2 import MatchRecord


def render(message: MatchRecord, *, json: bool = False) -> str:
    """The record in the text notation of docs/record.md, or in its JSON form; ends with a newline.

    Names in a record come from the server's checked vocabulary; its notation quotes free text.
    """
    domain = wire.record_from_wire(message)
    text = record.to_json(domain) if json else record.to_text(domain)
    return text.rstrip("\n") + "\n"


async def times(client: Client, match: Match) -> Sequence[SeatTiming]:
    """Where the time of each seat went; empty while there is no record that may be seen."""
    if not match.HasField("result"):
        return ()
    try:
        return timing(wire.record_from_wire(await client.get_record(match.name)))
    except CliError:
        return ()
