"""Rules about the trick: what it is expected to cost to play a card to it."""

from __future__ import annotations

from typing import Any

from agents.knowledge import BLACK_OUT, HEART, Suit, Table, beats_all, count, n_black, void_players
from agents.manner import COUNT_SPADES, LEAD_LOW, Manner
from agents.worths import (
    BONUS_FALLS,
    BONUS_TAKEN,
    CANCELLING,
    DISCARD_BLACK,
    DROP_BLACK,
    FOLLOW_AGAIN,
    FOLLOW_BLACK,
    FOLLOW_DISCARD,
    FOLLOW_HEARTS,
    FOLLOW_HIGH_SPADE,
    FOLLOW_POINTS,
    LEAD_AGAIN,
    LEAD_ALONE,
    LEAD_BLACK,
    LEAD_FLUSH,
    LEAD_HEART,
    LEAD_HEARTS,
    LEAD_HIGH_SPADE,
    LEAD_LOW_SPADE,
    LEAD_OWN_BLACK,
)
from rk_env.jit import kernel
from rk_env.kernels.bits import BITS, EMPTY, HEARTS_BB, ONE, popcount
from rk_env.kernels.passing import picked, receiver
from rk_env.kernels.values import penalty_points
from rk_env.settings import BONUS_POINTS


@kernel
def chance_to_win(g: Any, r: Any, t: Table, s: Suit, card: int) -> float:
    """Return the chance that a card wins the trick on the table."""
    if not t.leads and s.suit != g.led_suit:
        return 0.0
    if card <= t.best:
        return chance_to_inherit(g, r, t, s, card) if r.decks == 2 else 0.0
    return beats_all(s, card, s.later)


@kernel
def chance_to_inherit(g: Any, r: Any, t: Table, s: Suit, card: int) -> float:
    """X4: return the chance that the winning card is cancelled, and the trick falls to `card`, the next below it."""
    if card == t.best or BITS[t.best] & s.out.once == EMPTY:
        return 0.0
    for seat in range(r.players):
        if card <= g.table[seat] < t.best:  # of the led suit, since both bounds are
            return 0.0
    return CANCELLING * s.later / max(1, s.places) * beats_all(s, card, s.later)


@kernel
def trick_cost(g: Any, r: Any, t: Table, s: Suit, card: int, chance: float, manner: Manner) -> float:
    """Return what this trick is expected to cost, when `card` is played and wins it with `chance`."""
    if t.leads:
        return lead_cost(r, t, s, card, chance, manner)
    if s.suit == g.led_suit and (card > t.best or chance > 0.0):
        return follow_cost(g, r, t, s, card, chance, manner.off)
    return leave_black(g, r, s, card)


@kernel
def lead_cost(r: Any, t: Table, s: Suit, card: int, chance: float, manner: Manner) -> float:
    """Lead what others must win, and count what falls on a lead that wins."""
    void = void_players(s, t.others, s.holders)
    cost = LEAD_AGAIN[late(t)] + FOLLOW_POINTS * (t.penalties + t.kitty) + bonus_cost(r, t, s, card)
    if s.kind == HEART:
        cost += LEAD_HEARTS * (1.0 + t.others - void)
    if BITS[card] == r.black:
        cost += LEAD_OWN_BLACK * r.black_points
    if t.free:
        cost += LEAD_BLACK * black_discarded(r, t, void)
    cost *= 0.0 if manner.off & LEAD_LOW else chance
    if s.n_out == 0:
        cost += LEAD_ALONE
    if s.kind == HEART:
        cost += LEAD_HEART
    return cost + lead_spade(r, s, card, manner)


@kernel
def lead_spade(r: Any, s: Suit, card: int, manner: Manner) -> float:
    """While the black card is out, lead no spade above it; with none in hand, lead low spades to flush it."""
    if s.kind != BLACK_OUT:
        return 0.0
    if BITS[card] > r.black:
        return 0.0 if manner.off & COUNT_SPADES else LEAD_HIGH_SPADE * r.black_points
    if s.mine.once < r.black:
        return manner.flush * (LEAD_LOW_SPADE + LEAD_FLUSH)
    return min(1.0, manner.flush) * LEAD_LOW_SPADE


@kernel
def follow_cost(g: Any, r: Any, t: Table, s: Suit, card: int, chance: float, off: int) -> float:
    """Count what is on the table and what may still fall, when a card beats those on the table."""
    void = void_players(s, t.later, s.later)
    cost = FOLLOW_AGAIN[late(t)] + FOLLOW_POINTS * (t.penalties + t.kitty + penalty_points(r, BITS[card]))
    cost += bonus_cost(r, t, s, card)
    if s.kind == HEART:
        cost += FOLLOW_HEARTS * s.later
    if t.free:
        cost += FOLLOW_BLACK * black_discarded(r, t, void)
        if t.out.once & HEARTS_BB != EMPTY:
            cost += FOLLOW_DISCARD * void
    cost *= chance
    if s.kind == BLACK_OUT and BITS[card] > r.black and off & COUNT_SPADES == 0:
        cost += FOLLOW_HIGH_SPADE * r.black_points * black_to_come(g, r, s)
    return cost


@kernel
def black_to_come(g: Any, r: Any, s: Suit) -> float:
    """Return how many black cards, of those out, are expected to be held by later players; we know whom we gave one."""
    n_out = n_black(r, s.out)
    if g.pass_seats > 0 and picked(g, g.turn) & r.black != EMPTY:
        return (1.0 if g.table[receiver(g, r, g.turn)] < 0 else 0.0) + (n_out - 1) * s.later / max(1, s.places)
    return n_out * s.later / max(1, s.places)


@kernel
def black_discarded(r: Any, t: Table, void: float) -> float:
    """Return the points of the black cards out, times the chance that one of `void` players holds each."""
    return r.black_points * void / t.others * n_black(r, t.out)


@kernel
def bonus_cost(r: Any, t: Table, s: Suit, card: int) -> float:
    """Win bonus cards: those on the table, the one played, and those that may fall under it."""
    cost = BONUS_TAKEN * (t.bonus + BONUS_POINTS * popcount(BITS[card] & r.bonus))
    if t.later > 0:
        cost += BONUS_FALLS * BONUS_POINTS * popcount(s.out.once & r.bonus & (BITS[card] - ONE))
    return cost


@kernel
def leave_black(g: Any, r: Any, s: Suit, card: int) -> float:
    """Leave the black card to somebody else: under a higher spade, or on another suit."""
    if BITS[card] != r.black:
        return 0.0
    return -DROP_BLACK if s.suit == g.led_suit else -DISCARD_BLACK


@kernel
def late(t: Table) -> int:
    """Return 0 early in a hand, 1 in the middle, 2 in its last four tricks."""
    left = count(t.hand)
    if left <= 4:
        return 2
    return 1 if left <= 9 else 0
