"""What a seat may know: blank the rest of a record."""

from __future__ import annotations

from typing import Any

import numpy as np

from rk_env.jit import kernel
from rk_env.kernels.bits import EMPTY
from rk_env.kernels.passing import giver
from rk_env.kernels.seats import is_in_play
from rk_env.state import PASS


@kernel
def hide_from(g: Any, r: Any, observer: int) -> None:
    """Turn a full game into the view of one seat.

    The observer keeps its own hand and picks and, once cards are exchanged, what it received, and the kitty that it
    took (X3). Other hands, any other kitty, other picks and the game's seed are blanked; all else is public.
    """
    keeps_received = g.phase != PASS and g.pass_seats > 0 and is_in_play(g, observer)
    from_seat = giver(g, r, observer) if keeps_received else observer
    for seat in range(r.players):
        if seat != observer:
            g.hands[seat, :] = EMPTY
            if seat != from_seat:
                g.passed[seat, :] = -1
    if g.kitty_taker != observer:
        g.kitty[:] = EMPTY
    g.seed = np.uint64(0)
    g.observer = observer
