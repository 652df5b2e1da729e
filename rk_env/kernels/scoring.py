"""Rules F: scoring a hand, in the order points, moon, bonus cards, totals, end of the game."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rk_env.jit import kernel
from rk_env.kernels.bits import popcount
from rk_env.rules import BONUS_POINTS


@kernel
def find_shooter(g: Any, r: Any) -> int:
    """F2, F5, F10: return the seat that took every penalty card dealt in this hand; -1 when no seat did."""
    needed = r.deck[g.n_in_play] & r.penalty
    if r.moon_needs_bonus:
        needed |= r.bonus
    for seat in range(r.players):
        if g.captured[seat, 0] & needed == needed:
            return seat
    return -1


@kernel
def bonus_points(g: Any, r: Any, seat: int) -> int:
    """V2-V4: return -10 for each bonus card a seat has captured."""
    return BONUS_POINTS * popcount(g.captured[seat, 0] & r.bonus)


@kernel
def moon_points(g: Any, r: Any, seat: int, subtract: bool) -> int:
    """F3, F4, F6: return what a seat scores for penalty cards in a hand with a shooter."""
    value = int(r.moon_value[g.n_in_play])
    if seat == g.shooter:
        return -value if subtract else 0
    return 0 if subtract else value


@kernel
def hand_score(g: Any, r: Any, seat: int, subtract: bool) -> int:
    """F1-F11: return a seat's score of the hand so far: captured points or the moon, then bonus cards."""
    points = int(g.points[seat]) if g.shooter < 0 else moon_points(g, r, seat, subtract)
    return points + bonus_points(g, r, seat)


@kernel
def is_game_over(g: Any, r: Any) -> bool:
    """H1, H9: after a full hand, tell whether a total has reached the target or the hands are used up."""
    if 0 < r.max_hands <= g.hand_number:
        return True
    for seat in range(r.players):
        if g.totals[seat] >= r.target:
            return True
    return False


@kernel
def fill_win_shares(g: Any, r: Any, shares: NDArray[np.float64]) -> None:
    """H2, H4: share one win among the k seats with the lowest total, 1/k each; shape (P,)."""
    best = g.totals[0]
    for seat in range(1, r.players):
        best = min(best, g.totals[seat])
    n_best = 0
    for seat in range(r.players):
        n_best += int(g.totals[seat] == best)
    for seat in range(r.players):
        shares[seat] = 1.0 / n_best if g.totals[seat] == best else 0.0
