"""Ways to pass: `danger`, which `rule_based` uses, and the plain heuristic `void_first`.

Each is asked for one card at a time. It may look at what is left of the dealt hand and at what it has picked already.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.ducker import height
from agents.holding import IN_PASS, parting
from agents.knowledge import Cards, Suit, cards_out, count, of_suit, read_suit, without
from agents.manner import KEEP_MOON
from agents.moon_attempt import hand_losers, passing_odds
from agents.worths import PASS_BLACK_LEFT
from rk_env.jit import kernel
from rk_env.kernels.bits import BITS, EMPTY, ONE, lowest
from rk_env.kernels.passing import legal_picks, picked
from rk_env.settings import N_PASSED


@kernel
def left_to_pass(g: Any, r: Any) -> Cards:
    """Return the cards of the hand that the seat to act has not picked yet."""
    return Cards(legal_picks(g, r), g.hands[g.turn, 1] & ~picked(g, g.turn))


@kernel
def pass_danger(g: Any, r: Any, off: int) -> int:
    """Pick the card that the hand is best rid of: the worst loser of a moon hand, else the most dangerous card.

    Terms may be switched off.
    """
    hand = left_to_pass(g, r)
    out = cards_out(g, r)
    losers = hand_losers(g, r, hand, out)
    picks_left = N_PASSED - g.n_picks % N_PASSED
    has_moon = losers.card >= 0 and passing_odds(g, r, hand, out, losers, picks_left) > 0.0
    if has_moon and off & KEEP_MOON == 0:
        return losers.card
    best = -1
    best_worth = 0.0
    for suit in range(4):
        s = read_suit(g, r, hand, out, suit)
        cards = s.mine.once
        while cards != EMPTY:
            card = lowest(cards)
            cards &= cards - ONE
            worth = pass_worth(g, r, s, card, hand, off)
            if best < 0 or worth > best_worth:
                best = card
                best_worth = worth
    return best


@kernel
def pass_worth(g: Any, r: Any, s: Suit, card: int, hand: Cards, off: int) -> float:
    """Return what it is worth to pass a card, in points of the hand."""
    worth = parting(r, s, card, without(hand, card).once & r.black != EMPTY, IN_PASS, off)
    if BITS[card] == r.black and g.pass_seats == 1:
        worth += PASS_BLACK_LEFT
    return worth


@kernel
def pass_void_first(g: Any, r: Any, seed: np.uint64) -> int:
    """Pick the highest card of the shortest suit, to be void early."""
    hand = left_to_pass(g, r)
    cards = hand.once
    best = -1
    best_key = 0
    while cards != EMPTY:
        card = lowest(cards)
        cards &= cards - ONE
        suit = card // 13
        key = 100 * (13 - count(of_suit(hand, suit))) + height(card)
        if best < 0 or key > best_key:
            best = card
            best_key = key
    return best
