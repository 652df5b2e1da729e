"""Rules against moons: notice the player who has taken all points so far, and take one."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from agents.holding import risk_of
from agents.knowledge import HEART, Cards, Suit, Table, count, n_black, of_suit, sets_cards_aside
from agents.worths import (
    GIVE_OTHER,
    KEEP_HEART,
    KEEP_WINNER,
    STOP_LEAD,
    STOP_POINTS,
    THREAT_BASE,
    THREAT_BLACK,
    THREAT_HEARTS,
    THREAT_OF_TWO,
    THREAT_PROGRESS,
    THREAT_SET_ASIDE,
    THREAT_TRICKS,
)
from rk_env.cards import HEARTS
from rk_env.jit import kernel
from rk_env.kernels.bits import BITS, EMPTY
from rk_env.kernels.seats import left_of


class Threat(NamedTuple):
    """The player who may shoot the moon."""

    seat: int
    """-1: nobody."""
    odds: float
    """Chance that this player succeeds, 0 to 1, times how much a style minds."""


@kernel
def find_threat(g: Any, r: Any, stop: float) -> Threat:
    """Return the other seat that has taken every point so far, if there is one and points are still to be taken.

    In a hand of two with cards set aside, the other seat is a threat from the start: few penalty cards are dealt, and
    who takes none of them gives the moon away.

    Args:
        g: the game.
        r: the rules.
        stop: how much the style minds another's moon, times the odds.
    """
    found = -1
    for seat in range(r.players):
        if g.captured[seat, 0] & r.penalty != EMPTY:
            if found >= 0 or seat == g.turn:
                return Threat(-1, 0.0)
            found = seat
    if found < 0 and sets_cards_aside(g, r):
        found = left_of(g, r, g.turn)
    if found < 0 or has_all_penalties(g, r, found):
        return Threat(-1, 0.0)
    return Threat(found, stop * moon_odds(g, r, found))


@kernel
def has_all_penalties(g: Any, r: Any, seat: int) -> bool:
    """Tell whether a seat has taken every penalty card there is, of two decks both copies."""
    once = r.deck[g.n_in_play, 0] & ~g.captured[seat, 0]
    twice = r.deck[g.n_in_play, 1] & ~g.captured[seat, 1]
    return (once | twice) & r.penalty == EMPTY


@kernel
def moon_odds(g: Any, r: Any, seat: int) -> float:
    """Return the chance that a seat with all points so far takes all others too, from what everybody sees."""
    won = 0
    for trick in range(g.trick):
        won += int(g.winners[trick] == seat)
    taken = Cards(g.captured[seat, 0] & r.penalty, g.captured[seat, 1] & r.penalty)
    copies = 1 if r.deck[g.n_in_play, 1] == EMPTY else 2
    log_odds = THREAT_BASE + THREAT_HEARTS * count(of_suit(taken, HEARTS)) / copies
    log_odds += THREAT_BLACK * n_black(r, taken) / copies
    log_odds += THREAT_PROGRESS * g.trick / r.hand_size[g.n_in_play] + THREAT_TRICKS * won / max(1, g.trick)
    if g.n_in_play == 2:
        log_odds += THREAT_SET_ASIDE if sets_cards_aside(g, r) else THREAT_OF_TWO
    return 1.0 / (1.0 + math.exp(-log_odds))


@kernel
def defence_cost(g: Any, r: Any, t: Table, s: Suit, threat: Threat, card: int, chance: float) -> float:
    """Return what a card costs in view of a threatening moon."""
    if threat.seat < 0:
        return 0.0
    return threat.odds * (stop_moon(g, r, t, s, threat, card, chance) + keep_stoppers(r, s, card))


@kernel
def stop_moon(g: Any, r: Any, t: Table, s: Suit, threat: Threat, card: int, chance: float) -> float:
    """Take a trick with points from the shooter, or put a penalty card on a trick that another wins.

    Of two players, nobody else will stop the shooter: a high heart is led for it.
    """
    if t.leads:
        return chance * STOP_POINTS if t.others == 1 and s.kind == HEART else 0.0
    if chance > 0.0:
        return chance * (STOP_POINTS if t.penalties > 0 or s.kind == HEART else STOP_LEAD)
    return GIVE_OTHER if BITS[card] & r.penalty != EMPTY and t.winner != threat.seat else 0.0


@kernel
def keep_stoppers(r: Any, s: Suit, card: int) -> float:
    """Keep cards that can win a trick, hearts above all."""
    if s.n_out == 0 or BITS[card] == r.black:
        return 0.0
    return risk_of(s, card) * (KEEP_WINNER + (KEEP_HEART if s.kind == HEART else 0.0))
