"""A rule set in a player's words."""

from collections.abc import Callable, Iterator
from typing import Final

from hearts.cards import JOKER, code, codes
from hearts.options import (
    BreakOn,
    CancelledLast,
    Duplicate,
    End,
    FirstDealer,
    FirstTrickForced,
    FirstTrickPenalty,
    HeartPoints,
    HeartsLead,
    LeadException,
    Leftover,
    LeftoverVisible,
    Moon,
    MoonChoiceDefault,
    MoonNeeds,
    Opening,
    QueenLead,
    Renege,
    RenegeCharge,
    Tie,
)
from hearts.rules import RuleSet

__all__ = ["describe"]


def describe(rules: RuleSet) -> str:
    """What a player needs to know before the first deal: a heading, then one rule a line.

    Options that cannot matter (what two equal cards do, with one pack) are left out.
    """
    lines: list[str] = [rules.name or "custom rules"]
    for heading, part in _PARTS:
        lines += ["", heading, *(f"  {line}" for line in part(rules))]
    return "\n".join(lines)


def _table(rules: RuleSet) -> Iterator[str]:
    packs = "one pack" if rules.decks == 1 else "two packs"
    jokers = {0: "", 1: " and a joker", 2: " and two jokers"}[rules.jokers]
    cards = f"{rules.pack_size} cards, {rules.hand_size} each"
    yield f"{rules.players} players; {packs}{jokers}: {cards}."
    if rules.remove:
        yield f"Taken out: {codes(rules.remove)}."
    if rules.jokers:
        yield "A joker is a club below the two."
    if rules.leftover_size:
        yield from _leftover(rules)
    yield {
        FirstDealer.RANDOM: "The first dealer is drawn; the deal moves to the left.",
        FirstDealer.LOW_CARD: "The lowest card cut deals first; the deal moves to the left.",
        FirstDealer.SEAT0: "Seat 0 deals first; the deal moves to the left.",
    }[rules.first_dealer]


def _leftover(rules: RuleSet) -> Iterator[str]:
    cards = f"{rules.leftover_size} undealt card" + ("s" if rules.leftover_size > 1 else "")
    yield (
        f"{cards}: "
        + {
            Leftover.FORBID: "none.",
            Leftover.DEAD: "dead, seen by nobody.",
            Leftover.FIRST_TRICK: "to the winner of the first trick.",
            Leftover.FIRST_HEART: "to the winner of the first trick with a heart.",
            Leftover.FIRST_PENALTY: "to the winner of the first trick with a penalty card.",
        }[rules.leftover]
    )
    if rules.leftover is not Leftover.DEAD:
        yield {
            LeftoverVisible.TAKER: "Only the taker is shown them.",
            LeftoverVisible.NEVER: "Nobody is shown them.",
            LeftoverVisible.ALL: "Everybody is shown them when they are taken.",
        }[rules.leftover_visible]


def _passing(rules: RuleSet) -> Iterator[str]:
    if not any(rules.pass_cycle):
        yield "No cards are passed."
        return
    cards = "1 card" if rules.pass_count == 1 else f"{rules.pass_count} cards"
    ways = ", ".join(_way(offset, rules.players) for offset in rules.pass_cycle)
    yield f"Each seat passes {cards}, deal by deal: {ways}; then from the start."


def _way(offset: int, players: int) -> str:
    if offset == 0:
        return "hold"
    if abs(offset) * 2 == players:
        return "across"
    side = "left" if offset > 0 else "right"
    return side if abs(offset) == 1 else f"{abs(offset)} to the {side}"


def _play(rules: RuleSet) -> Iterator[str]:
    yield {
        Opening.LOW_CLUB: "The lowest club dealt opens, and must be led.",
        Opening.ANY_CLUB: "The holder of the lowest club dealt opens with any club.",
        Opening.ELDEST: "The seat at dealer's left opens.",
    }[rules.opening]
    yield {
        FirstTrickPenalty.BARRED: "No penalty card on the first trick.",
        FirstTrickPenalty.FREE: "Penalty cards may be thrown on the first trick.",
        FirstTrickPenalty.QUEEN_BARRED: "No queen of spades on the first trick.",
    }[rules.first_trick_penalty]
    if rules.first_trick_penalty is not FirstTrickPenalty.FREE:
        yield (
            "A hand of nothing else "
            + {
                FirstTrickForced.ANY: "throws any card.",
                FirstTrickForced.HEARTS: "throws a heart.",
                FirstTrickForced.QUEEN: "throws the queen of spades.",
                FirstTrickForced.REDEAL: "is dealt anew, three times at most.",
            }[rules.first_trick_forced]
        )
    yield from _hearts(rules)
    if rules.decks == 2:
        yield from _duplicates(rules)
    if rules.renege is Renege.PENALISE:
        charge = "hearts" if rules.renege_charge is RenegeCharge.HEARTS else "penalty points"
        yield (
            "A failure to follow suit is warned about; repeated, it stands, and the first "
            f"offender is charged all {charge} of the deal."
        )
    else:
        yield "A failure to follow suit is refused."


def _hearts(rules: RuleSet) -> Iterator[str]:
    if rules.hearts_lead is HeartsLead.FREE:
        yield "Hearts may be led at any time."
        return
    yield (
        "Hearts may not be led until they are broken, by "
        + {
            BreakOn.HEART: "a heart.",
            BreakOn.HEART_OR_QUEEN: "a heart or the queen of spades.",
            BreakOn.ANY_PENALTY: "any penalty card.",
        }[rules.break_on]
    )
    yield (
        "A hand of hearts and the queen of spades "
        + {
            LeadException.ONLY_HEARTS: "must lead the queen before that.",
            LeadException.ONLY_PENALTY: "may lead either before that.",
        }[rules.lead_exception]
    )
    if rules.queen_lead is QueenLead.BROKEN:
        yield "Nor may the queen of spades be led until then."


def _duplicates(rules: RuleSet) -> Iterator[str]:
    yield (
        "Two equal cards in one trick: "
        + {
            Duplicate.CANCEL: "they cancel each other and cannot win.",
            Duplicate.FIRST: "the first ranks higher.",
            Duplicate.LAST: "the last ranks higher.",
        }[rules.duplicate]
    )
    if rules.duplicate is not Duplicate.CANCEL:
        return
    yield "A trick cancelled as a whole goes to the winner of the next; the same seat leads again."
    yield (
        "If it is the last, its cards go to "
        + {
            CancelledLast.LEADER: "its leader.",
            CancelledLast.HIGHEST_PAIR_SECOND: "the later player of its highest pair.",
            CancelledLast.SPLIT_PAIR: "the players of its highest pair in turn.",
            CancelledLast.NOBODY: "nobody.",
        }[rules.cancelled_last]
    )


def _scoring(rules: RuleSet) -> Iterator[str]:
    hearts = {
        HeartPoints.FLAT: "each heart 1",
        HeartPoints.RANK: "each heart its rank (2 to 14)",
        HeartPoints.FACE: "each heart 1, but jack 2, queen 3, king 4, ace 5",
    }[rules.heart_points]
    others = [f"{code(card)} {points}" for card, points in rules.points]
    if rules.joker_points:
        others.append(f"each {code(JOKER)} (joker) {rules.joker_points}")
    yield f"Points: {', '.join([hearts, *others])}. The lowest total wins."
    if rules.no_trick_bonus:
        yield f"A seat that took no trick scores {-rules.no_trick_bonus}, but not in a moon deal."
    yield from _moon(rules)


def _moon(rules: RuleSet) -> Iterator[str]:
    if rules.moon is Moon.OFF:
        yield "Taking every penalty card is nothing special."
        return
    needs = "every penalty card"
    if rules.moon_needs is MoonNeeds.PENALTIES_AND_BONUS:
        needs += " and every bonus card"
    worth = "their points" if rules.moon_points is None else f"{rules.moon_points} points"
    others, own = f"each other seat scores {worth}", "its own total falls by them"
    yield (
        f"Moon, a seat that took {needs}: "
        + {
            Moon.OTHERS: f"{others}.",
            Moon.SELF: f"its own total falls by {worth}.",
            Moon.CHOOSE: f"it chooses: {others}, or {own}.",
            Moon.AUTO: f"{others}; or {own}, where else the game would end without its winning.",
        }[rules.moon]
    )
    if rules.moon is Moon.CHOOSE:
        yield (
            "If it does not choose: "
            + {
                MoonChoiceDefault.AUTO: (
                    "the others score, unless that would end the game without its winning."
                ),
                MoonChoiceDefault.OTHERS: "the others score.",
                MoonChoiceDefault.SELF: "its own total falls.",
            }[rules.moon_choice_default]
        )


def _game(rules: RuleSet) -> Iterator[str]:
    if rules.target is not None:
        word = "reaches" if rules.end is End.REACH else "exceeds"
        yield f"The game ends when a total {word} {rules.target}."
    if rules.max_deals is not None:
        least = "at the latest " if rules.target is not None else ""
        yield f"It ends {least}after {rules.max_deals} deal{'s' if rules.max_deals > 1 else ''}."
    if rules.score_floor is not None:
        yield f"No total falls below {rules.score_floor}."
    if rules.exact is not None:
        effect = "wins" if rules.exact.becomes is None else f"becomes {rules.exact.becomes}"
        yield f"A total of exactly {rules.exact.score} {effect}."
    yield {
        Tie.SHARE: "Seats with the lowest total share the first place.",
        Tie.PLAY_ON: "A tie for the lowest total is played on until one seat alone has it.",
    }[rules.tie]


_PARTS: Final[tuple[tuple[str, Callable[[RuleSet], Iterator[str]]], ...]] = (
    ("Table", _table),
    ("Pass", _passing),
    ("Play", _play),
    ("Points", _scoring),
    ("Game", _game),
)
