"""The rules of one game as data: a frozen `Rules`, checked when made, and the record that the kernels read.

Field names and values are those of the rules page; numbers such as A2 or F4 point into it.
"""

from __future__ import annotations

import dataclasses
import json
from functools import cached_property
from typing import Any, Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rk_env import cards
from rk_env.errors import CardError, RulesError

RULES_VERSION: Final = 1
"""Grows whenever the same settings and seed can lead to another game."""

MAX_SEATS: Final = 11
"""Seats a record has room for (two decks, X1)."""

MIN_PLAYERS: Final = 3
MAX_PLAYERS: Final = 6
N_PASSED: Final = 3
"""Cards that each seat passes (C1)."""

Opening = Literal["standard", "two_of_clubs", "lowest_club"]
FirstTrick = Literal["every", "only_2c", "off", "strict"]
Passing = Literal["cycle", "left", "none"]
Moon = Literal["old", "new"]
MoonValue = Literal["deal", "fixed26"]
Ties = Literal["share"]
Revokes = Literal["prevented"]

FIRST_TRICK_EVERY, FIRST_TRICK_ONLY_2C, FIRST_TRICK_OFF, FIRST_TRICK_STRICT = range(4)
PASSING_CYCLE, PASSING_LEFT, PASSING_NONE = range(3)
MOON_OLD, MOON_NEW = range(2)
DEALER_DRAW, DEALER_RANDOM = -1, -2

RULES: Final = np.dtype(
    (
        np.record,
        [
            ("players", "i1"),
            ("first_dealer", "i1"),  # a seat, DEALER_DRAW or DEALER_RANDOM
            ("deck", "u8", (MAX_SEATS + 1,)),  # cards in the deck, by seats in play (A2-A5, H7)
            ("hand_size", "i1", (MAX_SEATS + 1,)),  # cards a seat is dealt, by seats in play
            ("opening_card", "i1", (MAX_SEATS + 1,)),  # card whose holder must lead it, or -1: eldest (D1-D3)
            ("across", "i1", (MAX_SEATS + 1,)),  # seats to the left that "across" passes (C3)
            ("deal_points", "i2", (MAX_SEATS + 1,)),  # penalty points in the deck
            ("moon_value", "i2", (MAX_SEATS + 1,)),  # V (F4)
            ("penalty", "u8"),  # every card that can be a penalty card: all hearts and the black card
            ("black", "u8"),  # bitboard of the black card
            ("black_points", "i2"),
            ("bonus", "u8"),  # bitboard of the bonus cards
            ("open_with_heart", "u1"),
            ("first_trick", "i1"),
            ("queen_breaks_hearts", "u1"),
            ("heart_instead_of_queen", "u1"),
            ("passing", "i1"),
            ("moon", "i1"),
            ("moon_needs_bonus", "u1"),
            ("target", "i4"),
            ("max_hands", "i4"),  # 0: no limit
        ],
    )
)
"""What the kernels read of `Rules`. What depends on how many seats are in play is indexed by their number."""

_REMOVED: Final = {5: "2C 2S", 6: "2C 2D 2S 2H"}
_BLACK_POINTS: Final = {"QS": 13, "JS": 10}
_BONUS_CARDS: Final = ("JD", "10D")
BONUS_POINTS: Final = -10


@dataclasses.dataclass(frozen=True, kw_only=True)
class Rules:
    """Settings of a game of Rickety Kate; every combination that constructs is playable.

    Raises:
        RulesError: when a field has a value that is not allowed, or the fields make no game.

    >>> Rules(players=5).hand_size
    10
    >>> Rules(players=7)
    Traceback (most recent call last):
    rk_env.errors.RulesError: players=7 is not allowed; allowed: 3, 4, 5, 6
    """

    players: int = 4
    """Seats at the table, 3 to 6 (A1)."""
    decks: int = 1
    """Decks shuffled together. Two-deck games are not part of this version."""
    first_dealer: str | int = "draw"
    """"draw": lowest card deals (B1, B2); "random"; or a seat. Episodes of one hand draw the dealer evenly instead of a
    seat."""
    remove_for_three: str = "2D"
    """The card left out with three players: "2D", "2C" or "2S" (A2)."""
    opening: Opening = "standard"
    """Who leads to trick one: "standard" (four players: 2C; others: eldest), "two_of_clubs", "lowest_club" (D1-D3)."""
    open_with_heart: bool = False
    """Eldest may lead a heart to trick one (D4)."""
    first_trick: FirstTrick = "every"
    """When penalty cards may not be discarded on trick one: "every", "only_2c", "off", "strict" (D5-D8)."""
    queen_breaks_hearts: bool = False
    """The black card, however it is played, breaks hearts too (E4)."""
    heart_instead_of_queen: bool = False
    """A leader with only hearts and the black card may lead a heart (E6)."""
    passing: Passing = "cycle"
    """"cycle" (left, right, across, none), always "left", or "none" (C2, C6, C7)."""
    across_seats: int | None = None
    """Seats to the left in hand 3 of the cycle; None is half the players, rounded down (C3)."""
    moon: Moon = "old"
    """"old": the others score; "new": the shooter chooses (F3, F6)."""
    moon_value: MoonValue = "deal"
    """What a moon is worth: the penalty points in the "deal", or "fixed26" (F4)."""
    moon_needs_bonus: bool = False
    """A moon needs the bonus cards too (F10)."""
    bonus_cards: tuple[str, ...] = ()
    """Cards worth -10: "JD", "10D", or both (V2-V4)."""
    black_card: str = "QS"
    """"QS" worth 13, or "JS" worth 10 (V5)."""
    target: int = 100
    """The game ends after a hand that brings a total to this or more (H1)."""
    ties: Ties = "share"
    """Equal lowest totals "share" the win. Play-offs are not part of this version."""
    max_hands: int | None = None
    """The game ends after this many hands at the latest (H9); None is no limit."""
    revokes: Revokes = "prevented"
    """Illegal plays are refused (G1). Corrected and exposed revokes are not part of this version."""

    def __post_init__(self) -> None:
        _check_choice("players", self.players, range(MIN_PLAYERS, MAX_PLAYERS + 1))
        _check_choice("decks", self.decks, (1,))
        _check_choice("first_dealer", self.first_dealer, ("draw", "random", *range(self.players)))
        _check_choice("remove_for_three", self.remove_for_three, ("2D", "2C", "2S"))
        _check_choice("opening", self.opening, get_args(Opening))
        _check_choice("first_trick", self.first_trick, get_args(FirstTrick))
        _check_choice("passing", self.passing, get_args(Passing))
        _check_choice("across_seats", self.across_seats, (None, *range(1, self.players)))
        _check_choice("moon", self.moon, get_args(Moon))
        _check_choice("moon_value", self.moon_value, get_args(MoonValue))
        _check_choice("black_card", self.black_card, tuple(_BLACK_POINTS))
        _check_choice("ties", self.ties, get_args(Ties))
        _check_choice("revokes", self.revokes, get_args(Revokes))
        for name in ("open_with_heart", "queen_breaks_hearts", "heart_instead_of_queen", "moon_needs_bonus"):
            _check_choice(name, getattr(self, name), (False, True))
        object.__setattr__(self, "bonus_cards", _checked_bonus_cards(self.bonus_cards))
        _check_count("target", self.target)
        if self.max_hands is not None:
            _check_count("max_hands", self.max_hands)
        if self.moon_needs_bonus and not self.bonus_cards:
            raise RulesError("moon_needs_bonus=True needs bonus_cards, such as ('JD',)")

    @property
    def hand_size(self) -> int:
        """Cards each seat is dealt when all are in play."""
        return int(self.deck_bb(self.players)).bit_count() // self.players

    @property
    def deck(self) -> list[int]:
        """Card indices of the deck when all seats are in play, lowest first."""
        return cards.bitboard_cards(self.deck_bb(self.players))

    def deck_bb(self, in_play: int) -> np.uint64:
        """Return the bitboard of the deck for a number of seats in play (A2-A5; two seats, H7: the full deck)."""
        removed = self.remove_for_three if in_play == 3 else _REMOVED.get(in_play, "")
        return cards.FULL_DECK_BB & ~cards.bitboard(removed)

    @cached_property
    def array(self) -> NDArray[np.void]:
        """The rules as a read-only array of one `RULES` record, shape (1,), as compiled functions take them."""
        return np.frombuffer(_record_array(self).tobytes(), RULES)  # over bytes: nobody can make it writeable

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain values, ready for JSON."""
        return dataclasses.asdict(self) | {"bonus_cards": list(self.bonus_cards)}

    @classmethod
    def from_dict(cls, fields: dict[str, Any]) -> Rules:
        """Build rules from `to_dict`'s values; fields left out take their defaults.

        Raises:
            RulesError: when a field is unknown or not allowed.
        """
        unknown = set(fields) - {field.name for field in dataclasses.fields(cls)}
        if unknown:
            raise RulesError(f"unknown fields {sorted(unknown)}; Rules has {[f.name for f in dataclasses.fields(cls)]}")
        return cls(**fields)

    @classmethod
    def from_json(cls, text: str) -> Rules:
        """Build rules from a JSON object.

        Raises:
            RulesError: when `text` is not a JSON object, or a field is unknown or not allowed.
        """
        return cls.from_dict(rules_fields(text))

    def to_json(self) -> str:
        """Return the fields as a JSON object on one line."""
        return json.dumps(self.to_dict())

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}


def rules_fields(text: str) -> dict[str, Any]:
    """Return the fields of a JSON object, unchecked.

    Raises:
        RulesError: when `text` is not a JSON object.
    """
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RulesError(f"not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise RulesError(f"a JSON object of fields is needed, not {text!r}")
    return fields


def _check_choice(name: str, value: object, allowed: Any) -> None:
    if not any(type(value) is type(choice) and value == choice for choice in allowed):
        raise RulesError(f"{name}={value!r} is not allowed; allowed: {', '.join(map(repr, allowed))}")


def _check_count(name: str, value: object) -> None:
    if type(value) is not int or not 1 <= value <= 1_000_000:
        raise RulesError(f"{name}={value!r} is not allowed; allowed: a whole number 1 to 1,000,000")


def _checked_bonus_cards(given: Any) -> tuple[str, ...]:
    if isinstance(given, str) or not isinstance(given, (tuple, list)):
        raise RulesError(f"bonus_cards={given!r} is not allowed; give a tuple of card texts, such as ('JD',)")
    try:
        texts = [cards.card_text(card) for card in cards.parse_cards(given)]
    except CardError as error:
        raise RulesError(f"bonus_cards={given!r}: {error}") from error
    if len(set(texts)) < len(texts) or not set(texts) <= set(_BONUS_CARDS):
        raise RulesError(f"bonus_cards={given!r} is not allowed; allowed: {', '.join(_BONUS_CARDS)}, each at most once")
    return tuple(text for text in _BONUS_CARDS if text in texts)


def _record_array(rules: Rules) -> NDArray[np.void]:
    array = np.zeros(1, RULES)
    record = array[0]
    black = cards.bitboard(rules.black_card)
    record.players = rules.players
    named_dealers: dict[str | int, str | int] = {"draw": DEALER_DRAW, "random": DEALER_RANDOM}
    record.first_dealer = named_dealers.get(rules.first_dealer, rules.first_dealer)
    record.penalty = cards.HEARTS_BB | black
    record.black = black
    record.black_points = _BLACK_POINTS[rules.black_card]
    record.bonus = cards.bitboard(rules.bonus_cards)
    record.first_trick = get_args(FirstTrick).index(rules.first_trick)
    record.passing = get_args(Passing).index(rules.passing)
    record.moon = get_args(Moon).index(rules.moon)
    record.target = rules.target
    record.max_hands = rules.max_hands or 0
    for name in ("open_with_heart", "queen_breaks_hearts", "heart_instead_of_queen", "moon_needs_bonus"):
        record[name] = getattr(rules, name)
    for in_play in range(2, MAX_PLAYERS + 1):
        _fill_for_seats_in_play(record, rules, in_play)
    return array


def _fill_for_seats_in_play(record: Any, rules: Rules, in_play: int) -> None:
    deck = rules.deck_bb(in_play)
    points = int(deck & cards.HEARTS_BB).bit_count() + _BLACK_POINTS[rules.black_card]
    record.deck[in_play] = deck
    record.hand_size[in_play] = int(deck).bit_count() // in_play
    record.opening_card[in_play] = _opening_card(rules, in_play, deck)
    record.across[in_play] = (rules.across_seats or in_play // 2) if in_play == rules.players else in_play // 2
    record.deal_points[in_play] = points
    record.moon_value[in_play] = points if rules.moon_value == "deal" else 26


def _opening_card(rules: Rules, in_play: int, deck: np.uint64) -> int:
    """Return the card whose holder must lead it to trick one, or NO_CARD when eldest leads (D1-D3)."""
    if rules.opening == "lowest_club":
        return cards.bitboard_cards(deck)[0]
    wants_two = rules.opening == "two_of_clubs" or in_play in (2, 4)
    has_two = bool(deck & cards.CARDS_BB[cards.TWO_OF_CLUBS])
    return cards.TWO_OF_CLUBS if wants_two and has_two else cards.NO_CARD
