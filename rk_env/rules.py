"""The rules of one game as data: a frozen `Rules`, checked when made.

Field names and values are those of the rules page; numbers such as A2 or F4 point into it.
"""

from __future__ import annotations

import dataclasses
import json
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rk_env import cards, settings
from rk_env import decks as all_decks
from rk_env.arguments import check_choice
from rk_env.decks import Planes
from rk_env.errors import CardError, RulesError
from rk_env.presets import PRESETS
from rk_env.rule_sheet import sheet_text
from rk_env.rules_record import RULES, record_array

RULES_VERSION: Final = 2
"""Grows whenever the same settings and seed can lead to another game."""


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Rules:
    """Settings of a game of Rickety Kate; every combination that constructs is playable.

    Raises:
        RulesError: when a field has a value that is not allowed, or the fields make no game.

    `repr` shows the fields that differ from the default; `print` shows the rules as a readable sheet.

    >>> Rules(players=5).hand_size
    10
    >>> Rules(players=7)
    Traceback (most recent call last):
    rk_env.errors.RulesError: players=7 is not allowed with decks=1; allowed: 3 to 6, or decks=2
    """

    players: int = 4
    """Seats at the table: 3 to 6, with two decks 6 to 11 (A1, X1)."""
    decks: int = 1
    """Decks shuffled together: 2 is Cancellation (X)."""
    first_dealer: str | int = "draw"
    """"draw": lowest card deals (B1, B2); "random"; or a seat. Episodes of one hand draw the dealer evenly instead of a
    seat."""
    remove_for_three: str = "2D"
    """The card left out with three players: "2D", "2C" or "2S" (A2)."""
    leftover: settings.Leftover = "kitty"
    """With two decks, cards that cannot be dealt evenly lie in a "kitty", or are taken out before: "strip" (X2)."""
    opening: settings.Opening = "standard"
    """Who leads to trick one: "standard" (four players: 2C; others: eldest), "two_of_clubs", "lowest_club" (D1-D3)."""
    open_with_heart: bool = False
    """Eldest may lead a heart to trick one (D4)."""
    first_trick: settings.FirstTrick = "every"
    """When penalty cards may not be discarded on trick one: "every", "only_2c", "off", "strict" (D5-D8)."""
    queen_breaks_hearts: bool = False
    """The black card, however it is played, breaks hearts too (E4)."""
    heart_instead_of_queen: bool = False
    """A leader with only hearts and the black card may lead a heart (E6)."""
    passing: settings.Passing = "cycle"
    """"cycle" (left, right, across, none), always "left", or "none" (C2, C6, C7)."""
    across_seats: int | None = None
    """Seats to the left in hand 3 of the cycle; None is half the players, rounded down (C3)."""
    moon: settings.Moon = "old"
    """"old": the others score; "new": the shooter chooses (F3, F6)."""
    moon_value: settings.MoonValue = "deal"
    """What a moon is worth: the penalty points in the "deal", or "fixed26" (F4)."""
    moon_needs_bonus: bool = False
    """A moon needs the bonus cards too (F10)."""
    bonus_cards: tuple[str, ...] = ()
    """Cards worth -10: "JD", "10D", or both (V2-V4)."""
    black_card: str = "QS"
    """"QS" worth 13, or "JS" worth 10 (V5)."""
    revokes: settings.Revokes = "prevented"
    """Failing to follow suit: "prevented", "corrected" at once, or "exposed" by a later card (G1-G3)."""
    late_revoke: settings.LateRevoke = "play_on"
    """After an exposed revoke "play_on", or "replay" the hand (G3, G4)."""
    target: int = 100
    """The game ends after a hand that brings a total to this or more (H1)."""
    ties: settings.Ties = "playoff"
    """Seats with equal lowest totals play on among themselves ("playoff"), or "share" the win (H4)."""
    playoff_compare: settings.PlayoffCompare = "score"
    """A play-off goes by the hand's "score", or by the points "captured" (H5)."""
    playoff_pass: settings.PlayoffPass = "continue"  # noqa: S105  # cards are passed, not words
    """In play-offs the pass cycle "continue"s, there is "none", or it "restart"s (C8)."""
    two_hand_deal: int = 26
    """Cards each in a play-off of two: 26, or 13 with the rest set aside (H7)."""
    max_hands: int | None = None
    """The game ends after this many hands at the latest (H9); None is no limit."""

    def __post_init__(self) -> None:
        self._check_players()
        object.__setattr__(self, "bonus_cards", _checked_bonus_cards(self.bonus_cards))
        for name, allowed in settings.allowed_values(self.players).items():
            check_choice(name, getattr(self, name), allowed)
        _check_count("target", self.target)
        if self.max_hands is not None:
            _check_count("max_hands", self.max_hands)
        if self.moon_needs_bonus and not self.bonus_cards:
            raise RulesError("moon_needs_bonus=True needs bonus_cards, such as ('JD',)")

    def _check_players(self) -> None:
        """A1, X1: one deck is for 3 to 6 players, two decks are for 6 to 11."""
        check_choice("decks", self.decks, tuple(settings.PLAYERS_OF_DECKS))
        here, other = settings.PLAYERS_OF_DECKS[self.decks], 3 - self.decks
        if type(self.players) is int and self.players not in here and self.players in settings.PLAYERS_OF_DECKS[other]:
            raise RulesError(
                f"players={self.players} is not allowed with decks={self.decks}; allowed: "
                f"{here.start} to {here.stop - 1}, or decks={other}"
            )
        check_choice("players", self.players, here)

    @classmethod
    def preset(cls, name: str, **fields: Any) -> Rules:
        """Return rules known by a name, with other fields changed.

        Raises:
            RulesError: when no preset has this name, or a field is not allowed.

        >>> Rules.preset("black_jack", players=6)
        Rules(players=6, black_card='JS')
        """
        if not isinstance(name, str) or name not in PRESETS:
            raise RulesError(f"no preset is called {name!r}; presets are {', '.join(PRESETS)}")
        return cls.from_dict(PRESETS[name] | fields)

    @property
    def hand_size(self) -> int:
        """Cards each seat is dealt when all are in play."""
        return self.hand_size_of(self.players)

    @property
    def deck(self) -> list[int]:
        """Card indices of the deck when all seats are in play, lowest first; of two decks the second copies follow."""
        return all_decks.deck_cards(self.deck_planes(self.players))

    def hand_size_of(self, in_play: int) -> int:
        """Return the cards each seat is dealt with a number of seats in play.

        Raises:
            RulesError: when no hand of these rules has so many, 2 to `players`.
        """
        return all_decks.hand_size(self.deck_planes(in_play), in_play, self.two_hand_deal)

    def deck_planes(self, in_play: int) -> Planes:
        """Return the deck for a number of seats in play (A2-A5, H7, X2): bitboards of first and second copies.

        Raises:
            RulesError: when no hand of these rules has so many, 2 to `players`.
        """
        check_choice("in_play", in_play, range(2, self.players + 1))
        return all_decks.deck_planes(
            in_play, decks=self.decks, remove_for_three=self.remove_for_three, leftover=self.leftover
        )

    @cached_property
    def array(self) -> NDArray[np.void]:
        """The rules as a read-only array of one `RULES` record, shape (1,), as compiled functions take them."""
        return np.frombuffer(record_array(self).tobytes(), RULES)  # over bytes: nobody can make it writeable

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain values, ready for JSON."""
        return dataclasses.asdict(self) | {"bonus_cards": list(self.bonus_cards)}

    @classmethod
    def from_dict(cls, fields: dict[str, Any]) -> Rules:
        """Build rules from `to_dict`'s values; fields left out take their defaults.

        Raises:
            RulesError: when a field is unknown or not allowed.
        """
        if not isinstance(fields, dict) or not all(isinstance(name, str) for name in fields):
            raise RulesError(f"{fields!r} is no dictionary of fields by their names")
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

    def sheet(self) -> str:
        """Return all rules in force as text to read, with their numbers; `print(rules)` shows the same."""
        return sheet_text(self)

    def __str__(self) -> str:
        return self.sheet()

    def __repr__(self) -> str:
        changed = [f for f in dataclasses.fields(self) if getattr(self, f.name) != f.default]
        return f"Rules({', '.join(f'{f.name}={getattr(self, f.name)!r}' for f in changed)})"

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}


def rules_fields(text: str) -> dict[str, Any]:
    """Return the fields of a JSON object, unchecked.

    Raises:
        RulesError: when `text` is not a JSON object.
    """
    try:
        fields = json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise RulesError(f"not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise RulesError(f"a JSON object of fields is needed, not {text!r}")
    return fields


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
    if len(set(texts)) < len(texts) or not set(texts) <= set(settings.BONUS_CARDS):
        raise RulesError(
            f"bonus_cards={given!r} is not allowed; allowed: {', '.join(settings.BONUS_CARDS)}, each at most once"
        )
    return tuple(text for text in settings.BONUS_CARDS if text in texts)
