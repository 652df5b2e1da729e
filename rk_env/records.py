"""Checks of game records made elsewhere, whatever their bytes are."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rk_env.cards import CARDS_BB, N_CARDS, NO_CARD
from rk_env.errors import GameRecordError
from rk_env.rules import Rules
from rk_env.settings import N_PASSED
from rk_env.state import GAME, NO_SEAT, Phase

Checks = dict[str, Callable[[], NDArray[np.bool_]]]
"""What may be wrong, and the check that tells which records it is so of."""


def checked_games(games: NDArray[np.void], rules: Rules) -> NDArray[np.void]:
    """Return the records, not copied, when they can be games of these rules.

    Checked is what compiled code relies on, so that no record makes it read or write beside an array, that the cards
    are those of the deck, each once, and that picks, hands, table and turn fit each other. Not checked is whether play
    led there by the rules, nor whether captured cards, points and totals are right.

    Raises:
        GameRecordError: when they are no writeable, C-contiguous (B,) array of `GAME`, or a record is a view, has other
            seats or cards, or a number out of range.
    """
    _check_array("games", games)
    if not (games.flags.c_contiguous and games.flags.writeable):
        raise GameRecordError("games must be C-contiguous and writeable; a copy is both")
    checks: Checks = {
        "is a seat's view, not a full game": lambda: games["observer"] != NO_SEAT,
        **_checks_of_what_is_public(games, rules),
        "has other picks than its phase and pass direction make": lambda: _has_wrong_picks(games, rules),
        "has not the cards of the deck, each as often as the deck": lambda: _has_wrong_cards(games, rules),
        "has hands of other sizes than its plays leave": lambda: _has_wrong_sizes(games, rules),
    }
    _refuse("game", checks)
    is_plain = games.dtype.type is np.record
    return games if is_plain else games.view(GAME)  # np.load brings the fields without np.record's attributes


def check_public(views: NDArray[np.void], rules: Rules) -> None:
    """Check that records can be views of games of these rules, as far as everybody can see.

    Raises:
        GameRecordError: when one is a full game, has other seats, a number out of range, or public fields that do not
            fit each other.
    """
    _check_array("views", views)
    observer = views["observer"]
    checks: Checks = {
        "is a full game, with nothing hidden; Engine.view makes views": lambda: observer == NO_SEAT,
        "has an observer who is not at the table": lambda: (observer < 0) | (observer >= rules.players),
        **_checks_of_what_is_public(views, rules),
    }
    _refuse("view", checks)


def _check_array(noun: str, games: NDArray[np.void]) -> None:
    if type(games) is not np.ndarray or games.dtype != GAME or games.ndim != 1:
        raise GameRecordError(f"{noun} must be an array of shape (B,) and dtype rk_env.state.GAME")


def _checks_of_what_is_public(games: NDArray[np.void], rules: Rules) -> Checks:
    """Return the checks of games or views, in an order in which one may index by what those before it have checked."""
    return {
        f"has other seats in play than the {rules.players} of the rules": lambda: _has_wrong_seats(games, rules),
        **{f"has {name} out of range": partial(_is_out_of_range, games, rules, name) for name in _FIELDS},
        "goes on though all its cards are played": lambda: _has_all_played(games, rules),
        "has other cards played than its tricks and table hold": lambda: _has_wrong_plays(games),
        "has cards on the table of others than the leader and those next": lambda: _has_wrong_table(games, rules),
        "has a turn that does not fit its phase, picks and table": lambda: _has_wrong_turn(games, rules),
        "is to be played off, but not by two seats or more": lambda: _has_no_tie(games, rules),
        "has a card on plane 1 (both copies) but not on plane 0": lambda: _has_wrong_planes(games),
    }


def _refuse(noun: str, checks: Checks) -> None:
    for fault, check in checks.items():
        where = check()
        if where.any():
            raise GameRecordError(f"{noun} {int(where.argmax())} {fault}")


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
    planes = [games[name].reshape(len(games), math.prod(games[name].shape[1:])) for name in _CARD_SETS]
    once, twice, thrice = _counted(np.concatenate([*planes, _bits(games["table"])], axis=1))
    deck, deck_twice = rules.array["deck"][0][games["n_in_play"]].T
    return (once != deck) | (twice != deck_twice) | (thrice != 0)


def _bits(cards: NDArray[np.int8]) -> NDArray[np.uint64]:
    """Return each card as a bitboard, empty for none."""
    return np.where(cards >= 0, CARDS_BB[np.maximum(cards, 0)], np.uint64(0))


def _counted(sets: NDArray[np.uint64]) -> list[NDArray[np.uint64]]:
    """Return the cards that are in at least one, two and three of the sets along the last axis."""
    once, twice, thrice = (np.zeros(sets.shape[:-1], np.uint64) for _ in range(3))
    for cards in np.moveaxis(sets, -1, 0):
        thrice |= twice & cards
        twice |= once & cards
        once |= cards
    return [once, twice, thrice]


def _are_in_play(games: NDArray[np.void], rules: Rules) -> NDArray[np.bool_]:
    """Tell which seats are in each hand, (B, P)."""
    bits: NDArray[np.int64] = games["in_play"][:, None].astype(np.int64) >> np.arange(rules.players)
    return bits & 1 == 1


def _steps_from(games: NDArray[np.void], rules: Rules, first: NDArray[Any]) -> NDArray[np.int64]:
    """Return how many seats in play lie from the first one at or after `first` (B,) to each seat, clockwise, (B, P).

    Seats that sit out get a number that no seat in play has.
    """
    is_in = _are_in_play(games, rules)
    before: NDArray[np.int64] = np.cumsum(is_in, axis=1) - is_in  # seats in play with lower numbers
    start: NDArray[np.int64] = np.take_along_axis(before, first.astype(np.int64)[:, None] % rules.players, axis=1)
    steps = (before - start) % games["n_in_play"][:, None]
    return np.where(is_in, steps, rules.players)


def _has_wrong_picks(games: NDArray[np.void], rules: Rules) -> NDArray[np.bool_]:
    """C1: tell which games have not one pick after another from eldest on, all of them once cards are played.

    While seats pick, what they have picked is still in their hands. Once a hand is over nothing depends on it.
    """
    passes, n_picks = games["pass_seats"] > 0, games["n_picks"].astype(np.int64)
    n_all = N_PASSED * games["n_in_play"].astype(np.int64)
    picking = games["phase"] == Phase.PASS
    is_wrong = np.where(picking, ~passes | (n_picks >= n_all) | (games["n_plays"] > 0), n_picks != n_all * passes)
    steps = _steps_from(games, rules, games["dealer"].astype(np.int64) + 1)
    is_made = N_PASSED * steps[:, :, None] + np.arange(N_PASSED) < n_picks[:, None, None]
    is_wrong |= ((games["passed"][:, : rules.players] >= 0) != is_made).any(axis=(1, 2))
    once, twice, thrice = _counted(_bits(games["passed"]))
    is_missing = (once & ~games["hands"][..., 0]) | (twice & ~games["hands"][..., 1]) | thrice
    is_wrong |= picking & (is_missing != 0).any(axis=1)
    return is_wrong & (games["phase"] < Phase.HAND_OVER)


def _has_wrong_table(games: NDArray[np.void], rules: Rules) -> NDArray[np.bool_]:
    """Tell which games have on the table other cards than those of the leader and the next seats clockwise."""
    steps = _steps_from(games, rules, games["leader"])
    is_played = (steps < games["n_table"][:, None]) & (games["leader"] >= 0)[:, None]
    return ((games["table"][:, : rules.players] >= 0) != is_played).any(axis=1)


def _has_wrong_sizes(games: NDArray[np.void], rules: Rules) -> NDArray[np.bool_]:
    """Tell which games pass or play with hands of other sizes than the deal's, less what each seat has played."""
    seats = np.arange(rules.players)
    sizes = np.bitwise_count(games["hands"][:, : rules.players]).sum(axis=2, dtype=np.int64)
    n_played = (games["play_seats"][:, :, None] == seats).sum(axis=1)
    dealt = rules.array["hand_size"][0][games["n_in_play"]].astype(np.int64)[:, None] * _are_in_play(games, rules)
    return (games["phase"] < Phase.MOON) & (sizes != dealt - n_played).any(axis=1)


def _has_no_tie(games: NDArray[np.void], rules: Rules) -> NDArray[np.bool_]:
    """H4: tell which games have a play-off next, but fewer than two seats in first place to play it."""
    has_ended = (games["totals"][:, : rules.players] >= rules.target).any(axis=1)
    n_first = (games["places"][:, : rules.players] == 0).sum(axis=1)
    return (games["phase"] == Phase.HAND_OVER) & has_ended & (n_first < 2)


def _has_wrong_turn(games: NDArray[np.void], rules: Rules) -> NDArray[np.bool_]:
    """Tell which games wait for another seat than the one whose pick, play or choice is next, or for one at the end."""
    phase, turn = games["phase"], games["turn"].astype(np.int64)
    first = np.where(phase == Phase.PASS, games["dealer"].astype(np.int64) + 1, games["leader"])
    done = np.where(phase == Phase.PASS, games["n_picks"] // N_PASSED, games["n_table"])
    at_turn = np.take_along_axis(_steps_from(games, rules, first), np.maximum(turn, 0)[:, None], axis=1)[:, 0]
    is_next = (turn >= 0) & (first >= 0) & (at_turn == done)
    expected = np.where(phase == Phase.MOON, (turn >= 0) & (turn == games["shooter"]), is_next)
    return ~np.where(phase >= Phase.HAND_OVER, turn == NO_SEAT, expected)
