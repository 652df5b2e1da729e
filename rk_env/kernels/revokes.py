"""Rules G: revokes: failing to follow suit when able, where the rules do not prevent it."""

from __future__ import annotations

from typing import Any

import numpy as np

from rk_env.jit import kernel
from rk_env.kernels.bits import EMPTY, SUITS_BB, suit_of
from rk_env.kernels.play import legal_first_discards
from rk_env.settings import REVOKES_PREVENTED


@kernel
def revoke_plays(g: Any, r: Any) -> np.uint64:
    """G1: return the cards with which the seat to act would revoke and may; on trick one discards stay restricted."""
    hand = g.hands[g.turn, 0]
    if r.revokes == REVOKES_PREVENTED or g.n_table == 0 or g.took_back[g.n_plays] >= 0:
        return EMPTY
    if hand & SUITS_BB[g.led_suit] == EMPTY:
        return EMPTY
    discards = hand if g.trick > 0 else legal_first_discards(g, r, hand)
    return discards & ~SUITS_BB[g.led_suit]


@kernel
def is_revoke(g: Any, card: int) -> bool:
    """G1: tell whether a card of the seat to act would be a revoke."""
    return g.n_table > 0 and suit_of(card) != g.led_suit and g.hands[g.turn, 0] & SUITS_BB[g.led_suit] != EMPTY


@kernel
def take_back(g: Any, card: int) -> None:
    """G2: a revoke seen at once: the card has been shown and goes back, and the seat is fined and plays again."""
    g.took_back[g.n_plays] = card
    g.revokes[g.turn] += 1


@kernel
def find_revokes(g: Any, card: int) -> int:
    """G3: return how many revokes the card that the seat to act plays gives away.

    They are its failures to follow the card's suit since it last played a card of that suit: it held one all along.
    """
    suit = suit_of(card)
    led_suit = -1
    failed = 0
    for i in range(g.n_plays):
        played = suit_of(g.plays[i])
        if i % g.n_in_play == 0:
            led_suit = played
        if g.play_seats[i] == g.turn:
            if played == suit:
                failed = 0
            elif led_suit == suit:
                failed += 1
    return failed


@kernel
def expose(g: Any, card: int) -> bool:
    """G3: fine the seat to act for the revokes that its card gives away; return whether there are any."""
    n = find_revokes(g, card)
    if n > 0:
        g.revokes[g.turn] += n
        g.voids[g.turn] &= 15 ^ (1 << suit_of(card))
    return n > 0
