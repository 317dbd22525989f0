"""Were the cards of a record those that its secret gives? Anyone may ask, with no more than this.

A secret stands for all cards of a tournament, and its commitment was published before the first of
them. Before the secret itself is told, the seeds of a board tell the cards of that board alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count

from hearts.cards import codes
from hearts.game import deal_out
from hearts.match_record import DealRecord, MatchRecord, RecordError
from hearts.rules import FirstDealer
from hearts.shuffle import SECRET_BYTES, Board, commitment

__all__ = ["RevealedBoard", "check_commitment", "check_deals", "revealed", "seeds_of"]


@dataclass(frozen=True, slots=True)
class RevealedBoard(Board):
    """A board of which only the seeds are known, by purpose: "shuffle/BOARD/DEAL/REDEAL"."""

    seeds: Mapping[str, bytes] = field(default_factory=dict)

    def seed(self, purpose: str) -> bytes:
        """The seed that was told. Raises RecordError when it was not."""
        if purpose not in self.seeds:
            raise RecordError(f"board {self.number}: the seed of {purpose!r} is not revealed")
        return self.seeds[purpose]


def revealed(number: int, seeds: Mapping[str, bytes]) -> RevealedBoard:
    """The board of that number with these seeds."""
    return RevealedBoard(bytes(SECRET_BYTES), number, seeds)


def check_commitment(secret: bytes, published: str) -> None:
    """Raises RecordError when the secret is not the one that was committed to."""
    if commitment(secret) != published:
        raise RecordError(
            f"the secret's SHA-256 is {commitment(secret)}, not the commitment {published}"
        )


def check_deals(record: MatchRecord, board: Board) -> None:
    """Every dealer, pass and card of the record follows from the board.

    A redeal cannot be asked for again, because what was passed before it is not recorded: the
    number of redeals is taken from the record. Raises RecordError naming the deal and the seat.
    """
    if board.number != record.board:
        raise RecordError(f"the record is of board {record.board}, not {board.number}")
    rules = record.rules
    dealer = board.first_dealer(rules)
    first_pass = board.first_pass_index(rules)
    for deal in record.deals:
        _check_deal(record, board, deal, (dealer + deal.deal) % rules.players)
        offset = rules.passes(first_pass + deal.deal)
        if deal.pass_offset != offset:
            raise RecordError(
                f"deal {deal.deal}: the pass is {deal.pass_offset}, the board says {offset}"
            )


def _check_deal(record: MatchRecord, board: Board, deal: DealRecord, dealer: int) -> None:
    where = f"deal {deal.deal}"
    if deal.dealer != dealer:
        raise RecordError(f"{where}: seat {deal.dealer} dealt, the board says seat {dealer}")
    hands, leftover = deal_out(record.rules, board.shuffle(record.rules, deal.deal, deal.redeals))
    for seat, hand in enumerate(hands):
        if sorted(deal.hands[seat]) != sorted(hand):
            raise RecordError(
                f"{where}: seat {seat} was dealt {codes(deal.hands[seat])}; "
                f"the board says {codes(sorted(hand))}"
            )
    if sorted(deal.leftover) != sorted(leftover):
        raise RecordError(f"{where}: the cards left over are not those of the board")


def seeds_of(record: MatchRecord, secret: bytes) -> dict[str, bytes]:
    """The seeds that `check_deals` asks for: of the dealer, and of every shuffle of the record.
    They tell nothing about any other board."""
    board = Board(secret, record.board)
    told: dict[str, bytes] = {}
    purposes = [
        f"shuffle/{board.number}/{deal.deal}/{redeal}"
        for deal in record.deals
        for redeal in range(deal.redeals + 1)
    ]
    if record.rules.first_dealer is FirstDealer.RANDOM:
        purposes.append(f"dealer/{board.number}")
    for purpose in purposes:
        told[purpose] = board.seed(purpose)
    if record.rules.first_dealer is FirstDealer.LOW_CARD:
        told |= _cuts(record, board)
    return told


def _cuts(record: MatchRecord, board: Board) -> dict[str, bytes]:
    """As many cuts as it took."""
    told: dict[str, bytes] = {}
    for cut in count():
        purpose = f"cut/{board.number}/{cut}"
        told[purpose] = board.seed(purpose)
        try:
            revealed(board.number, told).first_dealer(record.rules)
        except RecordError:
            continue
        return told
    raise AssertionError("unreachable")
