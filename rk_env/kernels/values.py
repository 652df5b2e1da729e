"""Rules F1 and V: what cards are worth. Sets of cards here are single planes, so each card counts once."""

from __future__ import annotations

from typing import Any

import numpy as np

from rk_env.jit import kernel
from rk_env.kernels.bits import EMPTY, HEARTS_BB, popcount
from rk_env.settings import BONUS_POINTS


@kernel
def penalty_points(r: Any, cards: np.uint64) -> int:
    """F1, V5: return the penalty points of a set of cards: 1 a heart, and the black card's."""
    return popcount(cards & HEARTS_BB) + int(cards & r.black != EMPTY) * int(r.black_points)


@kernel
def bonus_points(r: Any, cards: np.uint64) -> int:
    """V2-V4: return -10 for each bonus card in a set of cards."""
    return BONUS_POINTS * popcount(cards & r.bonus)
