"""What each setting of the rules may be, the numbers that compiled code knows them by, and the constants of the game.

Numbers such as A2 or F4 point into the rules page.
"""

from __future__ import annotations

from typing import Any, Final, Literal, get_args

MAX_SEATS: Final = 11
"""Seats a record has room for (two decks, X1)."""

PLAYERS_OF_DECKS: Final = {1: range(3, 7), 2: range(6, 12)}
"""Seats at the table, by decks (A1, X1)."""
MIN_PLAYERS: Final = PLAYERS_OF_DECKS[1].start
MAX_PLAYERS: Final = PLAYERS_OF_DECKS[1].stop - 1
"""Seats with one deck, at least and at most."""

N_PASSED: Final = 3
"""Cards that each seat passes (C1)."""
BONUS_POINTS: Final = -10
"""What a bonus card is worth (V2-V4)."""
BLACK_POINTS: Final = {"QS": 13, "JS": 10}
"""What the black card costs (F1, V5)."""
BONUS_CARDS: Final = ("JD", "10D")
REVOKE_POINTS: Final = 13
"""The fine for a revoke (G2)."""
MAX_REPLAYS: Final = 10
"""A hand dealt again so often is not replayed for a revoke (G3), so that every hand ends."""

Opening = Literal["standard", "two_of_clubs", "lowest_club"]
FirstTrick = Literal["every", "only_2c", "off", "strict"]
Passing = Literal["cycle", "left", "none"]
Moon = Literal["old", "new"]
MoonValue = Literal["deal", "fixed26"]
Ties = Literal["playoff", "share"]
Revokes = Literal["prevented", "corrected", "exposed"]
LateRevoke = Literal["play_on", "replay"]
PlayoffCompare = Literal["score", "captured"]
PlayoffPass = Literal["continue", "none", "restart"]
Leftover = Literal["kitty", "strip"]

# The codes are the positions in the lists above.
FIRST_TRICK_EVERY, FIRST_TRICK_ONLY_2C, FIRST_TRICK_OFF, FIRST_TRICK_STRICT = range(4)
PASSING_CYCLE, PASSING_LEFT, PASSING_NONE = range(3)
MOON_OLD, MOON_NEW = range(2)
TIES_PLAYOFF, TIES_SHARE = range(2)
REVOKES_PREVENTED, REVOKES_CORRECTED, REVOKES_EXPOSED = range(3)
LATE_PLAY_ON, LATE_REPLAY = range(2)
COMPARE_SCORE, COMPARE_CAPTURED = range(2)
PLAYOFF_CONTINUE, PLAYOFF_NONE, PLAYOFF_RESTART = range(3)
DEALER_DRAW, DEALER_RANDOM = -1, -2


def allowed_values(players: int) -> dict[str, tuple[Any, ...]]:
    """Return the values that each field of `Rules` with a list of values may have at a table.

    >>> allowed_values(4)["across_seats"]
    (None, 1, 2, 3)
    """
    return {
        "first_dealer": ("draw", "random", *range(players)),
        "remove_for_three": ("2D", "2C", "2S"),
        "leftover": get_args(Leftover),
        "opening": get_args(Opening),
        "open_with_heart": (False, True),
        "first_trick": get_args(FirstTrick),
        "queen_breaks_hearts": (False, True),
        "heart_instead_of_queen": (False, True),
        "passing": get_args(Passing),
        "across_seats": (None, *range(1, players)),
        "moon": get_args(Moon),
        "moon_value": get_args(MoonValue),
        "moon_needs_bonus": (False, True),
        "black_card": tuple(BLACK_POINTS),
        "revokes": get_args(Revokes),
        "late_revoke": get_args(LateRevoke),
        "ties": get_args(Ties),
        "playoff_compare": get_args(PlayoffCompare),
        "playoff_pass": get_args(PlayoffPass),
        "two_hand_deal": (26, 13),
    }
