"""Text for a terminal: nothing that came from elsewhere may steer it."""

from __future__ import annotations

import unicodedata

_ORDINALS = {1: "st", 2: "nd", 3: "rd"}


def safe(text: str) -> str:
    """Makes control, format and unassigned characters visible as escapes (``\\x1b``, ``\\u202e``).

    So a name can neither colour, move or clear the terminal nor hide or turn round what follows.
    """
    return "".join(_visible(character) for character in text)


def _visible(character: str) -> str:
    category = unicodedata.category(character)
    if category.startswith("C") or category in ("Zl", "Zp"):
        return character.encode("unicode_escape").decode("ascii")
    return character


def ordinal(place: int) -> str:
    """1 → "1st", 2 → "2nd", 11 → "11th"."""
    if 10 <= place % 100 <= 20:
        return f"{place}th"
    return f"{place}{_ORDINALS.get(place % 10, 'th')}"


def bare(name: str) -> str:
    """ "bots/anna" → "anna"; a bare name stays as it is."""
    return name.rsplit("/", 1)[-1]


def named(collection: str, name: str) -> str:
    """ "anna" → "bots/anna"; a full resource name stays as it is."""
    return name if "/" in name else f"{collection}/{name}"


def duration(milliseconds: int) -> str:
    """How long, roughly: "2 h 5 min"."""
    seconds = -(-milliseconds // 1000)
    if seconds < 120:
        return f"{seconds} s"
    hours, minutes = divmod(-(-seconds // 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
