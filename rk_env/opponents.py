"""Who sits at the other seats of an environment for one seat.

Opponents are given as one player for all other seats, as a list of one for each, clockwise from the left neighbour, or
as a mixture `{player: weight}` from which each episode draws anew; a list may hold mixtures. A player is an object with
`act`, or a spec as for `rk_env.players.make`: "random", a registered name, "module:attribute".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rk_env.errors import PlayerError
from rk_env.players import Player, make
from rk_env.rewards import LARGEST

OpponentsLike = Any
"""A player or spec, a mixture {player: weight}, or a list of P - 1 of these."""


@dataclass(frozen=True)
class Opponents:
    """Players, and for each other seat the chances with which each of them sits there.

    Attributes:
        players: the players, K of them.
        up_to: chance that a seat is taken by player k or one before, (P - 1, K) float64.
    """

    players: tuple[Player, ...]
    up_to: NDArray[np.float64]

    @classmethod
    def parse(cls, given: OpponentsLike, players: int) -> Opponents:
        """Return the opponents at a table of `players` seats.

        Raises:
            PlayerError: when a list has not players - 1 entries, a mixture has no weight above 0, or a spec makes no
                player.
        """
        seats = given if isinstance(given, (list, tuple)) else [given] * (players - 1)
        if len(seats) != players - 1:
            raise PlayerError(f"{len(seats)} opponents listed; {players} players need {players - 1}, or one for all")
        mixtures = [_mixture(seat) for seat in seats]
        known = {_key(spec): make(spec) for mixture in mixtures for spec, _ in mixture}
        order = list(known)
        chances = np.zeros((players - 1, len(order)))
        for row, mixture in zip(chances, mixtures, strict=True):
            for spec, weight in mixture:
                row[order.index(_key(spec))] += weight
        return cls(tuple(known.values()), np.cumsum(chances / chances.sum(axis=1, keepdims=True), axis=1))

    def draw(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the index of the player at each other seat, (N, P - 1), from numbers drawn evenly from 0 to 2**63."""
        chance = (numbers >> 10) / 2.0**53  # a float64 holds 53 bits: the largest stays below 1
        return np.minimum((chance[:, :, None] >= self.up_to).sum(axis=2), len(self.players) - 1)


def _key(spec: Player | str) -> Any:
    return spec if isinstance(spec, str) else id(spec)


def _mixture(given: Any) -> list[tuple[Any, float]]:
    """Return one seat's players with their weights.

    Raises:
        PlayerError: when a weight is no number from 0 up, or none is above 0.
    """
    if not isinstance(given, Mapping):
        return [(given, 1.0)]
    for spec, weight in given.items():
        is_number = isinstance(weight, (int, float, np.integer, np.floating)) and not isinstance(weight, bool)
        if not is_number or not 0 <= weight <= LARGEST:
            raise PlayerError(f"opponents: the weight of {spec!r} is {weight!r}; a number from 0 up is needed")
    if not any(given.values()):
        raise PlayerError(f"opponents={given!r}: a mixture needs a player with a weight above 0")
    return list(given.items())
