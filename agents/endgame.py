"""Last tricks solved: every line of play of a hand whose cards are all known, each seat after its own payoff (max^n).

Luckhardt and Irani, "An Algorithmic Solution of N-Person Games", AAAI 1986. Cards that lie side by side once those
played are left out are tried once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.parts import decide
from agents.playout import act_on
from rk_env.jit import kernel, routine
from rk_env.kernels.bits import BITS, EMPTY, ONE, lowest, suit_of
from rk_env.kernels.play import legal_plays
from rk_env.kernels.scoring import payoff
from rk_env.state import HAND_OVER, PLAY

Games = NDArray[np.void]
Values = NDArray[np.float64]


@routine
def solve(line: Games, left: NDArray[np.uint64], values: Values, r: Any) -> None:
    """Fill `values[0]` (P,) with the seats' payoffs when `line[0]` is played out by all as well as they can.

    Depth by depth and back, not by calls of itself: compiled functions that call themselves do not survive the cache.

    Args:
        line: the game, and room for one more for each card left to play, (N,).
        left: room to work, (N,).
        values: room to work, (N, P).
        r: the rules.
    """
    depth = 0
    begin_node(line, left, values, depth, r)
    while True:
        if left[depth] != EMPTY:
            action = lowest(left[depth])
            left[depth] &= left[depth] - ONE
            line[depth + 1] = line[depth]
            act_on(line[depth + 1], r, action)
            depth += 1
            begin_node(line, left, values, depth, r)
        elif depth == 0:
            return
        else:
            depth -= 1
            seat = int(line[depth].turn)
            if values[depth + 1, seat] > values[depth, seat]:
                values[depth] = values[depth + 1]


@kernel
def begin_node(line: Games, left: NDArray[np.uint64], values: Values, depth: int, r: Any) -> None:
    """Note what may be done in a game, or, when the hand is over, its payoffs."""
    g = line[depth]
    left[depth] = EMPTY
    if g.phase >= HAND_OVER:
        for seat in range(r.players):
            values[depth, seat] = payoff(g, r, seat)
        return
    values[depth, :] = -np.inf
    if g.phase == PLAY:
        left[depth] = distinct(g, r, legal_plays(g, r))
    else:
        left[depth] = BITS[decide(g, r, 0, 0, np.uint64(0))]


@kernel
def distinct(g: Any, r: Any, cards: np.uint64) -> np.uint64:
    """Return the cards of a hand that differ: of plain cards with none of another seat between them, the lowest."""
    others = EMPTY
    for seat in range(r.players):
        if seat != g.turn:
            others |= g.hands[seat, 0]
        if g.table[seat] >= 0:
            others |= BITS[g.table[seat]]
    special = r.black | r.bonus | g.hands[g.turn, 1]
    kept = EMPTY
    below = -1
    left = cards
    while left != EMPTY:
        card = lowest(left)
        left &= left - ONE
        if below < 0 or not is_next(card, below, others, special):
            kept |= BITS[card]
        below = card
    return kept


@kernel
def is_next(card: int, below: int, others: np.uint64, special: np.uint64) -> bool:
    """Tell whether a card is as good as one below it: same suit, nothing of another seat between, both plain."""
    if suit_of(card) != suit_of(below) or (BITS[card] | BITS[below]) & special:
        return False
    return (BITS[card] - BITS[below]) & others == EMPTY
