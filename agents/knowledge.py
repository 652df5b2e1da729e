"""What the seat to act can know: the cards still out, who cannot hold them, and the trick on the table.

Everything here reads the own hand and picks of `g.turn` and the public fields: a view and the full game give the same.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final, NamedTuple

import numpy as np

from rk_env.cards import HEARTS
from rk_env.jit import kernel
from rk_env.kernels.bits import BITS, EMPTY, ONE, SUITS_BB, popcount
from rk_env.kernels.play import penalty_points, trick_winner
from rk_env.kernels.seats import is_in_play
from rk_env.rules import BONUS_POINTS, FIRST_TRICK_OFF, FIRST_TRICK_ONLY_2C


class SuitKind(IntEnum):
    """What a suit is to the hand."""

    PLAIN = 0
    BLACK_OUT = 1
    """Spades, while somebody else holds the black card."""
    BLACK_OWN = 2
    """Spades, with the black card in the own hand."""
    HEART = 3


PLAIN, BLACK_OUT, BLACK_OWN, HEART = (int(kind) for kind in SuitKind)


class Table(NamedTuple):
    """The hand, the cards out, and the trick on the table."""

    hand: np.uint64
    """Own cards."""
    out: np.uint64
    """Cards in the other hands."""
    others: int
    """Other seats in play."""
    later: int
    """Seats that play to this trick after this one."""
    winner: int
    """Seat that is winning the trick; -1 before the lead."""
    best: int
    """Card that is winning the trick; -1 before the lead."""
    penalties: int
    """Penalty points on the table."""
    bonus: int
    """Points of bonus cards on the table, below zero."""
    free: bool
    """Whether a player without the suit may discard penalty cards on this trick."""


class Suit(NamedTuple):
    """What there is to know of one suit."""

    suit: int
    kind: int
    mine: np.uint64
    """Own cards."""
    out: np.uint64
    """Cards in the other hands."""
    n_out: int
    holders: int
    """Other seats that may hold the suit."""
    later: int
    """Those of them that play to this trick after this one."""


MISS: Final = np.array([[float(k == 0) if h == 0 else (1.0 - 1.0 / h) ** k for k in range(53)] for h in range(12)])
"""MISS[h, k]: chance that one of h players holds none of k cards that are spread evenly over the h."""


@kernel
def cards_out(g: Any, r: Any) -> np.uint64:
    """Return the cards that the seat to act neither holds nor has seen played: those in the other hands."""
    gone = g.hands[g.turn, 0]
    for seat in range(r.players):
        gone |= g.captured[seat, 0]
        if g.table[seat] >= 0:
            gone |= BITS[g.table[seat]]
    return r.deck[g.n_in_play] & ~gone


@kernel
def read_table(g: Any, r: Any) -> Table:
    """Return what the seat to act sees before it plays."""
    lying = EMPTY
    for seat in range(r.players):
        if g.table[seat] >= 0:
            lying |= BITS[g.table[seat]]
    winner = trick_winner(g, r) if g.n_table > 0 else -1
    others = int(g.n_in_play) - 1
    return Table(
        g.hands[g.turn, 0],
        cards_out(g, r),
        others,
        others - int(g.n_table),
        winner,
        int(g.table[winner]) if winner >= 0 else -1,
        penalty_points(r, lying),
        BONUS_POINTS * popcount(lying & r.bonus),
        may_discard_penalties(g, r),
    )


@kernel
def may_discard_penalties(g: Any, r: Any) -> bool:
    """Tell whether penalty cards can be discarded on this trick: not on trick one, unless a setting allows it (D6)."""
    if g.trick > 0 or r.first_trick == FIRST_TRICK_OFF:
        return True
    return r.first_trick == FIRST_TRICK_ONLY_2C and g.n_table > 0 and not g.opened_with_2c


@kernel
def read_suit(g: Any, r: Any, hand: np.uint64, out: np.uint64, suit: int) -> Suit:
    """Return what the seat to act knows of a suit, with `hand` in its hand and `out` in the others'."""
    out_here = out & SUITS_BB[suit]
    holders = 0
    later = 0
    if out_here != EMPTY:
        for seat in range(r.players):
            if seat != g.turn and is_in_play(g, seat) and not (int(g.voids[seat]) >> suit) & 1:
                holders += 1
                later += int(g.table[seat] < 0)
    kind = suit_kind(r, suit, hand, out)
    return Suit(suit, kind, hand & SUITS_BB[suit], out_here, popcount(out_here), holders, later)


@kernel
def suit_kind(r: Any, suit: int, hand: np.uint64, out: np.uint64) -> int:
    """Return the `SuitKind` of a suit."""
    if suit == HEARTS:
        return HEART
    black = r.black & SUITS_BB[suit]
    if black & out != EMPTY:
        return BLACK_OUT
    return BLACK_OWN if black & hand != EMPTY else PLAIN


@kernel
def above(card: int, cards: np.uint64) -> int:
    """Return how many of `cards` are higher than `card`; all are of its suit."""
    return popcount(cards & ~(BITS[card] | (BITS[card] - ONE)))


@kernel
def win_chance(lower: int, higher: int, holders: int, later: int, ducking: float) -> float:
    """Return the chance that none of `later` players beats a card.

    Args:
        lower: cards of the suit out that are lower.
        higher: cards of the suit out that are higher.
        holders: players who may hold them.
        later: those of them who play after the card.
        ducking: how often a player who could beat the card but also stay below stays below.
    """
    if later == 0 or higher == 0:
        return 1.0
    only_higher = MISS[holders, lower] * ducking + (1.0 - ducking) * higher / (lower + higher)
    unbeaten = 1.0 - (1.0 - MISS[holders, higher]) * only_higher
    chance = unbeaten
    for _ in range(later - 1):
        chance *= unbeaten
    return chance


@kernel
def void_players(s: Suit, players: int, holders: int) -> float:
    """Return how many of `players` are expected to have no card of a suit, when only `holders` of them may have one."""
    return players - holders * (1.0 - MISS[s.holders, s.n_out])
