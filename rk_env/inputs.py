"""Checks of what callers hand in: seeds, seats, choices of games, records."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rk_env.cards import CARDS_BB, N_CARDS, NO_CARD
from rk_env.errors import GameRecordError, RulesError, SeatError, SeedError
from rk_env.rules import N_PASSED, Rules
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
    all_seats = (1 << rules.players) - 1
    nobody = games["turn"] == NO_SEAT
    is_over = (games["phase"] == Phase.HAND_OVER) | (games["phase"] == Phase.GAME_OVER)
    faults = {
        "is a seat's view, not a full game": games["observer"] != NO_SEAT,
        f"has other seats in play than the {rules.players} of the rules": (games["n_in_play"] != rules.players)
        | (games["in_play"] != all_seats),
        **{f"has {name} out of range": where for name, where in _out_of_range(games, rules).items()},
        "has a turn that does not fit its phase": nobody != is_over,
        "has not the cards of the deck, each once": _has_wrong_cards(games, rules),
    }
    for fault, where in faults.items():
        if where.any():
            raise GameRecordError(f"game {int(where.argmax())} {fault}")
    is_plain = games.dtype.type is np.record
    return games if is_plain else games.view(GAME)  # np.load brings the fields without np.record's attributes


def _out_of_range(games: NDArray[np.void], rules: Rules) -> dict[str, NDArray[np.bool_]]:
    """Return, for each field that compiled code takes as an index or a count, which games have it out of range."""
    seats, n_cards = rules.players - 1, rules.players * rules.hand_size
    limits = {
        "phase": (0, Phase.GAME_OVER),
        "dealer": (0, seats),
        "hand_number": (1, np.iinfo(np.int32).max // 2),
        "first_hand": (1, np.iinfo(np.int32).max // 2),
        "redeal": (0, np.iinfo(np.int16).max - 1),
        **dict.fromkeys(("turn", "leader", "shooter", "play_seats", "winners"), (NO_SEAT, seats)),
        "pass_seats": (0, seats),
        "n_picks": (0, N_PASSED * rules.players),
        "trick": (0, rules.hand_size),
        "n_table": (0, seats),
        "led_suit": (-1, 3),
        "n_plays": (0, n_cards),
        **dict.fromkeys(("table", "plays", "passed"), (NO_CARD, N_CARDS - 1)),
    }
    found = {}
    for name, (low, high) in limits.items():
        values = games[name].reshape(len(games), -1)
        found[name] = np.any((values < low) | (values > high), axis=1)
    return found


def _has_wrong_cards(games: NDArray[np.void], rules: Rules) -> NDArray[np.bool_]:
    """Tell which games have cards, in hands, taken or on the table, that are not the deck's, each once."""
    table = games["table"].astype(np.int64)
    on_table = np.where(table >= 0, CARDS_BB[np.maximum(table, 0)], np.uint64(0))
    sets = np.concatenate([games["hands"][:, :, 0], games["captured"][:, :, 0], on_table], axis=1)
    is_deck = np.bitwise_or.reduce(sets, axis=1) == rules.deck_bb(rules.players)
    return ~is_deck | (np.bitwise_count(sets).sum(axis=1) != rules.players * rules.hand_size)


def checked_rules(rules: Rules | None) -> Rules:
    """Return rules; None stands for the default ones.

    Raises:
        RulesError: when it is something else.
    """
    if rules is None:
        return Rules()
    if not isinstance(rules, Rules):
        raise RulesError(f"rules={rules!r}: a Rules object is needed, such as Rules(players=4)")
    return rules
