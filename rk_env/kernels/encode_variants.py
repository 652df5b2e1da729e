"""Observations: the blocks that only some rules bring, for two decks and for revokes."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from rk_env.jit import kernel
from rk_env.kernels.bits import EMPTY, lowest
from rk_env.kernels.passing import receiver
from rk_env.kernels.rows import PER_COPY, Row, relative, set_cards, set_copies
from rk_env.kernels.seats import is_in_play
from rk_env.settings import N_PASSED
from rk_env.state import MAX_PLAYS, PASS

_MOST_REVOKES: Final = 10


@kernel
def encode_second_deck(g: Any, r: Any, me: int, at: Any, row: Row) -> None:
    """Fill the blocks about what only two decks bring: second copies, cards that wait, the kitty."""
    one = np.float32(1.0)
    set_cards(row, at.hand, g.hands[me, 1], one)
    set_copies(row, at.waiting, g.waiting, r)
    row[at.black_out] = np.float32(black_cards_out(g, r)) * PER_COPY[r.decks]
    if g.kitty_taker >= 0:
        row[at.kitty_taker + relative(r, g.kitty_taker, me)] = 1.0
        if g.kitty_taker == me:
            set_copies(row, at.kitty, g.kitty, r)
    if g.pass_seats > 0 and g.phase != PASS and is_in_play(g, me):
        encode_passed_held(g, r, me, at, row)


@kernel
def black_cards_out(g: Any, r: Any) -> int:
    """Return how many black cards of this hand's deck have not been played; a play-off may have one deck (X14)."""
    black = lowest(r.black)
    n_out = 2 if r.deck[g.n_in_play, 1] & r.black != EMPTY else 1
    for i in range(g.n_plays):
        n_out -= int(g.plays[i] == black)
    return n_out


@kernel
def encode_passed_held(g: Any, r: Any, me: int, at: Any, row: Row) -> None:
    """Fill `passed_held` where cards have copies: a card passed counts as played when its receiver plays a copy."""
    to = receiver(g, r, me)
    for k in range(N_PASSED):
        row[at.passed_held + int(g.passed[me, k])] = row[at.passed + int(g.passed[me, k])]
    for i in range(g.n_plays):
        if g.play_seats[i] == to:
            index = at.passed_held + int(g.plays[i])
            row[index] = max(np.float32(0.0), row[index] - PER_COPY[r.decks])


@kernel
def still_holds(g: Any, seat: int, card: int, since: int) -> bool:
    """Tell whether a seat has not played a card that it took back before the play `since`."""
    for i in range(since, g.n_plays):
        if g.play_seats[i] == seat and g.plays[i] == card:
            return False
    return True


@kernel
def encode_revokes(g: Any, r: Any, me: int, at: Any, row: Row) -> None:
    """Fill the blocks about revokes: cards that were shown and taken back and are still held, and fines."""
    for i in range(min(int(g.n_plays) + 1, MAX_PLAYS)):
        card = int(g.took_back[i])
        if card >= 0:
            seat = int(g.play_seats[i]) if i < g.n_plays else int(g.turn)
            if still_holds(g, seat, card, i):
                row[at.shown + 52 * relative(r, seat, me) + card] = PER_COPY[r.decks]
    for seat in range(r.players):
        fines = min(int(g.revokes[seat]), _MOST_REVOKES)
        row[at.revokes + relative(r, seat, me)] = np.float32(fines) / np.float32(_MOST_REVOKES)
