"""What a view proves about the cards that its observer does not see.

Every play was legal, so it says something about the hand that it came from: a discard that the hand has no card of the
suit led, an unbroken heart led that it has nothing else, and so on. `deduce` reads the whole hand once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rk_env.cards import HEARTS
from rk_env.hidden import KITTY_PLACE
from rk_env.jit import kernel
from rk_env.kernels.bits import BITS, EMPTY, HEARTS_BB, SUITS_BB, popcount, suit_of
from rk_env.kernels.passing import receiver
from rk_env.kernels.play import breaks_hearts, restricts_first_discards
from rk_env.kernels.seats import is_in_play, left_of
from rk_env.kernels.unseen import unseen_by
from rk_env.settings import FIRST_TRICK_STRICT, N_PASSED, REVOKES_CORRECTED, REVOKES_EXPOSED
from rk_env.state import MOON, PASS, PLAY

_ALL = ~EMPTY


@kernel
def deduce(g: Any, r: Any, h: Any, opening_in_kitty: bool) -> None:
    """Fill the places of a `HIDDEN` record from a view: cards unseen, room, what is allowed, fixed and needed.

    Args:
        g: the view.
        r: the rules.
        h: the record to fill.
        opening_in_kitty: which of two cases to fill in, while eldest is about to lead and may have the opening card or
            not: that all copies lie in the kitty. `may_open_without` tells whether there is such a case.
    """
    h.unseen[0], h.unseen[1] = unseen_by(g, r, g.observer)
    h.allowed[:] = _ALL
    h.fixed[:, :] = EMPTY
    h.played[:, :] = EMPTY
    h.need = EMPTY
    h.need_place = -1
    count_room(g, r, h)
    if g.phase == PASS:
        return
    read_plays(g, r, h)
    fix_passed(g, r, h)
    fix_shown(g, h)
    read_opening(g, r, h, opening_in_kitty)
    read_revoke(g, r, h)


@kernel
def count_room(g: Any, r: Any, h: Any) -> None:
    """Count the cards in each hidden place: in other hands those dealt and not played, in the kitty all the rest."""
    h.room[:] = 0
    left = popcount(h.unseen[0]) + popcount(h.unseen[1])
    for seat in range(r.players):
        if seat != g.observer and is_in_play(g, seat):
            h.room[seat] = r.hand_size[g.n_in_play] - g.trick - int(g.table[seat] >= 0) if g.phase < MOON else 0
            left -= h.room[seat]
    h.room[KITTY_PLACE] = left if left == kitty_size(g, r) else -1  # a contradiction


@kernel
def kitty_size(g: Any, r: Any) -> int:
    """X2, H7: return how many cards of the deck were not dealt to seats and are hidden from the observer."""
    n = int(g.n_in_play)
    if r.gives_kitty[n] and (g.phase >= MOON or g.kitty_taker == g.observer >= 0):
        return 0
    return popcount(r.deck[n, 0]) + popcount(r.deck[n, 1]) - n * int(r.hand_size[n])


@kernel
def restrict(h: Any, seat: int, cards: np.uint64) -> None:
    """Note that a seat has none but these cards."""
    h.allowed[seat] &= cards


@kernel
def read_plays(g: Any, r: Any, h: Any) -> None:
    """E, D: go through the plays of the hand and note what each says about the hand that it came from."""
    led_suit = 0
    broken = False
    for i in range(g.n_plays):
        seat, card = int(g.play_seats[i]), int(g.plays[i])
        suit = suit_of(card)
        trick = i // int(g.n_in_play)
        bit = BITS[card]
        if i % g.n_in_play == 0:
            led_suit = suit
            read_lead(g, r, h, seat, card, trick, broken)
        else:
            if g.took_back[i] >= 0:
                read_discard(g, r, h, seat, int(g.took_back[i]), trick)
            read_follow(g, r, h, seat, card, trick, led_suit)
        broken |= breaks_hearts(r, card, suit)
        h.played[seat, 1] |= h.played[seat, 0] & bit
        h.played[seat, 0] |= bit
    if g.phase == PLAY and g.n_table > 0 and g.took_back[g.n_plays] >= 0:
        read_discard(g, r, h, int(g.turn), int(g.took_back[g.n_plays]), int(g.trick))


@kernel
def read_lead(g: Any, r: Any, h: Any, seat: int, card: int, trick: int, broken: bool) -> None:
    """D1-D5, E3, E5, E6: an unbroken heart led says that there was nothing else to lead."""
    opening = int(r.opening_card[g.n_in_play])
    if trick == 0 and opening >= 0 and card == opening:
        return
    besides = r.black if r.heart_instead_of_queen else EMPTY
    if suit_of(card) == HEARTS and not broken and not (trick == 0 and r.open_with_heart):
        restrict(h, seat, HEARTS_BB | besides)
    if trick == 0 and r.first_trick == FIRST_TRICK_STRICT and BITS[card] == r.black:
        keeps_all = r.open_with_heart or r.heart_instead_of_queen
        restrict(h, seat, r.black if keeps_all else HEARTS_BB | r.black)


@kernel
def read_follow(g: Any, r: Any, h: Any, seat: int, card: int, trick: int, led_suit: int) -> None:
    """E1, D8: a discard says that the hand has no card of the suit led, unless revokes go unseen (G3)."""
    suit = suit_of(card)
    if suit != led_suit:
        if r.revokes != REVOKES_EXPOSED:
            restrict(h, seat, ~SUITS_BB[led_suit])
        read_discard(g, r, h, seat, card, trick)
    elif trick == 0 and r.first_trick == FIRST_TRICK_STRICT and BITS[card] == r.black:
        restrict(h, seat, ~(SUITS_BB[suit] & ~r.black))


@kernel
def read_discard(g: Any, r: Any, h: Any, seat: int, card: int, trick: int) -> None:
    """D6, D9: a penalty card discarded on trick one, or shown for it, says that the hand has no other cards."""
    if trick == 0 and restricts_first_discards(g, r) and BITS[card] & r.penalty != EMPTY:
        restrict(h, seat, r.penalty)


@kernel
def fix_passed(g: Any, r: Any, h: Any) -> None:
    """C1: what the observer passed, and has not seen played, lies where it went."""
    if g.pass_seats == 0 or not is_in_play(g, g.observer):
        return
    seat = receiver(g, r, g.observer)
    played_once, played_twice = h.played[seat, 0], h.played[seat, 1]
    for k in range(N_PASSED):
        bit = BITS[g.passed[g.observer, k]]
        if played_twice & bit:
            played_twice ^= bit
        elif played_once & bit:
            played_once ^= bit
        else:
            fix(h, seat, int(g.passed[g.observer, k]))


@kernel
def fix(h: Any, place: int, card: int) -> None:
    """Move one copy of a card from those unseen to those known to lie in a place."""
    bit = BITS[card]
    if h.unseen[1] & bit:
        h.unseen[1] ^= bit
    else:
        h.unseen[0] &= ~bit
    h.fixed[place, 1] |= h.fixed[place, 0] & bit
    h.fixed[place, 0] |= bit
    h.room[place] -= 1


@kernel
def fix_shown(g: Any, h: Any) -> None:
    """G2: a card taken back lies in the hand that showed it, until that seat plays such a card."""
    for i in range(g.n_plays + 1):
        card = int(g.took_back[i]) if i < g.took_back.shape[0] else -1
        if card < 0:
            continue
        seat = int(g.play_seats[i]) if i < g.n_plays else int(g.turn)
        if h.room[seat] > 0 and not h.fixed[seat, 0] & BITS[card] and not is_played_after(g, seat, card, i):
            fix(h, seat, card)


@kernel
def is_played_after(g: Any, seat: int, card: int, i: int) -> bool:
    """Tell whether a seat has played a card, or its other copy, in play i or later."""
    for k in range(i, g.n_plays):
        if g.play_seats[k] == seat and g.plays[k] == card:
            return True
    return False


@kernel
def opener(g: Any) -> int:
    """Return who led, or is to lead, to trick one."""
    return int(g.play_seats[0] if g.n_plays > 0 else g.leader)


@kernel
def may_open_without(g: Any, r: Any) -> bool:
    """X9: tell whether eldest is about to lead and may have no opening card, since all copies may lie in the kitty."""
    opening = int(r.opening_card[g.n_in_play])
    if opening < 0 or g.phase != PLAY or g.n_plays > 0 or r.gives_kitty[g.n_in_play] == 0:
        return False
    eldest = left_of(g, r, g.dealer)
    return g.leader == eldest and eldest != g.observer


@kernel
def read_opening(g: Any, r: Any, h: Any, opening_in_kitty: bool) -> None:
    """D1-D3, X9: the first holder of the opening card, from eldest on, leads to trick one, and leads that card."""
    opening = int(r.opening_card[g.n_in_play])
    if opening < 0 or g.phase > PLAY:
        return
    leader = opener(g)
    led = int(g.plays[0]) if g.n_plays > 0 else -1
    is_in_kitty = opening_in_kitty or (led >= 0 and led != opening)
    if led < 0 and leader == g.observer:
        is_in_kitty |= g.hands[leader, 0] & BITS[opening] == EMPTY
    seat = left_of(g, r, g.dealer)
    for _ in range(g.n_in_play):
        if seat == leader and not is_in_kitty:
            break
        restrict(h, seat, ~BITS[opening])
        seat = left_of(g, r, seat)
    if led < 0 and not is_in_kitty and leader != g.observer and not h.fixed[leader, 0] & BITS[opening]:
        h.need = BITS[opening]
        h.need_place = leader


@kernel
def read_revoke(g: Any, r: Any, h: Any) -> None:
    """G2: a seat that has just taken a card back has a card of the suit led."""
    if r.revokes != REVOKES_CORRECTED or g.phase != PLAY or g.n_table == 0 or g.took_back[g.n_plays] < 0:
        return
    if g.turn != g.observer and not h.fixed[g.turn, 0] & SUITS_BB[g.led_suit]:
        h.need = SUITS_BB[g.led_suit]
        h.need_place = g.turn
