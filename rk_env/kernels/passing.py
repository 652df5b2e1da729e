"""Rules C: which way cards are passed, picking them, and the exchange."""

from __future__ import annotations

from typing import Any

import numpy as np

from rk_env.jit import kernel
from rk_env.kernels.bits import BITS, ONE, lowest
from rk_env.kernels.seats import is_in_play, left_of, seats_left_of
from rk_env.rules import N_PASSED, PASSING_LEFT, PASSING_NONE


@kernel
def pass_seats_left(g: Any, r: Any) -> int:
    """C2-C7: return how many seats to the left this hand's cards go; 0 is a hold hand."""
    if r.passing == PASSING_NONE:
        return 0
    if r.passing == PASSING_LEFT:
        return 1
    direction = (int(g.hand_number) - 1) % 4
    if direction == 0:
        return 1
    if direction == 1:
        return int(g.n_in_play) - 1
    if direction == 2:
        return int(r.across[g.n_in_play])
    return 0


@kernel
def receiver(g: Any, r: Any, seat: int) -> int:
    """Return the seat that gets what `seat` passes; the seat itself in a hold hand."""
    return seats_left_of(g, r, seat, g.pass_seats)


@kernel
def giver(g: Any, r: Any, seat: int) -> int:
    """Return the seat whose cards `seat` gets; the seat itself in a hold hand."""
    return seats_left_of(g, r, seat, g.n_in_play - g.pass_seats)


@kernel
def picked(g: Any, seat: int) -> np.uint64:
    """Return the bitboard of cards that a seat has picked to pass."""
    bb = np.uint64(0)
    for k in range(N_PASSED):
        if g.passed[seat, k] >= 0:
            bb |= BITS[g.passed[seat, k]]
    return bb


@kernel
def legal_picks(g: Any, r: Any) -> np.uint64:
    """C1: the seat to act may pick any card it was dealt, each once."""
    return g.hands[g.turn, 0] & ~picked(g, g.turn)


@kernel
def pick(g: Any, r: Any, card: int) -> bool:
    """C1: pick a card to pass; return whether this was the last pick of all.

    The card stays in the hand until all seats have picked.
    """
    g.passed[g.turn, g.n_picks % N_PASSED] = card
    g.n_picks += 1
    if g.n_picks % N_PASSED == 0:
        g.turn = left_of(g, r, g.turn)
    return g.n_picks == N_PASSED * g.n_in_play


@kernel
def exchange(g: Any, r: Any) -> None:
    """C1: all passed cards change hands at once, and in what order they were picked is forgotten."""
    for seat in range(r.players):
        if is_in_play(g, seat):
            cards = picked(g, seat)
            g.hands[seat, 0] &= ~cards
            g.hands[receiver(g, r, seat), 0] |= cards
            for k in range(N_PASSED):
                g.passed[seat, k] = lowest(cards)
                cards &= cards - ONE
