"""What may sit at a table: names of bots, of their versions, of house bots, and of processes.

anna            a bot that dials in under its own name, without versions
anna@2          version 2 of the bot anna: an identity of its own in results and ratings
house:duck      a house bot that the platform hosts; nobody registers it
anna@2~b41f     one hosted process of anna@2: the name of a session, never of an entry
"""

from __future__ import annotations

import re

BOT_NAME = re.compile(r"[a-z][a-z0-9-]{1,31}")
BOT_RULE = "2 to 32 of a-z, 0-9, -, starting with a letter"

HOUSE = "house:"
HOUSE_BOTS = ("random", "duck", "careful", "counter", "searcher")
"""What may follow "house:"; the bots themselves are in client_sdk.bots."""

ENTRY_RULE = (BOT_RULE, "NAME@NUMBER", *(HOUSE + bot for bot in HOUSE_BOTS))
SESSION = "~"
"""Between an entry's name and what tells its processes apart."""
_VERSION = re.compile(r"([a-z][a-z0-9-]{1,31})@([1-9][0-9]{0,5})")
_ENTRY = re.compile(r"(?:house:)?[a-z][a-z0-9-]{1,31}|[a-z][a-z0-9-]{1,31}@[1-9][0-9]{0,5}")
# At a glance 0 is an o, and l, i and 1 are one stroke.
_LOOKS = str.maketrans({"0": "o", "1": "l", "i": "l", "-": None})


def version_name(bot: str, number: int) -> str:
    """The name of a bot's version: ("anna", 2) → "anna@2"."""
    return f"{bot}@{number}"


def split_version(name: str) -> tuple[str, int]:
    """("anna", 2) for "anna@2"; ("anna", 0) for a name without a version. Raises ValueError for
    what is neither."""
    if found := _VERSION.fullmatch(name):
        return found[1], int(found[2])
    if BOT_NAME.fullmatch(name):
        return name, 0
    raise ValueError(f"{name!r} names no bot and no version of one")


def bot_of(name: str) -> str:
    """The bot behind a version's or a session's name: "anna" for "anna@2" and "anna@2~b41f"."""
    return name.partition("~")[0].partition("@")[0]


def is_house(name: str) -> bool:
    """Whether the name is that of a hosted house bot: "house:duck"."""
    return name.startswith(HOUSE)


def is_entry(name: str) -> bool:
    """Whether the name can stand at a seat: a bot, a version of one, or a house bot."""
    return bool(_ENTRY.fullmatch(name))


def skeleton(name: str) -> str:
    """What is left of a bot's name at a glance: two names of one skeleton look alike."""
    return name.casefold().translate(_LOOKS).replace("rn", "m")
