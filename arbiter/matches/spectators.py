"""What everybody at a table saw, as a numbered list of events.

The allow-list of what a spectator gets: every field is set in this file, from the finished deals
and, of the deal in progress, from `hearts.view.spectator_view`. The list is a function of the
match alone, so it is the same live, from a checkpoint and from the record.
"""

# The numbers of cards and ends are the wire's own; its stubs want their enums.
# mypy: disable-error-code="arg-type"

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hearts import wire
from hearts.deal import Deal, Phase
from hearts.record import DealRecord, MatchEnd, MatchRecord, Trick, tricks_of
from hearts.rules import RuleSet
from hearts.v1 import matches_pb2
from hearts.view import spectator_view

Event = matches_pb2.TableEvent


@dataclass(frozen=True, slots=True)
class End:
    """How a match ended."""

    reason: MatchEnd
    totals: tuple[int, ...]
    places: tuple[int, ...]

    @classmethod
    def of(cls, record: MatchRecord) -> End:
        """The end of a record."""
        return cls(record.end, record.totals, record.places)


class Teller:
    """Tells one spectator of one attempt what is new; nothing twice, nothing left out.

    It keeps three numbers, not the events: one who reads slowly costs no memory.
    """

    __slots__ = ("_deals", "_ended", "_in_deal", "_rules", "sequence")

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        self._deals = 0
        self._in_deal = 0
        self._ended = False
        self.sequence = 0

    def news(
        self, finished: Sequence[DealRecord], playing: Deal | None = None, end: End | None = None
    ) -> list[Event]:
        """The events since the last call, given all finished deals and the one in progress."""
        events: list[Event] = []
        totals = (0,) * self._rules.players
        for index, deal in enumerate(finished):
            if index >= self._deals:
                events += finished_deal(self._rules, deal, totals)[self._in_deal :]
                self._deals, self._in_deal = index + 1, 0
            totals = deal.totals
        if playing is not None and playing.number == self._deals:
            seen = open_deal(playing)
            events += seen[self._in_deal :]
            self._in_deal = len(seen)
        if end is not None and not self._ended:
            self._ended = True
            events.append(_end(end))
        for event in events:
            self.sequence += 1
            event.sequence = self.sequence
        return events


def finished_deal(rules: RuleSet, deal: DealRecord, totals: Sequence[int]) -> list[Event]:
    """All of a deal that is over, with what was hidden at its end. `totals`: before it."""
    events = _begun(deal.deal, deal.dealer, deal.pass_offset, totals, passed=True)
    events += _plays(deal.deal, rules.players, tricks_of(rules, deal))
    events.append(Event(deal_over=wire.deal_to_wire(deal)))
    return events


def open_deal(deal: Deal) -> list[Event]:
    """What was seen of a deal in progress: the beginning of what `finished_deal` will be."""
    seen = spectator_view(deal)
    passed = seen.phase is not Phase.PASS
    events = _begun(seen.deal, seen.dealer, seen.pass_offset, seen.totals, passed=passed)
    tricks = [*seen.tricks]
    if seen.trick:
        tricks.append(Trick(seen.leader, seen.trick, None))
    return events + _plays(seen.deal, len(seen.totals), tricks)


def _begun(
    number: int, dealer: int, pass_offset: int, totals: Sequence[int], *, passed: bool
) -> list[Event]:
    begun = matches_pb2.TableDeal(
        deal=number, dealer=dealer, pass_offset=pass_offset, totals=totals
    )
    events = [Event(deal=begun)]
    if pass_offset and passed:
        events.append(Event(passed=matches_pb2.TablePass(deal=number)))
    return events


def _plays(number: int, players: int, tricks: Sequence[Trick]) -> list[Event]:
    return [
        Event(
            play=matches_pb2.TablePlay(
                deal=number, trick=count, seat=(trick.leader + place) % players, card=card
            )
        )
        for count, trick in enumerate(tricks, start=1)
        for place, card in enumerate(trick.cards)
    ]


def _end(end: End) -> Event:
    return Event(
        match_over=matches_pb2.TableEnd(reason=end.reason, totals=end.totals, places=end.places)
    )
