"""Reads TOML into protobuf messages, and says file, key and line of whatever does not fit.

The keys of a file are the field names of a message, so the message's descriptor is the only
description of the file there is: a new field is a new key.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from client_sdk.cli.errors import CliError

KeyPath = tuple[str | int, ...]
"""Keys, and places in lists between them: ("stages", 0, "boards")."""

_INTEGERS = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
}
_TOML_TYPES: tuple[tuple[type, str], ...] = (
    (bool, "true or false"),
    (int, "a whole number"),
    (float, "a number with a fraction"),
    (str, "text"),
    (list, "a list"),
    (dict, "a table"),
)


@dataclass(frozen=True, slots=True)
class TomlFile:
    """A parsed file that can still say where each key stands."""

    name: str
    text: str
    data: Mapping[str, Any]

    def error(
        self,
        path: Sequence[str | int],
        problem: str,
        *,
        allowed: Sequence[str] = (),
        then: str = "",
    ) -> CliError:
        """An error at a key: file, line, key and problem; exit code 2."""
        line = find_line(self.text, path)
        return CliError(
            f"{self.name}, line {line}: {dotted(path)}: {problem}", allowed=allowed, then=then
        )

    def missing(self, key: str) -> CliError:
        """An error about a key that has to be there; exit code 2."""
        return CliError(f"{self.name}: {key}: this key is missing", then=f"add {key} = …")


def read(path: Path) -> TomlFile:
    """Reads and parses a file.

    Raises:
        CliError: it cannot be read, is no UTF-8, or is no TOML (with the line).
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise CliError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise CliError(f"{path} is not UTF-8 text") from None
    return parse(text, str(path))


def parse(text: str, name: str) -> TomlFile:
    """Parses the text of a file called ``name``; raises CliError with the line of a mistake."""
    try:
        return TomlFile(name, text, tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise CliError(
            f"{name} is not valid TOML: {error}", then="https://toml.io shows the format"
        ) from None


Handler = Callable[[TomlFile, KeyPath, Any], Message]


def fill(
    message: Message,
    file: TomlFile,
    *,
    handlers: Mapping[str, Handler] | None = None,
) -> None:
    """Sets the fields of ``message`` from the keys of ``file``.

    ``handlers`` maps the name of a top-level message field to a function that reads its value in
    its own way.

    Raises:
        CliError: an unknown key, a value of the wrong type or outside its range.
    """
    _fill(message, file, (), file.data, handlers or {})


def _fill(
    message: Message,
    file: TomlFile,
    path: KeyPath,
    table: Mapping[str, Any],
    handlers: Mapping[str, Handler],
) -> None:
    fields = cast(Mapping[str, FieldDescriptor], message.DESCRIPTOR.fields_by_name)
    check_keys(file, path, table, list(fields))
    for key, value in table.items():
        here = (*path, key)
        field = fields[key]
        if key in handlers:
            getattr(message, key).CopyFrom(handlers[key](file, here, value))
        elif field.is_repeated and field.message_type is not None:
            expect(file, here, value, list)
            for index, item in enumerate(value):
                expect(file, (*here, index), item, dict)
                _fill(getattr(message, key).add(), file, (*here, index), item, {})
        elif field.is_repeated:
            expect(file, here, value, list)
            getattr(message, key).extend(
                _scalar(file, (*here, index), field, item) for index, item in enumerate(value)
            )
        elif field.message_type is not None:
            expect(file, here, value, dict)
            child = getattr(message, key)
            child.SetInParent()
            _fill(child, file, here, value, {})
        else:
            setattr(message, key, _scalar(file, here, field, value))


def check_keys(
    file: TomlFile, path: KeyPath, table: Mapping[str, Any], allowed: Sequence[str]
) -> None:
    """Raises CliError for the first key of ``table`` that is not allowed."""
    for key in table:
        if key not in allowed:
            near = difflib.get_close_matches(key, allowed, n=1)
            then = f"did you mean {near[0]}?" if near else ""
            raise file.error((*path, key), "unknown key", allowed=allowed, then=then)


def _scalar(file: TomlFile, path: Sequence[str | int], field: FieldDescriptor, value: Any) -> Any:
    if field.enum_type is not None:
        return _enum(file, path, field.enum_type, value)
    if field.cpp_type in _INTEGERS:
        expect(file, path, value, int)
        low, high = _INTEGERS[field.cpp_type]
        if not low <= value <= high:
            raise file.error(path, f"{value} is out of range", allowed=[f"{low} to {high}"])
        return value
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return expect(file, path, value, bool)
    if field.cpp_type == FieldDescriptor.CPPTYPE_DOUBLE:
        # 1 is as good as 1.0 where a fraction is allowed.
        return float(value) if type(value) is int else expect(file, path, value, float)
    return expect(file, path, value, str)


def _enum(file: TomlFile, path: Sequence[str | int], enum: EnumDescriptor, value: Any) -> int:
    names = enum_names(enum)
    expect(file, path, value, str)
    if value not in names:
        raise file.error(path, f"{value!r} is not known", allowed=list(names))
    return names[value]


def enum_names(enum: EnumDescriptor) -> dict[str, int]:
    """The values of an enum as files spell them: FORMAT_ROUND_ROBIN → "round_robin"."""
    prefix = enum.values_by_number[0].name.removesuffix("UNSPECIFIED")
    return {
        value.name.removeprefix(prefix).lower(): value.number
        for value in enum.values
        if value.number != 0
    }


def expect(file: TomlFile, path: Sequence[str | int], value: Any, wanted: type) -> Any:
    """The value, if it is exactly of the TOML type wanted; raises CliError else."""
    # type() and not isinstance: in Python a bool is an int, in TOML it is not.
    if type(value) is not wanted:
        names = dict(_TOML_TYPES)
        got = names.get(type(value), "a date or time")
        raise file.error(path, f"must be {names[wanted]}, not {got}")
    return value


def dotted(path: Sequence[str | int]) -> str:
    """("clock", "bank_ms") → "clock.bank_ms"; ("entries", 2) → "entries[2]"."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def find_line(text: str, path: Sequence[str | int]) -> int:
    """The line (from 1) on which the key at ``path`` stands in a valid TOML text.

    A statement ends on the first line with which the text so far is valid TOML and has the key,
    and begins after the last line before it with which the text was valid. So TOML's own parser
    decides, whatever the way of writing: dotted keys, inline tables, lists over many lines. For
    a place in a list it is the line on which that item ends.
    """
    lines = text.splitlines()
    index = path[-1] if path and isinstance(path[-1], int) else None
    keys = path if index is None else path[:-1]
    valid = 0
    for number in range(1, len(lines) + 1):
        data = _try("\n".join(lines[:number]))
        if data is None:
            continue
        if _lookup(data, keys) is not None:
            start = valid + 1
            return start if index is None else _item_line(lines, start, number, keys, index)
        valid = number
    return 1


def _item_line(
    lines: Sequence[str], start: int, end: int, keys: Sequence[str | int], index: int
) -> int:
    for number in range(start, end + 1):
        data = _try("\n".join(lines[:number]) + "\n]")
        items = None if data is None else _lookup(data, keys)
        if isinstance(items, list) and len(items) > index:
            return number
    return end


def _try(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def _lookup(data: Mapping[str, Any], keys: Sequence[str | int]) -> Any:
    value: Any = data
    for key in keys:
        if isinstance(key, int):
            if not isinstance(value, list) or key >= len(value):
                return None
        elif not isinstance(value, Mapping) or key not in value:
            return None
        value = value[key]
    return value
