"""Rules about the hand: what it is worth to be rid of a card, in play and in the pass."""

from __future__ import annotations

from typing import Any, Final

from agents.knowledge import BLACK_OUT, HEART, PLAIN, Suit, beats_all, count
from agents.manner import KEEP_LOW, PASS_HEARTS, PASS_SPADES, THROW_SPADES, VOIDS
from agents.worths import (
    BLACK_GUARDED,
    BONUS_KEPT,
    CARD_KEPT,
    CARD_RISK,
    CATCHER_KEPT,
    HEART_RISK,
    LAST_BUT_ONE,
    LAST_OF_SUIT,
    LOWEST_KEPT,
    SPADE_COVERED,
    VOID_FOR_BLACK,
)
from rk_env.jit import kernel
from rk_env.kernels.bits import BITS, EMPTY, ONE, popcount
from rk_env.settings import BONUS_POINTS

IN_PLAY, IN_PASS = range(2)
"""Rows of the tables of worths."""
HIGH_SPADES: Final = (THROW_SPADES, PASS_SPADES)
"""The terms that rid the hand of high spades."""


@kernel
def parting(r: Any, s: Suit, card: int, holds_black: bool, stage: int, off: int) -> float:
    """Return what it is worth to be rid of a card.

    Args:
        r: the rules.
        s: the suit of the card.
        card: the card.
        holds_black: whether the hand holds the black card, apart from `card`.
        stage: IN_PLAY or IN_PASS.
        off: terms that are switched off.
    """
    if s.n_out == 0:
        return 0.0
    worth = keep_bonus(r, s, card) + make_void(s, holds_black, stage, off)
    if BITS[card] == r.black and (stage == IN_PLAY or off & PASS_SPADES == 0):
        return worth + guard_black(r, s, stage)
    if s.kind == BLACK_OUT and BITS[card] > r.black and off & HIGH_SPADES[stage] == 0:
        return worth + cover_high_spade(r, s, stage)
    return worth + shed_risk(s, card, stage, off)


@kernel
def guard_black(r: Any, s: Suit, stage: int) -> float:
    """Be rid of a bare black card; with enough lower spades to follow with, keep it for a discard."""
    return BLACK_GUARDED[stage, min(4, popcount(s.mine.once & (r.black - ONE)))] * r.black_points / 13.0


@kernel
def cover_high_spade(r: Any, s: Suit, stage: int) -> float:
    """Be rid of a spade on which the black card may fall, unless lower spades can be played before it."""
    return SPADE_COVERED[stage, min(4, popcount(s.mine.once & (r.black - ONE)))] * r.black_points / 13.0


@kernel
def risk_of(s: Suit, card: int) -> float:
    """Return the chance that a card wins a round of its suit, when it is led."""
    return beats_all(s, card, s.holders)


@kernel
def shed_risk(s: Suit, card: int, stage: int, off: int) -> float:
    """Be rid of cards that are likely to win a round of their suit; keep the lowest of each suit to duck late."""
    risk = risk_of(s, card)
    kind = PLAIN if stage == IN_PASS and s.kind == HEART and off & PASS_HEARTS else s.kind
    worth = CARD_KEPT[stage, kind] + CARD_RISK[stage, kind] * risk
    if s.kind == HEART and stage == IN_PLAY:
        worth += HEART_RISK * s.n_out * risk
    if s.mine.once & (BITS[card] - ONE) == EMPTY and off & KEEP_LOW == 0:
        worth += LOWEST_KEPT[stage, kind] * (1.0 - risk)
    return worth


@kernel
def make_void(s: Suit, holds_black: bool, stage: int, off: int) -> float:
    """Empty a suit, so that others' leads of it can be used for discards; above all with the black card in hand."""
    n = count(s.mine)
    if n > 2 or off & VOIDS:
        return 0.0
    if n == 1:
        return LAST_OF_SUIT[stage, s.kind] + (VOID_FOR_BLACK[stage] if holds_black else 0.0)
    return LAST_BUT_ONE[stage, s.kind]


@kernel
def keep_bonus(r: Any, s: Suit, card: int) -> float:
    """Keep a bonus card to win a trick with it, and a higher card of its suit to catch one."""
    worth = 0.0
    if BITS[card] & r.bonus:
        worth -= BONUS_POINTS * BONUS_KEPT
    if s.out.once & r.bonus & (BITS[card] - ONE):
        worth -= BONUS_POINTS * CATCHER_KEPT
    return worth
