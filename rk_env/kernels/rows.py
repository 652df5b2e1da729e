"""Rows of numbers: setting cards and copies of cards in them, and seats relative to an observer."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rk_env.jit import kernel
from rk_env.kernels.bits import EMPTY, ONE, lowest

PLAY_ORDERS: Final = np.array([[0.0] * 104, *(np.arange(1, 105) / (52 * d) for d in (1, 2))], np.float32)
"""PLAY_ORDERS[decks]: the `play_order` of the first, second, ... card played."""
PER_COPY: Final = np.array([0, 1, 1 / 2], np.float32)
"""PER_COPY[decks]: what one copy of a card adds to a block of cards."""
PER_POINT: Final = np.array([0, 1 / 26, 1 / 52], np.float32)
"""PER_POINT[decks]: what a penalty point adds to a block of points."""

Row = NDArray[np.float32]
Seats = NDArray[np.int64]


@kernel
def put(row: Row, index: int, value: float | np.float32) -> None:
    """Set row[index]; an unsigned index needs no check for counting from the end."""
    row[np.uint64(index)] = value


@kernel
def set_cards(row: Row, start: int, bb: np.uint64, value: np.float32) -> None:
    """Set row[start + card] for each card of a bitboard."""
    while bb != EMPTY:
        put(row, start + lowest(bb), value)
        bb &= bb - ONE


@kernel
def set_copies(row: Row, start: int, planes: Any, r: Any) -> None:
    """Set row[start + card] to copies / decks for a set of cards given as two planes."""
    set_cards(row, start, planes[0], PER_COPY[r.decks])
    if r.decks == 2:
        set_cards(row, start, planes[1], np.float32(1.0))


@kernel
def add_copy(row: Row, index: int, r: Any) -> None:
    """Count one more copy of a card at row[index]."""
    if r.decks == 1:
        put(row, index, np.float32(1.0))
    else:
        row[np.uint64(index)] += PER_COPY[r.decks]


@kernel
def relative(r: Any, seat: int, me: int) -> int:
    """Return how many seats to the left of `me` a seat sits."""
    players = int(r.players)  # read before the choice, which then compiles without a branch
    away = int(seat) - int(me)
    return away + players if away < 0 else away
