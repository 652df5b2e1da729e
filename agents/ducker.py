"""The player `ducker@1`: no skill in passing, and in play it only ever tries not to take this trick.

High and low are by rank; of equal ranks the card with the higher index is the higher one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rk_env.jit import kernel
from rk_env.kernels.bits import BITS, EMPTY, HEARTS_BB, ONE, SUITS_BB, lowest, rank_of, suit_of
from rk_env.kernels.passing import legal_picks
from rk_env.kernels.play import legal_plays, trick_winner


@kernel
def height(card: int) -> int:
    """Return a number that orders cards by rank, then by index."""
    return 4 * rank_of(card) + suit_of(card)


@kernel
def highest_ranked(cards: np.uint64) -> int:
    """Return the highest card of a set by rank, then by index; -1 when it is empty."""
    best = -1
    while cards != EMPTY:
        card = lowest(cards)
        cards &= cards - ONE
        if best < 0 or height(card) > height(best):
            best = card
    return best


@kernel
def lowest_ranked(cards: np.uint64) -> int:
    """Return the lowest card of a set by rank, then by index; -1 when it is empty."""
    best = -1
    while cards != EMPTY:
        card = lowest(cards)
        cards &= cards - ONE
        if best < 0 or height(card) < height(best):
            best = card
    return best


@kernel
def pass_high_cards(g: Any, r: Any, seed: np.uint64) -> int:
    """Pass the highest cards, whatever they are good for."""
    return highest_ranked(legal_picks(g, r))


@kernel
def play_ducking(g: Any, r: Any, seed: np.uint64) -> int:
    """Lead low, duck as high as possible, and discard what costs most."""
    legal = legal_plays(g, r)
    if g.n_table == 0:
        return lowest_ranked(legal)
    follows = legal & SUITS_BB[g.led_suit]
    return duck(g, r, follows) if follows != EMPTY else discard_dearest(r, legal)


@kernel
def duck(g: Any, r: Any, follows: np.uint64) -> int:
    """Follow with the highest card that does not beat the card that is winning, else with the lowest.

    A card equal to the winning one cancels both (X4).
    """
    winner = trick_winner(g, r)
    if winner < 0:  # all cards of the suit have cancelled each other (X6)
        return lowest_ranked(follows)
    winning = BITS[int(g.table[winner])]
    below = follows & (winning | (winning - ONE))
    return highest_ranked(below) if below != EMPTY else lowest_ranked(follows)


@kernel
def discard_dearest(r: Any, legal: np.uint64) -> int:
    """Discard the black card, else the highest heart, else the highest card."""
    if legal & r.black != EMPTY:
        return lowest(r.black)
    hearts = legal & HEARTS_BB
    return highest_ranked(hearts if hearts != EMPTY else legal)
