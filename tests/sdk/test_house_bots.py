"""The house bots: legal under every rule set, the same game again, and each its own advice."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from typing import Any

import pytest
from fake_arbiter import FakeArbiter, Link
from local_table import play_matches

from client_sdk import Match, Turn
from client_sdk.bot import Bot
from client_sdk.bots import HOUSE, __main__
from client_sdk.bots.searcher import Budget, Searcher
from client_sdk.cli import app
from hearts.cards import card, cards, code, codes
from hearts.rules import PRESETS, RuleSet, preset
from hearts.v1 import play_pb2
from hearts.wire import rules_to_wire


def made(kind: str) -> Bot:
    """A house bot; the searcher with so few playouts that a test is quick, and seeded."""
    return Searcher(Budget(playouts=32)) if kind == "searcher" else HOUSE[kind].make()


def crew(*kinds: str, players: int = 4) -> list[Bot]:
    """As many bots as seats, of these kinds in turn, each with a name of its own."""
    bots = [made(kinds[seat % len(kinds)]) for seat in range(players)]
    for seat, bot in enumerate(bots):
        bot.name = f"{bot.name}-{seat}"
    return bots


@pytest.mark.parametrize("name", PRESETS)
async def test_every_rule_set_is_played_without_a_fault(name: str) -> None:
    """All house bots, all presets: no refusal, no fallback."""
    rules = preset(name)
    bots = crew("searcher", "counter", "careful", "random", "duck", players=rules.players)
    records, _ = await play_matches(bots, rules, deals=len(rules.pass_cycle))
    assert [i for r in records for deal in r.deals for i in deal.incidents] == []


@pytest.mark.parametrize("kind", HOUSE)
async def test_the_same_cards_give_the_same_game(kind: str) -> None:
    """All chance comes from the decision's seed."""
    first, second = [
        (await play_matches(crew(kind), preset("standard"), deals=2, matches=2))[0]
        for _ in range(2)
    ]
    assert [[deal.plays for deal in record.deals] for record in first] == [
        [deal.plays for deal in record.deals] for record in second
    ]


async def test_random_does_not_play_one_fixed_card() -> None:
    records, _ = await play_matches(crew("random"), preset("standard"), deals=2, matches=3)
    assert len({deal.plays for record in records for deal in record.deals}) == 6


@pytest.mark.parametrize(
    ("better", "worse", "boards", "gap"),
    [
        ("duck", "random", 50, 4.0),
        ("careful", "duck", 120, 0.8),
        ("counter", "careful", 60, 0.3),
        ("searcher", "duck", 8, 1.0),
    ],
)
async def test_each_house_bot_beats_the_one_before(
    better: str, worse: str, boards: int, gap: float
) -> None:
    """Points a deal, each board also with the seats changed. All is seeded: no test of luck."""
    points = {better: 0, worse: 0}
    for pair in ((better, worse), (worse, better)):
        records, _ = await play_matches(crew(*pair), preset("standard"), matches=boards)
        for record in records:
            for seat, total in enumerate(record.totals):
                points[pair[seat % 2]] += total
    assert (points[worse] - points[better]) / (4 * boards) > gap


# ---- advice ---------------------------------------------------------------------------------


def turn(
    hand: str,
    trick: str = "",
    legal: str = "",
    rules: RuleSet | None = None,
    before: tuple[str, ...] = (),
) -> Turn:
    """A play of seat 0: the trick so far, led by the right seat; legal cards follow suit unless
    named; `before` are finished tricks, led by seat 1."""
    held, table = sorted(cards(hand)), cards(trick)
    if legal:
        may = sorted(cards(legal))
    else:
        may = [c for c in held if table and code(c)[1] == code(table[0])[1]] or held
    rules = rules or preset("standard")
    start = play_pb2.MatchStart(tag="m", rules=rules_to_wire(rules))
    wire = play_pb2.Turn(decision=1, phase=play_pb2.PHASE_PLAY, trick_number=5, pass_count=3)
    wire.hand.extend(held)  # type: ignore[arg-type]
    wire.legal.extend(may)  # type: ignore[arg-type]
    wire.trick.extend(table)  # type: ignore[arg-type]
    wire.leader = (len(table) and rules.players - len(table)) % rules.players
    match = Match(1, start)
    match.dealt = held
    for played in before:
        match.finish_trick(1, cards(played))
    return Turn(wire, match, 0.0)


def plays(kind: str, asked: Turn) -> str:
    bot: Any = HOUSE[kind].make()
    bot.on_match_start(asked.match)
    return code(bot.play(asked))


def passes(kind: str, hand: str) -> str:
    bot: Any = HOUSE[kind].make()
    asked = turn(hand)
    bot.on_match_start(asked.match)
    return codes(sorted(bot.pass_cards(asked)))


@pytest.mark.parametrize(
    ("asked", "card_", "why"),
    [
        (turn("2C 9C KC", "TC"), "9C", "the highest card that does not win"),
        (turn("5S QS AS", "KS"), "QS", "the queen goes under the king"),
        (turn("JC AC", "5C 9C TC"), "AC", "last and winning anyway: a high card goes"),
        (turn("QS KS", "5S 9S TS"), "KS", "but not the queen on oneself"),
        (turn("JC AC", "5C"), "JC", "not last: the lower one may yet lose"),
        (turn("QS AH KD", "5C"), "QS", "the queen on somebody else"),
        (turn("AH KD 2D", "5C"), "AH", "then the high hearts"),
        (turn("3C 8D KD"), "3C", "low when leading"),
        (turn("2C 9C KC", "TC QC QC", rules=preset("cancellation_6")), "9C", "queens cancel"),
        (turn("JD 2H", "5C", rules=preset("omnibus")), "2H", "keeps the bonus card"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) > 2 else "",
)
def test_duck_plays(asked: Turn, card_: str, why: str) -> None:
    assert plays("duck", asked) == card_, why


@pytest.mark.parametrize(
    ("hand", "given"),
    [
        ("2C 3C 4C 5D 6D 7D 8H 9H 2S 3S QS KS AS", "QS KS AS"),
        ("2C 3C 4C 5D 6D 7D 8H 9H TH JC QD AC KD", "TH KD AC"),
        ("2C 3C 4C 5D 6D 7D 8D 2S 3S 4S 5S QS AC", "8D 7D AC"),
    ],
    ids=["short of spades", "no spades", "a guarded queen stays"],
)
def test_duck_passes(hand: str, given: str) -> None:
    assert sorted(passes("duck", hand).split()) == sorted(given.split())


MANY = ("AS QS KS JS", "AH KH QH JH", "AD TH 6D 7D")
"""Likewise, with other hearts."""
TOOK_ALL = ("AC QS KC JC", "AH 2H 3H 4H", "KH 5H 6H 7H")
"""Three tricks, led and won by seat 1, with the queen and eight hearts in them."""


@pytest.mark.parametrize(
    ("asked", "card_", "why"),
    [
        (turn("5S QS AS", "KS"), "QS", "the queen goes under the king"),
        (turn("QS AH KD 2D", "5C"), "QS", "the queen on somebody else"),
        (turn("3S 6S 8D KD 9C"), "3S", "smokes the queen out with a low spade"),
        (turn("3S KS 8D 2D 9C"), "9C", "but not with the king in hand"),
        (turn("2D 9D KD", "3D 5D 6D"), "KD", "a cheap trick while it is cheap"),
        (turn("9H 2H", "5H 7H JH"), "9H", "under, and the higher of them"),
        (turn("KD 3D", "JD 4D 5D", rules=preset("omnibus")), "KD", "takes a bonus card"),
        (turn("QS 2C", "5H 7H", before=TOOK_ALL[1:]), "QS", "nobody shoots: away with it"),
        (turn("TH 3C", "AD 2D 9D", before=TOOK_ALL), "3C", "seat 1 shoots and has the trick"),
        (turn("TH 3C", "2D 9D AD", before=TOOK_ALL), "TH", "seat 1 shoots, seat 3 has it"),
        (turn("9H 2H", "8H 3H 4H", before=MANY), "9H", "a trick on oneself stops the moon"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) > 2 else "",
)
def test_careful_plays(asked: Turn, card_: str, why: str) -> None:
    assert plays("careful", asked) == card_, why


@pytest.mark.parametrize(
    ("hand", "given"),
    [
        ("2C 3C 4C 5D 6D 7D 8H 9H 2S 3S QS KS AS", "QS KS AS"),
        ("KC QC 4D 6D 7D 2H 3H 4H 8H JH 2S 3S 4S", "KC QC JH"),
        ("2C 3C KC JD 6D 7D 3D 2S 3S 4S 5S QS AC", "AC KC JD"),
    ],
    ids=["short of spades", "goes void in clubs", "a guarded queen stays"],
)
def test_careful_passes(hand: str, given: str) -> None:
    assert sorted(passes("careful", hand).split()) == sorted(given.split())


def test_duck_takes_no_trick_it_can_avoid() -> None:
    """Every trick and every hand of two clubs and more: under if there is an under."""
    clubs = list(range(card("2C"), card("AC") + 1))
    for led in clubs:
        for low in clubs:
            for high in clubs:
                if led not in (low, high) and low < led < high:
                    asked = turn(codes([low, high]), code(led))
                    assert plays("duck", asked) == code(low)


# ---- as a process -----------------------------------------------------------------------------


def test_the_list_has_one_line_for_each(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        __main__.main(["--help"])
    assert done.value.code == 0
    text = capsys.readouterr().out
    assert all(
        line in " ".join(text.split()) for line in (house.summary for house in HOUSE.values())
    )


def test_the_command_line_lists_them_without_a_server(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert app.run(["bots", "house"]) == 0
    text = capsys.readouterr().out
    assert all(house.name in text and house.summary in text for house in HOUSE.values())
    assert app.run(["bots", "house", "--json"]) == 0
    bots = json.loads(capsys.readouterr().out)["bots"]
    assert [bot["name"] for bot in bots] == ["random", "duck", "careful", "counter", "searcher"]


@pytest.mark.parametrize(
    ("arguments", "code_", "text"),
    [
        (["goose"], 2, "goose"),
        (["duck", "--token", "hrt_x"], 2, "unrecognized"),
        (["duck"], 2, "HEARTS_TOKEN"),
        (["duck", "--token-file", "/nonexistent/file"], 2, "token file"),
        (["duck", "--max-tables", "0"], 2, "HEARTS_TOKEN"),
    ],
)
def test_wrong_arguments(
    arguments: list[str],
    code_: int,
    text: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """SS08: there is no way to give the token where everybody can read it."""
    monkeypatch.delenv("HEARTS_TOKEN", raising=False)
    monkeypatch.delenv("HEARTS_TOKEN_FILE", raising=False)
    try:
        ended: Any = __main__.main(arguments)
    except SystemExit as done:
        ended = done.code
    assert ended == code_
    assert text in capsys.readouterr().err


async def test_a_house_bot_as_its_own_process() -> None:
    """Under another name, until it is told to stop."""
    played = asyncio.Event()

    async def script(link: Link) -> None:
        hello = await link.greet()
        assert (hello.bot, hello.max_tables) == ("bots/duck-7", 3)
        start = link.start()
        start.match_start.rules.CopyFrom(rules_to_wire(preset("standard")))
        await link.send(start, link.turn(legal=[2, 3]))
        assert [reply.card for reply in await link.replies()] == [2]
        played.set()
        await link.recv(within=30)

    async with FakeArbiter(script) as arbiter:
        words = ["duck", "--name", "duck-7", "--max-tables", "3", "--server", arbiter.address]
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *["-m", "client_sdk.bots", *words],
            env={**os.environ, "HEARTS_TOKEN": "hrt_x"},
        )
        async with asyncio.timeout(15):
            await played.wait()
            process.send_signal(signal.SIGTERM)
            assert await process.wait() == 0
        arbiter.failures.clear()
