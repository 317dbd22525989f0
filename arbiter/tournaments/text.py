"""Text that people write and other people read: one line, nothing that a terminal would obey."""

from __future__ import annotations

import unicodedata

# Control characters (escapes, newlines, NUL), format characters (direction marks, zero-width
# ones), surrogates, unassigned ones and line separators. Spaces are fine.
_REFUSED = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def problem(text: str, shortest: int, longest: int) -> str:
    """Why `text` is not allowed, in words; "" when it is.

    Allowed are `shortest` to `longest` printable characters, without white space at either end.
    """
    if not shortest <= len(text) <= longest:
        return f"has {len(text)} characters"
    for position, character in enumerate(text):
        if unicodedata.category(character) in _REFUSED:
            return f"has the character U+{ord(character):04X} at position {position}"
    if text != text.strip():
        return "has white space at an end"
    return ""


def visible(text: str, longest: int = 80) -> str:
    """`text` made safe to show in an error: at most `longest` characters, odd ones escaped."""
    shown = "".join(
        character
        if unicodedata.category(character) not in _REFUSED
        else character.encode("unicode_escape").decode()
        for character in text[:longest]
    )
    return shown + "…" if len(text) > longest else shown
