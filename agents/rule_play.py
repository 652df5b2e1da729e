"""How `rule_based` plays: for the moon when the hand is good for it, else the card that costs least.

A card costs what the trick is expected to cost with it, less what it is worth to be rid of it, and what it does for or
against a moon of somebody else's.
"""

from __future__ import annotations

from typing import Any

from agents.holding import IN_PLAY, parting
from agents.knowledge import Suit, Table, read_suit, read_table, without
from agents.manner import Manner
from agents.moon_attempt import shoot_worth, tries_moon
from agents.moon_defence import Threat, defence_cost, find_threat
from agents.trick_cost import chance_to_win, trick_cost
from rk_env.jit import kernel
from rk_env.kernels.bits import EMPTY, ONE, SUITS_BB, lowest
from rk_env.kernels.play import legal_plays


@kernel
def play_by_rules(g: Any, r: Any, manner: Manner) -> int:
    """Play the card that is best by the rules; of equal ones the lowest."""
    legal = legal_plays(g, r)
    if legal & (legal - ONE) == EMPTY:
        return lowest(legal)
    t = read_table(g, r)
    shoots = tries_moon(g, r, t, manner.hunt)
    threat = find_threat(g, r, manner.stop)
    best = -1
    best_cost = 0.0
    for suit in range(4):
        cards = legal & SUITS_BB[suit]
        if cards == EMPTY:
            continue
        s = read_suit(g, r, t.hand, t.out, suit)
        while cards != EMPTY:
            card = lowest(cards)
            cards &= cards - ONE
            cost = shoot_cost(g, r, t, s, card) if shoots else card_cost(g, r, t, s, threat, manner, card)
            if best < 0 or cost < best_cost:
                best = card
                best_cost = cost
    return best


@kernel
def card_cost(g: Any, r: Any, t: Table, s: Suit, threat: Threat, manner: Manner, card: int) -> float:
    """Return what it is expected to cost to play a card, in points of the hand."""
    chance = chance_to_win(g, r, t, s, card)
    cost = trick_cost(g, r, t, s, card, chance, manner) + defence_cost(g, r, t, s, threat, card, chance)
    return cost - parting(r, s, card, without(t.hand, card).once & r.black != EMPTY, IN_PLAY, manner.off)


@kernel
def shoot_cost(g: Any, r: Any, t: Table, s: Suit, card: int) -> float:
    """Return what it costs a shooter to play a card, in parts of a moon."""
    return -shoot_worth(g, r, t, s, card, chance_to_win(g, r, t, s, card))
