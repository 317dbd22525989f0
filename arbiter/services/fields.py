"""Checks of the small fields that many requests share: names, request ids, text, pages."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re

from arbiter.services.refusals import Refusal, bad_value, missing
from arbiter.tournaments.names import BOT_NAME, BOT_RULE, is_entry, split_version
from arbiter.tournaments.text import problem

DEFAULT_PAGE = 100
MAX_PAGE = 1000
MAX_REQUEST_ID = 64
MAX_DESCRIPTION = 200

_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,127}")
_BOT_RULE = f"bots/NAME, NAME: {BOT_RULE}"
_VERSION_RULE = "bots/NAME@NUMBER"
_OWNER_RULE = f"owners/NAME, NAME: {BOT_RULE}"
_CHECK_BYTES = 9


def bot_id(field: str, name: str) -> str:
    """The id in "bots/NAME". Raises a Refusal naming the field."""
    if not name:
        raise missing(field, [_BOT_RULE])
    kind, _, identifier = name.partition("/")
    if kind != "bots" or not BOT_NAME.fullmatch(identifier):
        raise bad_value(field, name, "is no bot's name", [_BOT_RULE])
    return identifier


def entry_id(field: str, name: str) -> str:
    """The id in "bots/NAME", "bots/NAME@NUMBER" or "bots/house:NAME". Raises a Refusal."""
    if not name:
        raise missing(field, [_BOT_RULE, _VERSION_RULE])
    kind, _, identifier = name.partition("/")
    if kind != "bots" or not is_entry(identifier):
        raise bad_value(field, name, "is no bot's name", [_BOT_RULE, _VERSION_RULE])
    return identifier


def version_id(field: str, name: str) -> str:
    """The id in "bots/NAME@NUMBER". Raises a Refusal naming the field."""
    bot, number = bot_or_version(field, name)
    if not number:
        raise bad_value(field, name, "names no version", [_VERSION_RULE])
    return f"{bot}@{number}"


def bot_or_version(field: str, name: str) -> tuple[str, int]:
    """Bot and number in "bots/NAME@NUMBER"; number 0 for "bots/NAME". Raises a Refusal."""
    identifier = entry_id(field, name)
    try:
        return split_version(identifier)
    except ValueError:
        allowed = [_BOT_RULE, _VERSION_RULE]
        raise bad_value(field, name, "is a house bot", allowed) from None


def owner_id(field: str, name: str) -> str:
    """The id in "owners/NAME". Raises a Refusal naming the field."""
    if not name:
        raise missing(field, [_OWNER_RULE])
    kind, _, identifier = name.partition("/")
    if kind != "owners" or not BOT_NAME.fullmatch(identifier):
        raise bad_value(field, name, "is no owner's name", [_OWNER_RULE])
    return identifier


def tournament_id(field: str, name: str) -> str:
    """The id in "tournaments/ID". Raises a Refusal naming the field."""
    return _identifier(field, name, "tournaments", "tournament")


def match_id(field: str, name: str) -> str:
    """The id in "matches/ID". Raises a Refusal naming the field."""
    return _identifier(field, name, "matches", "match")


def _identifier(field: str, name: str, collection: str, noun: str) -> str:
    allowed = [f"{collection}/ID"]
    if not name:
        raise missing(field, allowed)
    kind, _, identifier = name.partition("/")
    if kind != collection or not _ID.fullmatch(identifier):
        raise bad_value(field, name, f"is no name of a {noun}", allowed)
    return identifier


def request_id(value: str) -> str:
    """A request id: any printable text of 1 to 64 characters."""
    allowed = [f"1 to {MAX_REQUEST_ID} printable characters"]
    if not value:
        raise missing("request_id", allowed)
    if reason := problem(value, 1, MAX_REQUEST_ID):
        raise bad_value("request_id", value, reason, allowed)
    return value


def line(field: str, value: str, longest: int) -> str:
    """One line for people, or nothing."""
    if reason := problem(value, 0, longest):
        raise bad_value(field, value, reason, [f"at most {longest} printable characters, one line"])
    return value


def page_size(value: int) -> int:
    """How many items a page shall have; 0 means the default."""
    if value > MAX_PAGE:
        raise bad_value("page_size", value, f"{value} is out of range", [f"0 to {MAX_PAGE}"])
    return value or DEFAULT_PAGE


def page_token(scope: str, cursor: str) -> str:
    """An opaque token for the page after `cursor` of the list that `scope` names."""
    raw = _check(scope, cursor) + cursor.encode()
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def page_cursor(scope: str, token: str) -> str:
    """The cursor in a token; "" for the first page. A token of another list, or a made-up one, is
    refused: it would give a page that belongs to no list."""
    if not token:
        return ""
    try:
        raw = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
        cursor = raw[_CHECK_BYTES:].decode()
    except (binascii.Error, ValueError):
        raise _bad_token(token) from None
    if not cursor or raw[:_CHECK_BYTES] != _check(scope, cursor):
        raise _bad_token(token)
    return cursor


def _bad_token(token: str) -> Refusal:
    return bad_value(
        "page_token",
        token,
        "is no token of this list",
        ["next_page_token of the same request", "empty for the first page"],
    )


def _check(scope: str, cursor: str) -> bytes:
    return hashlib.sha256(f"{scope}\n{cursor}".encode()).digest()[:_CHECK_BYTES]
