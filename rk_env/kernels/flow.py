"""The course of a game: start, deal, pass, play, moon choice, score, next hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from rk_env.jit import kernel
from rk_env.kernels.bits import BITS, EMPTY
from rk_env.kernels.cancellation import open_kitty
from rk_env.kernels.chance import FOR_FIRST_DEALER, FOR_HAND_NUMBER, below, mix, stream
from rk_env.kernels.deal import deal_cards, draw_first_dealer
from rk_env.kernels.passing import exchange, legal_picks, pass_seats_left, pick
from rk_env.kernels.play import legal_plays, opening_leader, put_on_table, take_trick
from rk_env.kernels.revokes import expose, is_revoke, revoke_plays, take_back
from rk_env.kernels.scoring import find_shooter, hand_score
from rk_env.kernels.seats import is_in_play, left_of
from rk_env.kernels.standing import close_hand, seat_those_in_first_place
from rk_env.settings import (
    DEALER_DRAW,
    DEALER_RANDOM,
    LATE_REPLAY,
    MAX_REPLAYS,
    MOON_NEW,
    REVOKES_CORRECTED,
    REVOKES_PREVENTED,
)
from rk_env.state import ACTION_MOON_ADD, ACTION_MOON_SUBTRACT, GAME_OVER, HAND_OVER, MOON, NO_SEAT, PASS, PLAY

_MOON_ACTIONS = BITS[ACTION_MOON_ADD] | BITS[ACTION_MOON_SUBTRACT]


@kernel
def legal_actions(g: Any, r: Any) -> np.uint64:
    """Return the legal actions of the seat to act, bit by action; empty when nobody is to act."""
    if g.phase == PLAY:
        return legal_plays(g, r)
    if g.phase == PASS:
        return legal_picks(g, r)
    return _MOON_ACTIONS if g.phase == MOON else EMPTY


@kernel
def accepted_actions(g: Any, r: Any) -> np.uint64:
    """G1: return the legal actions and, where they are not prevented, the revokes of the seat to act."""
    legal = legal_actions(g, r)
    if r.revokes != REVOKES_PREVENTED and g.phase == PLAY:
        legal |= revoke_plays(g, r)
    return legal


@kernel
def apply_action(g: Any, r: Any, action: int) -> None:
    """Do what the seat to act decided; `action` must be one of the accepted ones."""
    if g.phase == PLAY:
        if r.revokes == REVOKES_PREVENTED:
            play_card(g, r, action)
        else:
            play_watched_card(g, r, action)
    elif g.phase == PASS:
        if pick(g, r, action):
            exchange(g, r)
            begin_play(g, r)
    else:
        score_hand(g, r, action == ACTION_MOON_SUBTRACT)


@kernel
def play_card(g: Any, r: Any, card: int) -> None:
    """E: put a card on the table; it may complete the trick, and the hand."""
    put_on_table(g, r, card)
    if g.n_table < g.n_in_play:
        g.turn = left_of(g, r, g.turn)
    else:
        take_trick(g, r)
        if g.trick == r.hand_size[g.n_in_play]:
            end_play(g, r)


@kernel
def play_watched_card(g: Any, r: Any, card: int) -> None:
    """G2, G3: play a card where revokes happen: corrected at once, or standing until a later card gives them away."""
    if r.revokes == REVOKES_CORRECTED:
        if is_revoke(g, card):
            take_back(g, card)
        else:
            play_card(g, r, card)
    elif expose(g, card) and r.late_revoke == LATE_REPLAY and g.redeal < MAX_REPLAYS:
        redeal_hand(g, r, 0)
    else:
        play_card(g, r, card)


@kernel
def start_game(g: Any, r: Any, seed: np.uint64, draw_hand_number: bool) -> None:
    """Blank a record and begin a game: the first dealer (B1), and its first hand.

    Args:
        g: the game.
        r: the rules.
        seed: the game's own randomness.
        draw_hand_number: for episodes of one hand: draw one of the four pass directions, and the dealer, evenly; the
            cards are those of the seed's first hand all the same.
    """
    g.seed = seed
    g.in_play = (1 << int(r.players)) - 1
    g.n_in_play = r.players
    g.playoff = 0
    g.places[:] = 0
    g.totals[:] = 0
    g.first_hand = 1
    if draw_hand_number:
        g.first_hand += below(mix(stream(seed, FOR_HAND_NUMBER, 0)), 4)
    g.hand_number = g.first_hand
    if r.first_dealer == DEALER_DRAW:
        g.dealer = draw_first_dealer(seed, int(r.players))
    elif r.first_dealer == DEALER_RANDOM or draw_hand_number:
        g.dealer = below(mix(stream(seed, FOR_FIRST_DEALER, 0)), int(r.players))
    else:
        g.dealer = r.first_dealer
    g.redeal = 0
    g.revokes[:] = 0
    g.took_back[:] = -1
    deal_hand(g, r, 0)


@kernel
def next_hand(g: Any, r: Any, cut: int) -> None:
    """B5, C4, H8: the deal moves clockwise to the next seat that is in, the hand number by one."""
    seat_those_in_first_place(g, r)
    g.dealer = left_of(g, r, g.dealer)
    g.hand_number += 1
    g.redeal = 0
    g.revokes[:] = 0
    deal_hand(g, r, cut)


@kernel
def redeal_hand(g: Any, r: Any, cut: int) -> None:
    """B6, G4: same dealer, hand number and pass direction, a fresh shuffle; fines for revokes are kept."""
    g.redeal += 1
    deal_hand(g, r, cut)


@kernel
def deal_hand(g: Any, r: Any, cut: int) -> None:
    """Deal a hand and begin it; `cut` as in `deal_cards`."""
    deal_cards(g, r, cut)
    begin_hand(g, r)


@kernel
def clear_play(g: Any, r: Any) -> None:
    """Clear what the play of a hand leaves in its record, so that play can begin."""
    g.kitty_taker = NO_SEAT
    g.waiting[:] = EMPTY
    g.leader = NO_SEAT
    g.trick = 0
    g.n_table = 0
    g.led_suit = -1
    g.table[:] = -1
    g.hearts_broken = 0
    g.opened_with_2c = 0
    g.n_plays = 0
    g.plays[:] = -1
    g.play_seats[:] = -1
    if r.revokes != REVOKES_PREVENTED:  # else nothing is ever taken back
        g.took_back[:] = -1
    g.winners[:] = -1
    g.voids[:] = 0
    g.captured[:, :] = EMPTY
    g.points[:] = 0
    g.shooter = NO_SEAT
    g.scores[:] = 0


@kernel
def begin_hand(g: Any, r: Any) -> None:
    """Clear what belongs to one hand, once its cards are dealt, and begin the pass, or the play of a hold hand."""
    g.observer = NO_SEAT
    g.passed[:, :] = -1
    g.n_picks = 0
    clear_play(g, r)
    g.pass_seats = pass_seats_left(g, r)
    if g.pass_seats > 0:
        g.phase = PASS
        g.turn = left_of(g, r, g.dealer)
    else:
        begin_play(g, r)


@kernel
def begin_play(g: Any, r: Any) -> None:
    """D1-D3: the hands are final; the opening leader is to act."""
    g.phase = PLAY
    g.leader = opening_leader(g, r)
    g.turn = g.leader


@kernel
def end_play(g: Any, r: Any) -> None:
    """F2, F6, H5: after the last trick, ask a shooter under the new moon, but not in a play-off; else score."""
    open_kitty(g, r)
    g.shooter = find_shooter(g, r)
    if g.shooter >= 0 and r.moon == MOON_NEW and g.playoff == 0:
        g.phase = MOON
        g.turn = g.shooter
    else:
        score_hand(g, r, False)


@kernel
def score_hand(g: Any, r: Any, subtract: bool) -> None:
    """F, H6: score the hand, add to the totals but in a play-off, and see whether the game is over."""
    for seat in range(r.players):
        if is_in_play(g, seat):
            g.scores[seat] = hand_score(g, r, seat, subtract)
            if g.playoff == 0:
                g.totals[seat] += g.scores[seat]
    g.turn = NO_SEAT
    g.phase = GAME_OVER if close_hand(g, r) else HAND_OVER
