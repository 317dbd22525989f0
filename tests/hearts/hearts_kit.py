"""What the tests of the game share: deals from written hands, and bots that play at random."""

import random
from collections.abc import Callable, Mapping, Sequence

from hearts.cards import card, cards
from hearts.deal import Deal, Deck
from hearts.decisions import Phase
from hearts.game import Game, deal_out
from hearts.match_record import DealRecord, MatchRecord
from hearts.plan import plan_for
from hearts.rules import RuleSet
from hearts.scoring import MoonChoice
from hearts.shuffle import Board

SECRET = bytes(range(32))


def rules(**options: object) -> RuleSet:
    """The default rule set with these options; long enough for totals that fall."""
    return RuleSet.from_options({"max_deals": 200, **options})


def tiny(pack: str, **options: object) -> RuleSet:
    """A rule set whose pack is only these cards (of one pack; no passing unless asked for)."""
    keep = set(cards(pack))
    out = [text for text in ALL_CARDS if card(text) not in keep]
    return rules(**{"remove": out, "pass_count": 1, "pass_cycle": [0], **options})


ALL_CARDS = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]


def fill(rule_set: RuleSet, *hands: str) -> Deck:
    """The written hands, filled up in pack order; what remains is the leftover."""
    held = [cards(hand) for hand in hands]
    held += [[] for _ in range(rule_set.players - len(held))]
    rest = rule_set.pack()
    for hand in held:
        for each in hand:
            rest.remove(each)
    for hand in held:
        need = rule_set.hand_size - len(hand)
        hand += rest[:need]
        del rest[:need]
    return held, rest


def deal_of(
    rule_set: RuleSet,
    *hands: str,
    dealer: int = 3,
    offset: int = 0,
    totals: Sequence[int] | None = None,
    number: int = 0,
    leftover: str | None = None,
    redeal: Callable[[int], Deck] | None = None,
) -> Deal:
    """A deal with these hands (filled up where they are short). Seat 0 is eldest hand."""
    deck = fill(rule_set, *hands)
    if leftover is not None:
        deck = ([cards(hand) for hand in hands], cards(leftover))
    return Deal(
        plan_for(rule_set),
        number=number,
        dealer=dealer,
        pass_offset=offset,
        deck=deck,
        totals=totals or [0] * rule_set.players,
        redeal=redeal,
    )


def play(deal: Deal, text: str) -> Deal:
    """Plays these cards, each for the seat to move."""
    for each in cards(text):
        deal.play(deal.turn, each)
    return deal


def legal(deal: Deal) -> str:
    """The legal cards as text."""
    from hearts.cards import codes

    return codes(deal.legal())


def random_pass(deal: Deal, rng: random.Random) -> None:
    """Every seat that has not chosen passes cards at random; redeals included."""
    while deal.phase is Phase.PASS:
        for seat in sorted(deal.to_pass):
            deal.choose_pass(seat, rng.sample(deal.hand(seat), deal.rules.pass_count))


def play_out(deal: Deal, rng: random.Random, watch: Callable[[Deal], None] | None = None) -> Deal:
    """Plays a deal to its end at random."""
    see = watch or (lambda _: None)
    random_pass(deal, rng)
    see(deal)
    while deal.phase is Phase.PLAY:
        deal.play(deal.turn, rng.choice(deal.legal()))
        see(deal)
    if deal.phase is Phase.MOON_CHOICE:
        deal.choose_moon(rng.choice(list(MoonChoice)))
        see(deal)
    return deal


def random_deal(rule_set: RuleSet, rng: random.Random, offset: int = 0, **more: object) -> Deal:
    """A freshly shuffled deal."""
    pack = rule_set.pack()
    rng.shuffle(pack)
    values: dict[str, object] = {
        "number": 0,
        "dealer": rng.randrange(rule_set.players),
        "totals": [0] * rule_set.players,
        **more,
    }
    deck = deal_out(rule_set, pack)
    return Deal(plan_for(rule_set), pass_offset=offset, deck=deck, **values)  # type: ignore[arg-type]


def play_match(
    rule_set: RuleSet,
    seed: int = 1,
    deals: int | None = None,
    board: int = 0,
    watch: Callable[[Deal], None] | None = None,
    decorate: Callable[[Deal], Mapping[str, object]] | None = None,
) -> MatchRecord:
    """A whole random match and its record."""
    rng = random.Random(seed)
    game = Game(rule_set, Board(SECRET, board), deals)
    done: list[DealRecord] = []
    while True:
        play_out(game.deal, rng, watch)
        extra = decorate(game.deal) if decorate else {}
        done.append(DealRecord.of(game.deal, **extra))  # type: ignore[arg-type]
        if game.over:
            break
        game.next_deal()
    assert game.end is not None
    return MatchRecord(
        match="matches/demo",
        tournament="tournaments/demo",
        rules=game.rules,
        seats=tuple(f"bots/b{seat}" for seat in range(rule_set.players)),
        board=board,
        rotation=0,
        deals=tuple(done),
        end=game.end,
        totals=tuple(game.totals),
        places=tuple(game.places()),
    )
