"""What the seat to act can know: the cards still out, who cannot hold them, and the trick on the table.

Everything here reads the own hand and picks of `g.turn` and the public fields: a view and the full game give the same.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final, NamedTuple

import numpy as np

from agents.worths import CANCELLING, DUCKING
from rk_env.cards import HEARTS
from rk_env.jit import kernel
from rk_env.kernels.bits import BITS, EMPTY, ONE, SUITS_BB, popcount
from rk_env.kernels.play import trick_winner
from rk_env.kernels.seats import is_in_play
from rk_env.kernels.unseen import unseen_by
from rk_env.kernels.values import bonus_points, penalty_points
from rk_env.settings import FIRST_TRICK_OFF, FIRST_TRICK_ONLY_2C


class SuitKind(IntEnum):
    """What a suit is to the hand."""

    PLAIN = 0
    BLACK_OUT = 1
    """Spades, while somebody else holds the black card."""
    BLACK_OWN = 2
    """Spades, with the black card in the own hand."""
    HEART = 3


PLAIN, BLACK_OUT, BLACK_OWN, HEART = (int(kind) for kind in SuitKind)


class Cards(NamedTuple):
    """A set of cards as two planes; with one deck the second is empty."""

    once: np.uint64
    """Cards of which there is a copy."""
    twice: np.uint64
    """Cards of which there are both."""


class Table(NamedTuple):
    """The hand, the cards out, and the trick on the table."""

    hand: Cards
    """Own cards."""
    out: Cards
    """Cards that other hands may hold."""
    others: int
    """Other seats in play."""
    later: int
    """Seats that play to this trick after this one."""
    leads: bool
    """Whether this seat leads."""
    winner: int
    """Seat that is winning the trick; -1 before the lead, and while all cards that could have cancelled (X6)."""
    best: int
    """Card that is winning the trick; -1 as for the winner."""
    penalties: int
    """Penalty points that the trick's winner takes: on the table, and waiting from cancelled tricks."""
    kitty: float
    """Penalty points that are to be expected in a kitty that this trick's winner takes."""
    bonus: int
    """Points of bonus cards on the table and waiting, below zero."""
    free: bool
    """Whether a player without the suit may discard penalty cards on this trick."""


class Suit(NamedTuple):
    """What there is to know of one suit."""

    suit: int
    kind: int
    mine: Cards
    """Own cards."""
    out: Cards
    """Cards that other hands may hold."""
    n_out: int
    holders: int
    """Other seats that may hold the suit."""
    later: int
    """Those of them that play to this trick after this one."""
    places: int
    """Where the cards out may be: with the holders, or among cards set aside (H7)."""


MISS: Final = np.array([[float(k == 0) if h == 0 else (1.0 - 1.0 / h) ** k for k in range(53)] for h in range(12)])
"""MISS[h, k]: chance that one of h players holds none of k cards that are spread evenly over the h."""


@kernel
def count(cards: Cards) -> int:
    """Return how many cards a set has, every copy counted."""
    return popcount(cards.once) + popcount(cards.twice)


@kernel
def of_suit(cards: Cards, suit: int) -> Cards:
    """Return the cards of a suit."""
    return Cards(cards.once & SUITS_BB[suit], cards.twice & SUITS_BB[suit])


@kernel
def above(card: int, cards: Cards) -> int:
    """Return how many of `cards` are higher than `card`; all are of its suit."""
    higher = ~(BITS[card] | (BITS[card] - ONE))
    return popcount(cards.once & higher) + popcount(cards.twice & higher)


@kernel
def without(cards: Cards, card: int) -> Cards:
    """Return a set that holds a card without one copy of it."""
    bit = BITS[card]
    return Cards(cards.once & (~bit | cards.twice), cards.twice & ~bit)


@kernel
def n_black(r: Any, cards: Cards) -> int:
    """Return how many black cards a set has."""
    return popcount(cards.once & r.black) + popcount(cards.twice & r.black)


@kernel
def held(g: Any) -> Cards:
    """Return the hand of the seat to act."""
    return Cards(g.hands[g.turn, 0], g.hands[g.turn, 1])


@kernel
def cards_out(g: Any, r: Any) -> Cards:
    """Return the cards that may be in other hands: the deck without those that the seat to act holds or has seen."""
    once, twice = unseen_by(g, r, g.turn)
    return Cards(once, twice)


@kernel
def read_table(g: Any, r: Any) -> Table:
    """Return what the seat to act sees before it plays."""
    penalties = penalty_points(r, g.waiting[0]) + penalty_points(r, g.waiting[1])
    bonus = bonus_points(r, g.waiting[0]) + bonus_points(r, g.waiting[1])
    for seat in range(r.players):
        if g.table[seat] >= 0:
            penalties += penalty_points(r, BITS[g.table[seat]])
            bonus += bonus_points(r, BITS[g.table[seat]])
    winner = trick_winner(g, r) if g.n_table > 0 else -1
    others = int(g.n_in_play) - 1
    return Table(
        held(g),
        cards_out(g, r),
        others,
        others - int(g.n_table),
        g.n_table == 0,
        winner,
        int(g.table[winner]) if winner >= 0 else -1,
        penalties,
        kitty_points(g, r),
        bonus,
        may_discard_penalties(g, r),
    )


@kernel
def sets_cards_aside(g: Any, r: Any) -> bool:
    """H7: tell whether half of the deck lies set aside in a play-off of two, and so may be where unseen cards are."""
    return g.n_in_play == 2 and r.hand_size[2] < 26


@kernel
def kitty_points(g: Any, r: Any) -> float:
    """Return the penalty points that a kitty may be expected to hold while nobody has taken it (X2)."""
    n = int(g.n_in_play)
    if not r.gives_kitty[n] or g.kitty_taker >= 0:
        return 0.0
    n_cards = popcount(r.deck[n, 0]) + popcount(r.deck[n, 1])
    return r.deal_points[n] * (1.0 - n * r.hand_size[n] / n_cards)


@kernel
def may_discard_penalties(g: Any, r: Any) -> bool:
    """Tell whether penalty cards can be discarded on this trick: not on trick one, unless a setting allows it (D6)."""
    if g.trick > 0 or r.first_trick == FIRST_TRICK_OFF:
        return True
    return r.first_trick == FIRST_TRICK_ONLY_2C and g.n_table > 0 and not g.opened_with_2c


@kernel
def read_suit(g: Any, r: Any, hand: Cards, out: Cards, suit: int) -> Suit:
    """Return what the seat to act knows of a suit, with `hand` in its hand and `out` in the others'."""
    out_here = of_suit(out, suit)
    holders = 0
    later = 0
    if out_here.once != EMPTY:
        for seat in range(r.players):
            if seat != g.turn and is_in_play(g, seat) and not (int(g.voids[seat]) >> suit) & 1:
                holders += 1
                later += int(g.table[seat] < 0)
    places = holders + int(sets_cards_aside(g, r))
    kind = suit_kind(r, suit, hand, out)
    return Suit(suit, kind, of_suit(hand, suit), out_here, count(out_here), holders, later, places)


@kernel
def suit_kind(r: Any, suit: int, hand: Cards, out: Cards) -> int:
    """Return the `SuitKind` of a suit."""
    if suit == HEARTS:
        return HEART
    black = r.black & SUITS_BB[suit]
    if black & out.once != EMPTY:
        return BLACK_OUT
    return BLACK_OWN if black & hand.once != EMPTY else PLAIN


@kernel
def beats_all(s: Suit, card: int, later: int) -> float:
    """Return the chance that none of `later` players beats a card of the suit, or cancels it (X4)."""
    higher = above(card, s.out)
    chance = win_chance(s.n_out - higher, higher, s.places, later, DUCKING)
    if BITS[card] & s.out.once != EMPTY:
        chance *= 1.0 - CANCELLING * later / max(1, s.places)
    return chance


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
    return players - holders * (1.0 - MISS[s.places, s.n_out])
