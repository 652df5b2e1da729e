"""Checks of what callers hand in: seeds, seats, choices of games, records."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rk_env.arguments import as_array
from rk_env.cards import CARDS_BB, N_CARDS, NO_CARD
from rk_env.errors import GameRecordError, RulesError, SeatError, SeedError
from rk_env.rules import Rules
from rk_env.settings import N_PASSED
from rk_env.state import GAME, NO_SEAT, Phase


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
    if len(np.unique(array)) < len(array):
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


def checked_games(games: NDArray[np.void], rules: Rules) -> NDArray[np.void]:
    """Return the records, not copied, when they can be games of these rules.

    Checked is what compiled code relies on, so that no record makes it read or write beside an array, and that the
    cards are those of the deck, each once. Whether play led there by the rules is not.

    Raises:
        GameRecordError: when they are no writeable, C-contiguous (B,) array of `GAME`, or a record is a view, has other
            seats or cards, or a number out of range.
    """
    if type(games) is not np.ndarray or games.dtype != GAME or games.ndim != 1:
        raise GameRecordError("games must be an array of shape (B,) and dtype rk_env.state.GAME")
    if not (games.flags.c_contiguous and games.flags.writeable):
        raise GameRecordError("games must be C-contiguous and writeable; a copy is both")
    nobody = games["turn"] == NO_SEAT
    is_over = (games["phase"] == Phase.HAND_OVER) | (games["phase"] == Phase.GAME_OVER)
    checks: dict[str, Callable[[], NDArray[np.bool_]]] = {
        "is a seat's view, not a full game": lambda: games["observer"] != NO_SEAT,
        f"has other seats in play than the {rules.players} of the rules": lambda: _has_wrong_seats(games, rules),
        **{f"has {name} out of range": partial(_is_out_of_range, games, rules, name) for name in _FIELDS},
        "has a turn that does not fit its phase": lambda: nobody != is_over,
        "goes on though all its cards are played": lambda: _has_all_played(games, rules),
        "has other cards played than its tricks and table hold": lambda: _has_wrong_plays(games),
        "has a card on plane 1 (both copies) but not on plane 0": lambda: _has_wrong_planes(games),
        "has not the cards of the deck, each as often as the deck": lambda: _has_wrong_cards(games, rules),
    }
    for fault, check in checks.items():  # in this order: a check may index by what those before it have checked
        where = check()
        if where.any():
            raise GameRecordError(f"game {int(where.argmax())} {fault}")
    is_plain = games.dtype.type is np.record
    return games if is_plain else games.view(GAME)  # np.load brings the fields without np.record's attributes


def _has_wrong_seats(games: NDArray[np.void], rules: Rules) -> NDArray[np.bool_]:
    """Tell which games have seats in play that these rules do not lead to: all, or some in a play-off (H4)."""
    in_play, n = games["in_play"], games["n_in_play"]
    all_seats = (1 << rules.players) - 1
    is_wrong = (np.bitwise_count(in_play) != n) | (n < 2) | (in_play > all_seats)  # in-play bits beyond the table
    return is_wrong | ((games["playoff"] == 0) & (in_play != all_seats))


_SEAT_FIELDS: Final = ("turn", "leader", "shooter", "kitty_taker", "play_seats", "winners")
_CARD_SETS: Final = ("hands", "captured", "waiting", "kitty")
_CARD_FIELDS: Final = ("table", "plays", "took_back", "passed")
_LARGEST: Final = np.iinfo(np.int32).max // 2
_FIELDS: Final[dict[str, Callable[[int, Any, Any], tuple[Any, Any]]]] = {
    "phase": lambda seats, n, tricks: (0, Phase.GAME_OVER),
    "dealer": lambda seats, n, tricks: (0, seats - 1),
    "hand_number": lambda seats, n, tricks: (1, _LARGEST),
    "first_hand": lambda seats, n, tricks: (1, _LARGEST),
    "redeal": lambda seats, n, tricks: (0, np.iinfo(np.int16).max - 1),
    "playoff": lambda seats, n, tricks: (0, np.iinfo(np.int16).max - 1),
    "places": lambda seats, n, tricks: (0, seats - 1),
    **dict.fromkeys(_SEAT_FIELDS, lambda seats, n, tricks: (NO_SEAT, seats - 1)),
    "pass_seats": lambda seats, n, tricks: (0, n - 1),
    "n_picks": lambda seats, n, tricks: (0, N_PASSED * n),
    "trick": lambda seats, n, tricks: (0, tricks),
    "n_table": lambda seats, n, tricks: (0, n - 1),
    "led_suit": lambda seats, n, tricks: (-1, 3),
    "n_plays": lambda seats, n, tricks: (0, n * tricks),
    **dict.fromkeys(_CARD_FIELDS, lambda seats, n, tricks: (NO_CARD, N_CARDS - 1)),
}
"""The least and the greatest value of each field that compiled code takes as an index or a count, of the seats at the
table, the seats in play and the tricks of the hand."""


def _is_out_of_range(games: NDArray[np.void], rules: Rules, name: str) -> NDArray[np.bool_]:
    n = games["n_in_play"].astype(np.int64)[:, None]
    low, high = _FIELDS[name](rules.players, n, rules.array["hand_size"][0][n].astype(np.int64))
    values = games[name].reshape(len(games), math.prod(games[name].shape[1:]))
    return np.any((values < low) | (values > high), axis=1)


def _has_all_played(games: NDArray[np.void], rules: Rules) -> NDArray[np.bool_]:
    """Tell which games pass or play beyond the last trick, where a record has no room for more."""
    n = games["n_in_play"].astype(np.int64)
    tricks = rules.array["hand_size"][0][n].astype(np.int64)
    return (games["phase"] < Phase.MOON) & ((games["trick"] >= tricks) | (games["n_plays"] >= n * tricks))


def _has_wrong_planes(games: NDArray[np.void]) -> NDArray[np.bool_]:
    """Tell which games have a set of cards with both copies of a card of which it has none."""
    planes = (games[name].reshape(len(games), math.prod(games[name].shape[1:-1]), 2) for name in _CARD_SETS)
    return np.any([((some[..., 1] & ~some[..., 0]) != 0).any(axis=1) for some in planes], axis=0)


def _has_wrong_plays(games: NDArray[np.void]) -> NDArray[np.bool_]:
    """Tell which games have numbers of plays, tricks and cards on the table that do not fit each other."""
    n_plays, n_table = games["n_plays"].astype(np.int64), games["n_table"].astype(np.int64)
    in_tricks = games["trick"].astype(np.int64) * games["n_in_play"]
    is_played = np.arange(games["plays"].shape[1]) < n_plays[:, None]
    is_wrong = (in_tricks + n_table != n_plays) | ((games["table"] >= 0).sum(axis=1) != n_table)
    for field in ("plays", "play_seats"):
        is_wrong |= ((games[field] >= 0) != is_played).any(axis=1)
    return is_wrong


def _has_wrong_cards(games: NDArray[np.void], rules: Rules) -> NDArray[np.bool_]:
    """Tell which games have cards, wherever they lie, that are not the deck's, or not as often."""
    table = games["table"].astype(np.int64)
    on_table = np.where(table >= 0, CARDS_BB[np.maximum(table, 0)], np.uint64(0))
    planes = [games[name].reshape(len(games), math.prod(games[name].shape[1:])) for name in _CARD_SETS]
    sets = np.concatenate([*planes, on_table], axis=1)
    once, twice, thrice = (np.zeros(len(games), np.uint64) for _ in range(3))
    for cards in sets.T:
        thrice |= twice & cards
        twice |= once & cards
        once |= cards
    deck, deck_twice = rules.array["deck"][0][games["n_in_play"]].T
    return (once != deck) | (twice != deck_twice) | (thrice != 0)


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
