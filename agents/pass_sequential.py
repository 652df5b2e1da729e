"""The way to pass `sequential`: what does the hand that is left cost?

Cards that are worth passing one by one can be wrong together, and the second card of a suit is worth more when the
first has gone. `danger` also looks again after each pick, but gives each card a worth of its own, set by regression;
here the cost of the whole hand is added up with and without each card, from a model of how suits are played and a few
guesses.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from agents.knowledge import BLACK_OUT, HEART, Cards, Suit, above, cards_out, read_suit, win_chance, without
from agents.rule_pass import left_to_pass
from agents.worths import DUCKING
from rk_env.jit import kernel
from rk_env.kernels.bits import BITS, EMPTY, ONE, lowest

ROUND_COSTS: Final = 0.9
"""Points that others discard on a plain trick, for each round that the suit has gone before; a guess."""
BLACK_FALLS: Final = 0.5
"""How often the black card falls on a spade above it that wins; a guess."""
HEARTS_FALL: Final = 0.7
"""Share of the players who follow to a heart with a heart; a guess."""
VOID_SAVES: Final = 1.2
"""Points that an empty suit saves; a guess."""


@kernel
def pass_sequential(g: Any, r: Any, seed: np.uint64) -> int:
    """Pick the card without which the rest of the hand is expected to cost least; of equal ones the last."""
    hand = left_to_pass(g, r)
    out = cards_out(g, r)
    best = -1
    best_saving = 0.0
    for suit in range(4):
        s = read_suit(g, r, hand, out, suit)
        whole = suit_cost(g, r, s, s.mine)
        cards = s.mine.once
        while cards != EMPTY:
            card = lowest(cards)
            cards &= cards - ONE
            saving = whole - suit_cost(g, r, s, without(s.mine, card))
            if best < 0 or saving >= best_saving:
                best = card
                best_saving = saving
    return best


@kernel
def suit_cost(g: Any, r: Any, s: Suit, cards: Cards) -> float:
    """Return what the cards of a suit are expected to cost when they are played from the lowest up, one a round.

    Each round takes one card from each player who has the suit, low ones and high ones alike.
    """
    if cards.once == EMPTY:
        return -VOID_SAVES
    cost = 0.0
    left = s.n_out
    n_rounds = 0
    while cards.once != EMPTY and left > 0:
        card = lowest(cards.once)
        cards = without(cards, card)
        higher_left = (above(card, s.out) * left + s.n_out // 2) // s.n_out
        wins = win_chance(left - higher_left, higher_left, s.places, s.holders, DUCKING)
        cost += wins * win_cost(r, s, card, n_rounds)
        left -= s.places
        n_rounds += 1
    return cost


@kernel
def win_cost(r: Any, s: Suit, card: int, n_rounds: int) -> float:
    """Return what it costs to win a round of a suit after `n_rounds` others, with a card."""
    if s.kind == HEART:
        return 1.0 + HEARTS_FALL * s.holders
    cost = ROUND_COSTS * n_rounds
    if BITS[card] == r.black:
        return cost + r.black_points
    return cost + BLACK_FALLS * r.black_points if s.kind == BLACK_OUT and BITS[card] > r.black else cost
