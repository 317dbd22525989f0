"""Plays a record again through the rules and compares everything it claims."""

from collections.abc import Callable, Sequence

from hearts.cards import code
from hearts.deal import Deal
from hearts.decisions import Phase, Refused, Rule
from hearts.match_record import DealRecord, IncidentKind, MatchRecord, RecordError
from hearts.plan import plan_for
from hearts.scoring import MatchEnd

#: Called with the deal after its pass, after each play, and when it is done.
Watch = Callable[[Deal], None]

#: Refusals that have nothing to do with the cards.
_NOT_OF_THE_CARDS = (Rule.MALFORMED, Rule.OUT_OF_TURN, Rule.TOO_LATE)
_PLAYED_OUT = (MatchEnd.TARGET, MatchEnd.DEALS, MatchEnd.EXACT)


def replay(record: MatchRecord, watch: Watch | None = None) -> list[Deal]:
    """Runs every deal of the record and returns them, done.

    Raises RecordError naming the deal, and the play where there is one, when the record breaks a
    rule or a figure differs.
    """
    totals: Sequence[int] = [0] * record.rules.players
    deals: list[Deal] = []
    for number, written in enumerate(record.deals):
        if written.deal != number:
            raise RecordError(f"deal {written.deal}: deal {number} was expected")
        deal = replay_deal(record, written, totals, watch)
        ended = deal.standing.end if deal.standing else None
        if ended and number + 1 < len(record.deals):
            raise RecordError(f"deal {number}: the game was over ({ended.name}), yet it goes on")
        totals = deal.totals_after
        deals.append(deal)
    _check_end(record, deals)
    return deals


def replay_deal(
    record: MatchRecord, written: DealRecord, totals: Sequence[int], watch: Watch | None = None
) -> Deal:
    """One deal of the record, from the totals before it."""
    where = f"deal {written.deal}"
    if len(written.hands) != record.rules.players:
        raise RecordError(f"{where}: {len(written.hands)} hands for {record.rules.players} seats")
    deal = Deal(
        plan_for(record.rules),
        number=written.deal,
        dealer=written.dealer,
        pass_offset=written.pass_offset,
        deck=([list(hand) for hand in written.hands], list(written.leftover)),
        totals=totals,
        redeals=written.redeals,
    )
    _check_pack(record, deal, where)
    _pass(deal, written, where)
    if watch:
        watch(deal)
    if deal.opener != written.opener:
        raise RecordError(f"{where}: seat {deal.opener} opens, not seat {written.opener}")
    _play(deal, written, where, watch)
    if deal.phase is Phase.MOON_CHOICE:
        if written.moon_choice is None:
            raise RecordError(f"{where}: seat {deal.turn} must choose how the moon scores")
        deal.choose_moon(written.moon_choice)
        if watch:
            watch(deal)
    _check_score(deal, written, where)
    return deal


def _check_pack(record: MatchRecord, deal: Deal, where: str) -> None:
    dealt = sorted([card for hand in deal.dealt for card in hand] + deal.leftover)
    if dealt != record.rules.pack() or {len(h) for h in deal.dealt} != {record.rules.hand_size}:
        raise RecordError(f"{where}: the hands and leftover cards are not the whole pack")


def _pass(deal: Deal, written: DealRecord, where: str) -> None:
    if deal.phase is Phase.PASS and len(written.passes) != len(deal.dealt):
        raise RecordError(f"{where}: {len(written.passes)} passes in a deal that passes")
    for seat, cards in enumerate(written.passes):
        try:
            deal.choose_pass(seat, cards)
        except Refused as refused:
            raise RecordError(f"{where}: pass of seat {seat}: {refused.message}") from None


def _play(deal: Deal, written: DealRecord, where: str, watch: Watch | None) -> None:
    for index, card in enumerate(written.plays):
        at = f"{where}, play {index + 1} by seat {deal.turn}"
        _check_refusals(deal, written, index, at)
        try:
            _play_as_recorded(deal, card)
        except Refused as refused:
            raise RecordError(f"{at}: {refused.message}") from None
        if watch:
            watch(deal)


def _play_as_recorded(deal: Deal, card: int) -> None:
    """A renege in a record was warned about, and repeated."""
    seat = deal.turn
    try:
        deal.play(seat, card)
    except Refused as refused:
        if refused.rule is not Rule.RENEGE_WARNING:
            raise
        deal.play(seat, card)


def _check_refusals(deal: Deal, written: DealRecord, plays: int, at: str) -> None:
    """What the record says about the decision before this play must be so."""
    for incident in written.incidents:
        if incident.phase is not Phase.PLAY or incident.after_plays != plays:
            continue
        if incident.seat != deal.turn or len(incident.cards) != 1:
            continue
        card = incident.cards[0]
        of_the_cards = incident.rule not in _NOT_OF_THE_CARDS
        if incident.kind is IncidentKind.REFUSED and of_the_cards and card in deal.legal():
            raise RecordError(f"{at}: {code(card)} was refused, but is legal")
        if incident.kind is IncidentKind.VERDICT and card != written.plays[plays]:
            raise RecordError(f"{at}: the referee played {code(card)}, not the card recorded")


def _check_score(deal: Deal, written: DealRecord, where: str) -> None:
    if deal.phase is not Phase.DONE:
        raise RecordError(f"{where}: not finished after {len(written.plays)} plays")
    figures = (
        ("raw points", deal.raw_points, written.raw_points),
        ("points", deal.points, written.points),
        ("totals", deal.totals_after, written.totals),
        ("moon", deal.moon, written.moon),
    )
    for name, ours, theirs in figures:
        if tuple(ours) != theirs:
            raise RecordError(f"{where}: {name} are {list(ours)}, not {list(theirs)}")
    if deal.moon_choice != written.moon_choice:
        raise RecordError(f"{where}: a moon choice is recorded, but none was asked")


def _check_end(record: MatchRecord, deals: Sequence[Deal]) -> None:
    if record.end not in _PLAYED_OUT:
        return  # the referee ended it; the cards cannot say how
    standing = deals[-1].standing if deals else None
    if standing is None or standing.end is not record.end:
        raise RecordError(f"end: the deals do not end the game by {record.end.name}")
    if standing.totals != record.totals:
        raise RecordError(f"end: totals are {list(standing.totals)}, not {list(record.totals)}")
    if standing.places != record.places:
        raise RecordError(f"end: places are {list(standing.places)}, not {list(record.places)}")
