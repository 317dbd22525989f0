"""The named values of the options. docs/rules.md explains each in a player's words."""

from enum import StrEnum


class Leftover(StrEnum):
    """Who gets the cards that do not divide among the seats."""

    FORBID = "forbid"
    DEAD = "dead"
    FIRST_TRICK = "first_trick"
    FIRST_HEART = "first_heart"
    FIRST_PENALTY = "first_penalty"


class LeftoverVisible(StrEnum):
    """Who sees the leftover cards when somebody takes them."""

    TAKER = "taker"
    NEVER = "never"
    ALL = "all"


class FirstDealer(StrEnum):
    """Who deals the first deal."""

    RANDOM = "random"
    LOW_CARD = "low_card"
    SEAT0 = "seat0"


class Opening(StrEnum):
    """Who leads the first trick, and with what."""

    LOW_CLUB = "low_club"
    ANY_CLUB = "any_club"
    ELDEST = "eldest"


class FirstTrickPenalty(StrEnum):
    """Which cards may not be thrown on the first trick."""

    BARRED = "barred"
    FREE = "free"
    QUEEN_BARRED = "queen_barred"


class FirstTrickForced(StrEnum):
    """What a hand of nothing but barred cards may throw then."""

    ANY = "any"
    HEARTS = "hearts"
    QUEEN = "queen"
    REDEAL = "redeal"


class HeartsLead(StrEnum):
    """When hearts may be led."""

    BROKEN = "broken"
    FREE = "free"


class BreakOn(StrEnum):
    """Which card breaks hearts."""

    HEART = "heart"
    HEART_OR_QUEEN = "heart_or_queen"
    ANY_PENALTY = "any_penalty"


class LeadException(StrEnum):
    """What a hand of hearts and the queen of spades may lead before hearts are broken."""

    ONLY_HEARTS = "only_hearts"
    ONLY_PENALTY = "only_penalty"


class QueenLead(StrEnum):
    """When the queen of spades may be led."""

    FREE = "free"
    BROKEN = "broken"


class Duplicate(StrEnum):
    """What two equal cards in one trick do, with two packs."""

    CANCEL = "cancel"
    FIRST = "first"
    LAST = "last"


class CancelledLast(StrEnum):
    """Who takes the cards when the last trick is cancelled as a whole."""

    LEADER = "leader"
    HIGHEST_PAIR_SECOND = "highest_pair_second"
    SPLIT_PAIR = "split_pair"
    NOBODY = "nobody"


class Renege(StrEnum):
    """Whether a failure to follow suit is refused, or stands and is charged."""

    REJECT = "reject"
    PENALISE = "penalise"


class RenegeCharge(StrEnum):
    """Which points of the deal the first offender is charged."""

    HEARTS = "hearts"
    ALL = "all"


class HeartPoints(StrEnum):
    """What each heart counts."""

    FLAT = "flat"
    RANK = "rank"
    FACE = "face"


class Moon(StrEnum):
    """What happens when one seat took every penalty card."""

    OTHERS = "others"
    SELF = "self"
    CHOOSE = "choose"
    AUTO = "auto"
    OFF = "off"


class MoonChoiceDefault(StrEnum):
    """The answer for a shooter who does not choose."""

    AUTO = "auto"
    OTHERS = "others"
    SELF = "self"


class MoonNeeds(StrEnum):
    """Which cards make a moon."""

    PENALTIES = "penalties"
    PENALTIES_AND_BONUS = "penalties_and_bonus"


class End(StrEnum):
    """When a total ends the game."""

    REACH = "reach"
    EXCEED = "exceed"


class Tie(StrEnum):
    """What a tie for the lowest total does at the end."""

    SHARE = "share"
    PLAY_ON = "play_on"
