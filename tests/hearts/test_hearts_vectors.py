"""1,280 deals judged by an independent engine, and what the judge says of a forged one."""

import copy
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hearts.judge import JudgeError, judge, judge_lines

FILE = Path(__file__).parent.parent / "data" / "openspiel_deals.jsonl.gz"


@pytest.fixture(scope="module")
def lines() -> list[str]:
    with gzip.open(FILE, "rt", encoding="utf-8") as file:
        return list(file)


def test_every_deal_agrees(lines: list[str]) -> None:
    """IM04: hands, legal cards, hearts broken, tricks, raw points and points."""
    verdicts = list(judge_lines(lines))
    assert len(verdicts) == 1280
    assert [str(each) for found in verdicts for each in found] == []


def _legal(record: dict[str, Any]) -> None:
    record["plays"][20]["legal"].append("0C")


def _broken(record: dict[str, Any]) -> None:
    record["plays"][3]["hearts_broken"] ^= True


def _winner(record: dict[str, Any]) -> None:
    record["tricks"][4]["winner"] += 1


def _points(record: dict[str, Any]) -> None:
    record["points"][2] += 1


def _raw_points(record: dict[str, Any]) -> None:
    record["raw_points"][2] += 1


def _hands(record: dict[str, Any]) -> None:
    record["hands"][0], record["hands"][1] = record["hands"][1], record["hands"][0]


def _card(record: dict[str, Any]) -> None:
    record["plays"][0]["card"] = record["plays"][1]["card"]


@pytest.mark.parametrize(
    ("forge", "where"),
    [
        (_legal, "play 21 by seat"),
        (_broken, "play 4 by seat"),
        (_winner, "trick 5: winner"),
        (_points, "points"),
        (_raw_points, "raw_points"),
        (_hands, "hands"),
        (_card, "play 1"),
    ],
)
def test_a_forged_record_is_told_apart(
    lines: list[str], forge: Callable[[dict[str, Any]], None], where: str
) -> None:
    record = json.loads(lines[5])
    assert judge(record) == []
    forged = copy.deepcopy(record)
    forge(forged)
    found = judge(forged)
    assert found[0].record == "5"
    assert where in found[0].decision
    assert "ours" in str(found[0])


@pytest.mark.parametrize("line", ["{", "[]", '{"id": 1}', "7"])
def test_a_line_that_is_no_record_is_named(lines: list[str], line: str) -> None:
    with pytest.raises(JudgeError, match="line 2"):
        list(judge_lines([lines[0], line]))
