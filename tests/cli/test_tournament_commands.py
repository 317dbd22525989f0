"""Dry runs, brackets, what a round waits for, entries: as they look in a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from client_sdk.cli.tournament_views import duration
from hearts.v1 import tournaments_pb2
from tests.cli.conftest import Run
from tests.cli.fake_server import Fake, refuse

TOML = 'title = "Cup"\nboards = 1\nentries = ["anna", "ben", "cleo", "dora", "emil"]\n'
RUNNING = tournaments_pb2.TOURNAMENT_STATE_RUNNING


def tournament(**fields: object) -> tournaments_pb2.Tournament:
    base = {
        "name": "tournaments/cup-1",
        "spec": {"title": "Cup", "boards": 40},
        "state": RUNNING,
        "matches_planned": 160,
        "matches_done": 40,
    }
    return tournaments_pb2.Tournament(**{**base, **fields})  # type: ignore[arg-type]


def test_a_dry_run_says_who_plays_and_how_long(fake: Fake, hearts: Run, tmp_path: Path) -> None:
    reply = tournaments_pb2.PlanTournamentResponse(
        spec={"title": "Cup", "deals": 2, "entries": ["bots/anna", "bots/ben"]},
        first_round={
            "tables": [{"table": 1, "bots": ["bots/anna", "bots/ben", "bots/cleo", "bots/dora"]}],
            "sit_outs": ["bots/emil"],
        },
        rounds=3,
        matches=300,
        deals=600,
        exact=True,
        unknown=["bots/emil"],
        deals_per_second=2.0,
    )
    fake.on("PlanTournament", reply)
    (tmp_path / "cup.toml").write_text(TOML)
    ran = hearts("tournaments", "plan", tmp_path / "cup.toml", "--server", fake.address)
    assert ran.code == 0
    assert "a dry run, nothing is created" in ran.out
    assert "table 1: anna, ben, cleo, dora" in ran.out
    assert "sit out: emil" in ran.out
    assert "not registered yet: emil" in ran.out
    lines = [line.split() for line in ran.out.splitlines()]
    assert ["matches", "300"] in lines
    assert ["deals", "600"] in lines
    assert "5 min, at the 2 deals a second" in ran.out
    fake.on("PlanTournament", tournaments_pb2.PlanTournamentResponse(matches=9, rounds=2))
    ran = hearts("tournaments", "plan", tmp_path / "cup.toml", "--server", fake.address)
    assert "about 9, depending on results and entries" in ran.out


@pytest.mark.parametrize(
    ("seconds", "words"), [(8.4, "8 s"), (130, "2 min"), (12_000, "3 h 20 min")]
)
def test_durations(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_ux07_what_the_next_round_waits_for(fake: Fake, hearts: Run) -> None:
    """UX09: state, position and age of a match; a stuck one says so."""
    reply = tournaments_pb2.ExplainTournamentResponse(
        tournament=tournament(),
        waits_for="2 of 160 matches planned so far",
        blockers=[
            {
                "match": "matches/cup-1-01-001-000001-000007-00",
                "seats": ["bots/anna", "bots/ben"],
                "reason": "STUCK: queued for 400 s, position 1; not connected: ben",
                "stuck": True,
            }
        ],
        blockers_total=2,
        precision="1 of the first 2 places are separated",
    )
    fake.on("ExplainTournament", reply)
    ran = hearts("tournaments", "show", "cup-1", "--server", fake.address)
    assert "waits for: 2 of 160 matches planned so far" in ran.out
    assert "cup-1-01-001-000001-000007-00  anna · ben" in ran.out
    assert "STUCK: queued for 400 s, position 1; not connected: ben" in ran.out
    assert "and 1 more" in ran.out
    assert "precision: 1 of the first 2" in ran.out


def test_a_bracket_is_drawn(fake: Fake, hearts: Run) -> None:
    knockout = tournaments_pb2.FORMAT_KNOCKOUT
    first = {
        "table": 1,
        "bots": ["bots/anna", "bots/ben", "bots/cleo", "bots/dora"],
        "points": [3.0, 5.5, 7.0, 10.5],
        "going_on": ["bots/anna", "bots/ben"],
    }
    final = {"table": 1, "bots": ["bots/anna", "bots/ben", "bots/emil", "bots/fred"]}
    rounds = [
        {"stage": 1, "round": 1, "format": knockout, "tables": [first], "sit_outs": ["bots/emil"]},
        {"stage": 1, "round": 2, "format": knockout, "tables": [final]},
    ]
    fake.on("ListRounds", tournaments_pb2.ListRoundsResponse(rounds=rounds))
    ran = hearts("tournaments", "rounds", "cup-1", "--server", fake.address)
    lines = [line.rstrip() for line in ran.out.splitlines()]
    assert lines[0] == "stage 1: knockout"
    assert lines[1].split() == ["round", "1", "final"]
    assert lines[3].split() == ["│", "anna", "3.00", "→", "│", "anna"]
    assert lines[5].split() == ["│", "cleo", "7.00", "│", "emil"]
    assert any("bye: emil →" in line for line in lines)


def test_rounds_of_other_formats_are_listed(fake: Fake, hearts: Run) -> None:
    table = {"table": 1, "bots": ["bots/anna", "bots/ben"], "points": [1.25, 2.0], "matches": 4}
    rounds = [
        {
            "stage": 2,
            "round": 1,
            "format": tournaments_pb2.FORMAT_SWISS,
            "tables": [{**table, "matches_done": 3}],
            "sit_outs": ["bots/emil"],
        }
    ]
    fake.on("ListRounds", tournaments_pb2.ListRoundsResponse(rounds=rounds))
    ran = hearts("tournaments", "rounds", "cup-1", "--server", fake.address)
    assert "stage 2: swiss" in ran.out
    assert "round 1: 3 of 4 matches" in ran.out
    assert "table 1: anna 1.25, ben 2.00" in ran.out
    assert "sit out: emil" in ran.out


def test_changes_say_what_came_of_them(fake: Fake, hearts: Run) -> None:
    """SP07: a second entry of a bot is no entry, and says so."""
    item = tournament(entered=5)
    fake.on("EnterTournament", tournaments_pb2.EnterTournamentResponse(tournament=item))
    fake.on(
        "WithdrawFromTournament",
        tournaments_pb2.WithdrawFromTournamentResponse(
            tournament=item, withdrawn=True, matches_dropped=3
        ),
    )
    paused = tournament(state=tournaments_pb2.TOURNAMENT_STATE_PAUSED)
    fake.on("PauseTournament", tournaments_pb2.PauseTournamentResponse(tournament=paused))
    fake.on("ResumeTournament", refuse("FAILED_PRECONDITION", "tournaments/cup-1 is over"))
    server = ("--server", fake.address)
    ran = hearts("tournaments", "enter", "cup-1", "anna", *server)
    assert ran.out == "cup-1: anna is entered already; 5 bots\n"
    ran = hearts("tournaments", "withdraw", "cup-1", "anna", *server)
    assert ran.out == "cup-1: anna withdrawn; 5 bots are left; 3 matches given up\n"
    ran = hearts("tournaments", "pause", "cup-1", *server)
    assert ran.out == "cup-1: paused, 40 of 160 matches done\n"
    ran = hearts("tournaments", "resume", "cup-1", *server)
    assert (ran.code, ran.err.splitlines()[0]) == (2, "error: tournaments/cup-1 is over")
    assert [request.bot for name, request in fake.asked if name == "EnterTournament"] == [
        "bots/anna"
    ]


def test_a_scheduled_tournament_says_when_it_starts(
    fake: Fake, hearts: Run, tmp_path: Path
) -> None:
    made = tournament(
        state=tournaments_pb2.TOURNAMENT_STATE_SCHEDULED, start_time={"seconds": 1_800_000_000}
    )
    fake.on("CreateTournament", tournaments_pb2.CreateTournamentResponse(tournament=made))
    file = tmp_path / "cup.toml"
    file.write_text(TOML + '[start]\ncron = "0 20 * * *"\nzone = "Europe/Stockholm"\n')
    ran = hearts("tournaments", "create", file, "--server", fake.address)
    assert "starts each 0 20 * * * Europe/Stockholm, next 2027-01-15 08:00:00 UTC" in ran.out
