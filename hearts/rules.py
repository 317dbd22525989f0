"""Rule sets: every option of the game, checked and resolved.

A `RuleSet` is complete: what was "auto" has its value, so nobody who reads one needs a default.
Build one with `preset` or `RuleSet.from_options`; both refuse what contradicts itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import cache
from typing import Final

from hearts import cards
from hearts.cards import QUEEN_OF_SPADES
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
from hearts.presets import PRESET_OPTIONS

__all__ = [
    "PRESETS",
    "BreakOn",
    "CancelledLast",
    "Duplicate",
    "End",
    "Exact",
    "FirstDealer",
    "FirstTrickForced",
    "FirstTrickPenalty",
    "HeartPoints",
    "HeartsLead",
    "InvalidRules",
    "LeadException",
    "Leftover",
    "LeftoverVisible",
    "Moon",
    "MoonChoiceDefault",
    "MoonNeeds",
    "Opening",
    "QueenLead",
    "Renege",
    "RenegeCharge",
    "RuleSet",
    "Tie",
    "preset",
    "unsupported",
]

#: Names of all presets, in the order of the rules document.
PRESETS: Final[tuple[str, ...]] = tuple(PRESET_OPTIONS)


class InvalidRules(ValueError):
    """A rule set that cannot be played.

    `option` is the option at fault, `value` what was given, `reason` why that is refused, and
    `allowed` what would have been accepted, where that can be listed.
    """

    def __init__(
        self, option: str, value: object, reason: str, allowed: tuple[str, ...] = ()
    ) -> None:
        self.option = option
        self.value = value
        self.reason = reason
        self.allowed = allowed
        text = f"{option} = {value!r}: {reason}"
        super().__init__(f"{text} (allowed: {', '.join(allowed)})" if allowed else text)


@dataclass(frozen=True, slots=True)
class Exact:
    """A total of exactly `score` after a deal becomes `becomes`, or wins when that is None."""

    score: int
    becomes: int | None = None

    @property
    def wins(self) -> bool:
        return self.becomes is None


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One complete set of rules. The defaults are the standard game."""

    #: The preset it came from, or empty for a custom one. For people; never decides anything.
    name: str = ""
    #: Seats, 3 to 10, numbered clockwise from 0.
    players: int = 4
    decks: int = 1
    #: Jokers in the whole pack, 0 to 2.
    jokers: int = 0
    joker_points: int = 0
    #: Cards taken out of the pack, one entry for each copy.
    remove: tuple[int, ...] = ()
    leftover: Leftover = Leftover.FORBID
    leftover_visible: LeftoverVisible = LeftoverVisible.TAKER
    first_dealer: FirstDealer = FirstDealer.RANDOM
    pass_count: int = 3
    #: Offsets to the left for deal after deal; 0 is a hold deal.
    pass_cycle: tuple[int, ...] = (1, -1, 2, 0)
    opening: Opening = Opening.LOW_CLUB
    first_trick_penalty: FirstTrickPenalty = FirstTrickPenalty.BARRED
    first_trick_forced: FirstTrickForced = FirstTrickForced.ANY
    hearts_lead: HeartsLead = HeartsLead.BROKEN
    break_on: BreakOn = BreakOn.HEART
    lead_exception: LeadException = LeadException.ONLY_HEARTS
    queen_lead: QueenLead = QueenLead.FREE
    duplicate: Duplicate = Duplicate.CANCEL
    cancelled_last: CancelledLast = CancelledLast.LEADER
    renege: Renege = Renege.REJECT
    renege_charge: RenegeCharge = RenegeCharge.HEARTS
    #: (card, points) for cards that score besides hearts and jokers, sorted by card.
    points: tuple[tuple[int, int], ...] = ((QUEEN_OF_SPADES, 13),)
    heart_points: HeartPoints = HeartPoints.FLAT
    #: Taken off the points of a seat that took no trick.
    no_trick_bonus: int = 0
    moon: Moon = Moon.OTHERS
    moon_choice_default: MoonChoiceDefault = MoonChoiceDefault.AUTO
    #: What a moon is worth; None: the penalty points in play.
    moon_points: int | None = None
    moon_needs: MoonNeeds = MoonNeeds.PENALTIES
    #: The total that ends the game; None: only `max_deals` does.
    target: int | None = 100
    end: End = End.REACH
    exact: Exact | None = None
    tie: Tie = Tie.SHARE
    max_deals: int | None = None
    #: No total falls below this; None: no floor.
    score_floor: int | None = None

    def __hash__(self) -> int:
        """Of a few telling fields: rule sets are looked up in caches for every deal."""
        return hash((self.name, self.players, self.decks, self.moon, self.points, self.max_deals))

    @classmethod
    def from_options(cls, options: Mapping[str, object], name: str = "") -> "RuleSet":
        """The rule set with these options, as in a tournament file; the rest is default.

        A key "preset" starts from that preset's options instead. Cards are written "QS". Without
        any change the name is the preset's ("standard" for no options at all).
        Raises InvalidRules.
        """
        from hearts.rulecheck import resolve  # it needs this class

        changes = dict(options)
        base = changes.pop("preset", "standard")
        known = _preset_options(base)
        rules = resolve({**known, **changes})
        return replace(rules, name=name or ("" if changes else str(base)))

    @property
    def pack_size(self) -> int:
        return 52 * self.decks + self.jokers - len(self.remove)

    @property
    def hand_size(self) -> int:
        """Cards dealt to each seat."""
        return self.pack_size // self.players

    @property
    def leftover_size(self) -> int:
        """Cards that stay undealt."""
        return self.pack_size % self.players

    def pack(self) -> list[int]:
        """Every card of the game, sorted."""
        return cards.pack(self.decks, self.jokers, self.remove)

    def passes(self, index: int) -> int:
        """The pass offset for the pass index of a deal: to the left, 0 for a hold deal."""
        return self.pass_cycle[index % len(self.pass_cycle)]

    def points_of(self, card: int) -> int:
        """What one copy of a card counts for the seat that takes it."""
        if card == cards.JOKER:
            return self.joker_points
        if cards.suit(card) == cards.HEARTS:
            return _HEART_POINTS[self.heart_points][cards.rank(card)]
        return dict(self.points).get(card, 0)

    def totals_can_fall(self) -> str | None:
        """The option by which a total may fall, or None when it only ever grows."""
        if any(points < 0 for _, points in self.points):
            return "points"
        if self.joker_points < 0:
            return "joker_points"
        if self.no_trick_bonus > 0:
            return "no_trick_bonus"
        if self.moon in (Moon.SELF, Moon.CHOOSE, Moon.AUTO):
            return "moon"
        if self.exact is not None and self.exact.becomes is not None:
            return "exact" if self.exact.becomes < self.exact.score else None
        return None

    def for_deals(self, deals: int) -> "RuleSet":
        """The same rules for a game of a fixed number of deals: no target. At least 1."""
        if deals < 1:
            raise ValueError(f"{deals} deals: at least 1")
        return replace(self, target=None, max_deals=deals)

    def to_options(self) -> dict[str, object]:
        """Every option but the name, in the form `from_options` reads (JSON values only)."""
        result: dict[str, object] = {}
        for field in fields(self):
            if field.name != "name":
                result[field.name] = _plain(field.name, getattr(self, field.name))
        return result

    def differences(self) -> dict[str, object]:
        """The options in which it differs from the default set, resolved, in that form."""
        default = preset("standard").to_options()
        return {key: value for key, value in self.to_options().items() if value != default[key]}


#: Points of a heart by its rank, from 0.
_HEART_POINTS: Final[Mapping[HeartPoints, tuple[int, ...]]] = {
    HeartPoints.FLAT: (1,) * 15,
    HeartPoints.RANK: tuple(range(15)),
    HeartPoints.FACE: (*(1,) * 11, 2, 3, 4, 5),
}


def _plain(option: str, value: object) -> object:
    """One field as a JSON value, in the notation of the rules document."""
    if isinstance(value, StrEnum):
        return value.value
    if option == "moon_points" and value is None:
        return "in_play"
    if option == "remove" and isinstance(value, tuple):
        return [cards.code(card) for card in value]
    if option == "points" and isinstance(value, tuple):
        return {cards.code(card): points for card, points in value}
    if isinstance(value, Exact):
        effect = {"wins": True} if value.becomes is None else {"becomes": value.becomes}
        return {"score": value.score, **effect}
    return list(value) if isinstance(value, tuple) else value


def _preset_options(name: object) -> Mapping[str, object]:
    if not isinstance(name, str) or name not in PRESET_OPTIONS:
        raise InvalidRules("preset", name, "there is no preset of that name", PRESETS)
    return PRESET_OPTIONS[name]


@cache
def preset(name: str) -> RuleSet:
    """The rule set of that name. Raises InvalidRules naming the allowed ones."""
    return RuleSet.from_options({"preset": name})


def unsupported(rules: RuleSet) -> str | None:
    """The option value the engine does not play yet, as "option = value"; None when it plays all.

    Every option of the rules document is played.
    """
    del rules
    return None
