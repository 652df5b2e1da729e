"""Which cards a seat does not see."""

from __future__ import annotations

from typing import Any

import numpy as np

from rk_env.jit import kernel
from rk_env.kernels.bits import BITS
from rk_env.kernels.copies import both_of


@kernel
def unseen_by(g: Any, r: Any, seat: int) -> tuple[np.uint64, np.uint64]:
    """Return the cards, as two planes, that a seat neither holds nor has seen: in other hands, a kitty, or set aside.

    Reads only what a view of the seat keeps.
    """
    once, twice = g.hands[seat, 0], g.hands[seat, 1]
    twice = both_of(once, g.waiting[0], twice, g.waiting[1])
    once |= g.waiting[0]
    if g.kitty_taker == seat:
        twice = both_of(once, g.kitty[0], twice, g.kitty[1])
        once |= g.kitty[0]
    for other in range(r.players):
        twice = both_of(once, g.captured[other, 0], twice, g.captured[other, 1])
        once |= g.captured[other, 0]
        if g.table[other] >= 0:
            twice |= once & BITS[g.table[other]]
            once |= BITS[g.table[other]]
    deck, deck_twice = r.deck[g.n_in_play, 0], r.deck[g.n_in_play, 1]
    return (deck & ~once) | (deck_twice & ~twice), deck_twice & ~once
