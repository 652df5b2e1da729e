"""Rules D and E: who leads, which cards are legal, and who wins a trick."""

from __future__ import annotations

from typing import Any

import numpy as np

from rk_env.cards import HEARTS, TWO_OF_CLUBS
from rk_env.jit import kernel
from rk_env.kernels.bits import BITS, EMPTY, HEARTS_BB, SUITS_BB, suit_of
from rk_env.kernels.cancellation import take_waiting, winner_of_uncancelled
from rk_env.kernels.copies import drop_card
from rk_env.kernels.seats import is_in_play, left_of
from rk_env.kernels.values import penalty_points
from rk_env.settings import FIRST_TRICK_OFF, FIRST_TRICK_ONLY_2C, FIRST_TRICK_STRICT


@kernel
def opening_leader(g: Any, r: Any) -> int:
    """D1-D3, X9: return who leads to trick one: the first holder of the opening card from eldest on, or eldest."""
    eldest = left_of(g, r, g.dealer)
    card = int(r.opening_card[g.n_in_play])
    if card >= 0:
        seat = eldest
        for _ in range(g.n_in_play):
            if g.hands[seat, 0] & BITS[card]:
                return seat
            seat = left_of(g, r, seat)
    return eldest


@kernel
def legal_plays(g: Any, r: Any) -> np.uint64:
    """Return the bitboard of cards that the seat to act may play."""
    hand = g.hands[g.turn, 0]
    if g.n_table > 0:
        return legal_follows(g, r, hand)
    if g.trick == 0:
        return legal_openings(g, r, hand)
    return legal_leads(g, r, hand)


@kernel
def legal_openings(g: Any, r: Any, hand: np.uint64) -> np.uint64:
    """D1-D5: the lead to trick one: the opening card if the leader holds it; else any card but a banned one."""
    card = int(r.opening_card[g.n_in_play])
    if card >= 0 and hand & BITS[card]:
        return BITS[card]
    leads = hand if r.open_with_heart else legal_leads(g, r, hand)
    return without_black_if_strict(r, leads)


@kernel
def legal_leads(g: Any, r: Any, hand: np.uint64) -> np.uint64:
    """E3, E5-E7: hearts may not be led until they are broken, unless the hand leaves nothing else."""
    others = hand & ~HEARTS_BB
    if g.hearts_broken or others == EMPTY:
        return hand
    if others == r.black and r.heart_instead_of_queen:
        return hand
    return others


@kernel
def legal_follows(g: Any, r: Any, hand: np.uint64) -> np.uint64:
    """E1: follow suit; without a card of the led suit, discard any, apart from the rules of trick one."""
    follows = hand & SUITS_BB[g.led_suit]
    if g.trick > 0:
        return follows if follows != EMPTY else hand
    if follows != EMPTY:
        return without_black_if_strict(r, follows)
    return legal_first_discards(g, r, hand)


@kernel
def legal_first_discards(g: Any, r: Any, hand: np.uint64) -> np.uint64:
    """D6, D7, D9-D11: no penalty card is discarded on trick one while the hand holds a harmless card."""
    if not restricts_first_discards(g, r):
        return hand
    harmless = hand & ~r.penalty
    return harmless if harmless != EMPTY else hand


@kernel
def restricts_first_discards(g: Any, r: Any) -> bool:
    """D6: tell whether penalty cards may not be discarded on trick one, once it has been led to."""
    return not (r.first_trick == FIRST_TRICK_OFF or (r.first_trick == FIRST_TRICK_ONLY_2C and not g.opened_with_2c))


@kernel
def without_black_if_strict(r: Any, choices: np.uint64) -> np.uint64:
    """D5, D8: under "strict", the black card is not led or followed with on trick one while another choice is legal."""
    others = choices & ~r.black
    return others if r.first_trick == FIRST_TRICK_STRICT and others != EMPTY else choices


@kernel
def put_on_table(g: Any, r: Any, card: int) -> None:
    """Move a card from the hand of the seat to act to the table, and note what everybody sees by it."""
    seat = int(g.turn)
    suit = suit_of(card)
    if g.n_table == 0:
        g.led_suit = suit
        if g.trick == 0 and card == TWO_OF_CLUBS:
            g.opened_with_2c = 1
    g.voids[seat] |= int(suit != g.led_suit) << int(g.led_suit)  # no branch: it would be guessed wrong too often
    g.hearts_broken |= int(breaks_hearts(r, card, suit))
    if r.decks == 2:
        drop_card(g, seat, card)
    else:
        g.hands[seat, 0] &= ~BITS[card]
    g.table[seat] = card
    g.n_table += 1
    g.plays[g.n_plays] = card
    g.play_seats[g.n_plays] = seat
    g.n_plays += 1


@kernel
def breaks_hearts(r: Any, card: int, suit: int) -> bool:
    """E3-E5, D11: any heart played breaks hearts (its lead is legal only by necessity); by setting, the black card."""
    return (suit == HEARTS) | ((r.queen_breaks_hearts != 0) & (BITS[card] == r.black))  # no branch here either


@kernel
def trick_winner(g: Any, r: Any) -> int:
    """E2, X4: return who is winning the trick on the table, after its lead; -1 while all that could have cancelled."""
    return winner_of_uncancelled(g, r) if r.decks == 2 else winner_of_highest(g, r)


@kernel
def winner_of_highest(g: Any, r: Any) -> int:
    """E2: return the seat with the highest card of the led suit on the table, on which a card must lie."""
    winner = -1
    best = 13 * int(g.led_suit) - 1  # below the led suit's lowest card
    top = best + 13
    for seat in range(r.players):
        card = int(g.table[seat])
        if (card > best) & (card <= top):  # one condition, so that no branch is compiled
            winner = seat
            best = card
    return winner


@kernel
def take_trick(g: Any, r: Any) -> None:
    """E2, X6: the winner picks up the cards on the table and leads next; without a winner the leader leads again."""
    if r.decks == 2:
        winner = take_waiting(g, r, winner_of_uncancelled(g, r))
    else:
        winner = winner_of_highest(g, r)
        take_table(g, r, winner)
    g.winners[g.trick] = winner
    g.trick += 1
    g.n_table = 0
    g.led_suit = -1
    if winner >= 0:
        g.leader = winner
    g.turn = g.leader


@kernel
def take_table(g: Any, r: Any, winner: int) -> None:
    """E2: the winner picks up the cards on the table, of one deck."""
    taken = EMPTY
    for seat in range(r.players):
        if is_in_play(g, seat):
            taken |= BITS[g.table[seat]]
            g.table[seat] = -1
    g.captured[winner, 0] |= taken
    g.points[winner] += penalty_points(r, taken)
