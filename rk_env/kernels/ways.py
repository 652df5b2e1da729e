"""How many ways there are to deal the hidden cards, and one of them drawn at random.

The cards of a kind are alike in where they may lie, and so are the places of a row: a deal is first a table of numbers,
rows by kinds, with known sums; x[i, k] cards of kind k in row i. A table stands for as many deals as
prod_k size_k! / prod_ik x[i, k]! times the ways to share out each row among its places; the second factor is the same
for all tables. `fill_table` adds up 1 / prod x! from the last row back, for each number of cards left of each kind; a
row drawn by these sums, from the first row on, then makes every deal as likely as any other.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rk_env.hidden import MAX_KINDS, N_PLACES
from rk_env.jit import kernel
from rk_env.kernels.bits import BITS, EMPTY, ONE, lowest, popcount
from rk_env.kernels.chance import unit
from rk_env.state import MAX_PLAYS

Numbers = NDArray[np.int64]
Table = NDArray[np.float64]

INVERSE_FACTORIAL: Final = np.array([1.0 / math.factorial(n) for n in range(MAX_PLAYS + 1)])
LOG_FACTORIAL: Final = np.array([math.lgamma(n + 1) for n in range(MAX_PLAYS + 1)])
IMPOSSIBLE: Final = -np.inf
"""Logarithm of the number of deals where there are none."""


# Kinds and rows


@kernel
def sort_out(h: Any) -> None:
    """Fill in kinds and rows of a `HIDDEN` record whose places are filled in."""
    signatures = np.zeros(MAX_KINDS, np.int64)
    kinds = np.zeros(MAX_KINDS, np.uint64)
    find_kinds(h, signatures, kinds)
    put_largest_last(h, signatures, kinds)
    list_cards(h, signatures, kinds)
    find_rows(h, signatures)


@kernel
def find_kinds(h: Any, signatures: Numbers, kinds: NDArray[np.uint64]) -> None:
    """Sort the unseen cards into kinds by signature: bits of the places where they may lie, and of being needed."""
    h.n_kinds = 0
    left = h.unseen[0]
    while left != EMPTY:
        card = lowest(left)
        left &= left - ONE
        signature = int(BITS[card] & h.need != EMPTY) << N_PLACES
        for place in range(N_PLACES):
            if h.room[place] > 0 and h.allowed[place] & BITS[card]:
                signature |= 1 << place
        kind = 0
        while kind < h.n_kinds and signatures[kind] != signature:
            kind += 1
        if kind == h.n_kinds:
            h.n_kinds += 1
            signatures[kind] = signature
            kinds[kind] = EMPTY
        kinds[kind] |= BITS[card]


@kernel
def put_largest_last(h: Any, signatures: Numbers, kinds: NDArray[np.uint64]) -> None:
    """Give the largest kind the last number: a table has no dimension for it."""
    last = int(h.n_kinds) - 1
    for kind in range(h.n_kinds):
        h.kind_size[kind] = popcount(kinds[kind]) + popcount(kinds[kind] & h.unseen[1])
    best = last
    for kind in range(last):
        if h.kind_size[kind] > h.kind_size[best]:
            best = kind
    if last > best:
        signatures[best], signatures[last] = signatures[last], signatures[best]
        kinds[best], kinds[last] = kinds[last], kinds[best]
        h.kind_size[best], h.kind_size[last] = h.kind_size[last], h.kind_size[best]


@kernel
def list_cards(h: Any, signatures: Numbers, kinds: NDArray[np.uint64]) -> None:
    """List the cards kind by kind, every copy, and note which kinds are needed."""
    n = 0
    h.needed_kinds = 0
    for kind in range(h.n_kinds):
        h.needed_kinds |= (signatures[kind] >> N_PLACES & 1) << kind
        for plane in range(2):
            left = kinds[kind] & h.unseen[plane]
            while left != EMPTY:
                h.cards[n] = lowest(left)
                left &= left - ONE
                n += 1
    h.n_cards = n


@kernel
def find_rows(h: Any, signatures: Numbers) -> None:
    """Join places that may hold the same kinds to rows; the place that needs a card is a row of its own."""
    h.n_rows = 0
    h.need_row = -1
    h.row[:] = -1
    for place in range(N_PLACES):
        if h.room[place] <= 0:
            continue
        fits = 0
        for kind in range(h.n_kinds):
            fits |= (signatures[kind] >> place & 1) << kind
        row = 0
        while row < h.n_rows and (h.fits[row] != fits or row == h.need_row or place == h.need_place):
            row += 1
        if row == h.n_rows:
            h.n_rows += 1
            h.fits[row] = fits
            h.row_size[row] = 0
            if place == h.need_place:
                h.need_row = row
        h.row[place] = row
        h.row_size[row] += h.room[place]
    largest = 0
    for row in range(h.n_rows):
        if h.row_size[row] > h.row_size[largest]:
            largest = row
    swap_rows(h, largest, int(h.n_rows) - 1)


@kernel
def swap_rows(h: Any, a: int, b: int) -> None:
    """Let two rows change their numbers: the largest comes last, where only one way is left to fill it."""
    if a >= b:
        return
    h.fits[a], h.fits[b] = h.fits[b], h.fits[a]
    h.row_size[a], h.row_size[b] = h.row_size[b], h.row_size[a]
    if h.need_row == a:
        h.need_row = b
    elif h.need_row == b:
        h.need_row = a
    for place in range(N_PLACES):
        if h.row[place] == a:
            h.row[place] = b
        elif h.row[place] == b:
            h.row[place] = a


# All ways to share out a number of cards


@kernel
def first_share(share: Numbers, limit: Numbers, n_kinds: int, total: int) -> bool:
    """Fill `share` with the first way to take `total` cards, at most `limit` of a kind; tell whether there is one."""
    for kind in range(n_kinds):
        share[kind] = min(limit[kind], total)
        total -= share[kind]
    return total == 0


@kernel
def next_share(share: Numbers, limit: Numbers, n_kinds: int) -> bool:
    """Go on to the next way to take as many cards; tell whether there was one."""
    before = 0
    for kind in range(n_kinds - 1):
        before += share[kind]
        if before > 0 and share[kind + 1] < limit[kind + 1]:
            share[kind + 1] += 1
            first_share(share, limit, kind + 1, before - 1)
            return True
    return False


# The table


@kernel
def n_states(h: Any) -> int:
    """Return how many entries a row of the table has: one for each number of cards left of all kinds but the last."""
    n = 1
    for kind in range(h.n_kinds - 1):
        n *= int(h.kind_size[kind]) + 1
    return n


@kernel
def state_of(h: Any, left: Numbers) -> int:
    """Return the entry of a table's row for the numbers of cards left of each kind."""
    state = 0
    for kind in range(h.n_kinds - 1):
        state = state * (int(h.kind_size[kind]) + 1) + left[kind]
    return state


@kernel
def state_after(h: Any, left: Numbers, share: Numbers) -> int:
    """Return the entry once a share has been taken from the cards left."""
    state = 0
    for kind in range(h.n_kinds - 1):
        state = state * (int(h.kind_size[kind]) + 1) + left[kind] - share[kind]
    return state


@kernel
def limit_share(h: Any, row: int, left: Numbers, limit: Numbers) -> None:
    """Fill `limit` with how many cards of each kind a row may take."""
    for kind in range(h.n_kinds):
        limit[kind] = left[kind] if int(h.fits[row]) >> kind & 1 else 0


@kernel
def weight(h: Any, row: int, share: Numbers) -> float:
    """Return 1 / prod share!, or 0 where the row needs a card that it has not."""
    product = 1.0
    needed = 0
    for kind in range(h.n_kinds):
        product *= INVERSE_FACTORIAL[share[kind]]
        needed += share[kind] * (int(h.needed_kinds) >> kind & 1)
    return 0.0 if row == h.need_row and needed == 0 else product


@kernel
def fill_entry(h: Any, table: Table, row: int, left: Numbers, share: Numbers, limit: Numbers) -> None:
    """Fill the entry of a row for the cards left: the sum over all its shares; `share` and `limit` are room to work."""
    limit_share(h, row, left, limit)
    total = 0.0
    more = first_share(share, limit, int(h.n_kinds), int(h.row_size[row]))
    while more:
        total += weight(h, row, share) * table[row + 1, state_after(h, left, share)]
        more = next_share(share, limit, int(h.n_kinds))
    table[row, state_of(h, left)] = total


@kernel
def lowest_left(h: Any, row: int, least: Numbers, spread: Numbers) -> int:
    """Fill `least` with the cards of each kind that the rows before must leave, and `spread` with how many more may be.

    Returns:
        How many of the latter are left in all; below zero when the cards do not go into the rows.
    """
    n_left = 0
    for i in range(row, h.n_rows):
        n_left += int(h.row_size[i])
    for kind in range(h.n_kinds):
        taken = 0
        for i in range(row):
            taken += int(h.row_size[i]) * (int(h.fits[i]) >> kind & 1)
        least[kind] = max(0, int(h.kind_size[kind]) - taken)
        spread[kind] = int(h.kind_size[kind]) - least[kind]
        n_left -= least[kind]
    return n_left


@kernel
def fill_table(h: Any) -> Table:
    """Return the table, (rows + 1, states): the sum of 1 / prod x! over all ways to fill this row and those after it.

    Entries that no deal leads to are not filled in.
    """
    table = np.zeros((int(h.n_rows) + 1, n_states(h)), np.float64)
    least, spread, more_left, left = np.zeros((4, MAX_KINDS), np.int64)
    share, limit = np.zeros((2, MAX_KINDS), np.int64)
    table[h.n_rows, 0] = 1.0
    for row in range(int(h.n_rows) - 1, -1, -1):
        n_left = lowest_left(h, row, least, spread)
        more = n_left >= 0 and first_share(more_left, spread, int(h.n_kinds), n_left)
        while more:
            for kind in range(h.n_kinds):
                left[kind] = least[kind] + more_left[kind]
            fill_entry(h, table, row, left, share, limit)
            more = next_share(more_left, spread, int(h.n_kinds))
    return table


@kernel
def log_deals(h: Any, table: Table) -> float:
    """Return the logarithm of the number of deals; minus infinity where there are none."""
    for place in range(N_PLACES):
        if h.room[place] < 0:
            return IMPOSSIBLE
    total = table[0, table.shape[1] - 1]  # all cards of all kinds are left
    if total == 0.0:
        return IMPOSSIBLE
    log = np.log(total)
    for kind in range(h.n_kinds):
        log += LOG_FACTORIAL[h.kind_size[kind]]
    for row in range(h.n_rows):
        log += LOG_FACTORIAL[h.row_size[row]]
    for place in range(N_PLACES):
        log -= LOG_FACTORIAL[h.room[place]]
    return log


@kernel
def draw_share(
    h: Any, table: Table, row: int, left: Numbers, share: Numbers, limit: Numbers, random: np.uint64
) -> None:
    """Draw the share of one row, each as often as there are deals with it, and take it from the cards left."""
    n_kinds = int(h.n_kinds)
    limit_share(h, row, left, limit)
    more = first_share(share, limit, n_kinds, int(h.row_size[row]))
    if row + 1 < h.n_rows:
        bound = unit(random) * table[row, state_of(h, left)]
        total = 0.0  # added up as in `fill_entry`, so that the bound is passed at the latest at the end
        while more:
            total += weight(h, row, share) * table[row + 1, state_after(h, left, share)]
            if total > bound:
                break
            more = next_share(share, limit, n_kinds)
    for kind in range(n_kinds):
        left[kind] -= share[kind]
