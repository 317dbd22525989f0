"""Pieces of frames as bytes: what a stream sends most is put together, not built as messages.

A protobuf message is the concatenation of its fields, and two encodings laid end to end merge. So
an event's body is encoded once for all seats that get it, each seat's link puts its own table and
sequence number before it, and a frame is its pieces joined. The bytes are those that the generated
code would make: tests/arbiter/test_pieces.py holds the two equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

from google.protobuf.message import Message

from hearts.v1 import play_pb2

_KEPT: Final = 1 << 16


class _Varints(dict[int, bytes]):
    """Numbers as base-128 varints; small ones are kept."""

    def __missing__(self, number: int) -> bytes:
        rest, groups = number, bytearray()
        while rest > 0x7F:
            groups.append(rest & 0x7F | 0x80)
            rest >>= 7
        groups.append(rest)
        made = bytes(groups)
        if number < _KEPT:
            self[number] = made
        return made


VARINT: Final = _Varints()
"""From a number (0 or more) to its varint."""


class Wire(IntEnum):
    """How a field's value is written."""

    VARINT = 0
    FIXED64 = 1
    LENGTH = 2


def key(message: type[Message], field: str, wire: Wire = Wire.VARINT) -> bytes:
    """What stands before a field's value."""
    return VARINT[message.DESCRIPTOR.fields_by_name[field].number << 3 | wire]


def field(before: bytes, number: int) -> bytes:
    """A number after its key; nothing for 0, which is what a field left out says."""
    return before + VARINT[number] if number else b""


def cards(before: bytes, of: Sequence[int]) -> bytes:
    """Cards after the key of their field; nothing for none. Every card is below 128: one byte."""
    return b"".join((before, VARINT[len(of)], bytes(of))) if of else b""


_TABLE: Final = key(play_pb2.Event, "table")
_SEQUENCE: Final = key(play_pb2.Event, "sequence")
_EVENTS: Final = key(play_pb2.ArbiterFrame, "events", Wire.LENGTH)
_FRAME: Final = key(play_pb2.PlayResponse, "frame", Wire.LENGTH)


def to_table(table: int) -> bytes:
    """The beginning of every event for one table of a stream."""
    return _TABLE + VARINT[table] + _SEQUENCE


def event(table: bytes, sequence: int, body: bytes) -> bytes:
    """One event of a frame: `table` from `to_table`, `body` an Event without those two."""
    number = VARINT[sequence]
    return b"".join((_EVENTS, VARINT[len(table) + len(number) + len(body)], table, number, body))


def response(pieces: list[bytes]) -> bytes:
    """A PlayResponse whose frame has these pieces."""
    frame = b"".join(pieces)
    return b"".join((_FRAME, VARINT[len(frame)], frame))
