"""A game as one NumPy record.

Shape alphabet used throughout: B games, P seats, T tricks, C = 52 cards.

`GAME` has room for 11 seats, two copies of every card, play-offs of two seats with 26 tricks, and revokes, so that a
record's layout does not change with the rules; what one-deck games do not use stays zero. A set of cards with copies is
two bitboard planes: plane 0 holds the cards of which there is a copy, plane 1 those of which there are both.

A batch of games is an array of shape (B,) of this dtype: clone, index, compare and save it with plain NumPy.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import numpy as np

from rk_env.settings import MAX_SEATS, N_PASSED

MAX_TRICKS: Final = 26
MAX_PLAYS: Final = 104
N_ACTIONS: Final = 54
ACTION_MOON_ADD: Final = 52
"""The shooter's choice: the others score the moon (F6)."""
ACTION_MOON_SUBTRACT: Final = 53
"""The shooter's choice: the moon is taken off the shooter's own score (F6)."""
NO_ACTION: Final = -1
"""The action of a game in which nobody is to act."""
NO_SEAT: Final = -1


class Phase(IntEnum):
    """What a game waits for."""

    PASS = 0
    """The seat to act picks a card to pass; three picks in a row, then the next seat (C1)."""
    PLAY = 1
    """The seat to act plays a card."""
    MOON = 2
    """The shooter chooses between adding and subtracting (F6)."""
    HAND_OVER = 3
    """The hand is scored; `next_hand` deals the next."""
    GAME_OVER = 4
    """The game has ended (H1)."""


PASS, PLAY, MOON, HAND_OVER, GAME_OVER = (int(phase) for phase in Phase)
"""The phases as plain integers, for compiled code."""

GAME: Final = np.dtype(
    (
        np.record,
        [
            # What every step reads, side by side, since memory is fetched in lines of 64 bytes. Who is to do what:
            ("phase", "i1"),
            ("turn", "i1"),  # seat to act; -1: nobody
            ("in_play", "u2"),  # bit s: seat s is in this hand (all, outside play-offs)
            ("n_in_play", "i1"),
            ("pass_seats", "i1"),  # seats to the left that cards are passed; 0: no pass (C2)
            ("n_picks", "i1"),  # picks made by all seats together
            # The trick on the table, and what is known of the seats by it:
            ("leader", "i1"),  # seat that leads, or led, the trick on the table; -1 before the first lead is known
            ("trick", "i1"),  # tricks completed
            ("n_table", "i1"),  # cards on the table
            ("led_suit", "i1"),  # of the trick on the table; -1 before the lead
            ("table", "i1", (MAX_SEATS,)),  # card each seat has in the trick on the table; -1: none
            ("hearts_broken", "u1"),
            ("opened_with_2c", "u1"),  # the lead to trick one was the two of clubs
            ("voids", "u1", (MAX_SEATS,)),  # bit s: the seat failed to follow suit s, and no revoke was found in that
            ("n_plays", "i1"),  # cards played in this hand
            # The cards; a view blanks what its observer may not know:
            ("hands", "u8", (MAX_SEATS, 2)),  # cards each seat holds; blank: 0
            ("plays", "i1", (MAX_PLAYS,)),  # cards in order of play; -1 beyond n_plays
            ("play_seats", "i1", (MAX_PLAYS,)),  # who played them
            ("captured", "u8", (MAX_SEATS, 2)),  # cards each seat has taken
            ("points", "i2", (MAX_SEATS,)),  # penalty points each seat has captured
            # The rest of the hand:
            ("took_back", "i1", (MAX_PLAYS,)),  # card shown and taken back before each play (G2); -1: none
            ("winners", "i1", (MAX_TRICKS,)),  # who took each completed trick; -1: nobody (X6), or not yet
            ("waiting", "u8", (2,)),  # cards of cancelled tricks that the next winner takes (X6)
            ("kitty_taker", "i1"),  # who took the kitty; -1: nobody
            ("revokes", "u2", (MAX_SEATS,)),  # revokes found in this hand, however often it was dealt again (G2-G4)
            ("shooter", "i1"),  # seat that shot the moon; -1: nobody, or not yet
            ("scores", "i2", (MAX_SEATS,)),  # the hand's scores, once the hand is over
            # The rest of what is hidden from some or all:
            ("kitty", "u8", (2,)),  # leftover cards, until the end of play moves them to their taker (X2); blank: 0
            ("passed", "i1", (MAX_SEATS, N_PASSED)),  # cards each seat passes: as picked, sorted once passed; blank: -1
            ("seed", "u8"),  # the game's own randomness; blank: 0
            ("observer", "i1"),  # seat whose view this record is; -1: the full game
            # The game:
            ("totals", "i4", (MAX_SEATS,)),  # points before this hand until it is over, then with it
            ("hand_number", "i4"),  # 1 for the first hand of a game
            ("first_hand", "i4"),  # hand number at which this record's game began
            ("redeal", "i2"),  # times this hand was dealt again (B6)
            ("dealer", "i1"),
            ("playoff", "i2"),  # 1 for the first play-off hand; 0 in the main game (H4)
            ("places", "i1", (MAX_SEATS,)),  # seats ahead of this one once the main game has ended (H6); 0 before
        ],
    )
)
