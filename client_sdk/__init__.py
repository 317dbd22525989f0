"""Write a Hearts bot: subclass Bot, say what to play, connect.

from client_sdk import Bot, connect

class Anna(Bot):
    name = "anna"

    def play(self, turn):
        return turn.legal[0]

connect(Anna())
"""

import os

# Before grpc is loaded: its own notes about closed connections say nothing that the SDK does
# not say better.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")

from client_sdk.bot import Bot, best_moon
from client_sdk.connect import connect, play_async
from client_sdk.endpoint import serve
from client_sdk.errors import (
    BadHello,
    ConfigError,
    HeartsError,
    NoCommonProtocol,
    NotAnArbiter,
    NotAuthenticated,
    PermissionDenied,
    ProtocolError,
    Replaced,
    ServerError,
    ServerUnreachable,
)
from client_sdk.match import DealResult, Fallback, Match, MatchResult, Refusal, Trick
from client_sdk.turn import Turn
from hearts.cards import card, code
from hearts.deal import MoonChoice, Phase

__all__ = [
    "BadHello",
    "Bot",
    "ConfigError",
    "DealResult",
    "Fallback",
    "HeartsError",
    "Match",
    "MatchResult",
    "MoonChoice",
    "NoCommonProtocol",
    "NotAnArbiter",
    "NotAuthenticated",
    "PermissionDenied",
    "Phase",
    "ProtocolError",
    "Refusal",
    "Replaced",
    "ServerError",
    "ServerUnreachable",
    "Trick",
    "Turn",
    "best_moon",
    "card",
    "code",
    "connect",
    "play_async",
    "serve",
]
