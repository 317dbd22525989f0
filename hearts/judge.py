"""Replays deals that another engine played and lists every disagreement with this one.

The format is that of tests/data/openspiel_deals.jsonl.gz: one JSON object a line, with `params`
(that engine's options), `pass`, `deal`, `passes`, `hands`, `plays`, `tricks`, `raw_points` and
`points`. Pure: reading files is the caller's business.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hearts.cards import card, code
from hearts.deal import Deal
from hearts.decisions import Phase, Refused
from hearts.plan import plan_for
from hearts.rules import RuleSet

__all__ = ["Disagreement", "JudgeError", "judge", "judge_lines", "rules_of"]

_OFFSETS: Final = {"hold": 0, "left": 1, "right": -1, "across": 2}


class JudgeError(ValueError):
    """A line that is no record of this format; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One point on which the engines differ."""

    #: The record's id.
    record: str
    #: Where in it: "hands", "play 17 by seat 2", "trick 5", "raw_points", ...
    decision: str
    ours: str
    theirs: str

    def __str__(self) -> str:
        return f"record {self.record}, {self.decision}: ours {self.ours}, theirs {self.theirs}"


def rules_of(params: Mapping[str, bool]) -> RuleSet:
    """The rule set that the other engine's options mean."""
    points = {"QS": 13, "JD": -10} if params["jd_bonus"] else {"QS": 13}
    return RuleSet.from_options(
        {
            "first_trick_penalty": "barred" if params["no_pts_on_first_trick"] else "free",
            "opening": "any_club" if params["can_lead_any_club"] else "low_club",
            "points": points,
            "no_trick_bonus": 5 if params["avoid_all_tricks_bonus"] else 0,
            "hearts_lead": "broken" if params["must_break_hearts"] else "free",
            "break_on": "heart_or_queen" if params["qs_breaks_hearts"] else "heart",
            "lead_exception": (
                "only_penalty" if params["can_lead_hearts_instead_of_qs"] else "only_hearts"
            ),
            "max_deals": 1,
        }
    )


def judge_lines(lines: Iterable[str]) -> Iterator[list[Disagreement]]:
    """The disagreements of each record, record by record. Raises JudgeError naming the line."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield judge(json.loads(line))
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise JudgeError(f"line {number} is no record: {error!r}") from None


def judge(record: Mapping[str, Any]) -> list[Disagreement]:
    """Where our engine and the record disagree; empty when they never do.

    Stops at the first play that is against our rules: nothing after it means anything.
    """
    return list(_Judge(record).disagreements())


class _Judge:
    def __init__(self, record: Mapping[str, Any]) -> None:
        self.record = record
        self.deal = Deal(
            plan_for(rules_of(record["params"])),
            number=0,
            dealer=0,
            pass_offset=_OFFSETS[record["pass"]],
            deck=([[card(text) for text in hand] for hand in record["deal"]], []),
            totals=[0] * len(record["deal"]),
        )

    def differ(self, decision: str, ours: object, theirs: object) -> Iterator[Disagreement]:
        if ours != theirs:
            yield Disagreement(str(self.record["id"]), decision, str(ours), str(theirs))

    def disagreements(self) -> Iterator[Disagreement]:
        deal = self.deal
        for seat, given in enumerate(self.record["passes"] or ()):
            try:
                deal.choose_pass(seat, [card(text) for text in given])
            except Refused as refused:
                yield from self.differ(f"pass of seat {seat}", refused.message, given)
                return
        if deal.phase is Phase.PASS:
            yield from self.differ("passes", "a pass of every seat", self.record["passes"])
            return
        yield from self.differ("hands", [_texts(deal.hand(s)) for s in range(4)], self._hands())
        for number, play in enumerate(self.record["plays"], 1):
            yield from self._before(number, play)
            try:
                deal.play(deal.turn, card(play["card"]))
            except Refused as refused:
                yield from self.differ(f"play {number}", refused.message, play["card"])
                return
            if not deal.trick:
                yield from self._after_trick(number // 4)
        yield from self.differ("raw_points", deal.raw_points, self.record["raw_points"])
        yield from self.differ("points", deal.points, self.record["points"])

    def _hands(self) -> list[list[str]]:
        return [_texts(sorted(card(text) for text in hand)) for hand in self.record["hands"]]

    def _before(self, number: int, play: Mapping[str, Any]) -> Iterator[Disagreement]:
        deal = self.deal
        where = f"play {number} by seat {deal.turn}"
        yield from self.differ(f"{where}: seat to move", deal.turn, play["player"])
        theirs = _texts(sorted(card(text) for text in play["legal"]))
        yield from self.differ(f"{where}: legal", _texts(deal.legal()), theirs)
        yield from self.differ(f"{where}: broken", deal.hearts_broken, play["hearts_broken"])

    def _after_trick(self, number: int) -> Iterator[Disagreement]:
        deal = self.deal
        trick = self.record["tricks"][number - 1]
        where = f"trick {number}"
        points = sum(deal.rules.points_of(each) for each in deal.last_trick)
        yield from self.differ(f"{where}: cards", _texts(deal.last_trick), trick["cards"])
        yield from self.differ(f"{where}: leader", deal.last_leader, trick["leader"])
        yield from self.differ(f"{where}: points", points, trick["points"])
        if deal.phase is Phase.PLAY:
            yield from self.differ(f"{where}: winner", deal.leader, trick["winner"])


def _texts(cards: Sequence[int]) -> list[str]:
    return [code(each) for each in cards]
