"""The client commands against a server that answers from scripts."""

from __future__ import annotations

import json
import socket
import time
from pathlib import Path

import pytest

from hearts.v1 import bots_pb2, matches_pb2, play_pb2, ratings_pb2, tournaments_pb2
from tests.cli.conftest import Run
from tests.cli.fake_server import Fake, refuse

TOML = 'title = "Cup"\nboards = 1\nentries = ["anna", "ben", "cleo", "dora"]\n'


def tournament(**fields: object) -> tournaments_pb2.Tournament:
    base = {
        "name": "tournaments/cup-1",
        "spec": {"title": "Cup", "boards": 40, "entries": ["bots/anna"]},
        "state": tournaments_pb2.TOURNAMENT_STATE_RUNNING,
        "matches_planned": 160,
        "matches_done": 40,
    }
    return tournaments_pb2.Tournament(**{**base, **fields})  # type: ignore[arg-type]


def standings(**second: int) -> tournaments_pb2.GetStandingsResponse:
    rows = [
        tournaments_pb2.Standing(
            place=1, bot="bots/anna", points_per_deal=4.25, standard_error=0.5, deals=160,
            matches=160, mean_place=1.625, wins=90, boards=40,
        ),
        tournaments_pb2.Standing(place=2, bot="bots/ben", points_per_deal=8.75, **second),
    ]  # fmt: skip
    done = tournament(state=tournaments_pb2.TOURNAMENT_STATE_FINISHED, matches_done=160)
    return tournaments_pb2.GetStandingsResponse(tournament=done, standings=rows)


def test_standings_have_headings_and_say_which_way_is_better(fake: Fake, hearts: Run) -> None:
    """UX03: nobody has to guess what a number means."""
    fake.on("GetStandings", standings())
    ran = hearts("tournaments", "standings", "cup-1", "--server", fake.address)
    lines = ran.out.splitlines()
    assert ran.code == 0
    assert lines[0] == "Cup: finished, 160 of 160 matches done"
    assert lines[1].split("  ")[0] == "place"
    assert lines[2].split() == (
        ["1st", "anna", "4.250", "±", "0.500", "160", "1.62", "90", "0", "0", "0"]
    )
    assert lines[3].split()[:4] == ["2nd", "ben", "8.750", "–"]
    assert "lower is better" in ran.out
    assert "1st is best" in ran.out


def test_a_rare_failure_gets_a_column_of_its_own(fake: Fake, hearts: Run) -> None:
    fake.on("GetStandings", standings(crashes=3))
    ran = hearts("tournaments", "standings", "cup-1", "--server", fake.address)
    assert "crashes" in ran.out.splitlines()[1]
    assert "no-shows" not in ran.out


@pytest.mark.parametrize(("fault", "code"), [({}, 0), ({"timeouts": 2}, 3), ({"no_shows": 1}, 3)])
def test_strict_exits_3_when_a_bot_failed(
    fake: Fake, hearts: Run, fault: dict[str, int], code: int
) -> None:
    """UX05: a run in CI notices."""
    fake.on("GetStandings", standings(**fault))
    ran = hearts("tournaments", "standings", "cup-1", "--strict", "--server", fake.address)
    assert ran.code == code
    for kind, count in fault.items():
        assert f"ben {count} {kind.replace('_', '-')}" in ran.err


def test_strict_exits_4_when_a_match_was_given_up(fake: Fake, hearts: Run) -> None:
    """A result that is missing through the platform's fault comes before what bots did."""
    reply = standings(timeouts=1)
    reply.tournament.matches_failed = 8
    fake.on("GetStandings", reply)
    ran = hearts("tournaments", "standings", "cup-1", "--strict", "--server", fake.address)
    assert ran.code == 4
    assert "8 of 160 matches were given up by the platform" in ran.err
    assert hearts("tournaments", "standings", "cup-1", "--server", fake.address).code == 0


def test_a_tournament_is_shown_with_what_it_plays(fake: Fake, hearts: Run) -> None:
    reply = tournaments_pb2.ExplainTournamentResponse(tournament=tournament())
    fake.on("ExplainTournament", reply)
    ran = hearts("tournaments", "show", "cup-1", "--server", fake.address)
    lines = [line.rstrip() for line in ran.out.splitlines()]
    assert lines[0].split() == ["tournament", "cup-1"]
    assert "matches     40 of 160 done, 0 running, 0 failed" in lines


def test_names_cannot_steer_the_terminal(fake: Fake, hearts: Run) -> None:
    """SS07: markup, escapes, line breaks and turned text are shown, not obeyed."""
    nasty = "a[red]b[/red]\x1b[2Jc\r\nd\u202ee\x00"
    fake.on("ListBots", bots_pb2.ListBotsResponse(bots=[{"name": "bots/x", "description": nasty}]))
    shown = hearts("bots", "list", "--server", fake.address).out
    assert r"a[red]b[/red]\x1b[2Jc\r\nd\u202ee\x00" in shown
    assert not set(shown) & set("\x1b\r\u202e\x00")
    data = hearts("bots", "list", "--json", "--server", fake.address).out
    assert data.isascii()
    assert json.loads(data)["bots"][0]["description"] == nasty


def test_a_refusal_says_what_is_wrong_what_is_allowed_and_what_to_do(
    fake: Fake, hearts: Run
) -> None:
    refusal = refuse(
        "INVALID_ARGUMENT", "spec.deals is 0", allowed=["1 to 1000"], hint="set deals = 1"
    )
    fake.on("ExplainTournament", refusal)
    ran = hearts("tournaments", "show", "cup-1", "--server", fake.address)
    assert ran.code == 2
    assert ran.err == ("error: spec.deals is 0 (allowed: 1 to 1000)\n  next: set deals = 1\n")


@pytest.mark.parametrize(
    ("status", "code", "then"),
    [
        ("NOT_FOUND", 2, ""),
        ("UNAUTHENTICATED", 2, "--token-file"),
        ("PERMISSION_DENIED", 2, "--token-file"),
        ("FAILED_PRECONDITION", 2, ""),
        ("UNAVAILABLE", 4, "log"),
        ("INTERNAL", 4, "log"),
        ("RESOURCE_EXHAUSTED", 4, "log"),
    ],
)
def test_whose_fault_it_is_decides_the_exit_code(
    fake: Fake, hearts: Run, status: str, code: int, then: str
) -> None:
    """UX05: 2 is mine to mend, 4 is the platform's."""
    fake.on("GetBot", refuse(status, "because"))
    ran = hearts("bots", "show", "anna", "--server", fake.address)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("error: because")
    assert then in ran.err


def test_no_server_is_said_at_once(hearts: Run, unused_port: int) -> None:
    begun = time.monotonic()
    ran = hearts("bots", "list", "--server", f"127.0.0.1:{unused_port}")
    assert time.monotonic() - begun < 5
    assert ran.code == 4
    assert f"no hearts server answers at 127.0.0.1:{unused_port}" in ran.err
    assert "hearts up" in ran.err


@pytest.mark.parametrize(
    "command",
    [
        ("bots", "list"),
        ("bots", "show", "anna"),
        ("bots", "register", "anna"),
        ("tournaments", "list"),
        ("tournaments", "show", "cup-1"),
        ("tournaments", "standings", "cup-1"),
        ("tournaments", "watch", "cup-1"),
        ("tournaments", "cancel", "cup-1"),
        ("matches", "list", "cup-1"),
        ("matches", "show", "m"),
        ("matches", "record", "m"),
        ("ratings", "show"),
    ],
)
def test_a_port_that_swallows_everything_is_given_up(hearts: Run, command: tuple[str]) -> None:
    """GR08: every call has a deadline, so no command waits for ever."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        begun = time.monotonic()
        ran = hearts(*command, "--server", f"127.0.0.1:{port}", "--timeout", "0.3")
        assert time.monotonic() - begun < 3
    assert ran.code == 4
    assert f"127.0.0.1:{port} did not answer within 0.3 s" in ran.err


def test_create_sends_the_spec_of_the_file(fake: Fake, hearts: Run, tmp_path: Path) -> None:
    made = tournaments_pb2.CreateTournamentResponse(tournament=tournament())
    fake.on("CreateTournament", made)
    (tmp_path / "cup.toml").write_text(TOML)
    (tmp_path / "token").write_text("hrt_admin\n")
    ran = hearts(
        "tournaments", "create", tmp_path / "cup.toml", "--server", fake.address,
        "--token-file", tmp_path / "token",
    )  # fmt: skip
    assert (ran.code, ran.err) == (0, "")
    assert "hearts tournaments watch cup-1" in ran.out
    ((_, request),) = fake.asked
    assert list(request.spec.entries) == ["bots/anna", "bots/ben", "bots/cleo", "bots/dora"]
    assert request.request_id
    assert fake.tokens == ["Bearer hrt_admin"]


def test_a_mistake_in_the_file_sends_nothing(fake: Fake, hearts: Run, tmp_path: Path) -> None:
    """UX01."""
    file = tmp_path / "cup.toml"
    file.write_text(TOML + "boads = 2\n")
    ran = hearts("tournaments", "create", file, "--server", fake.address)
    assert ran.code == 2
    assert f"{file}, line 4: boads: unknown key" in ran.err
    assert fake.asked == []


def test_watching_ends_with_the_standings(fake: Fake, hearts: Run) -> None:
    fake.on("GetTournament", tournaments_pb2.GetTournamentResponse(tournament=tournament()))
    states = [tournament(matches_done=done) for done in (0, 1, 80, 160)]
    replies = [tournaments_pb2.WatchTournamentResponse(tournament=t) for t in states]
    fake.on("WatchTournament", replies)
    fake.on("GetStandings", standings())
    ran = hearts("tournaments", "watch", "cup-1", "--server", fake.address)
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[:3] == [
        "cup-1: running, 0 of 160 matches done",
        "cup-1: running, 80 of 160 matches done",
        "cup-1: running, 160 of 160 matches done",
    ]
    assert "1st" in ran.out
    data = hearts("tournaments", "watch", "cup-1", "--json", "--server", fake.address)
    parsed = [json.loads(line) for line in data.out.splitlines()]
    assert [line.get("matches_done") for line in parsed] == [0, 1, 80, 160, None]
    assert parsed[-1]["standings"][0]["bot"] == "bots/anna"


def test_watching_a_tournament_that_is_not_there(fake: Fake, hearts: Run) -> None:
    fake.on("GetTournament", refuse("NOT_FOUND", "no tournament is called nope"))
    ran = hearts("tournaments", "watch", "nope", "--server", fake.address)
    assert (ran.code, ran.err) == (2, "error: no tournament is called nope\n")


def test_a_bots_token_is_shown_once_or_written_to_a_private_file(
    fake: Fake, hearts: Run, tmp_path: Path
) -> None:
    reply = bots_pb2.CreateBotResponse(bot={"name": "bots/anna"}, token="hrt_x")
    fake.on("CreateBot", reply)
    assert "hrt_x" in hearts("bots", "register", "anna", "--server", fake.address).out
    path = tmp_path / "anna.token"
    ran = hearts("bots", "register", "anna", "--save", path, "--server", fake.address)
    assert "hrt_x" not in ran.out
    assert path.read_text() == "hrt_x\n"
    assert path.stat().st_mode & 0o777 == 0o600
    asked = len(fake.asked)
    again = hearts("bots", "register", "anna", "--save", path, "--server", fake.address)
    assert again.code == 2
    assert len(fake.asked) == asked, "a file in the way must be noticed before the bot is made"


def test_lists_follow_every_page(fake: Fake, hearts: Run) -> None:
    def page(request: bots_pb2.ListBotsRequest) -> bots_pb2.ListBotsResponse:
        start = int(request.page_token or 0)
        end = min(start + min(request.page_size, 2), 5)
        bots = [bots_pb2.Bot(name=f"bots/b{number}") for number in range(start, end)]
        return bots_pb2.ListBotsResponse(bots=bots, next_page_token=str(end) if end < 5 else "")

    fake.on("ListBots", page)
    everything = json.loads(hearts("bots", "list", "--json", "--server", fake.address).out)
    assert [bot["name"] for bot in everything["bots"]] == [f"bots/b{n}" for n in range(5)]
    three = json.loads(
        hearts("bots", "list", "--json", "--limit", "3", "--server", fake.address).out
    )
    assert len(three["bots"]) == 3


def test_matches_show_points_by_seat_and_places(fake: Fake, hearts: Run) -> None:
    match = matches_pb2.Match(
        name="matches/m-1", tournament="tournaments/cup-1", seats=["bots/anna", "bots/ben"],
        state=matches_pb2.MATCH_STATE_DONE,
        result={
            "end": play_pb2.MATCH_END_DEALS,
            "seats": [
                {"bot": "bots/anna", "points": 3, "place_times_two": 2},
                {"bot": "bots/ben", "points": 23, "place_times_two": 5, "timeouts": 1,
                 "verdict": play_pb2.VERDICT_TIMEOUT},
            ],
        },
    )  # fmt: skip
    fake.on("ListMatches", matches_pb2.ListMatchesResponse(matches=[match]))
    fake.on("GetMatch", matches_pb2.GetMatchResponse(match=match))
    listed = hearts("matches", "list", "cup-1", "--state", "done", "--server", fake.address)
    assert "anna 3 · ben 23" in listed.out
    assert fake.asked[0][1].state == matches_pb2.MATCH_STATE_DONE
    shown = hearts("matches", "show", "m-1", "--server", fake.address).out
    rows = [line.split() for line in shown.splitlines()]
    assert ["0", "anna", "1st", "3", "0", "0", "0", "0", "0", "0", "–"] in rows
    assert ["1", "ben", "2.5", "23", "0", "1", "0", "0", "0", "0", "timeout"] in rows
    wrong = hearts("matches", "list", "cup-1", "--state", "finished", "--server", fake.address)
    assert wrong.code == 2
    assert "allowed: ready, running, done, failed_infra, cancelled" in wrong.err


def test_ratings_say_which_way_is_better(fake: Fake, hearts: Run) -> None:
    rating = ratings_pb2.Rating(
        rank=1, bot="bots/anna", strength=-1.5, standard_error=0.25, low=-2, high=-1, deals=640
    )
    pool = ratings_pb2.Pool(id="standard-4", deals=640, ratings=[rating])
    fake.on("ListRatings", ratings_pb2.ListRatingsResponse(pools=[pool]))
    ran = hearts("ratings", "show", "--server", fake.address)
    assert "pool standard-4: 640 deals" in ran.out
    assert "-1.500" in ran.out
    assert "lower is better" in " ".join(ran.out.split())


def test_a_server_of_another_version_is_named_as_the_fault(fake: Fake, hearts: Run) -> None:
    ran = hearts("ratings", "show", "--server", fake.address)
    assert ran.code == 4
    assert "does not know this call" in ran.err
