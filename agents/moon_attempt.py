"""Rules for shooting the moon: when to try, what to pass, and how to play while nobody else has a point."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from agents.holding import risk_of
from agents.knowledge import HEART, Cards, Suit, Table, above, count, read_suit, sets_cards_aside, win_chance, without
from agents.worths import (
    ATTEMPT_BASE,
    ATTEMPT_BLACK_OUT,
    ATTEMPT_CARELESS,
    ATTEMPT_HEART_LOSERS,
    ATTEMPT_HEARTS_OUT,
    ATTEMPT_LEFT,
    ATTEMPT_LOSERS,
    ATTEMPT_SET_ASIDE,
    DUCKING,
    PASSING_BASE,
    PASSING_HEART_LOSERS,
    PASSING_LOSERS,
    SHOOT_FOLLOW,
    SHOOT_GIVE,
    SHOOT_HIGH,
    SHOOT_LEAD,
    SHOOT_LEAD_HEART,
    SHOOT_LOSER,
    SHOOT_POINTS,
)
from rk_env.cards import HEARTS
from rk_env.jit import kernel
from rk_env.kernels.bits import BITS, EMPTY, highest, rank_of, suit_of


class Losers(NamedTuple):
    """How many tricks cards are expected to lose when they are led from the top."""

    total: float
    worst: float
    """The share of the worst card."""
    second: float
    third: float
    card: int
    """The worst card, of equal ones a low plain one; -1 when others hold none of the suits."""


NONE_LOST: Final = Losers(0.0, 0.0, 0.0, 0.0, -1)


@kernel
def add_loser(losers: Losers, card: int, chance: float) -> Losers:
    """Return the losers with one card more that loses with a chance."""
    total = losers.total + chance
    if chance >= losers.worst:
        return Losers(total, chance, losers.worst, losers.second, card)
    if chance > losers.second:
        return Losers(total, losers.worst, chance, losers.second, losers.card)
    return Losers(total, losers.worst, losers.second, max(losers.third, chance), losers.card)


@kernel
def suit_losers(losers: Losers, s: Suit, cards: Cards) -> Losers:
    """Add the losers of a suit: its cards are led from the top, and each round takes one card from each holder."""
    left = s.n_out
    while cards.once != EMPTY and left > 0:
        card = highest(cards.once)
        cards = without(cards, card)
        higher = above(card, s.out)
        higher_left = (higher * left + s.n_out // 2) // s.n_out
        if higher > 0 and left > s.holders:
            higher_left = max(1, higher_left)
        losers = add_loser(
            losers, card, 1.0 - win_chance(left - higher_left, higher_left, s.places, s.holders, DUCKING)
        )
        left -= s.places
    return losers


@kernel
def hand_losers(g: Any, r: Any, hand: Cards, out: Cards) -> Losers:
    """Return the losers of a hand."""
    losers = NONE_LOST
    for suit in range(3, -1, -1):
        s = read_suit(g, r, hand, out, suit)
        losers = suit_losers(losers, s, s.mine)
    return losers


@kernel
def is_open(g: Any, r: Any) -> bool:
    """Tell whether no other seat has taken a card that the moon needs (F2, F10)."""
    needed = r.penalty | r.bonus if r.moon_needs_bonus else r.penalty
    for seat in range(r.players):
        if seat != g.turn and g.captured[seat, 0] & needed != EMPTY:
            return False
    return True


@kernel
def careless_plays(g: Any, r: Any) -> float:
    """Count what others have played that no cautious player does: high leads, and low plain discards."""
    count = 0.0
    led = -1
    for i in range(g.n_plays):
        card = int(g.plays[i])
        suit = suit_of(card)
        if i % g.n_in_play == 0:
            led = suit
        if i < g.n_in_play or g.play_seats[i] == g.turn:
            continue
        if i % g.n_in_play == 0:
            count += 1.0 if rank_of(card) >= 9 else (0.6 if rank_of(card) >= 6 else 0.0)
        elif suit != led and BITS[card] & r.penalty == EMPTY:
            count += 1.0 if rank_of(card) <= 6 else 0.3
    return count


@kernel
def heart_losers(g: Any, r: Any, hearts: Suit) -> float:
    """Return how many hearts are expected to lose."""
    return suit_losers(NONE_LOST, hearts, hearts.mine).total


@kernel
def attempt_odds(g: Any, r: Any, t: Table) -> float:
    """Return the log-odds of shooting the moon with what is left of a hand."""
    hearts = read_suit(g, r, t.hand, t.out, HEARTS)
    odds = ATTEMPT_BASE + ATTEMPT_LOSERS * hand_losers(g, r, t.hand, t.out).total
    odds += ATTEMPT_HEART_LOSERS * heart_losers(g, r, hearts) + ATTEMPT_HEARTS_OUT * hearts.n_out
    if t.out.once & r.black != EMPTY:
        odds += ATTEMPT_BLACK_OUT
    if sets_cards_aside(g, r):
        odds += ATTEMPT_SET_ASIDE
    odds += ATTEMPT_LEFT * count(t.hand) / r.hand_size[g.n_in_play]
    return odds + ATTEMPT_CARELESS * min(2.0, careless_plays(g, r))


@kernel
def tries_moon(g: Any, r: Any, t: Table, hunt: float) -> bool:
    """Try the moon while nobody else has a point and the hand is more likely than not to win all that is left.

    A hunter adds to the log-odds, so that less will do.
    """
    return is_open(g, r) and attempt_odds(g, r, t) + hunt > 0.0


@kernel
def passing_odds(g: Any, r: Any, hand: Cards, out: Cards, losers: Losers, n_passed: int) -> float:
    """Return the log-odds of shooting the moon with a dealt hand, of which the `n_passed` worst cards are passed."""
    left = losers.total - losers.worst
    if n_passed > 1:
        left -= losers.second
    if n_passed > 2:
        left -= losers.third
    hearts = read_suit(g, r, hand, out, HEARTS)
    return PASSING_BASE + PASSING_LOSERS * left + PASSING_HEART_LOSERS * heart_losers(g, r, hearts)


@kernel
def shoot_worth(g: Any, r: Any, t: Table, s: Suit, card: int, chance: float) -> float:
    """Win what counts, with no higher card than needed; give no penalty card away, and keep no losers."""
    worth = SHOOT_LOSER * suit_losers(NONE_LOST, s, without(s.mine, card)).total
    worth -= SHOOT_LOSER * suit_losers(NONE_LOST, s, s.mine).total
    if BITS[card] & r.penalty != EMPTY:
        worth += SHOOT_GIVE * (1.0 - chance)
    if t.leads:
        return worth + chance * (SHOOT_LEAD + (SHOOT_LEAD_HEART if s.kind == HEART else 0.0))
    worth += SHOOT_HIGH * (risk_of(s, card) if s.n_out > 0 else 1.0)
    return worth + chance * (SHOOT_FOLLOW + (SHOOT_POINTS if t.penalties > 0 or s.kind == HEART else 0.0))
