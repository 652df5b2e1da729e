"""Ways to pass that players know by name, each plain enough to be told in a sentence or two.

Beside them stand `high_cards` (agents/ducker.py), `void_first` and `danger` (agents/rule_pass.py); the last weighs all
of this in points set by regression, where here nothing is fitted but one whole number. Each looks anew at what is left
of the hand after each pick, and at no seed.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from agents.ducker import height
from agents.knowledge import Cards, count, held, of_suit
from agents.rule_pass import left_to_pass
from rk_env.cards import HEARTS, SPADES
from rk_env.jit import kernel
from rk_env.kernels.bits import BITS, EMPTY, ONE, SUITS_BB, lowest, popcount, rank_of, suit_of
from rk_env.settings import N_PASSED

FIRST: Final = 1000
"""More than any height: what comes before all high cards."""
NINE: Final = 7
"""Rank of the nines, the middle of a suit."""
MOON_LOSERS: Final = 4
"""Losing tricks that a moon hand of 13 cards may have after the pass, those in hearts counted twice; chosen by trial
out of 1 to 5. Shorter hands have fewer, and may have fewer in proportion."""


@kernel
def pass_high_spades(g: Any, r: Any, seed: np.uint64) -> int:
    """Pass QS KS AS, then the highest cards; under Black Jack JS QS KS AS."""
    cards = left_to_pass(g, r).once
    best = -1
    best_key = 0
    while cards != EMPTY:
        card = lowest(cards)
        cards &= cards - ONE
        key = high_spade_key(r, card)
        if best < 0 or key > best_key:
            best = card
            best_key = key
    return best


@kernel
def high_spade_key(r: Any, card: int) -> int:
    """Put the black card first, then the spades above it from the lowest up, then cards by height."""
    if suit_of(card) == SPADES and BITS[card] >= r.black:
        return 2 * FIRST - card
    return height(card)


@kernel
def pass_high_hearts(g: Any, r: Any, seed: np.uint64) -> int:
    """Pass the highest heart while the hand has more hearts than a fair share of the deck's, else the highest card.

    A fair share is a quarter of the hearts with four players, a third with three. Hearts below the nine are no
    danger and stay.
    """
    cards = left_to_pass(g, r)
    deck = Cards(r.deck[g.n_in_play, 0], r.deck[g.n_in_play, 1])
    many = count(of_suit(cards, HEARTS)) * g.n_in_play > count(of_suit(deck, HEARTS))
    left = cards.once
    best = -1
    best_key = 0
    while left != EMPTY:
        card = lowest(left)
        left &= left - ONE
        key = height(card)
        if many and suit_of(card) == HEARTS and rank_of(card) >= NINE:
            key += FIRST
        if best < 0 or key > best_key:
            best = card
            best_key = key
    return best


@kernel
def guards_needed(g: Any, r: Any) -> int:
    """Return how many low spades make high ones safe: one for each round in which all can follow to spades.

    That is 4 with four players, 5 with three and 3 with six. One less will do when the pass goes to the left: who gets
    the black card then plays after us, and could drop it on our high spades or lie in wait with it.
    """
    n = int(g.n_in_play)
    spades = popcount(r.deck[n, 0] & SUITS_BB[SPADES]) + popcount(r.deck[n, 1] & SUITS_BB[SPADES])
    return (spades + n - 1) // n - int(g.pass_seats == 1)


@kernel
def n_guards(r: Any, cards: Cards) -> int:
    """Return how many spades below the black card a hand has."""
    low = SUITS_BB[SPADES] & (r.black - ONE)
    return popcount(cards.once & low) + popcount(cards.twice & low)


@kernel
def pass_guard_aware(g: Any, r: Any, seed: np.uint64) -> int:
    """Pass the black card and the spades above it unless enough low spades guard them; keep the low spades always.

    Otherwise the highest card goes.
    """
    cards = left_to_pass(g, r)
    guarded = n_guards(r, cards) >= guards_needed(g, r)
    left = cards.once
    best = -1
    best_key = 0
    while left != EMPTY:
        card = lowest(left)
        left &= left - ONE
        key = high_spade_key(r, card)
        if suit_of(card) == SPADES and (guarded or BITS[card] < r.black):
            key = -FIRST + height(card)
        if best < 0 or key > best_key:
            best = card
            best_key = key
    return best


@kernel
def losing_tricks(cards: Cards, suit: int) -> int:
    """Return the losing tricks of a suit, nearly as bridge players count them: its cards, up to three, less its A K Q.

    Of two decks, both copies count.
    """
    high = of_suit(cards, suit)
    length = count(high)
    top = high.once & (SUITS_BB[suit] & ~(SUITS_BB[suit] >> np.uint64(3)))
    held = popcount(top) + popcount(high.twice & top)
    return max(0, min(3, length) - held)


@kernel
def moon_losers(cards: Cards) -> int:
    """Return the losing tricks of a hand, those in hearts counted twice: there each loses a point, and so the moon."""
    losers = losing_tricks(cards, HEARTS)
    for suit in range(4):
        losers += losing_tricks(cards, suit)
    return losers


@kernel
def pass_moon_aware(g: Any, r: Any, seed: np.uint64) -> int:
    """From a hand for the moon pass its losers, hearts first, then the lowest; else pass as `guard_aware` does.

    A hand is for the moon if it was dealt few losing tricks, so that few would be left if each pick took one away.
    `danger` asks a regression for the odds instead.
    """
    if moon_losers(held(g)) - N_PASSED > MOON_LOSERS * r.hand_size[g.n_in_play] // 13:
        return pass_guard_aware(g, r, seed)
    cards = left_to_pass(g, r)
    left = cards.once
    best = -1
    best_key = 0
    while left != EMPTY:
        card = lowest(left)
        left &= left - ONE
        key = -height(card)
        if losing_tricks(cards, suit_of(card)) > 0:
            key += 2 * FIRST if suit_of(card) == HEARTS else FIRST
        if best < 0 or key > best_key:
            best = card
            best_key = key
    return best
