"""The spaces of the environments: observations and masks."""

from __future__ import annotations

from typing import Final, Literal

import numpy as np
from gymnasium.spaces import Box, Dict

from rk_env.arguments import check_choice
from rk_env.observation import Layout
from rk_env.state import N_ACTIONS

MaskIn = Literal["obs", "info"]

_LARGEST_TOTAL: Final = 2**31 / 100 + 1e4  # of the blocks `totals` and `distance`: a 32-bit number, a target up to 1e6


def observation_box(layout: Layout, n_more: int = 0) -> Box:
    """Return the space of observations, and of `n_more` numbers from 0 to 1 behind them."""
    low = np.zeros(layout.size + n_more, np.float32)
    high = np.ones(layout.size + n_more, np.float32)
    for block in ("totals", "distance"):
        low[layout.slices[block]] = -_LARGEST_TOTAL
        high[layout.slices[block]] = _LARGEST_TOTAL
    return Box(low, high, dtype=np.float32)


def seen_space(layout: Layout, mask_in: MaskIn) -> Box | Dict:
    """Return the space of what a seat is shown: numbers, with `mask_in="obs"` a dictionary of numbers and mask.

    Raises:
        RulesError: when `mask_in` is neither "obs" nor "info".
    """
    check_choice("mask_in", mask_in, ("obs", "info"))
    numbers = observation_box(layout)
    if mask_in == "info":
        return numbers
    return Dict(observation=numbers, action_mask=Box(0, 1, (N_ACTIONS,), np.int8))
