"""Rules H: the end of the game, places, and play-offs among seats that are tied for the first."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rk_env.jit import kernel
from rk_env.kernels.seats import is_in_play
from rk_env.settings import COMPARE_CAPTURED, TIES_PLAYOFF


@kernel
def has_ended(g: Any, r: Any) -> bool:
    """H1: tell whether a total has reached the target; what follows then are play-offs."""
    for seat in range(r.players):
        if g.totals[seat] >= r.target:
            return True
    return False


@kernel
def hands_used_up(g: Any, r: Any) -> bool:
    """H9: tell whether the limit of hands is reached."""
    return 0 < r.max_hands <= g.hand_number


@kernel
def result(g: Any, r: Any, seat: int) -> int:
    """H2, H5: return what decides on a seat's place, lower is better: its total, or a play-off hand's result."""
    if g.playoff == 0:
        return int(g.totals[seat])
    return int(g.points[seat]) if r.playoff_compare == COMPARE_CAPTURED else int(g.scores[seat])


@kernel
def rank_seats(g: Any, r: Any) -> None:
    """H2, H4, H6: put each seat in play behind those in play with a better result; equals share a place."""
    for seat in range(r.players):
        if is_in_play(g, seat):
            ahead = 0
            for other in range(r.players):
                ahead += int(is_in_play(g, other) and result(g, r, other) < result(g, r, seat))
            g.places[seat] = ahead


@kernel
def n_first(g: Any, r: Any) -> int:
    """Return how many seats share the first place."""
    n = 0
    for seat in range(r.players):
        n += int(g.places[seat] == 0)
    return n


@kernel
def is_decided(g: Any, r: Any) -> bool:
    """H4, H9: tell whether a game that has ended has its winner, or its winners share."""
    return r.ties != TIES_PLAYOFF or hands_used_up(g, r) or n_first(g, r) == 1


@kernel
def close_hand(g: Any, r: Any) -> bool:
    """H: after a hand has been scored, rank the seats if the game has ended; return whether it is over."""
    if g.playoff == 0 and not has_ended(g, r) and not hands_used_up(g, r):
        return False
    rank_seats(g, r)
    return is_decided(g, r)


@kernel
def seat_those_in_first_place(g: Any, r: Any) -> None:
    """H4: when the game has ended in a tie, those in first place, and only they, play the next hand."""
    if not has_ended(g, r):
        return
    in_play = 0
    for seat in range(r.players):
        if g.places[seat] == 0:
            in_play |= 1 << seat
    g.in_play = in_play
    g.n_in_play = n_first(g, r)
    g.playoff += 1


@kernel
def fill_win_shares(g: Any, r: Any, shares: NDArray[np.float64]) -> None:
    """H4: share one win among the k seats in first place, 1/k each; shape (P,)."""
    for seat in range(r.players):
        shares[seat] = 1.0 / n_first(g, r) if g.places[seat] == 0 else 0.0
