"""Following a match: a line for each trick, or JSON for each event."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

from client_sdk.cli import show
from client_sdk.cli.client import Client
from client_sdk.cli.errors import Unreachable
from client_sdk.cli.text import bare, ordinal, safe
from client_sdk.cli.watching import RETRY_DELAYS_S
from hearts.cards import code
from hearts.v1 import matches_pb2, play_pb2, records_pb2
from hearts.v1.matches_pb2 import TableEvent, WatchMatchResponse


async def responses(client: Client, match: str) -> AsyncIterator[WatchMatchResponse]:
    """All responses to the end of the match; outlives a server's restart, and repeats nothing.

    Raises:
        CliError: the call is refused, or the server stays away for a minute.
    """
    delays = iter(RETRY_DELAYS_S)
    after = attempt = 0
    while True:
        try:
            async for response in client.watch_match(match, after, attempt):
                delays = iter(RETRY_DELAYS_S)
                if response.events:
                    attempt, after = response.attempt, response.events[-1].sequence
                yield response
            return
        except Unreachable:
            delay = next(delays, None)
            if delay is None:
                raise
            await asyncio.sleep(delay)


async def follow(client: Client, match: str, *, json: bool = False) -> None:
    """Show a match to its end."""
    # The first answer proves that the match exists and the server is there: no retry.
    known = await client.get_match(match)
    page = Page([bare(name) for name in known.seats])
    out = show.console()
    async for response in responses(client, match):
        if json:
            show.as_json(response, indent=None)
            continue
        for line in page.lines(response):
            out.print(safe(line), soft_wrap=True, markup=False, highlight=False)


class Page:
    """Events as lines of text."""

    def __init__(self, seats: Sequence[str]) -> None:
        self._seats = seats
        self._attempt = 0
        self._trick: list[str] = []

    def lines(self, response: WatchMatchResponse) -> list[str]:
        """What there is to show of a response."""
        if response.held_back:
            return ["this board is still to be played in other rotations; waiting for them ..."]
        lines = []
        if response.events and response.attempt != self._attempt:
            if self._attempt:
                lines.append(f"attempt {response.attempt}, from the last finished deal on:")
            self._attempt, self._trick = response.attempt, []
        for event in response.events:
            lines += self._lines(event)
        if not response.events and response.state == matches_pb2.MATCH_STATE_READY:
            lines.append("nobody plays it yet; waiting ...")
        if response.state == matches_pb2.MATCH_STATE_FAILED_INFRA:
            lines.append("given up: the platform failed three times")
        if response.state == matches_pb2.MATCH_STATE_CANCELLED:
            lines.append("cancelled")
        return lines

    def _lines(self, event: TableEvent) -> list[str]:
        match event.WhichOneof("event"):
            case "deal":
                self._trick = []
                return [self._deal(event.deal)]
            case "passed":
                return ["  all have passed"]
            case "play":
                return self._play(event.play)
            case "deal_over":
                return self._deal_over(event.deal_over)
            case "match_over":
                return self._match_over(event.match_over)
        return []  # a newer server's

    def _deal(self, deal: matches_pb2.TableDeal) -> str:
        totals = ", ".join(
            f"{name} {total}" for name, total in zip(self._seats, deal.totals, strict=True)
        )
        passing = f"passes go {deal.pass_offset:+d} seats" if deal.pass_offset else "no pass"
        return f"deal {deal.deal}: {self._seats[deal.dealer]} deals, {passing}; before it {totals}"

    def _play(self, play: matches_pb2.TablePlay) -> list[str]:
        self._trick.append(f"{self._seats[play.seat]} {code(play.card)}")
        if len(self._trick) < len(self._seats):
            return []
        cards, self._trick = "  ".join(self._trick), []
        return [f"  trick {play.trick:2}: {cards}"]

    def _deal_over(self, deal: records_pb2.DealRecord) -> list[str]:
        lines = []
        for seat, name in enumerate(self._seats):
            hand = " ".join(code(card) for card in deal.hands[seat].cards)
            gave = ""
            if deal.passes:
                gave = "; gave " + " ".join(code(card) for card in deal.passes[seat].cards)
            score = f"{deal.points[seat]} points, {deal.totals[seat]} in all"
            lines.append(f"  {name}: {score}; dealt {hand}{gave}")
        return lines

    def _match_over(self, end: matches_pb2.TableEnd) -> list[str]:
        reason = show.enum_word(play_pb2.MatchEnd, end.reason)
        places = ", ".join(
            f"{ordinal(place)} {name} ({total})"
            for place, name, total in sorted(zip(end.places, self._seats, end.totals, strict=True))
        )
        return [f"match over ({reason}): {places}"]
