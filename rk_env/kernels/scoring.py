"""Rules F and G5: scoring a hand, in the order points, moon, bonus cards, fines."""

from __future__ import annotations

from typing import Any

from rk_env.jit import kernel
from rk_env.kernels.bits import EMPTY
from rk_env.kernels.values import bonus_points, penalty_points
from rk_env.settings import REVOKE_POINTS


@kernel
def find_shooter(g: Any, r: Any) -> int:
    """F2, F5, F10, H7, X8: return the seat that took every penalty card dealt in this hand; -1 when no seat did."""
    needed = r.penalty | (r.bonus if r.moon_needs_bonus else EMPTY)
    n = int(g.n_in_play)
    once = r.deck[n, 0] & needed & ~g.kitty[0]  # what is still in the kitty was set aside
    twice = r.deck[n, 1] & needed
    if once & r.penalty == EMPTY:
        return -1
    for seat in range(r.players):
        if g.captured[seat, 0] & once == once and g.captured[seat, 1] & twice == twice:
            return seat
    return -1


@kernel
def moon_points(g: Any, r: Any, seat: int, subtract: bool) -> int:
    """F3, F4, F6: return what a seat scores for penalty cards in a hand with a shooter, who took all points dealt."""
    value = int(r.fixed_moon) if r.fixed_moon > 0 else int(g.points[g.shooter])
    if seat == g.shooter:
        return -value if subtract else 0
    return 0 if subtract else value


@kernel
def extra_points(g: Any, r: Any, seat: int) -> int:
    """V2-V4, G5: return a seat's points from bonus cards and fines for revokes."""
    bonus = bonus_points(r, g.captured[seat, 0]) + bonus_points(r, g.captured[seat, 1])
    return bonus + REVOKE_POINTS * int(g.revokes[seat])


@kernel
def hand_score(g: Any, r: Any, seat: int, subtract: bool) -> int:
    """F1-F11: return a seat's score of a hand that has been played: captured points or the moon, then the extras."""
    points = int(g.points[seat]) if g.shooter < 0 else moon_points(g, r, seat, subtract)
    return points + extra_points(g, r, seat)


@kernel
def captured_so_far(g: Any, r: Any, seat: int) -> int:
    """Return the penalty points a seat has captured, those of a kitty taken included (X3); of a full game only."""
    points = int(g.points[seat])
    if seat == g.kitty_taker:
        points += penalty_points(r, g.kitty[0]) + penalty_points(r, g.kitty[1])
    return points


@kernel
def score_so_far(g: Any, r: Any, seat: int) -> int:
    """Return a seat's score while a hand goes on: captured points and extras, no moon; of a full game only."""
    score = captured_so_far(g, r, seat) + extra_points(g, r, seat)
    if seat == g.kitty_taker:
        score += bonus_points(r, g.kitty[0]) + bonus_points(r, g.kitty[1])
    return score


@kernel
def payoff(g: Any, r: Any, seat: int) -> float:
    """Return the mean of the other seats' scores of a hand that is over, less the seat's own; of seats in this hand."""
    total = 0
    for other in range(r.players):
        total += int(g.scores[other])
    return (total - int(g.scores[seat])) / (int(g.n_in_play) - 1) - int(g.scores[seat])
