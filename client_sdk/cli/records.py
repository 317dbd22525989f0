"""The record of a match as text or JSON."""

from __future__ import annotations

from hearts import record, wire
from hearts.v1.records_pb2 import MatchRecord


def render(message: MatchRecord, *, json: bool = False) -> str:
    """The record in the text notation of docs/record.md, or in its JSON form; ends with a newline.

    Names in a record come from the server's checked vocabulary; its notation quotes free text.
    """
    domain = wire.record_from_wire(message)
    text = record.to_json(domain) if json else record.to_text(domain)
    return text.rstrip("\n") + "\n"
