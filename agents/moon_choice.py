"""The shooter's choice under the new moon: the same for every rule player (F7)."""

from __future__ import annotations

from typing import Any

from rk_env.jit import kernel
from rk_env.kernels.scoring import hand_score
from rk_env.state import ACTION_MOON_ADD, ACTION_MOON_SUBTRACT


@kernel
def choose_moon(g: Any, r: Any) -> int:
    """F7: add, unless adding ends the game with another seat lowest; that other seat may be level with the shooter."""
    if ends_after_adding(g, r) and not lowest_after_adding(g, r):
        return ACTION_MOON_SUBTRACT
    return ACTION_MOON_ADD


@kernel
def total_after_adding(g: Any, r: Any, seat: int) -> int:
    """Return a seat's total if the shooter adds."""
    return int(g.totals[seat]) + hand_score(g, r, seat, False)


@kernel
def ends_after_adding(g: Any, r: Any) -> bool:
    """Tell whether adding ends the game (H1, H9)."""
    if 0 < r.max_hands <= g.hand_number:
        return True
    for seat in range(r.players):
        if total_after_adding(g, r, seat) >= r.target:
            return True
    return False


@kernel
def lowest_after_adding(g: Any, r: Any) -> bool:
    """Tell whether the shooter would be lowest, alone or level with others."""
    own_total = total_after_adding(g, r, int(g.shooter))
    for seat in range(r.players):
        if total_after_adding(g, r, seat) < own_total:
            return False
    return True
