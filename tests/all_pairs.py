"""A table of settings in which every two values of every two fields of the rules come together, one table a deck count.

The values of each field are those of the rules page. A row is one game's settings. Pairs that make no game (a seat that
is not at the table, a moon that needs bonus cards without any) are left out. The table is made greedily and without
chance: a row begins with the first pair not yet met, then each field takes the value that brings up most new pairs, and
of equal ones that which was used least.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

Settings = dict[str, Any]
Pair = tuple[str, Any, str, Any]


def setting_values(players: int | None = None, decks: int = 1) -> dict[str, list[Any]]:
    """Return the values that every field of the rules may have, `players` and `decks` left out.

    Args:
        players: seats at the table; None is the most there can be.
        decks: 1 or 2.
    """
    players = players or player_counts(decks)[-1]
    return {
        "first_dealer": ["draw", "random", *range(players)],
        "remove_for_three": ["2D", "2C", "2S"],
        "opening": ["standard", "two_of_clubs", "lowest_club"],
        "open_with_heart": [False, True],
        "first_trick": ["every", "only_2c", "off", "strict"],
        "queen_breaks_hearts": [False, True],
        "heart_instead_of_queen": [False, True],
        "passing": ["cycle", "left", "none"],
        "across_seats": [None, *range(1, players)],
        "moon": ["old", "new"],
        "moon_value": ["deal", "fixed26"],
        "moon_needs_bonus": [False, True],
        "bonus_cards": [(), ("JD",), ("10D",), ("JD", "10D")],
        "black_card": ["QS", "JS"],
        "target": [100, 1, 26, 50],
        "ties": ["playoff", "share"],
        "max_hands": [None, 1, 3, 6],
        "revokes": ["prevented", "corrected", "exposed"],
        "late_revoke": ["play_on", "replay"],
        "playoff_compare": ["score", "captured"],
        "playoff_pass": ["continue", "none", "restart"],
        "two_hand_deal": [26, 13],
        "leftover": ["kitty", "strip"],
    }


def player_counts(decks: int) -> list[int]:
    """Return how many may play with one deck or with two (A1, X1)."""
    return [3, 4, 5, 6] if decks == 1 else [6, 7, 8, 9, 10, 11]


def is_possible(pair: Pair) -> bool:
    """Tell whether two values can be in the rules of one game."""
    values = {pair[0]: pair[1], pair[2]: pair[3]}
    if "players" in values:
        dealer, across = values.get("first_dealer"), values.get("across_seats")
        if isinstance(dealer, int) and dealer >= values["players"]:
            return False
        if across is not None and across >= values["players"]:
            return False
    return not (values.get("moon_needs_bonus") and values.get("bonus_cards") == ())


def pairs_of(row: Settings) -> Iterator[Pair]:
    """Return every pair of values of a row, fields in the order of the row."""
    for (a, x), (b, y) in combinations(row.items(), 2):
        yield a, x, b, y


def all_possible_pairs(decks: int) -> list[Pair]:
    """Return every possible pair of values of two fields."""
    fields: dict[str, list[Any]] = {"players": player_counts(decks), **setting_values(decks=decks)}
    pairs = [(a, x, b, y) for a, b in combinations(fields, 2) for x in fields[a] for y in fields[b]]
    return [pair for pair in pairs if is_possible(pair)]


def all_pairs(decks: int) -> list[Settings]:
    """Return rows of settings in which every possible pair of values is met at least once."""
    fields: dict[str, list[Any]] = {"players": player_counts(decks), **setting_values(decks=decks)}
    missing = dict.fromkeys(all_possible_pairs(decks))  # in order, so that the table is the same every time
    used: Counter[tuple[str, Any]] = Counter()
    rows = []
    while missing:
        row = _filled(next(iter(missing)), fields, missing, used)
        used.update(row.items())
        for pair in pairs_of(row):
            missing.pop(pair, None)
        rows.append({"decks": decks, **row})
    return rows


def _filled(
    first: Pair, fields: dict[str, list[Any]], missing: dict[Pair, None], used: Counter[tuple[str, Any]]
) -> Settings:
    """Return a row with one pair, and for every other field the value that meets most missing pairs."""
    row = {first[0]: first[1], first[2]: first[3]}
    for field, values in fields.items():
        if field not in row:
            pairs = {value: _pairs_with(row, field, value, fields) for value in values}
            possible = [value for value in values if all(map(is_possible, pairs[value]))]
            row[field] = max(possible, key=lambda v: (sum(p in missing for p in pairs[v]), -used[field, v]))
    return {field: row[field] for field in fields}


def _pairs_with(row: Settings, field: str, value: Any, fields: dict[str, list[Any]]) -> list[Pair]:
    """Return the pairs that a value makes with those of a row, each in the order of the fields."""
    order = list(fields)
    return [
        (field, value, other, row[other])
        if order.index(field) < order.index(other)
        else (other, row[other], field, value)
        for other in row
    ]
