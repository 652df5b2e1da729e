"""Sets of cards with copies: plane 0 holds the cards of which there is a copy, plane 1 those of which there are both.

With one deck plane 1 is always empty. Copies of a card are alike.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rk_env.jit import kernel
from rk_env.kernels.bits import BITS


@kernel
def give_card(g: Any, seat: int, card: int) -> None:
    """Put a card, or a second copy of it, into a hand."""
    g.hands[seat, 1] |= g.hands[seat, 0] & BITS[card]
    g.hands[seat, 0] |= BITS[card]


@kernel
def drop_card(g: Any, seat: int, card: int) -> None:
    """Take a card, or one of its copies, out of a hand that holds it."""
    if g.hands[seat, 1] & BITS[card]:
        g.hands[seat, 1] ^= BITS[card]
    else:
        g.hands[seat, 0] ^= BITS[card]


@kernel
def both_of(one: np.uint64, other: np.uint64, one_twice: np.uint64, other_twice: np.uint64) -> np.uint64:
    """Return plane 1 of two sets put together; plane 0 is the union of theirs.

    Args:
        one: plane 0 of one set.
        other: plane 0 of the other.
        one_twice: plane 1 of the one.
        other_twice: plane 1 of the other.
    """
    return one_twice | other_twice | (one & other)
