"""What a view leaves open, as one record: the places where hidden cards lie, their number there, and what they may be.

Places 0 to 10 are the seats, the last is the kitty, or whatever else of the deck was not dealt (H7). A seat whose cards
are known has no room here. Cards that can lie in the same places are of one kind, places that can hold the same kinds
are one row: the deals then are tables of numbers, rows by kinds, with known sums.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from rk_env.settings import MAX_SEATS
from rk_env.state import MAX_PLAYS

KITTY_PLACE: Final = MAX_SEATS
N_PLACES: Final = MAX_SEATS + 1
MAX_KINDS: Final = 8
"""Suits, each in at most two kinds: the black card, the opening card and the led suit may be apart from the rest."""

HIDDEN: Final = np.dtype(
    (
        np.record,
        [
            ("unseen", "u8", (2,)),  # cards that lie somewhere hidden, as two planes; those of `fixed` not among them
            ("n_cards", "i2"),  # how many those are, copies counted
            # By place:
            ("room", "i2", (N_PLACES,)),  # how many of them lie there
            ("allowed", "u8", (N_PLACES,)),  # which cards may lie there
            ("fixed", "u8", (N_PLACES, 2)),  # cards that are known to lie there
            ("played", "u8", (N_PLACES, 2)),  # cards that the seat has played in this hand
            ("row", "i2", (N_PLACES,)),  # its row; -1 where there is no room
            ("need", "u8"),  # one of these, at least, ...
            ("need_place", "i2"),  # ... lies here; -1: nothing of this sort is known
            # By kind; the largest kind is the last:
            ("n_kinds", "i2"),
            ("cards", "i1", (MAX_PLAYS,)),  # the cards, kind by kind, copies twice
            ("kind_size", "i2", (MAX_KINDS,)),
            ("needed_kinds", "u2"),  # bits of the kinds that are needed
            # By row; the largest row is the last:
            ("n_rows", "i2"),
            ("row_size", "i2", (N_PLACES,)),
            ("fits", "u2", (N_PLACES,)),  # bits of the kinds that may lie there
            ("need_row", "i2"),  # -1: nothing of this sort is known
        ],
    )
)
