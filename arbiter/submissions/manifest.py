"""bot.toml: what a submitted bot is called, how it is started, what it can play."""

from __future__ import annotations

import difflib
import json
import shlex
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from arbiter.tournaments.names import BOT_NAME, BOT_RULE
from hearts.rules import PRESETS

FILE = "bot.toml"
"""Its name, at the top of a submission."""

ANY = "any"
"""For ``rules``: the bot plays whatever it is asked to."""

MAX_BYTES = 16 * 1024
MAX_ARGUMENTS = 64
MAX_ARGUMENT = 1000
MAX_LANGUAGE = 32
MAX_TABLES = 256
TABLES = 16

KEYS = ("name", "command", "build", "language", "rules", "tables")


class ManifestError(Exception):
    """bot.toml is not as it has to be. The text names file, line and key, and what is allowed.

    ``line`` counts from 1; 0: not of one line. ``key``: "" for the file as a whole.
    """

    def __init__(
        self,
        problem: str,
        key: str = "",
        line: int = 0,
        allowed: Sequence[str] = (),
        hint: str = "",
    ) -> None:
        where = FILE + (f", line {line}" if line else "") + (f": {key}" if key else "")
        self.problem = problem
        self.key = key
        self.line = line
        self.allowed = tuple(allowed)
        self.hint = hint
        told = f"; allowed: {', '.join(allowed)}" if allowed else ""
        super().__init__(f"{where}: {problem}{told}{f'. {hint}' if hint else ''}")


@dataclass(frozen=True, slots=True)
class Manifest:
    """A bot.toml that is in order.

    command   started in the bot's folder; the first part is found on PATH or is a file there
    build     run once before the first start, in the same sandbox; empty: nothing to build
    language  for people; empty: not told
    rules     presets it can play, or just "any"
    tables    tables it may be seated at together, 1 to 256
    """

    name: str
    command: tuple[str, ...]
    build: tuple[str, ...] = ()
    language: str = ""
    rules: tuple[str, ...] = (ANY,)
    tables: int = TABLES

    def plays(self, rule_set: str) -> bool:
        """Whether it says that it can play this preset (or a custom set, by its name)."""
        return ANY in self.rules or rule_set in self.rules

    def to_json(self) -> str:
        """As it is stored."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_json(cls, stored: str) -> Manifest:
        """Inverse of ``to_json``. Raises ValueError for what that did not write."""
        try:
            data: dict[str, Any] = json.loads(stored)
            for key in ("command", "build", "rules"):
                data[key] = tuple(data[key])
            return cls(**data)
        except (TypeError, KeyError) as error:
            raise ValueError(f"no stored manifest: {error}") from None


def parse(text: str | bytes) -> Manifest:
    """Read a bot.toml. Raises ManifestError for the first thing that is not allowed."""
    file = _File.read(text)
    file.check_keys()
    name = file.get("name", str, required=True)
    if not BOT_NAME.fullmatch(name):
        raise file.error("name", f"{_shown(name)} is no name of a bot", [BOT_RULE])
    language = file.get("language", str, default="")
    if len(language) > MAX_LANGUAGE or not language.isprintable():
        raise file.error(
            "language", "must be short", [f"up to {MAX_LANGUAGE} printable characters"]
        )
    tables = file.get("tables", int, default=TABLES)
    if not 1 <= tables <= MAX_TABLES:
        raise file.error("tables", f"{tables} is out of range", [f"1 to {MAX_TABLES}"])
    return Manifest(
        name,
        file.words("command", required=True),
        file.words("build"),
        language,
        _rules(file),
        tables,
    )


def _rules(file: _File) -> tuple[str, ...]:
    if "rules" not in file.data:
        return (ANY,)
    known = (ANY, *PRESETS)
    rules = file.texts("rules")
    if not rules:
        raise file.error("rules", "is empty", [f'["{ANY}"]', "a list of presets"])
    for rule_set in rules:
        if rule_set not in known:
            near = difflib.get_close_matches(rule_set, known, n=1)
            hint = f"Did you mean {near[0]}?" if near else "`hearts rules list` shows the presets."
            raise file.error("rules", f"{_shown(rule_set)} is no rule set", [ANY, "presets"], hint)
    return (ANY,) if ANY in rules else tuple(dict.fromkeys(rules))


@dataclass(frozen=True, slots=True)
class _File:
    """TOML that can still say on which line a key stands."""

    text: str
    data: Mapping[str, Any]

    @classmethod
    def read(cls, text: str | bytes) -> _File:
        if len(text) > MAX_BYTES:
            raise ManifestError(f"is longer than {MAX_BYTES // 1024} KiB")
        if isinstance(text, bytes):
            try:
                text = text.decode("utf-8")
            except UnicodeDecodeError:
                raise ManifestError("is not UTF-8 text") from None
        try:
            return cls(text, tomllib.loads(text))
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            hint = "https://toml.io shows the format."
            raise ManifestError(f"is not valid TOML: {error}", hint=hint) from None

    def check_keys(self) -> None:
        for key in self.data:
            if key not in KEYS:
                near = difflib.get_close_matches(key, KEYS, n=1)
                hint = f"Did you mean {near[0]}?" if near else ""
                raise self.error(key, "unknown key", KEYS, hint)

    def get(self, key: str, wanted: type, *, required: bool = False, default: Any = None) -> Any:
        if key not in self.data:
            if required:
                raise ManifestError("this key is missing", key, hint=f"Add {key} = …")
            return default
        value = self.data[key]
        # Not isinstance: in Python a bool is an int, in TOML it is not.
        if type(value) is not wanted:
            names = {str: "text", int: "a whole number", list: "a list"}
            raise self.error(key, f"must be {names[wanted]}")
        return value

    def texts(self, key: str) -> list[str]:
        items = self.get(key, list)
        if not all(type(item) is str for item in items):
            raise self.error(key, "must be a list of texts")
        return list(items)

    def words(self, key: str, *, required: bool = False) -> tuple[str, ...]:
        """A command: a list of its parts, or one text as in a shell (without its magic)."""
        if type(self.data.get(key)) is list:
            words = self.texts(key)
        else:
            line = self.get(key, str, required=required, default="")
            try:
                words = shlex.split(line)
            except ValueError as error:
                raise self.error(key, f"cannot be taken apart: {error}") from None
        if required and not (words and words[0]):
            raise self.error(key, "is empty", ['"./bot"', '["python", "bot.py"]'])
        if len(words) > MAX_ARGUMENTS or any(len(w) > MAX_ARGUMENT for w in words):
            allowed = [f"{MAX_ARGUMENTS} parts of {MAX_ARGUMENT} characters"]
            raise self.error(key, "is too long", allowed)
        if any("\0" in word for word in words):
            raise self.error(key, "holds a NUL character")
        return tuple(words)

    def error(
        self, key: str, problem: str, allowed: Sequence[str] = (), hint: str = ""
    ) -> ManifestError:
        return ManifestError(problem, _shown(key, quote=False), self._line(key), allowed, hint)

    def _line(self, key: str) -> int:
        """Where a key stands: its statement ends on the first line with which the text so far is
        valid and has the key, and begins after the last line before it with which it was valid."""
        lines = self.text.splitlines()
        valid = 0
        for number in range(1, len(lines) + 1):
            try:
                data = tomllib.loads("\n".join(lines[:number]))
            except tomllib.TOMLDecodeError:
                continue
            if key in data:
                return valid + 1
            valid = number
        return 0


def _shown(text: str, *, quote: bool = True) -> str:
    """What somebody wrote, short and harmless on a terminal."""
    safe = ascii(text[:40])
    return safe if quote else safe[1:-1]
