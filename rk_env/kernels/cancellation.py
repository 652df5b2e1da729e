"""Rules X: two decks: cards that cancel each other, tricks that wait for a winner, and the kitty."""

from __future__ import annotations

from typing import Any

import numpy as np

from rk_env.jit import kernel
from rk_env.kernels.bits import BITS, EMPTY, SUITS_BB, highest
from rk_env.kernels.copies import both_of
from rk_env.kernels.values import penalty_points


@kernel
def winner_of_uncancelled(g: Any, r: Any) -> int:
    """X4, X6: return who has the highest card of the led suit that lies on the table once; -1 when no card does."""
    once = EMPTY
    twice = EMPTY
    for seat in range(r.players):
        if g.table[seat] >= 0:
            twice |= once & BITS[g.table[seat]]
            once |= BITS[g.table[seat]]
    alone = once & ~twice & SUITS_BB[g.led_suit]
    if alone == EMPTY:
        return -1
    best = highest(alone)
    winner = -1
    for seat in range(r.players):
        if g.table[seat] == best:
            winner = seat
    return winner


@kernel
def take_waiting(g: Any, r: Any, winner: int) -> int:
    """X5-X7: lay the trick to the cards that wait; the winner takes them all, and the kitty if it is still there.

    Returns:
        The winner; of a last trick without one its leader; -1 when the cards go on waiting.
    """
    for seat in range(r.players):
        if g.table[seat] >= 0:
            bit = BITS[g.table[seat]]
            g.waiting[1] |= g.waiting[0] & bit
            g.waiting[0] |= bit
            g.table[seat] = -1
    if winner < 0 and g.trick + 1 == r.hand_size[g.n_in_play]:
        winner = int(g.leader)
    if winner >= 0:
        capture(g, r, winner, g.waiting[0], g.waiting[1])
        g.waiting[0] = EMPTY
        g.waiting[1] = EMPTY
        if g.kitty_taker < 0 and r.gives_kitty[g.n_in_play]:
            g.kitty_taker = winner
    return winner


@kernel
def capture(g: Any, r: Any, seat: int, cards: np.uint64, twice: np.uint64) -> None:
    """X5: add a set of cards, as two planes, to those that a seat has taken; every copy scores."""
    g.captured[seat, 1] = both_of(g.captured[seat, 0], cards, g.captured[seat, 1], twice)
    g.captured[seat, 0] |= cards
    g.points[seat] += penalty_points(r, cards) + penalty_points(r, twice)


@kernel
def open_kitty(g: Any, r: Any) -> None:
    """X3: at the end of play the kitty's cards are its taker's like any other."""
    if g.kitty_taker >= 0:
        capture(g, r, g.kitty_taker, g.kitty[0], g.kitty[1])
        g.kitty[0] = EMPTY
        g.kitty[1] = EMPTY
