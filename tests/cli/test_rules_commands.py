"""`hearts rules` and `hearts judge`: without a server."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from hearts.rules import PRESETS
from tests.cli.conftest import Run

VECTORS = Path(__file__).parent.parent / "data" / "openspiel_deals.jsonl.gz"


def test_the_list_names_every_preset_and_what_makes_it_different(hearts: Run) -> None:
    ran = hearts("rules", "list")
    lines = {line.split()[0]: line for line in ran.out.splitlines() if line}
    assert ran.code == 0
    assert set(PRESETS) <= set(lines)
    assert lines["cancellation_10"].split()[1:3] == ["10", "2"]
    assert "points" in lines["omnibus"]


def test_the_list_as_json(hearts: Run) -> None:
    ran = hearts("rules", "list", "--json")
    presets = {preset["name"]: preset for preset in json.loads(ran.out)["presets"]}
    assert tuple(presets) == PRESETS
    assert presets["standard"]["differences"] == {}
    assert presets["omnibus"]["differences"]["points"] == {"JD": -10, "QS": 13}


def test_a_preset_is_told_in_words_and_option_by_option(hearts: Run) -> None:
    ran = hearts("rules", "show", "standard")
    assert ran.code == 0
    assert "Each seat passes 3 cards, deal by deal: left, right, across, hold" in ran.out
    assert "first_trick_penalty" in ran.out


def test_rules_ru05_the_queen_and_breaking_are_told(hearts: Run) -> None:
    """RU05, RU06: whether the queen breaks hearts, and how the moon scores, is printed."""
    standard = hearts("rules", "show", "standard").out
    microsoft = hearts("rules", "show", "openspiel").out
    assert "Moon, a seat that took every penalty card: each other seat scores" in standard
    assert standard != microsoft


def test_an_unknown_preset_names_the_allowed_ones(hearts: Run) -> None:
    ran = hearts("rules", "show", "standart")
    assert ran.code == 2
    assert "standart" in ran.err
    assert "cancellation_10" in ran.err


def test_a_file_of_options_is_checked_and_told(hearts: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('preset = "five_player"\nmoon = "self"\nmax_deals = 20\n', encoding="utf-8")
    ran = hearts("rules", "check", str(file))
    assert ran.code == 0
    assert "5 players" in ran.out


@pytest.mark.parametrize(
    ("text", "option", "told"),
    [
        ("players = 5\nremove = []\n", "leftover", "divide"),
        ('moon = "maybe"\n', "moon", "choose"),
        ("colour = 1\n", "colour", ""),
        ("pass_cycle = [1, 4]\n", "pass_cycle", ""),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_option(
    text: str, option: str, told: str, hearts: Run, tmp_path: Path
) -> None:
    """UX01."""
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    ran = hearts("rules", "check", str(file))
    assert ran.code == 2
    assert option in ran.err
    assert told in ran.err


def test_judge_agrees_with_the_independent_engine(hearts: Run) -> None:
    ran = hearts("judge", str(VECTORS))
    assert (ran.code, ran.out) == (0, "1280 records: all agree\n")


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """Three deals, the second with other points than ours."""
    with gzip.open(VECTORS, "rt", encoding="utf-8") as lines:
        records = [json.loads(next(lines)) for _ in range(3)]
    records[1]["points"] = [1, 2, 3, 4]
    file = tmp_path / "deals.jsonl"
    file.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    return file


def test_judge_prints_each_disagreement_and_a_summary(wrong: Path, hearts: Run) -> None:
    ran = hearts("judge", str(wrong))
    first, last = ran.out.splitlines()
    assert ran.code == 1
    assert "points: ours [" in first
    assert first.endswith("theirs [1, 2, 3, 4]")
    assert last == "3 records: 1 disagree, in 1 points"


def test_judge_as_json_lines(wrong: Path, hearts: Run) -> None:
    ran = hearts("judge", str(wrong), "--json")
    found, summary = map(json.loads, ran.out.splitlines())
    assert ran.code == 1
    assert (found["decision"], found["theirs"]) == ("points", "[1, 2, 3, 4]")
    assert summary == {"records": 3, "disagreeing": 1, "disagreements": 1}


@pytest.mark.parametrize("content", [b"{}\n", b"no json\n", b"\xff\xfe\n"])
def test_judge_says_which_line_is_no_record(content: bytes, hearts: Run, tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    file.write_bytes(content)
    ran = hearts("judge", str(file))
    assert ran.code == 2
    assert "deals.jsonl" in ran.err


def test_judge_and_a_file_that_is_not_there_or_no_gzip(hearts: Run, tmp_path: Path) -> None:
    assert hearts("judge", str(tmp_path / "none.jsonl")).code == 2
    (tmp_path / "plain.jsonl.gz").write_text("{}", encoding="utf-8")
    assert hearts("judge", str(tmp_path / "plain.jsonl.gz")).code == 2
