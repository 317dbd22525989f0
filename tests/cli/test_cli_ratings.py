"""`hearts ratings`: with a server that answers from scripts, and on files without any."""

from __future__ import annotations

import json
import random
from importlib import metadata
from pathlib import Path

import pytest

from hearts.v1 import ratings_pb2 as pb
from tests.cli.conftest import Run
from tests.cli.fake_server import Fake


def lines(blocks: int, seatings: str = "AABB BBAA", better: float = 1.0) -> list[str]:
    """Simulated blocks in which B is better."""
    rng = random.Random(4)
    made = []
    for block in range(blocks):
        luck = [rng.choice([0, 1, 2, 5, 13, 14, 20]) for _ in range(4)]
        for seating in seatings.split():
            points = [
                round(own + rng.gauss(0, 2) - (better if bot == "B" else 0))
                for own, bot in zip(luck, seating, strict=True)
            ]
            data = {"block": f"b{block}", "bots": list(seating), "points": points}
            made.append(json.dumps(data))
    return made


def written(path: Path, made: list[str]) -> Path:
    path.write_text("\n".join(made) + "\n")
    return path


def test_fit_lists_every_bot_in_canonical_order_and_form(hearts: Run, tmp_path: Path) -> None:
    file = written(tmp_path / "r.jsonl", lines(40, "ABCD BCDA CDAB DABC", better=4))
    ran = hearts("ratings", "fit", file, "--json")
    assert (ran.code, ran.err) == (0, "")
    found = json.loads(ran.out)
    assert list(found[0]) == [
        "bot", "strength", "se", "low", "high", "rank_low", "rank_high", "deals", "blocks",
    ]  # fmt: skip
    assert found[0]["bot"] == "B"
    assert (found[0]["rank_low"], found[0]["rank_high"]) == (1, 1)
    assert {line["deals"] for line in found} == {160}
    assert {line["blocks"] for line in found} == {40}
    assert sum(line["strength"] for line in found) == pytest.approx(0, abs=1e-5)


def test_rs04_the_order_of_lines_changes_no_byte(hearts: Run, tmp_path: Path) -> None:
    made = lines(30, "ABCD BCDA CDAB DABC")
    expected = hearts("ratings", "fit", written(tmp_path / "a.jsonl", made), "--json").out
    random.Random(1).shuffle(made)
    assert hearts("ratings", "fit", written(tmp_path / "b.jsonl", made), "--json").out == expected


def test_rs09_bots_that_never_met_are_in_groups_of_their_own(hearts: Run, tmp_path: Path) -> None:
    made = lines(5, "ABCD") + [line.replace('"A"', '"X"') for line in lines(4, "AAAA")]
    ran = hearts("ratings", "fit", written(tmp_path / "r.jsonl", made), "--json")
    assert [(line["bot"], line["group"]) for line in json.loads(ran.out)][-1] == ("X", 2)
    assert "group 2" in hearts("ratings", "fit", tmp_path / "r.jsonl").out


def test_fit_by_placings(hearts: Run, tmp_path: Path) -> None:
    file = written(tmp_path / "r.jsonl", lines(60, "ABCD BCDA CDAB DABC", better=4))
    found = json.loads(hearts("ratings", "fit", file, "--by", "placings", "--json").out)
    assert found[0]["bot"] == "B"
    assert found[0]["strength"] > 0
    assert "higher is better" in hearts("ratings", "fit", file, "--by", "placings").out
    wrong = hearts("ratings", "fit", file, "--by", "luck")
    assert (wrong.code, "points, placings" in wrong.err) == (2, True)


@pytest.mark.parametrize("command", [("fit",), ("test", "--baseline", "A", "--candidate", "B")])
def test_a_bad_line_is_refused_with_its_number(
    hearts: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    made = lines(3)
    made.insert(4, '{"block": "b9", "bots": ["A"], "points": [1]}')
    name, *options = command
    ran = hearts("ratings", name, written(tmp_path / "r.jsonl", made), *options)
    assert ran.code == 2
    assert "line 5" in ran.err
    assert ran.out == ""
    missing = hearts("ratings", name, tmp_path / "none.jsonl", *options)
    assert (missing.code, "none.jsonl" in missing.err) == (2, True)


def test_an_empty_file_has_no_ratings(hearts: Run, tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text("")
    assert hearts("ratings", "fit", tmp_path / "r.jsonl", "--json").out == "[]\n"


def test_a_file_is_tested_without_a_server(hearts: Run, tmp_path: Path) -> None:
    file = written(tmp_path / "r.jsonl", lines(400))
    options = ("--baseline", "A", "--candidate", "B", "--h0", "0", "--h1", "0.45")
    ran = hearts("ratings", "test", file, *options)
    assert ran.code == 0
    for word in ("H1", "LLR", "-2.944 to 2.944", "blocks used", "points a deal"):
        assert word in ran.out
    found = json.loads(hearts("ratings", "test", file, *options, "--json").out)
    assert found["verdict"] == "H1"
    assert found["bounds"] == [-2.944439, 2.944439]
    assert found["llr"] >= 2.944439
    assert found["low"] < found["estimate"] < found["high"]
    assert found["blocks"] < 400
    turned = json.loads(
        hearts("ratings", "test", file, "--baseline", "B", "--candidate", "A", "--json").out
    )
    assert turned["verdict"] == "H0"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--baseline", "A", "--candidate", "X"), "no deal of the file has a bot 'X'"),
        (("--baseline", "A", "--candidate", "A"), "against itself"),
        (("--baseline", "A", "--candidate", "B", "--h0", "1"), "h0 must be below h1"),
        (("--baseline", "A"), "both --baseline and --candidate"),
        ((), "which bot"),
    ],
)
def test_an_impossible_test_says_why(
    hearts: Run, tmp_path: Path, options: tuple[str, ...], words: str
) -> None:
    ran = hearts("ratings", "test", written(tmp_path / "r.jsonl", lines(3)), *options)
    assert ran.code == 2
    assert words in ran.err


def test_without_the_server_part_the_command_says_what_to_install(
    hearts: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(self: metadata.EntryPoint) -> object:
        raise ModuleNotFoundError("No module named 'numpy'", name="numpy")

    monkeypatch.setattr(metadata.EntryPoint, "load", missing)
    ran = hearts("ratings", "fit", tmp_path / "r.jsonl")
    assert ran.code == 2
    assert "numpy" in ran.err
    assert "pip install 'hearts-arena[server]'" in ran.err


POOLS = pb.ListRatingsResponse(pools=[pb.Pool(id="standard-4"), pb.Pool(id="standard-4.2")])


def test_compare_asks_for_the_one_pool_there_is(fake: Fake, hearts: Run) -> None:
    gap = pb.Gap(bot="bots/anna", other="bots/bert", gap=-0.5, superiority=0.987, blocks=40)
    fake.on("ListRatings", POOLS)
    fake.on("ListGaps", pb.ListGapsResponse(gaps=[gap]))
    ran = hearts("ratings", "compare", "anna", "bert", "--server", fake.address)
    assert "-0.500 points a deal" in ran.out
    assert "98.7 %" in ran.out
    request = fake.asked[-1][1]
    assert (request.pool, request.bot, request.other) == ("standard-4", "bots/anna", "bots/bert")


def test_several_pools_must_be_told_apart(fake: Fake, hearts: Run) -> None:
    pools = [pb.Pool(id="standard-4"), pb.Pool(id="jack-4")]
    fake.on("ListRatings", pb.ListRatingsResponse(pools=pools))
    ran = hearts("ratings", "history", "--server", fake.address)
    assert ran.code == 2
    assert "--pool" in ran.err
    assert "jack-4" in ran.err


def test_a_test_of_two_bots_on_the_server(fake: Fake, hearts: Run) -> None:
    reply = pb.TestBotsResponse(
        verdict=pb.TEST_VERDICT_H1, llr=3.1, lower=-2.944, upper=2.944, blocks=80, estimate=0.4
    )
    fake.on("TestBots", reply)
    options = ("--pool", "standard-4", "--h1", "0.3", "--server", fake.address)
    ran = hearts("ratings", "test", "old", "new", *options)
    assert "H1" in ran.out
    assert "+0.400 points a deal" in ran.out
    request = fake.asked[-1][1]
    assert (request.baseline, request.candidate, request.h1) == ("bots/old", "bots/new", 0.3)


def test_an_export_is_what_fit_reads(fake: Fake, hearts: Run, tmp_path: Path) -> None:
    deals = [
        pb.ExportedDeal(block="b1", bots=["bots/a", "bots/b"], points=[0, 26]),
        pb.ExportedDeal(block="b2", bots=["bots/b", "bots/a"], points=[20, 6], void=True),
    ]
    fake.on("ExportResults", [pb.ExportResultsResponse(deals=deals)])
    ran = hearts("ratings", "export", "--pool", "standard-4", "--server", fake.address)
    assert ran.out.splitlines()[1] == (
        '{"block": "b2", "bots": ["b", "a"], "points": [20, 6], "void": true}'
    )
    (tmp_path / "r.jsonl").write_text(ran.out)
    found = json.loads(hearts("ratings", "fit", tmp_path / "r.jsonl", "--json").out)
    assert [(line["bot"], line["deals"]) for line in found] == [("a", 1), ("b", 1)]


def test_rebuild_says_what_is_rated_anew(fake: Fake, hearts: Run) -> None:
    fake.on("RebuildRatings", pb.RebuildRatingsResponse(results=640, snapshot="abc"))
    ran = hearts("ratings", "rebuild", "--pool", "standard-4", "--server", fake.address)
    assert "640 results" in ran.out


def test_plan_suggests_tables(fake: Fake, hearts: Run) -> None:
    bots = [f"bots/{name}" for name in ("anna@2", "bert", "cleo", "dora")]
    reply = pb.SuggestTablesResponse(tables=[pb.SuggestedTable(bots=bots)], deals_left=1200, wide=5)
    fake.on("SuggestTables", reply)
    options = ("--tables", "1", "--gap", "0.3", "--bot", "anna@2", "--server", fake.address)
    ran = hearts("ratings", "plan", "standard-4", *options)
    assert "anna@2, bert, cleo, dora" in ran.out
    assert "5 intervals are too wide; about 1200 deals are left" in ran.out
    request = fake.asked[-1][1]
    assert (request.pool, list(request.bots), request.gap_goal) == (
        "standard-4", ["bots/anna@2"], 0.3,
    )  # fmt: skip
    found = json.loads(hearts("ratings", "plan", "standard-4", *options, "--json").out)
    assert found["wide"] == 5
    fake.on("SuggestTables", pb.SuggestTablesResponse())
    assert "nothing is left" in hearts("ratings", "plan", "standard-4", *options).out
    assert hearts("ratings", "plan", "standard-4", "--tables", "0").code == 2


def test_suspects_are_shown_with_their_evidence(fake: Fake, hearts: Run) -> None:
    late = pb.Lateness(
        kind="worker", name="host/7", timeouts=40, decisions=4000, rate=0.01, rest=0.001,
        p=1e-9, alarm=True,
    )  # fmt: skip
    pair = pb.Together(bot="bots/a1", other="bots/b1", blocks=50, points=-1.5, z=-6.0, alarm=True)
    fake.on("ListSuspects", pb.ListSuspectsResponse(lateness=[late], pairs=[pair]))
    ran = hearts("ratings", "suspects", "standard-4", "--server", fake.address)
    for words in ("host/7", "40 of 4000", "1.000 %", "-6.00", "LOOK"):
        assert words in ran.out
    ran = hearts("ratings", "suspects", "standard-4", "--json", "--server", fake.address)
    assert json.loads(ran.out)["pairs"][0]["alarm"] is True


def test_held_results_are_listed_held_and_released(fake: Fake, hearts: Run) -> None:
    server = ("--server", fake.address)
    fake.on("ListHeldResults", pb.ListHeldResultsResponse())
    assert "no result was ever held" in hearts("ratings", "held", "cup-1", *server).out
    held = pb.HeldResult(match="matches/m-1", reason="late", worker="host/7", arbiter="north")
    done = pb.Correction(match="matches/m-1", kind="held", actor="watchdog", reason="late")
    fake.on("ListHeldResults", pb.ListHeldResultsResponse(held=[held], corrections=[done]))
    ran = hearts("ratings", "held", "cup-1", *server)
    assert "host/7" in ran.out
    assert "watchdog" in ran.out
    fake.on("HoldResults", pb.HoldResultsResponse(held=3))
    ran = hearts("ratings", "hold", "cup-1", "--worker", "host/7", "--reason", "disk", *server)
    assert "3 results are held" in ran.out
    assert fake.asked[-1][1].tournament == "tournaments/cup-1"
    fake.on("ReleaseResult", pb.ReleaseResultResponse())
    ran = hearts("ratings", "release", "m-1", "--reason", "fine", *server)
    assert "m-1: its result counts again" in ran.out
    assert hearts("ratings", "release", "m-1", *server).code == 2
