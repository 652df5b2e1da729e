"""Checks of what callers hand in: seeds, seats, choices of games, rules."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rk_env.arguments import as_array
from rk_env.errors import GameRecordError, RulesError, SeatError, SeedError
from rk_env.rules import Rules
from rk_env.state import GAME


def as_seeds(seeds: ArrayLike, n: int | None = None) -> NDArray[np.uint64]:
    """Return seeds as (n,) uint64.

    Raises:
        SeedError: when they are no flat sequence of whole numbers 0 to 2**64 - 1, or not n of them.
    """
    try:
        array = seeds if isinstance(seeds, np.ndarray) else np.asarray(seeds, dtype=object)  # NumPy would guess float64
    except ValueError as error:
        raise SeedError(f"seeds={seeds!r} makes no array: {error}") from error
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
    array = np.atleast_1d(as_array("games", games, GameRecordError))
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
    is_ascending = (array[1:] > array[:-1]).all()  # as most are: then no game is named twice
    if not is_ascending and len(np.unique(array)) < len(array):
        raise GameRecordError("games names one game twice")
    return array.astype(np.int64)


def as_seats(seats: ArrayLike, n: int, players: int) -> NDArray[np.int64]:
    """Return seats as (n,) int64, one seat repeated n times.

    Raises:
        SeatError: when they are not whole numbers 0 to players - 1, or not one or n of them.
    """
    array = as_array("seats", seats, SeatError)
    if array.dtype.kind not in "iu" and array.size:
        raise SeatError(f"seats must be whole numbers, not {array.dtype}")
    if array.shape not in ((), (n,)):
        raise SeatError(f"seats have shape {array.shape}; one seat, or shape ({n},), is needed")
    if array.size and (array.min() < 0 or array.max() >= players):
        bad = int(array[(array < 0) | (array >= players)].flat[0] if array.ndim else array)
        raise SeatError(f"seat {bad} is not at the table; seats are 0 to {players - 1}")
    return np.ascontiguousarray(np.broadcast_to(array, (n,)), dtype=np.int64)


def checked_rules(rules: Rules | None) -> Rules:
    """Return rules; None stands for the default ones.

    Raises:
        RulesError: when it is something else.
    """
    if rules is None:
        return Rules()
    check_rules(rules)
    return rules


def check_rules(rules: Rules) -> None:
    """Check that rules are a `Rules` object.

    Raises:
        RulesError: when they are something else.
    """
    if not isinstance(rules, Rules):
        raise RulesError(f"rules={rules!r}: a Rules object is needed, such as Rules(players=4)")


def check_views(views: NDArray[np.void]) -> None:
    """Check that views, or games, are an array of records.

    Raises:
        GameRecordError: when they are something else.
    """
    if type(views) is not np.ndarray or views.dtype != GAME or views.ndim != 1:
        raise GameRecordError("views must be an array of shape (B,) and dtype rk_env.state.GAME")
