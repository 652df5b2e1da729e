"""Rules C: which way cards are passed, picking them, and the exchange."""

from __future__ import annotations

from typing import Any

import numpy as np

from rk_env.jit import kernel
from rk_env.kernels.bits import BITS, EMPTY, ONE, lowest
from rk_env.kernels.copies import drop_card, give_card
from rk_env.kernels.seats import is_in_play, left_of, seats_left_of
from rk_env.settings import N_PASSED, PASSING_LEFT, PASSING_NONE, PLAYOFF_NONE, PLAYOFF_RESTART


@kernel
def pass_seats_left(g: Any, r: Any) -> int:
    """C2-C8: return how many seats to the left this hand's cards go; 0 is a hold hand."""
    if r.passing == PASSING_NONE or (g.playoff > 0 and r.playoff_pass == PLAYOFF_NONE):
        return 0
    if r.passing == PASSING_LEFT:
        return 1
    restarts = g.playoff > 0 and r.playoff_pass == PLAYOFF_RESTART
    direction = (int(g.playoff if restarts else g.hand_number) - 1) % 4
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
    """Return the bitboard of cards that a seat has picked to pass, a card picked twice once."""
    bb = EMPTY
    for k in range(N_PASSED):
        if g.passed[seat, k] >= 0:
            bb |= BITS[g.passed[seat, k]]
    return bb


@kernel
def legal_picks_of_copies(g: Any) -> np.uint64:
    """C1: the same with two decks, where two copies are two cards."""
    once = EMPTY
    twice = EMPTY
    for k in range(N_PASSED):
        if g.passed[g.turn, k] >= 0:
            twice |= once & BITS[g.passed[g.turn, k]]
            once |= BITS[g.passed[g.turn, k]]
    return (g.hands[g.turn, 0] & ~once) | (g.hands[g.turn, 1] & ~twice)


@kernel
def legal_picks(g: Any, r: Any) -> np.uint64:
    """C1: the seat to act may pick any card it was dealt, each once, or each of its copies."""
    if r.decks == 2:
        return legal_picks_of_copies(g)
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
            if r.decks == 2:
                pass_copies(g, r, seat)
            else:
                pass_cards(g, r, seat)


@kernel
def pass_cards(g: Any, r: Any, seat: int) -> None:
    """Hand on what one seat passes, and bring it into the order of the cards' numbers."""
    cards = picked(g, seat)
    g.hands[seat, 0] &= ~cards
    g.hands[receiver(g, r, seat), 0] |= cards
    for k in range(N_PASSED):
        g.passed[seat, k] = lowest(cards)
        cards &= cards - ONE


@kernel
def pass_copies(g: Any, r: Any, seat: int) -> None:
    """The same with two decks, where two of the cards may be alike."""
    sort_passed(g, seat)
    to = receiver(g, r, seat)
    for k in range(N_PASSED):
        drop_card(g, seat, g.passed[seat, k])
        give_card(g, to, g.passed[seat, k])


@kernel
def sort_passed(g: Any, seat: int) -> None:
    """Bring the cards that a seat passes into the order of their numbers."""
    for end in range(N_PASSED - 1, 0, -1):
        for k in range(end):
            card, other = int(g.passed[seat, k]), int(g.passed[seat, k + 1])
            if card > other:
                g.passed[seat, k] = other
                g.passed[seat, k + 1] = card
