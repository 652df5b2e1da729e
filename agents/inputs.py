"""What a network reads: the observation, and numbers that its seat can count up from what it has seen.

The observation shows every card that was played; how many higher ones are still out is a sum over them that a
perceptron learns slowly. Counted here, a network needs far fewer decisions to play as well (`training/README.md`).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rk_env.arguments import rows_to_fill
from rk_env.cards import N_CARDS, N_RANKS
from rk_env.errors import PolicyFileError
from rk_env.jit import kernel
from rk_env.kernels.bits import BITS, EMPTY
from rk_env.kernels.unseen import unseen_by
from rk_env.observation import Layout
from rk_env.rules import Rules

OBSERVATION: Final = "observation"
COUNTED: Final = "observation, counted@1"
KINDS: Final = (OBSERVATION, COUNTED)
"""What a network may read, as its card says; other numbers are another version."""

N_SUITS: Final = 4
N_COUNTED: Final = 3 * N_CARDS + 2 * N_SUITS
"""Of each card whether it is unseen; of each own card how many unseen ones are higher, and lower; of each suit how many
are unseen, and how many own."""
_PER_CARD: Final = 1 / 8
"""Scale of counts of cards, so that most are below 1."""


class Inputs:
    """What networks of one kind read at one kind of table.

    Args:
        layout: of the observation.
        kind: one of `KINDS`.

    Attributes:
        size: numbers read, D.

    Raises:
        PolicyFileError: when the kind is not known.
    """

    def __init__(self, layout: Layout, kind: str) -> None:
        if kind not in KINDS:
            raise PolicyFileError(f"a network that reads {kind!r} is not known; known: {', '.join(map(repr, KINDS))}")
        self.layout = layout
        self.kind = kind
        self.size = layout.size + (N_COUNTED if kind == COUNTED else 0)

    def encode(
        self,
        games: NDArray[np.void],
        rules: Rules,
        seats: NDArray[np.int64],
        out: NDArray[np.float32] | None = None,
    ) -> NDArray[np.float32]:
        """Return what `seats` read of games, or of their own views of them; arguments and errors as `Layout.encode`.

        Returns:
            Shape (B, D), float32: the observation first.
        """
        if self.kind == OBSERVATION:
            return self.layout.encode(games, rules, seats, out)
        observations = self.layout.encode(games, rules, seats)
        rows = rows_to_fill(len(games), self.size, out)
        rows[:, : self.layout.size] = observations
        count_up(games, rules.array, seats, rows[:, self.layout.size :])
        return rows


@kernel
def count_up(games: Any, rules: Any, seats: NDArray[np.int64], out: NDArray[np.float32]) -> None:
    """Fill `out` (B, N_COUNTED) with what `seats` can count up; reads only what their views keep."""
    for i in range(games.shape[0]):
        g, seat = games[i], seats[i]
        once, twice = unseen_by(g, rules[0], seat)
        for suit in range(N_SUITS):
            n_unseen = 0
            n_own = 0
            for card in range(N_RANKS * suit, N_RANKS * (suit + 1)):
                unseen = copies(once, twice, card)
                out[i, card] = unseen / rules[0].decks
                out[i, 2 * N_CARDS + card] = n_unseen * _PER_CARD  # lower
                n_unseen += unseen
                n_own += copies(g.hands[seat, 0], g.hands[seat, 1], card)
            for card in range(N_RANKS * suit, N_RANKS * (suit + 1)):
                if g.hands[seat, 0] & BITS[card] == EMPTY:
                    out[i, N_CARDS + card] = 0.0
                    out[i, 2 * N_CARDS + card] = 0.0
                else:
                    lower = out[i, 2 * N_CARDS + card]
                    out[i, N_CARDS + card] = (n_unseen - copies(once, twice, card)) * _PER_CARD - lower
            out[i, 3 * N_CARDS + suit] = n_unseen * _PER_CARD
            out[i, 3 * N_CARDS + N_SUITS + suit] = n_own * _PER_CARD


@kernel
def copies(once: Any, twice: Any, card: int) -> int:
    """Return how many copies of a card are in a set given as two planes."""
    return int(once & BITS[card] != EMPTY) + int(twice & BITS[card] != EMPTY)
