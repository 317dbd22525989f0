"""What `hearts verify` checks: everything that can be computed again from public records."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from client_sdk.cli.text import bare
from hearts import fairness, record, result, wire
from hearts.record import MatchRecord, RecordError
from hearts.shuffle import Board
from hearts.v1 import matches_pb2, tournaments_pb2


@dataclass(slots=True)
class Report:
    """``done``: what was checked, and how often. ``problems``: where, and what is wrong.
    ``open``: what could not be checked, and why."""

    done: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)

    def problem(self, where: str, what: object) -> None:
        """Something is not as it has to be."""
        self.problems.append(f"{where}: {what}")


@dataclass(frozen=True, slots=True)
class Terms:
    """What a tournament published of all its matches. ``secret`` None while it is not revealed."""

    spec: tournaments_pb2.TournamentSpec
    commitment: str
    secret: bytes | None


def terms(tournament: tournaments_pb2.Tournament, report: Report) -> Terms:
    """The terms, and the commitment checked when the secret is there."""
    secret = None
    name = bare(tournament.name)
    if not tournament.revealed_secret:
        report.open.append(
            f"the commitment {tournament.commitment}: the secret is revealed when {name} is over"
        )
    else:
        try:
            secret = bytes.fromhex(tournament.revealed_secret)
            fairness.check_commitment(secret, tournament.commitment)
        except (RecordError, ValueError) as error:
            report.problem(name, error)
        report.done["commitment"] += 1
    return Terms(tournament.spec, tournament.commitment, secret)


def check_match(
    reply: matches_pb2.GetMatchRecordResponse,
    match: matches_pb2.Match,
    known: Terms,
    report: Report,
) -> result.MatchResult | None:
    """One match: its cards, moves, scores and result. Returns the result as computed again."""
    name = bare(match.name)
    try:
        found = wire.record_from_wire(reply.record)
    except (RecordError, ValueError) as error:
        report.problem(name, f"the record cannot be read: {error}")
        return None
    check_plan(found, match, known.spec, report)
    check_cards(found, reply, known.secret, report)
    if not check_moves(found, report):
        return None
    again = result.summarise(found)
    report.done["results"] += 1
    if wire.result_to_wire(again) != match.result:
        report.problem(name, "the result is not that of the record: " + _difference(again, match))
    return again


def check_plan(
    found: MatchRecord,
    match: matches_pb2.Match,
    spec: tournaments_pb2.TournamentSpec,
    report: Report,
) -> None:
    """The record is of this match: its seats, board and rules."""
    rules = wire.rules_from_wire(spec.rules)
    wanted = {
        "match": (found.match, match.name),
        "tournament": (found.tournament, match.tournament),
        "seats": (list(found.seats), list(match.seats)),
        "board": (found.board, match.board),
        "rotation": (found.rotation, match.rotation),
        "rules": (found.rules, rules.for_deals(spec.deals) if spec.deals else rules),
        "limits": (found.limits, wire.limits_from_wire(spec.clock)),
    }
    for what, (ours, theirs) in wanted.items():
        if ours != theirs:
            report.problem(bare(match.name), f"{what}: the record has {ours}, the plan {theirs}")
    report.done["plans"] += 1


def check_cards(
    found: MatchRecord,
    reply: matches_pb2.GetMatchRecordResponse,
    secret: bytes | None,
    report: Report,
) -> None:
    """Every deal follows from the secret, or until that is told from the seeds of its board; and
    these from the secret."""
    name = bare(found.match)
    seeds = {seed.purpose: seed.seed for seed in reply.seeds}
    try:
        if secret is not None:
            fairness.check_deals(found, Board(secret, found.board))
            if fairness.seeds_of(found, secret) != seeds:
                report.problem(name, "the seeds revealed for its board are not those of the secret")
        else:
            fairness.check_deals(found, fairness.revealed(found.board, seeds))
    except (RecordError, ValueError) as error:
        report.problem(name, error)
    report.done["deals"] += len(found.deals)


def check_moves(found: MatchRecord, report: Report) -> bool:
    """Every pass and play is legal, and every figure follows from them. False: not so."""
    report.done["moves"] += sum(len(d.plays) + len(d.passes) for d in found.deals)
    report.done["scores"] += sum(3 * len(d.points) for d in found.deals)
    try:
        record.replay(found)
    except (RecordError, ValueError, IndexError) as error:
        report.problem(bare(found.match), error)
        return False
    return True


def _difference(again: result.MatchResult, match: matches_pb2.Match) -> str:
    try:
        theirs = wire.result_from_wire(match.result)
    except ValueError as error:
        return str(error)
    for seat, (ours, other) in enumerate(zip(again.seats, theirs.seats, strict=False)):
        if ours != other:
            return f"seat {seat} is {ours}, not {other}"
    return f"{again.end.name}, {again.deals}, not {theirs.end.name}, {theirs.deals}"


def check_boards(matches: Sequence[matches_pb2.Match], report: Report) -> None:
    """No board was left out: whoever deals must not choose among shuffles."""
    boards = {match.board for match in matches}
    if boards and boards != set(range(len(boards))):
        missing = sorted(set(range(max(boards) + 1)) - boards)
        report.problem("boards", f"numbers {missing[:5]} were left out")
    report.done["boards"] += len(boards)


def read_file(path: Path) -> tuple[bytes, MatchRecord | None, str]:
    """An exported record: its bytes, what it says, and why it cannot be read. Raises OSError."""
    data = path.read_bytes()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return data, None, f"line {line}: is not UTF-8"
    try:
        is_json = text.lstrip().startswith("{")
        return data, record.from_json(text) if is_json else record.from_text(text), ""
    except (RecordError, ValueError, RecursionError) as error:
        return data, None, str(error)


def check_form(data: bytes, found: MatchRecord) -> str:
    """Where an exported record is not written as `hearts matches record` writes it; "" if it is."""
    is_json = data.lstrip().startswith(b"{")
    form = record.to_json(found) if is_json else record.to_text(found)
    return first_difference(data, (form.rstrip("\n") + "\n").encode())


def first_difference(ours: bytes, theirs: bytes) -> str:
    """The first line that differs, from 1, and how; "" when none does."""
    if ours == theirs:
        return ""
    mine, others = ours.split(b"\n"), theirs.split(b"\n")
    if len(mine) != len(others):
        for op, low, _, at, _ in difflib.SequenceMatcher(None, mine, others, False).get_opcodes():
            if op != "equal":
                return _differs(low, mine[low : low + 1], others[at : at + 1])
    for number, (one, other) in enumerate(zip(mine, others, strict=True)):
        if one != other:
            return _differs(number, [one], [other])
    raise AssertionError("unreachable")


def _differs(index: int, ours: Sequence[bytes], theirs: Sequence[bytes]) -> str:
    one, other = (_shown(lines) for lines in (ours, theirs))
    return f"line {index + 1}: {one}, where {other} is right"


def _shown(lines: Sequence[bytes]) -> str:
    return repr(lines[0].decode("utf-8", "backslashreplace")[:100]) if lines else "nothing"


WORDS: Mapping[str, str] = {
    "commitment": "the secret against its commitment",
    "plans": "seats, board, rules and limits of each match",
    "boards": "that no board was left out",
    "deals": "every card dealt, every dealer and pass",
    "moves": "every move, that it is legal",
    "scores": "every score from the moves",
    "results": "every result from its record",
    "standings": "every line of the standings",
    "ratings": "every rating of the pool",
    "bytes": "every byte against the server's copy",
}
