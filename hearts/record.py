"""Records of matches: their data, both notations, and the replay that checks them."""

from hearts.match_record import (
    FORMAT,
    DealRecord,
    Incident,
    IncidentKind,
    MatchRecord,
    RecordError,
    Trick,
    Verdict,
    tricks_of,
)
from hearts.record_json import from_data, from_json, to_data, to_json
from hearts.record_text import from_text, to_text
from hearts.replay import replay, replay_deal
from hearts.scoring import MatchEnd

__all__ = [
    "FORMAT",
    "DealRecord",
    "Incident",
    "IncidentKind",
    "MatchEnd",
    "MatchRecord",
    "RecordError",
    "Trick",
    "Verdict",
    "from_data",
    "from_json",
    "from_text",
    "replay",
    "replay_deal",
    "to_data",
    "to_json",
    "to_text",
    "tricks_of",
]
