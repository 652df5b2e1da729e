"""Checks of what callers hand in: seeds, seats, choices of games, records."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rk_env.errors import GameRecordError, SeatError, SeedError
from rk_env.rules import Rules
from rk_env.state import GAME, NO_SEAT, Phase


def as_seeds(seeds: ArrayLike, n: int | None = None) -> NDArray[np.uint64]:
    """Return seeds as (n,) uint64.

    Raises:
        SeedError: when they are no flat sequence of whole numbers 0 to 2**64 - 1, or not n of them.
    """
    array = seeds if isinstance(seeds, np.ndarray) else np.asarray(seeds, dtype=object)  # NumPy would guess float64
    if array.ndim != 1 or (array.dtype.kind not in "iuO" and array.size):
        raise SeedError(f"seeds must be a flat sequence of whole numbers, not {array.dtype} of shape {array.shape}")
    if n is not None and len(array) != n:
        raise SeedError(f"{len(array)} seeds given for {n} games")
    for i, seed in enumerate(array if array.dtype.kind != "u" else ()):
        if not isinstance(seed, (int, np.integer)) or isinstance(seed, bool) or not 0 <= seed < 2**64:
            raise SeedError(f"seed {i} is {seed!r}; allowed: whole numbers 0 to 2**64 - 1")
    return array.astype(np.uint64)


def as_index(games: ArrayLike | None, n: int) -> NDArray[np.int64]:
    """Return the indices of chosen games: all for None, those of a (n,) mask, or the indices themselves.

    Raises:
        GameRecordError: when the choice is neither, repeats a game, or names one that is not there.
    """
    if games is None:
        return np.arange(n)
    array = np.atleast_1d(np.asarray(games))
    if array.dtype == np.bool_ and array.shape == (n,):
        return np.flatnonzero(array)
    if array.size == 0 and array.dtype != np.bool_:
        return np.empty(0, np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise GameRecordError(
            f"games must be a mask of shape ({n},) or indices, not {array.dtype} of shape {array.shape}"
        )
    if array.min() < 0 or array.max() >= n:
        raise GameRecordError(f"games {array[(array < 0) | (array >= n)].tolist()} are not there; there are {n}")
    if len(np.unique(array)) < len(array):
        raise GameRecordError("games names one game twice")
    return array.astype(np.int64)


def as_seats(seats: ArrayLike, n: int, players: int) -> NDArray[np.int64]:
    """Return seats as (n,) int64, one seat repeated n times.

    Raises:
        SeatError: when they are not whole numbers 0 to players - 1, or not one or n of them.
    """
    array = np.asarray(seats)
    if array.dtype.kind not in "iu" and array.size:
        raise SeatError(f"seats must be whole numbers, not {array.dtype}")
    if array.shape not in ((), (n,)):
        raise SeatError(f"seats have shape {array.shape}; one seat, or shape ({n},), is needed")
    if array.size and (array.min() < 0 or array.max() >= players):
        bad = int(array[(array < 0) | (array >= players)].flat[0] if array.ndim else array)
        raise SeatError(f"seat {bad} is not at the table; seats are 0 to {players - 1}")
    return np.ascontiguousarray(np.broadcast_to(array, (n,)), dtype=np.int64)


def checked_games(games: NDArray[np.void], rules: Rules) -> NDArray[np.void]:
    """Return the records themselves when they can be games of these rules.

    Raises:
        GameRecordError: when they are no C-contiguous (B,) array of `GAME`, or a record is a view, has other seats, or
            an impossible phase or turn.
    """
    if not isinstance(games, np.ndarray) or games.dtype != GAME or games.ndim != 1 or not games.flags.c_contiguous:
        raise GameRecordError("games must be a C-contiguous array of shape (B,) and dtype rk_env.state.GAME")
    nobody = games["turn"] == NO_SEAT
    is_over = (games["phase"] == Phase.HAND_OVER) | (games["phase"] == Phase.GAME_OVER)
    faults = {
        "is a seat's view, not a full game": games["observer"] != NO_SEAT,
        f"has other seats in play than the {rules.players} of the rules": (games["n_in_play"] != rules.players)
        | (games["in_play"] != (1 << rules.players) - 1),
        "has an impossible phase": (games["phase"] < 0) | (games["phase"] > Phase.GAME_OVER),
        "has a turn that does not fit its phase": (nobody != is_over)
        | (games["turn"] < NO_SEAT)
        | (games["turn"] >= rules.players),
    }
    for fault, where in faults.items():
        if where.any():
            raise GameRecordError(f"game {int(where.argmax())} {fault}")
    return games
