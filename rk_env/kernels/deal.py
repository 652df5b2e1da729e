"""Rules B: the first dealer, the shuffle and cut, and the deal."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rk_env.cards import FULL_DECK_BB
from rk_env.jit import kernel
from rk_env.kernels.bits import BITS, EMPTY, ONE, lowest, popcount, rank_of
from rk_env.kernels.chance import FOR_DEAL, FOR_FIRST_DEALER, advance, below, mix, stream
from rk_env.kernels.seats import left_of


@kernel
def shuffled(first: np.uint64, second: np.uint64, state: np.uint64) -> NDArray[np.int8]:
    """Return the cards of a deck, given as two planes, in random order (Fisher and Yates), shape (cards,), int8."""
    n_first = popcount(first)
    deck = np.empty(n_first + popcount(second), np.int8)
    state = shuffle_in(deck, first, 0, n_first, state)
    shuffle_in(deck, second, n_first, deck.shape[0], state)
    return deck


@kernel
def shuffle_in(deck: NDArray[np.int8], cards: np.uint64, start: int, end: int, state: np.uint64) -> np.uint64:
    """Shuffle cards into places `start` to `end` of a deck, those before included; return the next state."""
    for i in range(start, end):
        state = advance(state)
        j = below(mix(state), i + 1)
        deck[i] = deck[j]
        deck[j] = lowest(cards)
        cards &= cards - ONE
    return state


@kernel
def lowest_drawers(drawn: NDArray[np.int8], tied: int) -> int:
    """B1, B2: return which of the tied seats drew the lowest rank, as bits; aces are high, suits are equal.

    Args:
        drawn: the card each seat drew, shape (seats,), int8; read for tied seats only.
        tied: bits of the seats that drew.
    """
    lowest_rank = 13
    lowest_tied = 0
    for seat in range(drawn.shape[0]):
        if (tied >> seat) & 1:
            rank = rank_of(drawn[seat])
            if rank < lowest_rank:
                lowest_rank = rank
                lowest_tied = 0
            if rank == lowest_rank:
                lowest_tied |= 1 << seat
    return lowest_tied


@kernel
def draw_first_dealer(seed: np.uint64, players: int) -> int:
    """B1, B2: one card each from a shuffled full deck; the lowest deals, and those tied draw again."""
    drawn = np.empty(players, np.int8)
    tied = (1 << players) - 1
    shuffle = 0
    top = 52
    deck = np.empty(0, np.int8)
    while popcount(np.uint64(tied)) > 1:
        if top + players > 52:  # the first draw, or a deck used up by ties
            deck = shuffled(FULL_DECK_BB, EMPTY, stream(seed, FOR_FIRST_DEALER, shuffle))
            shuffle += 1
            top = 0
        for seat in range(players):
            if (tied >> seat) & 1:
                drawn[seat] = deck[top]
                top += 1
        tied = lowest_drawers(drawn, tied)
    return lowest(np.uint64(tied))


@kernel
def deal_cards(g: Any, r: Any, cut: int) -> None:
    """B3, B4, X2: shuffle, cut, and deal one card at a time, clockwise from the dealer's left; the rest is left over.

    The order of the cards depends on the game's seed, the number of the deal and the redeals alone.

    Args:
        g: the game, with seed, hand number, redeals, dealer and seats in play set.
        r: the rules.
        cut: cards lifted off the top and put below, 1 to n - 1; 0 cuts at random.
    """
    state = stream(g.seed, FOR_DEAL, ((int(g.hand_number) - int(g.first_hand)) << 16) + int(g.redeal))
    deck = shuffled(r.deck[g.n_in_play, 0], r.deck[g.n_in_play, 1], state)
    n = deck.shape[0]
    n_dealt = int(g.n_in_play) * int(r.hand_size[g.n_in_play])
    if cut == 0:
        cut = 1 + below(mix(state), n - 1)
    g.hands[:, :] = EMPTY
    g.kitty[:] = EMPTY
    has_copies = r.decks == 2  # read before the loop, which then compiles without the question
    seat = int(g.dealer)
    for i in range(n_dealt):
        seat = left_of(g, r, seat)
        bit = BITS[deck[(i + cut) % n]]
        if has_copies:
            g.hands[seat, 1] |= g.hands[seat, 0] & bit
        g.hands[seat, 0] |= bit
    for i in range(n_dealt, n):
        bit = BITS[deck[(i + cut) % n]]
        g.kitty[1] |= g.kitty[0] & bit
        g.kitty[0] |= bit
