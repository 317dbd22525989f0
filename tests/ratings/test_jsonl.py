"""Files of results: what is read, and what is refused with its line."""

from __future__ import annotations

import pytest

from arbiter.ratings.deals import Deal
from arbiter.ratings.jsonl import BadLine, Line, read, write

GOOD = b'{"block": "b17", "bots": ["a","b","c","d"], "points": [0, 13, 5, 8]}\n'


def test_a_file_is_read_line_by_line() -> None:
    lines = [b"\xef\xbb\xbf" + GOOD, b"\n", GOOD.replace(b"}", b', "void": true, "more": 1}')]
    deal = Deal("b17", ("a", "b", "c", "d"), (0.0, 13.0, 5.0, 8.0))
    assert list(read(lines)) == [Line(deal), Line(deal, void=True)]


def test_what_is_written_reads_the_same() -> None:
    for line in (
        Line(Deal("b", ("a", 'q"'), (-3.0, 0.5))),
        Line(Deal("7", ("x", "x"), (1, 2)), True),
    ):
        assert list(read([write(line).encode()])) == [line]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (b"nonsense", "no JSON"),
        (b"[" * 5000, "no JSON"),
        (b"\xff\xfe", "UTF-8"),
        (b"[1, 2]", "no object"),
        (b'{"bots": ["a", "b"], "points": [1, 2]}', '"block" is missing'),
        (b'{"block": "b", "points": [1, 2]}', '"bots" is missing'),
        (b'{"block": "b", "bots": ["a", "b"]}', '"points" is missing'),
        (b'{"block": "", "bots": ["a", "b"], "points": [1, 2]}', '"block"'),
        (b'{"block": true, "bots": ["a", "b"], "points": [1, 2]}', '"block"'),
        (b'{"block": "b", "bots": ["a"], "points": [1]}', '"bots"'),
        (b'{"block": "b", "bots": "ab", "points": [1, 2]}', '"bots"'),
        (b'{"block": "b", "bots": ["a", 2], "points": [1, 2]}', '"bots"'),
        (b'{"block": "b", "bots": ["a", ""], "points": [1, 2]}', '"bots"'),
        (b'{"block": "b", "bots": ["a", "b"], "points": [1]}', '"points"'),
        (b'{"block": "b", "bots": ["a", "b"], "points": [1, "2"]}', '"points"'),
        (b'{"block": "b", "bots": ["a", "b"], "points": [1, true]}', '"points"'),
        (b'{"block": "b", "bots": ["a", "b"], "points": [1, null]}', '"points"'),
        (b'{"block": "b", "bots": ["a", "b"], "points": [1, NaN]}', "NaN"),
        (b'{"block": "b", "bots": ["a", "b"], "points": [1, 1e400]}', '"points"'),
        (b'{"block": "b", "bots": ["a", "b"], "points": [1, 1' + b"0" * 400 + b"]}", '"points"'),
        (b'{"block": "b", "bots": ["a", "b"], "points": [1, 2], "void": 1}', '"void"'),
    ],
)
def test_a_bad_line_is_refused_with_its_number(bad: bytes, reason: str) -> None:
    with pytest.raises(BadLine, match=reason) as caught:
        list(read([GOOD, b"\n", bad, GOOD]))
    assert caught.value.number == 3
